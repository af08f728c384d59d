"""Recognizes the ways in which writers head a chapter, in three languages and in Markdown.

A form describes what a single line looks like; whether the line is a heading is decided with the
whole text in view (`studio.exchange.import_.detect`).
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

from studio.story.form.numerals import numeral_value
from studio.text.language.numbers import TENS

Form = Literal["part", "chapter", "named", "number", "roman", "capitals", "markdown", "yours"]
"""part: `Part Two`, `第一卷`; chapter: `Chapter 3`, `제3장`, `第三章`; named: `Prologue`,
`에필로그`, `楔子`; number: `3`, `3. Title`; roman: `IV`; capitals: `THE LAMP ROOM`; markdown: any
other `# heading`; yours: what the writer's own rule matches."""

LONGEST = 80
"""The maximum length of a heading line, in characters."""

_ENGLISH = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
    *("eighteen", "nineteen"),
)
_ORDINALS = (
    *("first", "second", "third", "fourth", "fifth"),
    *("sixth", "seventh", "eighth", "ninth", "tenth"),
)
_WORDS = {word: n for n, word in enumerate(_ENGLISH, 1)}
_WORDS |= {word: n for n, word in enumerate(_ORDINALS, 1)}
_WORDS |= {word: n * 10 for n, word in enumerate(TENS, 2)}
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}

_EAST_NUMBER = "[0-9０-９]+|[〇零一二三四五六七八九十百千两兩]+"
_WORD_NUMBER = f"(?:{'|'.join(TENS)})(?:[- ](?:{'|'.join(_ENGLISH[:9])}))?|{'|'.join(_WORDS)}"
_NUMBER = rf"\d+|[ivxlc]+(?![a-z])|{_WORD_NUMBER}"
_REST = r"(?P<between>\s*[:：.．、,，)\]\-–—―|~·]+\s*|\s+|$)(?P<title>.*)$"

_PATTERNS: tuple[tuple[Form, str], ...] = (
    ("chapter", rf"(?:chapter|chap\.?|ch\.)\s*(?P<n>{_NUMBER}){_REST}"),
    ("chapter", r"(?:제\s*)?(?P<n>\d+)\s*[장화회편]" + _REST),
    ("chapter", r"제\s*(?P<n>[일이삼사오육칠팔구십백]+)\s*[장화회편]" + _REST),
    (
        "chapter",
        rf"(?:第\s*(?:{_EAST_NUMBER})\s*[卷部集]\s*)?第\s*(?P<n>{_EAST_NUMBER})\s*"
        r"[章回节節话話]" + _REST,
    ),
    ("part", rf"(?:part|book|volume|act)\s+(?P<n>{_NUMBER}){_REST}"),
    ("part", r"(?:제\s*)?(?P<n>\d+)\s*[부권막]" + _REST),
    ("part", r"제\s*(?P<n>[일이삼사오육칠팔구십]+)\s*[부권막]" + _REST),
    ("part", rf"第\s*(?P<n>{_EAST_NUMBER})\s*[卷部集幕]" + _REST),
    (
        "named",
        r"(?P<title>prologue|epilogue|interlude|foreword|preface|afterword|introduction"
        r"|프롤로그|에필로그|서장|서문|종장|막간|외전|후기|작가의\s*말|머리말|맺음말"
        r"|序章?|楔子|引子|前言|尾声|尾聲|终章|終章|后记|後記|番外篇?)"
        r"(?:\s*[:：.\-–—]\s*\S.*|\s+[0-9一二三四五六七八九十]+)?$",
    ),
    ("number", r"(?P<n>\d{1,4})(?:\s*[.):．、\-–—]+\s*(?P<title>.*)|\s*)$"),
    ("roman", r"(?P<n>[ivxlc]+)(?:\s*[.):\-–—]+\s*(?P<title>.*)|\s*)$"),
)
_FORMS = tuple((form, re.compile(p, re.IGNORECASE)) for form, p in _PATTERNS)
_MARKDOWN = re.compile(r"(#{1,6})[ \t]+")
_EMPHASIS = re.compile(r"(\*\*|__|\*|_)(.+)\1$")
_ENDS_A_SENTENCE = re.compile(r"[.!?…。！？,，;；:：][\"'”’」』)]*$")
_SENTENCES = re.compile(r"[.!?]\s")
_QUOTES = '"“”‘「『《—–-'


@dataclass(frozen=True, slots=True)
class Heading:
    """A line that may head a chapter."""

    form: Form
    line: str
    """The line without Markdown's marks."""
    number: int | None = None
    title: str = ""
    """The rest of the line without the chapter word and number."""
    level: int = 0
    """The level 1 to 6 of a Markdown heading, or 0 for a plain line."""


def heading_of(line: str, level: int = 0) -> Heading | None:
    """Returns the line as a heading, judged by its looks alone; None if it matches no form.

    `level` is given where the line below underlines it.
    """
    marks, plain = _markdown(line)
    level = marks or level
    plain = unicodedata.normalize("NFC", _bare(plain))
    if not plain or len(plain) > LONGEST or "\n" in plain:
        return None
    for form, pattern in _FORMS:
        match = pattern.match(plain)
        heading = _heading(form, match, plain, level) if match else None
        if heading:
            return heading
    if level:
        return Heading("markdown", plain, None, plain, level)
    return Heading("capitals", plain, None, plain) if _capitals(plain) else None


def is_title(line: str) -> bool:
    """Whether a line below a bare `Chapter 3` reads as its title: short, and not a sentence."""
    plain = _bare(line.strip())
    return (
        0 < len(plain) <= LONGEST // 2
        and "\n" not in plain
        and plain[0] not in _QUOTES
        and not _ENDS_A_SENTENCE.search(plain)
    )


def bare_title(line: str) -> str:
    """Returns a heading's words without Markdown's marks and emphasis."""
    return _bare(_markdown(line)[1])


def _markdown(line: str) -> tuple[int, str]:
    """Returns a heading's level, 0 for a plain line, and its words without closing marks."""
    line = line.strip()
    match = _MARKDOWN.match(line)
    if match is None:
        return 0, line
    return len(match[1]), line[match.end() :].rstrip("#").rstrip(" \t")


def _heading(form: Form, match: re.Match[str], plain: str, level: int) -> Heading | None:
    groups = match.groupdict()
    title = (groups.get("title") or "").strip(" \t\u3000《》「」『』")
    number = _value(groups["n"]) if groups.get("n") else None
    if "n" in groups and number is None:
        return None
    if form == "named":
        return Heading(form, plain, None, plain, level)
    marked_off = form in ("number", "roman") or bool((groups.get("between") or "").strip())
    if not level and title and _is_prose(form, title, marked_off):
        return None
    if form == "roman" and groups["n"] not in (groups["n"].upper(), groups["n"].lower()):
        return None
    if title.endswith(".") and not title.endswith(".."):
        title = title[:-1].rstrip()
    return Heading(form, plain, number, title, level)


def _is_prose(form: Form, title: str, marked_off: bool) -> bool:
    """Whether the text after a number continues like a sentence or like dialogue.

    A title may end in a full stop where a mark separates it from its number and it is capitalised
    like a title: `CHAPTER 1. Loomings.`
    """
    if form in ("number", "roman") and title[0] in _QUOTES:
        return True
    if not _ENDS_A_SENTENCE.search(title) or title.endswith(("?", "!", "…")):
        return False
    like_a_title = title.endswith(".") and not _SENTENCES.search(title) and _capitalised(title)
    return not (marked_off and like_a_title)


def _capitalised(title: str) -> bool:
    """Whether the words are few and every longer one begins with a capital."""
    words = [word for word in re.split(r"[\s-]+", title) if len(word) > 4 or word == title]
    return len(title.split()) <= 10 and all(not word[0].islower() for word in words)


def _bare(text: str) -> str:
    match = _EMPHASIS.match(text)
    return (match[2] if match else text).strip()


def _capitals(plain: str) -> bool:
    letters = [c for c in plain if c.isalpha()]
    cased = all(c.isupper() for c in letters)
    return (
        len(letters) >= 2
        and cased
        and len(plain) <= LONGEST // 2 + 20
        and plain[0] not in _QUOTES
        and not _ENDS_A_SENTENCE.search(plain)
    )


def _value(text: str) -> int | None:
    """Returns 12 for `12`, `１２`, `twelve`, `XII`, `십이`, `十二` and `一二`;
    None if `text` is not a number."""
    plain = unicodedata.normalize("NFKC", text).strip().lower()
    if plain.isdecimal():
        return int(plain)
    words = re.split(r"[- ]", plain)
    if all(word in _WORDS for word in words):
        return sum(_WORDS[word] for word in words)
    if plain.isascii():
        return _roman(plain)
    return numeral_value(plain)


def _roman(text: str) -> int | None:
    """Returns the value of a well-formed Roman numeral; `mix` and `civil` count as words."""
    if not re.fullmatch(r"c{0,3}(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})", text) or not text:
        return None
    values = [_ROMAN[c] for c in text]
    following = [*values[1:], 0]
    return sum(
        -v if v < following_value else v
        for v, following_value in zip(values, following, strict=True)
    )
