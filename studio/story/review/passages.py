"""The address of a passage: consecutive paragraphs of one scene, written `2.3` or `2.3-2.5`."""

from __future__ import annotations

import re
from typing import NamedTuple

from studio.errors import usage
from studio.messages import said
from studio.story.chapter import Chapter, Paragraph

_WRITTEN = re.compile(r"(\d+)\.(\d+)(?:\s*[-–]\s*(?:(\d+)\.)?(\d+))?")


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
