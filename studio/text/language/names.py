"""Finding a person's name in prose: word boundaries in Latin script, particles in Korean."""

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
    """Where the earliest of the names stands in the text, or -1."""
    places = [match.start() for name in names if (match := _pattern(name).search(text))]
    return min(places, default=-1)


def mentions(text: str, name: str) -> bool:
    """Whether a text names this person by the name or an alias."""
    return _pattern(name).search(text) is not None


@lru_cache(maxsize=1024)
def _pattern(name: str) -> re.Pattern[str]:
    words = r"\s+".join(re.escape(word) for word in name.split())
    if not words:
        return re.compile(r"(?!)")
    if re.search(f"[{_HANGUL}]$", name):
        # a family name of one syllable may stand before a given name of two and more
        before = f"(?<![{_HANGUL}])" if len(name) < 2 else f"(?<![{_HANGUL}][{_HANGUL}])"
        return re.compile(before + words + _CALLED)
    if re.search("[\u3400-\u9fff]$", name):
        return re.compile(words)
    return re.compile(r"(?<![^\W_])" + words + r"(?![^\W_])")
