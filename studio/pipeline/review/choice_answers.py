"""The writer's answer to a choice that is hers alone: a fix, a wish, a note, or a waiver.

A fix is a directive of hers on the paragraph the choice quotes, accepted by name. A wish is a
direction for the next draft of the chapter. What is for the next chapter is a direction for that
one. What is to hold always is a guideline for every chapter from then on. A note stands in the text
after that paragraph, where only people read it. A choice that is waived as intended is not raised
again while its words stand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import count, islice, takewhile
from shlex import quote
from typing import Literal, NamedTuple

from studio.errors import none_if_damaged, usage
from studio.messages import said, series
from studio.pipeline.chapter.run import ChapterRun
from studio.pipeline.judging.placement import (
    counsel_in,
    holds,
    paragraph_of_choice,
    places_of,
    still_open,
)
from studio.pipeline.prompting.decided_facts import CHAPTER_HEAD, rows_without
from studio.pipeline.review.decisions import keep_decided, record_change
from studio.pipeline.review.left_open import hers_left_open
from studio.pipeline.review.rounds import is_second_reading
from studio.project import layout as places
from studio.project.author.passage_locks import refuse_locked
from studio.project.author.replace import replace, take_away
from studio.project.commit.writing import hold_for_writing
from studio.project.files import load
from studio.project.history.reasons import Reason
from studio.project.novel_settings import agree_to_decided, is_decided_here
from studio.project.staging import Staging
from studio.project.store import ProjectStore
from studio.story.chapter import Chapter, Paragraph, passage_text, sha256_of
from studio.story.checkpoint import Checkpoint, WaitingOrder
from studio.story.form.document import to_bytes
from studio.story.review.directive import Directive, DirectiveSheet, DirectiveType, directive_id
from studio.story.review.evaluation import (
    ChoiceAnswer,
    Counsel,
    Evaluation,
    PlaceAnswer,
    PlaceAnswered,
)
from studio.story.review.left_open import can_be_answered
from studio.story.review.operations import OPERATIONS, SLICE_PARAGRAPHS
from studio.story.review.passage import Passage, place_of
from studio.story.review.passages_in_changed_text import SearchableChapter, location_of, place
from studio.story.review.stale_directives import relocate, rename
from studio.story.status import IN_TEXT_STATUSES, DirectiveStatus

_TYPE = DirectiveType.FACT_CORRECTION
"""The type of a fix that answers a choice: it settles what is the case, in speech as elsewhere."""

_TAKEN_OUT = frozenset({DirectiveStatus.UNDONE, DirectiveStatus.REJECTED})
"""The statuses of a fix that no longer answers anything."""
_HEAD = "---\nname: Decided\nsticky: true\n---\n"
"""The front matter of the file of what holds always: it is sent whole."""


@dataclass(frozen=True, slots=True)
class ChapterReview:
    """A chapter while one of its choices is answered: the one in work, or one of the book."""

    store: ProjectStore
    staged: Staging
    checkpoint: Checkpoint
    chapter: Chapter
    sheet: DirectiveSheet
    evaluation: Evaluation
    title: str = ""
    """What the book calls the chapter: `Chapter 2: The Cut Page`."""


KeepCounsel = Callable[[ChapterReview, tuple[Counsel, ...]], None]
"""Keeps the choices of a review."""


def answer_choice(
    store: ProjectStore, issue: str, answer: ChoiceAnswer, words: str = "", title: str = ""
) -> Counsel:
    """Answers the open choice with that `issue` in the chapter in work, which the book calls
    `title`; the caller holds the lock.

    `words` are the instruction, the wish, the note, or the reason why the words are intended; only
    the reason may be empty. Returns the updated choice. StudioError 2: no chapter under review, no
    such open choice, no words, or a choice that quotes none of the text where a place is needed.
    """
    return answer_in(review_of(store, title), issue, answer, words, keep_counsel)


def answer_in(
    review: ChapterReview, issue: str, answer: ChoiceAnswer, words: str, keep: KeepCounsel
) -> Counsel:
    """The same in a review at hand; `keep` keeps its choices as they are then."""
    counsel = review.evaluation.counsel
    choice = _open_choice(review, issue)
    said_words = _words_of(answer, words)
    answered_choice = choice.copy_with(answer=answer, answer_words=said_words)
    is_told = answer in ("wish", "next")
    _CARRIED_OUT[answer](review, choice, answered_choice.as_direction if is_told else said_words)
    keep(review, tuple(answered_choice if c is choice else c for c in counsel))
    return answered_choice


def must_take(review: ChapterReview, issue: str, answer: ChoiceAnswer, words: str) -> None:
    """Raises what `answer_in` would refuse an answer with. Changes nothing."""
    choice = _open_choice(review, issue)
    _words_of(answer, words)
    if answer in ("fix", "note"):
        paragraph = _paragraph(review, choice)
        if answer == "fix":
            at = place_of((paragraph,))
            refuse_locked(review.store, review.sheet.chapter, review.chapter, at)


def _open_choice(review: ChapterReview, issue: str) -> Counsel:
    counsel = review.evaluation.counsel
    choice = next(
        (c for c in counsel if c.kind == "decide" and c.answer is None and c.issue == issue), None
    )
    if choice is None:
        raise usage(
            said("There is no such choice, or it has been answered."),
            said("`studio directives list`."),
        )
    return choice


def _words_of(answer: ChoiceAnswer, words: str) -> str:
    said_words = " ".join(words.split())
    if answer != "meant" and not said_words:
        raise usage(said("Say in a few words what you want."))
    return said_words


def take_back_answer(store: ProjectStore, issue: str) -> Counsel:
    """Reopens an answered choice of the chapter in work and undoes what its answer did: the waiting
    fix, the wish, or the note if it still stands. The caller holds the lock.

    StudioError 2: no chapter under review, no such answer, or a fix that is in the text already.
    """
    review = review_of(store)
    return take_back_in(review, find_answered(review, issue), keep_counsel)


def find_answered(review: ChapterReview, issue: str) -> Counsel:
    """Returns the answered choice with that `issue`. StudioError 2 if there is none."""
    counsel = review.evaluation.counsel
    choice = next((c for c in counsel if c.answer is not None and c.issue == issue), None)
    if choice is None:
        raise usage(
            said("There is no such answer to take back."), said("`studio directives list`.")
        )
    return choice


def take_back_in(review: ChapterReview, choice: Counsel, keep: KeepCounsel) -> Counsel:
    """Reopens an answered choice of a review at hand; `keep` keeps its choices as they are then."""
    if choice.answer is not None and (undone := _TAKEN_BACK.get(choice.answer)) is not None:
        undone(review, choice)
    open_again = choice.copy_with(answer=None, answer_words="")
    keep(review, tuple(open_again if c is choice else c for c in review.evaluation.counsel))
    return open_again


def keep_counsel(review: ChapterReview, counsel: tuple[Counsel, ...]) -> None:
    """Keeps the choices as they are answered now; the review's question says how many are open."""
    review.staged.put_evaluation(review.evaluation.copy_with(counsel=counsel))
    sheet = review.staged.sheet() or review.sheet
    checkpoint = review.store.checkpoint()
    keep_decided(review.store, review.staged, checkpoint, sheet, sheet.source_sha256)


def keep_in_book(review: ChapterReview, counsel: tuple[Counsel, ...]) -> None:
    """Keeps the choices of a chapter of the book. With the last answer that it wanted of her its
    mark is gone: what the run tried in vain or took back stays on its page."""
    store, number = review.store, review.sheet.chapter
    before = review.evaluation.left_open
    things_open = (
        *hers_left_open(counsel_in(counsel, review.chapter), review.chapter),
        *(one for one in before if one.kind != "yours"),
    )
    changes = {"counsel": counsel, "left_open": things_open}
    evaluation = review.evaluation.copy_with(**changes)
    replace(store, store.layout.evaluation(number), to_bytes(evaluation), Reason.ANSWER)
    checkpoint = store.checkpoint()
    rest = {*checkpoint.left_open} - {number}
    is_open = can_be_answered(things_open)  # she has been here: what is only told, she has read
    chapters = tuple(sorted({*rest, number} if is_open else rest))
    store.save_checkpoint(checkpoint.copy_with(left_open=chapters))


def with_answers(evaluation: Evaluation, run: ChapterRun) -> Evaluation:
    """Returns a fresh evaluation with the earlier choices whose words still stand in the text, as
    they are answered: what is not answered yet stays open, or is kept as memory where its words
    went from this draft. The same choice, or a new one about the same words, is not raised
    again."""
    staged = run.staged.evaluation()
    earlier = staged or none_if_damaged(lambda: run.store.evaluation(run.chapter))
    if earlier is None or earlier.chapter != evaluation.chapter:
        return evaluation
    asked_again = {c.issue for c in evaluation.counsel}
    sheet = run.staged.sheet()  # where a fix is in the text, what it answers quotes the old words
    in_text = {d.issue for d in (sheet.directives if sheet else ()) if _is_her_fix_in_text(d)}
    stands = [
        c
        for c in earlier.counsel
        if c.answer is not None
        and (
            c.issue in asked_again
            or c.issue in in_text
            or (c.quote and holds(run.current, c.quote, c.elsewhere))
        )
    ]
    patterns = {c.words: c for c in earlier.counsel if c.kind == "pattern" and c.answers}
    is_again = is_second_reading(run)
    waiting = still_open(earlier.counsel, run.current, of_this_draft=staged is None or is_again)
    fresh = [
        _still_answered(c, patterns[c.words]) if c.words in patterns else c
        for c in evaluation.counsel
        if c.kind != "decide"
        or not any(_is_same(run.current, c, old) for old in (*stands, *waiting))
    ]
    gone = [
        c
        for c in counsel_in(earlier.counsel if is_again else (), run.current)
        if c.answer is None and c.stands == "gone" and c.issue not in asked_again
    ]
    return evaluation.copy_with(counsel=(*fresh, *waiting, *gone, *stands))


def _is_her_fix_in_text(directive: Directive) -> bool:
    return directive.origin == "writer" and directive.status in IN_TEXT_STATUSES


def _still_answered(fresh: Counsel, earlier: Counsel) -> Counsel:
    """Returns a pattern that is found again with the answers whose paragraph is unchanged."""
    before = {earlier.places[one.place - 1].paragraphs: one for one in earlier.answers}
    answers = tuple(
        before[passage.paragraphs].copy_with(place=number)
        for number, passage in enumerate(fresh.places, 1)
        if passage.paragraphs in before
    )
    return fresh.copy_with(answers=answers)


def _is_same(chapter: Chapter, one: Counsel, other: Counsel) -> bool:
    if one.issue == other.issue:
        return True
    here = places_of(chapter.text, one.quote) if one.quote else []
    there = places_of(chapter.text, other.quote) if other.quote else []
    return any(a < d and c < b for a, b in here for c, d in there)


def review_of(store: ProjectStore, title: str = "") -> ChapterReview:
    checkpoint = store.checkpoint()
    if checkpoint.inflight_chapter is None:
        raise usage(
            said("No chapter is in progress, so there is nothing to answer."),
            said("`studio write N --again` reviews a chapter of the book anew."),
        )
    staged = store.staging_of(checkpoint.inflight_chapter)
    chapter, sheet, evaluation = staged.text(), staged.sheet(), staged.evaluation()
    if chapter is None or sheet is None or evaluation is None:
        raise usage(
            said("This chapter has no review yet."), said("`studio resume` goes on with it.")
        )
    return ChapterReview(store, staged, checkpoint, chapter, sheet, evaluation, title)


def review_in_book(store: ProjectStore, number: int, title: str = "") -> ChapterReview:
    """Returns the review that a chapter of the book went into it with. StudioError 2 if it has
    none."""
    chapter, sheet = store.chapter(number), store.directives(number)
    evaluation = store.evaluation(number)
    if chapter is None or sheet is None or evaluation is None:
        raise usage(
            said("There is no review of chapter {chapter} in the book.", chapter=number),
            said("`studio write N --again` reviews a chapter of the book anew."),
        )
    staged = store.staging_of(number)
    return ChapterReview(store, staged, store.checkpoint(), chapter, sheet, evaluation, title)


def _fix(review: ChapterReview, choice: Counsel, words: str) -> None:
    fix = OwnFix(_TYPE, choice.issue, words, (choice.quote,))
    add_fix(review, _room_of(review, choice), fix, DirectiveStatus.ACCEPTED)


def _room_of(review: ChapterReview, choice: Counsel) -> tuple[Paragraph, ...]:
    """Returns the paragraphs in which an answer may be carried out: the one that the choice quotes,
    and of those behind it in its scene as many as its type may change and one call holds. What
    somebody answers to a line of speech stands behind it, and not in it. None of them is kept, or
    another fix's, or quoted by another choice: each has its own."""
    first = _paragraph(review, choice)
    scene = review.chapter.scene(first.scene)
    behind = [p for p in scene.paragraphs if p.number > first.number] if scene else []
    free = takewhile(lambda one: _is_free(review, choice, one), behind)
    room = (first, *islice(free, SLICE_PARAGRAPHS - 1))
    row = OPERATIONS[_TYPE]
    return room[: row.count_fitting([len(p.text) for p in room], row.max_scope)]


def _is_free(review: ChapterReview, choice: Counsel, paragraph: Paragraph) -> bool:
    """Whether nothing but this choice is about a paragraph."""
    if review.store.locks().holds_any(review.sheet.chapter, review.chapter, (paragraph,)):
        return False
    here = (paragraph.scene, paragraph.number)
    spans = (d.location for d in review.sheet.directives if d.stands != "gone")
    if any(
        (at.scene_number, at.paragraph_start) <= here <= (at.scene_number, at.paragraph_end)
        for at in spans
    ):
        return False
    others = (c for c in review.evaluation.counsel if c.kind == "decide" and c is not choice)
    return not any(c.quote and places_of(paragraph.text, c.quote) for c in others)


class OwnFix(NamedTuple):
    """A change of a passage that the writer asks for."""

    kind: DirectiveType
    issue: str
    instruction: str
    evidence: tuple[str, ...]


def add_fix(
    review: ChapterReview, passage: tuple[Paragraph, ...], fix: OwnFix, status: DirectiveStatus
) -> str:
    """Adds a directive of the writer's about a passage to the sheet; returns its id.

    An accepted one counts as accepted by name. Raises StudioError (exit 2) for a passage that she
    keeps as it is.
    """
    at = place_of(passage[:1])
    refuse_locked(review.store, review.sheet.chapter, review.chapter, at)
    directive = _directive_of(review, passage, fix, status)
    sheet = review.sheet.copy_with(directives=(*review.sheet.directives, directive))
    keep_decided(review.store, review.staged, review.checkpoint, sheet, sheet.source_sha256)
    return directive.id


def fix_ahead(store: ProjectStore, issue: str, words: str, chapter: int | None) -> Directive:
    """Returns the fix that answering a choice with these words would make, of the chapter in work
    or of another `chapter`; nothing is kept.

    StudioError 2 as in `answer_choice`.
    """
    is_in_book = chapter not in (None, store.checkpoint().inflight_chapter)
    review = review_in_book(store, chapter) if chapter and is_in_book else review_of(store)
    choice = next((c for c in review.evaluation.counsel if c.issue == issue), None)
    if choice is None:
        raise usage(
            said("There is no such choice, or it has been answered."),
            said("`studio directives list`."),
        )
    fix = OwnFix(_TYPE, choice.issue, words or choice.issue, (choice.quote,))
    return _directive_of(review, _room_of(review, choice), fix, DirectiveStatus.ACCEPTED)


def _directive_of(
    review: ChapterReview, passage: tuple[Paragraph, ...], fix: OwnFix, status: DirectiveStatus
) -> Directive:
    used_ids = {d.id for d in (*review.sheet.directives, *review.sheet.beyond)}
    ids = (directive_id(fix.kind, number) for number in count(1))
    text = passage_text(passage)
    directive = Directive(
        id=next(one for one in ids if one not in used_ids),
        type=fix.kind,
        priority=OPERATIONS[fix.kind].priority,
        location=location_of(passage),
        issue=fix.issue,
        current_text=text,
        instruction=fix.instruction,
        max_scope=len(passage),
        source_sha256=sha256_of(text),
        origin="writer",
        evidence=fix.evidence,
        status=status,
        accepted_by="name" if status is DirectiveStatus.ACCEPTED else None,
    )
    return relocate(directive, SearchableChapter(review.chapter))


def _wish(review: ChapterReview, choice: Counsel, words: str) -> None:
    checkpoint, number = review.checkpoint, review.sheet.chapter
    wish = " ".join(filter(None, (checkpoint.direction, words)))
    order = WaitingOrder(chapter=number, direction=wish)  # it outlives a draft that is discarded
    review.store.save_checkpoint(checkpoint.with_order(order).copy_with(direction=wish))


def _next(review: ChapterReview, choice: Counsel, words: str) -> None:
    """Adds the answer to the direction that waits for the next chapter."""
    checkpoint, number = review.store.checkpoint(), review.sheet.chapter + 1
    inflight, last = checkpoint.inflight_chapter, checkpoint.last_completed_chapter
    if not is_next_open(inflight, last, review.sheet.chapter):
        raise usage(
            said("Chapter {chapter} has begun; its own review takes wishes for it.", chapter=number)
        )
    before = checkpoint.order_for(number)
    order = before.copy_with(answers=(*before.answers, words))
    review.store.save_checkpoint(checkpoint.with_order(order))


def is_next_open(inflight: int | None, last: int, chapter: int) -> bool:
    """Whether the chapter behind this one has not begun, so that it still takes a direction."""
    return chapter == (inflight or last) and chapter >= last


def _no_next(review: ChapterReview, choice: Counsel) -> None:
    checkpoint = review.store.checkpoint()
    order = checkpoint.order_for(review.sheet.chapter + 1)
    there = [one for one in (choice.as_direction, choice.answer_words) if one in order.answers]
    if not there:
        return  # she made it part of her own direction, or the chapter has begun with it
    at = order.answers.index(there[0])
    answers = order.answers[:at] + order.answers[at + 1 :]
    order = order.copy_with(answers=answers)
    review.store.save_checkpoint(checkpoint.with_order(order))


def _no_fix(review: ChapterReview, choice: Counsel) -> None:
    """Removes the writer's own fix from the sheet, unless the surgeon has worked on it."""
    sheet = review.sheet
    own = next(
        (
            d
            for d in sheet.directives
            if d.origin == "writer" and d.issue == choice.issue and d.status not in _TAKEN_OUT
        ),
        None,
    )
    if own is None:
        return
    if own.status in IN_TEXT_STATUSES:
        raise usage(
            said("Its fix is in the text. Undo that first."),
            f"`studio directives undo {quote(own.id)}`",
        )
    rest = tuple(d for d in sheet.directives if d is not own)
    fewer = sheet.copy_with(directives=rest)
    keep_decided(review.store, review.staged, review.checkpoint, fewer, sheet.source_sha256)


def _no_wish(review: ChapterReview, choice: Counsel) -> None:
    checkpoint, number = review.checkpoint, review.sheet.chapter
    wish = choice.as_direction
    wishes = [c.as_direction for c in review.evaluation.counsel if c.answer == "wish"]
    rest = without_wish(checkpoint.order_for(number).direction, wish, wishes)
    with_rest = checkpoint.with_order(WaitingOrder(chapter=number, direction=rest))
    direction = without_wish(checkpoint.direction, wish, wishes)
    review.store.save_checkpoint(with_rest.copy_with(direction=direction))


def without_wish(direction: str, wish: str, wishes: Iterable[str] = ()) -> str:
    """Returns a direction without the wish that was appended to it; the same words within another
    of the `wishes`, or in a longer word, are none."""
    longer = [one for one in wishes if wish in one and one != wish]
    within = [span for one in longer for span in _spans(direction, one)]
    for start, end in reversed(_spans(direction, wish)):
        if not any(first <= start and end <= last for first, last in within):
            parts = (direction[:start].strip(), direction[end:].strip())
            return " ".join(filter(None, parts))
    return direction


def _spans(direction: str, wish: str) -> list[tuple[int, int]]:
    """Returns where the words of a wish stand in a direction as words of their own."""
    words = rf"(?<!\S){re.escape(wish)}(?!\S)" if wish.strip() else r"(?!)"
    return [match.span() for match in re.finditer(words, direction)]


def _no_note(review: ChapterReview, choice: Counsel) -> None:
    chapter = review.chapter
    for gap in (chapter.newline * 2, chapter.newline):
        note = f"{gap}{_note_of(choice.answer_words)}"
        if note in chapter.text:
            before, _note, after = chapter.text.rpartition(note)
            _put_notes(review, Chapter(before + after))
            return


def _note_of(words: str) -> str:
    return f"%% {words.replace('%%', '%')} %%"


def _note(review: ChapterReview, choice: Counsel, words: str) -> None:
    paragraph = _paragraph(review, choice)
    chapter = review.chapter
    note = f"{chapter.gap_at((paragraph,))}{_note_of(words)}"
    _put_notes(
        review, Chapter(chapter.text[: paragraph.end] + note + chapter.text[paragraph.end :])
    )


def _put_notes(review: ChapterReview, after: Chapter) -> None:
    """Stages a text with the same paragraphs and another note to people in it."""
    chapter, checkpoint = review.chapter, review.checkpoint
    if [p.text for p in after.paragraphs] != [p.text for p in chapter.paragraphs]:
        raise usage(said("A note cannot go here by itself."), said("Ctrl+E opens the text."))
    # No word of the story changes, so everything derived from the text still holds.
    checkpoint = record_change(review.store, checkpoint, chapter, after, guarded=True)
    review.staged.put_text(after.text, Reason.WRITTEN)
    sheet = rename(review.sheet, after.sha256)
    keep_decided(review.store, review.staged, checkpoint, sheet, review.sheet.source_sha256)


def _leave_as_meant(review: ChapterReview, choice: Counsel, words: str) -> None:
    """Does nothing: the answer itself is the whole record."""


def _always(review: ChapterReview, choice: Counsel, words: str) -> None:
    """Adds the answer to the guidelines that whoever writes, judges or mends a chapter is given,
    below the chapter that the question speaks of; an earlier answer to the same holds no more."""
    present = load.text(review.store.root, places.DECIDED) or _HEAD
    before = _row_of(choice, "")
    rows = rows_without(present.rstrip(), lambda row: row.startswith(before))
    chapter = f"{CHAPTER_HEAD}{review.title}"
    if review.title and [row for row in rows if row.startswith(CHAPTER_HEAD)][-1:] != [chapter]:
        rows.append(chapter)
    data = "".join(f"{row}\n" for row in (*rows, _row_of(choice, words))).encode()
    _decide(review.store, data, Reason.ANSWER)


def _decide(store: ProjectStore, data: bytes, reason: Reason) -> None:
    """Writes what was decided for the book; what only her answers made stays known as hers."""
    is_hers = is_decided_here(store.root, store.state_folder)
    replace(store, places.DECIDED, data, reason)
    if is_hers:
        agree_to_decided(store.root, store.state_folder)


def _no_longer(review: ChapterReview, choice: Counsel) -> None:
    present = load.text(review.store.root, places.DECIDED) or ""
    row = _row_of(choice, choice.answer_words)
    if row not in present.splitlines():  # she has changed or deleted it herself
        return
    rest = "".join(f"{line}\n" for line in rows_without(present, row.__eq__))
    if rest.strip() == _HEAD.strip():
        take_away(review.store, places.DECIDED)
    else:
        _decide(review.store, rest.encode(), Reason.ANSWER_TAKEN_BACK)


def _row_of(choice: Counsel, words: str) -> str:
    return f"- {' '.join(str(choice.issue).split())} → {words}"


_CARRIED_OUT: Mapping[ChoiceAnswer, Callable[[ChapterReview, Counsel, str], None]] = {
    "fix": _fix,
    "wish": _wish,
    "next": _next,
    "note": _note,
    "meant": _leave_as_meant,
    "always": _always,
}


_TAKEN_BACK: Mapping[ChoiceAnswer, Callable[[ChapterReview, Counsel], None]] = {
    "fix": _no_fix,
    "wish": _no_wish,
    "next": _no_next,
    "note": _no_note,
    "always": _no_longer,
}


def _paragraph(review: ChapterReview, choice: Counsel) -> Paragraph:
    """Returns the paragraph that holds the words a choice quotes."""
    if choice.quote and (paragraph := paragraph_of_choice(review.chapter, choice)):
        return paragraph
    raise usage(
        said("The words this is about are not in the text."),
        said("Make it a wish for the next draft, or open the text with Ctrl+E."),
    )


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
    now = pattern.copy_with(answers=tuple(sorted(answers, key=lambda a: a.place)))
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
    return add_fix(review, (paragraph,), fix, status)


def paragraph_of(review: ChapterReview, passage: Passage) -> Paragraph:
    """Returns the paragraph that a place of a pattern is now; StudioError 2 if it is gone."""
    placed = place(passage, passage.opens, SearchableChapter(review.chapter))
    if placed.stands == "gone":
        raise usage(said("“{words}” is no longer in the text.", words=passage.opens))
    return placed.paragraphs[0]
