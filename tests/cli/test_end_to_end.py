"""The installed program, as a writer and as another program would use it. No key is set."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from studio.project.create import create_novel
from tests.cli.command import PROGRAM, studio
from tests.cli.conftest import OWN_CHAPTER, own_chapter
from tests.fake_messages import FakeMessages, Rule

PLAN = "# One\n\n## Chapter 1: Night\n\nMara finds the ledger.\n"


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A new English novel."""
    create_novel(tmp_path / "book", "The Salt Ledger", "en")
    return tmp_path / "book"


def test_an_own_chapter_goes_from_new_to_book_by_the_writers_decisions(tmp_path: Path) -> None:
    book = tmp_path / "book"
    new = studio("new", book, "--title", "The Salt Ledger", "--language", "en")
    assert new.code == 0, new.err
    paused = studio("write", "--draft", own_chapter(tmp_path), "--project", book)  # req: E5
    assert paused.code == 4, paused.err
    assert "`studio directives list --project" in paused.out

    assert studio("directives", "reject", "--all", "--reason", "voice", cwd=book).code == 0
    assert studio("resume", cwd=book).code == 4
    assert studio("decide", "commit", "--note", "as it is", cwd=book).code == 0
    done = studio("resume", "--events", cwd=book)
    assert done.code == 0, done.err
    assert [e["type"] for e in done.events].count("committed") == 1
    assert [e["seq"] for e in done.events] == list(range(1, len(done.events) + 1))
    assert (book / "chapters/chapter-001.md").read_text("utf-8") == OWN_CHAPTER

    status = studio("status", "--json", "--project", book).json  # req: D10
    (chapter,) = status["chapters"]
    assert (chapter["title"], chapter["badges"][0]) == ("The Salt Ledger", "not judged")
    assert status["next_chapter"] == 2


@pytest.mark.sweep
def test_a_signal_stops_a_run_and_the_next_one_goes_on(book: Path) -> None:  # req: T1
    waiting = FakeMessages(Rule(mode="slow"))
    outline = book / "volumes/vol-01/outline.md"
    outline.write_text(PLAN, "utf-8")
    with waiting as server:
        process = subprocess.Popen(
            [PROGRAM, "write", "--events", "--project", book],
            env={**os.environ, "ANTHROPIC_BASE_URL": server.url},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        deadline = time.monotonic() + 180
        while not server.asked and time.monotonic() < deadline:
            assert process.poll() is None
            time.sleep(0.02)
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate()
    assert process.returncode == 143
    assert b"`studio resume" in err
    assert not (book / ".novel.lock").exists()
    status = studio("status", "--json", cwd=book).json
    assert status["inflight_chapter"] == 1


@pytest.mark.sweep
def test_a_chapter_is_written_by_a_model_and_told_to_a_log(book: Path) -> None:
    outline = book / "volumes/vol-01/outline.md"
    outline.write_text(PLAN, "utf-8")
    with FakeMessages() as server:
        environ = {"ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_API_KEY": "sk-ant-canary-012345"}
        ended = studio("write", "--review", "reject", cwd=book, environ=environ)
    assert ended.code == 0, ended.err
    assert "Chapter 1, “Night”, is in the book." in ended.out
    assert "Cost:" in ended.out
    assert "\x1b" not in ended.out
    assert "canary" not in ended.out + ended.err


@pytest.mark.sweep
def test_a_reader_who_leaves_stops_the_run_and_nothing_is_lost(book: Path) -> None:  # req: T1
    process = subprocess.Popen(
        [PROGRAM, "write", "--draft", own_chapter(book.parent), "--events", "--project", book],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    process.stdout.close()
    _, err = process.communicate()
    assert process.returncode == 141
    assert err == b""
    assert studio("verify", cwd=book).code == 0


@pytest.mark.sweep
@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    "environ",
    [
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "ascii"},
        {"NO_COLOR": "1", "TERM": "dumb"},
        {"HOME": "/nonexistent", "XDG_CONFIG_HOME": "", "XDG_STATE_HOME": ""},
    ],
)
def test_odd_surroundings_are_no_reason_to_fail(
    environ: dict[str, str], tmp_path: Path
) -> None:  # req: T7
    create_novel(tmp_path / "책", "소금 장부", "ko")
    assert studio("status", cwd=tmp_path / "책", environ=environ).code == 0
    assert studio("doctor", cwd=tmp_path / "책", environ=environ).code == 0


@pytest.mark.sweep
@pytest.mark.parametrize("closed", [">&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_reason_to_fail(closed: str, book: Path) -> None:  # req: T7
    line = f'"$0" write --draft "$1" --review reject --project "$2" {closed}'
    command = ["bash", "-c", line, PROGRAM, own_chapter(book.parent), book]
    assert subprocess.run(command, capture_output=True).returncode == 0
    assert (book / "chapters/chapter-001.md").read_text("utf-8") == OWN_CHAPTER
