"""Misspells a name by one letter, as in hurried typing."""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Iterator

from bench.contradictions.made_book import MadeBook


def slipped(name: str, book: MadeBook, chance: random.Random) -> str:
    """Returns the name with one letter exchanged: in Korean part of a
    syllable, in Chinese a character."""
    whole = "\n".join(book.texts)
    wrong = [form for form in _forms(name, book.phrases.edges) if form not in whole]
    return chance.choice(sorted(wrong))


def _forms(name: str, edges: tuple[str, ...]) -> Iterator[str]:
    """Yields every slip along the language's letter pairs; without any, some other letter."""
    parts = unicodedata.normalize("NFD", name) if "가" <= name[0] <= "힣" else name
    pairs = [(a, b) for edge in edges for a, b in ((edge[0], edge[1]), (edge[1], edge[0]))]
    made = [_put(parts, at, _jamo(b, parts[at])) for at in range(1, len(parts)) for a, b in pairs
            if _jamo(a, parts[at]) == parts[at] and _jamo(b, parts[at])]  # fmt: skip
    if not made:
        other = "o" if name.isascii() else "文"
        made = [_put(parts, at, other) for at in range(1, len(parts)) if parts[at] != other]
    yield from made


def _put(text: str, at: int, letter: str) -> str:
    return unicodedata.normalize("NFC", text[:at] + letter + text[at + 1 :])


_INITIALS = dict(
    zip("ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ", map(chr, range(0x1100, 0x1113)), strict=True)
)
_VOWELS = dict(
    zip("ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ", map(chr, range(0x1161, 0x1176)), strict=True)
)


def _jamo(letter: str, like: str) -> str:
    """Returns the syllable part that a letter represents, of the same kind as
    `like`; else the letter itself."""
    if "\u1100" <= like <= "\u1112":
        return _INITIALS.get(letter, "")
    if "\u1161" <= like <= "\u1175":
        return _VOWELS.get(letter, "")
    return letter if like < "\u11a8" or like > "\u11c2" else ""
