"""A passage of a chapter: its address in one text, and what it is known by in the next."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field, model_validator

from studio.story.form.document import Sparse
from studio.story.form.ids import Sha256
from studio.story.form.seed_value import SeedValue

KNOWN_BY = 40
"""How many characters of a passage's beginning and end it is shown by."""


class PassageLocation(SeedValue):
    """Which paragraphs of which scene; numbers start at 1 and both ends are included."""

    LEFT_OUT: ClassVar[tuple[str, ...]] = ("character_offset",)

    scene_number: int = Field(ge=1)
    paragraph_start: int = Field(ge=1)
    paragraph_end: int = Field(ge=1)
    character_offset: int | None = Field(default=None, ge=0)

    @model_validator(mode="after")
    def _in_order(self) -> PassageLocation:
        if self.paragraph_end < self.paragraph_start:
            raise ValueError(
                f"paragraphEnd {self.paragraph_end} lies before paragraphStart"
                f" {self.paragraph_start}"
            )
        return self

    @property
    def width(self) -> int:
        """The number of paragraphs, both ends included."""
        return self.paragraph_end - self.paragraph_start + 1


class Passage(Sparse):
    """What a passage is known by in a text that has changed since.

    Hashes are those of single paragraphs, without notes to people, in Unicode's composed form,
    without carriage returns and outer white space: a change that no reader sees is none.
    """

    LATER: ClassVar[frozenset[str]] = frozenset({"repeated"})

    paragraphs: tuple[Sha256, ...] = Field(min_length=1)
    before: Sha256 | None = None
    """The paragraph before it in the chapter; None at the beginning, or where it is not known."""
    after: Sha256 | None = None
    """The paragraph after it in the chapter; None at the end, or where it is not known."""
    opens: str = Field(default="", max_length=KNOWN_BY)
    """Its first characters, for people."""
    closes: str = Field(default="", max_length=KNOWN_BY)
    """Its last characters, for people."""
    repeated: bool = False
    """Whether the same characters stood elsewhere in the chapter too: then its words alone do not
    say which of the places is meant."""
