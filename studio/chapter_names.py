"""How a novel's chapters are called, in a sentence of ours and as the title of one without a title.

The sentences in the code and in the catalogues say `Chapter {n}`, `{n}장` and `第{n}章`, or without
a number `this chapter`, `이 장` and `本章`. A novel may have another word, `novel.chapter_word`:
`Episode {n}`, `{n}화`, `第{n}回`. It is put in here and nowhere else, before the fields are filled,
so that no word of a model, a file or the author is touched.

A chapter with a label of the author's goes by it instead of its number: `Chapter 4` in the file
chapter-005, or `프롤로그`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache, lru_cache
from typing import Any

_NUMBER = r"(?:\{\w+(?:![rs])?(?::[^{}]*)?\}|\d+|(?<![A-Za-z])N(?![A-Za-z]))"
_NUMBERS = rf"(?P<numbers>{_NUMBER}(?:(?:, | to | and |-|–|~|／|至|到|、){_NUMBER})*)"
_FITTED = "으로|은|는|이나|이라|이면|이며|이|을|과"
"""Korean particles that have another form behind a vowel."""
_NAMED = {
    "en": rf"(?<!this )(?<![-/])(?P<head>\b[Cc])hapter(?P<many>s?) {_NUMBERS}(?P<particle>)",
    "ko": rf"(?P<head>)(?P<many>){_NUMBERS}장(?P<particle>(?:{_FITTED})(?![가-힣])|)",
    "zh": rf"(?P<head>)(?P<many>)第(?:(?P<spelled>[一二三四五六七八九十百]+)|{_NUMBERS})章"
    "(?P<particle>)",
}
"""How each language names a chapter by number. What follows 장 in Korean follows another word in
another form."""
_UNNUMBERED = {
    "en": r"(?:\b(?P<article>[Aa]) )?(?<![\w/.{-])(?P<noun>[Cc]hapters?)\b(?![-/.]\w|/)",
    "ko": r"(?P<counted>(?:(?<![가-힣])(?:한|두|세|네|다섯|여섯|일곱|여덟|아홉|열|몇|여러"
    r"|다음|이전|지난) |"
    r"\d |\} )?)(?<![가-힣\w}])(?P<noun>장)(?:(?P<fitted>으로|은|이나|이라|이면|이며|을|과"
    r"|이(?![가-힣]))|(?=들|마다|씩|별|의|에|도|만|까지|부터|보다|처럼|이|입니다|인지|인가요|인데"
    r"|[^가-힣]|$))",
    "zh": r"(?P<several>(?:这|那|哪)些|所有|全部|其他|前面|后面|相邻)章节?(?![号数程法])|"
    r"(?P<counted>(?:[本这该此下上前后每各某那哪几一两二三四五六七八九十整何单逐按分别多全]"
    r"|\d ?|\} ?)?)"
    r"(?<![文篇印规第])(?P<noun>章节|章)(?P<numbering>(?=[号数]))?(?![程法])",
}
"""How each language speaks of a chapter without its number. Behind a number or `next`, Korean and
Chinese count with the word itself; elsewhere they have a noun for it."""
_NOUNS = {"화": "회차", "회": "회차", "回": "章节"}
"""What is counted with a word: 3화 is the third 회차."""
_SEVERAL = {"这些": "这几", "那些": "那几", "哪些": "哪几"}
"""What stands before a word that counts in Chinese, instead of what stands before a noun."""
_HANGUL, _HAN = "[가-힣ぁ-ヿ]", "[\u3400-\u9fff]"
_CODE = r"`(?!## )[^`]*`"
"""Something to type, which stays as it is; but a heading to type has the novel's word."""

_word = ""


def call_chapters(word: str) -> None:
    """Sets what the open novel calls a chapter, its `novel.chapter_word`; "" for the language's own
    word."""
    global _word
    _word = word


@contextmanager
def chapters_called(word: str) -> Iterator[None]:
    """Calls chapters so within a `with`, for what is said of a novel that is not open."""
    before = _word
    call_chapters(word)
    try:
        yield
    finally:
        call_chapters(before)


def chapter_word() -> str:
    """Returns what the open novel calls a chapter; "" for the language's own word."""
    return _word


def with_word(sentence: str, values: Mapping[str, object], language: str, word: str) -> str:
    """Returns a sentence of this language, its fields not yet filled, with the novel's word where
    it names chapters by number; `values` are what will fill them.

    The word stands as its own script has it: `3화`, `第3回`, `episode 3`.
    """
    if not word or language not in _NAMED:
        return sentence

    def named(match: re.Match[str]) -> str:
        if language == "zh" and match["spelled"]:
            return name_chapters(match["spelled"], word)
        if match["numbers"] is None:
            return match[0]
        name = name_chapters(match["numbers"], word, bool(match["many"]))
        if match["head"] == "C":
            name = name[0].upper() + name[1:]
        return name + _form_that_fits(match["particle"], name.format_map(_Lenient(values)))

    return _pattern(language).sub(named, sentence)


@lru_cache(maxsize=4096)
def with_noun(sentence: str, language: str, word: str) -> str:
    """Returns a sentence of this language with the novel's word where it speaks of chapters without
    naming one: `이 회차`, `本回`, `this episode`. A word of another script than the sentence's does
    not fit in, and the language's own stays."""
    if not word or language not in _UNNUMBERED or not _fits(word, language):
        return sentence

    def named(match: re.Match[str]) -> str:
        if language == "zh" and (several := match["several"]):
            return f"{_SEVERAL.get(several, f'{several}各')}{word}"
        if match["noun"] == sentence and language == "zh":
            return word  # a label that is nothing but the word
        return _name_without_number(match, language, word) if match["noun"] else match[0]

    return re.sub(f"{_CODE}|{_UNNUMBERED[language]}", named, sentence)


def name_chapters(numbers: str, word: str, many: bool = False) -> str:
    """Returns the name of a chapter, or of several in one breath: `3화`, `第3至5回`."""
    if re.search(_HANGUL, word):
        return f"{numbers}{word}"
    if re.search(_HAN, word):
        return f"第{numbers}{word}"
    return f"{word}{'s' if many and not word.endswith('s') else ''} {numbers}"


_TITLES: Mapping[str, str] = {"en": "Chapter {}", "ko": "제{}장", "zh": "第{}章"}
USUAL_WORDS: Mapping[str, str] = {"ko": "화", "zh": "回", "en": "episode"}
"""What a serial calls its chapters in each language, where its author says nothing else."""


def numbered_title(chapter: int | str, language: str, word: str | None = None) -> str:
    """Returns the name of a chapter without a title in a book's language: `Chapter 7`, `제7장`,
    `第7章`, or with the book's own word (by default that of the open novel) `제7화`; of one with a
    label that says more than a number, such as `프롤로그`, the label."""
    label, word = str(chapter), _word if word is None else word
    if not any(letter.isdecimal() for letter in label):
        return label
    if not word:
        return _TITLES.get(language, _TITLES["en"]).format(label)
    name = name_chapters(label, word)
    return f"제{name}" if re.search(_HANGUL, word) else name[:1].upper() + name[1:]


def numbered_titles(chapter: int | str) -> frozenset[str]:
    """Returns every name that a chapter without a title may have been given, in any language and
    with any word."""
    words = ("", _word, *USUAL_WORDS.values())
    return frozenset(
        numbered_title(chapter, language, word) for language in _TITLES for word in words
    )


def own_title(title: str, chapter: int) -> str:
    """Returns the title of a chapter; empty where it only says which chapter it is."""
    label = label_of(chapter)
    bare = numbered_titles(chapter) | numbered_titles(label) | {label}
    return "" if title.strip() in bare else title


def _fits(word: str, language: str) -> bool:
    if language == "en":
        return word.isascii() and word.isalpha() and word != "chapter"
    return word not in ("장", "章") and bool(
        re.fullmatch(f"{_HANGUL}+" if language == "ko" else f"{_HAN}+", word)
    )


def _name_without_number(match: re.Match[str], language: str, word: str) -> str:
    if language == "en":
        head = match["noun"]
        noun = word[0].upper() + word[1:] if head[0] == "C" else word
        noun += "s" if head.endswith("s") and not word.endswith("s") else ""
        article = match["article"] or ""
        return f"{article}{'n' if article and word[0] in 'aeiouAEIOU' else ''} {noun}"[
            not article :
        ]
    if language == "zh":
        has_word = match["counted"] or match["numbering"]
        noun = word if has_word else _NOUNS.get(word, match["noun"])
        return f"{match['counted']}{noun}"
    noun = word if match["counted"] else _NOUNS.get(word, word)
    return f"{match['counted']}{noun}{_form_that_fits(match['fitted'] or '', noun)}"


@cache
def _pattern(language: str) -> re.Pattern[str]:
    return re.compile(f"{_CODE}|{_NAMED[language]}")


def _form_that_fits(particle: str, name: str) -> str:
    """Returns the form of a Korean particle that follows a name."""
    from studio.particles import form_that_fits  # only Korean needs it

    return form_that_fits(particle, name)


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
    return {**values, **{name: _with_label(values[name]) for name in fields}} if fields else values


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


def _with_label(value: Any) -> Any:
    if type(value) is int and (label := _labels.get(value)):
        return ChapterNumber(value, label)
    return tuple(map(_with_label, value)) if type(value) is tuple else value
