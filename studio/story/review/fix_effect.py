"""Numbers as a writer reads them: a share in per cent, money, the rest as short as is honest."""

from __future__ import annotations

from collections.abc import Mapping

from studio.story.review.directive import Directive, DirectiveStatus, MetricChange, SurgeryResult

SHARES = frozenset({"dialogue_ratio", "one_sentence_paragraphs", "opening_share", "length_growth"})
"""Metrics whose value is a part of one."""


def figure(metric: str, value: float) -> str:
    """`7.2`, `0.89`, `4.3 %`; never rounded up to a whole number it has not reached, for
    thresholds are whole numbers (4.996 passes where 5 does not)."""
    if metric in SHARES:
        return f"{_short(value * 100, 1)} %"
    return _short(value, 2)


def dollars(usd: float | None) -> str:
    """`$0.0421`; a price that is not known is never nothing."""
    return "unknown" if usd is None else f"${usd:.4f}"


def _short(value: float, digits: int) -> str:
    rounded = round(value, digits)
    if rounded == int(rounded) and abs(value - rounded) > 1e-9:
        return f"{value:.4g}"
    return f"{rounded:.{digits}f}".rstrip("0").rstrip(".") if rounded % 1 else f"{rounded:.0f}"


METRIC_WORDS: Mapping[str, str] = {
    "sensory_grounding": "senses",
    "filter_word_density": "filter words",
    "same_ending_run": "sentences in a row that end alike",
    "same_opening_run": "sentences in a row that begin alike",
    "dialogue_ratio": "share of dialogue",
    "sentence_length_cv": "sentence variety",
    "paragraph_length_cv": "paragraph variety",
    "repetition": "repeated phrases",
    "adverb_density": "adverbs",
    "cliche_density": "clichés",
    "leaked_meta": "words about the work",
    "same_subject_run": "sentences in a row about the same subject",
    "opening_share": "sentences that begin with the same word",
    "one_sentence_paragraphs": "paragraphs of one sentence",
    "repetition_across": "phrases repeated from other chapters",
    "echoes": "echoes of earlier chapters",
    "contrast_density": "“not this but that”",
    "dash_density": "dashes",
    "bookism_density": "speech tags other than said",
    "length_growth": "growth in length",
}
"""What a writer calls each measure."""


def metric_words(metric: str) -> str:
    """A measure by the name a writer calls it; one nobody named by its id, as words."""
    return METRIC_WORDS.get(metric, metric.replace("_", " "))


def worth_keeping(directive: Directive, result: SurgeryResult) -> bool:
    """Its own metric improved (where it has one) and no other crossed its threshold."""
    own_helped = result.helped is True or directive.metric is None or directive.edited_text
    crossed = [c for c in result.metrics if c.better is False and not c.slight]
    return bool(own_helped) and not crossed


def proposes_old_text(directive: Directive) -> bool:
    """Whether the measures speak for the text before the fix, and its words are not the
    writer's own."""
    result = directive.result
    if result is None or directive.edited_text is not None:
        return False
    return not worth_keeping(directive, result)


def goes_back(directive: Directive) -> bool:
    """Whether the commit takes a fix back unless the writer keeps it: the measures speak for the
    old text, and she accepted it in a batch or by mode. Hers by name stay, and so do those whose
    file does not say how they were accepted: nothing is undone on a guess."""
    return directive.accepted_by in ("batch", "mode") and proposes_old_text(directive)


def statement(directive: Directive) -> str:
    """What a fix did to the measures, as one plain sentence; empty without a result.
    Of what is settled it asks nothing.

    `filter words 7.2 to 3.1; sentence variety fell 0.41 to 0.33: keep?`
    """
    result = directive.result
    if result is None:
        return ""
    told = [_own(c) for c in result.metrics if c.metric == directive.metric]
    told += [_other(c) for c in result.metrics if c.metric != directive.metric]
    told += [f"changed: {fact}" for fact in result.facts]
    said = "; ".join(told) or "nothing here can be counted; read both"
    if proposes_old_text(directive):
        return f"{said}: the old text is better by these numbers"
    settled = directive.status in (DirectiveStatus.KEPT, DirectiveStatus.UNDONE)
    return said if settled else f"{said}: keep?"


def _own(change: MetricChange) -> str:
    name = _name(change)
    if change.better is None and change.before == change.after:
        return f"{name} still {figure(change.metric, change.after)}"
    return f"{name} {_course(change)}"


def _other(change: MetricChange) -> str:
    way = "rose" if change.after > change.before else "fell"
    over = "" if change.slight else ", past its limit"
    return f"{_name(change)} {way} {_course(change)}{over}"


def _course(change: MetricChange) -> str:
    return f"{figure(change.metric, change.before)} to {figure(change.metric, change.after)}"


def _name(change: MetricChange) -> str:
    return metric_words(change.metric)
