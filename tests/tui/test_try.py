"""`studio try` without a key and without a model: the first review, on a real pseudo-terminal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.command import studio
from tests.tui.environs import NO_MODEL
from tests.tui.terminals import Terminal

pytestmark = pytest.mark.pty
HERS = "It had been greased. She put it to one side."


@pytest.fixture
def there(tmp_path: Path) -> Iterator[Terminal]:
    """`studio try novel` where there is neither a key nor a model."""
    (tmp_path / "without").mkdir()
    (tmp_path / "without/sitecustomize.py").write_text(NO_MODEL)
    home = tmp_path / "home"
    home.mkdir()
    environ = {
        "HOME": str(home),
        "ANTHROPIC_BASE_URL": "",
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "PYTHONPATH": str(tmp_path / "without"),
    }
    terminal = Terminal(["-m", "studio", "try", "novel"], environ, cwd=home, size=(120, 36))
    yield terminal
    terminal.child.close(force=True)


# req: J8
@pytest.mark.sweep
def test_a_newcomer_without_a_model_decides_writes_cuts_and_takes_the_chapter(
    there: Terminal, tmp_path: Path
) -> None:
    there.sees("Your review  0/4")
    there.sees("no model")
    there.types("3")
    there.sees("a Take")
    there.types("a")  # the cut
    there.sees("Your review  1/4")
    there.types("r")  # the filter words stay
    there.sees("Esc leaves everything")
    there.types("\r")
    there.sees("Your review  2/4")
    there.types("E")  # a passage in her words
    there.sees("Ctrl+S takes it")
    there.types("\x01" + HERS)
    there.sees("She put it to one side.")
    there.types("\x13")
    there.sees("Your review  3/4")
    there.types("r")
    there.sees("Esc leaves everything")
    there.types("\r")
    there.sees("Your review  4/4")
    there.types("w")
    there.sees("● 3.5 Wording")
    there.sees("Chapter 3: 1 fix to keep or undo, 1 only you decide.")  # the surgeon's run is over
    assert "Read it again" not in there.shown
    there.types("C")
    there.sees("Chapter 3 into the book?")
    there.types("y")
    there.sees("✓ 3 The Lamp Room")  # no second question: nothing new was said
    assert "is ready for you" not in there.shown
    there.child.sendcontrol("q")
    assert there.ends() == 0
    text = (tmp_path / "home/novel/chapters/chapter-003.md").read_text("utf-8")
    assert HERS in text
    assert "that is the trouble with it" not in text
    assert "she noticed that he had cut" in text


# req: J8
def test_without_a_terminal_or_a_model_it_says_what_brings_one(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(NO_MODEL)
    ended = studio("try", "novel", cwd=tmp_path, environ={"PYTHONPATH": str(tmp_path)})
    assert ended.code == 2
    assert "There is no model to try it with" in ended.err
    assert not (tmp_path / "novel").exists()
