"""Windows of chapters for a model that reads: as many together as it can compare."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from studio.errors import usage
from studio.llm.provider import Provider
from studio.messages import said
from studio.project import changelog as log
from studio.project.store import ProjectStore
from studio.story.chapter import Chapter
from studio.story.ledger import Estimate
from studio.text.safe import LONGEST_SENTENCE

MOST_CHAPTERS = 10
"""The most chapters of one window (seed E2)."""
_SHARE = 2
"""A window of chapters takes at most this fraction (1/n) of the model's context window."""


@dataclass(frozen=True, slots=True)
class ReadingPlan:
    """What a reading would ask and cost."""

    windows: tuple[tuple[int, ...], ...]
    model: str
    cost: Estimate


def chapters_to_read(
    store: ProjectStore, chapter: int | None = None, *, everything: bool = False
) -> list[int]:
    """Returns the chapters of the book that a reading covers: the last ten up to a chapter, or
    all of them."""
    committed = sorted(log.entries_that_count(store.changelog().entries))
    upto = [number for number in committed if chapter is None or number <= chapter]
    return upto if everything else upto[-MOST_CHAPTERS:]


def committed_texts(store: ProjectStore, chapters: Iterable[int]) -> dict[int, Chapter]:
    """Returns the texts of these chapters, ascending; StudioError (exit 2) if none is in the
    book."""
    committed = log.entries_that_count(store.changelog().entries)
    numbers = [n for n in sorted(set(chapters)) if n in committed]
    read = {number: store.chapter(number) for number in numbers}
    texts = {n: text for n, text in read.items() if text is not None and text.paragraphs}
    if not texts:
        raise usage(
            said("None of these chapters is in the book."), said("A model reads what is written.")
        )
    return texts


def windows_of(provider: Provider, texts: Mapping[int, Chapter]) -> tuple[tuple[int, ...], ...]:
    """Groups chapters in order, as many together as the model can compare."""
    room = provider.profile.window // _SHARE
    windows: list[tuple[int, ...]] = []
    size = 0
    for number, text in texts.items():
        tokens = provider.estimate_tokens(text.text)
        if windows and size + tokens <= room and len(windows[-1]) < MOST_CHAPTERS:
            windows[-1] = (*windows[-1], number)
            size += tokens
        else:
            windows.append((number,))
            size = tokens
    return tuple(windows)


def longest_words(language: str) -> str:
    """Returns placeholder text as long as a model's can be, in letters that cost as many tokens
    as the language's own, so that a price estimated in advance is never too low. In English one
    character in eight is a quotation mark or a dash, which costs more than a letter."""
    letters = "xxxxxxx’" if language == "en" else "가"
    return (letters * LONGEST_SENTENCE)[:LONGEST_SENTENCE]


def reach_of(window: tuple[int, ...]) -> str:
    """Formats a window: `chapter 3`, `chapters 3 to 12`."""
    first, last = window[0], window[-1]
    return (
        said("chapter {number}", number=first)
        if first == last
        else said("chapters {first} to {last}", first=first, last=last)
    )
