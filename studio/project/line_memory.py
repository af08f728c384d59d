"""What a storyline remembers, as of any chapter: the newest memory made before it, and what came
between.

A memory is made for one chapter and kept in history under its commit, also where the file holds
a later one; so that a chapter that is read again never hears of what happens after it (BOOK 1).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice, takewhile

from studio.project.files import front_matter, load
from studio.project.store import ProjectStore

_WORDS_OF_A_CHAPTER = 240
"""Characters of a chapter's summary that stand for it in a memory."""
_CHAPTERS = 12
"""How many chapters stand so at most, the latest ones."""


def memory_before(
    store: ProjectStore, storyline_id: str, chapter: int, chapters: Iterator[int]
) -> str:
    """What the line remembers when `chapter` begins, `chapters` being its committed ones before,
    the newest first; empty at its beginning.

    The newest memory of a chapter before, then the line's chapters since, each by the beginning
    of its summary; without any memory the summaries alone. StudioError (exit 5) for a memory or
    summary that cannot be read.
    """
    made_for, memory = _newest_before(store, storyline_id, chapter)
    since = takewhile(lambda number: number > made_for, chapters)
    return with_chapters(memory, _summaries_of_the_latest(store, since))


def memory_through(store: ProjectStore, storyline_id: str, chapter: int, memory: str) -> str:
    """A memory that was made for an earlier chapter, carried on to the line's last one."""
    newest = reversed(store.changelog().by_chapter.items())
    after = takewhile(lambda entry: entry[0] > chapter, newest)
    since = (number for number, entry in after if entry.storyline_id == storyline_id)
    return with_chapters(memory, _summaries_of_the_latest(store, since))


def with_chapters(memory: str, summaries: Mapping[int, str]) -> str:
    """A memory with one line more for each of these chapters that has a summary."""
    rows = [
        f"- Chapter {number}: {' '.join(text.split())[:_WORDS_OF_A_CHAPTER]}"
        for number, text in sorted(summaries.items())
        if text.strip()
    ]
    return "\n".join([*([memory.strip()] if memory.strip() else []), *rows[-_CHAPTERS:]])


def _summaries_of_the_latest(store: ProjectStore, chapters: Iterator[int]) -> dict[int, str]:
    """As many summaries as stand in a memory, however long the line is; the newest come first."""
    summaries: dict[int, str] = {}
    while some := list(islice(chapters, _CHAPTERS - len(summaries))):
        read = store.summaries(some)
        summaries |= {number: text for number, text in read.items() if text.strip()}
    return summaries


def remembers_later(store: ProjectStore, storyline_id: str, chapter: int) -> bool:
    """Whether the line's file holds the memory of a chapter behind this one."""
    path = store.layout.memory(storyline_id)
    text = load.text(store.root, path)
    origin = None if text is None else front_matter.provenance(text, path)
    return origin is not None and origin.chapter > chapter


def _newest_before(store: ProjectStore, storyline_id: str, chapter: int) -> tuple[int, str]:
    """The chapter the newest memory before `chapter` was made for, and its words; 0 for none."""
    path = store.layout.memory(storyline_id)
    for text in _versions(store, path):
        meta, words = front_matter.split(text, path)
        origin = front_matter.provenance(text, path) if meta else None
        if origin is None:
            # Written by hand: nobody knows what it knows, so it is the book's as it stands today.
            if chapter > store.checkpoint().last_completed_chapter:
                return chapter - 1, words
        elif origin.chapter < chapter:
            return origin.chapter, words
    return 0, ""


def _versions(store: ProjectStore, path: str) -> Iterator[str]:
    """The memory as it is, then its earlier versions, newest first; lost bytes are passed over."""
    present = load.text(store.root, path)
    if present is not None:
        yield present
    history = store.history
    for version in reversed(history.versions(path)):
        if history.has(version.sha):
            yield load.decoded(history.blob(version.sha), path)
