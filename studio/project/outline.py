"""The chapters' sections in a volume's outline, in the headings writers use."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from studio.story.form.numerals import numeral_value
from studio.tuples import NamedTuple

if TYPE_CHECKING:
    from studio.i18n import Language

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
HEADING = re.compile(r"^(#{1,6})[ \t]+([^\r\n]*)", re.MULTILINE)
_LEVELS = 6
_END = r"\s*(?:[:：.．、,)\]\-–—―|~]+\s*|\s+|$)(.*)$"
_FORMS = (
    r"(?i)^(?:chapter|chap\.?|ch\.?)\s*(\d{1,7})" + _END,
    r"^제?\s*(\d{1,7})\s*[장화회편]" + _END,
    r"^第\s*([0-9０-９〇零一二两三四五六七八九十百千]{1,7})\s*[章回节節话話]" + _END,
    r"^(\d{1,7})\s*(?:[:：.．、)\-–—]+\s*|$)(.*)$",
)
"""As text: `re` compiles and keeps the form a book uses, and a first frame waits for no other."""
_HEADINGS: dict[Language, tuple[str, str]] = {
    "en": ("## Chapter {}", ": "),
    "ko": ("## 제{}장", " "),
    "zh": ("## 第{}章", " "),
}
_NO_EMPHASIS = str.maketrans("", "", "*_`")


class Section(NamedTuple):
    """The part of an outline that belongs to one chapter."""

    chapter: int
    title: str
    body: str

    @property
    def text(self) -> str:
        """Both, under the chapter's number."""
        return f"{self.chapter}. {self.title}\n{self.body}".strip()


def without_notes(text: str) -> str:
    """The text without its HTML comments: those are notes to people, not to a model."""
    return _COMMENT.sub("", text).strip()


def blanked_notes(text: str) -> str:
    """The text with its HTML comments as spaces, every other character at its place."""
    return _COMMENT.sub(lambda note: " " * len(note[0]), text)


@lru_cache(maxsize=8)
def sections(outline: str) -> tuple[Section, ...]:
    """The chapters of an outline in its order, HTML comments left out.

    A section ends at the next heading of the same or a higher level. Asked again
    about the same outline it answers from memory: a chapter asks more than once.
    """
    text = without_notes(outline)
    ends = [len(text)] * _LEVELS
    """Where a section of each level would end, seen from the heading that is looked at."""
    backwards: list[Section] = []
    for heading in reversed(list(HEADING.finditer(text))):
        level = len(heading[1])
        numbered = numbered_heading(heading[2])
        if numbered is not None:
            body = text[heading.end() : ends[level - 1]].strip()
            backwards.append(Section(*numbered, body))
        ends[level - 1 :] = [heading.start()] * (_LEVELS - level + 1)
    return tuple(reversed(backwards))


def preface_of(outline: str) -> str:
    """What stands before the first chapter's heading: what the outline says of the volume."""
    text = without_notes(outline)
    first = next((h for h in HEADING.finditer(text) if numbered_heading(h[2]) is not None), None)
    return text[: first.start() if first else len(text)].strip()


def section_of(outline: str, chapter: int) -> tuple[str, str] | None:
    """Title and body of a chapter's section; None if there is none or nothing stands in it."""
    for section in sections(outline):
        if section.chapter == chapter and section.body:
            return section.title, section.body
    return None


def title_of(outline: str, chapter: int) -> str:
    """The title that a chapter's heading has, also where nothing stands under it."""
    return next((s.title for s in sections(outline) if s.chapter == chapter), "")


def with_sections(outline: str, titles: Mapping[int, str], language: Language) -> str:
    """The outline with a heading for each of these chapters that it has none for.

    A bare heading gets its title; nothing else that stands there is changed.
    """
    newline = "\r\n" if "\r\n" in outline else "\n"
    existing = {s.chapter: s for s in sections(outline)}
    headings = {number: heading_line(number, title, language) for number, title in titles.items()}
    bare = {n for n in headings if n in existing and not existing[n].title and not existing[n].body}
    outline = _with_titles(outline, {number: headings[number] for number in bare})
    missing = [heading for number, heading in headings.items() if number not in existing]
    if not missing:
        return outline
    return (newline * 2).join([outline.rstrip(), *missing]) + newline


def heading_line(number: int, title: str, language: Language) -> str:
    """The heading of a chapter's section, of the second level: `## Chapter 4: The Late Show`."""
    numbered, between = _HEADINGS[language]
    head = numbered.format(number)
    plain = " ".join(title.split()).replace("<!--", "<! --")
    is_bare = not plain or numbered_heading(plain) == (number, "")
    return head if is_bare else f"{head}{between}{plain}"


def _with_titles(outline: str, headings: Mapping[int, str]) -> str:
    """The outline with these chapters' bare headings replaced; comments are looked past."""
    visible = blanked_notes(outline)
    bare_headings, pieces, position = dict(headings), [], 0
    for line in HEADING.finditer(visible):
        number, title = numbered_heading(line[2]) or (0, "")
        if not title and number in bare_headings:
            pieces += [
                outline[position : line.start(2)],
                bare_headings.pop(number).lstrip("#").lstrip(),
            ]
            position = line.end(2)
    return "".join([*pieces, outline[position:]])


def numbered_heading(heading: str) -> tuple[int, str] | None:
    """Number and title of a chapter in a heading's words; None where it is no chapter's."""
    plain = heading.rstrip(" \t").rstrip("#").translate(_NO_EMPHASIS).strip()
    for form in _FORMS:
        match = re.match(form, plain)
        if match:
            number = _number(match[1])
            return (number, match[2].strip(" \t\u3000《》「」")) if number else None
    return None


def _number(text: str) -> int:
    """12 for `12`, `１２`, `十二` and `一二`; 0 where it is none."""
    return int(text) if text.isdecimal() else numeral_value(text) or 0
