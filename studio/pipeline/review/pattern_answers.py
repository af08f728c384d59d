"""The writer's answer at a place of a pattern: taken, left, or a directive (PROSE 0.1).

A pattern by itself changes nothing, in no review mode: only what she takes or makes a directive of
goes to the surgeon.
"""

from __future__ import annotations

from typing import Literal

from studio.errors import usage
from studio.messages import said, series
from studio.pipeline.review.choice_answers import (
    ChapterReview,
    OwnFix,
    add_fix,
    keep_counsel,
    review_of,
)
from studio.project.commit.writing import hold_for_writing
from studio.project.store import ProjectStore
from studio.story.chapter import Paragraph
from studio.story.review.directive import DirectiveType
from studio.story.review.evaluation import Counsel, PlaceAnswer, PlaceAnswered
from studio.story.review.passage import Passage
from studio.story.review.passages_in_changed_text import SearchableChapter, place
from studio.story.status import DirectiveStatus

PatternWay = Literal["take", "leave", "make"]
TYPES = (DirectiveType.CLICHE_REPLACEMENT, DirectiveType.CUT, DirectiveType.RHYTHM_VARIATION)
"""What a place of a pattern can be made: other words, nothing, or another rhythm."""
_ANSWERS: dict[PatternWay, PlaceAnswer] = {
    "take": "taken",
    "leave": "left",
    "make": "directive",
}
_INSTRUCTION = said(
    "Say it without “{words}”, which this chapter has {count} times; change nothing else."
)
_OF_FORM = said(
    "Build it without this form: {words}. The chapter has {count}; change nothing else."
)


def answer_pattern(
    store: ProjectStore,
    words: str,
    places: tuple[int, ...],
    way: PatternWay,
    kind: DirectiveType | None = None,
    instruction: str = "",
) -> Counsel:
    """Answers some places (from 1; none: all that are open) of the pattern of these `words` in the
    chapter in work.

    `take` makes each an accepted directive, `make` one that is still to be decided on, of the given
    type and with the given instruction or with the usual ones. Returns the pattern as it is now.
    StudioError: 3 if the novel is locked; 2: no chapter under review, no such pattern or place, an
    answered or vanished one, a type that no pattern has, or a passage that she keeps as it is.
    """
    with hold_for_writing(store):
        return _answered(store, words, places, way, kind, instruction)


def _answered(
    store: ProjectStore,
    words: str,
    places: tuple[int, ...],
    way: PatternWay,
    kind: DirectiveType | None,
    instruction: str,
) -> Counsel:
    review = review_of(store)
    counsel = review.evaluation.counsel
    pattern = next((c for c in counsel if c.kind == "pattern" and c.words == words), None)
    if pattern is None:
        raise usage(said("There is no such pattern."), said("`studio directives list`."))
    if kind is not None and kind not in TYPES:
        raise usage(
            said("A place of a pattern cannot become {type}.", type=kind.value),
            said("Use {types}.", types=series(one.value for one in TYPES)),
        )
    wanted = places or tuple(
        n for n in range(1, len(pattern.places) + 1) if pattern.answered(n) is None
    )
    answers = list(pattern.answers)
    for number in wanted:
        _check(pattern, number)
    for number in wanted:
        directive_made = (
            None if way == "leave" else _make(review, pattern, number, way, kind, instruction)
        )
        answers.append(PlaceAnswered(place=number, answer=_ANSWERS[way], directive=directive_made))
        review = review_of(store)
    now = pattern.model_copy(update={"answers": tuple(sorted(answers, key=lambda a: a.place))})
    keep_counsel(review, tuple(now if c is pattern or c == pattern else c for c in counsel))
    return now


def _check(pattern: Counsel, number: int) -> None:
    if not 1 <= number <= len(pattern.places):
        raise usage(
            said("“{words}” has no place {number}.", words=pattern.words, number=number),
            said("It has {count}.", count=len(pattern.places)),
        )
    if pattern.answered(number) is not None:
        raise usage(said("Place {number} has been answered.", number=number))


def _make(
    review: ChapterReview,
    pattern: Counsel,
    number: int,
    way: PatternWay,
    kind: DirectiveType | None,
    instruction: str,
) -> str:
    """Adds a directive about a place to the sheet; returns its id."""
    paragraph = paragraph_of(review, pattern.places[number - 1])
    is_turn = pattern.words in paragraph.text
    asked = _INSTRUCTION if is_turn else _OF_FORM
    fix = OwnFix(
        kind or (DirectiveType.CLICHE_REPLACEMENT if is_turn else DirectiveType.RHYTHM_VARIATION),
        pattern.issue,
        instruction.strip() or said(asked.id, words=pattern.words, count=pattern.count),
        (pattern.words,) if is_turn else (),
    )
    status = DirectiveStatus.ACCEPTED if way == "take" else DirectiveStatus.PENDING
    return add_fix(review, paragraph, fix, status)


def paragraph_of(review: ChapterReview, passage: Passage) -> Paragraph:
    """Returns the paragraph that a place of a pattern is now; StudioError 2 if it is gone."""
    placed = place(passage, passage.opens, SearchableChapter(review.chapter))
    if placed.stands == "gone":
        raise usage(said("“{words}” is no longer in the text.", words=passage.opens))
    return placed.paragraphs[0]
