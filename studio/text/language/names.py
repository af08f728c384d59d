"""Finds a person's name in prose: word boundaries in Latin script, particles in Korean."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

_HANGUL = "가-힣"
_CALLED = (
    "(?:이)?(?:씨|님|군|양|선생|아|야|여)?(?:들)?"
    "(?:이|가|은|는|을|를|의|에|에게|에게서|에게는|에게도|로|으로|와|과|도|만|까지|부터|조차|처럼|같은|보다|이나|나|"
    "하고|이며|며|랑|이랑|한테|한테서|께|께서|마저|뿐|라|라고|라는|였다|이었다|이다|다|답게|네)?"
    f"(?![{_HANGUL}])"
)


def first_mention(text: str, names: Iterable[str]) -> int:
    """Returns the offset of the earliest of the names in the text, or -1."""
    places = [match.start() for name in names if (match := _pattern(name).search(text))]
    return min(places, default=-1)


def mentions(text: str, name: str) -> bool:
    """Whether a text names this person by the name or an alias."""
    return _pattern(name).search(text) is not None


_AFTER_HANGUL = re.compile(_CALLED)
_LATIN = re.compile(r"[A-Za-z0-9\u00c0-\u024f]")


def stands_alone(text: str, start: int, end: int) -> bool:
    """Whether `text[start:end]` is a name by itself and not part of another word.

    In Korean a particle may follow, in Latin script a possessive; Chinese has no word boundaries.
    """
    return _begins(text, start, end) and _ends(text, end)


def _begins(text: str, start: int, end: int) -> bool:
    first = text[start]
    if _is_hangul(first):
        # a one-syllable family name may precede a given name of two or more syllables
        before = text[max(0, start - 2) : start]
        syllables = len(before) - len(before.rstrip(_HANGUL_SYLLABLES))
        return syllables == 0 if end - start < 2 else syllables < 2
    return not (_LATIN.match(first) and start and _LATIN.match(text[start - 1]))


def _ends(text: str, end: int) -> bool:
    last = text[end - 1]
    if _is_hangul(last):
        return _AFTER_HANGUL.match(text, end) is not None
    return not (_LATIN.match(last) and end < len(text) and _LATIN.match(text[end]))


_HANGUL_SYLLABLES = "".join(map(chr, range(0xAC00, 0xD7A4)))


def _is_hangul(char: str) -> bool:
    return "\uac00" <= char <= "\ud7a3"


@lru_cache(maxsize=1024)
def _pattern(name: str) -> re.Pattern[str]:
    words = r"\s+".join(re.escape(word) for word in name.split())
    if not words:
        return re.compile(r"(?!)")
    if re.search(f"[{_HANGUL}]$", name):
        # a one-syllable family name may precede a given name of two or more syllables
        before = f"(?<![{_HANGUL}])" if len(name) < 2 else f"(?<![{_HANGUL}][{_HANGUL}])"
        return re.compile(before + words + _CALLED)
    if re.search("[\u3400-\u9fff]$", name):
        return re.compile(words)
    return re.compile(r"(?<![^\W_])" + words + r"(?![^\W_])")
