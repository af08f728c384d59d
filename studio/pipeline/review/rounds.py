"""Rounds of surgery on one chapter: what was worked on, what came back, and when to ask (A15).

A round begins with a look at the text (by code, and by the judge where one was
asked) and ends when the surgeon has done what was approved of it. The same
issue is one type on paragraphs that overlap.
"""

from __future__ import annotations

from collections.abc import Iterable

from studio.pipeline.chapter.run import ChapterRun
from studio.story.chapter import Chapter
from studio.story.checkpoint import StageRecord, Worked
from studio.story.review.directive import Directive
from studio.story.review.passage import PassageLocation
from studio.story.status import IN_TEXT_STATUSES

MOST_ROUNDS = 3
"""Rounds of surgery before the writer is asked (seed A15)."""
MOST_TIMES = 3
"""Times the same issue may come up before the writer is asked (seed A15)."""
LOOK_AGAIN = "look-again"
"""The answer by which the writer wants this text judged anew."""


def worked_on(run: ChapterRun, directive: Directive, *, changed: bool) -> None:
    """Counts one time of work on a directive; once a round, also where a kill cut it short and it
    is done over."""
    entry = Worked(
        type=directive.type,
        location=directive.location,
        round=run.sheet().round,
        changed=changed,
    )
    if entry not in run.checkpoint.worked:
        run.save(worked=(*run.checkpoint.worked, entry))


def times_worked(worked: Iterable[Worked], directive: Directive) -> int:
    """How often the surgeon has worked on the same issue: one type, a paragraph in common."""
    return sum(
        entry.type is directive.type and _share(entry.location, directive.location)
        for entry in worked
    )


def touched(worked: Iterable[Worked]) -> set[tuple[int, int]]:
    """Scene and number of every paragraph a rewrite went into."""
    return {
        (entry.location.scene_number, number)
        for entry in worked
        if entry.changed
        for number in range(entry.location.paragraph_start, entry.location.paragraph_end + 1)
    }


def without_scenes(worked: Iterable[Worked], scenes: Iterable[int]) -> tuple[Worked, ...]:
    """What remains counted when scenes are drafted again; no scenes means all are."""
    again = set(scenes)
    return tuple(w for w in worked if again and w.location.scene_number not in again)


def round_of(run: ChapterRun) -> int:
    """The number of the round that a look at the text begins now."""
    return max((entry.round for entry in run.checkpoint.worked), default=0) + 1


def fixes_in_the_text(run: ChapterRun, chapter: Chapter) -> tuple[Directive, ...]:
    """Fixes of earlier rounds, or of the committed chapter that is reviewed anew, that are in the
    text, or under a later one that is: they stay on a new sheet, so that each can still be undone
    alone."""
    worked = bool(run.checkpoint.worked)
    sheet = run.staged.sheet() if worked else run.store.directives(run.chapter)
    if sheet is None:
        return ()
    standing: list[Directive] = []
    for directive in reversed(sheet.directives):
        if _stands(directive, chapter, standing):
            standing.insert(0, directive)
    return tuple(standing)


def _stands(directive: Directive, chapter: Chapter, later: Iterable[Directive]) -> bool:
    result = directive.result
    if result is None or directive.status not in IN_TEXT_STATUSES:
        return False
    if not result.after:
        return result.before not in chapter.text
    texts = (chapter.text, *(d.result.before for d in later if d.result))
    return any(result.after in text for text in texts)


def may_look_again(run: ChapterRun) -> bool:
    """Whether another round is left to ask for: the text changed since it was last looked at."""
    number = run.sheet().round
    text_changed = any(entry.round == number and entry.changed for entry in run.checkpoint.worked)
    return text_changed and number < MOST_ROUNDS


def look_again(run: ChapterRun) -> None:
    """Remembers that the writer wants the text as it is now measured and judged anew."""
    run.record(run.records.look_again(run.current.sha256))


def asked_to_look_again(run: ChapterRun, judgement: StageRecord) -> bool:
    """Whether the writer asked for a new judgement of this text, and it was not made yet."""
    return run.records.look_again_at == run.current.sha256 != judgement.input_sha256


def _share(one: PassageLocation, other: PassageLocation) -> bool:
    return (
        one.scene_number == other.scene_number
        and one.paragraph_start <= other.paragraph_end
        and other.paragraph_start <= one.paragraph_end
    )
