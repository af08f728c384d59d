"""Where the words a directive quotes stand in the text on the screen. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from studio.tui.views.marks import Evidence

if TYPE_CHECKING:
    from studio.story.chapter import Chapter
    from studio.story.directive import Directive


def evidence_in(chapter: Chapter | None, directive: Directive) -> Iterator[Evidence]:
    """Every place of the quoted words within the directive's own paragraphs."""
    at = directive.location
    if chapter is None or directive.result is not None:
        return
    for paragraph in chapter.passage(at.scene_number, at.paragraph_start, at.paragraph_end):
        for words in set(directive.evidence) - {""}:
            start = paragraph.text.find(words)
            while start >= 0:
                end = start + len(words)
                yield Evidence(paragraph.scene, paragraph.number, start, end)
                start = paragraph.text.find(words, end)
