"""Whether a fix may stay in the text unattended: its measures, its content, and the judgement of a
second reader (PROSE 3).
"""

from __future__ import annotations

from collections.abc import Mapping

from studio.messages import said
from studio.pipeline.chapter.run import ChapterRun
from studio.pipeline.judging.measures import metrics_of
from studio.pipeline.review.second_reader import is_allowed, second_reading
from studio.pipeline.stage import Work
from studio.story.chapter import Chapter
from studio.story.review.directive import Directive, DirectiveType
from studio.story.review.operations import OPERATIONS
from studio.story.review.surgery import MetricChange, SurgeryResult
from studio.text.content import contradictions
from studio.text.guard import guarded_names
from studio.text.metrics.measure import Metric
from studio.text.metrics.metric_kinds import METRICS, direction
from studio.text.oracle.fix_effect import (
    crossed_limits,
    difference_words,
    is_writers_own,
    own_effect,
    weighed_words,
)
from studio.text.pointing import left_pointing
from studio.text.spans import Span


def better_by(metric: str, old: Mapping[str, Metric], new: Mapping[str, Metric]) -> float:
    """Returns how far a metric improved; negative if it got worse, 0 if that cannot be
    determined."""
    if metric not in old or metric not in new:
        return 0.0
    return (new[metric].value - old[metric].value) * direction(metric)


def is_quiet(metric: str, metrics: Mapping[str, Metric]) -> bool:
    """Whether code finds nothing of what a metric counts."""
    if direction(metric) >= 0 or metric not in metrics:
        return False
    return metrics[metric].value <= METRICS[metric].quiet


def aimed_at(directive: Directive, passage: str, run: ChapterRun) -> tuple[Span, ...]:
    """Returns the words of a passage that a directive is to remove: those that its metric counts
    there, if less of it is better."""
    metric = directive.metric
    if metric is None or direction(metric) >= 0:
        return ()
    marked = metrics_of(run, Chapter(passage)).get(metric)
    return tuple(Span(place.start, place.end) for place in marked.spans) if marked else ()


def is_cut_by_code(directive: Directive) -> bool:
    """Whether a directive names by itself what is to go: what code found goes, exactly."""
    return directive.type is DirectiveType.CUT and directive.origin == "code"


_NOTICEABLE = 0.1
"""The share of its value by which another measure must get worse before it is reported."""
_VARIETY = "sentence_length_cv"
_FEWEST_SENTENCES = 4
"""Sentences of a passage below which their variety is not meaningful."""
_SENSES = ("sensory_grounding", "sensory_share")
"""What says nothing of a fix that is not about it: prose of machines touches more senses than that
of people, and a sentence less in a short chapter moves the share by a tenth (PROSE 0.7)."""


def metric_changes(
    run: ChapterRun, directive: Directive, before: str, after: str, chapter: Chapter
) -> tuple[MetricChange, ...]:
    """Returns the changes from `before` to `after` (a passage) and from the current text to
    `chapter`.

    The target metric and the variety of sentences are measured in the passage, where a reader hears
    them; all others in the whole chapter, where a single word cannot make a density jump. So is
    what a cut by code aims at, which is a fault by where it stands: a paragraph is doubled beside
    its first.
    """
    old, new = metrics_of(run, Chapter(before)), metrics_of(run, Chapter(after))
    whole_old, whole_new = metrics_of(run, run.current), metrics_of(run, chapter)
    changes = []
    if directive.metric is not None:
        own = (whole_old, whole_new) if is_cut_by_code(directive) else (old, new)
        changes = [_own(directive.metric, *own)]
    others = [name for name in whole_new if name not in (directive.metric, *_SENSES)]
    crossed = [name for name in others if _crosses(whole_old[name], whole_new[name])]
    changes += [_worse(name, whole_old, whole_new) for name in crossed]
    for name in others:
        passage = name == _VARIETY and min(old[name].n, new[name].n) >= _FEWEST_SENTENCES
        was, now = (old, new) if passage else (whole_old, whole_new)
        if name not in crossed and _slips(name, was, now):
            changes.append(_worse(name, was, now, slight=True))
    return tuple(changes)


def _own(name: str, old: Mapping[str, Metric], new: Mapping[str, Metric]) -> MetricChange:
    """Returns the change of the metric that a fix targets, in its passage; for a density, the
    number of its findings."""
    gain = better_by(name, old, new)
    before, after = old[name].value, new[name].value
    counted = name in METRICS and METRICS[name].unit == "density"
    if counted:
        before, after = float(len(old[name].spans)), float(len(new[name].spans))
        gain = (after - before) * direction(name)
    return MetricChange(
        metric=name,
        before=before,
        after=after,
        better=None if gain == 0 else gain > 0,
        counted=counted,
    )


def _worse(
    name: str, old: Mapping[str, Metric], new: Mapping[str, Metric], slight: bool = False
) -> MetricChange:
    """Returns the change of a measure that got worse; for a density, its number of findings if
    that says the same."""
    before, after = old[name].value, new[name].value
    finds = float(len(old[name].spans)), float(len(new[name].spans))
    is_density = name in METRICS and METRICS[name].unit == "density"
    counted = is_density and (finds[1] - finds[0]) * direction(name) < 0
    if counted:
        before, after = finds
    return MetricChange(
        metric=name, before=before, after=after, better=False, slight=slight, counted=counted
    )


def _crosses(old: Metric, new: Metric) -> bool:
    return new.ok is False and old.ok is True


def _slips(name: str, old: Mapping[str, Metric], new: Mapping[str, Metric]) -> bool:
    loss = -better_by(name, old, new)
    return loss > 0 and loss >= _NOTICEABLE * abs(old[name].value)


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
    measured and not read, because they are hers; nor is a cut of the very words that she accepted
    to go: that the text is without them is what she wanted.
    """
    reasons = _measured_reasons(directive, result)
    if is_writers_own(directive):
        return result, reasons
    reasons += _content_reasons(work, directive, result)
    if reasons or directive.is_cut_as_approved:
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
    return result.copy_with(reader=reading), refused


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
    reasons = [*contradictions(result.before, result.after, run.pack, names, wording)]
    at, text = directive.location, run.current.text
    passage = run.current.passage(at.scene_number, at.paragraph_start, at.paragraph_end)
    if passage:
        ahead, behind = text[: passage[0].start], text[passage[-1].end :]
        reasons += left_pointing(ahead, result.before, result.after, behind, run.pack)
    return reasons


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
