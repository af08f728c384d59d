"""The current position of the work: the checkpoint, its stage records, a pending decision, and the
life of the book: the progress of its beginning (E2) and its seven states (seed D2).

The table of transitions is the seed's, with two additions. A chapter with a plan or a text may be
written from every state, so planning first is optional. Trial chapters are written like any other,
so they are confirmed from WRITING as well as from QUICK_START.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any, ClassVar, Literal

from pydantic import Field, field_validator, model_validator

from studio.errors import Problem, usage
from studio.messages import said, series
from studio.story.form.document import Document, Sparse, Value, Words
from studio.story.form.ids import Sha256
from studio.story.review.directive import DirectiveType
from studio.story.review.passage import PassageLocation
from studio.story.status import PipelineStage as PipelineStage

BeginningStep = Literal["premise", "style", "world", "people", "trials"]
STEPS: tuple[BeginningStep, ...] = ("premise", "style", "world", "people", "trials")
MOST_TRIALS = 3
"""The maximum number of trial chapters; they become the first of volume 1 (seed E2)."""
StepEnd = Literal["done", "skipped", "by-hand"]
VolumeStep = str
"""What is proposed for a volume, its plan or what may be tidied, and which volume it is: the name
under which it is opened again, such as `volume-2`."""
SAMPLE = "sample"
"""The name, among those, of the style that is proposed from a new sample."""
VOLUME_STEPS = ("volume", "clean-up")
"""What can be proposed for a volume; without a number the last volume that has it is meant."""


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
    "language",
    "budget",
    "continuity",
    "state_changes",
    "start",
    "questions",
]


DIRECTIVES = "directives"
"""The answer to a review that passes nothing: the open directives are decided first."""


GO_ON, AGAIN, FINISHED = "go-on", "again", "finished"
"""The answers about a scene in progress; an older studio's `keep` is `finished`."""
CHANGED_SINCE = "changed since it was judged"
"""The badge of a chapter whose text is not the one that a model read."""
LEFT_OPEN = "left something open"
"""The badge of a chapter that went into the book unasked with something its author decides."""


BETWEEN_CHAPTERS = frozenset({"brief", "outline", "clean_up", "start"})
"""Kinds of decisions about the book: no chapter waits, and the answer takes effect at once."""
BEHIND = "behind"
"""The key in a decision's data for the chapter it follows, used where the kind does not already
show that the decision is about the book."""


class Decision(Value):
    """A question to the writer. Stored, not held in memory: it may be answered tomorrow."""

    id: str
    kind: DecisionKind
    recommendation: str
    """One of `options`; empty where none is proposed, and a mode cannot answer."""
    options: tuple[str, ...] = Field(min_length=1)
    """The ids of the possible answers."""
    rationale: Words = ""
    """Why the question is asked, in a sentence or two."""
    data: dict[str, Any] = Field(default_factory=dict)
    """What it rests on: in `options` what each option does; in `made_from` the sha256 of each file
    that the answer replaces, as the question found it, for an answer replaces no other version; of
    a review in `length` how long the chapter is and should be; in `otherwise` what the author wants
    otherwise of a proposal asked for again."""

    @property
    def between_chapters(self) -> bool:
        """Whether the decision is about the book and not about a chapter in work."""
        return self.kind in BETWEEN_CHAPTERS or BEHIND in self.data

    def needs_words(self, option: str) -> bool:
        """Whether that answer is taken only with words of the writer's: an answer to questions, her
        own words where nothing is proposed, a wish for another proposal, the names of some."""
        if (self.kind, option) == ("start", "next"):
            return bool(self.data.get("asks")) and self.data.get("step") != "style"
        wordy = {("questions", "answer"), ("clean_up", "choose")}
        wordy |= {(kind, AGAIN) for kind in ("start", "outline")}
        return (self.kind, option) in wordy

    def option_for(self, typed: str) -> str | None:
        """Returns the option that was typed in full, or by a prefix that no other option has."""
        plain = typed.strip().lower()
        if plain == "keep" and self.kind == "cut_off" and FINISHED in self.options:
            plain = FINISHED
        matches = [option for option in self.options if option.lower() == plain]
        matches = matches or [o for o in self.options if plain and o.lower().startswith(plain)]
        return matches[0] if len(matches) == 1 else None

    def must_be(self, decision_id: str | None) -> None:
        """Refuses an answer that was meant for another decision; StudioError (exit 2)."""
        if decision_id is not None and decision_id != self.id:
            raise usage(
                said(
                    "The decision {decision_id} is not pending; {id} is.",
                    decision_id=decision_id,
                    id=self.id,
                ),
                said("`studio decide` without an option shows it."),
            )

    def with_data(self, more: Mapping[str, Any]) -> Decision:
        """Returns the question with more data, or other data under the same keys."""
        return self.copy_with(data={**self.data, **more})

    def answer_with(self, option: str, note: str, at: str) -> Answer:
        """Returns the writer's choice as it is stored; `at` is an ISO 8601 timestamp."""
        return Answer(id=self.id, kind=self.kind, option=option, note=note, at=at)

    def option_chosen(self, typed: str, note: str) -> str:
        """Returns the chosen option; StudioError (exit 2) where no option matches, or where an
        answer to a question has no words."""
        option = self.option_for(typed)
        if option is None:
            raise usage(
                said(
                    "{typed} is not one of the options: {names}.",
                    typed=repr(typed),
                    names=series(self.options),
                ),
                said("`studio decide` without an option shows what each does."),
            )
        if (self.kind, option) == ("questions", "answer") and not note.strip():
            raise usage(
                said("Your answer is missing."),
                said(
                    'Give it as a note: `studio decide answer --note "..."`, or use `studio '
                    "decide skip`."
                ),
            )
        return option


class Answer(Value):
    """What the writer chose."""

    id: str
    kind: DecisionKind
    option: str
    """The option that was chosen, one of the decision's."""
    note: str = ""
    """What the writer said with it."""
    at: str = ""


class Asked(Value):
    """What a model asked about a chapter before it was drafted; remembered in the book."""

    chapter: int = Field(ge=1)
    questions: tuple[str, ...]
    answer: str = ""
    """The answer in the writer's words; empty where the question was left open."""


class StageRecord(Value):
    """Proof that a stage was done: what it read, what it left, and their hashes."""

    stage: str
    input_sha256: Sha256 | None = None
    """The hash of the stage's input text."""
    output_sha256: Sha256 | None = None
    """The hash of the text after the stage; for a reader the same as the input."""
    guarded: bool = False
    """True when the facts guard checked the change, so the derived files remain valid."""
    artifacts: dict[str, Sha256] = Field(default_factory=dict)
    """Maps project-relative paths to the sha256 of their bytes."""
    lap: int = Field(default=0, ge=0)
    """The gate revision that the record belongs to."""
    scenes: dict[str, Sha256] = Field(default_factory=dict)
    """For draft and refine: maps the scene number to the sha256 of its text."""
    notes: tuple[Words, ...] = ()


class Revision(Sparse):
    """What the gate or the writer asked the drafter to do again."""

    LATER: ClassVar[frozenset[str]] = frozenset({"by_scene", "asked"})

    number: int = Field(ge=0)
    scenes: tuple[int, ...] = ()
    """The scenes to redraft; empty means all."""
    notes: tuple[str, ...] = ()
    """What every scene has to heed."""
    by_scene: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """The notes about one scene, by its number; no other scene is told them."""
    deep: bool = True
    """Whether the deep model drafts it."""
    asked: Decision | None = None
    """The question that she answered with it: it is open again if she stops the draft before the
    chapter is another."""

    def notes_for(self, scene: int) -> tuple[str, ...]:
        """Returns the notes that the drafter of a scene gets."""
        return (*self.notes, *self.by_scene.get(str(scene), ()))


class Worked(Value):
    """One time the surgeon worked on a passage: what the circuit breaker counts (seed A15) and
    what says how much of a chapter was touched (A22)."""

    type: DirectiveType
    location: PassageLocation
    round: int = Field(ge=1)
    """The round in which it was."""
    changed: bool
    """Whether a rewrite went into the text."""


class OpenScene(Value):
    """A scene in progress: words of it stand, and it is not finished (CONTRACTS 4)."""

    number: int = Field(ge=1)
    sha256: Sha256
    """The hash of the scene's file when it was last recorded."""
    by: Literal["stream", "hand"]
    """Whether its newest words came from a model or from the author."""
    target: int = Field(ge=1)
    """The length the whole scene is to have: characters (ko, zh) or words (en)."""
    calls: tuple[str, ...] = ()
    """The ids of the generations that wrote it, oldest first."""
    at: str = ""
    """When it was last recorded, as an ISO 8601 timestamp."""


class Failure(Value):
    """Why the last run of the chapter in flight ended, and what the writer can do about it."""

    kind: str
    """The identifier of the problem: model, budget, disk, damaged, ..."""
    message: Words
    hint: Words = ""
    """What can be done about it."""

    @classmethod
    def of(cls, problem: Problem) -> Failure:
        """Returns what is kept of a problem."""
        return cls(kind=problem.kind, message=problem.message, hint=problem.hint)

    @property
    def problem(self) -> Problem:
        """The problem as it is shown."""
        return Problem(self.message, self.hint, kind=self.kind)


class WaitingOrder(Sparse):
    """What the writer wants of a chapter that has not begun, or of another draft of one that
    has."""

    LATER: ClassVar[frozenset[str]] = frozenset({"answers"})

    chapter: int = Field(ge=1)
    direction: str = ""
    """What she said of it herself."""
    answers: tuple[str, ...] = ()
    """What she answered for it in the review of the chapter before, oldest first."""

    @property
    def words(self) -> str:
        """All that she wants of the chapter, in her words."""
        return " ".join(filter(None, (self.direction, *self.answers)))


class Beginning(Sparse):
    """A book that is being begun."""

    LATER: ClassVar[frozenset[str]] = frozenset({"wish", "length", "left_out"})

    steps: dict[BeginningStep, StepEnd] = Field(default_factory=dict)
    """The outcome of each completed step."""
    trials: int = Field(default=MOST_TRIALS, ge=0, le=MOST_TRIALS)
    """The number of trial chapters that the writer wants."""
    over: bool = False
    """Whether the trial chapters were confirmed, or left out."""
    wish: str = ""
    """What the author wanted otherwise in the plan of the trial chapters before she took it, where
    the plan has it not: a direction for each of them."""
    length: int | None = Field(default=None, ge=1)
    """How long a chapter is, as she answered; it stands in the novel's settings."""

    left_out: dict[BeginningStep, Decision] = Field(default={})
    """What was proposed for a step that was left out, or that waits while another one is open
    again: it is shown as it stood, and nobody is asked."""

    @property
    def next_step(self) -> BeginningStep | None:
        """The first step without an outcome."""
        return next((step for step in STEPS if step not in self.steps), None)

    def end_step(self, step: BeginningStep, end: StepEnd) -> Beginning:
        """Returns a copy with one more step completed."""
        return self.copy_with(steps={**self.steps, step: end})


class Checkpoint(Sparse, Document):
    """.checkpoint.json: where the book and the chapter in flight stand."""

    SCHEMA: ClassVar[str] = "checkpoint"
    MESSAGES: ClassVar[bool] = True
    LATER: ClassVar[frozenset[str]] = frozenset(
        {"low_quality", "violations_open", "briefed", "checked", "planned_to", "went_on"}
        | {"beginning", "asked", "held_back", "changed_since", "open_scene", "failure"}
        | {"left_open", "left_out", "orders"}
    )

    orchestrator_state: OrchestratorState = OrchestratorState.INIT
    """What the studio is doing with the book."""
    current_volume: int = Field(default=1, ge=1)
    last_completed_chapter: int = Field(default=0, ge=0)
    inflight_chapter: int | None = Field(default=None, ge=1)
    """The chapter in progress; None between chapters."""
    pipeline_stage: PipelineStage | None = None
    """How far the chapter in progress has come."""
    revision_count: int = Field(default=0, ge=0)
    """The number of times the gate has sent the chapter back."""
    surgery_round: int = Field(default=0, ge=0)
    """The rounds of surgery done in this lap."""
    pending_decision: Decision | None = None
    """The open question."""
    force_passed: tuple[int, ...] = ()
    """Chapters with the badge forced."""
    unjudged: tuple[int, ...] = ()
    """Chapters with the badge not judged."""
    state_gap: tuple[int, ...] = ()
    """Chapters whose changes of the state are missing."""
    low_quality: tuple[int, ...] = ()
    """Chapters kept although the judge scored them below 3."""
    violations_open: tuple[int, ...] = ()
    """Chapters kept although they break a rule with high confidence."""
    held_back: tuple[int, ...] = ()
    """Chapters of which a change of the state was left out because their text does not bear it
    out."""
    changed_since: tuple[int, ...] = ()
    """Chapters whose text the author changed after it was judged, and had nobody read again."""
    left_open: tuple[int, ...] = ()
    """Chapters that went into the book unasked with something the writer would have been asked."""
    briefed: tuple[int, ...] = ()
    """Chapters after which a brief was given."""
    checked: tuple[int, ...] = ()
    """Chapters after which the last ten were checked for contradictions."""
    asked: tuple[Asked, ...] = ()
    """The questions asked before chapters were drafted, newest last."""
    beginning: Beginning | None = None
    """The progress of beginning the book step by step; None where it was not begun that way."""
    left_out: dict[VolumeStep, Decision] = Field(default={})
    """What was proposed for a volume, its plan or what may be tidied, and left out whole, or what
    waits while something else is open: it is shown as it stood, and nobody is asked. Each volume
    has its own, such as `volume-2` or `clean-up-1`; `sample` is the style from a new sample."""
    planned_to: int = Field(default=0, ge=0)
    """The last chapter of the volume's plan, once the plan reached beyond the next chapter; 0 if it
    never did, or if the end of that plan has been asked about."""
    went_on: tuple[str, ...] = ()
    """The identities of contradictions that the writer chose to leave."""
    stage_records: tuple[StageRecord, ...] = ()
    """What each stage read and left; the record `rebuild` notes the chapters that an unfinished
    rebuild has still to read."""
    state_version: int = Field(default=0, ge=0)
    """The number of chapters in the state."""
    updated_at: str = ""

    run: str = ""
    """The token of this attempt at the chapter. It is part of every call's id, so a completed call
    is found again after a crash and a new attempt makes new calls."""
    own_text: bool = False
    """True when the text is the author's own: the gate then runs no writer."""
    laps: int = Field(default=0, ge=0)
    """The number of redrafts, requested by the gate or the writer."""
    polished: bool = False
    """Whether the gate's one polish is used up."""
    direction: str = ""
    """The writer's wish for the chapter in progress."""
    revision: Revision | None = None
    """What is to be drafted again, and with which notes."""
    answers: tuple[Answer, ...] = ()
    """What the writer decided in this chapter."""
    worked: tuple[Worked, ...] = ()
    """What the surgeon worked on; the same type on the same paragraphs a third time asks the writer
    first."""
    waiting: WaitingOrder | None = None
    """Null; an earlier studio kept here the one order that could wait."""
    orders: tuple[WaitingOrder, ...] = ()
    """What the writer wants of chapters, one a chapter: kept until the chapter begins, and for
    another draft of one that has begun until it is in the book."""
    open_scene: OpenScene | None = None
    """The scene in progress; None where no words of an unfinished scene stand."""
    failure: Failure | None = None
    """What ended the last run of the chapter in flight, until another run begins; None where it
    did not fail."""

    @model_validator(mode="before")
    @classmethod
    def _take_up_waiting(cls, data: Any) -> Any:
        """Puts the one order that an earlier studio kept among the orders."""
        if not isinstance(data, dict) or not data.get("waiting"):
            return data
        return {**data, "waiting": None, "orders": [data["waiting"], *data.get("orders", ())]}

    @field_validator("left_out", mode="before")
    @classmethod
    def _name_by_volume(cls, value: Any) -> Any:
        """Names what an earlier studio left out, which had one place for all volumes."""
        if not isinstance(value, dict) or not set(value) & set(VOLUME_STEPS):
            return value
        return {
            f"{name}-{_volume_in(one)}" if name in VOLUME_STEPS else name: one
            for name, one in value.items()
        }

    @property
    def volume_ahead(self) -> int:
        """The volume of a chapter that no plan assigns to one: the volume in work, or the next one
        after the writer has ended it."""
        between = self.orchestrator_state in (
            OrchestratorState.VOL_REVIEW,
            OrchestratorState.VOL_PLANNING,
        )
        trials = self.beginning.trials if self.beginning else 0
        return self.current_volume + (between and self.last_completed_chapter > trials)

    @property
    def is_beginning(self) -> bool:
        """Whether the book is still being begun step by step."""
        begun = self.beginning
        if begun is None or begun.over:
            return False
        return self.last_completed_chapter <= begun.trials

    @property
    def is_in_steps(self) -> bool:
        """Whether a step of the beginning comes next, rather than a chapter that the writer has to
        plan and have drafted, or bring."""
        begun = self.beginning
        if begun is None or not self.is_beginning or self.inflight_chapter is not None:
            return False
        is_hers = begun.steps.get("trials") == "by-hand"
        return not is_hers or self.last_completed_chapter >= begun.trials

    @property
    def is_trial_next(self) -> bool:
        """Whether the next step of the beginning is a trial chapter that is planned: nothing is
        asked before a model writes it."""
        begun = self.beginning
        if begun is None or not self.is_in_steps or self.pending_decision is not None:
            return False
        return begun.steps.get("trials") == "done" and self.last_completed_chapter < begun.trials

    def answer_to(self, decision_id: str) -> Answer | None:
        """Returns the writer's latest answer to that decision, if there is one."""
        return next((a for a in reversed(self.answers) if a.id == decision_id), None)

    def order_for(self, chapter: int) -> WaitingOrder:
        """Returns what the writer wants of a chapter; an empty order if she has not said."""
        orders = (order for order in self.orders if order.chapter == chapter)
        return next(orders, WaitingOrder(chapter=chapter))

    def with_order(self, order: WaitingOrder) -> Checkpoint:
        """Returns a copy with this order for its chapter in place of what was kept for it; an empty
        one is not kept."""
        others = [one for one in self.orders if one.chapter != order.chapter]
        orders = [*others, order] if order.words else others
        return self.copy_with(orders=tuple(sorted(orders, key=lambda one: one.chapter)))

    def without_order(self, chapter: int) -> Checkpoint:
        """Returns a copy that keeps nothing for a chapter."""
        return self.with_order(WaitingOrder(chapter=chapter))

    def chapter_reviewed(self, chapter: int | None) -> tuple[int, bool]:
        """Returns the number of the chapter whose review is meant, by default of the one in
        progress, else of the last of the book (0 without any), and whether it is in progress."""
        number = chapter or self.inflight_chapter or self.last_completed_chapter
        return number, bool(number) and number == self.inflight_chapter

    def badges(self, chapter: int) -> tuple[str, ...]:
        """Returns the badges displayed beside a committed chapter."""
        marks = {
            "not judged": self.unjudged,
            "passed after two revisions": self.force_passed,
            "state gap": self.state_gap,
            "scored below 3": self.low_quality,
            "breaks a rule": self.violations_open,
            CHANGED_SINCE: self.changed_since,
            LEFT_OPEN: self.left_open,
        }
        return tuple(badge for badge, chapters in marks.items() if chapter in chapters)

    def at_rest(self) -> Checkpoint:
        """Returns the same checkpoint with no chapter in flight."""
        return self.without_failure().copy_with(
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
            open_scene=None,
        )

    def without_failure(self) -> Checkpoint:
        """Returns the same checkpoint where the last run did not fail."""
        is_failing = self.orchestrator_state is OrchestratorState.ERROR_RETRY
        going_on = move(self, Trigger.WRITE) if is_failing else self
        return going_on if self.failure is None else going_on.copy_with(failure=None)


def _volume_in(question: Any) -> Any:
    """Returns the volume of a question in a file."""
    data = question.get("data") if isinstance(question, dict) else getattr(question, "data", None)
    return data.get("volume") if isinstance(data, dict) else None


S = OrchestratorState


class Trigger(StrEnum):
    """An event that may change the state of a book."""

    CREATE = "create"
    """A book is begun, step by step."""
    SETTING = "setting"
    """The writer settled premise, world or people."""
    SAMPLE = "sample"
    """The style was taken from the author's sample."""
    TRIALS = "trials"
    """The trial chapters are confirmed as the first of volume 1, or there will be none."""
    WRITE = "write"
    """A chapter begins, or resumes after an error."""
    PASS = "pass"
    """The gate passes the chapter, or no judge was available."""
    POLISH = "polish"
    REVISE = "revise"
    """The chapter goes back to the drafter."""
    PAUSE = "pause"
    """The gate waits for a person, who decides how much is rewritten."""
    REWRITE = "rewrite"
    """The gate waits for a person, and all of the chapter is to be rewritten."""
    REVISED = "revised"
    """A revision is drafted; the gate is next."""
    COMMIT = "commit"
    BRIEF = "brief"
    """A brief is due, after every fifth chapter."""
    PLAN_MORE = "plan-more"
    END_VOLUME = "end-volume"
    """The last planned chapter is committed, and the volume ends with it."""
    REVIEWED = "reviewed"
    OUTLINE = "outline"
    """The plan of the next volume is confirmed."""
    ERROR = "error"


TRANSITIONS: Mapping[tuple[OrchestratorState, Trigger], OrchestratorState] = MappingProxyType(
    {
        **{(state, Trigger.WRITE): S.WRITING for state in S},
        **{(state, Trigger.COMMIT): S.WRITING for state in S},
        **{(state, Trigger.ERROR): S.ERROR_RETRY for state in S},
        (S.INIT, Trigger.CREATE): S.QUICK_START,
        (S.ERROR_RETRY, Trigger.CREATE): S.QUICK_START,
        (S.QUICK_START, Trigger.SETTING): S.QUICK_START,
        (S.QUICK_START, Trigger.SAMPLE): S.QUICK_START,
        (S.QUICK_START, Trigger.TRIALS): S.VOL_PLANNING,
        (S.WRITING, Trigger.TRIALS): S.VOL_PLANNING,
        (S.WRITING, Trigger.PASS): S.WRITING,
        (S.WRITING, Trigger.POLISH): S.WRITING,
        (S.WRITING, Trigger.REVISE): S.CHAPTER_REWRITE,
        (S.WRITING, Trigger.PAUSE): S.WRITING,
        (S.WRITING, Trigger.REWRITE): S.WRITING,
        (S.CHAPTER_REWRITE, Trigger.REVISED): S.WRITING,
        (S.WRITING, Trigger.BRIEF): S.WRITING,
        (S.WRITING, Trigger.PLAN_MORE): S.WRITING,
        (S.WRITING, Trigger.END_VOLUME): S.VOL_REVIEW,
        (S.VOL_REVIEW, Trigger.REVIEWED): S.VOL_PLANNING,
        (S.VOL_PLANNING, Trigger.OUTLINE): S.WRITING,
    }
)
"""Maps state and trigger to the next state; a missing pair changes nothing."""


def move(checkpoint: Checkpoint, trigger: Trigger) -> Checkpoint:
    """Returns the checkpoint in the state that the trigger leads to."""
    state = checkpoint.orchestrator_state
    return checkpoint.copy_with(orchestrator_state=TRANSITIONS.get((state, trigger), state))
