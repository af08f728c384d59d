"""Selects the words of a text that a spelling dictionary should check. This module is pure.

Chinese has no word boundaries and no such dictionary, so none of it is checked.
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
"""Maps each language to the pattern of its words; foreign words do not match."""
_POSSESSIVE = re.compile(r"'s?$", re.IGNORECASE)
_LONGEST_ENDING = 4
"""The maximum number of syllables that particles add to a Korean name."""


def has_spelling(language: str) -> bool:
    """Whether the language has word boundaries that a spelling check needs."""
    return language in _WORDS


def word_spans(text: str, language: str) -> list[tuple[int, int]]:
    """Returns the spans of the language's words; none for a language without word boundaries."""
    pattern = _WORDS.get(language)
    return [match.span() for match in pattern.finditer(text)] if pattern else []


def plain_word(word: str) -> str:
    """Returns a word in dictionary spelling, with the straight apostrophe."""
    return word.replace("’", "'")


def without_possessive(word: str) -> str:
    """Returns `Laidler` for `Laidler's`, the form in which the book's words are learned."""
    return _POSSESSIVE.sub("", plain_word(word)) or word


class KnownWords:
    """Words of this book that no dictionary has to know: its names, and those the writer added."""

    def __init__(self, names: Iterable[str] = (), more: Collection[str] = ()) -> None:
        self._names = tuple(names)
        self._more = tuple(more)

    @cached_property
    def _words(self) -> frozenset[str]:
        parts = (word for name in self._names for word in re.split(r"[\s\-]+", plain_word(name)))
        return frozenset(w.casefold() for w in (*parts, *map(plain_word, self._more)) if w)

    @cached_property
    def _stems(self) -> tuple[str, ...]:
        """Korean words to which particles may be attached."""
        return tuple(word for word in self._words if re.fullmatch(r"[가-힣]{2,}", word))

    def knows(self, word: str) -> bool:
        """Whether a word is known, also with a possessive or with Korean particles."""
        lower = plain_word(word).casefold()
        if lower in self._words or _POSSESSIVE.sub("", lower) in self._words:
            return True
        return any(
            lower.startswith(stem) and len(lower) - len(stem) <= _LONGEST_ENDING
            for stem in self._stems
        )

    def with_word(self, word: str) -> KnownWords:
        """Returns a copy with this word added."""
        return KnownWords(self._names, (*self._more, word))


def dictionary_for(language: str, available: Collection[str], locale: str = "") -> str | None:
    """Returns a language's installed dictionary: the one of the writer's `locale` (as
    `en_GB.UTF-8`), else the usual one, else any; None if there is none."""
    own = locale.partition(".")[0]
    usual = {"en": ("en_US", "en_GB"), "ko": ("ko", "ko_KR")}.get(language, ())
    fitting = sorted(n for n in available if re.fullmatch(rf"{language}([_-].*)?", n))
    wanted = (*((own,) if own.startswith(language) else ()), *usual, *fitting)
    return next((name for name in wanted if name in fitting), None)
