"""One chapter in work: its checkpoint, its staged text, and the means to go on."""

from __future__ import annotations

from studio.config.schema import Settings
from studio.llm.gateway import Gateway
from studio.pipeline.chapter.background import Background
from studio.pipeline.chapter.view import ChapterView, disappeared
from studio.pipeline.events import DecisionMade, Emitter
from studio.project.history import reasons
from studio.project.history.variations import NO_TEXT, Variation, Variations
from studio.project.lock.lock import ProjectLock
from studio.project.staging import Staging
from studio.project.store import ProjectStore
from studio.story.chapter import Chapter
from studio.story.checkpoint import Checkpoint, Decision, PipelineStage, StageRecord
from studio.story.contract import ChapterContract
from studio.story.review.evaluation import Evaluation
from studio.story.review.passages import PassagePlace
from studio.story.status import ReviewMode
from studio.text.language.packs import LanguagePack

_REASONS = {
    "draft": reasons.DRAFTED,
    "refine": reasons.POLISHED,
    "polish": reasons.POLISHED,
    "unrefine": reasons.TAKEN_BACK,
    "operate": reasons.FIXED,
}
"""Stage of the record that a text comes with to what history says of the text."""
CUT_OFF = "cut off"
"""Why a variation was kept: the call that wrote it did not finish."""


class ChapterRun(ChapterView):
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
        super().__init__(
            store=store,
            gateway=gateway,
            settings=settings,
            pack=pack,
            contract=contract,
            checkpoint=checkpoint,
            emit=emit,
            text=store.staging(contract.chapter).text(),
        )
        self.variations = Variations(store.layout)
        self.background = Background()
        """What is done beside the run; nothing waits for it."""
        self.lock = lock
        self.review: ReviewMode = review
        """Who decides what may be decided without the writer."""
        self.only_scene: int | None = None
        """The scene that this run was asked for by itself."""
        self.badges: tuple[str, ...] = ()
        """Set by the commit."""
        self._heard: set[str] = set()

    async def close(self) -> None:
        """Frees the model; what is done beside the run ends with it."""
        self.background.cancel()
        if self._gateway is not None:
            await self._gateway.provider.close()

    def unpriced_models(self) -> list[str]:
        """Models in force about which the writer has to be asked: no cap can hold their cost."""
        return self._gateway.unpriced() if self._gateway else []

    # The text

    def put_text(
        self,
        text: str,
        record: StageRecord,
        stage: PipelineStage | None = None,
        reason: str | None = None,
    ) -> None:
        """Makes `text` the chapter's staged text, unless the writer changed it meanwhile.

        `reason` is what history says of it, by default what its stage does.

        The record is durable before the text is: a text that no record knows
        would be taken for the author's own after a crash.
        """
        expected = self.text
        self.save(stage_records=self.records.added(record))
        self.look_again()
        on_disk = self.text
        if on_disk is not None and on_disk != expected and on_disk.text != text:
            self._give_way(text)
            return
        self._write(text, reason or _REASONS.get(record.stage, reasons.STAGED))
        if stage is not None:
            self.save(pipeline_stage=stage)

    def bring_text(self, text: str, reason: str) -> None:
        """Stages the author's own text. It is durable before any record speaks of it: a text
        that no record knows is hers, so whatever happens she has it."""
        self._write(text, reason)

    def bring_own_text_back(self) -> None:
        """Where the author's own text is gone or was emptied, it comes back from history: no
        model may write it, so the chapter could not go on without it."""
        text = self.staged.last_text() if self.text is None else None
        if text is not None:
            self._write(text, reasons.TAKEN_BACK)
            self.emit.warn("Your text in progress was gone; it is back from history.")

    def look_again(self) -> None:
        """Reads the staged text again: the writer may have changed it since."""
        self.text = self.staged.text()

    def _write(self, text: str, reason: str) -> None:
        self.staged.put_text(text, reason)
        self.text = Chapter(text)

    def _give_way(self, text: str) -> None:
        """The writer's edit stands; what was made of the older text is kept beside it (F11)."""
        self.variations.keep(self.chapter, None, text, "set aside for your own text")
        self.emit.warn(
            "The text in progress was changed by hand while the studio worked on it. Your text "
            "stands; the studio's version is kept as a variation."
        )
        self.own()

    def own(self) -> None:
        """From now on the staged text is the author's own; it is kept in history as it is."""
        path = self.store.layout.staged_chapter(self.chapter)
        self.store.history.keep(path, self.current.text.encode(), "edited by hand")
        self.save(own_text=True)

    def earlier_text(self, sha256: str) -> str:
        """A text that stood in staging before, from history."""
        return self.store.history.blob(sha256).decode()

    def keep_partials(self, reason: str) -> None:
        """What unfinished calls had written becomes variations: no text is lost (N11)."""
        keep_partials(self.staged, self.variations, self.chapter, reason)

    # What was derived from the text

    def evaluation(self) -> Evaluation:
        """The staged evaluation; only asked for by stages that come after the judge."""
        evaluation = self.staged.evaluation()
        if evaluation is None:
            raise disappeared(f"The staged evaluation of chapter {self.chapter}")
        return evaluation

    # The checkpoint

    def save(self, **changes: object) -> None:
        """Changes the checkpoint, durably."""
        self.checkpoint = self.store.save_checkpoint(self.checkpoint.updated(**changes))

    def record(self, record: StageRecord, stage: PipelineStage | None = None) -> None:
        """Leaves proof of a reader's or decider's work."""
        changes: dict[str, object] = {"stage_records": self.records.added(record)}
        if stage is not None:
            changes["pipeline_stage"] = stage
        self.save(**changes)

    @property
    def being_carried(self) -> bool:
        """Whether a commit began to carry the summary over to the current text and was cut off."""
        record = self.lineage.reader("summarize")
        return record is not None and not record.artifacts

    # Decisions

    def answer(self, decision_id: str) -> str | None:
        """What the writer chose, or None while the question is open. Said once a run."""
        answer = self.checkpoint.answer_to(decision_id)
        if answer is None:
            return None
        if answer.id not in self._heard:
            self._heard.add(answer.id)
            self.emit(DecisionMade(id=answer.id, kind=answer.kind, option=answer.option))
        return answer.option

    def answered_by_mode(self, decision: Decision, option: str) -> None:
        """Says that the review mode took this decision."""
        self.emit(DecisionMade(id=decision.id, kind=decision.kind, option=option, by="mode"))


def keep_partials(staged: Staging, variations: Variations, chapter: int, reason: str) -> None:
    """Makes variations of what unfinished calls of a chapter had written; of a passage one that
    is no version to be taken, for it is not whole."""
    for partial in staged.partials():
        if partial.passage is None:
            variations.keep(chapter, partial.scene, partial.text, reason)
        else:
            keep_half(variations, chapter, partial.passage, partial.text, reason)
    staged.clear_partials()


def keep_half(
    variations: Variations, chapter: int, place: PassagePlace, text: str, reason: str
) -> None:
    """Keeps what there is of a version of a passage that was cut off."""
    half = Variation(file="", sha256=NO_TEXT, reason=reason, created_at="", passage=str(place))
    variations.keep_version(chapter, half, text, place.scene)
