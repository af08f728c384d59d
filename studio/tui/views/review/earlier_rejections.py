"""Rejections of earlier rounds whose directives are no longer on the sheet. Pure functions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, groupby
from typing import TYPE_CHECKING, NamedTuple

from studio.i18n import _
from studio.story.review.directive import kind_name
from studio.story.status import DirectiveStatus
from studio.tui.views.review.directive_text import reason_words
from studio.tui.views.signs import STATUSES
from studio.tui.views.words import Line, Phrase, line

if TYPE_CHECKING:
    from studio.story.chapter import Chapter, Paragraph
    from studio.story.review.directive import DirectiveSheet

_LONGEST = 5
"""The greatest number of paragraphs in a passage."""
_REJECTED = STATUSES[DirectiveStatus.REJECTED]


class Rejected(NamedTuple):
    """A rejected proposal that will not be made again."""

    kind: str
    reason: str
    where: str = ""
    """The place of the passage, such as `2.3`; empty if the passage is no longer in the text."""
    words: str = ""


def rejected_before(sheet: DirectiveSheet | None, chapter: Chapter | None) -> tuple[Rejected, ...]:
    """Returns the rejections that are no longer on the sheet, with their passages if still
    present."""
    if sheet is None:
        return ()
    others = [f for f in sheet.rejected if not any(map(f.is_of, sheet.directives))]
    if not others:
        return ()
    places = _passages(chapter, {f.passage_sha256 for f in others})
    return tuple(
        Rejected(kind_name(f.type), f.reason, *places.get(f.passage_sha256, ())) for f in others
    )


def _passages(chapter: Chapter | None, hashes: set[str]) -> dict[str, tuple[str, str]]:
    """Returns the place and the text of passages by their hash."""
    from studio.story.chapter import passage_text, sha256_of

    by_hash: dict[str, tuple[str, str]] = {}
    for passage in _stretches(chapter):
        text = passage_text(passage)
        if (sha256 := sha256_of(text)) in hashes:
            first, last = passage[0], passage[-1]
            to = f"-{last.number}" if len(passage) > 1 else ""
            by_hash.setdefault(sha256, (f"{first.scene}.{first.number}{to}", text))
    return by_hash


def _stretches(chapter: Chapter | None) -> Iterator[tuple[Paragraph, ...]]:
    for _number, scene in groupby(chapter.paragraphs if chapter else (), lambda p: p.scene):
        paragraphs = tuple(scene)
        for start in range(len(paragraphs)):
            rest = ((paragraph,) for paragraph in paragraphs[start : start + _LONGEST])
            yield from accumulate(rest)


def earlier_row(earlier: Sequence[Rejected]) -> Line:
    """Returns the single row for all earlier rejections."""
    return (
        Phrase(f"{_REJECTED.glyph} ", _REJECTED.tone),
        Phrase(_("{count} rejected in earlier rounds", count=len(earlier)), "quiet"),
    )


def earlier_lines(earlier: Sequence[Rejected]) -> Iterator[Line]:
    """Yields each rejection with its reason."""
    mark = Phrase(f"{_REJECTED.glyph} ", _REJECTED.tone)
    yield (mark, Phrase(_("Rejected in earlier rounds"), "strong"))
    yield line(_("They do not come back while their passages stand as they are."), "quiet")
    for one in earlier:
        yield line()
        yield (Phrase(one.kind, "heading"), Phrase(f"  {one.where}" if one.where else "", "quiet"))
        yield line(
            reason_words(one.reason) or _("No reason was given."),
            "accent" if one.reason else "quiet",
        )
        for paragraph in one.words.split("\n\n") if one.words else ():
            yield line(paragraph, "quote")
        if not one.where:
            yield line(_("Its passage is no longer in the text."), "quiet")
