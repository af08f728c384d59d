"""Words of a text that a spelling dictionary can be asked about, and those it need not be. Pure.

Chinese has no borders between words and no such dictionary; nothing is asked there.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from functools import cached_property

_LATIN = "A-Za-zÀ-ÖØ-öø-ɏ"
_WORDS = {
    "en": re.compile(rf"(?<![\w@/])[{_LATIN}]+(?:['’][{_LATIN}]+)*(?![\w@/])"),
    "ko": re.compile(r"(?<!\w)[가-힣]+(?!\w)"),
}
"""Language to what a word of it is; foreign words in between are none."""
_POSSESSIVE = re.compile(r"'s?$", re.IGNORECASE)
_LONGEST_ENDING = 4
"""Syllables that may follow a Korean name as its particles."""


def has_spelling(language: str) -> bool:
    """Whether words of the language can be told from one another by their looks."""
    return language in _WORDS


def word_spans(text: str, language: str) -> list[tuple[int, int]]:
    """Where the words of the language begin and end; none for a language without borders."""
    pattern = _WORDS.get(language)
    return [match.span() for match in pattern.finditer(text)] if pattern else []


def plain_word(word: str) -> str:
    """A word as dictionaries spell it: with the straight apostrophe."""
    return word.replace("’", "'")


def without_possessive(word: str) -> str:
    """`Laidler` of `Laidler's`; a word of the book is learnt without it."""
    return _POSSESSIVE.sub("", plain_word(word)) or word


class KnownWords:
    """Words of this book that no dictionary has to know: its names, and what the writer taught."""

    def __init__(self, names: Iterable[str] = (), more: Collection[str] = ()) -> None:
        self._names = tuple(names)
        self._more = tuple(more)

    @cached_property
    def _words(self) -> frozenset[str]:
        parts = (word for name in self._names for word in re.split(r"[\s\-]+", plain_word(name)))
        return frozenset(w.casefold() for w in (*parts, *map(plain_word, self._more)) if w)

    @cached_property
    def _stems(self) -> tuple[str, ...]:
        """Korean words that particles are written to."""
        return tuple(word for word in self._words if re.fullmatch(r"[가-힣]{2,}", word))

    def knows(self, word: str) -> bool:
        """Whether a word is one of them, also with a possessive or with Korean particles."""
        lower = plain_word(word).casefold()
        if lower in self._words or _POSSESSIVE.sub("", lower) in self._words:
            return True
        return any(
            lower.startswith(stem) and len(lower) - len(stem) <= _LONGEST_ENDING
            for stem in self._stems
        )

    def with_word(self, word: str) -> KnownWords:
        """And this one."""
        return KnownWords(self._names, (*self._more, word))


def dictionary_for(language: str, available: Collection[str], locale: str = "") -> str | None:
    """The dictionary of a language among those that are installed: the one of the writer's own
    `locale` (as `en_GB.UTF-8`), else the usual one, else any; None for none."""
    own = locale.partition(".")[0]
    usual = {"en": ("en_US", "en_GB"), "ko": ("ko", "ko_KR")}.get(language, ())
    fitting = sorted(n for n in available if re.fullmatch(rf"{language}([_-].*)?", n))
    wanted = (*((own,) if own.startswith(language) else ()), *usual, *fitting)
    return next((name for name in wanted if name in fitting), None)
