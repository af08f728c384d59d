"""The wire types of structured calls, which models are asked to return.

They are looser than the types of the files. Ranges, lengths and patterns cannot be expressed on the
wire (sdk-notes), so each entry is checked here when it is converted to a value of the story, and an
invalid entry is dropped with a reason instead of failing the run.
"""

from __future__ import annotations

import re
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from studio.story.review.directive_type import DirectiveType
from studio.story.review.evaluation import Confidence, Layer
from studio.story.review.surgery import DifferenceKind
from studio.story.state import OpKind


class Wire(BaseModel):
    """Extra keys from a model are ignored, not refused."""

    model_config = ConfigDict(frozen=True, extra="ignore", defer_build=True, strict=False)

    DISPENSABLE: ClassVar[tuple[str, ...]] = ()
    """Lists that are usable without a malformed entry (E6); a warning names the dropped entry."""


class JudgedScore(Wire):
    """A score from 1 to 5 with its reason."""

    score: float = Field(description="1 (poor) to 5 (excellent); halves are allowed")
    reason: str = Field(description="one sentence that quotes or names what decided it")
    scene: int | None = Field(description="the scene it is about, or null for the whole chapter")


class JudgedScores(Wire):
    """The eight judgements of a chapter."""

    plot_logic: JudgedScore
    character: JudgedScore
    immersion: JudgedScore
    style_naturalness: JudgedScore
    foreshadowing: JudgedScore
    pacing: JudgedScore
    emotional_impact: JudgedScore
    storyline_coherence: JudgedScore


class JudgedViolation(Wire):
    """A broken contract."""

    layer: Layer
    confidence: Confidence
    rule: str = Field(description="the rule that is broken, in its own words")
    quote: str = Field(description="the exact words of the chapter that break it")
    explanation: str
    scene: int | None


class JudgedLocation(Wire):
    """Paragraph numbers within a scene, both ends included, from 1."""

    sceneNumber: int
    paragraphStart: int
    paragraphEnd: int


class JudgedDirective(Wire):
    """One passage-level change the judge proposes."""

    type: DirectiveType
    priority: int = Field(description="1 (most urgent) to 10")
    location: JudgedLocation
    issue: str = Field(description="what is wrong in this passage")
    currentText: str = Field(description="words copied exactly from the passage")
    instruction: str = Field(description="what to change, concretely")
    maxScope: int = Field(description="how many paragraphs may change, 1 to 5")

    @field_validator("type", mode="before")
    @classmethod
    def _written_otherwise(cls, kind: Any) -> Any:
        """Accepts a type in capitals, or with spaces and underscores for its hyphens."""
        return re.sub(r"[\s_-]+", "-", kind.strip().lower()) if isinstance(kind, str) else kind


class JudgedTransitions(Wire):
    """The steps from moment to moment and scene to scene, judged by themselves."""

    score: float = Field(description="1 (poor) to 5 (excellent); halves are allowed")
    reason: str = Field(description="one sentence that names the decisive step")
    issues: list[str] = Field(description="each step at which a reader is lost, in one sentence")


class JudgedFinding(Wire):
    """The judge's answer to one finding of code's."""

    finding: int = Field(description="its number in `findings`")
    answer: Literal["confirm", "refuse", "replace"]
    reason: str = Field(description="for refuse and replace: why, in one sentence; else empty")


class JudgedCounsel(Wire):
    """Help that is no fix."""

    kind: Literal["decide", "advice"]
    issue: str = Field(description="what the author should know, in one or two sentences")
    options: list[str] = Field(description="for decide: two to four ways, none written out")
    scene: int | None
    quote: str = Field(description="for decide: words copied exactly from the chapter, or empty")


class JudgedEnd(Wire):
    """The last page."""

    hook: bool = Field(description="whether it makes a reader turn the page")
    reason: str = Field(description="one sentence that names what pulls, or what closes too much")


class JudgeAnswer(Wire):
    """The quality oracle's whole answer."""

    DISPENSABLE = ("directives", "counsel", "findings")

    scores: JudgedScores
    violations: list[JudgedViolation]
    directives: list[JudgedDirective]
    reader_experience: str = Field(description="what reading this chapter was like")
    counsel: list[JudgedCounsel] = []
    findings: list[JudgedFinding] = []
    prose_issues: list[str] = Field(
        default=[], description="what is wrong with the prose, each in one sentence with its words"
    )
    voice_drifts: list[str] = Field(
        default=[], description="each place where somebody slips out of their voice, with its words"
    )
    transitions: JudgedTransitions | None = None
    chapter_end: JudgedEnd | None = None


class ReadDifference(Wire):
    """One thing in which two versions of a passage tell a different story."""

    kind: DifferenceKind
    one: str = Field(description="words copied exactly from passage 1, or empty")
    two: str = Field(description="words copied exactly from passage 2, or empty")


class ReaderAnswer(Wire):
    """The second reader's whole answer. Nothing in it can be left out: a difference that cannot be
    read must not count as none."""

    differences: list[ReadDifference]


class SummaryOp(Wire):
    """One change of the story state."""

    op: OpKind
    path: str = Field(description="category.id.field, or the promise's id for foreshadow")
    value: str | float | bool | None = None
    quote: str = Field(default="", description="for foreshadow: exact words that show it")


class SummaryMention(Wire):
    """Something from outside the chapter's own storyline."""

    entity: str
    storyline_id: str | None
    quote: str
    leak: bool


class SummaryName(Wire):
    """Who or what a new id of the ops stands for."""

    id: str = Field(description="an id of the ops that is not among the entity-ids")
    name: str = Field(description="the name in the language of the book")


class SummaryAnswer(Wire):
    """The summarizer's whole answer."""

    DISPENSABLE = ("ops", "crossref", "names")

    summary: str = Field(description="what happens, for a reader who must write the next chapter")
    ops: list[SummaryOp]
    crossref: list[SummaryMention]
    memory: str = Field(description="what this storyline must remember from now on")
    names: list[SummaryName] = Field(
        default_factory=list, description="the name of each new id, in the language of the book"
    )


class DecomposedScene(Wire):
    """A scene as a model divides the author's plan, with what it adds."""

    units: list[int] = Field(description="the numbers of the plan's units that this scene tells")
    purpose: str = Field(
        description="what this scene tells, where it shares a unit with another or has none"
    )
    pov: str | None
    location: str | None
    characters: list[str]
    entry_emotion: str
    exit_emotion: str
    peak_moment: str
    sensory_anchors: list[str]
    dialogue_goals: list[str]
    transition_from: str
    transition_to: str
    exemplar_tags: list[str]
    emotional_tone: str


class QuestionsAnswer(Wire):
    """What a model has to ask before a chapter is drafted."""

    questions: list[str] = Field(description="at most three; usually none")


class ScenesAnswer(Wire):
    """A chapter broken into scenes by the plot architect."""

    scenes: list[DecomposedScene]
