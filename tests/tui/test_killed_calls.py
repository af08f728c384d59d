"""What a call cost that was ended in mid-stream, by Esc, by Ctrl+Q or by a kill, is in the log of
usage as an estimate, and is told as one wherever costs are told (WRITING 6)."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import studio
from tests.fake_messages import FakeMessages, Rule
from tests.pipeline.flows import SCENES, Model, make_novel
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
@pytest.mark.parametrize("end", [by_esc, by_ctrl_q, by_kill])
def test_what_a_call_cost_that_was_ended_in_mid_stream_is_told_as_an_estimate(
    novel: Path, environ: dict[str, str], end: Callable[[Terminal], None]
) -> None:
    there = Terminal(["-m", "studio", str(novel)], environ)
    there.sees("What happens")
    there.types("w")
    there.sees("oil cans one after another")
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
