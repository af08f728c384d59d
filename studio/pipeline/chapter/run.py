"""One chapter in work: its checkpoint, its staged text, the means to continue, and work that runs
beside and that nothing waits for.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from studio.errors import StudioError
from studio.llm.gateway import Gateway
from studio.messages import said
from studio.pipeline.chapter.scene_in_progress import add_answer, take_in
from studio.pipeline.chapter.view import ChapterView, disappearance
from studio.pipeline.events import DecisionMade, Emitter
from studio.pipeline.novel import Novel
from studio.project.history.reasons import Reason
from studio.project.history.variations import NO_TEXT, Variation, Variations
from studio.project.lock.lock import ProjectLock
from studio.project.staging import Staging, chapters_with_half_versions
from studio.project.store import ProjectStore
from studio.story.chapter import Chapter, split_paragraphs
from studio.story.checkpoint import Checkpoint, Decision, PipelineStage, StageRecord
from studio.story.contract import ChapterContract
from studio.story.review.evaluation import Evaluation
from studio.story.review.passage import PassagePlace
from studio.story.status import ReviewMode
from studio.text.language.packs import LanguagePack, load_pack
from studio.text.prose.answer import excerpt, words_behind_headings
from studio.text.prose.going_on import words_that_stand

R = TypeVar("R")


class Background:
    """Jobs in threads, one for each place of a chapter. A new job for a place replaces the
    earlier one, whose result is dropped."""

    def __init__(self) -> None:
        self._jobs: dict[int, asyncio.Task[None]] = {}

    def start(self, place: int, work: Callable[[], R], take: Callable[[R], None]) -> None:
        """Runs `work` in a thread and passes its result to `take` in the event loop. A file that
        cannot be read on the way (StudioError) drops the result, because the run itself will
        report it."""
        if (earlier := self._jobs.pop(place, None)) is not None:
            earlier.cancel()
        self._jobs[place] = asyncio.create_task(_save_after(work, take))

    async def settle(self) -> None:
        """Waits for every job to end; for a run that would pause now in any case."""
        await asyncio.gather(*self._jobs.values(), return_exceptions=True)

    def cancel(self) -> None:
        """Drops the jobs that have not ended; returns at once."""
        for job in self._jobs.values():
            job.cancel()
        self._jobs.clear()


async def _save_after(work: Callable[[], R], take: Callable[[R], None]) -> None:
    try:
        result = await asyncio.to_thread(work)
    except StudioError:
        return
    take(result)


_QUOTED = 40
"""The most characters that are quoted of the words behind a heading."""
_OPENING = 6
"""How many characters of them are looked for in what stands: an answer may have ended in them."""
_REASONS = {
    "draft": Reason.DRAFTED,
    "refine": Reason.POLISHED,
    "polish": Reason.POLISHED,
    "unrefine": Reason.TAKEN_BACK,
    "operate": Reason.FIXED,
}
"""Maps the stage of the record that comes with a text to the reason that history gives for it."""


class ChapterRun(ChapterView):
    """What every stage works with; it holds all state that stages share."""

    def __init__(
        self,
        *,
        novel: Novel,
        gateway: Gateway | None,
        contract: ChapterContract,
        checkpoint: Checkpoint,
        emit: Emitter,
        lock: ProjectLock,
        review: ReviewMode = "ask",
        several: bool = False,
    ) -> None:
        super().__init__(
            novel=novel,
            gateway=gateway,
            contract=contract,
            checkpoint=checkpoint,
            emit=emit,
            text=novel.store.staging_of(contract.chapter).text(),
        )
        self.variations = Variations(self.store.layout)
        self.background = Background()
        """Jobs that run beside the run; nothing waits for them."""
        self.lock = lock
        self.review: ReviewMode = review
        """Who decides what may be decided without the writer."""
        self.is_attended = review == "ask" and not several
        """Whether she is there to say what is called because she typed (CONTRACTS 7)."""
        self.only_scene: int | None = None
        """The one scene that this run was asked for."""
        self.badges: tuple[str, ...] = ()
        """The badges of the committed chapter, set by the commit."""
        self._heard: set[str] = set()

    async def close(self) -> None:
        """Releases the model and cancels the background jobs."""
        self.background.cancel()
        if self._gateway is not None:
            await self._gateway.provider.close()

    def unpriced_models(self) -> list[str]:
        """Returns the models in force that the writer has to be asked about, because no cap can
        hold their cost."""
        return self._gateway.unpriced_models() if self._gateway else []

    # The text

    def put_text(
        self,
        text: str,
        record: StageRecord,
        stage: PipelineStage | None = None,
        reason: Reason | None = None,
        *,
        first: Callable[[], None] | None = None,
    ) -> None:
        """Stages `text` as the chapter's text, unless the writer has changed the text in the
        meantime.

        `reason` is what history says of the text, by default what its stage does; `first`
        writes what belongs to it, once nothing speaks against it. The record is durable before the
        text is: after a crash, a text without a record would be taken for the author's own. So is
        what belongs to it: what made a text that is recorded is not done again.
        """
        expected = self.text
        self.save(stage_records=self.records.add(record))
        self.look_again()
        on_disk = self.text
        if on_disk is not None and on_disk != expected and on_disk.text != text:
            self._give_way(text)
            return
        if first is not None:
            first()
        self._write(text, reason or _REASONS.get(record.stage) or Reason.STAGED)
        if stage is not None:
            self.save(pipeline_stage=stage)

    def bring_text(self, text: str, reason: Reason) -> None:
        """Stages the author's own text. It is durable before any record refers to it: a text
        without a record is hers, so she has it whatever happens."""
        self._write(text, reason)

    def bring_own_text_back(self) -> None:
        """Restores the author's own text from history if it is gone or was emptied: no model may
        write it, so the chapter could not continue without it."""
        text = self.staged.last_text() if self.text is None else None
        if text is not None:
            self._write(text, Reason.TAKEN_BACK)
            self.emit.warn(said("Your text in progress was gone; it is back from history."))

    def look_again(self) -> None:
        """Reads the staged text again, because the writer may have changed it."""
        self.text = self.staged.text()

    def _write(self, text: str, reason: Reason) -> None:
        self.staged.put_text(text, reason)
        self.text = Chapter(text)

    def _give_way(self, text: str) -> None:
        """Keeps the writer's edit; what was made from the older text is kept beside it (F11)."""
        self.variations.keep(self.chapter, None, text, Reason.OWN_TEXT_WANTED)
        self.emit.warn(
            said(
                "The text in progress was changed by hand while the studio worked on it. Your "
                "text stands; the studio's version is kept as a variation."
            )
        )
        self.own()

    def own(self) -> None:
        """Marks the staged text as the author's own; it is kept in history as it is."""
        path = self.store.layout.staged_chapter(self.chapter)
        self.store.history.keep(path, self.current.text.encode(), Reason.EDITED_BY_HAND)
        self.save(own_text=True)

    def take_edit(self, before: str) -> None:
        """Takes the author's edit of a text that a stage left, which had the sha256 `before`, into
        the line: it is kept in history as hers, and a model may work on the chapter further."""
        path = self.store.layout.staged_chapter(self.chapter)
        self.store.history.keep(path, self.current.text.encode(), Reason.EDITED_BY_HAND)
        sha256 = self.current.sha256
        self.record(self.records.record_operation(before, sha256, guarded=False))
        self.record(
            self.records.record_polish("refine", sha256, sha256, {})
        )  # nothing is restyled unasked

    def earlier_text(self, sha256: str) -> str:
        """Returns a text that was staged earlier, from history."""
        return self.store.history.blob(sha256).decode()

    def keep_partials(self, reason: Reason, target: Callable[[int], int]) -> None:
        """Keeps what unfinished calls had written, so that no text is lost (N11): the words of a
        scene stand as the scene in progress, anything else becomes a variation. `target` returns
        the length that a scene is to have."""
        answers = [p for p in self.staged.partials() if p.is_of_scene and p.scene is not None]
        begun = self.checkpoint.open_scene
        self.checkpoint = take_in(
            self.staged, self.variations, self.checkpoint, self.pack, self._save, target
        )
        for answer in answers:
            assert answer.scene is not None
            goes_on = begun is not None and begun.number == answer.scene
            stands = self.staged.scene(answer.scene) or ""
            self.say_headings_left_out(answer.scene, answer.text, stands, goes_on=goes_on)
        keep_partials(self.staged, self.pack, reason)

    def add_answer(self, scene: int, words: str, generation: str, target: int) -> bool:
        """Adds the prose of an answer that was cut off to what stands of its scene; returns whether
        any came."""
        before = self.checkpoint.open_scene
        answer = (scene, words, generation)
        self.checkpoint = add_answer(
            self.staged, self.checkpoint, self.pack, self._save, answer, target
        )
        if self.checkpoint.open_scene == before:
            return False
        goes_on = before is not None and before.number == scene
        self.say_headings_left_out(scene, words, self.staged.scene(scene) or "", goes_on=goes_on)
        return True

    def say_headings_left_out(self, scene: int, answer: str, stands: str, *, goes_on: bool) -> None:
        """Warns of each heading within a drafter's answer, before words of it that stand now.
        `goes_on` says whether words of the scene stood before the answer."""
        behind = words_behind_headings(answer, goes_on=goes_on)
        left_out = [excerpt(words, _QUOTED) for words in behind if words[:_OPENING] in stands]
        sentence = said(
            "Scene {scene} came with a heading before “{quote}”. It is left out. If you want a "
            "scene break there, put in a line * * *."
        )
        for quote in left_out:
            self.emit.warn(sentence.with_values(scene=scene, quote=quote))
        if left_out:
            openings = (" ".join(w.split())[:_QUOTED] for w in behind if w[:_OPENING] in stands)
            self.record(self.records.record_headings(openings))

    def _save(self, checkpoint: Checkpoint) -> Checkpoint:
        return self.store.save_checkpoint(checkpoint)

    # Derived from the text

    def evaluation(self) -> Evaluation:
        """Returns the staged evaluation; only called by stages that come after the judge."""
        evaluation = self.staged.evaluation()
        if evaluation is None:
            raise disappearance(
                said("The evaluation of chapter {chapter} in progress", chapter=self.chapter)
            )
        return evaluation

    # The checkpoint

    def save(self, **changes: object) -> None:
        """Changes the checkpoint durably."""
        self.checkpoint = self.store.save_checkpoint(self.checkpoint.copy_with(**changes))

    def record(self, record: StageRecord, stage: PipelineStage | None = None) -> None:
        """Saves a record as proof of a reader's or decider's work."""
        changes: dict[str, object] = {"stage_records": self.records.add(record)}
        if stage is not None:
            changes["pipeline_stage"] = stage
        self.save(**changes)

    @property
    def being_carried(self) -> bool:
        """Whether a commit was interrupted while it carried the summary over to the current
        text."""
        record = self.lineage.reader("summarize")
        return record is not None and not record.artifacts

    # Decisions

    def answer(self, decision_id: str) -> str | None:
        """Returns what the writer chose, or None while the question is open. The answer is
        announced once per run."""
        answer = self.checkpoint.answer_to(decision_id)
        if answer is None:
            return None
        if answer.id not in self._heard:
            self._heard.add(answer.id)
            self.emit(DecisionMade(id=answer.id, kind=answer.kind, option=answer.option))
        return answer.option

    def answered_by_mode(self, decision: Decision, option: str) -> None:
        """Announces that the review mode took this decision, which then waits for nobody."""
        waiting = self.checkpoint.pending_decision
        if waiting is not None and waiting.kind == decision.kind:
            self.save(pending_decision=None)
        self.emit(DecisionMade(id=decision.id, kind=decision.kind, option=option, by="mode"))


def keep_partials(staged: Staging, pack: LanguagePack, reason: Reason) -> PassagePlace | None:
    """Turns what unfinished calls of a chapter had written of versions of passages into variations;
    the words of a scene are taken in (`scene_in_progress`). Returns the last passage of which words
    came."""
    last = None
    for half in staged.partials():
        if half.passage is not None and keep_half(staged, half.passage, half.text, pack, reason):
            last = half.passage
    staged.clear_partials()
    return last


def keep_half(
    staged: Staging, place: PassagePlace, answer: str, pack: LanguagePack, reason: Reason
) -> Variation | None:
    """Keeps the prose that came of a version of a passage that was cut off, as a variation that
    cannot be taken, because it is not whole; None if none came, or it is kept already."""
    half = Variation(file="", sha256=NO_TEXT, reason=reason, created_at="", passage=str(place))
    prose = "\n\n".join(split_paragraphs(words_that_stand(answer, pack)))
    return Variations(staged.layout).keep_version(staged.chapter, half, prose, place.scene)


def keep_half_versions(store: ProjectStore, language: str) -> dict[int, PassagePlace]:
    """Keeps what was written of versions of passages when the program was killed, beside the whole
    ones, where the writer finds it. Returns the last such passage of each chapter. StudioError 3
    while a run is at work."""
    chapters = chapters_with_half_versions(store.root)
    places: dict[int, PassagePlace] = {}
    if not chapters:
        return places
    with ProjectLock(store.layout.folder):
        for chapter in chapters:
            place = keep_partials(store.staging_of(chapter), load_pack(language), Reason.CUT_OFF)
            if place is not None:
                places[chapter] = place
    return places
