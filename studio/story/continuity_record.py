"""evaluations/continuity.json: what a model found contradictory, and which texts it read."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from studio.story.continuity import ContinuityFinding
from studio.story.form.document import Document, Value
from studio.story.form.ids import Sha256


class ChapterRead(Value):
    """A chapter as it was when it was read."""

    chapter: int = Field(ge=1)
    sha256: Sha256


class ContinuityRecord(Document):
    """What the last readings by a model left; what code finds is never stored."""

    SCHEMA: ClassVar[str] = "continuity"

    chapters: tuple[ChapterRead, ...] = ()
    findings: tuple[ContinuityFinding, ...] = ()
    model: str = ""
    created_at: str = ""

    def sha_of(self, chapter: int) -> str | None:
        """The text a chapter had when it was read; None where it was not."""
        return next((read.sha256 for read in self.chapters if read.chapter == chapter), None)
