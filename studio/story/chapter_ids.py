"""The identity of each chapter: an id that stays when the number changes, and the author's label.

Files count chapters from 1 and are renumbered when plans move; the author may number them otherwise
(a prologue, a second part that begins again at 1): that is the label, which no move changes.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, ClassVar

from pydantic import Field, model_validator

from studio.messages import said
from studio.story.form.document import Document, Value
from studio.story.form.slugs import LAST_CHAPTER

ChapterId = Annotated[str, Field(pattern=r"^c[0-9a-f]{3,32}$")]
Label = Annotated[str, Field(min_length=1, max_length=40, pattern=r"^\S(.*\S)?$")]


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
    number: int = Field(ge=1, le=LAST_CHAPTER)
    """The number in the names of its files."""
    volume: int = Field(ge=1)
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
        taken = {chapter.id for chapter in self.chapters}
        name = id_by_number(number)
        while name in taken:  # listed under another number by now
            name += "a"
        return name

    def number_of(self, name: str) -> int | None:
        """Returns the number of the chapter with an id; None if it is not in the book."""
        for chapter in self.chapters:
            if chapter.id == name:
                return None if chapter.shelf else chapter.number
        number = number_in(name.rstrip("a"))
        return number if number and self.id_of(number) == name else None

    def with_chapters(self, volumes: Mapping[int, int], *, fresh: bool = False) -> ChapterList:
        """Returns the list with these chapters (number to volume) in it.

        One that was not listed keeps the id made from its number, or with `fresh` gets a new one; a
        listed one takes the volume.
        """
        listed = {chapter.number: chapter for chapter in self._in_book()}
        taken = {chapter.id for chapter in self.chapters}
        for number, volume in volumes.items():
            if (known := listed.get(number)) is not None:
                listed[number] = known.model_copy(update={"volume": volume})
                continue
            name = _new_id(taken) if fresh else self.id_of(number)
            taken.add(name)
            listed[number] = ListedChapter(id=name, number=number, volume=volume)
        return self._of(listed.values())

    def renumbered(self, numbers: Mapping[int, int], gone: Iterable[int]) -> ChapterList:
        """Returns the list after a change of plans: new numbers by old ones, and the chapters that
        are no longer planned."""
        left_out = set(gone)
        return self._of(
            chapter.model_copy(update={"number": numbers.get(chapter.number, chapter.number)})
            for chapter in self._in_book()
            if chapter.number not in left_out
        )

    def _of(self, chapters: Iterable[ListedChapter]) -> ChapterList:
        shelved = (chapter for chapter in self.chapters if chapter.shelf)
        return ChapterList(
            chapters=tuple(sorted((*chapters, *shelved), key=lambda c: (c.number, c.shelf)))
        )


def _new_id(taken: set[str]) -> str:
    """Returns an unused id that no number gives: it has a letter."""
    while True:
        name = f"c{secrets.token_hex(2)}"
        if name not in taken and number_in(name) is None and not name.endswith("a"):
            return name
