"""Two texts of one paragraph, sentence by sentence, to take some of the one and keep some of the
other."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Literal

from studio.text.language.packs import LanguagePack
from studio.text.prose.segmentation import sentences

ChosenText = Literal["both", "old", "new"]

_OPENING, _CLOSING = "“「『«", "”」』»"
_TWINS = ('"', "*")
"""Marks that open and close alike."""
_NO_LIKENESS = 0.01
"""What makes a pair of two sentences that share nothing better than none."""


@dataclass(frozen=True, slots=True)
class SentenceRow:
    """A sentence of either text, or the sentences that quotation marks hold together."""

    text: str
    side: ChosenText
    """Whose it is."""
    other: int | None = None
    """The row of the sentence that it replaces, or is replaced by; None if there is none."""


def sentence_rows(old: str, new: str, pack: LanguagePack) -> tuple[SentenceRow, ...]:
    """Returns the sentences of both texts of a paragraph in one order: those that are the same
    once, then at each place the old one before the new one. `other` counts from 0."""
    mine, theirs = pieces(old, pack), pieces(new, pack)
    matcher = SequenceMatcher(
        None, [text.strip() for text in mine], [text.strip() for text in theirs], autojunk=False
    )
    rows: list[SentenceRow] = []
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag == "equal":
            rows += [SentenceRow(text, "both") for text in mine[a:b]]
            continue
        for was, now in _pairs(mine[a:b], theirs[c:d]):
            at = len(rows)
            if was is not None:
                rows.append(SentenceRow(was, "old", at + 1 if now is not None else None))
            if now is not None:
                rows.append(SentenceRow(now, "new", at if was is not None else None))
    return tuple(rows)


def as_it_stands(rows: Sequence[SentenceRow]) -> frozenset[int]:
    """Returns the rows of the old text."""
    return frozenset(at for at, row in enumerate(rows) if row.side != "new")


def flip(rows: Sequence[SentenceRow], ticks: frozenset[int], at: int) -> frozenset[int]:
    """Takes a sentence, or leaves it out. With a new one the old one in its place goes, and comes
    back when the new one is left out; the old one can be taken beside it."""
    row = rows[at]
    if row.side == "both":
        return ticks
    ticks ^= {at}
    if row.side == "new" and row.other is not None:
        ticks = ticks - {row.other} if at in ticks else ticks | {row.other}
    return ticks


def put_together(rows: Sequence[SentenceRow], ticks: Collection[int], pack: LanguagePack) -> str:
    """Returns the paragraph of the ticked sentences; empty if there are none."""
    between = "" if pack.language == "zh" else " "
    text = ""
    for at in sorted(ticks):
        if text and not text[-1].isspace():
            text += between
        text += rows[at].text
    return text.strip()


def with_sentences(old: str, new: str, numbers: Collection[int], pack: LanguagePack) -> str:
    """Returns the old text of a paragraph with some sentences of the new one, counted from 1 as
    `pieces` has them, each in place of the one that it words anew."""
    rows = sentence_rows(old, new, pack)
    theirs = [at for at, row in enumerate(rows) if row.side != "old"]
    ticks = as_it_stands(rows)
    for number in numbers:
        ticks = flip(rows, ticks, theirs[number - 1])
    return put_together(rows, ticks, pack)


def pieces(paragraph: str, pack: LanguagePack) -> list[str]:
    """Returns the sentences with the space behind each; sentences that quotation marks or emphasis
    hold together are one piece, for half of them would leave a mark open."""
    spans = sentences(paragraph, pack)
    starts = [span.start for span in spans]
    parts: list[str] = []
    for start, end in pairwise([*starts, len(paragraph)]):
        words = paragraph[start:end]
        if parts and _is_open(parts[-1]):
            parts[-1] += words
        else:
            parts.append(words)
    return parts


def _is_open(text: str) -> bool:
    opened = sum(text.count(mark) for mark in _OPENING)
    closed = sum(text.count(mark) for mark in _CLOSING)
    return opened > closed or any(text.count(mark) % 2 for mark in _TWINS)


def _pairs(
    mine: Sequence[str], theirs: Sequence[str]
) -> Iterator[tuple[str, str] | tuple[str, None] | tuple[None, str]]:
    """Yields the sentences of a stretch that differs, in order: each with its likeliest other, as
    many pairs as there can be."""
    best = _best_likeness(mine, theirs)
    a = b = 0
    while a < len(mine) and b < len(theirs):
        if best[a][b] == best[a + 1][b]:
            yield mine[a], None
            a += 1
        elif best[a][b] == best[a][b + 1]:
            yield None, theirs[b]
            b += 1
        else:
            yield mine[a], theirs[b]
            a, b = a + 1, b + 1
    for text in mine[a:]:
        yield text, None
    for text in theirs[b:]:
        yield None, text


def _best_likeness(mine: Sequence[str], theirs: Sequence[str]) -> list[list[float]]:
    """Returns the highest sum of likenesses of pairs from each place on."""
    best = [[0.0] * (len(theirs) + 1) for _ in range(len(mine) + 1)]
    grams, others = [_grams(text) for text in mine], [_grams(text) for text in theirs]
    for a in reversed(range(len(mine))):
        for b in reversed(range(len(theirs))):
            pair = best[a + 1][b + 1] + _likeness(grams[a], others[b]) + _NO_LIKENESS
            best[a][b] = max(pair, best[a + 1][b], best[a][b + 1])
    return best


def _grams(text: str) -> frozenset[str]:
    flat = "".join(text.split()).lower()
    return frozenset(flat[at : at + 2] for at in range(len(flat) - 1))


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    return 2 * len(one & other) / (len(one) + len(other)) if one and other else 0.0
