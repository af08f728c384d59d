"""Conflict markers and the copies of sync programs are damage, named wherever they stand."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.project.store import ProjectStore
from tests.cli.command import studio
from tests.project.plans import planned_book_with_people

MERGE = "<<<<<<< HEAD\nMara stays.\n=======\n마라는 떠난다.\n>>>>>>> other\n"
MERGED = ("brief.md", "volumes/vol-01/outline.md", "world/places/lamp.md", "logs/usage.jsonl")
COPIES = (
    "world/places/lamp.sync-conflict-20260101-120000-ABCDEFG.md",
    "world/places/lamp (Ana's conflicted copy 2026-01-01).md",
    "characters/active/mara (김미라의 충돌하는 사본).json",
    "chapters/chapter-001 (安娜的冲突副本 2026-01-01).md",
)


@pytest.mark.parametrize("path", MERGED)
def test_an_open_merge_is_named_by_verify(path: str, tmp_path: Path) -> None:
    folder = tmp_path / "novel"
    planned_book_with_people(folder)
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).write_text(MERGE, "utf-8")
    looked = studio("verify", "--project", folder)
    assert looked.code == 5
    assert f"{path} holds conflict markers" in looked.out


@pytest.mark.parametrize("path", COPIES)
def test_a_copy_of_a_sync_program_is_named_and_read_as_nothing(path: str, tmp_path: Path) -> None:
    folder = tmp_path / "novel"
    planned_book_with_people(folder)
    before = ProjectStore(folder).world_paths(), sorted(ProjectStore(folder).characters())
    (folder / path).write_text("{}", "utf-8")
    looked, stands = studio("verify", "--project", folder), studio("status", "--project", folder)
    assert (looked.code, path in looked.out, path in stands.err) == (5, True, True), stands
    assert before == (ProjectStore(folder).world_paths(), sorted(ProjectStore(folder).characters()))


def test_status_names_an_open_merge_in_the_outline(tmp_path: Path) -> None:
    folder = tmp_path / "novel"
    planned_book_with_people(folder)
    (folder / "volumes/vol-01/outline.md").write_text(MERGE, "utf-8")
    assert "conflict markers" in studio("status", "--project", folder).err
