"""Detects the chapters of a text: a pure function from the text to a plan that can be corrected.

No line is ever lost: each one is prose, heads a chapter, or belongs to a row that is left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from studio.chapter_names import numbered_title
from studio.errors import usage
from studio.exchange.import_.blocks import ImportedBlock, LineRole, Paragraphing, cut, normalise
from studio.exchange.import_.encodings import Sureness
from studio.exchange.import_.heading_marks import (
    Marks,
    chapter_rule,
    kinds_of_headings,
    mark_by_rule,
    mark_headings,
    part_headings,
)
from studio.exchange.import_.headings import (
    LONGEST,
    Heading,
    HeadingForm,
    bare_title,
    heading_like,
    heading_of,
    is_contents_name,
    is_couplet,
    is_set_as_title,
    is_title,
    squeeze,
    strip_frame,
)
from studio.exchange.import_.own_exports import chapter_lines
from studio.exchange.import_.plan import ImportPlan, ImportRow
from studio.foreign_json import read_json
from studio.i18n import Language
from studio.messages import said
from studio.story.chapter_list import LONGEST_LABEL
from studio.story.form.slugs import names_something
from studio.text.language.script import guess_language

_SAMPLE = 200_000
"""The number of characters used to guess the language."""
_TITLE_PAGE: dict[Language, int] = {"en": 100, "ko": 300, "zh": 300}
"""Text before the first heading that is shorter than this is not a chapter."""
_CONTENTS = 3
"""The number of consecutive headings without text that make a table of contents."""
_LONGEST_NOTICE = 300
_LIBRARY_BEGINS = re.compile(
    r"[\\*\s]*START OF (?:THE|THIS) PROJECT GUTENBERG E-?(?:BOOK|TEXT)", re.IGNORECASE
)
_LIBRARY_ENDS = re.compile(r"[\\*\s]*END OF (?:(?:THE|THIS)\s)?PROJECT GUTENBERG", re.IGNORECASE)
_BEGINS_CHAPTER = re.compile(r"\s*(?:第|제?\s*\d|chapter\b)", re.IGNORECASE)
_MANY_TITLES, _TIMES_THE_TITLE = 5, 2
"""The number of lines below headings that are titles because nearly all chapters have one, and how
many times as long the paragraph below each is."""
_LONGEST_CONTENTS = 100_000
"""The number of characters before the first heading in which titles are looked for."""
_NUMBERED_TITLE = re.compile(r"#{1,6}\s+\d{1,3}\s*[.):：．、](?!\d)")
"""A marked heading whose number is set off from its title."""
_OPENING: dict[Language, str] = {"en": "Opening", "ko": "여는 글", "zh": "开篇"}
_HEADER = re.compile(r"\A---[ \t]*\n(?:[\w-]+:.*\n|[ \t]+.*\n|\n)+?---[ \t]*(?:\n|\Z)")
_HEADER_TITLE = re.compile(r"^title:(.*)$", re.MULTILINE)
_SURENESS: dict[HeadingForm, Sureness] = {
    "yours": "sure",
    "chapter": "sure",
    "part": "likely",
    "named": "sure",
    "number": "likely",
    "roman": "likely",
    "counted": "likely",
    "note": "sure",
    "matter": "sure",
    "markdown": "likely",
    "listed": "likely",
    "dated": "likely",
    "centred": "guess",
    "alone": "guess",
    "capitals": "guess",
}
_SPEECH = '"“”‘「『—–-'
_BARE: frozenset[HeadingForm] = frozenset({"chapter", "number", "roman", "counted"})


@dataclass(frozen=True, slots=True)
class Rules:
    """What the writer states about a text instead of leaving it to detection."""

    language: Language | None = None
    paragraphing: Paragraphing | None = None
    chapter_line: str | None = None
    """A regular expression that matches the heading lines; the title is its group `title`, else its
    first group, else the whole line."""
    headed_by: str = ""
    """The kind of headings that make the chapters, one of `ImportPlan.kinds`."""


@dataclass(frozen=True, slots=True)
class _Row:
    """A row under construction: a heading (none for the text before the first) and its body."""

    heading: Heading | None
    lines: tuple[ImportedBlock, ...]
    body: tuple[ImportedBlock, ...]
    upper: bool = False
    """Whether the row stands above chapters rather than being one: a part or the book."""

    @property
    def empty(self) -> bool:
        return not any(p.is_prose for p in self.body)

    @property
    def is_matter(self) -> bool:
        """Whether this is no chapter, such as an imprint: the document says so, or its name."""
        is_named = self.heading is not None and self.heading.form == "matter"
        return is_named or (bool(self.lines) and self.lines[0].role == "matter")


def whole(text: str, name: str, title: str) -> ImportRow:
    """Returns a normalised text as one row without its front matter, ignoring all headings."""
    header = _HEADER.match(text)
    ends = _last_line(header)
    body = tuple(p for p in cut(text, "blocks").passages if p.line > ends)
    return ImportRow(title, name, body)


def _last_line(header: re.Match[str] | None) -> int:
    return header[0].rstrip("\n").count("\n") + 1 if header else 0


def detect(
    text: str,
    name: str = "text.md",
    rules: Rules | None = None,
    roles: Mapping[int, LineRole] | None = None,
) -> ImportPlan:
    """Returns the plan of one text; `name` is its file name, the title of last resort, and `roles`
    what the document itself says of single lines, counted from 1.

    Raises StudioError (exit 2) when the text holds no prose, or when the rule for chapters is not a
    regular expression or matches nothing.
    """
    rules = rules or Rules()
    text = normalise(text)
    language = rules.language or guess_language(text[:_SAMPLE])
    header = _HEADER.match(text)
    ends = _last_line(header)
    parted = cut(text, rules.paragraphing)
    meta = tuple(p for p in parted.passages if p.last_line <= ends and not p.parts)
    rule = chapter_rule(rules.chapter_line) if rules.chapter_line is not None else None
    own = [p for p in parted.passages if p.line > ends]
    if rule is None and not (roles or rules.headed_by):
        roles = dict.fromkeys(chapter_lines(text), "own")
    if roles:
        own = [replace(p, role=roles.get(p.line, "")) for p in own]
    before, own, behind = _without_library(own)
    passages = part_headings(own, rule)
    if all(p.parts for p in passages):
        raise usage(
            said("{name} holds no prose.", name=name), said("Leave it out and import the others.")
        )
    everywhere = parted.paragraphing == "lines"
    if rule is None:
        marks = mark_headings(passages, everywhere, rules.headed_by)
    else:
        marks = mark_by_rule(passages, rule, name)
    book = _HeadedText(language, name, _rows(passages, marks))
    chapters = book.chapters()
    chapters = [*_of_library(before, name), *chapters, *_of_library(behind, name)]
    if meta:
        notes = (said("describes the file"),)
        head = ImportRow(said("File header"), name, meta, included=False, notes=notes)
        chapters.insert(0, head)
    titled = _HEADER_TITLE.search(header[0]) if header else None
    title = _unquote(titled[1].strip()) if titled else book.book_title()
    kinds = kinds_of_headings(passages, everywhere)
    return ImportPlan(language, tuple(chapters), title, kinds=kinds)


def _without_library(
    passages: Sequence[ImportedBlock],
) -> tuple[list[ImportedBlock], list[ImportedBlock], list[ImportedBlock]]:
    """Splits off what Project Gutenberg writes before and behind the texts it gives out."""
    first, last = 0, len(passages)
    for index, passage in enumerate(passages):
        if "gutenberg" not in passage.text[:_LONGEST_NOTICE].casefold():
            continue
        if _LIBRARY_BEGINS.match(passage.text) and not first:
            first = index + 1
        elif _LIBRARY_ENDS.match(passage.text) and index >= first:
            last = index
            break
    if first >= last or all(p.parts for p in passages[first:last]):
        return [], list(passages), []
    return list(passages[:first]), list(passages[first:last]), list(passages[last:])


def _of_library(passages: Sequence[ImportedBlock], name: str) -> list[ImportRow]:
    """Returns such words as a row that is left out; no row without any."""
    if all(p.parts for p in passages):
        return []
    notes = (said("words of the library that gave the text out"),)
    body = tuple(passages)
    return [ImportRow("Project Gutenberg", name, body, included=False, notes=notes)]


def _unquote(value: str) -> str:
    """Returns a YAML title without its quotation marks."""
    if value.startswith('"'):
        with suppress(ValueError):
            return str(read_json(value))
    return value.strip("\"'")


# From passages to rows, from rows to chapters


def _rows(passages: Sequence[ImportedBlock], marks: Marks) -> list[_Row]:
    """Groups the passages under their headings; the first row has none."""
    rows = [_Row(None, (), ())]
    body: list[ImportedBlock] = []
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


class _HeadedText:
    """The headings of one text with their bodies, from which its chapters are made."""

    def __init__(self, language: Language, name: str, rows: list[_Row]) -> None:
        self._language = language
        self._name = name
        rows = _with_book_title(rows)
        self._is_own = any(row.lines[0].role == "own" for row in rows[1:])
        """Whether the text is an export of the studio's, which says itself what its titles are."""
        self._sections = 0 if self._is_own else _level_of_scenes(rows)
        self._rows = rows if self._is_own else _with_second_lines(rows, self._sections)

    def book_title(self) -> str:
        """The book's title: a heading above all chapters, else a title page's first line."""
        front, *rest = self._rows
        if self._is_title_page(rest[0] if rest else front):
            return _heading_in(rest[0]).title
        first = next((p.text for p in front.body if not p.parts), "")
        left_out = bool(rest) and not self._long(front)
        is_named = is_title(first) or self._is_own
        return bare_title(first) if left_out and is_named else ""

    def _is_title_page(self, row: _Row) -> bool:
        """Whether a row is the book's heading, followed by no more than its author's name."""
        if row.heading is None or not row.upper or row.heading.form != "markdown":
            return False
        if row.empty and any(_is_like(row, other) for other in self._rows if other is not row):
            return False  # the first of several parts
        return self._rows[0].empty and row is self._rows[1] and not self._long(row)

    def chapters(self) -> list[ImportRow]:
        """Turns rows into chapters; those without text are parts, contents or empty chapters."""
        front, *rest = self._rows
        chapters = [] if front.empty else [self._front(front, bool(rest))]
        empty_rows: list[_Row] = []
        last: int | None = None
        own_part = ""
        for row in rest:
            if row.is_matter:
                chapters.append(self._matter(row))
                continue
            if _heading_in(row).form == "note":
                self._append_note(chapters, row)
                continue
            if row.empty:
                empty_rows.append(row)
                continue
            uppers, without = _split_uppers(empty_rows)
            chapters += self._without_text(without)
            own_part, part_before = _heading_in(row).part, own_part
            chapter = self._chapter(row, uppers, part_before)
            if _is_contents(row):
                note = said("a list of contents")
                chapter = replace(chapter, included=False, notes=(*chapter.notes, note))
            elif self._is_title_page(row):
                chapter = replace(chapter, included=False, notes=(said("a title page"),))
            elif row.upper:
                last = None  # the number of a part that has a page of its own
            elif (uppers or own_part != part_before) and (chapter.number or 0) <= 1:
                last = chapter.number  # numbers begin anew below a part
            elif chapter.number is not None:
                chapter = chapter if last is None else _with_number_note(chapter, last)
                last = chapter.number
            chapters.append(chapter)
            empty_rows = []
        uppers, without = _split_uppers(empty_rows)
        return [*chapters, *self._without_text([*without, *uppers])]

    def _matter(self, row: _Row) -> ImportRow:
        """Returns what is no chapter, as the document itself says or by its name."""
        is_told = row.lines[0].role == "matter"
        return ImportRow(
            _heading_in(row).title,
            self._name,
            row.body,
            row.lines,
            included=False,
            notes=(
                said("no chapter, as the document itself says")
                if is_told
                else said("no chapter, by its name"),
            ),
        )

    def _append_note(self, chapters: list[ImportRow], row: _Row) -> None:
        """Gives what the author says to her readers to the chapter before, without the words that
        only call it so."""
        head = tuple(replace(p, text=_heading_in(row).title) for p in row.lines)
        own = tuple(replace(p, role="note") for p in (*head, *row.body) if not p.parts and p.text)
        at = next((i for i in range(len(chapters) - 1, -1, -1) if chapters[i].included), -1)
        if at < 0:
            note = said("an author's note that stands before all chapters")
            title = _heading_in(row).line
            chapters.append(ImportRow(title, self._name, row.body, row.lines, None, notes=(note,)))
            chapters[-1] = replace(chapters[-1], included=False)
            return
        notes = tuple(dict.fromkeys((*chapters[at].notes, said("with a note to the readers"))))
        chapters[at] = replace(chapters[at], body=(*chapters[at].body, *own), notes=notes)

    def _front(self, row: _Row, headed: bool) -> ImportRow:
        """Returns the text before the first heading, or the whole text where there is none."""
        if not headed:
            return self._whole(row)
        chapter = ImportRow(_OPENING[self._language], self._name, row.body)
        if self._rows[1].lines[0].parts:  # a rule that matches ornaments
            return replace(chapter, title=numbered_title(1, self._language), number=1)
        if self._long(row):
            note = said("stands before the first heading")
            return replace(chapter, sureness="likely", notes=(note,))
        return replace(chapter, included=False, notes=(said("stands before the first heading"),))

    def _whole(self, row: _Row) -> ImportRow:
        prose = [p for p in row.body if p.is_prose]
        first = prose[0]
        stem = re.sub(r"\.[^.]*$", "", self._name)
        if len(prose) > 1 and first.apart and is_title(first.text):
            rest = tuple(p for p in row.body if p is not first)
            own = heading_of(first.text) if _NUMBERED_TITLE.match(first.text) else None
            if own is not None and own.title and own.number is not None:  # a file for each chapter
                title, label = squeeze(own.title), _label(own)
                return ImportRow(title, self._name, rest, (first,), own.number, label, "likely")
            return ImportRow(bare_title(first.text), self._name, rest, (first,), sureness="likely")
        title = " ".join(re.sub(r"^[\d\s._-]+(?=\D)", "", stem).replace("_", " ").split())
        if not names_something(title):
            digits = re.search(r"[1-9]\d{0,3}", stem)
            title = numbered_title(int(digits[0]) if digits else 1, self._language)
            notes = (said("no heading was found"),)
            return ImportRow(title, self._name, row.body, sureness="likely", notes=notes)
        if (amid := _headings_amid(row)) > 1:
            note = said(
                "{n} lines inside of paragraphs look like headings: try --paragraphs lines", n=amid
            )
            return ImportRow(title, self._name, row.body, sureness="guess", notes=(note,))
        note = said("no heading was found; the title is the file's name")
        return ImportRow(title, self._name, row.body, sureness="likely", notes=(note,))

    def _chapter(self, row: _Row, uppers: Sequence[_Row], part_before: str) -> ImportRow:
        heading = _heading_in(row)
        parts = [_heading_in(u).line for u in uppers if _heading_in(u).line != self.book_title()]
        if heading.form == "chapter" and heading.part not in ("", part_before):
            parts.append(heading.part)
        notes = tuple(said("under “{line}”", line=line) for line in parts)
        sureness = _SURENESS[heading.form]
        if heading.doubt == "sentence":
            sureness = "guess"
            notes += (said("its heading may be a sentence"),)
        body, scenes = _parted_at_scenes(row, self._sections)
        if scenes:
            notes += (said("titles of scenes that stay behind: {n}", n=scenes),)
        return ImportRow(
            title=self._title(heading),
            source=self._name,
            body=body,
            heading=(*(line for u in uppers for line in u.lines), *row.lines),
            number=heading.number,
            label=_label(heading),
            sureness=sureness,
            notes=notes,
        )

    def _title(self, heading: Heading) -> str:
        if heading.title:
            return squeeze(heading.title)
        if heading.form in ("number", "roman", "yours"):
            return numbered_title(heading.number or 1, self._language)
        return squeeze(strip_frame(heading.line).rstrip(" .:：")) or heading.line

    def _without_text(self, rows: Sequence[_Row]) -> list[ImportRow]:
        """Classifies headings without text: a table of contents, or chapters not yet written."""
        if len(rows) >= _CONTENTS:
            lines = tuple(line for row in rows for line in row.lines)
            notes = (said("headings without text: a list of contents?"),)
            title = bare_title(lines[0].text)
            return [ImportRow(title, self._name, (), lines, included=False, notes=notes)]
        notes = (said("has no text"),)
        return [
            ImportRow(
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
        chapter = ImportRow("", "", row.body)
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
    if first.upper and any(_is_like(first, other) for other in rest[1:]):
        return list(rows)
    return [front, replace(first, upper=True), *rest[1:]]


def _headings_amid(row: _Row) -> int:
    """Returns the number of lines inside of paragraphs that would head a chapter if they stood
    alone, as in a text that is wrapped by hand and parts nothing by blank lines."""
    lines = (line for p in row.body if "\n" in p.text for line in p.text.split("\n"))
    likely = (line for line in lines if len(line) <= LONGEST and _BEGINS_CHAPTER.match(line))
    headings = (heading_of(line) for line in likely)
    return sum(heading is not None and heading.form == "chapter" for heading in headings)


def _is_contents(row: _Row) -> bool:
    """Whether a row is called a list of contents and looks like one: lines, and no paragraphs."""
    lines = [p.text for p in row.body if p.is_prose]
    short = sum(len(line) <= LONGEST for line in "\n".join(lines).split("\n"))
    every = sum(line.count("\n") + 1 for line in lines)
    return is_contents_name(_heading_in(row).title) and short * 10 >= every * 9


def _is_like(row: _Row, other: _Row) -> bool:
    """Whether two rows stand above chapters, with headings of one level."""
    return (
        row.upper
        and other.upper
        and other.heading is not None
        and _heading_in(row).level == other.heading.level > 0
    )


def _level_of_scenes(rows: Sequence[_Row]) -> int:
    """Returns the level of the headings that head the scenes of the chapters: most chapters begin
    with one, and some have several; 0 if there is none."""
    own = [[_level_of(p) for p in row.body if p.is_prose] for row in rows[1:] if not row.empty]
    level = max((levels[0] for levels in own), default=0)
    heading = [levels for levels in own if levels[0] == level]
    are_scenes = level and len(heading) * 5 >= len(own) * 4
    return level if are_scenes and any(levels.count(level) > 1 for levels in heading) else 0


def _level_of(passage: ImportedBlock) -> int:
    """Returns the level of a paragraph that is a marked heading, 0 for any other."""
    heading = heading_like(passage.text) if passage.text.startswith("#") else None
    return heading.level if heading else 0


def _parted_at_scenes(row: _Row, level: int) -> tuple[tuple[ImportedBlock, ...], int]:
    """Returns the body of a chapter with scene breaks where the headings of its scenes stand, and
    the number of these."""
    if not level:
        return row.body, 0
    are_heads = [p.is_prose and _level_of(p) == level for p in row.body]
    pairs = zip(row.body, are_heads, strict=True)
    body = tuple(replace(p, text="", parts=True) if is_head else p for p, is_head in pairs)
    return body, sum(are_heads)


def _with_second_lines(rows: Sequence[_Row], scenes: int) -> list[_Row]:
    """Takes the line below for the title where the document says so, or where most bare headings
    have one there; then whatever mark it ends with. It is short, stands alone, and a longer
    paragraph follows. What is marked as a heading, or stands in the contents before the first
    chapter, is a title too. The title of a scene, a heading of the level `scenes`, is none."""
    whole_rows = _with_joined(rows)
    bare = [index for index, r in enumerate(whole_rows) if r.heading and r.heading.form in _BARE]
    bare = [index for index in bare if not _heading_in(whole_rows[index]).title]
    bare = [index for index in bare if not whole_rows[index].empty]
    if scenes:
        bare = [index for index in bare if _level_of(_first(whole_rows[index])) != scenes]
    length = _length_of_titles([_first(whole_rows[index]).text for index in bare])
    with_title = [index for index in bare if _second_line(whole_rows[index], is_title, length)]
    short = [index for index in bare if _second_line(whole_rows[index], _is_short, length)]
    as_titles = [index for index in short if _second_line(whole_rows[index], _is_set, length)]
    ahead = whole_rows[: bare[0] if bare else 1]
    ahead = [row for row in ahead if row.heading is None or row.upper or _is_contents(row)]
    before = (p.text for row in ahead for p in row.body)
    contents = _folded(" ".join(before)[:_LONGEST_CONTENTS])
    as_listed = [i for i in short if _folded(_first(whole_rows[i]).text) in contents]
    most = max(len(as_titles), len(as_listed))
    above_much = [index for index in short if _stands_above_much(whole_rows[index])]
    every = len(above_much) >= _MANY_TITLES and len(above_much) * 10 >= len(bare) * 9
    if every or (most > 1 and most * 5 >= len(bare) * 4):
        with_title = short  # most of all are titles, so the others in their place are too
    elif len(with_title) < 2 or len(with_title) * 5 < len(bare) * 3:
        with_title = []
    else:
        with_title = short
    roles = [i for i, row in enumerate(whole_rows) if row.heading and _first(row).role == "title"]
    for index in sorted({*with_title, *roles}):
        whole_rows[index] = _titled_by(whole_rows[index])
    headed = [i for i, r in enumerate(whole_rows) if r.heading and r.heading.form == "chapter"]
    with_own = [i for i in headed if _heading_in(whole_rows[i]).title and not whole_rows[i].empty]
    halves = [index for index in with_own if _is_second_half(whole_rows[index])]
    if len(halves) > 1 and len(halves) * 5 >= len(with_own) * 4:
        for index in halves:  # 闹学堂师徒反目 above 游江湖兄弟同心
            whole_rows[index] = _titled_by(whole_rows[index])
    return whole_rows


def _titled_by(row: _Row) -> _Row:
    """Returns a row whose first line is its title, or goes on with it."""
    line = _first(row)
    title = bare_title(line.text)
    if title.endswith((".", "。")) and not title.endswith(".."):
        title = title[:-1].rstrip()
    before = _heading_in(row).title
    heading = replace(_heading_in(row), title=f"{before}\u3000{title}" if before else title)
    body = tuple(p for p in row.body if p is not line)
    return replace(row, heading=heading, lines=(*row.lines, line), body=body)


def _is_second_half(row: _Row) -> bool:
    """Whether the line below a title is the other half of a couplet: as long, and no sentence."""
    title, line = _heading_in(row).title, _first(row).text
    return len(title) > 4 and len(line) == len(title) and is_title(line) and not line.isascii()


def _with_joined(rows: Sequence[_Row]) -> list[_Row]:
    """Makes one heading of a bare number and the heading directly below it, where most bare numbers
    have one there: `# 1` above `# The Quay`."""
    pairs = [
        index
        for index, row in enumerate(rows[:-1])
        if row.heading
        and row.heading.form in _BARE
        and not row.heading.title
        and row.empty
        and not rows[index + 1].upper
        and _heading_in(rows[index + 1]).form in ("markdown", "capitals")
        and not rows[index + 1].is_matter
    ]
    bare = sum(1 for r in rows if r.heading and r.heading.form in _BARE and not r.heading.title)
    if len(pairs) < 2 or len(pairs) * 5 < bare * 3:
        return list(rows)
    result: list[_Row] = []
    for index, row in enumerate(rows):
        if index and index - 1 in pairs:
            above = result.pop()
            heading = replace(_heading_in(above), title=_heading_in(row).title)
            row = replace(row, heading=heading, lines=(*above.lines, *row.lines))
        result.append(row)
    return result


def _stands_above_much(row: _Row) -> bool:
    """Whether the line below a heading is followed by a far longer paragraph, in a script with
    capitals: in others a sentence shows by its mark, which the titles of these have not."""
    title, text, *_ = (p.text for p in row.body if p.is_prose)
    return title[0].isupper() and len(title) * _TIMES_THE_TITLE <= len(text)


def _first(row: _Row) -> ImportedBlock:
    """Returns the first passage of a row; one without words if there is none."""
    return next((p for p in row.body if p.is_prose), ImportedBlock("", 0, 0))


def _is_short(line: str) -> bool:
    """Whether a line may be a title, whatever mark it ends with."""
    if _is_marked(line):
        return True
    return is_title(line) or (len(line) <= LONGEST and line[:1] not in _SPEECH)


def _is_set(line: str) -> bool:
    return is_title(line) or is_set_as_title(line) or is_couplet(line) or _is_marked(line)


def _is_marked(line: str) -> bool:
    """Whether the document marks a line as a heading."""
    heading = heading_of(line)
    return heading is not None and heading.form == "markdown"


def _folded(words: str) -> str:
    """Returns words as they are compared with those of a list of contents."""
    return " ".join(bare_title(words).split()).casefold().rstrip(".。")


def _heading_in(row: _Row) -> Heading:
    assert row.heading is not None
    return row.heading


def _length_of_titles(lines: Sequence[str]) -> int:
    """Returns how long the lines below the headings are where four in five are titles of one
    length, as in an old Chinese novel (题佛赞梅香沾惠); 0 where they are not."""
    lengths = Counter(len(line) for line in lines if is_title(line) and not line.isascii())
    length, times = max(lengths.items(), key=lambda item: item[1], default=(0, 0))
    is_form = length > 3 and times >= _MANY_TITLES
    return length if is_form and times * 5 >= len(lines) * 4 else 0


def _second_line(row: _Row, fits: Callable[[str], bool], length: int = 0) -> bool:
    """Whether the first line below a heading stands alone, fits, and is followed by a longer
    paragraph. A title of the `length` that all of a text have need not stand alone."""
    prose = [p for p in row.body if p.is_prose and not p.text.startswith("[^")][:2]
    if len(prose) < 2 or "\n" in prose[0].text:
        return False
    halves = f"{prose[0].text} {prose[1].text}"
    is_alike = length > 0 and len(prose[0].text) == length and is_title(prose[0].text)
    if not (prose[0].apart or is_alike or is_couplet(prose[0].text) or is_couplet(halves)):
        return False
    heading = heading_of(prose[0].text)
    if heading is not None and heading.form not in ("markdown", "capitals"):
        return False
    first = prose[0].text
    is_told = is_title(first) or is_couplet(first) or _is_marked(first)
    stands_above = is_told or len(first) < len(prose[1].text)
    return fits(first) and stands_above


def _label(heading: Heading) -> str:
    """Returns what the author calls a chapter in its heading: its number, or the name of one that
    takes no number."""
    if heading.number is not None:
        return (
            f"{heading.part}-{heading.number}" if heading.part.isdecimal() else str(heading.number)
        )
    if heading.form != "named":
        return ""
    return re.split(r"\s*[:：.．、|–—]\s*|\s-\s", heading.title)[0].strip()[:LONGEST_LABEL]


def _with_number_note(chapter: ImportRow, last: int) -> ImportRow:
    """Adds a note to a chapter whose number does not follow the previous one."""
    if chapter.number == last + 1:
        return chapter
    note = said("is numbered {number}, after {last}", number=chapter.number, last=last)
    return replace(chapter, notes=(*chapter.notes, note), sureness=_less_sure(chapter.sureness))


def _less_sure(sureness: Sureness) -> Sureness:
    return "likely" if sureness == "sure" else sureness
