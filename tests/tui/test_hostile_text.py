"""What a terminal receives when the text is hostile: nothing that acts, everything visible."""

from __future__ import annotations

import re
import sys

import pexpect
import pytest

from tests.architecture import ROOT

POINTER = "\x1b]22;default"
"""The one such command Textual itself sends: it sets the mouse pointer."""


@pytest.mark.pty
def test_no_byte_of_hostile_text_acts_on_the_terminal() -> None:  # req: S7, S8
    program = pexpect.spawn(
        sys.executable,
        ["-m", "tests.tui.hostile_screen"],
        cwd=str(ROOT),
        dimensions=(40, 120),
        env={"TERM": "xterm-256color", "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
        encoding="utf-8",
        timeout=60,
    )
    drawn = ""
    for words in ("끝까지 왔다", "나가기"):
        program.expect(words)
        drawn += program.before + program.after
    program.expect(pexpect.TIMEOUT, timeout=1)
    drawn += program.before or ""
    program.send("q")
    program.expect(pexpect.EOF)
    program.close()
    assert program.exitstatus == 0
    assert "␛]52;c;aGFja2Vk␇" in drawn
    assert set(re.findall("\x1b\\][^\x07\x1b]*", drawn)) <= {POINTER}
    assert drawn.count("\x07") == drawn.count(POINTER)
    assert "\x1b[?1049l" not in drawn
    assert not {"\x9c", "\x9d", "\u202e", "\u200b", "\x00"} & set(drawn)
