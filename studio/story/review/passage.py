"""A passage of a chapter, identified by its paragraphs."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field, model_validator

from studio.story.form.seed_value import SeedValue


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
