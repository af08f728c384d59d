"""The program at a terminal: it asks, it streams, and ctrl+c is no accident."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pexpect
import pytest

from studio.project.create import create_novel
from tests.cli.command import PROGRAM, studio
from tests.cli.conftest import OWN_CHAPTER, own_chapter
from tests.fake_messages import FakeMessages, Rule

pytestmark = [pytest.mark.pty, pytest.mark.filterwarnings("ignore::DeprecationWarning")]


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A new English novel with a plan for its first chapter."""
    create_novel(tmp_path / "book", "The Salt Ledger", "en")
    outline = tmp_path / "book/volumes/vol-01/outline.md"
    outline.write_text("## Chapter 1: Night\n\nMara finds the ledger.\n", "utf-8")
    return tmp_path / "book"


def at_terminal(*arguments: object, **environ: str) -> pexpect.spawn[str]:
    return pexpect.spawn(
        str(PROGRAM),
        [str(argument) for argument in arguments],
        env={**os.environ, "TERM": "xterm", **environ},
        encoding="utf-8",
        timeout=180,
    )


def ended(child: pexpect.spawn[str]) -> int | None:
    child.expect(pexpect.EOF)
    child.close()
    return child.exitstatus


@pytest.mark.sweep
def test_the_writer_is_asked_and_her_answer_carried_out(book: Path) -> None:  # req: E5
    child = at_terminal("write", "--draft", own_chapter(book.parent), "--project", book)
    child.expect("Option, or Enter to leave it open: ")
    child.sendline("commit")
    child.expect("is in the book")
    assert ended(child) == 0
    assert (book / "chapters/chapter-001.md").read_text("utf-8") == OWN_CHAPTER


@pytest.mark.sweep
def test_enter_leaves_the_question_for_tomorrow(book: Path) -> None:  # req: E5
    child = at_terminal("write", "--draft", own_chapter(book.parent), "--project", book)
    child.expect("Option, or Enter to leave it open: ")
    child.sendline("")
    assert ended(child) == 4
    assert studio("decide", "--json", cwd=book).json["decision"]["kind"] == "review"


@pytest.mark.sweep
def test_prose_streams_and_ctrl_c_ends_with_130(book: Path) -> None:  # req: T1
    with FakeMessages(Rule(mode="hold", after=8, text="The rain had stopped. " * 40)) as server:
        server.rules.insert(0, Rule(index=0))  # the plot architect divides the chapter first
        child = at_terminal("write", "--project", book, ANTHROPIC_BASE_URL=server.url)
        child.expect("The rain had stopped.")
        child.sendcontrol("c")
        child.expect("nothing is lost")
        assert ended(child) == 130
    assert not (book / ".novel.lock").exists()


@pytest.mark.sweep
def test_ctrl_c_at_the_question_leaves_it_open(book: Path) -> None:  # req: T1
    child = at_terminal("write", "--draft", own_chapter(book.parent), "--project", book)
    child.expect("Option, or Enter to leave it open: ")
    child.sendcontrol("c")
    assert ended(child) == 130
    assert studio("decide", "--json", cwd=book).json["decision"] is not None


_ANOTHER_THREAD_TAKES_IT = """
import signal, sys, threading
from studio.cli import keyboard
threading.Thread(target=threading.Event().wait, daemon=True).start()
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
try:
    keyboard.typed_line("Option: ")
except KeyboardInterrupt:
    sys.exit(130)
"""


def test_ctrl_c_is_heard_when_no_read_of_the_terminal_hears_it() -> None:  # req: T1
    child = pexpect.spawn(
        sys.executable, ["-c", _ANOTHER_THREAD_TAKES_IT], encoding="utf-8", timeout=60
    )
    child.expect("Option: ")
    child.sendcontrol("c")
    assert ended(child) == 130


@pytest.mark.sweep
def test_sigterm_at_the_question_unwinds_the_command(book: Path) -> None:  # req: T1
    child = at_terminal("write", "--draft", own_chapter(book.parent), "--project", book)
    child.expect("Option, or Enter to leave it open: ")
    child.kill(signal.SIGTERM)
    assert ended(child) == 143
