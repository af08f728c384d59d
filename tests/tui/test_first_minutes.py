"""The first five minutes of somebody who reads only the screen, on a real pseudo-terminal."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from studio.project.store import ProjectStore
from studio.story.review.directive import Directive
from studio.story.status import DirectiveStatus
from tests.fake_messages import Asked, FakeMessages, Rule
from tests.pipeline.flows import Model, scene_number
from tests.sweeps import swept
from tests.tui.make_pictures import MODEL, PROPOSALS, SCENES, operated, proposed
from tests.tui.terminals import Terminal

pytestmark = pytest.mark.pty
MORE = (
    (3, 4),
    "The wind he walked into is said with a thought too many.",
    "Take the thought out.",
    "The pencil sloped. It had always sloped; he wrote as he walked, into a wind. *Report of the"
    " 30th October.* Under it his name, and under his name, upright and careful, the other one.",
)
WANTED = (*PROPOSALS, MORE)


def drafted(asked: Asked) -> Rule:
    return Rule(text="\n\n".join(SCENES[scene_number(asked)]))


@pytest.fixture
def server() -> Iterator[FakeMessages]:
    answers = {
        **MODEL.answers,
        "draft": drafted,
        "surgery": partial(operated, proposals=WANTED),
        "judge": proposed(WANTED),
    }
    with FakeMessages(answering=Model(**answers)) as server:
        yield server


def sheet(novel: Path) -> tuple[Directive, ...]:
    """The directives of chapter 3, in work or in the book."""
    store = ProjectStore(novel)
    document = store.staging_of(3).sheet() or store.directives(3)
    assert document is not None
    return document.directives


@pytest.mark.sweep
@pytest.mark.parametrize(
    "direction",
    [
        swept("Let her count the tallies twice.", id="en"),
        pytest.param("등대의 종소리로 시작하되, 비는 그친 뒤로.", id="ko"),
    ],
)
def test_from_nothing_to_a_chapter_in_the_book(
    server: FakeMessages, tmp_path: Path, direction: str
) -> None:  # req: U2, U3, U6, T9
    home = tmp_path / "home"
    home.mkdir()
    environ = {
        "HOME": str(home),
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "ANTHROPIC_BASE_URL": server.url,
        "ANTHROPIC_API_KEY": "key-of-the-writer",
    }
    there = Terminal(["-m", "studio"], environ, cwd=home)
    novel = home / "the-returns-book"
    try:
        there.sees("Try the sample novel")
        there.types("s")
        there.sees("is copied there")
        there.types("\r")
        there.sees("◦ 3 The Lamp Room")
        there.types("i")
        there.sees("What do you want of this chapter?")
        there.types(direction)
        there.sees(direction)
        there.types("\r")
        there.sees("writes with this direction")
        there.types("w")
        there.sees("Your review  0/4")
        review(there)
        there.types("w")
        there.sees("2 fixes to keep or undo")
        finish(there)
        assert there.ends() == 0
    finally:
        there.child.close(force=True)
    assert any(direction in str(asked.body) for asked in server.asked)
    assert (novel / "chapters/chapter-003.md").is_file()
    statuses = {directive.status for directive in sheet(novel)}
    assert {DirectiveStatus.KEPT, DirectiveStatus.REJECTED} <= statuses


def review(there: Terminal) -> None:
    """Accepts one, rejects one with a reason, edits one, rejects what the code found."""
    there.types("a")
    there.sees("Your review  1/4")
    there.types("r")
    there.sees("Esc leaves everything")
    there.types("It is mine.\r")
    there.sees("Your review  2/4")
    there.types("e")
    there.sees("Ctrl+S takes it")
    there.types("Shorter. ")
    there.sees("Shorter.")
    there.types("\x13")
    there.sees("Your review  3/4")
    there.types("r")
    there.sees("Esc leaves everything")
    there.types("\r")
    there.sees("Your review  4/4")


def finish(there: Terminal) -> None:
    """Keeps what the surgeon made, takes the chapter into the book, and leaves."""
    there.types("kkk")
    there.sees("1.6 · in the text")
    there.types("a")
    there.sees("2.6 · in the text")
    there.types("a")
    there.sees("Your review  4/4", gone="to keep or undo")
    there.types("C")
    there.sees("✓ 3 The Lamp Room", gone="Esc Stop")
    there.child.sendcontrol("q")
