"""The chapters' sections in a volume's outline, in the headings writers use."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from studio.story.numerals import numeral_value

if TYPE_CHECKING:
    from studio.story.novel import Language

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_HEADING = re.compile(r"^(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$", re.MULTILINE)
_END = r"\s*(?:[:：.．、,)\]\-–—―|~]+\s*|\s+|$)(.*)$"
_FORMS = (
    re.compile(r"^(?:chapter|chap\.?|ch\.?)\s*(\d+)" + _END, re.IGNORECASE),
    re.compile(r"^제?\s*(\d+)\s*[장화회편]" + _END),
    re.compile(r"^第\s*([0-9０-９〇零一二两三四五六七八九十百千]+)\s*[章回节節话話]" + _END),
    re.compile(r"^(\d+)\s*(?:[:：.．、)\-–—]+\s*|$)(.*)$"),
)
_HEADINGS: dict[Language, tuple[str, str]] = {
    "en": ("## Chapter {}", ": "),
    "ko": ("## 제{}장", " "),
    "zh": ("## 第{}章", " "),
}
_NO_EMPHASIS = str.maketrans("", "", "*_`")


@dataclass(frozen=True, slots=True)
class Section:
    """The part of an outline that belongs to one chapter."""

    chapter: int
    title: str
    body: str


def without_notes(text: str) -> str:
    """The text without its HTML comments: those are notes to people, not to a model."""
    return _COMMENT.sub("", text).strip()


def sections(outline: str) -> list[Section]:
    """The chapters of an outline in its order, HTML comments left out.

    A section ends at the next heading of the same or a higher level.
    """
    text = without_notes(outline)
    headings = list(_HEADING.finditer(text))
    found = []
    for index, heading in enumerate(headings):
        numbered = _numbered(heading[2])
        if numbered is None:
            continue
        level = len(heading[1])
        after = (h.start() for h in headings[index + 1 :] if len(h[1]) <= level)
        body = text[heading.end() : next(after, len(text))].strip()
        found.append(Section(numbered[0], numbered[1], body))
    return found


def section_of(outline: str, chapter: int) -> tuple[str, str] | None:
    """Title and body of a chapter's section; None if there is none or nothing stands in it."""
    for section in sections(outline):
        if section.chapter == chapter and section.body:
            return section.title, section.body
    return None


def with_sections(outline: str, titles: Mapping[int, str], language: Language) -> str:
    """The outline with a heading for each of these chapters that it has none for.

    A bare heading gets its title; nothing else that stands there is changed.
    """
    newline = "\r\n" if "\r\n" in outline else "\n"
    known = {s.chapter: s for s in sections(outline)}
    for number, title in titles.items():
        heading = _heading(number, title, language)
        section = known.get(number)
        if section is None:
            outline = outline.rstrip() + newline * 2 + heading + newline
        elif not section.title and not section.body:
            outline = _titled(outline, number, heading)
    return outline


def _heading(number: int, title: str, language: Language) -> str:
    numbered, between = _HEADINGS[language]
    head = numbered.format(number)
    plain = " ".join(title.split()).replace("<!--", "<! --")
    return head if not plain or _numbered(plain) == (number, "") else f"{head}{between}{plain}"


def _titled(outline: str, number: int, heading: str) -> str:
    """The outline with the chapter's bare heading replaced; comments are looked past."""
    visible = _COMMENT.sub(lambda note: " " * len(note[0]), outline)
    for line in _HEADING.finditer(visible):
        if _numbered(line[2]) == (number, ""):
            words = heading.lstrip("#").lstrip()
            return f"{outline[: line.start(2)]}{words}{outline[line.end() :]}"
    return outline


def _numbered(heading: str) -> tuple[int, str] | None:
    plain = heading.translate(_NO_EMPHASIS).strip()
    for form in _FORMS:
        match = form.match(plain)
        if match:
            number = _number(match[1])
            return (number, match[2].strip(" \t\u3000《》「」")) if number else None
    return None


def _number(text: str) -> int:
    """12 for `12`, `１２`, `十二` and `一二`; 0 where it is none."""
    return int(text) if text.isdecimal() else numeral_value(text) or 0
