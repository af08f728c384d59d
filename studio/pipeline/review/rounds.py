"""Rounds of surgery on one chapter: what was worked on, what recurred, and when to ask (A15).

A round begins when the text is examined (by code, and by the judge if there is one) and ends when
the surgeon has done what was approved of it. The same issue means one type on paragraphs that
overlap.
"""

from __future__ import annotations

from collections.abc import Iterable

from studio.pipeline.chapter.run import ChapterRun
from studio.pipeline.chapter.view import ChapterView
from studio.story.chapter import Chapter
from studio.story.checkpoint import PipelineStage, StageRecord, Trigger, Worked, move
from studio.story.review.directive import Directive
from studio.story.review.passage import PassageLocation
from studio.story.review.scenes_in_text import TextScenes
from studio.story.review.stale_directives import placed_in
from studio.story.status import IN_TEXT_STATUSES, DirectiveStatus

MOST_ROUNDS = 3
"""Rounds of surgery before the writer is asked (seed A15)."""
MOST_TIMES = 3
"""Times the same issue may recur before the writer is asked (seed A15)."""


def worked_on(run: ChapterRun, directive: Directive, *, changed: bool) -> None:
    """Counts one attempt at a directive, once per round, even if a kill cut it short and it is
    repeated."""
    entry = Worked(
        type=directive.type,
        location=directive.location,
        round=run.sheet().round,
        changed=changed,
    )
    if entry not in run.checkpoint.worked:
        run.save(worked=(*run.checkpoint.worked, entry))


def times_worked(worked: Iterable[Worked], directive: Directive) -> int:
    """Returns how often the surgeon has worked on the same issue: one type, a paragraph in
    common."""
    return sum(
        entry.type is directive.type and _share(entry.location, directive.location)
        for entry in worked
    )


def paragraphs_changed(worked: Iterable[Worked]) -> set[tuple[int, int]]:
    """Returns scene and number of every paragraph that a rewrite changed."""
    return {
        (entry.location.scene_number, number)
        for entry in worked
        if entry.changed
        for number in range(entry.location.paragraph_start, entry.location.paragraph_end + 1)
    }


def without_scenes(
    worked: Iterable[Worked], scenes: TextScenes, numbers: Iterable[int]
) -> tuple[Worked, ...]:
    """Returns what still counts when scenes of the text are drafted again; no numbers means all
    are."""
    again = set(numbers)
    return tuple(w for w in worked if again and scenes.number_at(w.location) not in again)


def ask_again_after_stop(run: ChapterRun) -> None:
    """Opens the question again that a new draft was the answer to, where the writer stops that
    draft while the chapter is still what it was: she may have thought better of it. The same
    answer goes on with what was drafted."""
    revision = run.checkpoint.revision
    if revision is None or revision.asked is None or not run.lap:
        return
    if run.text is None or run.lineage.writer_done("draft", run.lap):
        return
    question = revision.asked
    of_gate = question.kind == "gate"
    run.save(
        laps=run.lap - 1,
        revision=None,
        revision_count=run.checkpoint.revision_count - of_gate,
        pipeline_stage=PipelineStage.JUDGED if of_gate else PipelineStage.GATED,
        orchestrator_state=move(run.checkpoint, Trigger.REVISED).orchestrator_state,
        answers=tuple(a for a in run.checkpoint.answers if a.id != question.id),
        pending_decision=question,
    )


def round_of(run: ChapterRun) -> int:
    """Returns the number of the round that begins when the text is examined now."""
    return max((entry.round for entry in run.checkpoint.worked), default=0) + 1


def decided_before(run: ChapterRun, chapter: Chapter) -> tuple[Directive, ...]:
    """Returns what stays on the sheet when the text is read again, at its present place.

    What the writer has decided since the draft stays whatever became of its passage, and keeps its
    number; so does a proposal that she has not decided on, while its passage stands: only what code
    counts is counted anew. From an earlier draft, and from the committed chapter under review, the
    fixes that are still in the text stay, so that each can still be undone alone, and those that
    were taken back, where their passage stands as it was: each can go in again.
    """
    staged = run.staged.sheet()
    if staged is not None and is_second_reading(run):
        placed = placed_in(staged, chapter).directives
        return tuple(d for d in placed if d.status is not DirectiveStatus.PENDING or is_open(d))
    sheet = staged if run.checkpoint.worked else run.store.directives(run.chapter)
    if sheet is None:
        return ()
    placed = placed_in(sheet, chapter).directives
    return tuple(
        d
        for d in placed
        if (d.status in IN_TEXT_STATUSES and d.stands != "gone")
        or (d.status is DirectiveStatus.UNDONE and d.stands == "same" and not d.is_withdrawn)
        or (d.is_withdrawn and d.stands == "same" and run.is_attended)
    )


def is_open(directive: Directive) -> bool:
    """Whether a proposal of an earlier reading still waits for the writer, about words that
    stand."""
    is_undecided = directive.status is DirectiveStatus.PENDING
    return is_undecided and directive.origin != "code" and directive.stands == "same"


def is_second_reading(run: ChapterView) -> bool:
    """Whether the chapter has been judged since it was last drafted, even in other words."""
    judgement = run.records.newest("judge")
    return judgement is not None and judgement.lap >= run.lineage.drafted_in


def taken_ids(run: ChapterRun, staying: Iterable[Directive], chapter: Chapter) -> set[str]:
    """Returns the ids that no new proposal may get: those that stay, and those of an earlier
    reading, so that a number never means two things. A reading that a kill cut short, of this very
    text, gives its numbers again."""
    used_ids = {d.id for d in staying}
    sheet = run.staged.sheet()
    made_from = (sheet.made_from_sha256 or sheet.source_sha256) if sheet is not None else None
    if sheet is not None and made_from != chapter.sha256 and is_second_reading(run):
        used_ids |= {d.id for d in (*sheet.directives, *sheet.beyond)}
    return used_ids


def next_round(run: ChapterRun) -> bool:
    """Whether the text is to be read again by itself: the surgeon has changed it in this round,
    and `[review] rounds` allows another (seed A15, WRITING 4)."""
    number = run.sheet().round
    text_changed = any(entry.round == number and entry.changed for entry in run.checkpoint.worked)
    return text_changed and number < run.settings.review.rounds


def may_look_again(run: ChapterRun) -> bool:
    """Whether another round may be asked for: the text has changed since it was last examined.
    What she changed herself may be read again as often as she likes, where a model reads."""
    if run.lineage.overtaken("judge") is not None:
        return can_be_judged(run)
    number = run.sheet().round
    text_changed = any(entry.round == number and entry.changed for entry in run.checkpoint.worked)
    return text_changed and number < MOST_ROUNDS


def can_be_judged(run: ChapterView) -> bool:
    """Whether a model is there that judges; without one the code measures alone."""
    return run.profile is not None and run.profile.judges


def look_again(run: ChapterRun) -> None:
    """Records that the writer wants the text as it is now measured and judged again."""
    run.record(run.records.look_again(run.current.sha256))


def reading_of(run: ChapterView) -> str:
    """Returns what sets a question about this text apart from the one before the writer had this
    very text read again; empty where she did not."""
    text, record = run.text, run.records.newest("judge", run.lap)
    if text is None or record is None or record.input_sha256 != text.sha256:
        return ""
    return "read again" if run.records.look_again_at == text.sha256 else ""


def asked_to_look_again(run: ChapterRun, judgement: StageRecord) -> bool:
    """Whether the writer asked for a new judgement of this text that has not been made yet."""
    return run.records.look_again_at == run.current.sha256 != judgement.input_sha256


def _share(one: PassageLocation, other: PassageLocation) -> bool:
    return (
        one.scene_number == other.scene_number
        and one.paragraph_start <= other.paragraph_end
        and other.paragraph_start <= one.paragraph_end
    )
