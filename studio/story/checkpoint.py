"""Where the work stands: the checkpoint, its stage records, and a pending decision."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, ClassVar, Literal

from pydantic import Field

from studio.errors import usage
from studio.story.form.document import Document, Sparse, Value
from studio.story.form.ids import Sha256
from studio.story.life.beginning import Beginning
from studio.story.review.directive_type import DirectiveType
from studio.story.review.passage import PassageLocation
from studio.story.status import PipelineStage as PipelineStage


class OrchestratorState(StrEnum):
    """The seven states of the seed (D2)."""

    INIT = "INIT"
    QUICK_START = "QUICK_START"
    VOL_PLANNING = "VOL_PLANNING"
    WRITING = "WRITING"
    CHAPTER_REWRITE = "CHAPTER_REWRITE"
    VOL_REVIEW = "VOL_REVIEW"
    ERROR_RETRY = "ERROR_RETRY"


DecisionKind = Literal[
    "refine",
    "gate",
    "review",
    "breaker",
    "conflict",
    "hand_edit",
    "stale_chapters",
    "outline",
    "contract_change",
    "schedule_conflict",
    "brief",
    "clean_up",
    "cut_off",
    "budget",
    "continuity",
    "start",
    "questions",
]


DIRECTIVES = "directives"
"""The answer to a review that passes nothing: first decide on what is open."""


BETWEEN_CHAPTERS = frozenset({"brief", "outline", "clean_up", "start"})
"""Kinds of questions about the book: no chapter waits for the answer, which is carried out at
once."""
BEHIND = "behind"
"""In a question's data: the chapter behind which it is asked, where its kind does not say that
it is about the book."""


class Decision(Value):
    """A question to the writer. Stored, not held in memory: it may be answered tomorrow."""

    id: str
    kind: DecisionKind
    recommendation: str
    """One of `options`."""
    options: tuple[str, ...] = Field(min_length=1)
    rationale: str = ""
    data: dict[str, Any] = Field(default_factory=dict)

    @property
    def between_chapters(self) -> bool:
        """Whether it is about the book and no chapter in work."""
        return self.kind in BETWEEN_CHAPTERS or BEHIND in self.data

    def option_for(self, typed: str) -> str | None:
        """The option that was typed whole, or by a beginning that no other one has."""
        plain = typed.strip().lower()
        matches = [option for option in self.options if option.lower() == plain]
        matches = matches or [o for o in self.options if plain and o.lower().startswith(plain)]
        return matches[0] if len(matches) == 1 else None

    def must_be(self, decision_id: str | None) -> None:
        """Refuses an answer that was meant for another question; StudioError (exit 2)."""
        if decision_id is not None and decision_id != self.id:
            raise usage(
                f"The decision {decision_id} is not pending; {self.id} is.",
                "`studio decide` without an option shows it.",
            )

    def answered(self, option: str, note: str, at: str) -> Answer:
        """What the writer chose, as it is kept; `at` is the moment, ISO 8601."""
        return Answer(id=self.id, kind=self.kind, option=option, note=note, at=at)

    def chosen(self, typed: str, note: str) -> str:
        """The same; StudioError (exit 2) where it is none of the options, or where the answer to
        a question is missing."""
        option = self.option_for(typed)
        if option is None:
            raise usage(
                f"{typed!r} is not one of the options: {', '.join(self.options)}.",
                "`studio decide` without an option shows what each does.",
            )
        if (self.kind, option) == ("questions", "answer") and not note.strip():
            raise usage(
                "Your answer is missing.",
                'Give it as a note: `studio decide answer --note "..."`, or use `studio decide '
                "skip`.",
            )
        return option


class Answer(Value):
    """What the writer chose."""

    id: str
    kind: DecisionKind
    option: str
    note: str = ""
    at: str = ""


class Asked(Value):
    """What a model asked about a chapter before it was drafted; remembered in the book."""

    chapter: int = Field(ge=1)
    questions: tuple[str, ...]
    answer: str = ""
    """In the writer's words; empty where she left it open."""


class StageRecord(Value):
    """Proof that a stage was done: what it read, what it left, and their hashes."""

    stage: str
    input_sha256: Sha256 | None = None
    """The text it worked on."""
    output_sha256: Sha256 | None = None
    """The text it left; for a reader the same as the input."""
    guarded: bool = False
    """True when the change was held to the same facts, so that what was derived still stands."""
    artifacts: dict[str, Sha256] = Field(default_factory=dict)
    """Project-relative path to the sha256 of its bytes."""
    lap: int = Field(default=0, ge=0)
    """The gate revision it belongs to."""
    scenes: dict[str, Sha256] = Field(default_factory=dict)
    """For draft and refine: scene number to the sha256 of its text."""
    notes: tuple[str, ...] = ()


class Revision(Value):
    """What the gate or the writer asked the drafter to do again."""

    number: int = Field(ge=0)
    scenes: tuple[int, ...] = ()
    """Empty means all."""
    notes: tuple[str, ...] = ()
    deep: bool = True


class Worked(Value):
    """One time the surgeon worked on a passage: what the circuit breaker counts (seed A15) and
    what says how much of a chapter was touched (A22)."""

    type: DirectiveType
    location: PassageLocation
    round: int = Field(ge=1)
    changed: bool
    """Whether a rewrite went into the text."""


class WaitingOrder(Value):
    """What the writer asked for a chapter that could not begin yet."""

    chapter: int = Field(ge=1)
    direction: str = ""


class Checkpoint(Sparse, Document):
    """.checkpoint.json: where the book and the chapter in flight stand."""

    SCHEMA: ClassVar[str] = "checkpoint"
    LATER: ClassVar[frozenset[str]] = frozenset(
        {"low_quality", "violations_open", "briefed", "checked", "planned_to", "went_on"}
        | {"beginning", "asked"}
    )

    orchestrator_state: OrchestratorState = OrchestratorState.INIT
    current_volume: int = Field(default=1, ge=1)
    last_completed_chapter: int = Field(default=0, ge=0)
    inflight_chapter: int | None = Field(default=None, ge=1)
    pipeline_stage: PipelineStage | None = None
    revision_count: int = Field(default=0, ge=0)
    """How often the gate has sent the chapter back."""
    surgery_round: int = Field(default=0, ge=0)
    pending_decision: Decision | None = None
    force_passed: tuple[int, ...] = ()
    unjudged: tuple[int, ...] = ()
    state_gap: tuple[int, ...] = ()
    low_quality: tuple[int, ...] = ()
    """Chapters kept although the judge gave them less than 3."""
    violations_open: tuple[int, ...] = ()
    """Chapters kept although they break a rule, with high confidence."""
    briefed: tuple[int, ...] = ()
    """Chapters behind which a brief was given."""
    checked: tuple[int, ...] = ()
    """Chapters behind which the last ten were looked through for contradictions."""
    asked: tuple[Asked, ...] = ()
    """What chapters were asked about first, the newest last."""
    beginning: Beginning | None = None
    """How far the book was begun step by step; None where it was not."""
    planned_to: int = Field(default=0, ge=0)
    """The last chapter of the volume's plan, once that reached beyond the next one; 0 where it
    never did, or where the end of that plan was asked about."""
    went_on: tuple[str, ...] = ()
    """Contradictions the writer let stand as they are, by their identity."""
    stage_records: tuple[StageRecord, ...] = ()
    state_version: int = Field(default=0, ge=0)
    updated_at: str = ""

    run: str = ""
    """Token of this attempt at the chapter; part of every call's id, so that a finished call is
    found again after a kill and a fresh attempt asks afresh."""
    own_text: bool = False
    """True when the text is the author's own: the gate then runs no writer."""
    laps: int = Field(default=0, ge=0)
    """How often it was drafted again, by the gate or because the writer wished it."""
    polished: bool = False
    direction: str = ""
    revision: Revision | None = None
    answers: tuple[Answer, ...] = ()
    worked: tuple[Worked, ...] = ()
    waiting: WaitingOrder | None = None
    """Kept while an earlier chapter comes first."""

    @property
    def volume_ahead(self) -> int:
        """The volume of a chapter that no plan gives to any: the one in work, or, once the writer
        has ended that, the next one."""
        between = self.orchestrator_state in (
            OrchestratorState.VOL_REVIEW,
            OrchestratorState.VOL_PLANNING,
        )
        trials = self.beginning.trials if self.beginning else 0
        return self.current_volume + (between and self.last_completed_chapter > trials)

    @property
    def is_beginning(self) -> bool:
        """Whether the book is being begun step by step, and has not left that behind."""
        begun = self.beginning
        if begun is None or begun.over:
            return False
        return self.last_completed_chapter <= begun.trials

    @property
    def is_in_steps(self) -> bool:
        """Whether a step of the beginning comes next, and no chapter that is left to the writer:
        to plan and have drafted, or to bring."""
        begun = self.beginning
        if begun is None or not self.is_beginning or self.inflight_chapter is not None:
            return False
        is_hers = begun.steps.get("trials") == "by-hand"
        return not is_hers or self.last_completed_chapter >= begun.trials

    def answer_to(self, decision_id: str) -> Answer | None:
        """The writer's latest answer to that question, if there is one."""
        return next((a for a in reversed(self.answers) if a.id == decision_id), None)

    def badges(self, chapter: int) -> tuple[str, ...]:
        """What the writer should see beside a committed chapter."""
        marks = {
            "not judged": self.unjudged,
            "passed after two revisions": self.force_passed,
            "state gap": self.state_gap,
            "scored below 3": self.low_quality,
            "breaks a rule": self.violations_open,
        }
        return tuple(badge for badge, chapters in marks.items() if chapter in chapters)

    def updated(self, **changes: Any) -> Checkpoint:
        """A copy with some fields changed."""
        return self.model_copy(update=changes)

    def at_rest(self) -> Checkpoint:
        """The same book with no chapter in flight."""
        return self.updated(
            inflight_chapter=None,
            pipeline_stage=None,
            revision_count=0,
            laps=0,
            surgery_round=0,
            pending_decision=None,
            stage_records=(),
            run="",
            own_text=False,
            polished=False,
            direction="",
            revision=None,
            answers=(),
            worked=(),
        )
