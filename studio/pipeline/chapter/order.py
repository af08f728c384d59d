"""What the writer asks for when she writes, resumes or reviews a chapter."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from studio.story.chapter import Chapter
from studio.story.status import ReviewMode


@dataclass(frozen=True, slots=True)
class WriteOrder:
    """One order. Without a chapter it is about the one in work, else the next."""

    chapter: int | None = None
    review: ReviewMode = "ask"
    direction: str = ""
    draft: Path | str | None = None
    """Her own chapter: a file, or the text itself."""
    typed: bool = False
    """Whether she wrote that chapter in the studio's own editor."""
    scene: int | None = None
    """The one scene to draft, or to draft again."""
    goes_on: bool = False
    """Whether that scene goes on from its last word; without a scene, the one in progress."""
    again: bool = False
    several: bool = False
    """Whether this chapter is one of a number that she does not sit by (`--count`)."""
    puts_by: str = ""
    """The id of a question that proposes something for the book and that she answers later: it
    waits, and the chapter begins."""
    text: str | None = None
    """Her own chapter as it goes into the novel, once it was read."""

    def replaces(self, standing: Chapter) -> bool:
        """Whether her own chapter takes the place of a text that never went into the book, and
        nobody needs to ask: the editor asked, or it is that very text."""
        own = self.text
        return own is not None and (self.typed or own == standing.spread_out().text)
