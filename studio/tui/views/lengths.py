"""Lengths of texts in words: characters in Korean and Chinese, words in English. Pure."""

from __future__ import annotations

from studio.i18n import _, ngettext


def length_words(count: int, unit: str) -> str:
    """`1 word`, `2,400 characters`; `unit` as the measures name it."""
    if unit == "words":
        return ngettext("{n:,} word", "{n:,} words", count)
    return ngettext("{n:,} character", "{n:,} characters", count)


def unit_words(unit: str) -> str:
    """The unit alone, as a sentence has it."""
    return _("words") if unit == "words" else _("characters")
