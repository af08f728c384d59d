"""How a novel's chapters are called where a sentence of ours names them by number.

The sentences in the code and in the catalogues say `Chapter {n}`, `{n}장` and `第{n}章`. A novel
may have another word, `novel.chapter_word`: `Episode {n}`, `{n}화`, `第{n}回`. It is put in here
and nowhere else, before the fields are filled, so that no word of a model, a file or the author is
touched.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

_NUMBER = r"(?:\{\w+(?:![rs])?(?::[^{}]*)?\}|\d+)"
_NUMBERS = rf"(?P<numbers>{_NUMBER}(?:(?:, | to | and |-|–|~|／|至|到|、){_NUMBER})*)"
_NAMED = {
    "en": rf"(?<!this )(?P<head>\b[Cc])hapter(?P<many>s?) {_NUMBERS}(?P<particle>)",
    "ko": rf"(?P<head>)(?P<many>){_NUMBERS}장(?P<particle>(?:으로|은|는|이|을|과)(?![가-힣])|)",
    "zh": rf"(?P<head>)(?P<many>)第{_NUMBERS}章(?P<particle>)",
}
"""How each language names a chapter by number. What follows 장 in Korean follows another word in
another form."""
_CODE = r"`[^`]*`"
"""Something to type, which stays as it is."""


def with_word(sentence: str, values: Mapping[str, object], language: str, word: str) -> str:
    """Returns a sentence of this language, its fields not yet filled, with the novel's word for
    chapters; `values` are what will fill them.

    The word stands as its own script has it: `3화`, `第3回`, `episode 3`.
    """
    if not word or language not in _NAMED:
        return sentence

    def named(match: re.Match[str]) -> str:
        if match["numbers"] is None:
            return match[0]
        name = called(match["numbers"], word, bool(match["many"]))
        if match["head"] == "C":
            name = name[0].upper() + name[1:]
        return name + _fitting(match["particle"], name.format_map(_Lenient(values)))

    return _pattern(language).sub(named, sentence)


def called(numbers: str, word: str, many: bool = False) -> str:
    """Returns the name of a chapter, or of several in one breath: `3화`, `第3至5回`."""
    if re.search("[가-힣ぁ-ヿ]", word):
        return f"{numbers}{word}"
    if re.search("[\u3400-\u9fff]", word):
        return f"第{numbers}{word}"
    return f"{word}{'s' if many and not word.endswith('s') else ''} {numbers}"


@cache
def _pattern(language: str) -> re.Pattern[str]:
    return re.compile(f"{_CODE}|{_NAMED[language]}")


def _fitting(particle: str, name: str) -> str:
    """Returns the form of a Korean particle that follows a name."""
    from studio.particles import fitting  # only Korean needs it

    return fitting(particle, name)


class _Lenient(dict[str, object]):
    """Values for a part of a sentence; a field without one stays away."""

    def __missing__(self, key: str) -> str:
        return ""
