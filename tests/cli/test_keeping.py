"""`studio history backup`, `restore-backup`, `put-back` and `thin`, as a person types them."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.errors import Exit
from studio.project.history.variations import Variations
from studio.project.lock.lock import ProjectLock
from studio.project.store import ProjectStore
from studio.project.watch.plan_changes import keep_plans
from tests.cli.command import studio
from tests.cli.conftest import Typed
from tests.project.novels import CHINESE, KOREAN, commit_now, make_novel


def book(folder: Path) -> Path:
    store = make_novel(folder)
    commit_now(store, 1, KOREAN)
    commit_now(store, 2, CHINESE)
    return folder


def test_a_backup_is_made_listed_and_restored(typed: Typed, tmp_path: Path) -> None:
    novel = book(tmp_path / "novel")
    made = typed("history", "backup", "--json", "--project", novel).json
    assert made["fresh"]
    assert not typed("history", "backup", "--json", "--project", novel).json["fresh"]
    (row,) = typed("history", "backups", "--json", "--project", novel).json["backups"]
    assert row["path"] == made["path"]
    assert row["path"] in typed("history", "backups", "--project", novel).out
    into = tmp_path / "again"
    assert typed("history", "restore-backup", row["path"], into).code == Exit.DONE
    assert (into / "chapters/chapter-002.md").read_text() == CHINESE
    assert typed("verify", "--project", into).code == Exit.DONE
    assert typed("history", "restore-backup", row["path"], into).code == Exit.USAGE


# req: F13
def test_moved_chapters_are_named_by_status_and_put_back(typed: Typed, tmp_path: Path) -> None:
    novel = book(tmp_path / "novel")
    (novel / "chapters/chapter-002.md").rename(novel / "chapters/chapter-005.md")
    notice = "Chapter 2 was renamed: its text is chapters/chapter-005.md."
    assert notice in typed("status", "--project", novel).err
    done = typed("history", "put-back", "--json", "--project", novel).json["done"]
    assert done == ["Chapter 2 is back at chapters/chapter-002.md."]
    assert notice not in typed("status", "--project", novel).err


# req: U5
def test_edits_and_changed_plans_are_named_by_status(typed: Typed, tmp_path: Path) -> None:
    novel = book(tmp_path / "novel")
    (novel / "brief.md").write_text("등대의 겨울.\n")
    with ProjectLock(novel):
        keep_plans(ProjectStore(novel))
    (novel / "brief.md").write_text("등대의 여름.\n")
    (novel / "chapters/chapter-001.md").write_text(KOREAN + "\n바람이 불었다.\n")
    notices = typed("status", "--project", novel).err
    assert "Chapter 1 was changed by hand" in notices
    assert "The book: the brief was changed since it was written." in notices
    settled = typed("rebuild", "--let-stand", "--json", "--project", novel).json["settled"]
    assert settled == [{"path": "brief.md", "chapters": [1, 2]}]
    assert "the brief" not in typed("status", "--project", novel).err


# req: U5
@pytest.mark.parametrize(
    ("language", "words"), [("ko", "문체가 바뀌었습니다"), ("zh", "文风有改动")]
)
def test_a_changed_file_of_the_book_is_named_in_her_language(
    tmp_path: Path, language: str, words: str
) -> None:
    """It stood there in English, by the name of its file."""
    novel = book(tmp_path / "novel")
    (novel / "style-profile.json").write_text('{"schema_version": 1, "voice": "dry"}')
    with ProjectLock(novel):
        keep_plans(ProjectStore(novel))
    (novel / "style-profile.json").write_text('{"schema_version": 1, "voice": "plain"}')
    notices = studio("status", environ={"LC_ALL": f"{language}.UTF-8"}, cwd=novel).err
    assert words in notices
    assert "style-profile" not in notices


@pytest.mark.sweep
def test_autosaves_go_on_request_alone(typed: Typed, tmp_path: Path) -> None:
    novel = book(tmp_path / "novel")
    Variations(ProjectStore(novel).layout).keep(1, 1, "비가 그치자", "stopped")
    (path,) = typed("history", "thin", "--dry-run", "--json", "--project", novel).json["files"]
    assert (novel / path).is_file()
    assert "Dropped." in typed("history", "thin", "--project", novel).out
    assert not (novel / path).exists()
