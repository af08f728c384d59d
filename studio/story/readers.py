"""What readers said of a published chapter, as the author pasted it in."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from studio.story.form.document import Document, Value
from studio.story.published import Day


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
