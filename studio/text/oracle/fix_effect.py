"""The effect of a fix on the metrics, and whether its text or the old one is proposed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from studio.messages import join, said
from studio.quotation_marks import put_in_quotes
from studio.story.review.directive import Directive
from studio.story.review.surgery import (
    Better,
    Difference,
    DifferenceKind,
    MetricChange,
    SecondReading,
    SurgeryResult,
)
from studio.story.status import DirectiveStatus
from studio.text.metrics.metric_kinds import figure, metric_words
from studio.text.prose.answer import excerpt

_LONGEST = 80
"""The most characters of a clause or a quote in a report; both texts stand beside it."""
_DIFFERENCES: Mapping[DifferenceKind, str] = {
    "event": said("what happens"),
    "person": said("who it is"),
    "place": said("the place"),
    "time": said("the time"),
    "number": said("the number"),
    "denial": said("what is denied"),
    "stance": said("what one feels or means towards another"),
    "address": said("a word that is no part of the story"),
}


def worth_keeping(directive: Directive, result: SurgeryResult) -> bool:
    """Whether the targeted metric improved (if there is one) and no other crossed its threshold."""
    has_helped = result.helped is True or directive.metric is None
    return has_helped and not crossed_limits(result)


def crossed_limits(result: SurgeryResult) -> list[str]:
    """Returns the metrics, in words, that a fix worsened past their limits."""
    crossed = (c for c in result.metrics if c.better is False and not c.slight)
    return [metric_words(change.metric) for change in crossed]


def is_writers_own(directive: Directive) -> bool:
    """Whether the words of a fix are the writer's; a bridge that code proposes has other words."""
    proposed = directive.origin == "code" and directive.accepted_by in ("mode", None)
    return directive.edited_text is not None and not proposed


def proposes_old_text(directive: Directive) -> bool:
    """Whether the metrics favour the old text, and the new words are not the writer's own."""
    result = directive.result
    if result is None or directive.edited_text is not None:
        return False
    return not worth_keeping(directive, result)


def goes_back(directive: Directive) -> bool:
    """Whether the commit undoes a fix unless the writer keeps it: the metrics favour the old text,
    and the fix was accepted in a batch or by mode. Fixes accepted by name stay, and so do those
    whose file does not say how they were accepted: nothing is undone on a guess."""
    return directive.accepted_by in ("batch", "mode") and proposes_old_text(directive)


def statement(directive: Directive) -> str:
    """Returns the effect of a fix on the metrics as one plain sentence; empty without a result.

    A settled fix gets no question.

    `filter words 7.2 to 3.1; sentence variety fell 0.41 to 0.33: keep the fix?`
    """
    result = directive.result
    if result is None:
        return ""
    effects = [own for own in [own_effect(directive, result)] if own]
    effects += [_other(c) for c in result.metrics if c.metric != directive.metric]
    if facts := facts_changed(result):
        effects.append(facts)
    settled = directive.status in (DirectiveStatus.KEPT, DirectiveStatus.UNDONE)
    nothing = said("nothing here can be counted")
    if not settled:
        nothing = said("nothing here can be counted; read both")
    words = join(effects, "; ") or nothing
    if proposes_old_text(directive):
        return said("{words}: the old text is better by these numbers", words=words)
    return words if settled else said("{words}: keep the fix?", words=words)


def facts_changed(result: SurgeryResult) -> str:
    """Returns what the facts guard found changed, in words; empty for nothing."""
    return facts_words(result.facts)


def facts_words(facts: Sequence[str]) -> str:
    """Returns changed facts in one line; empty for none."""
    return said("changed: {facts}", facts=join(facts, ", ")) if facts else ""


def content_words(result: SurgeryResult) -> list[str]:
    """Returns what a fix lost and added of the passage's content, one line each.

    `lost: nobody heard`, `added: the roof / and he fell`
    """
    return content_lines(result.lost, result.added)


def content_lines(lost_clauses: Sequence[str], added_clauses: Sequence[str]) -> list[str]:
    """Returns what was lost and added of a passage's content, one line each."""
    lost = " / ".join(excerpt(clause, _LONGEST) for clause in lost_clauses)
    added = " / ".join(excerpt(clause, _LONGEST) for clause in added_clauses)
    return [
        line
        for line, what in (
            (said("lost: {clauses}", clauses=lost), lost),
            (said("added: {clauses}", clauses=added), added),
        )
        if what
    ]


def reader_words(result: SurgeryResult) -> list[str]:
    """Returns the second reader's verdict and differences, one line each, if there was one."""
    reading = result.reader
    if reading is None:
        return []
    verdict = said("lets it stand") if reading.consent else said("does not let it stand")
    seen = [difference_words(difference) for difference in reading.differences]
    preference = [weighed_words(reading)] if reading.better else []
    return [verdict, *seen, *preference]


_WEIGHED: Mapping[Better, str] = {
    "old": said("not knowing which is new, the reader found the old text better"),
    "new": said("not knowing which is new, the reader found the new text better"),
    "same": said("not knowing which is new, the reader found neither text better"),
}


def weighed_words(reading: SecondReading) -> str:
    """Formats which text a reader found better, and why: `... found the old text better: “The lid
    says it”`. The sentence around it has the stop."""
    assert reading.better is not None
    verdict = _WEIGHED[reading.better]
    if not reading.why:
        return verdict
    return said("{verdict}: {why}", verdict=verdict, why=put_in_quotes(reading.why.rstrip(".。 ")))


def difference_words(difference: Difference) -> str:
    """Formats one difference: `the time: “at dawn” became “at dusk”`."""
    what = _DIFFERENCES[difference.kind]
    if not difference.two:
        return said("{what}: {one} is gone", what=what, one=_quoted(difference.one))
    if not difference.one:
        return said("{what}: {two} is new", what=what, two=_quoted(difference.two))
    return said(
        "{what}: {one} became {two}",
        what=what,
        one=_quoted(difference.one),
        two=_quoted(difference.two),
    )


def _quoted(words: str) -> str:
    return put_in_quotes(excerpt(words, _LONGEST))


def own_effect(directive: Directive, result: SurgeryResult) -> str:
    """Returns the change of the metric a fix targets: `filter words still 12.5`."""
    return next((_own(c) for c in result.metrics if c.metric == directive.metric), "")


def _own(change: MetricChange) -> str:
    """Formats the target's change: `filter words: 3, now none`, `sentence variety 0.2 to 0.6`."""
    name = metric_words(change.metric)
    if change.counted and change.before != change.after:
        if not change.after:
            return said(
                "{measure}: {before}, now none", measure=name, before=f"{change.before:.0f}"
            )
        return said(
            "{measure}: {before}, now {after}",
            measure=name,
            before=f"{change.before:.0f}",
            after=f"{change.after:.0f}",
        )
    before, after = figure(change.metric, change.before), figure(change.metric, change.after)
    if change.better is None and change.before == change.after:
        return said("{measure} still {after}", measure=name, after=after)
    return said("{measure} {before} to {after}", measure=name, before=before, after=after)


def _other(change: MetricChange) -> str:
    name = metric_words(change.metric)
    before, after = figure(change.metric, change.before), figure(change.metric, change.after)
    if change.after > change.before:
        words = said("{measure} rose {before} to {after}", measure=name, before=before, after=after)
    else:
        words = said("{measure} fell {before} to {after}", measure=name, before=before, after=after)
    return words if change.slight else said("{change}, past its limit", change=words)
