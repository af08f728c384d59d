"""Texts given by name."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from studio.cli.input import read_text
from studio.errors import Exit, StudioError


def refused(file: Path) -> str:
    with pytest.raises(StudioError) as caught:
        read_text(file)
    assert caught.value.problem.exit_code == Exit.USAGE
    return caught.value.problem.message


def test_a_text_is_read_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "장.md").write_bytes("# 밤\r\n\r\n비가 왔다.\n".encode())
    assert read_text(tmp_path / "장.md") == "# 밤\r\n\r\n비가 왔다.\n"


def test_the_byte_that_is_no_utf8_is_named_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "old.md").write_bytes(b"first\n" + "비".encode("cp949"))
    assert "byte 6 (line 2)" in refused(tmp_path / "old.md")


def test_zero_bytes_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "lost.md").write_bytes(b"\0" * 64)
    assert "zero bytes" in refused(tmp_path / "lost.md")


def test_a_missing_file_a_folder_and_a_pipe_are_refused_by_name(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert "There is no file" in refused(tmp_path / "nothing.md")
    assert "is not a file" in refused(tmp_path)
    assert "is not a file" in refused(tmp_path / "pipe")


def test_a_name_that_cannot_be_a_file_is_refused(tmp_path: Path) -> None:
    assert "cannot be read" in refused(tmp_path / ("x" * 300))
