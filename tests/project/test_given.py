"""Files named in a command: a pipe or a device is refused at once, whoever reads it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from studio.errors import Exit, StudioError
from studio.exchange.import_.sources import read_source
from studio.project.author.author_text import read_own_draft
from studio.project.files.user_files import LARGEST, given_text

READERS = (given_text, read_own_draft, read_source)


def refusal(read: Callable[[Path], object], file: Path) -> str:
    with pytest.raises(StudioError) as caught:
        read(file)
    assert caught.value.problem.exit_code == Exit.USAGE
    assert caught.value.problem.hint
    return caught.value.problem.message


@pytest.mark.parametrize("read", READERS)
def test_a_pipe_a_device_and_a_folder_are_never_waited_for(  # req: F7
    read: Callable[[Path], object], tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "pipe")
    for file in (tmp_path / "pipe", Path("/dev/zero"), tmp_path):
        assert "is not a file" in refusal(read, file)


@pytest.mark.parametrize("read", READERS)
def test_a_file_no_chapter_can_be_is_refused_unread(
    read: Callable[[Path], object], tmp_path: Path
) -> None:
    with (tmp_path / "huge.md").open("wb") as file:
        file.truncate(LARGEST + 1)
    assert "larger than 50 MB" in refusal(read, tmp_path / "huge.md")


def test_a_draft_comes_as_it_is_and_one_without_prose_is_refused(tmp_path: Path) -> None:
    text = "# 밤\r\n\r\n비가 왔다.\n"
    (tmp_path / "밤.md").write_bytes(text.encode())
    assert read_own_draft(tmp_path / "밤.md").text == text
    (tmp_path / "empty.md").write_text("# 夜\n")
    assert "holds no prose" in refusal(read_own_draft, tmp_path / "empty.md")
