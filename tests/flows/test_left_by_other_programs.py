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


@pytest.mark.sampled
@pytest.mark.parametrize("path", MERGED)
def test_an_open_merge_is_named_by_verify(path: str, tmp_path: Path) -> None:
    folder = tmp_path / "novel"
    planned_book_with_people(folder)
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).write_text(MERGE, "utf-8")
    looked = studio("verify", "--project", folder)
    assert looked.code == 5
    assert f"{path} holds conflict markers" in looked.out


@pytest.mark.sampled
@pytest.mark.parametrize("path", COPIES)
def test_a_copy_of_a_sync_program_is_named_and_read_as_nothing(path: str, tmp_path: Path) -> None:
    folder = tmp_path / "novel"
    planned_book_with_people(folder)
    before = ProjectStore(folder).world_paths(), sorted(ProjectStore(folder).characters())
    (folder / path).write_text("{}", "utf-8")
    looked, stands = studio("verify", "--project", folder), studio("status", "--project", folder)
    assert (looked.code, path in looked.out, path in stands.err) == (5, True, True), stands
    assert before == (ProjectStore(folder).world_paths(), sorted(ProjectStore(folder).characters()))


@pytest.mark.sampled
@pytest.mark.parametrize("language", ["en", "ko", "zh"])
def test_what_reads_an_entry_names_the_file_that_is_nobodys(
    language: str, tmp_path: Path
) -> None:  # req: K6
    folder, draft = tmp_path / "novel", tmp_path / "own.md"
    studio("new", folder, "--title", "Salt", "--language", language)
    copy = "joss (Mara's conflicted copy 2026-11-20).md"
    for name in ("joss.md", copy):
        (folder / "characters/active" / name).write_text("---\nname: Joss\n---\n\nA carter.\n")
    draft.write_text("# Salt\n\nThe ferry came in late.\n", "utf-8")
    answers = [
        studio("bible", "list", cwd=folder),
        studio("bible", "show", "joss", cwd=folder),
        studio("bible", "list", "--json", cwd=folder),
        studio("write", "--draft", draft, cwd=folder),
        studio("resume", "--json", cwd=folder),
    ]
    assert [ended.code for ended in answers] == [0, 0, 0, 4, 4]
    assert [ended.err.count(copy) for ended in answers] == [1] * 5, [ended.err for ended in answers]
    assert copy not in answers[0].out + answers[2].out
    assert answers[0].out.count("Joss") == 1


def test_status_names_an_open_merge_in_the_outline(tmp_path: Path) -> None:
    folder = tmp_path / "novel"
    planned_book_with_people(folder)
    (folder / "volumes/vol-01/outline.md").write_text(MERGE, "utf-8")
    assert "conflict markers" in studio("status", "--project", folder).err


@pytest.mark.sampled
@pytest.mark.repairs("T29")
@pytest.mark.parametrize("path", ["history/log.jsonl", "logs/usage.jsonl"])
def test_repair_keeps_the_lines_of_both_sides_of_a_log_in_which_a_merge_is_open(
    path: str, tmp_path: Path
) -> None:
    folder = tmp_path / "novel"
    planned_book_with_people(folder)
    log = folder / path
    log.parent.mkdir(exist_ok=True)
    before = log.read_text("utf-8") if log.exists() else ""
    sides = '<<<<<<< HEAD\n{"a": 1}\n||||||| base\n=======\n{"b": 2}\n{"a": 1}\n>>>>>>> other\n'
    log.write_text(before + sides, "utf-8")
    mended = studio("repair", "--project", folder)
    assert log.read_text("utf-8").startswith(before + '{"a": 1}\n{"b": 2}\n'), mended
    assert "<<<<<<<" not in log.read_text("utf-8")
    quarantine = folder / "history/quarantine"
    assert any("<<<<<<<" in file.read_text("utf-8") for file in quarantine.iterdir())


def test_repair_keeps_the_chapters_of_both_sides_of_a_changelog_in_which_a_merge_is_open(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "novel"
    planned_book_with_people(folder)
    log = folder / "state/changelog.jsonl"
    first, second = log.read_text("utf-8").splitlines(keepends=True)
    log.write_text(f"<<<<<<< HEAD\n{first}=======\n{second}>>>>>>> other\n", "utf-8")
    assert "changelog.jsonl" in studio("status", "--project", folder).err
    studio("repair", "--project", folder)
    assert log.read_text("utf-8").count("<<<<<<<") == 0
    assert [entry.chapter for entry in ProjectStore(folder).changelog().entries] == [1, 2]


@pytest.mark.repairs("T29")
def test_status_says_which_file_of_the_plan_is_damaged(tmp_path: Path) -> None:
    folder = tmp_path / "novel"
    planned_book_with_people(folder)
    (folder / "brief.md").write_text(MERGE, "utf-8")
    said = studio("status", "--project", folder)
    assert "brief.md" in said.out + said.err, said


def test_the_copy_of_a_retired_character_is_nobody(tmp_path: Path) -> None:
    folder = tmp_path / "novel"
    planned_book_with_people(folder)
    gone = folder / "characters/retired"
    gone.mkdir(parents=True, exist_ok=True)
    for name in ("josse.md", "josse.sync-conflict-20260101-120000-ABCDEFG.md"):
        (gone / name).write_text("# Josse\n", "utf-8")
    assert ProjectStore(folder).retired_people() == ["josse"]
