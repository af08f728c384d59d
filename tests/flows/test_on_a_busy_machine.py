"""What went wrong only now and then, on a machine that had other things to do."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.cli.command import PROGRAM, studio
from tests.flows.desks import new_novel
from tests.tui.terminals import Terminal

HELD_UP = """
import sys, time
from textual.app import App
App.post_display_hook = lambda app: time.sleep(0.3)
from studio.__main__ import main
sys.exit(main())
"""
"""The app on a machine that does something else as soon as a frame is sent, for so long that the
writer has seen the frame and typed before the app goes on."""
STARTS = 8

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


def press_at_first_sight(there: Terminal, sight: str, key: str) -> None:
    """Presses a key in the instant in which some words of a frame arrive."""
    there.child.delaybeforesend = None
    there.until(lambda: sight in there.bytes, f"{sight!r} sent", beat=0.05)
    there.types(key)


@pytest.mark.sweep
@pytest.mark.pty
@pytest.mark.parametrize(
    ("opens", "sight", "key", "page"),
    [
        (True, "Outline", "\x05", "Save"),
        (True, "Outline", "p", "What happens"),
        (False, "Open", "n", "What is its title?"),
    ],
    ids=["the editor", "the plan", "a new novel"],
)
def test_a_key_typed_as_the_first_frame_arrives_is_taken(  # req: K1
    tmp_path: Path, opens: bool, sight: str, key: str, page: str
) -> None:
    novel = new_novel(tmp_path / "novel")
    there = Terminal(["-c", HELD_UP, *([str(novel)] if opens else [])], {}, cwd=tmp_path)
    press_at_first_sight(there, sight, key)
    there.sees(page)
    there.drop()


@pytest.mark.sweep
@pytest.mark.pty
def test_a_key_at_the_first_frame_is_taken_at_every_start_under_load(tmp_path: Path) -> None:
    novel = new_novel(tmp_path / "novel")
    with ExitStack() as load:
        for _ in range(os.cpu_count() or 1):
            busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
            load.callback(busy.wait)
            load.callback(busy.kill)
        for _ in range(STARTS):
            there = Terminal([str(novel)], {}, program=str(PROGRAM), cwd=tmp_path)
            press_at_first_sight(there, "Outline", "\x05")
            there.sees("Save")
            there.drop()


@pytest.mark.skipif(not CI.is_file(), reason="only the repository has .ci/run")
def test_nothing_is_run_a_second_time_because_it_failed() -> None:
    assert "--last-failed" not in CI.read_text("utf-8")
