"""What the author has published: which chapter, where, on which day, and which text it was; and
what readers said of it, as she pasted it in."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from studio.story.chapter_list import ChapterId, Label
from studio.story.form.document import Document, Value
from studio.story.form.ids import Sha256

PlatformName = Annotated[str, Field(min_length=1, max_length=60, pattern=r"^\S(.*\S)?$")]
Day = Annotated[str, Field(pattern=r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$")]


class PublishedMark(Value):
    """One chapter on one platform."""

    chapter: ChapterId
    """Its id, so that the mark stays with it when its number changes."""
    platform: PlatformName
    """Any name; one mark a chapter and platform."""
    at: Day
    """The day on which this text went there."""
    sha256: Sha256
    """The hash of the chapter's file as it went there; history has it."""
    label: Label | None = None
    """What the author called the chapter then, if not by its number."""


class PublishedMarks(Document):
    """published.json. The author says what is in it; the studio publishes nothing."""

    SCHEMA: ClassVar[str] = "published"

    marks: tuple[PublishedMark, ...] = ()

    def with_mark(self, mark: PublishedMark) -> PublishedMarks:
        """Returns the marks with one more, which replaces an earlier one of the same chapter and
        platform."""
        return self.copy_with(marks=(*self.without(mark.chapter, mark.platform).marks, mark))

    def without(self, chapter_id: str, platform: str) -> PublishedMarks:
        """Returns the marks without that of a chapter on a platform."""
        kept_marks = (
            mark for mark in self.marks if (mark.chapter, mark.platform) != (chapter_id, platform)
        )
        return self.copy_with(marks=tuple(kept_marks))


class ReaderComment(Value):
    """One comment, or several in one go."""

    source: Annotated[str, Field(max_length=200)] = ""
    """Where it comes from: a platform, a name."""
    at: Day
    """The day it was made."""
    text: Annotated[str, Field(min_length=1, max_length=20_000)]


class ReaderComments(Document):
    """notes/readers/{id}.json: the comments on one chapter. No drafter ever sees them."""

    SCHEMA: ClassVar[str] = "reader-comments"

    planners: bool = False
    """Whether planners may see them; only the author says so."""
    comments: tuple[ReaderComment, ...] = ()
