"""One chapter in work: its checkpoint, its staged text, and the means to go on."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from studio.book.as_of import StoryAt
from studio.config.schema import Settings
from studio.errors import Exit, Problem, StudioError
from studio.llm.gateway import Gateway
from studio.llm.provider import ModelProfile
from studio.pipeline.chapter.lineage import Lineage
from studio.pipeline.chapter.targets import earlier, targets
from studio.pipeline.events import (
    DecisionMade,
    Emitter,
    Saved,
)
from studio.project.history.variations import Variations
from studio.project.lock.lock import ProjectLock
from studio.project.staging import StagedChapter, Written
from studio.project.store import ProjectStore
from studio.story.chapter import Chapter, sha256_of
from studio.story.checkpoint import (
    Checkpoint,
    Decision,
    DecisionKind,
    PipelineStage,
    StageRecord,
)
from studio.story.contract import ChapterContract
from studio.story.review.directive import DirectiveSheet, Fingerprint
from studio.story.review.evaluation import Evaluation
from studio.story.status import ReviewMode
from studio.text.language.packs import LanguagePack, Threshold
from studio.text.metrics.prior_chapters import Earlier

CUT_OFF = "cut off"
"""Why a variation was kept: the call that wrote it did not finish."""


class ChapterRun:
    """What every stage works with: nothing global, nothing hidden."""

    def __init__(
        self,
        *,
        store: ProjectStore,
        gateway: Gateway | None,
        settings: Settings,
        pack: LanguagePack,
        contract: ChapterContract,
        checkpoint: Checkpoint,
        emit: Emitter,
        lock: ProjectLock,
        review: ReviewMode = "ask",
    ) -> None:
        self.store = store
        self.staged = StagedChapter(store.layout, contract.chapter)
        self.variations = Variations(store.layout)
        self.settings = settings
        self.pack = pack
        self.contract = contract
        self.checkpoint = checkpoint
        self.review: ReviewMode = review
        """Who decides what may be decided without the writer."""
        self.emit = emit
        self.lock = lock
        self.badges: tuple[str, ...] = ()
        """Set by the commit."""
        self._gateway = gateway
        self._text: Chapter | None = None
        self._text_read = False
        self._heard: set[str] = set()

    @cached_property
    def targets(self) -> Mapping[str, Threshold]:
        """The thresholds of this novel, as they stood when the run first measured."""
        return targets(self.store, self.settings)

    @cached_property
    def earlier(self) -> Earlier:
        """What the chapters before this one say; read once, however often a run measures."""
        return earlier(self.store, self.chapter, self.pack)

    @cached_property
    def story(self) -> StoryAt:
        """The story as of this chapter: the only way to what other chapters left (BOOK 1)."""
        return StoryAt(self.store, self.chapter)

    @property
    def chapter(self) -> int:
        """The chapter's number."""
        return self.contract.chapter

    @property
    def gateway(self) -> Gateway:
        """The way to the model; raises StudioError (exit 2) when there is none."""
        if self._gateway is None:
            raise no_model()
        return self._gateway

    async def close(self) -> None:
        """Frees the model."""
        if self._gateway is not None:
            await self._gateway.provider.close()

    @property
    def profile(self) -> ModelProfile | None:
        """What the model in force can do; None when there is no model."""
        return self._gateway.provider.profile if self._gateway else None

    def unpriced_models(self) -> list[str]:
        """Models in force about which the writer has to be asked: no cap can hold their cost."""
        return self._gateway.unpriced() if self._gateway else []

    # The text

    @property
    def text(self) -> Chapter | None:
        """The chapter as it is staged now, or None before there is one."""
        if not self._text_read:
            self._text = self.staged.text()
            self._text_read = True
        return self._text

    @property
    def current(self) -> Chapter:
        """The staged text; only asked for by stages that come after the draft."""
        text = self.text
        if text is None:
            raise _disappeared(f"The staged text of chapter {self.chapter}")
        return text

    @property
    def lineage(self) -> Lineage:
        """Which texts led to the current one."""
        text = self.text
        return Lineage(self.checkpoint.stage_records, text.sha256 if text else None)

    def put_text(self, text: str, record: StageRecord, stage: PipelineStage | None = None) -> None:
        """Makes `text` the chapter's staged text, unless the writer changed it meanwhile.

        The record is durable before the text is: a text that no record knows
        would be taken for the author's own after a crash.
        """
        expected = self.text
        self.save(stage_records=self._with(record))
        self.look_again()
        on_disk = self.text
        if on_disk is not None and on_disk != expected and on_disk.text != text:
            self._give_way(text)
            return
        self._write(text)
        if stage is not None:
            self.save(pipeline_stage=stage)

    def bring_text(self, text: str) -> None:
        """Stages the author's own text. It is durable before any record speaks of it: a text
        that no record knows is hers, so whatever happens she has it."""
        self._write(text)

    def bring_own_text_back(self) -> None:
        """Where the author's own text is gone or was emptied, it comes back from history: no
        model may write it, so the chapter could not go on without it."""
        text = self.staged.last_text() if self.text is None else None
        if text is not None:
            self._write(text)
            self.emit.warn("Your staged text was gone; it is back as history has it.")

    def look_again(self) -> None:
        """Forgets what was read: the writer may have changed the staged text since."""
        self._text_read = False

    def _write(self, text: str) -> None:
        file = self.staged.put_text(text)
        self._text, self._text_read = Chapter(text), True
        self.announce_saved(file)

    def _give_way(self, text: str) -> None:
        """The writer's edit stands; what was made of the older text is kept beside it (F11)."""
        self.variations.keep(self.chapter, None, text, "set aside for your own text")
        self.emit.warn(
            "The staged text was changed by hand while it was worked on. It stands as your own;"
            " the studio's version is kept as a variation."
        )
        self.own()

    def own(self) -> None:
        """From now on the staged text is the author's own; it is kept in history as it is."""
        path = self.store.layout.staged_chapter(self.chapter)
        self.store.history.keep(path, self.current.text.encode(), "edited by hand")
        self.save(own_text=True)

    def announce_saved(self, *files: Written) -> None:
        """Says that files are durable."""
        for path, sha256 in files:
            self.emit(Saved(path=path, sha256=sha256))

    def earlier_text(self, sha256: str) -> str:
        """A text that stood in staging before, from history."""
        return self.store.history.blob(sha256).decode()

    def keep_partials(self, reason: str) -> None:
        """What unfinished calls had written becomes variations: no text is lost (N11)."""
        for scene, text in self.staged.partials():
            self.variations.keep(self.chapter, scene, text, reason)
        self.staged.clear_partials()

    # What was derived from the text

    def evaluation(self) -> Evaluation:
        """The staged evaluation; only asked for by stages that come after the judge."""
        evaluation = self.staged.evaluation()
        if evaluation is None:
            raise _disappeared(f"The staged evaluation of chapter {self.chapter}")
        return evaluation

    def sheet(self) -> DirectiveSheet:
        """The staged directives; only asked for by stages that come after the judge."""
        sheet = self.staged.sheet()
        if sheet is None:
            raise _disappeared(f"The staged directives of chapter {self.chapter}")
        return sheet

    def put_evaluation(self, evaluation: Evaluation) -> None:
        """Stages an evaluation."""
        self.announce_saved(self.staged.put_evaluation(evaluation))

    def put_sheet(self, sheet: DirectiveSheet) -> None:
        """Stages the directives."""
        self.announce_saved(self.staged.put_sheet(sheet))

    def rejections(self) -> tuple[Fingerprint, ...]:
        """Proposals the writer turned down for this chapter, now or when it was committed."""
        sheets = (self.store.directives(self.chapter), self.staged.sheet())
        by_content = {f.model_dump_json(): f for s in sheets if s is not None for f in s.rejected}
        return tuple(by_content.values())

    # The checkpoint

    def save(self, **changes: object) -> None:
        """Changes the checkpoint, durably."""
        self.checkpoint = self.store.save_checkpoint(self.checkpoint.updated(**changes))

    def record(self, record: StageRecord, stage: PipelineStage | None = None) -> None:
        """Leaves proof of a reader's or decider's work."""
        changes: dict[str, object] = {"stage_records": self._with(record)}
        if stage is not None:
            changes["pipeline_stage"] = stage
        self.save(**changes)

    def note(self, record: StageRecord) -> None:
        """Leaves a record that the next change of the checkpoint makes durable."""
        self.checkpoint = self.checkpoint.updated(stage_records=self._with(record))

    def _with(self, record: StageRecord) -> tuple[StageRecord, ...]:
        same = (record.stage, record.input_sha256, record.lap)
        others = [
            r for r in self.checkpoint.stage_records if (r.stage, r.input_sha256, r.lap) != same
        ]
        return (*others, record)

    def find_record(self, stage: str, lap: int | None = None) -> StageRecord | None:
        """The newest record of a stage, of one lap or of any."""
        return next(
            (
                r
                for r in reversed(self.checkpoint.stage_records)
                if r.stage == stage and (lap is None or r.lap == lap)
            ),
            None,
        )

    @property
    def being_carried(self) -> bool:
        """Whether a commit began to carry the summary over to the current text and was cut off."""
        record = self.lineage.reader("summarize")
        return record is not None and not record.artifacts

    @property
    def lap(self) -> int:
        """How often the chapter was drafted again."""
        return self.checkpoint.laps

    @property
    def base_sha256(self) -> str | None:
        """The committed text this work began from; None for a new chapter."""
        begun = self.find_record("begin")
        return begun.input_sha256 if begun else None

    # Decisions

    def decision_id(self, kind: DecisionKind, extra: str = "") -> str:
        """The same question about the same text has the same id, today and tomorrow."""
        text = self.text
        about = text.sha256[:8] if text else "notext"
        tail = f"-{sha256_of(extra)[:6]}" if extra else ""
        return f"{kind}-{self.chapter:03d}-{self.checkpoint.run}-{self.lap}-{about}{tail}"

    def answer(self, decision_id: str) -> str | None:
        """What the writer chose, or None while the question is open. Said once a run."""
        answer = self.checkpoint.answer_to(decision_id)
        if answer is None:
            return None
        if answer.id not in self._heard:
            self._heard.add(answer.id)
            self.emit(DecisionMade(id=answer.id, kind=answer.kind, option=answer.option))
        return answer.option

    def wishes(self, kind: DecisionKind, extra: str = "") -> tuple[str, ...]:
        """What the writer added to her answer about the present text, as a note to an agent."""
        answer = self.checkpoint.answer_to(self.decision_id(kind, extra))
        note = answer.note.strip() if answer is not None else ""
        return (f"The author about this draft: {note}",) if note else ()

    def answered_by_mode(self, decision: Decision, option: str) -> None:
        """Says that the review mode took this decision."""
        self.emit(DecisionMade(id=decision.id, kind=decision.kind, option=option, by="mode"))

    # Calls

    def call_name(self, stage: str, what: str = "") -> str:
        """The name of a call: equal for the same question of the same attempt, so that its
        finished record is found again after a kill."""
        parts = [f"{self.chapter:03d}", self.checkpoint.run, stage, what, f"l{self.lap}"]
        return "-".join(part for part in parts if part)


def _disappeared(what: str) -> StudioError:
    return StudioError(
        Problem(
            f"{what} has disappeared or cannot be read.",
            "Run `studio resume`; the stage that made it runs again.",
        )
    )


def no_model() -> StudioError:
    """What a writer reads who has no model and asks for one's work (exit 2)."""
    return StudioError(
        Problem(
            "No model is configured, and this step needs one.",
            "Set ANTHROPIC_API_KEY, pass --provider embedded, or bring your own text"
            " with --draft FILE. `studio doctor` says what is missing.",
            exit_code=Exit.USAGE,
            kind="no_model",
        )
    )
