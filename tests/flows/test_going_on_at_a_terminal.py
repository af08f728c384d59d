"""Stop, change a word, go on, are killed, go on: the installed program at a terminal (J3)."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.command import studio
from tests.fake_messages import Asked, FakeMessages, Rule
from tests.flows.desks import answering, environ_of, kind_of, new_novel, opened
from tests.tui.terminals import Terminal

pytestmark = pytest.mark.pty
ENOUGH, SEEN_WITHIN = 14, 60
PLAN = {
    "schema_version": 1,
    "chapter": 1,
    "volume": 1,
    "title": "The Lamp Room",
    "storyline_id": "main",
    "objectives": ["Mara finds the key"],
    "scenes": [{"number": 1, "purpose": "Mara finds the key under the last can of oil."}],
}


def words_of(request: int) -> str:
    """An answer whose every word says by which request it came, in sentences."""
    return " ".join(
        f"Lamp{request}x{n:03d} hung on a wire.{chr(10) * 2 if n % 9 == 8 else ''}"
        for n in range(90)
    )


def model(asked: Asked) -> Rule:
    """A drafter whose words are let through one piece at a time until it may finish."""
    return Rule(mode="step", text=words_of(asked.index))


def planned(folder: Path, mode: str) -> Path:
    book = new_novel(folder)
    settings = book / "studio.toml"
    text = settings.read_text("utf-8")
    assert "[generation]" in text
    rows = [line for line in text.splitlines() if not line.startswith("mode =")]
    at = rows.index("[generation]")
    settings.write_text("\n".join([*rows[: at + 1], f'mode = "{mode}"', *rows[at + 1 :], ""]))
    plans = book / "volumes/vol-01/chapter-contracts"
    plans.mkdir(parents=True, exist_ok=True)
    (plans / "chapter-001.json").write_text(json.dumps(PLAN), "utf-8")
    return book


def drafts(server: FakeMessages) -> list[Asked]:
    return [asked for asked in server.asked if asked.schema is None and kind_of(asked) == "draft"]


def until(condition: Callable[[], bool], what: str, there: Terminal | None = None) -> None:
    if there is not None:
        there.until(condition, what, beat=0.05)
        return
    limit = time.monotonic() + SEEN_WITHIN
    while not condition():
        assert time.monotonic() < limit, what
        time.sleep(0.01)


def stream(there: Terminal, server: FakeMessages, number: int) -> Asked:
    """Lets so much of the newest draft through that whole words stand on the screen."""
    until(lambda: len(drafts(server)) == number, f"request {number}", there)
    asked = drafts(server)[-1]
    for _ in range(ENOUGH):
        server.step(asked)
    there.sees(f"Lamp{asked.index}x004")
    return asked


# req: J3
@pytest.mark.sweep
@pytest.mark.parametrize("mode", ["standard", "prewriter"])
def test_a_scene_stopped_changed_and_killed_begins_with_every_word_that_stood(
    tmp_path: Path, mode: str
) -> None:
    book = planned(tmp_path / "book", mode)
    scene = book / "staging/scenes/chapter-001/scene-01.md"
    with FakeMessages(answering=answering(draft=model)) as server:
        there = opened(book, server)
        there.types("w")
        first = stream(there, server, 1)
        assert (first.index > 0) is (mode == "prewriter"), "a brief comes before"
        there.types("\x1b")
        there.sees("Stopped.")
        until(scene.is_file, "the words that stand", there)
        stood = scene.read_text("utf-8")
        assert stood.startswith(f"Lamp{first.index}x000 hung on a wire.")
        hers = stood.replace("wire.", "nail.", 1)
        scene.write_text(hers, "utf-8")
        there.types("w")
        second = stream(there, server, 2)
        assert hers.strip() in second.prompt, "the request holds what stands, in her words"
        saved = book / "staging/partial"
        until(lambda: any(f.stat().st_size > 90 for f in saved.glob("gen-*")), "the kill", there)
        there.drop()
        asked = len(server.asked)
        whole = answering(draft=lambda one: Rule(text=words_of(one.index)))
        server.answering = whole
        environ = {**os.environ, **environ_of(server)}
        ran = studio(
            *("resume", "--review", "accept", "--project", book), environ=environ, cwd=tmp_path
        )
        assert ran.code in (0, 4), ran.err
        third = next(one for one in server.asked[asked:] if kind_of(one) == "draft")
    text = (book / "chapters/chapter-001.md").read_text("utf-8")
    body = text.partition("\n\n")[2]
    assert body.startswith(hers.strip()), "with her word"
    assert f"Lamp{second.index}x000 hung on a wire." in body, "and what came before the kill"
    assert body.index(f"Lamp{second.index}x000") < body.index(f"Lamp{third.index}x000")
    last = body[: body.index(f"Lamp{third.index}x000")].strip()
    assert last in third.prompt, "every word that stood was in the last request"
