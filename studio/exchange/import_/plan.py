"""What an import would bring in: chapters with their scenes, where each comes from, how sure.

A plan is a value. Corrections return another plan; none of them loses a word:
a line that is no heading any more is a paragraph, what is left out stays in
the plan and can be taken back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from studio.errors import StudioError, usage
from studio.exchange.import_.blocks import Paragraphing, Passage
from studio.exchange.import_.encodings import Sureness
from studio.exchange.readers.vault import VaultNote
from studio.i18n import Language
from studio.story.chapter import compose
from studio.story.form.ids import Sha256
from studio.story.form.slugs import names_something

MergeAs = Literal["prose", "break"]
_PIECE = re.compile(r"\S+")
"""What `split` would find, one by one: a list of the words of a long text needs ten times its
memory."""


@dataclass(frozen=True, slots=True)
class PlannedChapter:
    """One row of the plan: a chapter to be, or what is left out (a title page, a contents list)."""

    title: str
    source: str
    """The file it comes from."""
    body: tuple[Passage, ...]
    """Paragraphs and what parts its scenes."""
    heading: tuple[Passage, ...] = ()
    """The lines in the source that head it; not part of its prose."""
    number: int | None = None
    """The number its heading gives it, which need not be the one it gets."""
    sureness: Sureness = "sure"
    included: bool = True
    notes: tuple[str, ...] = ()
    entry: VaultNote | None = None
    """The entry of the bible that it would be instead, of a vault's notes."""

    @property
    def scenes(self) -> tuple[tuple[Passage, ...], ...]:
        """The paragraphs of the chapter, scene by scene."""
        scenes: list[tuple[Passage, ...]] = []
        current: list[Passage] = []
        for passage in (*self.body, Passage("", 0, 0, parts=True)):
            if not passage.parts:
                current.append(passage)
            elif current:
                scenes.append(tuple(current))
                current = []
        return tuple(scenes)

    @property
    def paragraphs(self) -> tuple[Passage, ...]:
        """The paragraphs of the chapter, in order."""
        return tuple(p for p in self.body if not p.parts)

    @property
    def lines(self) -> tuple[int, int]:
        """First and last line in the source, its heading included; (0, 0) if it is empty."""
        passages = [p for p in (*self.heading, *self.body) if p.text]
        if not passages:
            return 0, 0
        return min(p.line for p in passages), max(p.last_line for p in passages)

    @property
    def text(self) -> str:
        """The chapter as its file will be."""
        scenes = ["\n\n".join(p.text for p in scene) for scene in self.scenes]
        return compose(self.title, scenes)

    def length(self, language: Language) -> int:
        """Words (en), or characters without spaces (ko, zh)."""
        pieces = (match for p in self.paragraphs for match in _PIECE.finditer(p.text))
        return sum(1 if language == "en" else len(piece[0]) for piece in pieces)


@dataclass(frozen=True, slots=True)
class PlannedFile:
    """A file of the plan and how it was read."""

    name: str
    encoding: str
    sureness: Sureness
    how: str
    paragraphing: Paragraphing
    sha256: Sha256
    size: int
    """Bytes."""


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """Everything that an import would do, ready to be shown and corrected."""

    language: Language
    chapters: tuple[PlannedChapter, ...]
    title: str = ""
    """The book's title, where the source has one."""
    files: tuple[PlannedFile, ...] = ()

    def title_for(self, folder: str) -> str:
        """The title of a novel made of it: its own title, else the first file's name where
        that says something, else the name of the new novel's folder."""
        name = self.files[0].name if self.files else ""
        stem = name.rpartition(".")[0] or name
        return self.title or (stem if names_something(stem) else folder)

    notes: tuple[str, ...] = ()

    @property
    def included(self) -> tuple[PlannedChapter, ...]:
        """The chapters that will be brought in, in order."""
        return tuple(chapter for chapter in self.chapters if chapter.included)

    @property
    def entries(self) -> tuple[VaultNote, ...]:
        """The notes that will be proposed as entries of the bible: those that are no chapters."""
        return tuple(c.entry for c in self.chapters if c.entry is not None and not c.included)

    @property
    def sureness(self) -> Sureness:
        """How sure the plan is: as sure as the least sure of its chapters and files."""
        levels = {c.sureness for c in self.included} | {f.sureness for f in self.files}
        ranked: tuple[Sureness, ...] = ("guess", "likely")
        return next((s for s in ranked if s in levels), "sure")


# Corrections. Rows are counted from 1, as the preview shows them, those left out included.


def rename(plan: ImportPlan, row: int, title: str) -> ImportPlan:
    """Gives a chapter another title; StudioError (exit 2) for an empty one or no such row."""
    plain = " ".join(title.split())
    if not plain:
        raise usage("A chapter needs a title.")
    return _with_row(plan, row, lambda c: replace(c, title=plain))


def leave_out(plan: ImportPlan, row: int) -> ImportPlan:
    """Brings a row not in: a title page, a list of contents, notes."""
    return _with_row(plan, row, lambda c: replace(c, included=False))


def take_back(plan: ImportPlan, row: int) -> ImportPlan:
    """Brings in a row that was left out; StudioError (exit 2) if it holds no prose."""
    if not _row(plan, row).paragraphs:
        raise usage(f"Row {row} holds no prose.", "Merge it with the chapter before it instead.")
    return _with_row(plan, row, lambda c: replace(c, included=True))


def merge(plan: ImportPlan, row: int, heading: MergeAs = "prose") -> ImportPlan:
    """Makes a row the end of the one before it; of two, the one that is taken gives the title.

    Its heading becomes a paragraph there; with `break`, or where the two come
    from different files, a new scene begins there. StudioError (exit 2) for
    the first row.
    """
    second = _row(plan, row)
    if row == 1:
        raise usage("Row 1 has nothing before it.", "Merge the row behind it instead.")
    first = _row(plan, row - 1)
    if second.included and not first.included:
        lead = (*first.heading, *first.body)
        merged = replace(second, body=(*lead, *second.body), notes=())
        return _with_rows(plan, row - 1, 2, [merged])
    between = second.heading
    if heading == "break" or first.source != second.source:
        line = second.lines[0]
        between = (Passage("", line, line, parts=True), *between)
    merged = replace(first, body=(*first.body, *between, *second.body), notes=())
    return _with_rows(plan, row - 1, 2, [merged])


def split(plan: ImportPlan, row: int, paragraph: int, title: str = "") -> ImportPlan:
    """Begins a new chapter at a paragraph (from 1, within the row).

    Without a `title` that paragraph is the new chapter's heading. StudioError
    (exit 2): no such paragraph, the first one, or nothing would be left behind it.
    """
    chapter = _row(plan, row)
    places = [index for index, p in enumerate(chapter.body) if not p.parts]
    if not 1 < paragraph <= len(places):
        raise usage(
            f"Row {row} cannot be split at paragraph {paragraph}:"
            f" choose one from 2 to {len(places)}."
        )
    index = places[paragraph - 1]
    head: tuple[Passage, ...] = () if title.strip() else (chapter.body[index],)
    rest = chapter.body[index + len(head) :]
    if not any(not p.parts for p in rest):
        raise usage(f"There is nothing after paragraph {paragraph} of row {row}.", "Give a title.")
    words = title if title.strip() else head[0].text
    second = PlannedChapter(" ".join(words.split()), chapter.source, rest, head, None, "sure")
    return _with_rows(plan, row, 1, [replace(chapter, body=chapter.body[:index]), second])


def _with_row(
    plan: ImportPlan, row: int, change: Callable[[PlannedChapter], PlannedChapter]
) -> ImportPlan:
    return _with_rows(plan, row, 1, [change(_row(plan, row))])


def _with_rows(
    plan: ImportPlan, row: int, count: int, rows: Sequence[PlannedChapter]
) -> ImportPlan:
    head, tail = plan.chapters[: row - 1], plan.chapters[row - 1 + count :]
    return replace(plan, chapters=(*head, *rows, *tail))


def _row(plan: ImportPlan, row: int) -> PlannedChapter:
    if not 1 <= row <= len(plan.chapters):
        raise no_row(plan, row)
    return plan.chapters[row - 1]


def no_row(plan: ImportPlan, row: int) -> StudioError:
    """The error for a row that the plan does not have (exit 2)."""
    return usage(f"There is no row {row}.", f"The preview has rows 1 to {len(plan.chapters)}.")
