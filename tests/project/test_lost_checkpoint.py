"""A checkpoint that `repair` makes anew says in which volume the book is."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.project.repair import repair
from studio.project.store import ProjectStore
from tests.project.novels import CHINESE, KOREAN, commit_now, make_novel, put, stage


@pytest.fixture
def store(tmp_path: Path) -> ProjectStore:
    """A chapter in each of two volumes that are planned in their outlines."""
    store = make_novel(tmp_path / "novel")
    for volume in (1, 2):
        section = f"## Chapter {volume}: A Night\n\nMara climbs the tower.\n"
        put(store.layout.folder, f"volumes/vol-{volume:02d}/outline.md", section)
    commit_now(store, 1, KOREAN)
    commit_now(store, 2, CHINESE)
    return store


@pytest.mark.parametrize("inflight", [None, 1])
def test_the_volume_is_that_of_the_last_chapter(store: ProjectStore, inflight: int | None) -> None:
    if inflight is not None:
        stage(store, inflight, KOREAN)
    (store.layout.folder / ".checkpoint.json").unlink()
    repair(store.layout.folder)
    made = store.checkpoint()
    assert (made.current_volume, made.inflight_chapter) == (2, inflight)
