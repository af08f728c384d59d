"""A kept text comes back into the chapter in work, and the one it replaces is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.errors import StudioError
from studio.project.history.reasons import Reason
from studio.project.history.variations import Variations
from studio.project.restore import bring_back
from studio.project.store import ProjectStore
from studio.story.chapter import sha256_of
from studio.story.checkpoint import Checkpoint
from tests.project.novels import ENGLISH, KOREAN, make_novel, put, stage

STAGED = "staging/chapters/chapter-001.md"


def with_kept(folder: Path, scene: int | None, text: str) -> ProjectStore:
    store = make_novel(folder)
    stage(store, 1, ENGLISH)
    Variations(store.layout).keep(1, scene, text, "before the redraft")
    return store


def test_a_kept_chapter_takes_the_place_of_the_staged_one(tmp_path: Path) -> None:
    store = with_kept(tmp_path, None, KOREAN)
    assert bring_back(store, 1, None, sha256_of(KOREAN)).text == KOREAN
    assert (tmp_path / STAGED).read_text("utf-8") == KOREAN
    assert Variations(store.layout).newest(1, None, Reason.BEFORE_KEPT_TEXT) == ENGLISH
    assert not (tmp_path / ".novel.lock").exists()


def test_a_kept_scene_takes_the_place_of_that_scene_alone(tmp_path: Path) -> None:
    scene = "灯塔下的雨停了。"
    store = with_kept(tmp_path, 1, scene)
    fresh = bring_back(store, 1, 1, sha256_of(scene))
    assert fresh.scene_text(1) == scene
    assert fresh.title == store.staging_of(1).text().title  # type: ignore[union-attr]
    assert Variations(store.layout).newest(1, None, Reason.BEFORE_KEPT_TEXT) == ENGLISH


def test_what_is_kept_is_listed_chapter_first_then_by_scene(tmp_path: Path) -> None:
    store = with_kept(tmp_path, 2, KOREAN)
    variations = Variations(store.layout)
    variations.keep(1, None, ENGLISH, "replaced by your own text")
    variations.keep(1, 1, "The rain stopped.", "stopped")
    assert [known.scene for known in variations.everything_of(1)] == [0, 1, 2]
    assert variations.everything_of(2) == []


def test_a_chapter_that_is_not_in_work_is_left_alone(tmp_path: Path) -> None:
    store = with_kept(tmp_path, None, KOREAN)
    store.save_checkpoint(Checkpoint(last_completed_chapter=1))
    with pytest.raises(StudioError, match="not in progress"):
        bring_back(store, 1, None, sha256_of(KOREAN))
    assert (tmp_path / STAGED).read_text("utf-8") == ENGLISH


def test_a_kept_text_that_was_changed_is_not_brought_back(tmp_path: Path) -> None:
    store = with_kept(tmp_path, None, KOREAN)
    put(tmp_path, "variations/chapter-001/chapter-01.md", "Something else.\n")
    with pytest.raises(StudioError, match=r"chapter-01\.md"):
        bring_back(store, 1, None, sha256_of(KOREAN))
    assert (tmp_path / STAGED).read_text("utf-8") == ENGLISH


def test_without_a_whole_text_or_such_a_scene_a_sentence_says_so(tmp_path: Path) -> None:
    store = with_kept(tmp_path, 9, KOREAN)
    with pytest.raises(StudioError, match="no scene 9"):
        bring_back(store, 1, 9, sha256_of(KOREAN))
    with pytest.raises(StudioError, match="not kept any more"):
        bring_back(store, 1, None, "0" * 64)
    (tmp_path / STAGED).unlink()
    with pytest.raises(StudioError, match="no whole text yet"):
        bring_back(store, 1, 9, sha256_of(KOREAN))
