"""What the keys of the editor do to a writer's text, and what they cost."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fake_messages import FakeMessages
from tests.flows.desks import leaves, new_novel, opened

pytestmark = pytest.mark.pty


@pytest.mark.sweep
def test_ctrl_z_takes_typing_back_and_ctrl_y_makes_it_again(tmp_path: Path) -> None:
    there = opened(new_novel(tmp_path / "book"))
    there.child.sendcontrol("e")
    there.sees("Save")
    there.types("The bell rang.")
    there.sees("The bell rang.")
    there.types("\x1a")
    there.sees("Chapter 1", gone="The bell rang.")
    there.types("\x19The ")
    there.sees("The bell rang.The ")
    leaves(there)


@pytest.mark.sweep
def test_ctrl_d_asks_before_a_text_is_handed_in_and_a_reader_paid(tmp_path: Path) -> None:
    with FakeMessages() as server:
        there = opened(new_novel(tmp_path / "book"), server)
        there.child.sendcontrol("e")
        there.sees("Save")
        there.types("The bell rang.\x04")
        assert there.sees("as your draft?", "is ready for you") == "as your draft?"
        assert server.asked == []
        there.sees("for a summary and a judgement. It costs")
        there.types("\r")
        there.types("n")
        there.sees("The bell rang.", gone="as your draft?")
        there.types("\x04")
        there.sees("as your draft?")
        assert server.asked == []
        there.types("y")
        there.sees("is ready for you")
        leaves(there)
