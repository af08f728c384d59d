"""Whatever writes a chapter's text asks first whether it could be read again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from studio.errors import Exit, StudioError
from studio.pipeline.chapter.own_text import save_own_text
from studio.project.commit.versions import Versions
from studio.project.files import load
from studio.project.history.variations import Variations
from studio.project.lock.lock import ProjectLock
from studio.project.planning.plan_change import PlanFiles, carry
from studio.project.restore import bring_back
from studio.project.search.replacement import ReplaceOrder, preview, replace_words, undo_newest
from studio.project.store import ProjectStore
from studio.story.chapter import sha256_of
from tests.project.novels import ENGLISH, commit_now, make_novel, stage, tree

LONGER = ENGLISH + "And more, and more, and more than there is room for.\n"
IN_BOOK, WAITING = "chapters/chapter-001.md", "imports/chapter-003.md"


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ProjectStore:
    """A chapter in the book and one in work, each just as large as a chapter may be, and longer
    texts in history and among the variations."""
    made = make_novel(tmp_path / "novel")
    commit_now(made, 1, ENGLISH)
    stage(made, 2, ENGLISH)
    made.history.keep(IN_BOOK, LONGER.encode(), "edited by hand")
    Variations(made.layout).keep(2, None, LONGER, "before the redraft")
    monkeypatch.setattr(load, "LARGEST_CHAPTER", len(ENGLISH.encode()))
    return made


def waiting_draft(store: ProjectStore) -> None:
    with ProjectLock(store.layout.folder) as lock:
        draft = PlanFiles("Three chapters")
        draft.files[WAITING] = LONGER.encode()
        carry(store, lock, draft)


WORDS = ReplaceOrder("key", "key of the lamp room")
SHA, OLD_SHA = sha256_of(LONGER), sha256_of(ENGLISH)
WAYS: dict[str, tuple[int, Callable[[ProjectStore], object]]] = {
    "words that would be replaced": (1, lambda s: preview(s, WORDS)),
    "words replaced": (1, lambda s: replace_words(s, WORDS)),
    "a version brought back": (1, lambda s: Versions(s).restore(IN_BOOK, SHA)),
    "the editor, in the book": (1, lambda s: save_own_text(s, 1, LONGER, OLD_SHA, "en")),
    "the editor, in work": (2, lambda s: save_own_text(s, 2, LONGER, OLD_SHA, "en")),
    "a variation brought back": (2, lambda s: bring_back(s, 2, None, SHA)),
    "a stage of the run": (2, lambda s: s.staging_of(2).put_text(LONGER)),
    "a draft that waits": (3, waiting_draft),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_text_larger_than_any_chapter_is_refused_and_nothing_changes(
    store: ProjectStore, way: str
) -> None:
    chapter, write = WAYS[way]
    before = texts(store)
    with pytest.raises(StudioError, match=rf"^Chapter {chapter} is .* MB; a chapter has") as caught:
        write(store)
    assert caught.value.problem.exit_code == Exit.USAGE
    assert "Cut it into several chapters" in caught.value.problem.hint
    assert texts(store) == before


def test_a_replacement_that_makes_chapters_smaller_is_undone(store: ProjectStore) -> None:
    before = texts(store)
    replace_words(store, ReplaceOrder("Mara", "M"))
    undo_newest(store)
    prose = {path: sha for path, sha in texts(store).items() if path.endswith("chapter-001.md")}
    assert prose.items() <= before.items()


def texts(store: ProjectStore) -> dict[str, str]:
    """What a person writes and reads."""
    kinds = ("chapters/", "staging/", "imports/", "volumes/")
    return {p: sha for p, sha in tree(store.layout.folder).items() if p.startswith(kinds)}
