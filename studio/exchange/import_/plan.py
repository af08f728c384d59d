"""The plan of an import: chapters with their scenes, the source of each, and how certain each is;
also as stable JSON for other programs.

A plan is an immutable value. Corrections return a new plan, and none of them loses a word: a line
that is no longer a heading becomes a paragraph, and whatever is left out stays in the plan and can
be restored.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Any, Literal

from studio.errors import StudioError, usage
from studio.exchange.import_.blocks import ImportedBlock, Paragraphing
from studio.exchange.import_.encodings import Sureness
from studio.exchange.import_.heading_marks import KindOfHeading
from studio.exchange.readers.obsidian import VaultNote
from studio.i18n import Language
from studio.messages import said
from studio.story.chapter import compose
from studio.story.form.ids import LONGEST_NAME, Sha256
from studio.story.form.slugs import names_something
from studio.story.lengths import unit_of
from studio.text.prose.answer import excerpt
from studio.text.safe import as_unicode

MergeAs = Literal["prose", "break"]
_FEWEST_TO_COMPARE, _MANY_TIMES = 3, 5
"""The number of chapters with a usual length, and how many times that is too long to be one."""
_PIECE = re.compile(r"\S+")
"""Matches the words that `str.split` would return, one at a time: a list of all words of a long
text needs ten times the text's memory."""


@dataclass(frozen=True, slots=True)
class ImportRow:
    """One row of the plan: a future chapter, or something left out (a
    title page, a contents list)."""

    title: str
    source: str
    """The file that the row comes from."""
    body: tuple[ImportedBlock, ...]
    """The paragraphs and the scene breaks between them."""
    heading: tuple[ImportedBlock, ...] = ()
    """The lines of the source that form the heading; not part of the prose."""
    number: int | None = None
    """The number in the heading, which may differ from the chapter's final number."""
    label: str = ""
    """What the author calls the chapter in its heading: its number there, or `프롤로그`."""
    sureness: Sureness = "sure"
    included: bool = True
    notes: tuple[str, ...] = ()
    is_long: bool = False
    """Whether it is many times as long as most: a heading inside of it may not have been found."""
    entry: VaultNote | None = None
    """For a note of a vault, the entry of the bible that it would become instead."""

    @property
    def scenes(self) -> tuple[tuple[ImportedBlock, ...], ...]:
        """The paragraphs of the chapter, scene by scene."""
        scenes: list[tuple[ImportedBlock, ...]] = []
        current: list[ImportedBlock] = []
        for passage in (*self.body, ImportedBlock("", 0, 0, parts=True)):
            if passage.is_prose:
                current.append(passage)
            elif current and passage.parts:
                scenes.append(tuple(current))
                current = []
        return tuple(scenes)

    @property
    def is_in_doubt(self) -> bool:
        """Whether somebody should look at where the chapter begins or ends."""
        return self.included and (self.sureness == "guess" or self.is_long)

    @property
    def paragraphs(self) -> tuple[ImportedBlock, ...]:
        """The paragraphs of the chapter, in order."""
        return tuple(p for p in self.body if p.is_prose)

    @property
    def author_note(self) -> str:
        """What the author says to her readers about the chapter; empty where she says nothing."""
        return "\n\n".join(p.text for p in self.body if p.role == "note")

    @property
    def lines(self) -> tuple[int, int]:
        """The first and last line in the source, heading included; (0, 0) for an empty chapter."""
        passages = [p for p in (*self.heading, *self.body) if p.text]
        if not passages:
            return 0, 0
        return min(p.line for p in passages), max(p.last_line for p in passages)

    @property
    def text(self) -> str:
        """The content of the chapter's future file, without the author's note."""
        scenes = ["\n\n".join(p.text for p in scene) for scene in self.scenes]
        return compose(self.title, scenes)

    def length(self, language: Language) -> int:
        """Returns the length in words (en), or in characters without spaces (ko, zh)."""
        pieces = (match for p in self.paragraphs for match in _PIECE.finditer(p.text))
        return sum(1 if language == "en" else len(piece[0]) for piece in pieces)


@dataclass(frozen=True, slots=True)
class PlannedFile:
    """A file of the plan and how it was decoded."""

    name: str
    encoding: str
    sureness: Sureness
    how: str
    paragraphing: Paragraphing
    sha256: Sha256
    size: int
    """The size in bytes."""


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """Everything that an import would do, ready to be displayed and corrected."""

    language: Language
    chapters: tuple[ImportRow, ...]
    title: str = ""
    """The book's title, where the source states one."""
    files: tuple[PlannedFile, ...] = ()

    def title_for(self, folder: str) -> str:
        """Returns the title of a novel made from the plan: the plan's own title, else the first
        file's name where it is meaningful, else the name of the new novel's folder; as much of it
        as a title may hold."""
        name = self.files[0].name if self.files else ""
        stem = name.rpartition(".")[0] or name
        title = self.title or (stem if names_something(stem) else folder)
        return excerpt(title, LONGEST_NAME)

    notes: tuple[str, ...] = ()
    kinds: tuple[KindOfHeading, ...] = ()
    """The kinds of lines that could make the chapters of a single text, if those found are
    wrong."""

    @property
    def chapters_to_import(self) -> tuple[ImportRow, ...]:
        """The chapters that will be imported, in order."""
        return tuple(chapter for chapter in self.chapters if chapter.included)

    @property
    def in_doubt(self) -> tuple[int, ...]:
        """The chapters whose beginning or end is in doubt, numbered as they will come in."""
        numbered = enumerate(self.chapters_to_import, start=1)
        return tuple(number for number, chapter in numbered if chapter.is_in_doubt)

    @property
    def entries(self) -> tuple[VaultNote, ...]:
        """The notes that will be proposed as entries of the bible
        rather than imported as chapters."""
        return tuple(c.entry for c in self.chapters if c.entry is not None and not c.included)

    @property
    def is_sure_of_chapters(self) -> bool:
        """Whether nothing is in doubt about where the chapters begin."""
        return all(c.sureness == "sure" for c in self.chapters_to_import)

    @property
    def sureness(self) -> Sureness:
        """The certainty of the plan: that of its least certain chapter or file."""
        levels = {c.sureness for c in self.chapters_to_import} | {f.sureness for f in self.files}
        ranked: tuple[Sureness, ...] = ("guess", "likely")
        return next((s for s in ranked if s in levels), "sure")


def with_length_notes(plan: ImportPlan) -> ImportPlan:
    """Returns the plan with a note at each chapter that is many times as long as the others: its
    parts may have headings that were not found."""
    lengths = [chapter.length(plan.language) for chapter in plan.chapters_to_import]
    if len(lengths) < _FEWEST_TO_COMPARE:
        return plan
    usual = median(lengths)
    rows: list[ImportRow] = []
    for chapter in plan.chapters:
        length = chapter.length(plan.language) if chapter.included else 0
        if length > _MANY_TIMES * max(1, usual):
            times = said("{n} times as long as most chapters", n=round(length / max(1, usual)))
            sureness = "likely" if chapter.sureness == "sure" else chapter.sureness
            notes = (*chapter.notes, times)
            chapter = replace(chapter, notes=notes, sureness=sureness, is_long=True)
        rows.append(chapter)
    return replace(plan, chapters=tuple(rows))


# Corrections. Rows are numbered from 1 as in the preview, including those left out.


def rename(plan: ImportPlan, row: int, title: str) -> ImportPlan:
    """Renames a chapter; raises StudioError (exit 2) for an empty title or an unknown row."""
    plain = " ".join(title.split())
    if not plain:
        raise usage(said("A chapter needs a title."))
    return _with_row(plan, row, lambda c: replace(c, title=plain))


def leave_out(plan: ImportPlan, row: int) -> ImportPlan:
    """Leaves a row out of the import: a title page, a table of contents, or notes."""
    return _with_row(plan, row, lambda c: replace(c, included=False))


def take_back(plan: ImportPlan, row: int) -> ImportPlan:
    """Restores a row that was left out; raises StudioError (exit 2) if it holds no prose."""
    if not _row(plan, row).paragraphs:
        raise usage(
            said("Row {row} holds no prose.", row=row),
            said("Merge it with the chapter before it instead."),
        )
    return _with_row(plan, row, lambda c: replace(c, included=True))


def merge(plan: ImportPlan, row: int, heading: MergeAs = "prose") -> ImportPlan:
    """Appends a row to the previous one; the previous row's title is kept unless only this row is
    included.

    The row's heading becomes a paragraph there; with `break`, or where the rows come from different
    files, a new scene begins there. Raises StudioError (exit 2) for the first row.
    """
    second = _row(plan, row)
    if row == 1:
        raise usage(said("Row 1 has nothing before it."), said("Merge the row behind it instead."))
    first = _row(plan, row - 1)
    if second.included and not first.included:
        lead = (*first.heading, *first.body)
        merged = replace(second, body=(*lead, *second.body), notes=())
        return _with_rows(plan, row - 1, 2, [merged])
    between = second.heading
    if heading == "break" or first.source != second.source:
        line = second.lines[0]
        between = (ImportedBlock("", line, line, parts=True), *between)
    merged = replace(first, body=(*first.body, *between, *second.body), notes=())
    return _with_rows(plan, row - 1, 2, [merged])


def join_chapters(plan: ImportPlan, numbers: Iterable[int]) -> ImportPlan:
    """Appends chapters, by the numbers with which they would come in, to those before them, as
    `merge` does. Raises StudioError (exit 2) for the first chapter and for one that is not there.
    """
    rows = [row for row, chapter in enumerate(plan.chapters, start=1) if chapter.included]
    for number in sorted(set(numbers), reverse=True):
        if not 1 < number <= len(rows):
            raise usage(
                said("There is no chapter {number} that follows another.", number=number),
                said("The preview has chapters 1 to {count}.", count=len(rows)),
            )
        row, above = rows[number - 1], rows[number - 2]
        if row > above + 1:  # what is left out between the two stays so, behind both
            rest = plan.chapters[above : row - 1]
            plan = _with_rows(plan, above + 1, row - above, [_row(plan, row), *rest])
        plan = merge(plan, above + 1)
    return plan


def split_row(plan: ImportPlan, row: int, paragraph: int, title: str = "") -> ImportPlan:
    """Begins a new chapter at a paragraph (numbered from 1 within the row).

    Without a `title`, that paragraph becomes the new chapter's heading. Raises StudioError (exit 2)
    for an unknown paragraph, for the first one, and when the new chapter would be empty.
    """
    chapter = _row(plan, row)
    places = [index for index, p in enumerate(chapter.body) if p.is_prose]
    if not 1 < paragraph <= len(places):
        raise usage(
            said(
                "Row {row} cannot be split at paragraph {paragraph}: choose one from 2 to {count}.",
                row=row,
                paragraph=paragraph,
                count=len(places),
            )
        )
    index = places[paragraph - 1]
    head: tuple[ImportedBlock, ...] = () if title.strip() else (chapter.body[index],)
    rest = chapter.body[index + len(head) :]
    if not any(p.is_prose for p in rest):
        raise usage(
            said(
                "There is nothing after paragraph {paragraph} of row {row}.",
                paragraph=paragraph,
                row=row,
            ),
            said("Give a title."),
        )
    words = title if title.strip() else head[0].text
    second = ImportRow(" ".join(words.split()), chapter.source, rest, head, None, "sure")
    return _with_rows(plan, row, 1, [replace(chapter, body=chapter.body[:index]), second])


def _with_row(plan: ImportPlan, row: int, change: Callable[[ImportRow], ImportRow]) -> ImportPlan:
    return _with_rows(plan, row, 1, [change(_row(plan, row))])


def _with_rows(plan: ImportPlan, row: int, count: int, rows: Sequence[ImportRow]) -> ImportPlan:
    head, tail = plan.chapters[: row - 1], plan.chapters[row - 1 + count :]
    return replace(plan, chapters=(*head, *rows, *tail))


def _row(plan: ImportPlan, row: int) -> ImportRow:
    if not 1 <= row <= len(plan.chapters):
        raise no_row(plan, row)
    return plan.chapters[row - 1]


def no_row(plan: ImportPlan, row: int) -> StudioError:
    """Returns the error for a row that the plan does not have (exit 2)."""
    return usage(
        said("There is no row {row}.", row=row),
        said("The preview has rows 1 to {count}.", count=len(plan.chapters)),
    )


def as_json(plan: ImportPlan) -> dict[str, Any]:
    """Returns the plan as plain data: schema_version, language, title, unit, files, chapters,
    entries (notes that are proposed for the bible), kinds (of lines that could begin the chapters),
    notes."""
    number = 0
    rows = []
    for row, chapter in enumerate(plan.chapters, start=1):
        number += chapter.included
        rows.append(_json_row(row, number if chapter.included else None, chapter, plan.language))
    return {
        "schema_version": 1,
        "language": plan.language,
        "title": plan.title,
        "unit": unit_of(plan.language),
        "sureness": plan.sureness,
        "files": [
            {
                "name": as_unicode(file.name),
                "encoding": file.encoding,
                "sureness": file.sureness,
                "how": file.how,
                "paragraphs": file.paragraphing,
                "sha256": file.sha256,
                "bytes": file.size,
            }
            for file in plan.files
        ],
        "chapters": rows,
        "entries": [
            {
                "name": as_unicode(entry.name),
                "kind": entry.kind,
                "aliases": list(entry.aliases),
                "file": as_unicode(entry.source),
            }
            for entry in plan.entries
        ],
        "kinds": [
            {"key": kind.key, "count": kind.count, "first": as_unicode(kind.first)}
            for kind in plan.kinds
        ],
        "notes": list(plan.notes),
    }


def _json_row(
    row: int, number: int | None, chapter: ImportRow, language: Language
) -> dict[str, Any]:
    first, last = chapter.lines
    return {
        "row": row,
        "chapter": number,
        "title": as_unicode(chapter.title),
        "heading": [as_unicode(passage.text) for passage in chapter.heading],
        "number": chapter.number,
        "label": as_unicode(chapter.label),
        "file": as_unicode(chapter.source),
        "first_line": first,
        "last_line": last,
        "scenes": len(chapter.scenes),
        "paragraphs": len(chapter.paragraphs),
        "length": chapter.length(language),
        "sureness": chapter.sureness,
        "author_note": as_unicode(chapter.author_note),
        "notes": list(chapter.notes),
    }
