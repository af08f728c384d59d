"""What a terminal receives when the text is hostile: nothing that acts, everything visible."""

from __future__ import annotations

import re

import pytest

from tests.architecture import ROOT
from tests.tui.hostile_screen import LAST_WORDS
from tests.tui.terminals import Terminal

POINTER = "\x1b]22;default"
"""The one such command Textual itself sends: it sets the mouse pointer."""


@pytest.mark.pty
def test_no_byte_of_hostile_text_acts_on_the_terminal() -> None:  # req: S7, S8
    there = Terminal(["-m", "tests.tui.hostile_screen"], {}, size=(120, 60), cwd=ROOT)
    for words in LAST_WORDS:
        there.sees(words)
    assert "\x1b[?1049l" not in there.bytes
    there.types("q")
    assert there.ends() == 0
    assert "␛]52;c;aGFja2Vk␇" in there.bytes
    assert set(re.findall("\x1b\\][^\x07\x1b]*", there.bytes)) <= {POINTER}
    assert there.bytes.count("\x07") == there.bytes.count(POINTER)
    assert there.bytes.count("\x1b[?1049l") == 1
    assert not {"\x9c", "\x9d", "\u202e", "\u200b", "\x00"} & set(there.bytes)
