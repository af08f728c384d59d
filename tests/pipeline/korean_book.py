"""A small Korean book for tests of the rebuild: what a model reads in it follows from its words."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from studio.pipeline.events import Event
from studio.pipeline.outcome import Failed, Stopped
from studio.pipeline.rebuild import RebuildOrder, RebuildReport, Rebuilt
from studio.project.changelog import replay
from studio.project.verify import verify
from tests.fake_messages import Asked, Rule
from tests.pipeline.flows import SETTINGS, Desk, Model, block, make_novel

OWN = {
    1: "# 첫 장\n\n마라는 등대에서 열쇠를 찾았다.\n\n“아직 불이 켜져 있어.” 조스가 말했다.\n",
    2: "# 둘째 장\n\n조스는 계단을 세 번 올랐다. 마라는 말이 없었다.\n",
    3: "# 셋째 장\n\n종소리가 들렸다. 마라는 열쇠를 놓았다.\n",
}
OPS: dict[str, list[dict[str, Any]]] = {
    "열쇠를 찾았다": [
        {"op": "set", "path": "characters.mara.steps", "value": 1},
        {"op": "foreshadow", "path": "bell", "value": "plant"},
        {"op": "add", "path": "items.key.owners", "value": "마라"},
    ],
    "계단을 세 번": [{"op": "inc", "path": "characters.mara.steps", "value": 2}],
    "열쇠를 놓았다": [
        {"op": "remove", "path": "items.key.owners", "value": "마라"},
        {"op": "foreshadow", "path": "bell", "value": "advance"},
    ],
    "열쇠는 없었다": [{"op": "set", "path": "characters.mara.steps", "value": 5}],
}
KOREAN = SETTINGS.replace('language = "en"', 'language = "ko"')


def remembered(asked: Asked) -> Rule:
    """A summary whose ops follow from the words of the chapter alone."""
    text = block(asked, "chapter")
    ops = [op for words, entries in OPS.items() if words in text for op in entries]
    value = {"summary": f"요약 {len(text)}", "ops": ops, "crossref": [], "memory": "열쇠와 종."}
    return Rule(value=value)


def make_book(open_desk: Callable[..., Desk], folder: Path) -> Desk:
    """A Korean book of three chapters of the author's own, read by a model."""
    make_novel(folder / "novel", KOREAN, contract=None)
    book = open_desk(Model(summary=remembered))
    for number, text in OWN.items():
        file = folder / f"own-{number}.md"
        file.write_text(text, "utf-8")
        assert book.write(draft=file, review="reject").exit_code == 0
    book.server.asked.clear()
    return book


def edit(desk: Desk, number: int, old: str, new: str) -> None:
    """What a writer does in another editor."""
    file = desk.folder / f"chapters/chapter-{number:03d}.md"
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")


def changed(desk: Desk) -> None:
    """Chapter 1 without its key: the later chapters build on it."""
    edit(desk, 1, "열쇠를 찾았다", "빈 상자를 보았다. 열쇠는 없었다")


def rebuild(
    desk: Desk, *chapters: int, everything: bool = False, listen: Callable[[Event], None] = print
) -> Rebuilt | Failed | Stopped:
    """`studio rebuild` in a process of its own."""
    order = RebuildOrder(chapters, everything)
    return asyncio.run(desk.session().rebuilder().run(order, listen))


def done(desk: Desk, *chapters: int, **more: Any) -> RebuildReport:
    """A rebuild that must come to its end, and the book must be whole after it."""
    outcome = rebuild(desk, *chapters, **more)
    assert isinstance(outcome, Rebuilt), outcome
    assert desk.store.state() == replay(desk.store.changelog().entries)
    return outcome.report


def faults_found(desk: Desk) -> list[str]:
    """What verify names, apart from worth-knowing notes."""
    return [f.message for f in verify(desk.folder).findings if f.severity != "note"]
