"""Lengths of texts as phrases: characters in Korean and Chinese, words in English. Pure
functions."""

from __future__ import annotations

from collections.abc import Mapping

from studio.i18n import N_, _, ngettext
from studio.story.lengths import Unit

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


def unit_words(unit: Unit) -> str:
    """Returns the name of the unit alone, as used inside a sentence."""
    return _(_UNITS[unit])
