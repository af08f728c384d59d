"""A novel made by commit 68231a98, before novels and chapters had ids: it opens and is written on.

tests/data/before-ids was made by that commit: `studio new`, `write --draft`, `plan add` three times
and `plan move 4 2`.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from pathlib import Path

import pytest

from studio.config.paths import state_dir
from studio.project.store import ProjectStore
from studio.project.unsaved import unsaved_of
from tests.cli.command import studio, tree

STORED = Path(__file__).parents[1] / "data/before-ids"
TYPED = "雨停了。비가 그쳤다."


@pytest.fixture
def novel(tmp_path: Path) -> Path:
    """The novel, in a folder of this test."""
    return Path(shutil.copytree(STORED, tmp_path / "소금길"))


def changed(novel: Path, before: dict[str, str]) -> set[str]:
    """The files that differ, without the log of the run and what only grows in history."""
    after = tree(novel)
    paths = {path for path in {*before, *after} if before.get(path) != after.get(path)}
    return {path for path in paths if not path.startswith(("history/", "logs/"))}


def test_looking_at_it_changes_nothing(novel: Path) -> None:
    before = tree(novel)
    for command in ("status", "verify", "context"):
        assert studio(command, "--project", novel).code in (0, 2)
    assert studio("verify", "--project", novel).out.startswith("All is well: 1 chapter")
    assert tree(novel) == before


def test_a_move_changes_the_plans_and_adds_the_ids(novel: Path) -> None:
    before = tree(novel)
    assert studio("plan", "move", 2, 4, "--project", novel).code == 0
    assert changed(novel, before) == {
        "volumes/vol-01/outline.md",
        "state/chapters.json",
        "state/changelog.jsonl",
        ".studio/novel-id",
        ".studio/plan-changes.json",
    }
    listed = ProjectStore(novel).chapter_list()
    assert [listed.id_of(number) for number in range(1, 5)] == ["c001", "c003", "c004", "c002"]
    assert studio("verify", "--project", novel).code == 0
    assert studio("plan", "undo", "--project", novel).code == 0
    assert not (novel / "state/chapters.json").exists()
    assert (novel / "volumes/vol-01/outline.md").read_bytes() == (
        STORED / "volumes/vol-01/outline.md"
    ).read_bytes()


def test_its_next_chapter_is_written_and_the_commit_lists_the_chapters(
    novel: Path, tmp_path: Path
) -> None:
    before = tree(novel)
    (tmp_path / "own.md").write_text("# 盐路\n\n玛拉点了灯。雨停了，码头上没有人说话。\n", "utf-8")
    order = ("write", "--draft", tmp_path / "own.md", "--review", "reject", "--project", novel)
    assert studio(*order).code == 0
    fresh = changed(novel, before)
    assert {"chapters/chapter-002.md", "state/chapters.json", ".studio/novel-id"} <= fresh
    of_the_chapter = {path for path in fresh if "chapter-002" in path}
    assert fresh - of_the_chapter == {
        *(".checkpoint.json", ".studio/novel-id", "state/chapters.json"),
        *("state/changelog.jsonl", "state/current-state.json", "storylines/main/memory.md"),
    }
    ids = {chapter.id: chapter.number for chapter in ProjectStore(novel).chapter_list().chapters}
    assert ids == {"c001": 1, "c002": 2}
    assert studio("verify", "--project", novel).code == 0


def test_text_that_was_typed_before_there_were_ids_is_offered_and_moves_along(
    novel: Path,
) -> None:
    state = state_dir(os.environ)
    by_folder = hashlib.sha256(str(novel).encode()).hexdigest()[:12]
    state.mkdir(parents=True, exist_ok=True)
    (state / f"unsaved-{by_folder}-003.md").write_text(TYPED, "utf-8")
    store = ProjectStore(novel, state)
    assert [left.text for left in unsaved_of(store, 3).left_texts()] == [TYPED]
    assert studio("plan", "move", 3, 2, "--project", novel).code == 0
    moved = ProjectStore(novel.rename(novel.with_name("盐路")), state)
    assert [left.text for left in unsaved_of(moved, 2).left_texts()] == [TYPED]
    assert unsaved_of(moved, 3).left_texts() == ()
    editor = unsaved_of(moved, 2)
    editor.take_over(editor.left_texts()[0])
    assert not (state / f"unsaved-{by_folder}-003.md").exists()
    assert [left.text for left in unsaved_of(moved, 2).left_texts()] == [TYPED]
