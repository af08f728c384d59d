"""Whether a fix may stay in the text while nobody looks: what it is measured by, what it says, and
what a second reader says of it (PROSE 3)."""

from __future__ import annotations

from studio.pipeline.review.second_reader import allowed, second_reading
from studio.pipeline.stage import Work
from studio.story.review.directive import Directive
from studio.story.review.surgery import SurgeryResult
from studio.text.content import contradictions
from studio.text.guard import guarded_names
from studio.text.oracle.fix_effect import (
    crossed_limits,
    difference_words,
    is_writers_own,
    own_effect,
)

NO_ANSWER = "the second reader gave no usable answer"
NOT_MEASURED = "no measure speaks for it, and no model could read it beside the old text"


def is_unattended(directive: Directive, review: str) -> bool:
    """Whether nobody has asked for this very fix and nobody will look before it stays."""
    if directive.accepted_by == "name":
        return False
    return review == "accept" or directive.accepted_by == "mode"


async def examined(
    work: Work, directive: Directive, result: SurgeryResult
) -> tuple[SurgeryResult, list[str]]:
    """The result with what a second reader says, and why the fix may not stay, a sentence each.

    What the measures or the clauses rule out is not read first. The writer's
    own words are measured and not read: they are hers.
    """
    reasons = _measured_reasons(directive, result)
    if is_writers_own(directive):
        return result, reasons
    reasons += _content_reasons(work, result)
    if reasons:
        return result, reasons
    reading = await second_reading(work, directive, result)
    if reading is None:
        return result, _without_a_reader(result)
    refused = [difference_words(d) for d in reading.differences if not allowed(directive, d)]
    reasons = refused or ([] if reading.consent else [NO_ANSWER])
    return result.model_copy(update={"reader": reading}), reasons


def _measured_reasons(directive: Directive, result: SurgeryResult) -> list[str]:
    reasons = []
    if directive.metric is not None and result.helped is not True and not directive.edited_text:
        reasons.append(f"{own_effect(directive, result)}, which it was to improve")
    return reasons + [f"{words} got worse, past its limit" for words in crossed_limits(result)]


def _content_reasons(work: Work, result: SurgeryResult) -> list[str]:
    run = work.run
    names = guarded_names(work.material.names(), run.current.text, result.after, run.pack)
    return list(contradictions(result.before, result.after, run.pack, names))


def _without_a_reader(result: SurgeryResult) -> list[str]:
    """Where no model can read only a fix stays whose own measure improved and whose content did
    not change."""
    if result.helped is not True:
        return [NOT_MEASURED]
    lost = [f"nobody could read it beside the old text, and it lost: {w}" for w in result.lost]
    added = [f"nobody could read it beside the old text, and it added: {w}" for w in result.added]
    return lost + added
