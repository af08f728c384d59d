"""How a novel's chapters are called where a sentence of ours names them by number.

The sentences in the code and in the catalogues say `Chapter {n}`, `{n}장` and `第{n}章`. A novel
may have another word, `novel.chapter_word`: `Episode {n}`, `{n}화`, `第{n}回`. It is put in here
and nowhere else, before the fields are filled, so that no word of a model, a file or the author is
touched.

A chapter with a label of the author's goes by it instead of its number: `Chapter 4` in the file
chapter-005, or `프롤로그`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any

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


class ChapterNumber(int):
    """The number of a chapter in a message, which is said as the author's label of the chapter."""

    label: str

    def __new__(cls, number: int, label: str) -> ChapterNumber:
        """Makes the number of a chapter with a label."""
        new = super().__new__(cls, number)
        new.label = label
        return new

    def __str__(self) -> str:
        return self.label

    __repr__ = __str__

    def __format__(self, form: str) -> str:
        return format(self.label, form)

    def __reduce__(self) -> tuple[type[ChapterNumber], tuple[Any, ...]]:
        return ChapterNumber, (int(self), self.label)


_labels: Mapping[int, str] = {}
_FIELD = r"\{(\w+)(?:![rs])?(?::[^{}]*)?\}"
_NAMES_CHAPTER = re.compile(rf"(?<!this )[Cc]hapters? {_FIELD}(?: (?:to|and) {_FIELD})?")
"""Fields that stand for the number of a chapter."""


def label_chapters(labels: Mapping[int, str]) -> None:
    """Sets what the author calls chapters, by number: from now on messages say that instead.

    What a message says of a chapter is fixed when the message is made, so that one which is kept
    names the chapter it meant, whatever number that has later.
    """
    global _labels
    _labels = labels


def label_of(number: int) -> str:
    """Returns what the author calls a chapter; its number where she gave it no label."""
    return _labels.get(number) or str(number)


def typed_name(number: int) -> str:
    """Returns what to type for a chapter in a command: its number, or where a number may be a label
    of the author's, the name of its file."""
    return f"chapter-{number:03d}" if _labels else str(number)


def with_labels(sentence: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Returns the values of a sentence, with the author's labels for numbers of chapters. A number
    that is given as words stays a number."""
    if not _labels:
        return values
    fields = _chapter_fields(sentence) & values.keys()
    return {**values, **{name: _labelled(values[name]) for name in fields}} if fields else values


def without_noun(sentence: str, values: Mapping[str, Any]) -> str:
    """Returns a sentence, its fields not yet filled, for these values: a label without a digit,
    such as `프롤로그`, needs no word for chapter beside it, and what is to be typed names the file,
    which is never two chapters."""
    for name, value in values.items():
        if type(value) is not ChapterNumber:
            continue
        field, file = rf"(\{{{name}(?:![rs])?(?::[^{{}}]*)?\}})", f"chapter-{int(value):03d}"
        pieces = re.split(f"({_CODE})", sentence)  # what is to be typed is every second piece
        pieces[1::2] = [re.sub(field, file, code) for code in pieces[1::2]]
        sentence = "".join(pieces)
        if not any(map(str.isdigit, value.label)):
            pattern = rf"\b[Cc]hapter {field}|第{field}章|{field}장"
            sentence = re.sub(pattern, lambda m: m[m.lastindex or 0], sentence)
    return sentence


@lru_cache(maxsize=1024)
def _chapter_fields(sentence: str) -> frozenset[str]:
    return frozenset(
        name for match in _NAMES_CHAPTER.finditer(sentence) for name in match.groups() if name
    )


def _labelled(value: Any) -> Any:
    if type(value) is int and (label := _labels.get(value)):
        return ChapterNumber(value, label)
    return tuple(map(_labelled, value)) if type(value) is tuple else value
