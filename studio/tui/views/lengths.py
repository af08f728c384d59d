"""Lengths of texts as phrases: characters in Korean and Chinese, words in English. Pure
functions."""

from __future__ import annotations

from studio.i18n import _, ngettext


def length_words(count: int, unit: str) -> str:
    """Returns `1 word` or `2,400 characters`; `unit` is the unit as the measures name it."""
    if unit == "words":
        return ngettext("{n:,} word", "{n:,} words", count)
    return ngettext("{n:,} character", "{n:,} characters", count)


def unit_words(unit: str) -> str:
    """Returns the name of the unit alone, as used inside a sentence."""
    return _("words") if unit == "words" else _("characters")
