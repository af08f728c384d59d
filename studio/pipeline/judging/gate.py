"""The gate: from scores and violations to where the chapter goes next (seed B5, D3).

Pure. Bands are half-open: 4.0 passes, 3.99 is polished.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from studio.messages import said
from studio.quotation_marks import put_in_quotes
from studio.story.review.evaluation import (
    DEFAULT_WEIGHTS,
    LOW_BELOW,
    SCORE_NAMES,
    GateResult,
    GateVerdict,
    Scores,
    Violation,
)
from studio.story.review.scores import score_words
from studio.text.prose.answer import excerpt

PASS_AT = 4.0
POLISH_AT = 3.5
REVISE_AT = LOW_BELOW
PAUSE_AT = 2.0
WEAK_SCORE = 3.5
"""The score below which its scene is named for a revision."""

TOO_SMALL = said(
    "The chapter is not judged: a judge has to see all of it and every rule it is held to, and the"
    " model's window of {window} tokens is too small for that."
)
"""Why a model that could judge has not."""

_MOST_RULES, _LONGEST_RULE = 8, 200
"""The most broken rules named as reasons, and characters of each."""

_SEVERITY = [
    GateVerdict.PASS,
    GateVerdict.POLISH,
    GateVerdict.REVISE,
    GateVerdict.PAUSE,
    GateVerdict.REWRITE,
]

_BY_SCENES = (GateVerdict.REVISE, GateVerdict.PAUSE)
"""Verdicts after which some scenes may be drafted again while the others stay."""


def overall_score(scores: Scores, weights: Mapping[str, float] | None = None) -> float:
    """Returns the weighted mean of the eight scores, 1 to 5, rounded to four places.

    Rounding makes eight scores of 4 exactly 4.0, and not a hair below the band.
    """
    in_force = weights or DEFAULT_WEIGHTS
    total = math.fsum(in_force[name] for name in SCORE_NAMES)
    weighted = math.fsum(score.score * in_force[name] for name, score in scores.items())
    return round(weighted / total, 4)


def band(overall: float) -> GateVerdict:
    """Returns the verdict of the score alone."""
    if overall >= PASS_AT:
        return GateVerdict.PASS
    if overall >= POLISH_AT:
        return GateVerdict.POLISH
    if overall >= REVISE_AT:
        return GateVerdict.REVISE
    if overall >= PAUSE_AT:
        return GateVerdict.PAUSE
    return GateVerdict.REWRITE


@dataclass(frozen=True, slots=True)
class GateInput:
    """Everything that the gate considers."""

    scores: Scores | None
    overall: float | None
    violations: tuple[Violation, ...] = ()
    revisions_done: int = 0
    revisions_allowed: int = 2
    polished: bool = False
    unpolished: str = ""
    """Why nobody polishes the chapter, in words for the end of a sentence; empty if somebody
    does."""
    own_text: bool = False
    scene_count: int = 1
    warnings: tuple[str, ...] = ()
    """What was said beside the scores: remarks of plugins, and `TOO_SMALL` where it holds."""


def judge_gate(facts: GateInput) -> GateResult:
    """Returns where the chapter goes, why, and which scenes are to be drafted again."""
    if facts.overall is None or facts.scores is None:
        beginning = TOO_SMALL.partition("{")[0]
        faults = tuple(warning for warning in facts.warnings if warning.startswith(beginning))
        why = faults or (said("no model was there to judge the chapter"),)
        return GateResult(verdict=GateVerdict.UNJUDGED, reasons=why)
    high = [v for v in facts.violations if v.forces]
    verdict = band(facts.overall)
    reasons: list[str] = [said("overall {overall} of 5", overall=score_words(facts.overall))]
    if high:  # a broken law is named before any number
        broken = [
            said("{layer}: {rule}", layer=v.layer, rule=_with_what_breaks_it(v))
            for v in high[:_MOST_RULES]
        ]
        reasons = [*broken, *reasons]
        reasons += (
            [said("{n} rules are broken in all", n=len(high))] if len(high) > _MOST_RULES else []
        )
        verdict = max(verdict, GateVerdict.REVISE, key=_SEVERITY.index)
    if verdict is GateVerdict.POLISH and facts.own_text:
        reasons.append(said("your own text is not polished by a model"))
        verdict = GateVerdict.PASS
    elif verdict is GateVerdict.POLISH and (facts.polished or facts.unpolished):
        reasons.append(said("polished once already") if facts.polished else facts.unpolished)
        verdict = GateVerdict.PASS
    if _no_revision_is_left(verdict, facts):
        return _after_the_last_revision(facts, bool(high), reasons)
    scenes = _scenes_to_redraft(facts) if verdict in _BY_SCENES else ()
    return GateResult(verdict=verdict, reasons=tuple(reasons), scenes=scenes)


def _with_what_breaks_it(violation: Violation) -> str:
    """Returns the words that break a rule, and the rule, which alone would not tell a reader what
    is wrong: the words first, for what stands last is below the edge of a small screen."""
    if not violation.quote.strip():
        return violation.rule[:_LONGEST_RULE]
    quote = put_in_quotes(excerpt(violation.quote, _LONGEST_RULE // 2))
    return f"{quote} – {excerpt(violation.rule, _LONGEST_RULE // 2).rstrip('.。')}"


def _no_revision_is_left(verdict: GateVerdict, facts: GateInput) -> bool:
    """Whether the verdict asks for a revision of drafted text and none is left."""
    redrafts = verdict in (GateVerdict.REVISE, GateVerdict.REWRITE)
    return redrafts and not facts.own_text and facts.revisions_done >= facts.revisions_allowed


def _after_the_last_revision(facts: GateInput, high: bool, reasons: list[str]) -> GateResult:
    assert facts.overall is not None
    count = said("{n} revisions did not lift it", n=facts.revisions_done)
    if facts.overall >= REVISE_AT and not high:
        return GateResult(
            verdict=GateVerdict.PASS,
            force_passed=True,
            reasons=(*reasons, said("{count}; good enough to go on", count=count)),
        )
    scenes = _scenes_to_redraft(facts)
    return GateResult(verdict=GateVerdict.PAUSE, reasons=(*reasons, count), scenes=scenes)


def _scenes_to_redraft(facts: GateInput) -> tuple[int, ...]:
    """Returns the scenes named by a violation or a weak score; empty means all (DESIGN section
    4)."""
    weak_scenes: set[int | None] = {v.scene for v in facts.violations if v.state == "stands"}
    if facts.scores is not None:
        weak_scenes |= {
            score.scene for _, score in facts.scores.items() if score.score < WEAK_SCORE
        }
    return tuple(sorted(n for n in weak_scenes if n is not None and 1 <= n <= facts.scene_count))
