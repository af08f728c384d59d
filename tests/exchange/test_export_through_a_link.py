"""No name leads an export onto a novel's own files."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.command import studio
from tests.faults.books import two_chapters
from tests.faults.invariants import tree


def by_link(folder: Path, place: Path) -> str:
    (place / "out").symlink_to(folder / "chapters")
    return "out/"


def by_link_above(folder: Path, place: Path) -> str:
    (place / "away").symlink_to(folder)
    return "away/chapters/"


def by_link_to_link(folder: Path, place: Path) -> str:
    (place / "one").symlink_to(folder / "chapters")
    (place / "two").symlink_to("one")
    return "two/"


def by_dots(folder: Path, place: Path) -> str:
    (place / "beside").mkdir()
    return f"beside/../{folder.name}/summaries/../chapters/"


def by_another_case(folder: Path, place: Path) -> str:
    return f"{folder.name}/CHAPTERS/"


WAYS = (by_link, by_link_above, by_link_to_link, by_dots, by_another_case)


@pytest.mark.parametrize("way", WAYS)
def test_a_folder_for_chapters_is_none_of_the_novels(
    way: Callable[[Path, Path], str], tmp_path: Path
) -> None:
    folder = two_chapters(tmp_path / "novel").layout.folder
    place = way(folder, tmp_path)
    before = tree(folder)
    done = studio("export", "--force", "-o", place, "--project", folder, cwd=tmp_path)
    assert tree(folder) == before
    assert done.code == 2, done
    assert "belongs to the novel" in done.err


@pytest.mark.repairs("T12")
def test_an_export_through_a_link_leaves_the_chapters_alone(tmp_path: Path) -> None:
    folder = two_chapters(tmp_path / "novel").layout.folder
    (tmp_path / "out").symlink_to(folder / "chapters")
    before = tree(folder)
    done = studio("export", "--force", "-o", f"{tmp_path}/out/", "--project", folder)
    assert tree(folder) == before
    assert (done.code, "belongs to the novel" in done.err) == (2, True), done


def test_a_file_that_shares_its_bytes_with_a_chapter_is_replaced_and_the_chapter_stays(
    tmp_path: Path,
) -> None:
    folder = two_chapters(tmp_path / "novel").layout.folder
    os.link(folder / "chapters/chapter-001.md", tmp_path / "book.md")
    before = tree(folder)
    done = studio("export", "--force", "-o", tmp_path / "book.md", "--project", folder)
    assert (done.code, tree(folder)) == (0, before), done
