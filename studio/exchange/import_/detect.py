"""Detects the chapters of a text: a pure function from the text to a plan that can be corrected.

No line is ever lost: each one is prose, heads a chapter, or belongs to a row that is left out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from studio.errors import usage
from studio.exchange.import_.blocks import Paragraphing, Passage, cut, normalised
from studio.exchange.import_.encodings import Sureness
from studio.exchange.import_.heading_marks import (
    Marks,
    chapter_rule,
    mark_by_rule,
    mark_headings,
    part_headings,
)
from studio.exchange.import_.headings import Form, Heading, bare_title, is_title
from studio.exchange.import_.plan import ImportPlan, PlannedChapter
from studio.foreign_json import read_json
from studio.i18n import Language
from studio.messages import said
from studio.story.form.slugs import names_something, numbered_title
from studio.text.language.script import guess_language

_SAMPLE = 200_000
"""The number of characters used to guess the language."""
_TITLE_PAGE: dict[Language, int] = {"en": 100, "ko": 300, "zh": 300}
"""Text before the first heading that is shorter than this is not a chapter."""
_CONTENTS = 3
"""The number of consecutive headings without text that make a table of contents."""
_OPENING: dict[Language, str] = {"en": "Opening", "ko": "여는 글", "zh": "开篇"}
_HEADER = re.compile(r"\A---[ \t]*\n(?:[\w-]+:.*\n|[ \t]+.*\n|\n)+?---[ \t]*(?:\n|\Z)")
_HEADER_TITLE = re.compile(r"^title:(.*)$", re.MULTILINE)
_SURENESS: dict[Form, Sureness] = {
    "yours": "sure",
    "chapter": "sure",
    "part": "likely",
    "named": "sure",
    "number": "likely",
    "roman": "likely",
    "markdown": "likely",
    "capitals": "guess",
}
_BARE: frozenset[Form] = frozenset({"chapter", "number", "roman"})


@dataclass(frozen=True, slots=True)
class Rules:
    """What the writer states about a text instead of leaving it to detection."""

    language: Language | None = None
    paragraphing: Paragraphing | None = None
    chapter_line: str | None = None
    """A regular expression that matches the heading lines; the title is its group `title`, else its
    first group, else the whole line."""


@dataclass(frozen=True, slots=True)
class _Row:
    """A row under construction: a heading (none for the text before the first) and its body."""

    heading: Heading | None
    lines: tuple[Passage, ...]
    body: tuple[Passage, ...]
    upper: bool = False
    """Whether the row stands above chapters rather than being one: a part or the book."""

    @property
    def empty(self) -> bool:
        return all(p.parts for p in self.body)


def whole(text: str, name: str, title: str) -> PlannedChapter:
    """Returns a normalised text as one row without its front matter, ignoring all headings."""
    header = _HEADER.match(text)
    ends = _last_line(header)
    body = tuple(p for p in cut(text, "blocks").passages if p.line > ends)
    return PlannedChapter(title, name, body)


def _last_line(header: re.Match[str] | None) -> int:
    return header[0].rstrip("\n").count("\n") + 1 if header else 0


def detect(text: str, name: str = "text.md", rules: Rules | None = None) -> ImportPlan:
    """Returns the plan of one text; `name` is its file name, the title of last resort.

    Raises StudioError (exit 2) when the text holds no prose, or when the rule for chapters is not a
    regular expression or matches nothing.
    """
    rules = rules or Rules()
    text = normalised(text)
    language = rules.language or guess_language(text[:_SAMPLE])
    header = _HEADER.match(text)
    ends = _last_line(header)
    parted = cut(text, rules.paragraphing)
    meta = tuple(p for p in parted.passages if p.last_line <= ends and not p.parts)
    rule = chapter_rule(rules.chapter_line) if rules.chapter_line is not None else None
    passages = part_headings([p for p in parted.passages if p.line > ends], rule)
    if all(p.parts for p in passages):
        raise usage(
            said("{name} holds no prose.", name=name), said("Leave it out and import the others.")
        )
    if rule is None:
        marks = mark_headings(passages, everywhere=parted.paragraphing == "lines")
    else:
        marks = mark_by_rule(passages, rule, name)
    book = _Book(language, name, _rows(passages, marks))
    chapters = book.chapters()
    if meta:
        head = PlannedChapter(
            "File header", name, meta, included=False, notes=("describes the file",)
        )
        chapters.insert(0, head)
    titled = _HEADER_TITLE.search(header[0]) if header else None
    title = _unquoted(titled[1].strip()) if titled else book.book_title()
    return ImportPlan(language, tuple(chapters), title)


def _unquoted(value: str) -> str:
    """Returns a YAML title without its quotation marks."""
    if value.startswith('"'):
        with suppress(ValueError):
            return str(read_json(value))
    return value.strip("\"'")


# From passages to rows, from rows to chapters


def _rows(passages: Sequence[Passage], marks: Marks) -> list[_Row]:
    """Groups the passages under their headings; the first row has none."""
    rows = [_Row(None, (), ())]
    body: list[Passage] = []
    for index, passage in enumerate(passages):
        if index in marks:
            rows[-1] = replace(rows[-1], body=tuple(body))
            heading, upper = marks[index]
            rows.append(_Row(heading, (passage,), (), upper))
            body = []
        else:
            body.append(passage)
    rows[-1] = replace(rows[-1], body=tuple(body))
    return rows


class _Book:
    """The headings of one text with their bodies, from which its chapters are made."""

    def __init__(self, language: Language, name: str, rows: list[_Row]) -> None:
        self._language = language
        self._name = name
        self._rows = _with_second_lines(_with_book_title(rows))

    def book_title(self) -> str:
        """The book's title: a heading above all chapters, else a title page's first line."""
        front, *rest = self._rows
        if self._is_title_page(rest[0] if rest else front):
            return _heading(rest[0]).title
        first = next((p.text for p in front.body if not p.parts), "")
        left_out = bool(rest) and not self._long(front)
        return bare_title(first) if left_out and is_title(first) else ""

    def _is_title_page(self, row: _Row) -> bool:
        """Whether a row is the book's heading, followed by no more than its author's name."""
        if row.heading is None or not row.upper or row.heading.form != "markdown":
            return False
        return self._rows[0].empty and row is self._rows[1] and not self._long(row)

    def chapters(self) -> list[PlannedChapter]:
        """Turns rows into chapters; those without text are parts, contents or empty chapters."""
        front, *rest = self._rows
        chapters = [] if front.empty else [self._front(front, bool(rest))]
        empty_rows: list[_Row] = []
        for row in rest:
            if row.empty:
                empty_rows.append(row)
                continue
            uppers, without = _split_uppers(empty_rows)
            chapters += self._without_text(without)
            chapters.append(self._chapter(row, uppers))
            if self._is_title_page(row):
                chapters[-1] = replace(chapters[-1], included=False, notes=(said("a title page"),))
            empty_rows = []
        uppers, without = _split_uppers(empty_rows)
        chapters += self._without_text([*without, *uppers])
        return _with_number_notes(chapters)

    def _front(self, row: _Row, headed: bool) -> PlannedChapter:
        """Returns the text before the first heading, or the whole text where there is none."""
        if not headed:
            return self._whole(row)
        chapter = PlannedChapter(_OPENING[self._language], self._name, row.body)
        if self._rows[1].lines[0].parts:  # a rule that matches ornaments
            return replace(chapter, title=numbered_title(1, self._language), number=1)
        if self._long(row):
            note = said("stands before the first heading")
            return replace(chapter, sureness="likely", notes=(note,))
        return replace(chapter, included=False, notes=(said("stands before the first heading"),))

    def _whole(self, row: _Row) -> PlannedChapter:
        prose = [p for p in row.body if not p.parts]
        first = prose[0]
        stem = re.sub(r"\.[^.]*$", "", self._name)
        if len(prose) > 1 and first.apart and is_title(first.text):
            rest = tuple(p for p in row.body if p is not first)
            return PlannedChapter(
                bare_title(first.text), self._name, rest, (first,), sureness="likely"
            )
        title = " ".join(re.sub(r"^[\d\s._-]+(?=\D)", "", stem).replace("_", " ").split())
        if not names_something(title):
            digits = re.search(r"[1-9]\d{0,3}", stem)
            title = numbered_title(int(digits[0]) if digits else 1, self._language)
            notes = (said("no heading was found"),)
            return PlannedChapter(title, self._name, row.body, sureness="likely", notes=notes)
        note = said("no heading was found; the title is the file's name")
        return PlannedChapter(title, self._name, row.body, sureness="likely", notes=(note,))

    def _chapter(self, row: _Row, uppers: Sequence[_Row]) -> PlannedChapter:
        heading = row.heading
        assert heading is not None
        parts = [_heading(u).line for u in uppers if _heading(u).line != self.book_title()]
        notes = tuple(said("under “{line}”", line=line) for line in parts)
        return PlannedChapter(
            title=self._title(heading),
            source=self._name,
            body=row.body,
            heading=(*(line for u in uppers for line in u.lines), *row.lines),
            number=heading.number,
            sureness=_SURENESS[heading.form],
            notes=notes,
        )

    def _title(self, heading: Heading) -> str:
        if heading.title:
            return " ".join(heading.title.split())
        if heading.form in ("number", "roman", "yours"):
            return numbered_title(heading.number or 1, self._language)
        return " ".join(heading.line.rstrip(" .:：").split()) or heading.line

    def _without_text(self, rows: Sequence[_Row]) -> list[PlannedChapter]:
        """Classifies headings without text: a table of contents, or chapters not yet written."""
        if len(rows) >= _CONTENTS:
            lines = tuple(line for row in rows for line in row.lines)
            notes = (said("headings without text: a list of contents?"),)
            title = bare_title(lines[0].text)
            return [PlannedChapter(title, self._name, (), lines, included=False, notes=notes)]
        notes = (said("has no text"),)
        return [
            PlannedChapter(
                bare_title(row.lines[0].text),
                self._name,
                (),
                row.lines,
                included=False,
                notes=notes,
            )
            for row in rows
        ]

    def _long(self, row: _Row) -> bool:
        chapter = PlannedChapter("", "", row.body)
        return chapter.length(self._language) >= _TITLE_PAGE[self._language]


def _split_uppers(rows: Sequence[_Row]) -> tuple[list[_Row], list[_Row]]:
    """Splits rows without text into the upper ones just before the next chapter, and the others."""
    start = len(rows)
    while start and rows[start - 1].upper:
        start -= 1
    return list(rows[start:]), list(rows[:start])


def _with_book_title(rows: Sequence[_Row]) -> list[_Row]:
    """Takes a first Markdown heading without text, followed by others, for the book's title."""
    front, *rest = rows
    first = rest[0] if rest else front
    plain = first.heading is not None and first.heading.form == "markdown"
    if len(rest) < 2 or not plain or not front.empty or not first.empty:
        return list(rows)
    return [front, replace(first, upper=True), *rest[1:]]


def _with_second_lines(rows: Sequence[_Row]) -> list[_Row]:
    """Takes the line below for the title, where most bare headings have a title there."""
    bare = [index for index, r in enumerate(rows) if r.heading and r.heading.form in _BARE]
    bare = [index for index in bare if not _heading(rows[index]).title and not rows[index].empty]
    titled = [index for index in bare if _second_line(rows[index]) is not None]
    if len(titled) < 2 or len(titled) * 5 < len(bare) * 3:
        return list(rows)
    result = list(rows)
    for index in titled:
        line = _second_line(rows[index])
        assert line is not None
        heading = replace(_heading(rows[index]), title=bare_title(line.text))
        body = tuple(p for p in rows[index].body if p is not line)
        result[index] = replace(
            rows[index], heading=heading, lines=(*rows[index].lines, line), body=body
        )
    return result


def _heading(row: _Row) -> Heading:
    assert row.heading is not None
    return row.heading


def _second_line(row: _Row) -> Passage | None:
    prose = [p for p in row.body if not p.parts]
    first = prose[0]
    return first if len(prose) > 1 and first.apart and is_title(first.text) else None


def _with_number_notes(chapters: Sequence[PlannedChapter]) -> list[PlannedChapter]:
    """Adds a note to every chapter whose number does not follow the previous one."""
    noted_chapters: list[PlannedChapter] = []
    last: int | None = None
    for chapter in chapters:
        number = chapter.number if chapter.included else None
        if number is not None and last is not None and number != last + 1:
            notes = (
                *chapter.notes,
                said("is numbered {number}, after {last}", number=number, last=last),
            )
            chapter = replace(chapter, notes=notes, sureness=_less_sure(chapter.sureness))
        noted_chapters.append(chapter)
        last = number if number is not None else last
    return noted_chapters


def _less_sure(sureness: Sureness) -> Sureness:
    return "likely" if sureness == "sure" else sureness
