"""What the writer asks for when she writes, resumes or reviews a chapter."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

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
    again: bool = False
    text: str | None = None
    """Her own chapter as it goes into the novel, once `draft` has been read."""
