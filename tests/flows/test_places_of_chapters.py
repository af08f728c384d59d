"""Chapters that stand at other places: put back in one step, and known for whose text they hold."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.cli.command import studio

BOOK = "# Lamp\n\nRain had stopped.\n\n# Key\n\nThere was none.\n\n# Bell\n\nIt rang twice.\n"


@pytest.fixture
def novel(tmp_path: Path) -> Path:
    """A book of three chapters."""
    folder, book = tmp_path / "novel", tmp_path / "book.txt"
    book.write_text(BOOK)
    order = ("import", book, "--into", folder, "--as", "committed", "--title", "Salt", "--yes")
    assert studio(*order).code == 0
    return folder


def chapters(novel: Path) -> list[str]:
    """What every file in chapters/ holds, by name."""
    return [path.read_text() for path in sorted((novel / "chapters").iterdir())]


@pytest.mark.sweep
@pytest.mark.crash
def test_put_back_killed_anywhere_is_all_or_nothing_after_the_next_start(novel: Path) -> None:
    written = chapters(novel)
    second, third = novel / "chapters/chapter-002.md", novel / "chapters/chapter-003.md"
    third.rename(novel / "chapters/chapter-004.md")
    second.rename(third)
    moved, spare = chapters(novel), novel.with_name("spare")
    shutil.copytree(novel, spare)
    back = ("history", "put-back", "--project", novel)
    counted = studio(*back, environ={"STUDIO_FAULT": "fsio.any:count"})
    assert chapters(novel) == written
    steps = counted.err.count("fsio.any")
    for step in sorted({round(steps * part) for part in (0.4, 0.6, 0.75, 0.9)}):
        shutil.rmtree(novel)
        shutil.copytree(spare, novel)
        assert studio(*back, environ={"STUDIO_FAULT": f"fsio.any:kill:{step}"}).code == -9
        assert studio("resume", "--project", novel).code == 0
        assert chapters(novel) in (moved, written), step
        studio(*back)
        assert chapters(novel) == written, step


def test_a_chapter_that_holds_the_text_of_another_is_named_as_that(novel: Path) -> None:
    written = chapters(novel)
    shutil.copy(novel / "chapters/chapter-001.md", novel / "chapters/chapter-003.md")
    for command in (("verify",), ("status",), ("rebuild", "--dry-run")):
        looked = studio(*command, "--project", novel)
        assert "Chapter 3 holds the text of chapter 1" in looked.out + looked.err, command
        assert "chapter-003.md was changed" not in looked.out
    assert studio("history", "put-back", "--project", novel).code == 0
    assert chapters(novel) == written
