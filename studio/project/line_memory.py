"""A storyline's memory as of any chapter: the newest memory made before it, and the chapters
between.

A memory is made for one chapter and kept in history under its commit, even if the file holds a
later one, so that a chapter that is read again never learns of later events (BOOK 1).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice, takewhile

from studio.project.files import front_matter, load
from studio.project.store import ProjectStore
from studio.text.prose.answer import first_sentences

_WORDS_OF_A_CHAPTER = 240
"""The number of characters of a chapter's summary that represent it in a memory."""
_CHAPTERS = 12
"""The maximum number of chapters represented in this way, the latest ones."""


def memory_before(
    store: ProjectStore, storyline_id: str, chapter: int, chapters: Iterator[int]
) -> str:
    """Returns the storyline's memory when `chapter` begins; `chapters` are its committed ones
    before, newest first. Empty at the storyline's beginning.

    It consists of the newest memory of an earlier chapter, then the beginnings of the summaries of
    the storyline's chapters since; without any memory, of the summaries alone. Raises StudioError
    (exit 5) for a memory or summary that cannot be read.
    """
    made_for, memory = _newest_before(store, storyline_id, chapter)
    since = takewhile(lambda number: number > made_for, chapters)
    return with_chapters(memory, _summaries_of_the_latest(store, since))


def memory_through(store: ProjectStore, storyline_id: str, chapter: int, memory: str) -> str:
    """Extends a memory made for an earlier chapter to the storyline's last one."""
    newest = reversed(store.changelog().by_chapter.items())
    after = takewhile(lambda entry: entry[0] > chapter, newest)
    since = (number for number, entry in after if entry.storyline_id == storyline_id)
    return with_chapters(memory, _summaries_of_the_latest(store, since))


def with_chapters(memory: str, summaries: Mapping[int, str]) -> str:
    """Returns a memory with an additional line for each of these chapters that has a summary."""
    rows = [
        f"- Chapter {number}: {first_sentences(text, _WORDS_OF_A_CHAPTER)}"
        for number, text in sorted(summaries.items())
        if text.strip()
    ]
    return "\n".join([*([memory.strip()] if memory.strip() else []), *rows[-_CHAPTERS:]])


def _summaries_of_the_latest(store: ProjectStore, chapters: Iterator[int]) -> dict[int, str]:
    """Returns as many summaries as a memory holds, however long the storyline is, starting from the
    newest."""
    summaries: dict[int, str] = {}
    while some := list(islice(chapters, _CHAPTERS - len(summaries))):
        read = store.summaries(some)
        summaries |= {number: text for number, text in read.items() if text.strip()}
    return summaries


def remembers_later(store: ProjectStore, storyline_id: str, chapter: int) -> bool:
    """Whether the storyline's file holds the memory of a chapter after this one."""
    path = store.layout.memory(storyline_id)
    text = load.text(store.root, path)
    origin = None if text is None else front_matter.provenance(text, path)
    return origin is not None and origin.chapter > chapter


def _newest_before(store: ProjectStore, storyline_id: str, chapter: int) -> tuple[int, str]:
    """Returns the chapter of the newest memory before `chapter`, and its text; 0 for none."""
    path = store.layout.memory(storyline_id)
    for text in _versions(store, path):
        meta, words = front_matter.split_front_matter(text, path)
        origin = front_matter.provenance(text, path) if meta else None
        if origin is None:
            # Handwritten: its range is unknown, so it counts only after the last committed chapter.
            if chapter > store.checkpoint().last_completed_chapter:
                return chapter - 1, words
        elif origin.chapter < chapter:
            return origin.chapter, words
    return 0, ""


def _versions(store: ProjectStore, path: str) -> Iterator[str]:
    """Yields the current memory, then its earlier versions, newest first; lost bytes are
    skipped."""
    present = load.text(store.root, path)
    if present is not None:
        yield present
    history = store.history
    for version in reversed(history.versions(path)):
        if history.has(version.sha):
            yield load.decode(history.blob(version.sha), path)
