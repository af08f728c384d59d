"""Other line ends or a byte order mark alone are no edit of a chapter."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from studio.errors import StudioError
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


HANGUL = "# 등대\n\n비가 그치자 마라는 계단을 올랐다.\n"


def test_letters_composed_otherwise_are_no_edit_and_no_difference(tmp_path: Path) -> None:
    from studio.project.commit.new_wording import accept_edit

    folder = tmp_path / "novel"
    store = planned_book(folder)
    path = folder / CHAPTERS[0]
    path.write_text(HANGUL, "utf-8")
    with ProjectLock(folder) as lock:
        accept_edit(store, lock, 1)
    assert store.hand_edits([1]) == []
    path.write_text(unicodedata.normalize("NFD", HANGUL), "utf-8")
    assert store.hand_edits([1]) == []
    path.write_text(unicodedata.normalize("NFD", HANGUL + "끝.\n"), "utf-8")
    assert [edit.chapter for edit in store.hand_edits([1])] == [1]


def test_letters_composed_otherwise_have_one_length_and_one_diff() -> None:
    other = unicodedata.normalize("NFD", HANGUL)
    from studio.story.lengths import Unit, length_of
    from studio.text.diff import diff_to_read

    units: tuple[Unit, ...] = ("characters", "characters with spaces", "words")
    for unit in units:
        assert length_of(other, unit) == length_of(HANGUL, unit)
    assert {change.kind for change in diff_to_read(HANGUL, other, "ko")} == {"same"}


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("text", [HANGUL, "# Rain\n\nIt rained.\n", "# 灯\n\n雨停了。\n"])
def test_a_text_in_utf_16_is_called_that(encoding: str, text: str) -> None:
    from studio.project.files.load import decode

    with pytest.raises(StudioError, match="UTF-16") as refused:
        decode(text.encode(encoding), CHAPTERS[0])
    assert refused.value.problem.exit_code == 5
    assert "Save it as UTF-8" in refused.value.problem.hint


def test_a_torn_text_is_still_said_to_hold_zero_bytes() -> None:
    from studio.project.files.load import decode

    for torn in (HANGUL.encode() + bytes(40), bytes(40), HANGUL.encode()[:9] + bytes(1)):
        with pytest.raises(StudioError, match="zero bytes"):
            decode(torn, CHAPTERS[0])
