"""Other line ends or a byte order mark alone are no edit of a chapter."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.project.lock.lock import ProjectLock
from studio.project.store import ProjectStore
from studio.project.verify import verify
from tests.cli.command import studio
from tests.project.plans import planned_book

CHAPTERS = ("chapters/chapter-001.md", "chapters/chapter-002.md")


def respelled(folder: Path) -> None:
    """The book as git checks it out on another system, and as some editors save it."""
    for path, mark in zip(CHAPTERS, (b"", b"\xef\xbb\xbf"), strict=True):
        data = (folder / path).read_bytes()
        assert b"\n" in data
        (folder / path).write_bytes(mark + data.replace(b"\n", b"\r\n"))


@pytest.mark.repairs("T29")
def test_no_command_takes_other_line_ends_for_an_edit(tmp_path: Path) -> None:
    folder = tmp_path / "novel"
    planned_book(folder)
    respelled(folder)
    assert ProjectStore(folder).hand_edits() == []
    looked = studio("verify", "--project", folder)
    assert "was changed after it was committed" not in looked.out, looked
    assert "by hand" not in studio("status", "--project", folder).out
    rebuilt = studio("rebuild", "--dry-run", "--project", folder)
    assert "edited" not in rebuilt.out + rebuilt.err, rebuilt


@pytest.mark.repairs("T29")
def test_a_word_changed_beside_the_line_ends_is_an_edit(tmp_path: Path) -> None:
    folder = tmp_path / "novel"
    planned_book(folder)
    respelled(folder)
    with (folder / CHAPTERS[1]).open("ab") as file:
        file.write("\r\n등대가 꺼졌다.\r\n".encode())
    assert [edit.chapter for edit in ProjectStore(folder).hand_edits()] == [2]


def test_the_next_run_records_the_bytes_as_they_are_and_asks_nothing(tmp_path: Path) -> None:
    from studio.pipeline.events import Emitter
    from studio.pipeline.questions.hand_edits import settle

    folder = tmp_path / "novel"
    store = planned_book(folder)
    respelled(folder)
    with ProjectLock(folder) as lock:
        assert settle(store, lock, None, [2], Emitter(lambda event: None)) == ()
    for number, path in enumerate(CHAPTERS, start=1):
        assert store.committed_sha(number) == store.root.sha(path)
    assert store.respelled_chapters([1, 2]) == ()
    assert not verify(folder).is_damaged
