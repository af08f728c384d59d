"""Staging: what is replaced or given up goes to history first."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.errors import StudioError
from studio.fsio import sha256_hex
from studio.project.staging import staged_files, staged_storylines
from studio.project.store import ProjectStore
from studio.story.chapter import Chapter
from tests.project.novels import CHINESE, ENGLISH, KOREAN, make_novel, stage


@pytest.fixture
def store(tmp_path: Path) -> ProjectStore:
    return make_novel(tmp_path)


def test_what_is_staged_is_read_back(store: ProjectStore) -> None:
    stage(store, 2, KOREAN)
    staging, sha = store.staging_of(2), Chapter(KOREAN).sha256
    assert staging.exact_text() == Chapter(KOREAN)
    assert staging.scene(1) == "A first try at the scene.\n"
    assert staged_storylines(store.root) == ["main"]
    for part in (staging.delta(), staging.crossref(), staging.evaluation()):
        assert part is not None
        assert part.source_sha256 == sha
    assert store.staging_of(3).exact_text() is None


# req: N1
def test_a_replaced_draft_is_kept_in_history(store: ProjectStore) -> None:
    store.staging_of(1).put_text(KOREAN)
    store.staging_of(1).put_text(CHINESE)
    store.staging_of(1).put_scene(1, "눈이 내렸다.")
    store.staging_of(1).put_scene(1, "下雪了。")
    for text in (KOREAN, "눈이 내렸다."):
        assert store.history.blob(sha256_hex(text.encode())) == text.encode()


# req: N1
def test_a_discarded_chapter_is_gone_from_staging_and_whole_in_history(
    store: ProjectStore,
) -> None:
    stage(store, 1, ENGLISH)
    store.journal.partial("gen-1", "Half a sent")
    store.staging_of(1).discard()
    assert staged_files(store.root) == []
    for text in (ENGLISH, "Half a sent", "A first try at the scene.\n"):
        assert store.history.blob(sha256_hex(text.encode())) == text.encode()


def test_clearing_one_chapter_leaves_another_in_work_alone(store: ProjectStore) -> None:
    stage(store, 5, ENGLISH)
    store.journal.partial("gen-5", "Half a sent")
    store.staging_of(3).put_summary("지난 이야기.", Chapter(KOREAN).sha256)
    before = [path for path in staged_files(store.root) if "chapter-003" not in path]
    store.staging_of(3).clear()
    assert staged_files(store.root) == before


def test_text_with_half_a_character_is_refused(store: ProjectStore) -> None:
    with pytest.raises(StudioError, match="half a character at position 4"):
        store.staging_of(1).put_text("Mara\ud800")
    assert staged_files(store.root) == []
