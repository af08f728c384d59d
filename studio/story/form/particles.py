"""Korean particles that depend on the last sound of the word before them: 은/는, 이/가, 을/를.

A name that ends in a consonant takes a different form than one that ends in a vowel, so replacing a
name across a book means checking its particles.
"""

from __future__ import annotations

import re

_FIRST, _LAST = 0xAC00, 0xD7A3
_FINALS = 28
_RIEUL = 8
"""The final consonant after which 로 keeps its vowel form."""
_PAIRS = (
    ("이었", "였"),
    ("이에요", "예요"),
    ("이라", "라"),
    ("이란", "란"),
    ("이랑", "랑"),
    ("이나", "나"),
    ("이며", "며"),
    ("이면", "면"),
    ("이든", "든"),
    ("이지", "지"),
    ("이여", "여"),
    ("이다", "다"),
    ("으로", "로"),
    ("은", "는"),
    ("이", "가"),
    ("을", "를"),
    ("과", "와"),
    ("아", "야"),
)
"""Each particle in its form after a consonant, and after a vowel."""
_CLOSED = dict(_PAIRS)
_OPEN = {open_: closed for closed, open_ in _PAIRS}
_PARTICLE = re.compile(
    r"(이었|였|이에요|예요|이라|라|이란|란|이랑|랑|이나|나|이며|며|이든|든|이여|여|으로|로"
    r"|은|는|을|를|과|와|아|야)(?=도|서|고|만|는|다|면|[^가-힣]|$)"
    r"|(이|가|이다|다)(?=[^가-힣]|$)|(이면|면|이지|지)(?=서|만|요|[^가-힣]|$)"
)
_LENGTHENED = re.compile(
    r"이(?=(?:는|가|를|와|의|도|만|야|네|에게|한테|께|랑|하고|처럼|보다|까지|부터)+(?:[^가-힣]|$))"
)
"""A name that ends in a consonant, lengthened by 이 in front of a particle: 서연이가."""


def particle_after(word: str, text: str, at: int) -> tuple[str, str] | None:
    """Returns the particle at `at` and its form after `word`, where these differ.

    An 이 that lengthens a name goes where the word ends in a vowel: 서연이는, 미라는. None where no
    particle that depends on the word is there, or it fits already.
    """
    final = _final_of(word)
    if final is None:
        return None
    if _LENGTHENED.match(text, at):
        return ("이", "") if final == 0 else None
    match = _PARTICLE.match(text, at)
    if match is None:
        return None
    particle = match[1] or match[2] or match[3]
    form = fitting(particle, word)
    return None if form == particle else (particle, form)


def fitting(particle: str, word: str) -> str:
    """Returns the form of `particle` after `word`; unchanged if it has one or the word no sound."""
    final = _final_of(word)
    if final is None:
        return particle
    behind_vowel = final == 0 or (final == _RIEUL and particle in ("으로", "로"))
    return (_CLOSED if behind_vowel else _OPEN).get(particle, particle)


def _final_of(word: str) -> int | None:
    """Returns the index of the last syllable's final consonant, 0 for none; None if not Korean."""
    last = ord(word[-1]) if word else 0
    return (last - _FIRST) % _FINALS if _FIRST <= last <= _LAST else None
