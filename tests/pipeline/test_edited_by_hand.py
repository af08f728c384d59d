"""Text changed by hand in the app: kept, compared, never written over something unseen."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.errors import Exit, StudioError
from studio.pipeline.chapter.own_text import save_own_text
from studio.project.author.author_text import own_draft, standing_text
from studio.project.index import brought_up_to_date, written_chapters
from studio.project.store import ProjectStore
from studio.project.verify import verify
from studio.story import chapter as chapters
from studio.story.chapter import sha256_of
from studio.story.checkpoint import Checkpoint
from tests.project.novels import ENGLISH, KOREAN, make_novel, put, stage


def committed(folder: Path) -> ProjectStore:
    store = make_novel(folder)
    store.save_checkpoint(Checkpoint(last_completed_chapter=1))
    put(folder, "chapters/chapter-001.md", ENGLISH)
    return store


def test_a_chapter_that_was_not_there_is_written(tmp_path: Path) -> None:
    store = make_novel(tmp_path)
    save_own_text(store, 1, KOREAN, None, "en")
    assert (tmp_path / "chapters/chapter-001.md").read_text("utf-8") == KOREAN
    assert not (tmp_path / ".novel.lock").exists()


def test_a_novel_of_one_file_takes_one_save_after_another(tmp_path: Path) -> None:
    put(tmp_path, "studio.toml", '[novel]\ntitle = "The Lamp"\nlanguage = "en"\n')
    store = ProjectStore(tmp_path)
    first = save_own_text(store, 1, KOREAN, None, "en")
    save_own_text(store, 1, ENGLISH, first.sha256, "en")
    assert (tmp_path / "chapters/chapter-001.md").read_text("utf-8") == ENGLISH
    assert store.checkpoint().last_completed_chapter == 0


def test_the_text_before_stays_in_history(tmp_path: Path) -> None:
    store = committed(tmp_path)
    standing = standing_text(store, 1)
    assert standing is not None
    save_own_text(store, 1, KOREAN, standing.sha256, "en")
    assert store.history.blob(standing.sha256).decode() == ENGLISH
    reasons = [v.reason for v in store.history.versions("chapters/chapter-001.md")]
    assert reasons == ["before it was edited by hand", "written in the studio"]


def test_the_chapter_in_work_is_changed_in_staging(tmp_path: Path) -> None:
    store = make_novel(tmp_path)
    stage(store, 1, ENGLISH)
    standing = standing_text(store, 1)
    assert standing is not None
    save_own_text(store, 1, KOREAN, standing.sha256, "en")
    assert (tmp_path / "staging/chapters/chapter-001.md").read_text("utf-8") == KOREAN
    assert not (tmp_path / "chapters/chapter-001.md").exists()


def test_a_text_somebody_else_changed_is_not_written_over(tmp_path: Path) -> None:  # req: N4
    store = committed(tmp_path)
    with pytest.raises(StudioError, match="changed by someone else"):
        save_own_text(store, 1, KOREAN, None, "en")
    assert (tmp_path / "chapters/chapter-001.md").read_text("utf-8") == ENGLISH


def test_a_text_larger_than_a_chapter_is_refused_and_a_file_of_that_size_is_not_parsed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = committed(tmp_path)
    large = ENGLISH + "The tide went out.\n\n" * 530_000
    for save in (
        lambda: save_own_text(store, 1, large, sha256_of(ENGLISH), "en"),
        lambda: own_draft(large, "a.md"),
    ):
        with pytest.raises(
            StudioError, match=r"is 10\.6 MB; a chapter has at most 10 MB"
        ) as caught:
            save()
        assert caught.value.problem.exit_code == Exit.USAGE
    assert (tmp_path / "chapters/chapter-001.md").read_text("utf-8") == ENGLISH
    put(tmp_path, "chapters/chapter-001.md", large)
    monkeypatch.setattr(chapters, "_parse", lambda _: pytest.fail("was parsed"))
    with pytest.raises(StudioError, match=r"chapter-001\.md is 10\.6 MB; a chapter") as caught:
        store.chapter(1)
    assert caught.value.problem.exit_code == Exit.DAMAGED
    assert written_chapters(store, "words") == {}
    assert brought_up_to_date(store, "words").entries[0].length is None
    assert verify(tmp_path).is_damaged


@pytest.mark.repairs("S14")
@pytest.mark.parametrize("text", ["", "\n", "# 아홉째 밤\n\n", "# Night 9", "# 第九夜\n\n* * *\n"])
def test_no_chapter_begins_with_a_title_alone(tmp_path: Path, text: str) -> None:
    store = make_novel(tmp_path)
    with pytest.raises(StudioError, match="no words to save yet") as caught:
        save_own_text(store, 9, text, None, "en")
    assert caught.value.problem.exit_code == Exit.USAGE
    assert not (tmp_path / "chapters/chapter-009.md").exists()
