"""A passage of a chapter: its address in one text (as the writer gives it: `2.3` or `2.3-2.5`,
consecutive paragraphs of one scene), and what it is known by in the next.
"""

from __future__ import annotations

import re
from typing import ClassVar, NamedTuple

from pydantic import Field, model_validator

from studio.errors import usage
from studio.messages import said
from studio.story.chapter import Chapter, Paragraph, Scene
from studio.story.form.document import SeedValue, Sparse
from studio.story.form.ids import Sha256

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
    """The sha256 of each paragraph, without notes, in Unicode's composed form, without carriage
    returns and outer white space."""
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


_WRITTEN = re.compile(r"(\d{1,9})\.(\d{1,9})(?:\s*[-–]\s*(?:(\d{1,9})\.)?(\d{1,9}))?")


class PassagePlace(NamedTuple):
    """Paragraphs `first` to `last` of a scene, all counted from 1."""

    scene: int
    first: int
    last: int

    def __str__(self) -> str:
        """Returns the address as a writer types it."""
        start = f"{self.scene}.{self.first}"
        return start if self.first == self.last else f"{start}-{self.scene}.{self.last}"

    def within(self, chapter: Chapter, number: int) -> tuple[Paragraph, ...]:
        """Returns the paragraphs in chapter `number`. StudioError (exit 2) unless all exist."""
        passage = chapter.passage(*self)
        if passage:
            return passage
        scene = chapter.scene(self.scene)
        there = (
            said(
                "Scene {scene} has {count} paragraphs.",
                scene=self.scene,
                count=len(scene.paragraphs),
            )
            if scene is not None
            else said("It has {count} scenes.", count=len(chapter.scenes))
        )
        raise usage(
            said("Chapter {number} has no passage {passage}.", number=number, passage=self), there
        )


def place_of(passage: tuple[Paragraph, ...]) -> PassagePlace:
    """Returns the address of these paragraphs of one scene, of which there is at least one."""
    return PassagePlace(passage[0].scene, passage[0].number, passage[-1].number)


def address_of(scene: Scene) -> str:
    """Returns the address of a scene as a writer types a passage; where a break stands in it, that
    of the part before."""
    first = scene.paragraphs[0].scene
    return str(place_of(tuple(p for p in scene.paragraphs if p.scene == first)))


def read_place(words: str) -> PassagePlace:
    """Parses `2.3`, `2.3-2.5` or `2.3-5`. StudioError (exit 2) for anything else."""
    match = _WRITTEN.fullmatch(words.strip())
    if match is not None:
        scene, first = int(match[1]), int(match[2])
        last = int(match[4]) if match[4] else first
        if (match[3] is None or int(match[3]) == scene) and 1 <= first <= last and scene >= 1:
            return PassagePlace(scene, first, last)
    raise usage(
        said("{place} is not a passage.", place=repr(words)),
        said("Write it as 2.3 (scene 2, paragraph 3) or 2.3-2.5; a passage stays in its scene."),
    )
