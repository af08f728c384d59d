"""The identity of each chapter: an id that stays when the number changes, and the author's label.

Files count chapters from 1 and are renumbered when plans move; the author may number them otherwise
(a prologue, a second part that begins again at 1): that is the label, which no move changes.
"""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, ClassVar

from pydantic import Field, model_validator

from studio.errors import usage
from studio.messages import said, series
from studio.story.form.document import Document, Value
from studio.story.form.slugs import LAST_CHAPTER, chapter_name, chapter_number

_COUNTED = re.compile(
    r"(?:제|第)?\s*(\d{1,9})\s*(?:화|장|회|편|章|回|话|話|节)?|(?:chapter|episode|ep\.?)\s*(\d{1,9})",
    re.I,
)
"""A chapter by its number with the word for a chapter, in any language: `3화`, `第3回`, `제3장`."""
ChapterId = Annotated[str, Field(pattern=r"^c[0-9a-f]{3,32}$")]
LONGEST_LABEL = 40
"""The number of characters."""
Label = Annotated[str, Field(min_length=1, max_length=LONGEST_LABEL, pattern=r"^\S(.*\S)?$")]


def id_by_number(number: int) -> str:
    """Returns the id of a chapter that no file lists: `c007` for 7."""
    return f"c{number:03d}"


def number_in(name: str) -> int | None:
    """Returns the number that an id was made from, or None: 7 for `c007`."""
    digits = name.removeprefix("c")
    return int(digits) if digits.isdecimal() and id_by_number(int(digits)) == name else None


class ListedChapter(Value):
    """One chapter, written or planned."""

    id: ChapterId
    """Stays when the number changes; what belongs to the chapter outside of the book is filed by
    it."""
    number: int = Field(ge=1, le=LAST_CHAPTER)
    """The number in the names of its files."""
    volume: int = Field(ge=1)
    """The volume it is in."""
    label: Label | None = None
    """What the author calls it, if not by its number: `4`, `프롤로그`, `楔子`."""
    shelf: bool = False
    """Whether it was taken out of the book and waits on the shelf; its number is then the last it
    had."""


class ChapterList(Document):
    """state/chapters.json. A chapter that it does not list has the id made from its number."""

    SCHEMA: ClassVar[str] = "chapters"

    chapters: tuple[ListedChapter, ...] = ()

    @model_validator(mode="after")
    def _each_once(self) -> ChapterList:
        ids = [chapter.id for chapter in self.chapters]
        numbers = [str(chapter.number) for chapter in self._in_book()]
        for kind, values in (("id", ids), ("number", numbers)):
            if len(set(values)) < len(values):
                doubled = next(value for value in values if values.count(value) > 1)
                raise ValueError(
                    said("two chapters have the {kind} {doubled}", kind=kind, doubled=doubled)
                )
        return self

    def _in_book(self) -> Iterator[ListedChapter]:
        return (chapter for chapter in self.chapters if not chapter.shelf)

    def id_of(self, number: int) -> str:
        """Returns the id of the chapter with a number, listed or not."""
        for chapter in self._in_book():
            if chapter.number == number:
                return chapter.id
        ids_in_use = {chapter.id for chapter in self.chapters}
        name = id_by_number(number)
        while name in ids_in_use:  # listed under another number by now
            name += "a"
        return name

    def number_of(self, name: str) -> int | None:
        """Returns the number of the chapter with an id; None if it is not in the book."""
        for chapter in self.chapters:
            if chapter.id == name:
                return None if chapter.shelf else chapter.number
        number = number_in(name.rstrip("a"))
        return number if number and self.id_of(number) == name else None

    def meant_by(self, typed: str, present: Iterable[int]) -> int | None:
        """Returns the number of the chapter that somebody typed: its label, its number, alone or
        with the word for a chapter (`3화`), the name of its file (`chapter-004`) or its id. None
        for words that name no chapter; a number that is no label is a chapter's, whether or not
        there is one yet.

        `present` are the numbers of the chapters there are. Raises StudioError (exit 2) for what
        more than one of them is called.
        """
        words = typed.strip()
        labels = {_fold(label) for label in self.labels.values()}
        if _fold(words) not in labels and (counted := _COUNTED.fullmatch(words)):
            words = str(int(counted[1] or counted[2]))
        if words.isascii() and words.isdecimal() and len(words) < _TOO_LONG:
            number = int(words)
        else:
            number = chapter_number(words.removesuffix(".md")) or 0
            if number or (_ID.fullmatch(words) and (number := self.number_of(words) or 0)):
                return number
        labelled = [n for n, label in self.labels.items() if _fold(label) == _fold(words)]
        meant = sorted({*labelled, *({number} & {*present})})
        if len(meant) > 1:
            raise usage(
                said(
                    "“{typed}” is more than one chapter: {chapters}.",
                    typed=words,
                    chapters=series(map(self._in_full, meant)),
                ),
                said("Say which by the name of its file: {name}.", name=chapter_name(meant[0])),
            )
        return meant[0] if meant else number or None

    def _in_full(self, number: int) -> str:
        """Returns the name of a chapter's file with the label it has."""
        label = self.labels.get(number)
        return f"{chapter_name(number)} (“{label}”)" if label else chapter_name(number)

    @property
    def labels(self) -> dict[int, str]:
        """Returns what the author calls chapters of the book, by number."""
        return {c.number: c.label for c in self._in_book() if c.label}

    def with_label(self, number: int, label: str | None) -> ChapterList:
        """Returns the list with another label of a listed chapter; None takes its label away."""
        return self._of(
            c.copy_with(label=label) if c.number == number else c for c in self._in_book()
        )

    def with_chapters(self, volumes: Mapping[int, int], *, fresh: bool = False) -> ChapterList:
        """Returns the list with these chapters (number to volume) in it.

        One that was not listed keeps the id made from its number, or with `fresh` gets a new one; a
        listed one takes the volume.
        """
        listed = {chapter.number: chapter for chapter in self._in_book()}
        ids_in_use = {chapter.id for chapter in self.chapters}
        for number, volume in volumes.items():
            if (known := listed.get(number)) is not None:
                listed[number] = known.copy_with(volume=volume)
                continue
            name = _new_id(ids_in_use) if fresh else self.id_of(number)
            ids_in_use.add(name)
            listed[number] = ListedChapter(id=name, number=number, volume=volume)
        return self._of(listed.values())

    def renumber(self, numbers: Mapping[int, int], gone: Iterable[int]) -> ChapterList:
        """Returns the list after a change of plans: new numbers by old ones, and the chapters that
        are no longer planned."""
        left_out = set(gone)
        return self._of(
            chapter.copy_with(number=numbers.get(chapter.number, chapter.number))
            for chapter in self._in_book()
            if chapter.number not in left_out
        )

    def _of(self, chapters: Iterable[ListedChapter]) -> ChapterList:
        shelved = (chapter for chapter in self.chapters if chapter.shelf)
        return ChapterList(
            chapters=tuple(sorted((*chapters, *shelved), key=lambda c: (c.number, c.shelf)))
        )


_TOO_LONG = 10
"""Digits that are no number of a chapter."""
_ID = re.compile(r"c[0-9a-f]{3,32}")


def _fold(label: str) -> str:
    """Returns a label as it is compared: without regard to case and to how it is encoded."""
    return unicodedata.normalize("NFKC", label).casefold()


def _new_id(ids_in_use: set[str]) -> str:
    """Returns an unused id that no number gives: it has a letter."""
    while True:
        name = f"c{secrets.token_hex(2)}"
        if name not in ids_in_use and number_in(name) is None and not name.endswith("a"):
            return name
