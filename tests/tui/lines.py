"""The text of lines of the screen, and a directive to be rendered as lines."""

from __future__ import annotations

import re
from collections.abc import Iterable

from studio.story.review.directive import Directive, DirectiveType
from studio.story.review.passage import PassageLocation
from studio.tui.views.words import Line


def words_of(lines: Iterable[Line]) -> str:
    """Returns the text of the lines, one per line."""
    return "\n".join("".join(piece.text for piece in line) for line in lines)


def without_frames(words: str) -> str:
    """Returns words of a screen or of a command in one line."""
    return " ".join(re.sub(r"[^\w\s.,:;()“”’-]", " ", words).split())


def directive(
    number: int = 1, first: int = 1, last: int | None = None, **more: object
) -> Directive:
    """Returns a proposal to cut these paragraphs of the first scene."""
    return Directive(
        id=f"dir_cut_{number:03d}",
        type=DirectiveType.CUT,
        priority=3,
        location=PassageLocation(
            scene_number=1, paragraph_start=first, paragraph_end=last or first
        ),
        issue="설명이 되풀이된다.",
        current_text="그는 다시 말했다.",
        instruction="删去重复的一句。",
        max_scope=1,
        **more,
    )
