"""What went wrong only now and then, on a machine that had other things to do."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tests.cli.command import PROGRAM, studio
from tests.tui.terminals import Terminal

CI = Path(__file__).resolve().parents[2] / ".ci" / "run"


@pytest.mark.sweep
@pytest.mark.pty
def test_after_a_stop_the_app_goes_on_and_leaves_the_terminal_as_it_was(tmp_path: Path) -> None:
    studio("new", tmp_path / "novel", "--title", "The Salt Road", "--language", "en")
    there = Terminal([str(tmp_path / "novel")], {}, program=str(PROGRAM))
    there.sees("The Salt Road")
    os.kill(there.child.pid, signal.SIGSTOP)
    _, status = os.waitpid(there.child.pid, os.WUNTRACED)
    assert os.WIFSTOPPED(status)
    os.kill(there.child.pid, signal.SIGCONT)
    there.until(lambda: there.bytes.count("\x1b[?1049h") == 2, "screen taken anew")
    there.types("\x1bOP")  # F1
    there.sees("Esc")
    there.child.sendcontrol("q")
    assert there.ends() == 0
    assert there.was_left_for_a_shell


@pytest.mark.skipif(not CI.is_file(), reason="only the repository has .ci/run")
def test_nothing_is_run_a_second_time_because_it_failed() -> None:
    assert "--last-failed" not in CI.read_text("utf-8")
