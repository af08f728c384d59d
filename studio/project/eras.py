"""Eras: ten chapters of the book condensed to a few lines each, for prompts about the distant past.

`summaries/era-001-010.md` is made from the summaries in the tenth chapter's commit; later a model
that reads rewrites it in its own words. It names its sources and is valid while they are unchanged;
an era whose chapters were read again since is made from the summaries on each use.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from studio.project.files import front_matter, load
from studio.project.files.front_matter import Provenance
from studio.project.store import ProjectStore
from studio.story.chapter import sha256_of

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
    rows = _rows(summaries)
    return Era(first, last, rows) if rows else None


def era_file(store: ProjectStore, chapter: int, summary: str) -> tuple[str, bytes] | None:
    """Returns path and bytes of the era that becomes complete when `chapter` enters the book with
    this summary; None if other chapters of it are missing, or its summaries are empty."""
    first, last = era_holding(chapter)
    if chapter != last and store.root.info(store.layout.summary(last)) is None:
        return None
    summaries = store.summaries(range(first, last + 1)) | {chapter: summary}
    if len(summaries) < CHAPTERS or not (rows := _rows(summaries)):
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
    return summaries if made.text == _rows(summaries) else None


def told_era(
    store: ProjectStore, summaries: Mapping[int, str], words: str
) -> tuple[str, bytes] | None:
    """Returns path and bytes of an era in a model's words; None if they are empty."""
    first, last = min(summaries), max(summaries)
    text = _first_sentences(
        "\n".join(filter(None, map(str.strip, words.splitlines()))), _LONGEST_ERA
    )
    if not text:
        return None
    origin = Provenance(chapter=last, source_sha256=_sha(summaries))
    return store.layout.era(first, last), front_matter.with_provenance(origin, text).encode()


def _summaries(store: ProjectStore, first: int, last: int) -> dict[int, str]:
    """Returns the summary of each of these chapters; empty if there is none."""
    return dict.fromkeys(range(first, last + 1), "") | store.summaries(range(first, last + 1))


def _rows(summaries: Mapping[int, str]) -> str:
    rows = [(n, _first_sentences(_flat(text))) for n, text in sorted(summaries.items())]
    return "\n".join(f"{row_head(number)}{text}" for number, text in rows if text)


def row_head(chapter: int) -> str:
    """Returns how the row of a chapter begins in an era that no model has told."""
    return f"- {chapter}. "


def _flat(text: str) -> str:
    """Returns a summary on one line, or as much of it as a row may need."""
    head = " ".join(text[: 2 * _LONGEST_ROW].split())
    return head if len(head) > _LONGEST_ROW else " ".join(text.split())


def _first_sentences(text: str, longest: int = _LONGEST_ROW) -> str:
    """Returns the leading sentences that fit, or at least the beginning of the first."""
    if len(text) <= longest:
        return text
    head = text[:longest]
    end = max(head.rfind(mark) for mark in _ENDS)
    return head[: end + 1] if end > longest // 3 else f"{head.rstrip()}…"


def _sha(summaries: Mapping[int, str]) -> str:
    return sha256_of("\n\n".join(text.strip() for _, text in sorted(summaries.items())))
