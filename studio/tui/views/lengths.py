"""Lengths of texts as phrases: characters in Korean and Chinese, words in English. Pure
functions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from studio.i18n import N_, _, aside, further, ngettext
from studio.story.lengths import OTHER_COUNT, Unit, length_of

_UNITS: Mapping[Unit, str] = {
    "words": N_("words"),
    "characters": N_("characters"),
    "characters with spaces": N_("characters with spaces"),
    "characters without spaces": N_("characters without spaces"),
}


def length_words(count: int, unit: Unit) -> str:
    """Returns `1 word` or `2,400 characters`; `unit` is the unit as the measures name it."""
    if unit == "words":
        return ngettext("{n:,} word", "{n:,} words", count)
    if unit == "characters":
        return ngettext("{n:,} character", "{n:,} characters", count)
    if unit == "characters with spaces":
        return ngettext("{n:,} character with spaces", "{n:,} characters with spaces", count)
    return ngettext("{n:,} character without spaces", "{n:,} characters without spaces", count)


def other_count_words(count: int | None, unit: Unit) -> str:
    """Returns `, 4,210 without spaces`, for what `unit` counts otherwise; "" for None."""
    if count is None:
        return ""
    if unit == "characters with spaces":
        return further(_("{n:,} without spaces", n=count))
    return further(_("{n:,} with spaces", n=count))


def both_counts(texts: Iterable[str], unit: Unit) -> str:
    """Returns the length of paragraphs as `4,980 characters with spaces, 4,210 without spaces`; ""
    for a novel that does not say which it counts."""
    if unit not in OTHER_COUNT:
        return ""
    paragraphs = [*texts]
    length, other = (
        sum(length_of(text, one) for text in paragraphs) for one in (unit, OTHER_COUNT[unit])
    )
    return length_words(length, unit) + other_count_words(other if other != length else None, unit)


def which_count(unit: Unit) -> str:
    """Returns which characters count, for a heading above bare numbers: ` (with spaces)`; "" for a
    novel that does not say."""
    if unit == "characters with spaces":
        return aside(_("with spaces"))
    return aside(_("without spaces")) if unit == "characters without spaces" else ""


def unit_words(unit: Unit) -> str:
    """Returns the name of the unit alone, as used inside a sentence."""
    return _(_UNITS[unit])
