"""A storyline's memory as of any chapter: the memory of the latest chapter before it, the chapters
read again since that was made, and those behind it.

A memory is made for one chapter and kept in history under its commit, even if the file holds a
later one, so that a chapter that is read again never learns of later events (BOOK 1). The rows that
code adds are written in the language of the book.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import chain, islice, takewhile
from typing import Any

from studio.chapter_names import numbered_title
from studio.config.toml_text import parse_toml
from studio.errors import StudioError
from studio.project import layout as places
from studio.project.files import front_matter, load
from studio.project.store import ProjectStore
from studio.text.prose.answer import first_sentences

_WORDS_OF_A_CHAPTER = 240
"""The number of characters of a chapter's summary that represent it in a memory."""
_CHAPTERS = 12
"""The maximum number of chapters represented in this way, the latest ones."""
_ROWS: Mapping[str, tuple[str, str]] = {
    "en": ("- {chapter}: ", "- {chapter}, as it reads now: "),
    "ko": ("- {chapter}: ", "- {chapter}, 지금의 글: "),
    "zh": ("- {chapter}：", "- {chapter}，现在的文字："),
}
"""How the row of a chapter begins in the language of a book: of one without a memory, and of one
that was read again since the memory was made."""


def memory_before(
    store: ProjectStore, storyline_id: str, chapter: int, chapters: Iterator[int]
) -> str:
    """Returns the storyline's memory when `chapter` begins; `chapters` are its committed ones
    before, newest first. Empty at the storyline's beginning.

    It consists of the memory of the latest earlier chapter that has one, then the beginnings of the
    summaries of chapters that were read again since it was made, and of the storyline's chapters
    behind it; without any memory, of the summaries alone. Raises StudioError (exit 5) for a memory
    or summary that cannot be read.
    """
    first = list(islice(chapters, 1))
    made_for, memory, again = _latest_before(store, storyline_id, chapter, next(iter(first), 0))
    since = takewhile(lambda number: number > made_for, chain(first, chapters))
    rows = _rows(store, store.summaries(again), is_again=True)
    return _joined(memory, [*rows, *_rows(store, _summaries_of_the_latest(store, since))])


def with_chapter_read_again(store: ProjectStore, memory: str, chapter: int, summary: str) -> str:
    """Returns the memory of a later chapter with a row that says how this one reads now, which the
    memory knows from another text."""
    head = _head(_language_of(store), chapter, is_again=True)
    others = [row for row in memory.splitlines() if not row.startswith(head)]
    return _joined("\n".join(others), _rows(store, {chapter: summary}, is_again=True))


def _joined(memory: str, rows: list[str]) -> str:
    return "\n".join([*([memory.strip()] if memory.strip() else []), *rows[-_CHAPTERS:]])


def _rows(
    store: ProjectStore, summaries: Mapping[int, str], *, is_again: bool = False
) -> list[str]:
    """Returns a row for each of these chapters that has a summary, in their order."""
    language = _language_of(store) if summaries else "en"
    return [
        f"{_head(language, number, is_again=is_again)}{first_sentences(text, _WORDS_OF_A_CHAPTER)}"
        for number, text in sorted(summaries.items())
        if text.strip()
    ]


def _head(language: str, chapter: int, *, is_again: bool) -> str:
    return _ROWS[language][is_again].format(chapter=numbered_title(chapter, language))


def _language_of(store: ProjectStore) -> str:
    """Returns the language of a novel; English where its settings cannot be read."""
    novel: Any = {}
    with suppress(StudioError, ValueError, RecursionError):
        novel = parse_toml(load.exact_text(store.root, places.SETTINGS) or "").get("novel", {})
    language = str(novel.get("language", "")) if isinstance(novel, dict) else ""
    return language if language in _ROWS else "en"


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


def _latest_before(
    store: ProjectStore, storyline_id: str, chapter: int, latest: int
) -> tuple[int, str, Iterable[int]]:
    """Returns the latest chapter before `chapter` that has a memory, that memory, and the chapters
    before it that were read again since it was made; 0 and nothing for none. `latest` is the
    storyline's last one before `chapter`: no memory is of a later one."""
    path = store.layout.memory(storyline_id)
    made_for, memory, again, seen = 0, "", frozenset[int](), set[int]()
    for text in _versions(store, path):
        meta, words = front_matter.split_front_matter(text, path)
        origin = front_matter.provenance(text, path) if meta else None
        if origin is None:
            # Handwritten: its range is unknown, so it counts only after the last committed chapter.
            if chapter > store.checkpoint().last_completed_chapter:
                return chapter - 1, words, again
        elif origin.chapter < chapter:
            if origin.chapter > made_for:
                made_for, memory, again = origin.chapter, words, frozenset(seen)
            if made_for >= latest:
                break
            seen.add(origin.chapter)
    return made_for, memory, again


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
