"""Earlier and discarded texts of a chapter, one line each. Pure functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from studio.i18n import _, translate
from studio.project.clock import local_time
from studio.project.history.reasons import reason_words
from studio.story.chapter import Chapter, passage_text
from studio.story.review.passage import read_place
from studio.text.prose.answer import first_words
from studio.tui.views.lengths import length_words
from studio.tui.views.terms import term
from studio.tui.views.words import Line, Phrase, pad

if TYPE_CHECKING:
    from studio.pipeline.variations import KeptText
    from studio.story.review.scenes_in_text import TextScenes


def kept_line(saved: KeptText) -> Line:
    """Returns the place of a saved text, when, how long and why it was saved, and its first
    words."""
    when = local_time(saved.created_at)
    return (
        Phrase(pad(saved_place(saved), 9), "strong"),
        Phrase(f" {when} ", "quiet"),
        Phrase(f"{length_words(saved.length, saved.unit):>17}  ", "accent"),
        Phrase(translate(term(reason_words(saved.reason)))),
        Phrase(f"  {first_words(saved.text)}", "quiet"),
    )


def saved_place(saved: KeptText) -> str:
    """Returns whether it is the text of a passage, a scene or the chapter."""
    if saved.passage is not None and not saved.is_scene:
        return _("Passage {place}", place=saved.passage)
    return _("Chapter") if saved.scene is None else _("Scene {scene}", scene=saved.scene)


def counterpart(saved: KeptText, present: Chapter | None, planned: TextScenes | None = None) -> str:
    """Returns the present text at the place of the saved one; empty where there is none."""
    if present is None:
        return ""
    if saved.passage is not None and not saved.is_scene:
        passage = present.passage(*read_place(saved.passage))
        return passage_text(passage)
    if saved.scene is None:
        return present.text
    return (
        present.scene_text(saved.scene) if planned is None else planned.text_of(saved.scene) or ""
    )
