"""What a link in a novel, or in a folder that is brought in, leads to is never read."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from tests.cli.command import studio
from tests.exchange import own_documents as own

JPEG = b"\xff\xd8\xff\xe0 a picture of somebody's own"


@pytest.mark.repairs("T13")
@pytest.mark.parametrize("name", ["cover.jpg", "cover.jpeg", "cover.png"])
def test_a_linked_cover_is_not_followed(project: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / "private.jpg").write_bytes(JPEG if name != "cover.png" else b"\x89PNG\r\n\x1a\n")
    (project / name).symlink_to(tmp_path / "private.jpg")
    ended = studio("export", "-o", tmp_path / "book.epub", cwd=project)
    assert ended.code == 5, ended.err
    assert name in ended.err
    assert "Links inside a novel are not followed" in ended.err
    assert not (tmp_path / "book.epub").exists()


def test_a_cover_that_is_a_file_comes_along(project: Path, tmp_path: Path) -> None:
    (project / "cover.jpg").write_bytes(JPEG)
    assert studio("export", "-o", tmp_path / "book.epub", cwd=project).code == 0
    with zipfile.ZipFile(tmp_path / "book.epub") as archive:
        assert archive.read("EPUB/cover.jpg") == JPEG


def test_a_linked_list_of_texts_of_a_scrivener_project_is_not_followed(tmp_path: Path) -> None:
    scrivener = own.scrivener_project(tmp_path / "Tide.scriv", own.ENGLISH)
    (scrivener / "Tide.scrivx").rename(tmp_path / "elsewhere.scrivx")
    (scrivener / "Tide.scrivx").symlink_to(tmp_path / "elsewhere.scrivx")
    ended = studio("import", scrivener, "--into", "salt", "--dry-run", cwd=tmp_path)
    assert ended.code == 2
    assert "is a link out of" in ended.err
