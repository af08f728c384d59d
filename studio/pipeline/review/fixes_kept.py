"""Whether a fix may stay in the text unattended: its measures, its content, and the judgement of a
second reader (PROSE 3).
"""

from __future__ import annotations

from studio.messages import said
from studio.pipeline.review.second_reader import is_allowed, second_reading
from studio.pipeline.stage import Work
from studio.story.review.directive import Directive
from studio.story.review.operations import OPERATIONS
from studio.story.review.surgery import SurgeryResult
from studio.text.content import contradictions
from studio.text.guard import guarded_names
from studio.text.oracle.fix_effect import (
    crossed_limits,
    difference_words,
    is_writers_own,
    own_effect,
    weighed_words,
)

NO_ANSWER = said("the second reader gave no usable answer")
NOT_MEASURED = said("no measure speaks for it, and no model could read it beside the old text")


def is_unattended(directive: Directive, review: str) -> bool:
    """Whether nobody asked for this very fix and nobody will look at it before it stays."""
    if directive.accepted_by == "name":
        return False
    return review == "accept" or directive.accepted_by == "mode"


async def examine(
    work: Work, directive: Directive, result: SurgeryResult
) -> tuple[SurgeryResult, list[str]]:
    """Returns the result with the second reader's judgement, and the reasons why the fix may not
    stay, one sentence each.

    A fix that the measures or the clauses rule out is not read first. The writer's own words are
    measured and not read, because they are hers.
    """
    reasons = _measured_reasons(directive, result)
    if is_writers_own(directive):
        return result, reasons
    reasons += _content_reasons(work, directive, result)
    if reasons:
        return result, reasons
    reading = await second_reading(work, directive, result)
    if reading is None:
        return result, _without_a_reader(result)
    refused = [
        difference_words(d)
        for d in reading.differences
        if not is_allowed(directive, d, work.run.pack, result.before)
    ]
    if not refused and not reading.consent:
        refused = [weighed_words(reading)] if reading.better else [NO_ANSWER]
    return result.model_copy(update={"reader": reading}), refused


def _measured_reasons(directive: Directive, result: SurgeryResult) -> list[str]:
    reasons: list[str] = []
    own = next((c for c in result.metrics if c.metric == directive.metric), None)
    seen = own is None or not own.counted or own.before > 0  # else the measure saw no fault
    by_others = directive.edited_text is None
    if seen and directive.metric and result.helped is not True and by_others:
        reasons.append(
            said("{effect}, which it was to improve", effect=own_effect(directive, result))
        )
    return reasons + [
        said("{measure} got worse, past its limit", measure=words)
        for words in crossed_limits(result)
    ]


def _content_reasons(work: Work, directive: Directive, result: SurgeryResult) -> list[str]:
    run = work.run
    names = guarded_names(work.prompt_blocks.names(), run.current.text, result.after, run.pack)
    demand, corrects = directive.demand, OPERATIONS[directive.type].may_change_what_is_named
    wording = demand.wording if corrects else demand.named_in(result.before)
    return list(contradictions(result.before, result.after, run.pack, names, wording))


def _without_a_reader(result: SurgeryResult) -> list[str]:
    """Returns why a fix may not stay if no model can read: it stays only if its own measure
    improved and its content did not change."""
    if result.helped is not True:
        return [NOT_MEASURED]
    lost = said("nobody could read it beside the old text, and it lost: {words}")
    added = said("nobody could read it beside the old text, and it added: {words}")
    return [
        *(lost.with_values(words=words) for words in result.lost),
        *(added.with_values(words=words) for words in result.added),
    ]
