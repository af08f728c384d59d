"""Who and what from other storylines a chapter mentions, and whether it tells too much."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from studio.story.document import Document, Value
from studio.story.ids import Sha256, Slug


class Mention(Value):
    """One entity or storyline outside the chapter's own line."""

    entity: Slug
    storyline_id: Slug | None = None
    quote: str = ""
    leak: bool = False
    """True when the chapter reveals what its storyline must not know."""


class Crossref(Document):
    """state/crossref/chapter-NNN-crossref.json."""

    SCHEMA: ClassVar[str] = "crossref"

    chapter: int = Field(ge=1)
    storyline_id: Slug
    source_sha256: Sha256
    made_from_sha256: Sha256 | None = None
    mentions: tuple[Mention, ...] = ()
