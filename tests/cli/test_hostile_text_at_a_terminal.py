"""What a terminal would obey reaches none, and reaches every file and pipe as it is (S7)."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
from pathlib import Path

import pexpect
import pytest

from studio.project.create import create_novel
from tests.cli.command import PROGRAM, studio
from tests.cli.conftest import OWN_CHAPTER

pytestmark = [pytest.mark.pty, pytest.mark.filterwarnings("ignore::DeprecationWarning")]

HOSTILE = (
    "\x1b[2J\x1b[31m \x1b]52;c;aGVsbG8=\x07 \x9b6n \x9d0;title\x9c \x08\x7f"
    " \u202eedil\u202c \u2066me\u2069 \u200bthin\ufeff \u00ad\U000e0041"
)
"""Colours, a wiped screen, the clipboard, a report, a title, bells; what turns or hides words."""
LINE = f"She saw the 등대 lamp {HOSTILE} 等 go out."
CHAPTER = OWN_CHAPTER.replace("The stove ticked", f"{LINE} The stove ticked")
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
UNSAFE = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]"
    r"|[\U000e0000-\U000e007f]"
)


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A novel whose title, chapter, plan and history hold what a terminal would obey."""
    folder = tmp_path_factory.mktemp("novels") / "book"
    create_novel(folder, "The Salt Ledger", "en")
    outline = folder / "volumes/vol-01/outline.md"
    outline.write_text(f"## Chapter 1: Night\n\n{LINE}\n\n## Chapter 2: Day\n\n{LINE}\n", "utf-8")
    draft = folder.parent / "own.md"
    draft.write_text(CHAPTER, "utf-8")
    written = studio("write", "--draft", draft, "--review", "reject", cwd=folder)
    assert written.code == 0, written.err
    settings = folder / "studio.toml"
    escaped = "\\u001b]0;owned\\u0007 \\u202eegdeL"
    text = settings.read_text("utf-8").replace("The Salt Ledger", f"The Salt Ledger {escaped}")
    settings.write_text(text, "utf-8")
    chapter = folder / "chapters/chapter-001.md"
    chapter.write_text(chapter.read_text("utf-8").replace("was wet", f"was {HOSTILE} dry"), "utf-8")
    return folder


def at_terminal(command: str, book: Path) -> str:
    """All that a command prints at a terminal of this novel's folder."""
    child = pexpect.spawn(
        str(PROGRAM),
        shlex.split(command),
        env={**os.environ, "TERM": "xterm", "PAGER": "cat"},
        encoding="utf-8",
        timeout=180,
        cwd=str(book),
        dimensions=(60, 200),
    )
    child.expect(pexpect.EOF)
    child.close()
    assert child.before is not None
    assert child.exitstatus == 0, child.before
    return str(child.before).replace("\r\n", "\n")


def through_a_pipe(command: str, book: Path) -> bytes:
    """What a command prints for another program."""
    words = [str(PROGRAM), *shlex.split(command)]
    return subprocess.run(words, cwd=book, capture_output=True, check=True).stdout


@pytest.mark.sweep
@pytest.mark.repairs("T21")
@pytest.mark.parametrize(
    "command",
    [
        "export -o -",
        "export -o - --format txt",
        "export -o - --format html",
        "export outline -o -",
        "authorship -o -",
    ],
)
def test_a_file_shown_at_a_terminal_moves_nothing(command: str, book: Path) -> None:  # req: S7
    screen = at_terminal(command, book)
    assert "The Salt Ledger" in screen
    assert UNSAFE.search(COLOUR.sub("", screen)) is None
    assert "\x1b[31m" not in screen  # a colour of the text's own


@pytest.mark.sweep
@pytest.mark.parametrize(
    "command",
    [
        "history show 1",
        "history diff 1",
        "history list 1",
        "find lamp",
        "replace lamp light --dry-run",
        "check 1",
        "check 1 --json",
        "context 2",
        "context 2 --full",
        "context 2 --lines",
        "plan list",
        "status",
        "config",
        "keep list",
        "directives list",
        "variations list 1",
        "continuity",
        "log list",
        f"find '{HOSTILE}'",
    ],
)
def test_no_command_passes_on_what_a_terminal_would_obey(command: str, book: Path) -> None:
    screen = at_terminal(command, book)  # req: S7
    assert screen.strip()
    assert UNSAFE.search(COLOUR.sub("", screen)) is None
    assert "\x1b[31m " not in screen  # the novel's red; ours has a word behind it


# req: S7
@pytest.mark.sweep
def test_a_pipe_gets_a_text_byte_for_byte(book: Path, tmp_path: Path) -> None:
    for form in ("md", "txt", "html"):
        studio("export", "-o", tmp_path / f"book.{form}", cwd=book)
        piped = through_a_pipe(f"export -o - --format {form}", book)
        assert piped == (tmp_path / f"book.{form}").read_bytes()
    assert HOSTILE.encode() in through_a_pipe("export -o -", book)
    studio("authorship", "-o", tmp_path / "statement.md", cwd=book)
    assert through_a_pipe("authorship -o -", book) == (tmp_path / "statement.md").read_bytes()


# req: S7
@pytest.mark.sweep
def test_a_block_of_a_prompt_is_whole_in_a_pipe_and_harmless_at_a_terminal(book: Path) -> None:
    blocks = json.loads(through_a_pipe("context 2 --json", book))["blocks"]
    block = next(block for block in blocks if HOSTILE in block["text"])
    command = f"context 2 --block {shlex.quote(block['id'])}"
    assert through_a_pipe(command, book) == f"{block['text']}\n".encode()
    assert UNSAFE.search(COLOUR.sub("", at_terminal(command, book))) is None


@pytest.mark.repairs("T21")
def test_a_version_of_a_text_comes_out_of_history_as_it_went_in(book: Path) -> None:  # req: S7
    version = through_a_pipe("history show 1", book)
    assert LINE.encode() in version
    assert version == CHAPTER.encode()
