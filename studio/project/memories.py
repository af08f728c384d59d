"""The book's memories of chapters long past: its eras, ten chapters condensed to a few lines each,
and the memory of each storyline as of any chapter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import chain, islice, takewhile
from typing import Any, NamedTuple

from studio.chapter_names import numbered_title
from studio.config.toml_text import parse_toml
from studio.errors import StudioError
from studio.project import layout as places
from studio.project.files import front_matter, load
from studio.project.files.front_matter import Provenance
from studio.project.store import ProjectStore
from studio.story.chapter import sha256_of
from studio.text.prose.answer import first_sentences

CHAPTERS = 10
"""The number of chapters in an era; eras are contiguous from chapter 1."""
_LONGEST_ROW = 220
"""The maximum number of characters for one chapter."""
_LONGEST_ERA = CHAPTERS * _LONGEST_ROW
"""The maximum number of characters of an era in a model's words: as many as the rows it
replaces."""
_ENDS = ".!?。！？…"


class Era(NamedTuple):
    """A stretch of ten chapters and the text that stands for it."""

    first: int
    last: int
    text: str


def era_holding(chapter: int) -> tuple[int, int]:
    """Returns the first and the last chapter of the era that contains a chapter."""
    first = (chapter - 1) // CHAPTERS * CHAPTERS + 1
    return first, first + CHAPTERS - 1


def era(store: ProjectStore, first: int) -> Era | None:
    """Returns the era that begins with a chapter; None if its summaries are all empty.

    Raises StudioError (exit 5) for a summary or era file that cannot be read.
    """
    last = first + CHAPTERS - 1
    summaries = _summaries(store, first, last)
    path = store.layout.era(first, last)
    if (text := load.text(store.root, path)) is not None:
        origin = front_matter.provenance(text, path)
        if origin is not None and origin.source_sha256 == _sha(summaries):
            return Era(first, last, front_matter.split_front_matter(text, path)[1].strip())
    rows = _rows_of_era(summaries)
    return Era(first, last, rows) if rows else None


def era_file(store: ProjectStore, chapter: int, summary: str) -> tuple[str, bytes] | None:
    """Returns path and bytes of the era that becomes complete when `chapter` enters the book with
    this summary; None if other chapters of it are missing, or its summaries are empty."""
    first, last = era_holding(chapter)
    if chapter != last and store.root.info(store.layout.summary(last)) is None:
        return None
    summaries = store.summaries(range(first, last + 1)) | {chapter: summary}
    if len(summaries) < CHAPTERS or not (rows := _rows_of_era(summaries)):
        return None
    origin = Provenance(chapter=last, source_sha256=_sha(summaries))
    return store.layout.era(first, last), front_matter.with_provenance(origin, rows).encode()


def untold_era(store: ProjectStore, last: int) -> dict[int, str] | None:
    """Returns the summaries of the era that ends with a chapter if no model has rewritten it yet;
    None if one has, if most chapters have no summary, or if no era ends there.

    Raises StudioError (exit 5) for a summary or era file that cannot be read.
    """
    first = last - CHAPTERS + 1
    if last < 1 or last % CHAPTERS:
        return None
    summaries = {n: text.strip() for n, text in _summaries(store, first, last).items()}
    made = era(store, first)
    if 2 * sum(map(bool, summaries.values())) < CHAPTERS or made is None:
        return None
    return summaries if made.text == _rows_of_era(summaries) else None


def told_era(
    store: ProjectStore, summaries: Mapping[int, str], words: str
) -> tuple[str, bytes] | None:
    """Returns path and bytes of an era in a model's words; None if they are empty."""
    first, last = min(summaries), max(summaries)
    text = _head_of_row("\n".join(filter(None, map(str.strip, words.splitlines()))), _LONGEST_ERA)
    if not text:
        return None
    origin = Provenance(chapter=last, source_sha256=_sha(summaries))
    return store.layout.era(first, last), front_matter.with_provenance(origin, text).encode()


def _summaries(store: ProjectStore, first: int, last: int) -> dict[int, str]:
    """Returns the summary of each of these chapters; empty if there is none."""
    return dict.fromkeys(range(first, last + 1), "") | store.summaries(range(first, last + 1))


def _rows_of_era(summaries: Mapping[int, str]) -> str:
    rows = [(n, _head_of_row(_flat(text))) for n, text in sorted(summaries.items())]
    return "\n".join(f"{row_head(number)}{text}" for number, text in rows if text)


def row_head(chapter: int) -> str:
    """Returns how the row of a chapter begins in an era that no model has told."""
    return f"- {chapter}. "


def _flat(text: str) -> str:
    """Returns a summary on one line, or as much of it as a row may need."""
    head = " ".join(text[: 2 * _LONGEST_ROW].split())
    return head if len(head) > _LONGEST_ROW else " ".join(text.split())


def _head_of_row(text: str, longest: int = _LONGEST_ROW) -> str:
    """Returns the leading sentences that fit, or at least the beginning of the first. Not
    `first_sentences`: the rows of eras that are kept are told from a model's words by being made
    again, so they stay as they were."""
    if len(text) <= longest:
        return text
    head = text[:longest]
    end = max(head.rfind(mark) for mark in _ENDS)
    return head[: end + 1] if end > longest // 3 else f"{head.rstrip()}…"


def _sha(summaries: Mapping[int, str]) -> str:
    return sha256_of("\n\n".join(text.strip() for _, text in sorted(summaries.items())))


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
    rows = _rows_of_line(store, store.summaries(again), is_again=True)
    return _joined(memory, [*rows, *_rows_of_line(store, _summaries_of_the_latest(store, since))])


def with_chapter_read_again(store: ProjectStore, memory: str, chapter: int, summary: str) -> str:
    """Returns the memory of a later chapter with a row that says how this one reads now, which the
    memory knows from another text."""
    head = _head(_language_of(store), chapter, is_again=True)
    others = [row for row in memory.splitlines() if not row.startswith(head)]
    return _joined("\n".join(others), _rows_of_line(store, {chapter: summary}, is_again=True))


def _joined(memory: str, rows: list[str]) -> str:
    return "\n".join([*([memory.strip()] if memory.strip() else []), *rows[-_CHAPTERS:]])


def _rows_of_line(
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
            # Handwritten: its range is unknown, so it counts only after the last committed chapter,
            # and as long as no chapter has a memory that was made after it.
            if chapter > store.checkpoint().last_completed_chapter and not made_for:
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
