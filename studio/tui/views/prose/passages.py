"""The paragraphs and words of the displayed text that a directive or a choice refers to. Pure
functions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from studio.errors import StudioError
from studio.story.review.directive import Directive, Unplaced
from studio.story.review.passage import read_place
from studio.story.status import IN_TEXT_STATUSES
from studio.tui.views.prose.marks import ParagraphRange, QuotedSpan

if TYPE_CHECKING:
    from studio.story.chapter import Chapter, Paragraph
    from studio.story.review.evaluation import Counsel
    from studio.tui.views.review.plain_names import FixOrProposal


class About(NamedTuple):
    """The marks of a directive or a choice: its paragraphs and the words quoted from them."""

    passage: ParagraphRange
    words: tuple[QuotedSpan, ...] = ()


def about(chapter: Chapter | None, change: FixOrProposal) -> About | None:
    """Returns the passage of a directive or a proposal, and the words that a directive quotes; None
    where the passage is gone. Once its fix is in the text, the quoted words are gone and only the
    passage is returned."""
    at = change.location
    if change.stands == "gone" or at is None:
        return None
    passage = ParagraphRange(at.scene_number, at.paragraph_start, at.paragraph_end)
    quotes = change.evidence if isinstance(change, Directive) else ()
    if chapter is None or change.status in IN_TEXT_STATUSES:
        return About(passage)
    words = [
        span
        for paragraph in chapter.passage(*passage)
        for quote in dict.fromkeys(quotes)
        for span in _places_of_quote(paragraph, quote)
    ]
    return About(passage, tuple(words))


def place_of_offer(chapter: Chapter | None, lost: Unplaced) -> About | None:
    """Returns the passage that a judge's label names for what could not be placed; None if the
    chapter has no such passage, or the label is none."""
    try:
        at = read_place(lost.label)
    except StudioError:
        return None
    return About(ParagraphRange(*at)) if chapter is not None and chapter.passage(*at) else None


def place_of_counsel(chapter: Chapter | None, counsel: Counsel) -> About | None:
    """Returns the place that a choice quotes; None if it quotes nothing of the text."""
    if chapter is None or not counsel.quote.strip():
        return None
    from studio.pipeline.judging.placement import paragraph_of_choice

    paragraph = paragraph_of_choice(chapter, counsel)
    if paragraph is None:
        return None
    here = ParagraphRange(paragraph.scene, paragraph.number, paragraph.number)
    return About(here, tuple(_places_of_quote(paragraph, counsel.quote)))


def _places_of_quote(paragraph: Paragraph, quote: str) -> Iterator[QuotedSpan]:
    """Yields every place in a paragraph that matches the quote, whatever its typography."""
    from studio.pipeline.judging.placement import places_of

    for start, end in places_of(paragraph.text, quote):
        yield QuotedSpan(paragraph.scene, paragraph.number, start, end)
