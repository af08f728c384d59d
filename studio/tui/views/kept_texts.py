"""Earlier and discarded texts of a chapter, one line each. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from studio.story.chapter import Chapter
from studio.tui.views.words import Line, Said

_UNITS = {"ko": "characters", "zh": "characters", "en": "words"}


@dataclass(frozen=True, slots=True)
class KeptText:
    """One text that was kept, with what is needed to find and compare it."""

    chapter: int
    scene: int | None
    """None for a text of the whole chapter."""
    sha256: str
    reason: str
    created_at: str
    text: str
    length: int
    """In the language's units."""

    @property
    def place(self) -> str:
        """What it is a text of."""
        return f"Scene {self.scene}" if self.scene else "Chapter"


def kept_line(kept: KeptText, language: str) -> Line:
    """Of what, when, how long, why."""
    when = kept.created_at[:16].replace("T", " ")
    return (
        Said(f"{kept.place:<9}", "strong"),
        Said(f" {when} ", "quiet"),
        Said(f"{kept.length:>6,} {_UNITS.get(language, 'words')}  ", "accent"),
        Said(kept.reason),
    )


def counterpart(kept: KeptText, present: Chapter | None) -> str:
    """The present text in the place of the kept one; empty where there is none."""
    if present is None:
        return ""
    return present.text if kept.scene is None else present.scene_text(kept.scene)
