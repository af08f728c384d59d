"""Terminal manners: where the app cannot be shown, and how it leaves (reliability T1, T7)."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pexpect
import pytest

from studio.errors import Exit, StudioError
from studio.tui import terminal
from tests.pipeline.flows import make_novel

pytestmark = pytest.mark.pty
WAIT = 60


@pytest.fixture
def novel(tmp_path: Path) -> Path:
    return make_novel(tmp_path / "novel")


@pytest.fixture
def program(novel: Path) -> Iterator[pexpect.spawn[str]]:
    """`studio NOVEL` on a terminal of its own, with the outline on the screen."""
    environ = {**os.environ, "TERM": "xterm-256color", "ANTHROPIC_BASE_URL": "http://127.0.0.1:9"}
    child = pexpect.spawn(
        sys.executable,
        ["-m", "studio", str(novel)],
        env=environ,
        dimensions=(24, 80),
        encoding="utf-8",
        timeout=WAIT,
    )
    child.expect("Outline")
    child.expect("Objectives")
    yield child
    child.close(force=True)


def ended(child: pexpect.spawn[str]) -> int | None:
    child.expect(pexpect.EOF)
    child.close()
    return child.exitstatus if child.exitstatus is not None else child.signalstatus


def test_the_outline_is_there_and_ctrl_q_leaves_with_0(
    program: pexpect.spawn[str], novel: Path
) -> None:
    program.sendcontrol("q")
    assert ended(program) == 0
    assert "Traceback" not in (program.before or "")
    assert "\x1b[?1049l" in (program.before or "")
    assert not (novel / ".novel.lock").exists()


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_signal_leaves_a_clean_terminal(
    program: pexpect.spawn[str], number: int, code: int
) -> None:
    program.kill(number)
    assert ended(program) == code
    assert "\x1b[?1049l" in (program.before or "")
    assert "Traceback" not in (program.before or "")


def test_a_closed_terminal_ends_the_program(program: pexpect.spawn[str]) -> None:
    program.kill(signal.SIGHUP)
    assert ended(program) == 129


@pytest.mark.parametrize("environ", [{"TERM": "dumb"}, {"TERM": ""}, {}])
def test_a_dumb_terminal_is_refused_with_a_sentence(
    environ: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(terminal, "_is_terminal", lambda stream: True)
    with pytest.raises(StudioError) as refused:
        terminal.refuse_unfit(environ)
    assert refused.value.problem.exit_code is Exit.USAGE


def test_no_terminal_is_refused_with_a_sentence() -> None:
    with pytest.raises(StudioError) as refused:
        terminal.refuse_unfit({"TERM": "xterm"})
    assert "needs a terminal" in refused.value.problem.message


def test_ascii_is_drawn_where_it_is_asked_for() -> None:
    assert terminal.wants_ascii({"STUDIO_ASCII": "1"})
    assert not terminal.wants_ascii({})


def test_the_writers_editor_is_the_one_of_the_settings_first() -> None:
    environ = {"VISUAL": "vim", "EDITOR": "ed"}
    assert terminal.editor_command("micro", environ) == "micro"
    assert terminal.editor_command(None, environ) == "vim"
    assert terminal.editor_command(None, {}) is None
