"""Autosaves of chapters in the book go when the writer says so; nothing else ever does."""

from __future__ import annotations

from pathlib import Path

from studio.project.autosaves import autosaves, thin_out
from studio.project.history.variations import Variations
from tests.project.novels import KOREAN, commit_now, make_novel, stage, tree


def test_only_autosaves_of_committed_chapters_go(tmp_path: Path) -> None:
    store = make_novel(tmp_path / "novel")
    commit_now(store, 1, KOREAN)
    variations = Variations(store.layout)
    variations.keep(1, 1, "비가 그치자", "stopped")
    variations.keep(1, 1, "비가 그쳤다. 마라는", "replaced by your own text")
    variations.keep(1, 2, "조스가", "cut off")
    stage(store, 2, KOREAN)
    variations.keep(2, 1, "아직 쓰는 중", "stopped")
    history = tree(store.layout.folder / "history")
    saves = autosaves(store)
    assert [(a.chapter, a.scene) for a in saves] == [(1, 1), (1, 2)]
    thin_out(store, saves)
    assert autosaves(store) == []
    texts = [
        variations.text(n, v)
        for n in (1, 2)
        for k in variations.everything_of(n)
        for v in k.variations
    ]
    assert texts == ["비가 그쳤다. 마라는", "아직 쓰는 중"]
    assert tree(store.layout.folder / "history") == history


def test_a_name_is_never_given_twice(tmp_path: Path) -> None:
    store = make_novel(tmp_path / "novel")
    commit_now(store, 1, KOREAN)
    variations = Variations(store.layout)
    variations.keep(1, 1, "하나", "stopped")
    variations.keep(1, 1, "둘", "aside")
    thin_out(store, autosaves(store))
    variations.keep(1, 1, "셋", "aside")
    assert [variations.text(1, v) for v in variations.of(1, 1).variations] == ["둘", "셋"]
