"""Parses the chapters' sections in a volume's outline, recognizing the headings writers use."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from studio.chapter_names import numbered_title
from studio.story.form.numerals import value_of

if TYPE_CHECKING:
    from studio.i18n import Language

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
HEADING = re.compile(r"^(#{1,6})[ \t]+([^\r\n]*)", re.MULTILINE)
_LEVELS = 6
_END = r"\s*(?:[:：.．、,)\]\-–—―|~]+\s*|\s+|$)(.*)$"
_FORMS = (
    r"(?i)^(?:chapter|chap\.?|ch\.?|episode|ep\.?)\s*(\d{1,7})" + _END,
    r"^제?\s*(\d{1,7})\s*[장화회편]" + _END,
    r"^第\s*([0-9０-９〇零一二两三四五六七八九十百千]{1,7})\s*[章回节節话話]" + _END,
    r"^(\d{1,7})\s*(?:[:：.．、)\-–—]+\s*|$)(.*)$",
)
"""Uncompiled patterns: `re` compiles only the form a book uses, and the first frame waits for no
other."""
_NO_EMPHASIS = str.maketrans("", "", "*_`")


class OutlineSection(NamedTuple):
    """The part of an outline that belongs to one chapter."""

    chapter: int
    title: str
    body: str

    @property
    def text(self) -> str:
        """Title and body, under a heading with the chapter's number."""
        return f"{self.chapter}. {self.title}\n{self.body}".strip()


def without_notes(text: str) -> str:
    """Returns the text without HTML comments, which are notes to people, not to a model."""
    return _COMMENT.sub("", text).strip()


def blanked_notes(text: str) -> str:
    """Returns the text with HTML comments blanked, every other character at its original
    position."""
    return _COMMENT.sub(lambda note: " " * len(note[0]), text)


@lru_cache(maxsize=8)
def sections(outline: str) -> tuple[OutlineSection, ...]:
    """Returns the chapters of an outline in its order, without HTML comments.

    A section ends at the next heading of the same or a higher level. Results are cached, because a
    chapter calls this several times for the same outline.
    """
    text = without_notes(outline)
    ends = [len(text)] * _LEVELS
    """The end of a section of each level, as seen from the current heading."""
    backwards: list[OutlineSection] = []
    for heading in reversed(list(HEADING.finditer(text))):
        level = len(heading[1])
        numbered = numbered_heading(heading[2])
        if numbered is not None:
            body = text[heading.end() : ends[level - 1]].strip()
            backwards.append(OutlineSection(*numbered, body))
        ends[level - 1 :] = [heading.start()] * (_LEVELS - level + 1)
    return tuple(reversed(backwards))


def preface_of(outline: str) -> str:
    """Returns the text before the first chapter's heading: what the outline says of the volume."""
    text = without_notes(outline)
    first = next((h for h in HEADING.finditer(text) if numbered_heading(h[2]) is not None), None)
    return text[: first.start() if first else len(text)].strip()


def section_of(outline: str, chapter: int) -> tuple[str, str] | None:
    """Returns title and body of a chapter's section; None if it is missing or empty."""
    for section in sections(outline):
        if section.chapter == chapter and section.body:
            return section.title, section.body
    return None


def with_sections(outline: str, titles: Mapping[int, str], language: Language) -> str:
    """Returns the outline with a heading added for each of these chapters that lacks one.

    A bare heading gets its title; nothing else in it changes.
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
    """Returns the second-level heading of a chapter's section, with the novel's
    own word for chapters: `## Chapter 4: The Late Show`, `## 제4화 막차`."""
    name = numbered_title(number, language)
    if numbered_heading(name) != (number, ""):  # a word of her own that no reader of outlines knows
        name = numbered_title(number, language, "")
    head, between = f"## {name}", ": " if language == "en" else " "
    plain = " ".join(title.split()).replace("<!--", "<! --")
    is_bare = not plain or numbered_heading(plain) == (number, "")
    return head if is_bare else f"{head}{between}{plain}"


def _with_titles(outline: str, headings: Mapping[int, str]) -> str:
    """Returns the outline with these chapters' bare headings replaced; comments are skipped."""
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
    """Returns number and title from a chapter's heading; None if it is no chapter heading."""
    plain = heading.rstrip(" \t").rstrip("#").translate(_NO_EMPHASIS).strip()
    for form in _FORMS:
        match = re.match(form, plain)
        if match:
            number = _number(match[1])
            return (number, match[2].strip(" \t\u3000《》「」")) if number else None
    return None


def _number(text: str) -> int:
    """Parses a number, such as 12 from `12`, `１２`, `十二` and `一二`; 0 if it is none."""
    return value_of(text) or 0
