"""What code noticed in a text when it was saved, as lines. Pure functions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from studio.i18n import _, as_label, translate
from studio.story.review.directive_words import kind_name
from studio.text.prose.answer import excerpt, put_in_quotes
from studio.tui.views.pages.chapter import measured_lines
from studio.tui.views.review.plain_names import place
from studio.tui.views.words import Line, block, line

if TYPE_CHECKING:
    from studio.pipeline.judging.saved_text import SavedText
    from studio.text.language.packs import Threshold

_QUOTE = 60
"""The number of characters that identify a passage."""


def saved_lines(
    seen: SavedText, seed: Mapping[str, Threshold], language: str, judged_before: bool
) -> Iterator[Line]:
    """Yields the passages to look at, the names in the text, contradictions with the book, and the
    measures; `seed` and `language` are as in `evaluation_lines`. With `judged_before`, the
    evaluation of an older text follows."""
    yield line(_("The text as it was saved; nobody has judged it yet."), "warn")
    yield line()
    yield from block(
        _("Places to look at"),
        [
            f"  {place(d.location)} {as_label(kind_name(d.type))}{translate(d.issue)}"
            f" {put_in_quotes(excerpt(d.current_text, _QUOTE))}"
            for d in seen.directives
        ],
    )
    yield from block(
        _("Contradictions and promises"), [f"  {translate(f.message)}" for f in seen.continuity]
    )
    yield from block(_("Named in it"), [f"  {', '.join(seen.names)}"] if seen.names else [])
    yield from measured_lines(seen.metrics, seed, language)
    yield line()
    if judged_before:
        yield line(_("The evaluation of the text before:"), "warn")
        yield line()
