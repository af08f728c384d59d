"""Ten chapters of the book in a few lines each: what a prompt is told of chapters long past.

`summaries/era-001-010.md` is made with the tenth chapter's commit, taken from the summaries; a
model that reads tells it in its own words afterwards. It names what it was made from, and holds
while that is still so; an era whose chapters were read again since is taken from the summaries
anew wherever it is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from studio.project.files import front_matter, load
from studio.project.files.front_matter import Provenance
from studio.project.store import ProjectStore
from studio.story.chapter import sha256_of

CHAPTERS = 10
"""Chapters of an era; eras are contiguous from chapter 1."""
_LONGEST_ROW = 220
"""Characters that stand for one chapter."""
_LONGEST_ERA = CHAPTERS * _LONGEST_ROW
"""Characters of an era in a model's words: no more than the rows it takes the place of."""
_ENDS = ".!?。！？…"


class Era(NamedTuple):
    """A stretch of ten chapters and what stands for it."""

    first: int
    last: int
    text: str


def era_holding(chapter: int) -> tuple[int, int]:
    """The first and the last chapter of the era that a chapter belongs to."""
    first = (chapter - 1) // CHAPTERS * CHAPTERS + 1
    return first, first + CHAPTERS - 1


def era(store: ProjectStore, first: int) -> Era | None:
    """The era that begins with a chapter; None where no summary of it says anything.

    StudioError (exit 5) for a summary or era file that cannot be read.
    """
    last = first + CHAPTERS - 1
    summaries = _summaries(store, first, last)
    path = store.layout.era(first, last)
    if (text := load.text(store.root, path)) is not None:
        origin = front_matter.provenance(text, path)
        if origin is not None and origin.source_sha256 == _sha(summaries):
            return Era(first, last, front_matter.split(text, path)[1].strip())
    rows = _rows(summaries)
    return Era(first, last, rows) if rows else None


def era_file(store: ProjectStore, chapter: int, summary: str) -> tuple[str, bytes] | None:
    """Path and bytes of the era that is whole once `chapter` is in the book with this summary;
    None where other chapters of it are missing still, or nothing can be said of it."""
    first, last = era_holding(chapter)
    if chapter != last and store.root.info(store.layout.summary(last)) is None:
        return None
    summaries = store.summaries(range(first, last + 1)) | {chapter: summary}
    if len(summaries) < CHAPTERS or not (rows := _rows(summaries)):
        return None
    origin = Provenance(chapter=last, source_sha256=_sha(summaries))
    return store.layout.era(first, last), front_matter.with_provenance(origin, rows).encode()


def untold_era(store: ProjectStore, last: int) -> dict[int, str] | None:
    """The summaries of the era that ends with a chapter, while nobody has told it in words of its
    own; None where it has been, where most have no summary, or where none ends there.

    StudioError (exit 5) for a summary or era file that cannot be read.
    """
    first = last - CHAPTERS + 1
    if last < 1 or last % CHAPTERS:
        return None
    summaries = {n: text.strip() for n, text in _summaries(store, first, last).items()}
    made = era(store, first)
    if 2 * sum(map(bool, summaries.values())) < CHAPTERS or made is None:
        return None
    return summaries if made.text == _rows(summaries) else None


def told_era(
    store: ProjectStore, summaries: Mapping[int, str], words: str
) -> tuple[str, bytes] | None:
    """Path and bytes of an era in a model's words; None where they say nothing."""
    first, last = min(summaries), max(summaries)
    text = _beginning("\n".join(filter(None, map(str.strip, words.splitlines()))), _LONGEST_ERA)
    if not text:
        return None
    origin = Provenance(chapter=last, source_sha256=_sha(summaries))
    return store.layout.era(first, last), front_matter.with_provenance(origin, text).encode()


def _summaries(store: ProjectStore, first: int, last: int) -> dict[int, str]:
    """The summary of each of these chapters; empty where there is none."""
    return dict.fromkeys(range(first, last + 1), "") | store.summaries(range(first, last + 1))


def _rows(summaries: Mapping[int, str]) -> str:
    rows = [(n, _beginning(_flat(text))) for n, text in sorted(summaries.items())]
    return "\n".join(f"- {number}. {text}" for number, text in rows if text)


def _flat(text: str) -> str:
    """A summary on one line, or as much of it as a row may be cut from."""
    head = " ".join(text[: 2 * _LONGEST_ROW].split())
    return head if len(head) > _LONGEST_ROW else " ".join(text.split())


def _beginning(text: str, longest: int = _LONGEST_ROW) -> str:
    """Whole sentences while they fit, at least the beginning of the first."""
    if len(text) <= longest:
        return text
    head = text[:longest]
    end = max(head.rfind(mark) for mark in _ENDS)
    return head[: end + 1] if end > longest // 3 else f"{head.rstrip()}…"


def _sha(summaries: Mapping[int, str]) -> str:
    return sha256_of("\n\n".join(text.strip() for _, text in sorted(summaries.items())))
