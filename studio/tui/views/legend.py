"""The meaning of every mark, badge, word and figure of a screen, for the help page. Pure
functions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from studio.i18n import N_, _, translate
from studio.messages import Said
from studio.story.review.directive import NAMES
from studio.tui.action import Where
from studio.tui.views import signs
from studio.tui.views.review.plain_names import MEANINGS
from studio.tui.views.signs import Sign
from studio.tui.views.words import Line, Phrase, line, pad

_CELLS = 14
"""The width of the column of marks, in cells."""


class LegendSection(NamedTuple):
    """The signs of one part of a screen."""

    heading: str
    signs: Sequence[Sign]


def _signs_of(words: Mapping[str, tuple[str, str]]) -> tuple[Sign, ...]:
    """Converts badges or troubles to signs."""
    return tuple(Sign(drawn, meaning, "warn") for drawn, meaning in words.values())


_STEPS = LegendSection(
    N_("On the line of steps"),
    (signs.DONE, signs.ACTIVE, signs.SKIPPED, signs.FAILED, *signs.STAGE_FIGURES),
)
_DIFF = LegendSection(N_("Where two texts are compared"), signs.DIFF)
_REVIEW = (
    LegendSection(
        N_("How a proposal stands"),
        (*signs.STATUSES.values(), signs.WORDS_IN_TEXT, signs.STILL, signs.PASSAGE_GONE),
    ),
    LegendSection(
        N_("Beside the proposals"),
        (
            signs.UNPLACED,
            signs.CHOICE,
            signs.ANSWERED,
            signs.PATTERN,
            signs.ADVICE,
            signs.SHARED,
            signs.EDITS,
            signs.BEYOND,
            signs.BEFORE_AFTER,
            *signs.REVIEW_FIGURES,
            signs.PASSAGE,
            signs.LOCKED,
        ),
    ),
    LegendSection(
        N_("What they are about"),
        tuple(Sign(NAMES[kind], meaning) for kind, meaning in MEANINGS.items()),
    ),
    _DIFF,
)
_OUTLINE = (
    LegendSection(
        N_("Before a title"),
        (
            *(signs.PLANNED, signs.DRAFTING, signs.WAITING, signs.IN_BOOK, signs.DAMAGED),
            signs.ADDS,
        ),
    ),
    LegendSection(N_("Left of that"), (signs.OPENED, signs.FOLDED)),
    LegendSection(
        N_("Behind a title"),
        (
            *signs.OUTLINE_FIGURES,
            *(signs.MARKED, signs.STALE, signs.PUBLISHED, signs.TO_PUT_THERE, signs.CUT),
            *_signs_of({str(name): words for name, words in signs.BADGES.items()}),
        ),
    ),
)
_BOARD = (
    LegendSection(
        N_("Chapters"),
        (
            *(signs.WORDS_WRITTEN, signs.WORDS_PLANNED, signs.NO_TEXT, signs.LOOK),
            *(signs.PUBLISHED, signs.TO_PUT_THERE),
            *signs.BOARD_FIGURES,
            *_signs_of({str(name): words for name, words in signs.TROUBLES.items()}),
        ),
    ),
    LegendSection(N_("Promises"), (signs.PLANTED, signs.TOUCHED, signs.PAID, signs.DUE)),
    LegendSection(N_("People and lines"), (signs.PRESENCE, signs.OF_LINE, signs.NO_TEXT)),
)
_TEXT = LegendSection(
    N_("Beside the text"),
    (signs.HERE, signs.REVIEW_FIGURES[0], signs.PASSAGE, signs.LOCKED),
)
LEGENDS: Mapping[Where, tuple[LegendSection, ...]] = {
    "directives": (*_REVIEW, _STEPS),
    "outline": (*_OUTLINE, _STEPS),
    "text": (_TEXT, _DIFF),
    "board": _BOARD,
    "page": (LegendSection(N_("Before a measure"), signs.MEASURE),),
}
"""The legend of each place; the screen of the desk uses that of the pane with the focus."""


def legend_lines(places: Sequence[Where], *, ascii_only: bool = False) -> Iterator[Line]:
    """Yields the legend of these places; nothing where there is none."""
    for section in (part for place in places for part in LEGENDS.get(place, ())):
        yield line(_(section.heading), "strong")
        for sign in section.signs:
            mark = sign.draw(ascii_only)
            mark = translate(mark) if isinstance(mark, Said) else _(mark)
            yield (
                Phrase(f"  {pad(mark, _CELLS)} ", sign.tone),
                Phrase(_(sign.meaning), "plain"),
            )
        yield line()
