"""A closed terminal, a stopped process, a trip to the shell: the text is there afterwards. What a
call cost that was ended in mid-stream, by Esc, by Ctrl+Q or by a kill, is in the log of usage as an
estimate, and is told as one wherever costs are told (WRITING 6)."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import studio
from tests.fake_messages import FakeMessages, Rule
from tests.pipeline.flows import SCENES, Model, make_novel, unrefined
from tests.tui.terminals import Terminal

pytestmark = pytest.mark.pty


@pytest.fixture
def novel(tmp_path: Path) -> Path:
    return make_novel(tmp_path / "novel")


@pytest.fixture
def server() -> Iterator[FakeMessages]:
    """A model that stops in the middle of a scene until it is let go."""
    held = Model(draft=Rule(mode="hold", after=8, text="\n\n".join(SCENES[1])))
    with FakeMessages(answering=held) as server:
        yield server


@pytest.fixture
def environ(server: FakeMessages, tmp_path: Path) -> dict[str, str]:
    return {
        "ANTHROPIC_BASE_URL": server.url,
        "ANTHROPIC_API_KEY": "key-of-the-writer",
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
    }


def writing(there: Terminal) -> None:
    """Until half a scene is on the screen."""
    there.sees("What happens")
    there.types("w")
    there.sees("oil cans one after another")


@pytest.mark.sweep
def test_a_terminal_that_is_closed_in_the_middle_loses_nothing(
    novel: Path, environ: dict[str, str]
) -> None:  # req: T2, N11
    there = Terminal(["-m", "studio", str(novel)], environ)
    writing(there)
    there.hangs_up()
    assert not (novel / ".novel.lock").exists()
    scene = novel / "staging/scenes/chapter-001/scene-01.md"
    assert "oil cans" in scene.read_text("utf-8")
    again = Terminal(["-m", "studio", str(novel)], environ)
    again.sees("[w] Go on")
    again.child.sendcontrol("q")
    assert again.ends() == 0


@pytest.mark.sweep
def test_a_stopped_process_goes_on_where_it_was(
    novel: Path, environ: dict[str, str], server: FakeMessages
) -> None:  # req: T4
    there = Terminal(["-m", "studio", str(novel)], environ)
    writing(there)
    os.kill(there.child.pid, signal.SIGSTOP)
    _, status = os.waitpid(there.child.pid, os.WUNTRACED)
    assert os.WIFSTOPPED(status)
    server.released.set()
    os.kill(there.child.pid, signal.SIGCONT)
    there.sees("The chapter is ready for you")  # asked when the run has ended, ◉ before
    there.child.sendcontrol("q")
    assert there.ends() == 0


@pytest.mark.sweep
def test_the_list_of_actions_leads_to_the_shell_and_fg_back(
    novel: Path, environ: dict[str, str]
) -> None:  # req: T4
    shell = Terminal(["--norc", "-i"], {**environ, "PS1": "shell: "}, program="/bin/bash")
    shell.sees("shell:")
    shell.types(f"{sys.executable} -m studio {novel}\r")
    writing(shell)
    shell.child.sendcontrol("z")  # undoes elsewhere: it throws nobody out of the program
    shell.child.sendcontrol("p")
    shell.types("To the shell")
    shell.sees("`fg` comes back")
    shell.types("\r")
    shell.sees("Stopped")
    shell.types("echo still $((40+2))\r")
    shell.sees("still 42")
    shell.types("fg\r")
    shell.sees("oil cans one after another", gone="still 42")
    shell.types("\x1b")
    shell.sees("[w] Go on")
    shell.child.sendcontrol("q")
    shell.sees("shell:")
    shell.types("echo left with $?\r")
    shell.sees("left with 0")
    shell.types("exit\r")
    assert shell.ends() == 0


def by_esc(there: Terminal) -> None:
    there.types("\x1b")
    there.sees("[w] Go on")
    there.child.sendcontrol("q")
    assert there.ends() == 0


def by_ctrl_q(there: Terminal) -> None:
    there.child.sendcontrol("q")
    there.sees("Leave the studio?")
    there.types("y")
    assert there.ends() == 0


def by_kill(there: Terminal) -> None:
    os.kill(there.child.pid, signal.SIGKILL)
    there.ends()


def ends(novel: Path) -> list[dict[str, Any]]:
    """The calls whose end is in the log of usage."""
    rows = map(json.loads, (novel / "logs/usage.jsonl").read_text("utf-8").splitlines())
    return [row for row in rows if row["event"] == "settle"]


# req: N7
@pytest.mark.sweep
@pytest.mark.parametrize("end", [by_esc, by_ctrl_q, by_kill])
def test_what_a_call_cost_that_was_ended_in_mid_stream_is_told_as_an_estimate(
    novel: Path, environ: dict[str, str], end: Callable[[Terminal], None]
) -> None:
    there = Terminal(["-m", "studio", str(novel)], environ)
    writing(there)
    end(there)
    if end is by_kill:  # nobody was left to enter it: the most it can have cost counts
        assert not ends(novel)
        assert "Perhaps spent: up to $0.4" in studio("status", cwd=novel, environ=environ).out
    again = Terminal(["-m", "studio", str(novel)], environ)
    again.sees("[w] Go on")
    again.sees("chapter 1: about 1 cent")
    again.child.sendcontrol("q")
    again.ends()
    (call,) = ends(novel)
    (record,) = (json.loads(p.read_text("utf-8")) for p in (novel / "logs/generations").iterdir())
    assert record["id"] == f"{call['call']}-failed1"
    assert record["finishReason"] == ("killed" if end is by_kill else "stopped")
    assert "Mara finds the key" in str(record["messages"]), "what was asked is known"
    assert record["cost_usd" if "cost_usd" in record else "costUsd"] == call["usd"]
    assert call["settled_by"] == ("received" if end is by_kill else "stopped")
    assert 0.009 < call["usd"] < 0.02
    spent = f"about ${call['usd']:.4f}"
    assert spent in studio("usage", cwd=novel, environ=environ).out
    status = studio("status", cwd=novel, environ=environ).out
    assert f"Spent: {spent} on chapter 1" in status
    assert "Perhaps spent" not in status


@pytest.mark.sweep
def test_half_a_version_that_a_kill_left_is_found_and_played_again(
    novel: Path, tmp_path: Path
) -> None:
    """Met: no other text of the chapter was kept, and what was played again was empty."""
    words = "He had let two lorries go before him. " * 40
    held = Rule(mode="hold", after=9, text=words)
    with FakeMessages(answering=Model(refine=unrefined, anew=held)) as server:
        environ = {
            "ANTHROPIC_BASE_URL": server.url,
            "ANTHROPIC_API_KEY": "key-of-the-writer",
            "XDG_STATE_HOME": str(tmp_path / "state"),
            "XDG_CONFIG_HOME": str(tmp_path / "config"),
        }
        assert studio("write", "--review", "ask", cwd=novel, environ=environ).code == 4
        there = Terminal(["-m", "studio", str(novel)], environ, size=(120, 36))
        there.sees("w Go on", "C Into the book", "d Decide")
        there.types("2")
        there.types("a")
        there.sees("Another version of")
        there.types("\x1b[B\x1b[B\r")
        there.sees("What do you want of it?")
        there.types("Let the lid be held.\r")
        there.sees("let two lorries")
        partial = novel / "staging/partial"
        there.until(lambda: partial.is_dir() and any(partial.iterdir()), "it is on the disk")
        by_kill(there)
        again = Terminal(["-m", "studio", str(novel)], environ, size=(120, 36))
        again.sees("w Go on", "C Into the book", "d Decide")
        again.types("2")
        for _ in range(3):
            again.types("]")
        again.sees("Ended: killed")
        again.types("Y")
        again.sees("Played again")
        again.sees("let two lorries")
        again.types("q")
        again.sees("Ended: killed", gone="Played again")
        again.types("]")
        again.sees("cut off")
        again.types("1")
        again.types("2")
        for _ in range(4):
            again.types("[")
        again.types("a")
        again.sees("Another version of")
        again.types("\x1b[B\x1b[B\r")
        again.sees("What do you want of it?")
        again.sees("Let the lid be held.")
        by_kill(again)
