"""The evaluation of a chapter: the judge's answer, the code metrics, the gate's verdict, and the
help that comes of them.

The four kinds of help are kept apart. A fix is a directive: it concerns one passage, and the
surgeon can carry it out. A choice is the author's and has options but no words written for them. A
pattern is what a chapter has far too often, with every place of it; each is hers to take, to leave
or to make a fix of. Advice concerns the whole chapter. Only fixes can be accepted, so `accept
--all` contains nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, Literal

from pydantic import Field

from studio.messages import Said, said
from studio.story.form.document import Document, Sparse, Value, Words
from studio.story.form.ids import Sha256
from studio.story.review.directive import Directive, DirectiveSheet
from studio.story.review.left_open import ChangeMade, LeftOpen
from studio.story.review.passage import Passage
from studio.story.status import APPROVED_STATUSES, OPEN_STATUSES, DirectiveStatus

SCORE_NAMES = (
    "plot_logic",
    "character",
    "immersion",
    "style_naturalness",
    "foreshadowing",
    "pacing",
    "emotional_impact",
    "storyline_coherence",
)
DEFAULT_WEIGHTS: dict[str, float] = dict(
    zip(SCORE_NAMES, (0.18, 0.18, 0.15, 0.15, 0.10, 0.08, 0.08, 0.08), strict=True)
)

Layer = Literal["L1", "L2", "L3", "LS"]
"""World, character, chapter contract, storyline (seed B5)."""
Confidence = Literal["high", "medium", "low"]
_LONGEST_WARNING, _LONGEST_RULE, _LONGEST_QUOTE = 200, 100, 60
_MOST_FAULTS_LEFT = 3
"""The lowest scores of which the review says what is to be better."""


ASKS_BELOW = 4.0
"""The score from which a careful editor would print it: it asks for nothing."""


class Score(Sparse):
    """One of the eight judgements, 1 to 5."""

    LATER: ClassVar[frozenset[str]] = frozenset({"fault"})

    score: float = Field(ge=1, le=5)
    reason: str = ""
    """What decided it, good or bad."""
    fault: str | None = None
    """What is to be better; empty where nothing is, None where the judge was not asked for that
    apart from its reason."""
    scene: int | None = None

    @property
    def to_mend(self) -> str:
        """What is to be better, by the answer's form and never by its words: of a judgement in the
        form before, the reason of a score that asks for something. A reason may be praise."""
        if self.fault is not None:
            return self.fault
        return self.reason if self.score < ASKS_BELOW else ""


ViolationState = Literal["stands", "mended?"]
"""Whether the words that break a rule are still in the text; where they are not, the breach may be
mended, and nobody has read it since (CONTRACTS 7)."""


class Violation(Sparse):
    """A broken contract, with the words that break it."""

    LATER: ClassVar[frozenset[str]] = frozenset({"elsewhere", "state"})

    layer: Layer
    """L1 world, L2 character, L3 chapter contract, LS storyline."""
    confidence: Confidence
    rule: str
    """The rule that is broken."""
    quote: str = ""
    """The words that break it."""
    elsewhere: tuple[Sha256, ...] = ()
    """The paragraphs that said nearly the same when it was read, and are not meant."""
    explanation: str = ""
    scene: int | None = None
    state: ViolationState = "stands"
    """`mended?` where the text was changed since and the words are gone; left out while it
    `stands`."""

    @property
    def forces(self) -> bool:
        """Whether it forces a revision: broken with high confidence, and still there."""
        return self.confidence == "high" and self.state == "stands"


def warning_of(violation: Violation) -> str:
    """Returns the warning text for a violation that does not block the chapter: which rule, where,
    and why, for the reason alone names neither."""
    layer, sure = LAYER_WORDS[violation.layer], CONFIDENCE_WORDS[violation.confidence]
    rule = _cut(violation.rule, _LONGEST_RULE).rstrip(".。 ")
    quote = _cut(violation.quote, _LONGEST_QUOTE)
    why = violation.explanation[:_LONGEST_WARNING]
    if not (quote and rule):
        why = ": ".join(filter(None, (rule or quote, why)))
        return said("{layer}, {sure}: {why}", layer=layer, sure=sure, why=why)
    return said(
        "{layer}, {sure}: {rule} (“{quote}”). {why}",
        layer=layer,
        sure=sure,
        rule=rule,
        quote=quote,
        why=why,
    )


def _cut(words: str, longest: int) -> str:
    row = " ".join(words.split())
    return row if len(row) <= longest else f"{row[: longest - 1]}…"


def _old_warnings_of(violation: Violation) -> tuple[str, ...]:
    """Returns the warning texts as evaluations before this wording have them."""
    why = violation.explanation[:_LONGEST_WARNING]
    layer, sure = LAYER_WORDS[violation.layer], CONFIDENCE_WORDS[violation.confidence]
    return (
        said("{layer}, {sure}: {why}", layer=layer, sure=sure, why=why),
        f"{violation.layer}, {violation.confidence} confidence: {why}",
    )


def notes_beside(violations: Sequence[Violation], warnings: Sequence[str]) -> tuple[str, ...]:
    """Returns the warnings to display beside the violations, without those that repeat one."""
    records = {words for one in violations for words in (warning_of(one), *_old_warnings_of(one))}
    return tuple(warning for warning in warnings if warning not in records)


class Scores(Value):
    """The eight judgements."""

    plot_logic: Score
    character: Score
    immersion: Score
    style_naturalness: Score
    foreshadowing: Score
    pacing: Score
    emotional_impact: Score
    storyline_coherence: Score

    def items(self) -> tuple[tuple[str, Score], ...]:
        """Returns name and score, in the fixed order."""
        return tuple((name, getattr(self, name)) for name in SCORE_NAMES)


class ReferenceRange(Value):
    """What published prose of the language has of a metric, in texts as long as the chapter."""

    p5: float
    """The 5th percentile: one text in twenty has less."""
    p50: float
    """The median: half of the texts have less."""
    p95: float
    """The 95th percentile: one text in twenty has more."""
    n: int = Field(ge=0)
    """The number of passages measured."""


class Measure(Value):
    """One computed metric of the whole chapter (`studio check` has the spans)."""

    value: float
    unit: Words
    n: int = Field(ge=0)
    """How much text the value rests on."""
    threshold: dict[str, float] | None = None
    """The bounds in force, `min` and `max`."""
    ok: bool | None = None
    """Whether it is within them; None where none is in force or the text is too short."""
    reference: ReferenceRange | None = None
    """What published prose has; None where there is none."""
    place: float | None = Field(default=None, ge=0, le=1)
    """The rank of the value in published prose: 0 where all has more, 1 where all has less."""


LAYER_WORDS = {
    "L1": said("A rule of the world"),
    "L2": said("A character"),
    "L3": said("The plan of the chapter"),
    "LS": said("The storyline"),
}
"""The writer's words for the layer that a violation breaks."""
CONFIDENCE_WORDS = {
    "high": said("surely broken"),
    "medium": said("probably broken"),
    "low": said("perhaps broken"),
}


class Assessment(Value):
    """The six headings of the oracle (seed A8): three by code, three by the judge."""

    sensory_grounding: dict[str, Any] = Field(default_factory=dict)
    filter_word_density: dict[str, Any] = Field(default_factory=dict)
    rhythm_variation: dict[str, Any] = Field(default_factory=dict)
    prose_quality: dict[str, Any] = Field(default_factory=dict)
    character_voice: dict[str, Any] = Field(default_factory=dict)
    transition_quality: dict[str, Any] = Field(default_factory=dict)


ChoiceAnswer = Literal["fix", "wish", "next", "note", "meant", "always"]
"""The writer's answer to a choice: a directive, a direction for the next draft, a direction for the
next chapter, a note in the text, nothing because the passage is intended, or a guideline from now
on."""


PlaceAnswer = Literal["taken", "left", "directive"]
"""What the writer made of one place of a pattern: a fix she has accepted, nothing, or a directive
that she still decides on."""


class PlaceAnswered(Value):
    """The writer's answer at one place of a pattern."""

    place: int = Field(ge=1)
    """The number of the place, from 1."""
    answer: PlaceAnswer
    directive: str | None = None
    """The id of the directive that it became."""


class Counsel(Sparse):
    """Help that is no fix: a choice that is the author's, advice on the whole chapter, or a
    pattern, which the chapter has far more often than published prose.

    What the surgeon can do is a directive; nothing here can be accepted or applied.
    """

    MESSAGES: ClassVar[bool] = True
    LATER: ClassVar[frozenset[str]] = frozenset(
        {
            "answer",
            "answer_words",
            "words",
            "count",
            "usual",
            "places",
            "answers",
            "stands",
            "elsewhere",
        }
    )

    kind: Literal["decide", "advice", "pattern"]
    issue: Words = Field(min_length=1)
    """What it is, in a sentence."""
    options: tuple[str, ...] = ()
    """For a choice: the possible ways, none of them written out."""
    scene: int | None = None
    quote: str = ""
    """For a choice, or advice about a rule that is broken: the words of the chapter that it
    concerns."""
    elsewhere: tuple[Sha256, ...] = ()
    """For a choice: the paragraphs that said nearly the same when it was read, and are not
    meant."""
    stands: Literal["same", "gone"] = "same"
    """For a choice: whether its words are in the present text. Gone: kept as memory, not open."""
    origin: Literal["code", "judge"] = "judge"
    answer: ChoiceAnswer | None = None
    """For a choice: the writer's answer; None while it is open."""
    answer_words: str = ""
    """The writer's comment on the answer."""
    words: Words = ""
    """For a pattern: the turn of phrase as the chapter has it, or what the form is called."""
    count: int = 0
    """For a pattern: how often the chapter has it."""
    usual: float = 0.0
    """For a pattern: how many of them a text of this length has in published prose."""
    places: tuple[Passage, ...] = ()
    """For a pattern: every paragraph that has it, in order."""
    answers: tuple[PlaceAnswered, ...] = ()
    """For a pattern: what the writer has said to some of the places."""

    @property
    def waits(self) -> bool:
        """Whether it is a choice that waits for the writer: not answered, and its words there."""
        return self.kind == "decide" and self.answer is None and self.stands != "gone"

    @property
    def as_direction(self) -> str:
        """The answer as whoever writes is told it: one of the ways says nothing without what was
        asked."""
        words = self.answer_words
        if words not in (" ".join(way.split()) for way in self.options):
            return words
        return f"{' '.join(str(self.issue).split())} → {words}"

    def answered(self, place: int) -> PlaceAnswered | None:
        """Returns the answer at a place, counted from 1; None while it is open."""
        return next((one for one in self.answers if one.place == place), None)


_NOT_IN_FORCE = frozenset(
    {
        DirectiveStatus.PENDING,
        DirectiveStatus.REJECTED,
        DirectiveStatus.UNDONE,
        DirectiveStatus.WAIVED,
    }
)
"""The statuses of a fix by which what asked for it is open again."""


def counsel_beside(counsel: Sequence[Counsel], fix: Directive) -> tuple[Counsel, ...]:
    """Returns the choices and patterns beside a fix of the writer's as it is now: what it answers
    is answered while the fix is meant to be in the text, and open again once it is taken back."""
    if fix.origin != "writer":
        return tuple(counsel)
    is_in_force = fix.status not in _NOT_IN_FORCE
    return tuple(_beside(one, fix, is_in_force=is_in_force) for one in counsel)


def _beside(one: Counsel, fix: Directive, *, is_in_force: bool) -> Counsel:
    if one.kind == "decide" and one.issue == fix.issue and one.answer in (None, "fix"):
        answer: ChoiceAnswer | None = "fix" if is_in_force else None
        words = fix.instruction if is_in_force else ""
        return one.copy_with(answer=answer, answer_words=words)
    if one.kind != "pattern" or is_in_force:
        return one
    is_only_proposed = fix.status is DirectiveStatus.PENDING
    left = tuple(
        place
        for place in one.answers
        if place.directive != fix.id or (is_only_proposed and place.answer == "directive")
    )
    return one.copy_with(answers=left)


LOW_BELOW = 3.0
"""An overall score below this marks a chapter that is kept all the same (seed D3)."""


class GateVerdict(StrEnum):
    """Where a chapter goes next (seed D3), plus `unjudged` where no judge was to be had."""

    PASS = "pass"
    POLISH = "polish"
    REVISE = "revise"
    PAUSE = "pause"
    REWRITE = "rewrite"
    UNJUDGED = "unjudged"


class GateResult(Value):
    """The gate's verdict on this text and why."""

    verdict: GateVerdict
    reasons: tuple[Words, ...] = ()
    """Why."""
    scenes: tuple[int, ...] = ()
    """The scenes to redraft on revise; empty means all."""
    force_passed: bool = False
    """Whether it passed only because no revision was left."""
    decided: str = ""
    """The writer's choice, when the gate asked for one."""


class Evaluation(Sparse, Document):
    """evaluations/chapter-NNN-eval.json: the judge's answer and everything code adds."""

    SCHEMA: ClassVar[str] = "evaluation"
    MESSAGES: ClassVar[bool] = True
    LATER: ClassVar[frozenset[str]] = frozenset({"left_open", "changes", "direction"})

    chapter: int = Field(ge=1)
    source_sha256: Sha256
    """The hash of the text that the code metrics were measured on."""
    judged_sha256: Sha256 | None = None
    """The hash of the text that the judge read; None when it was not judged."""
    made_from_sha256: Sha256 | None = None
    judge_model: str | None = None
    """The model that judged; null without a judge, as `scores` and `overall` are."""
    scores: Scores | None = None
    overall: float | None = Field(default=None, ge=1, le=5)
    """The weighted mean of the scores."""
    violations: tuple[Violation, ...] = ()
    """Rules that it breaks."""
    verdict: Literal["PASS", "REVISE"] = "PASS"
    """Whether directives are open; not the gate's verdict."""
    assessment: Assessment = Field(default_factory=Assessment)
    """The findings under six headings; `chapter_end` and the `scenes` of the rhythm are counted,
    `hook` and its `reason` are the judge's."""
    reader_experience: str = ""
    """How it is to read, in the judge's words."""
    counsel: tuple[Counsel, ...] = ()
    """Choices for the author, and advice; fixes are directives."""
    metrics: dict[str, Measure] = Field(default_factory=dict)
    """What code measured, by name."""
    gate: GateResult | None = None
    """What follows from it."""
    warnings: tuple[Words, ...] = ()
    left_open: tuple[LeftOpen, ...] = ()
    """What it went into the book with that nobody was asked about; empty before that."""
    changes: tuple[ChangeMade, ...] = ()
    """What a run that asked nobody took into its text; empty before it is in the book."""
    direction: str = ""
    """What the author wanted of it; empty before it is in the book."""

    @property
    def kept_as_is(self) -> bool:
        """Whether the writer told the gate to take the chapter as it is."""
        return self.gate is not None and self.gate.decided == "keep"

    @property
    def is_passed_on(self) -> bool:
        """Whether the gate's question was answered with what lets the text stand."""
        return self.gate is not None and self.gate.decided in ("keep", "review")

    @property
    def is_low(self) -> bool:
        """Whether the judge scored the chapter too low to be kept without a mark (F7)."""
        return self.overall is not None and self.overall < LOW_BELOW

    @property
    def is_below_a_pass(self) -> bool:
        """Whether the judge would have something better before it is printed."""
        return self.overall is not None and self.overall < ASKS_BELOW

    @property
    def open_high_violations(self) -> tuple[Violation, ...]:
        """The violations that force a revision."""
        return tuple(v for v in self.violations if v.forces)


# The kinds of help


_IN_PLAY = OPEN_STATUSES | APPROVED_STATUSES


@dataclass(frozen=True, slots=True)
class Help:
    """The oracle's help for a chapter, beside the fixes on its sheet."""

    conflicts: tuple[tuple[str, ...], ...] = ()
    """Ids of fixes that share paragraphs: when one is applied, the others are checked again."""
    decide: tuple[Counsel, ...] = ()
    patterns: tuple[Counsel, ...] = ()
    advice: tuple[Counsel, ...] = ()


def help_of(sheet: DirectiveSheet | None, evaluation: Evaluation | None) -> Help:
    """Returns the help in the two files of a chapter, sorted by kind."""
    counsel = evaluation.counsel if evaluation is not None else ()
    return Help(
        conflicts=conflicts(sheet.directives) if sheet is not None else (),
        decide=tuple(c for c in counsel if c.kind == "decide"),
        patterns=tuple(c for c in counsel if c.kind == "pattern"),
        advice=(
            *_breaches(evaluation),
            *_faults_left(evaluation),
            *(c for c in counsel if c.kind == "advice"),
            *_redraft(sheet),
        ),
    )


def conflicts(directives: Iterable[Directive]) -> tuple[tuple[str, ...], ...]:
    """Returns groups of undecided or waiting directives that touch the same paragraphs, in reading
    order; a directive without a conflict is in none."""
    groups: list[tuple[set[tuple[int, int]], list[str]]] = []
    for directive in sorted(directives, key=_reading_order):
        if directive.stands == "gone" or directive.status not in _IN_PLAY:
            continue
        at = directive.location
        paragraphs = {
            (at.scene_number, number) for number in range(at.paragraph_start, at.paragraph_end + 1)
        }
        if groups and groups[-1][0] & paragraphs:
            groups[-1][0].update(paragraphs)
            groups[-1][1].append(directive.id)
        else:
            groups.append((paragraphs, [directive.id]))
    return tuple(tuple(ids) for _, ids in groups if len(ids) > 1)


def _reading_order(directive: Directive) -> tuple[int, int, int, int]:
    at = directive.location
    return (at.scene_number, at.paragraph_start, at.paragraph_end, directive.priority)


def _breaches(evaluation: Evaluation | None) -> Iterable[Counsel]:
    """Yields what the judge holds to break a rule, however sure it is, as long as it stands."""
    for one in evaluation.violations if evaluation is not None else ():
        if one.state == "stands":
            rule = one.rule.rstrip(".。 ")
            issue = said(
                "{layer}, {sure}: {why}",
                layer=LAYER_WORDS[one.layer],
                sure=CONFIDENCE_WORDS[one.confidence],
                why=f"{rule}: {one.explanation}" if one.explanation else one.rule,
            )
            yield Counsel(kind="advice", issue=issue, scene=one.scene, quote=one.quote)


def _faults_left(evaluation: Evaluation | None) -> Iterable[Counsel]:
    """Yields what is to be better in a chapter that its gate let through with less than a pass."""
    if evaluation is None or evaluation.scores is None or evaluation.gate is None:
        return
    if evaluation.gate.verdict is not GateVerdict.PASS or not evaluation.is_below_a_pass:
        return
    rows = [(n, one) for n, one in evaluation.scores.items() if one.score < ASKS_BELOW]
    for name, one in sorted(rows, key=lambda row: row[1].score)[:_MOST_FAULTS_LEFT]:
        if one.to_mend:
            issue = said(
                "{score}: {reason}", score=Said(name.replace("_", " ")), reason=one.to_mend
            )
            yield Counsel(kind="advice", issue=issue, scene=one.scene)


def _redraft(sheet: DirectiveSheet | None) -> Iterable[Counsel]:
    if sheet is not None and sheet.redraft_suggested:
        yield Counsel(
            kind="advice",
            issue=(
                said(
                    "One review cannot hold all that was noticed, over a third of the chapter "
                    "(left out: {suppressed}): a fresh draft may serve it better than many "
                    "repairs.",
                    suppressed=sheet.suppressed,
                )
            ),
            origin="code",
        )
