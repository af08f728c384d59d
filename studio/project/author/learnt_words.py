"""The words the writer adds to her novel's spelling dictionary."""

from __future__ import annotations

from studio.project import layout as places
from studio.project.author.replace import replace
from studio.project.history.reasons import Reason
from studio.project.lock.lock import ProjectLock
from studio.project.store import ProjectStore
from studio.story.form.document import to_bytes


def learn_word(store: ProjectStore, word: str) -> None:
    """Adds a word; history keeps the previous list. Raises StudioError (exit 3) if the novel is
    locked."""
    with ProjectLock(store.layout.folder):
        words = store.spelling_words()
        if word not in words.words:
            replace(store, places.SPELLING, to_bytes(words.with_word(word)), Reason.WORD_LEARNT)
