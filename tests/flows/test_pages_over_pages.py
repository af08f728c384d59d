"""Pages and questions over one another, in any order, and the way out of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.command import PROGRAM
from tests.tui.terminals import Terminal

pytestmark = pytest.mark.pty
F1, F2, ESC, ENTER = "\x1bOP", "\x1bOQ", "\x1b", "\r"
HELP, SETTINGS, QUESTION = "Your novel is a folder of plain text", "yours:", "Enter takes it"
FAULT = "Something went wrong"


@pytest.fixture
def app(project: Path) -> Iterator[Terminal]:
    there = Terminal([str(project)], {}, program=str(PROGRAM), size=(100, 36))
    there.sees("The Lamp Room")
    there.sees("claude")  # the model's name is read last: everything is there
    yield there
    there.drop()


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("keys", "seen"),
    [
        ((F1, F2), (HELP, SETTINGS)),
        ((F2, F1, F2), (SETTINGS, HELP, SETTINGS)),
        ((F2, ENTER, F1), (SETTINGS, QUESTION, HELP)),
    ],
    ids=["settings over help", "help over settings", "help over a question"],
)
def test_pages_lie_over_one_another_in_any_order(
    app: Terminal, keys: tuple[str, ...], seen: tuple[str, ...]
) -> None:
    for key, words in zip(keys, seen, strict=True):
        app.types(key)
        app.until(lambda words=words: words in app.shown or FAULT in app.shown, words)  # type: ignore[misc]
        assert FAULT not in app.shown, app.shown
    app.child.sendcontrol("q")
    assert app.ends() == 0
    assert "Error" not in app.bytes
