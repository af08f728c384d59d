"""The orchestrator: from a cold start to the right chapter, and out again (seed D1, D2, D9).

It has no memory of earlier runs: checkpoint, state, summaries and outline are all it reads to
resume. It takes the lock, opens or reopens the chapter and walks the line; whatever happens, it
leaves a checkpoint from which the next start resumes, and a free lock.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

from studio.book.plans import volume_of
from studio.errors import StudioError, damaged
from studio.llm.errors import ModelError
from studio.messages import said
from studio.pipeline.book_runs.continuity_checking import (
    ContinuityReader,
    offer_reading,
    read_saved,
)
from studio.pipeline.book_runs.era_telling import EraTeller
from studio.pipeline.chapter.own_text import is_mostly_hers
from studio.pipeline.chapter.records import Records
from studio.pipeline.chapter.run import ChapterRun
from studio.pipeline.chapter.unsaved_words import said_of_unsaved, unsaved_texts
from studio.pipeline.direction import direction_told, order_told
from studio.pipeline.drafting.scene_plans import planned_length
from studio.pipeline.engine import notice_own_text, pause, walk
from studio.pipeline.events import (
    CommittedEvent,
    DecisionRequired,
    Emit,
    Emitter,
    StageEvent,
)
from studio.pipeline.locked_run import RunLog, forget_failure
from studio.pipeline.novel import OnNovel
from studio.pipeline.opening import (
    RunTarget,
    choose_chapter,
    gateway_of_run,
    plan_of,
    read_everything,
    read_the_story_so_far,
    remember_order,
    storyline_is_known,
)
from studio.pipeline.orders import WriteOrder
from studio.pipeline.outcome import Committed, Outcome, Paused, committed_chapter, outcome_of
from studio.pipeline.previews.price import price_answers
from studio.pipeline.prompting.prompt_blocks import PromptBlocks
from studio.pipeline.questions import hand_edits
from studio.pipeline.questions.before_drafting import ask_before_drafting
from studio.pipeline.questions.plan_conflicts import (
    ask_about_continuity,
    ask_about_plans,
    remember_plan,
)
from studio.pipeline.questions.price_question import ask_about_prices
from studio.pipeline.rebuild import Rebuilder
from studio.pipeline.review.one_scene import check_scene, take_up_scene
from studio.pipeline.review.rounds import ask_again_after_stop
from studio.pipeline.stage import Work
from studio.pipeline.stage_order import STAGES
from studio.pipeline.volume.milestones import between_chapters, note_plan
from studio.project.commit.transaction import CommitResult as Finished
from studio.project.commit.transaction import pending
from studio.project.commit.writing import Writing, hold_for_writing
from studio.project.history.reasons import Reason
from studio.project.lock.lock import ProjectLock
from studio.project.planning.imports import clear_committed, waiting_draft
from studio.project.store import ProjectStore
from studio.project.watch.plan_changes import keep_plans
from studio.story.chapter import Chapter, sha256_of
from studio.story.checkpoint import (
    Checkpoint,
    Decision,
    Failure,
    PipelineStage,
    Trigger,
    move,
)

CHAPTER_COMMIT = "c"
"""The first letter in the id of a chapter's commit; the commit of an accepted hand edit starts
with another."""


@dataclass(frozen=True)
class Orchestrator(OnNovel):
    """Runs the chapters of one novel."""

    async def run(self, order: WriteOrder, listen: Emit, warnings: Iterable[str] = ()) -> Outcome:
        """Takes one chapter from where it stands as far as it can go. Never raises for an error
        that the writer can cause. `warnings` are earlier warnings that belong to the record of
        this run."""
        log = RunLog(self.store, listen)
        emit = Emitter(log)
        for warning in warnings:
            emit.warn(warning)
        return await outcome_of(self._run(order, emit, log), emit)

    async def _run(self, order: WriteOrder, emit: Emitter, log: RunLog) -> Outcome:
        emit.chapter = self._about(order)
        emit(StageEvent(name="lock", status="started"))
        with hold_for_writing(
            self.store, emit.chapter, emit.warn, partial(_say_locked, emit)
        ) as held:
            return await self._between(order, emit, await self._run_locked(order, emit, held, log))

    async def _run_locked(
        self, order: WriteOrder, emit: Emitter, held: Writing, log: RunLog
    ) -> Outcome:
        lock, interrupted = held.lock, held.finished_commit
        clear_committed(self.store)
        checkpoint = self.store.checkpoint()
        earlier_commit = (
            interrupted if interrupted and _is_the_work(self.store, interrupted, order) else None
        )
        if earlier_commit is None:
            earlier_commit = _committed_already(self.store, checkpoint, order)
            if earlier_commit is not None:
                emit.warn(
                    said(
                        "Nothing is new: chapter {chapter} of the book was made from this very "
                        "text.",
                        chapter=earlier_commit.chapter,
                    )
                )
        if earlier_commit is not None:
            return self._report_commit(earlier_commit, emit)
        target = choose_chapter(checkpoint, order.chapter, order.again)
        if target.purpose == "begin":
            await self._tell_era(emit)  # a run killed after the tenth chapter left this undone
        if target.purpose == "begin" and (question := self._due(order, emit)) is not None:
            remember_order(self.store, self.store.checkpoint(), target, order, emit)
            return Paused(question)
        in_work, read = target.chapter, self._read_by(target)
        changed = hand_edits.settle(self.store, lock, in_work, read, emit)
        if isinstance(changed, Decision):
            remember_order(self.store, self.store.checkpoint(), target, order, emit)
            return self._ask(self.store.checkpoint(), changed, emit)
        if changed:
            try:
                await self._rebuild(changed, lock, emit)
            except (StudioError, asyncio.CancelledError):
                remember_order(self.store, self.store.checkpoint(), target, order, emit)
                raise
            forget_failure(self.store)
        emit.chapter = target.chapter
        order = self._with_waiting_draft(order, target, emit)
        outcome = await self._chapter(order, target, emit, lock, log)
        if isinstance(outcome, Committed):
            with suppress(StudioError):  # the chapter is in the book; the next run looks again
                clear_committed(self.store)
        return outcome

    async def _rebuild(self, chapters: tuple[int, ...], lock: ProjectLock, emit: Emitter) -> None:
        """Rebuilds the state of the story from chapters whose events the writer changed. Where that
        needs a model that is not there, she is asked about them again next time."""
        rebuilder = Rebuilder(self.novel)
        try:
            await rebuilder.rebuild(chapters, emit, lock)
        except StudioError as error:
            if error.problem.kind == "no_model":
                hand_edits.forget_answers(self.store, chapters)
            raise

    def _due(self, order: WriteOrder, emit: Emitter) -> Decision | None:
        """Does what was left undone after the last chapter, before the next one begins."""
        question = between_chapters(self.store, self.pack, order.review, emit, order.puts_by)
        if question is None:
            note_plan(self.store, beyond=self.store.checkpoint().last_completed_chapter + 1)
        return question

    async def _between(self, order: WriteOrder, emit: Emitter, outcome: Outcome) -> Outcome:
        """Does what is due once a chapter is in the book. A stop ends only the part that models
        do."""
        if not isinstance(outcome, Committed):
            return outcome
        with suppress(asyncio.CancelledError):
            await self._read_once_more(outcome.chapter, emit)
        note_plan(self.store, beyond=self.store.checkpoint().last_completed_chapter)
        question = between_chapters(self.store, self.pack, order.review, emit)
        return outcome if question is None else Paused(question, outcome)

    async def _read_once_more(self, chapter: int, emit: Emitter) -> None:
        """Has models read a chapter that has just come into the book."""
        reader = ContinuityReader(self.novel)
        if self.settings.generation.analyse:
            await read_saved(reader, chapter, emit)
        elif chapter not in self.store.checkpoint().checked:
            offer_reading(reader, chapter, emit)
        await self._tell_era(emit)

    async def _tell_era(self, emit: Emitter) -> None:
        """Has a model summarize ten chapters once the last chapter of the book completes them."""
        last = self.store.checkpoint().last_completed_chapter
        await EraTeller(self.novel).tell(last, emit)

    def _about(self, order: WriteOrder) -> int:
        """Returns the chapter of a run before the lock is taken. Refuses as `choose_chapter`
        does."""
        checkpoint = self.store.checkpoint()
        earlier_commit = pending(self.store.layout) or _committed_already(
            self.store, checkpoint, order
        )
        return (
            earlier_commit.chapter
            if earlier_commit
            else choose_chapter(checkpoint, order.chapter, order.again).chapter
        )

    def _with_waiting_draft(
        self, order: WriteOrder, target: RunTarget, emit: Emitter
    ) -> WriteOrder:
        """Takes an imported draft that waits for this chapter as the author's own text of it."""
        begins = order.text is None and target.purpose == "begin"
        imported = waiting_draft(self.store.layout, target.chapter) if begins else None
        if imported is None:
            return order
        path = self.store.layout.imported_draft(target.chapter)
        emit.warn(
            said(
                "{name} is taken as your own text of chapter {chapter}: no model drafts it.",
                name=path,
                chapter=target.chapter,
            )
        )
        return replace(order, text=imported.text)

    def _tell_unsaved(self, order: WriteOrder, chapter: int, emit: Emitter) -> None:
        """Tells of words that the author typed into the chapter and has not saved: the run goes on
        without them, and they stay where they are."""
        left = unsaved_texts(self.store, self.settings.novel, chapter)
        if any(one.text != order.text for one in left):
            emit.warn(said_of_unsaved(chapter))

    def _report_commit(self, earlier_commit: Finished, emit: Emitter) -> Committed:
        """Returns the outcome of a run that had only an interrupted commit left to finish."""
        chapter = self.store.chapter(earlier_commit.chapter)
        contract = self.store.contract(earlier_commit.chapter)
        own_title = contract.title if contract is not None else chapter.title if chapter else None
        title = own_title or f"Chapter {earlier_commit.chapter}"
        badges = self.store.checkpoint().badges(earlier_commit.chapter)
        emit(
            CommittedEvent(
                title=title,
                sha256=self.store.committed_sha(earlier_commit.chapter) or "",
                badges=badges,
                commit_id=earlier_commit.commit_id,
            )
        )
        emit(StageEvent(name="commit", status="finished"))
        return committed_chapter(self.store, earlier_commit.chapter, title, badges)

    def _read_by(self, target: RunTarget) -> list[int]:
        """Returns the committed chapters whose text the run reads: the one before, for its tail."""
        return [target.chapter - 1] if target.chapter > 1 else []

    def _ask(self, checkpoint: Checkpoint, decision: Decision, emit: Emitter) -> Paused:
        self.store.save_checkpoint(checkpoint.copy_with(pending_decision=decision))
        decision = Rebuilder(self.novel).price_answers(decision)
        emit(DecisionRequired(**decision.model_dump()))
        return Paused(decision)

    async def _chapter(
        self, order: WriteOrder, target: RunTarget, emit: Emitter, lock: ProjectLock, log: RunLog
    ) -> Outcome:
        """Runs the chapter. Whatever can be refused is refused before anything is written."""
        volume = volume_of(self.store, target.chapter)
        read_everything(self.store, volume)
        read_the_story_so_far(self.store, target.chapter, volume)
        contract = plan_of(self.store, target.chapter, self.settings.novel.language, order.text)
        storyline_is_known(self.store, contract)
        gateway = gateway_of_run(self.store, self.novel.gateway_for, order, target, emit)
        if gateway is not None:
            gateway.settle_interrupted()
        keep_plans(self.store, target.chapter)
        self._tell_unsaved(order, target.chapter, emit)
        run = ChapterRun(
            novel=self.novel,
            gateway=gateway,
            contract=contract,
            checkpoint=self.store.checkpoint(),
            review=order.review,
            several=order.several,
            emit=emit,
            lock=lock,
        )
        try:
            with log.record():
                return await self._walk(run, target, order)
        finally:
            run.close_plugins()

    async def _walk(self, run: ChapterRun, target: RunTarget, order: WriteOrder) -> Outcome:
        try:
            question = (
                _open(run, target, order)
                or ask_about_continuity(run)
                or ask_about_plans(run)
                or ask_about_prices(run)
            )
            work = Work(run, PromptBlocks(self.store, run.contract, self.pack))
            question = question or await ask_before_drafting(work)
            if question is not None:
                return pause(run, question, partial(price_answers, work))
            return await walk(STAGES, work, partial(price_answers, work))
        except StudioError as error:
            _note_failure(run, error)
            raise
        except asyncio.CancelledError:
            run.keep_partials(Reason.STOPPED, partial(planned_length, run))
            ask_again_after_stop(run)
            raise
        finally:
            await run.close()


def _say_locked(emit: Emitter) -> None:
    emit(StageEvent(name="lock", status="finished"))


def _is_the_work(store: ProjectStore, earlier_commit: Finished, order: WriteOrder) -> bool:
    """Whether the run was about the chapter whose commit was just finished. A run covers one
    chapter: it neither begins the next nor starts the same one over."""
    return (
        earlier_commit.commit_id.startswith(CHAPTER_COMMIT)
        and order.chapter in (None, earlier_commit.chapter)
        and (order.text is None or _began_with(store, earlier_commit.chapter, order.text))
    )


def _committed_already(
    store: ProjectStore, checkpoint: Checkpoint, order: WriteOrder
) -> Finished | None:
    """Returns the commit of the last chapter if it began with the draft of this order: the same
    command ran before and was killed after the chapter had come into the book."""
    last = checkpoint.last_completed_chapter
    idle = checkpoint.inflight_chapter is None and order.chapter in (None, last)
    if order.text is None or order.again or not idle:
        return None
    entry = store.changelog().newest(last)
    if entry is None or not _began_with(store, last, order.text):
        return None
    return Finished(entry.commit_id, last)


def _began_with(store: ProjectStore, chapter: int, draft: str) -> bool:
    """Whether a chapter was ever made from exactly this text, whatever became of it since."""
    sha256 = sha256_of(draft)
    if not store.history.has(sha256):
        return False  # so the log, which grows with the book, is not read
    versions = store.history.versions(store.layout.staged_chapter(chapter))
    return any(version.sha == sha256 for version in versions)


def _note_failure(run: ChapterRun, error: StudioError) -> None:
    """Keeps in the checkpoint why the run ended, so that it can be said after a restart; not why an
    order was refused, after which all is as it was."""
    if isinstance(error, ModelError):
        run.save(orchestrator_state=move(run.checkpoint, Trigger.ERROR).orchestrator_state)
    if run.checkpoint.inflight_chapter is None or error.problem.kind == "usage":
        return
    with suppress(StudioError):  # the reason why it could not be kept is told anyway
        if pending(run.store.layout) is None and run.store.checkpoint() == run.checkpoint:
            run.save(failure=Failure.of(error.problem))  # else a commit was under way, or is done


def _open(run: ChapterRun, target: RunTarget, order: WriteOrder) -> Decision | None:
    """Begins, reopens or resumes the chapter. Returns a Decision if it cannot begin yet."""
    check_scene(run, order)
    run.checkpoint = forget_failure(run.store)
    if target.purpose == "go on":
        if (sentence := run.staged.mend_text()) is not None:
            run.emit.warn(sentence)
        run.keep_partials(Reason.CUT_OFF, partial(planned_length, run))
        if run.checkpoint.own_text and order.text is None:
            run.bring_own_text_back()
        if order.text is not None and run.text is not None and run.text.text == order.text:
            run.emit.warn(
                said(
                    "Nothing is new: chapter {chapter} has this very text already.",
                    chapter=run.chapter,
                )
            )
            order = replace(order, text=None)
        if order.text is not None:
            earlier_text = run.text.text if run.text else ""
            run.variations.keep(run.chapter, None, earlier_text, Reason.OWN_TEXT)
            begin(run, order, run.records.base_sha256, order.text)
        else:
            wish = order.direction if order.scene is None else ""
            run.save(direction=wish or run.checkpoint.direction)
        if order.scene is not None:
            notice_own_text(run)  # before the scene's lap begins, in which no stage left a text
            check_scene(run, order)
        take_up_scene(run, order)
        return None
    standing, own = run.store.chapter(run.chapter), order.text
    if target.purpose == "again" and own is None:
        _read_again(run, standing, order)
        return None
    if target.purpose != "again" and standing is not None and not order.replaces(standing):
        decision = _file_in_the_way(run, standing.sha256)
        option = run.answer(decision.id)
        if option is None:
            return decision
        own = standing.text if option == "mine" else own
    begin(run, order, standing.sha256 if standing else None, own)
    take_up_scene(run, order)
    return None


def _read_again(run: ChapterRun, standing: Chapter | None, order: WriteOrder) -> None:
    """Begins to read a chapter of the book again. It is no text of the author's for that; it is
    hers where more than half of its paragraphs are by hand (CONTRACTS 4). The refiner went over it
    when it was written."""
    if standing is None:
        raise damaged(
            said("{path} is missing.", path=run.store.layout.chapter(run.chapter)),
            said("`studio history restore {chapter}` brings it back.", chapter=run.chapter),
        )
    begin(run, order, standing.sha256, standing.text)
    if not is_mostly_hers(run):
        sha256 = run.current.sha256
        refined = run.records.record_polish("refine", sha256, sha256, {})
        run.save(own_text=False, stage_records=run.records.add(refined))
    take_up_scene(run, order)


def begin(run: ChapterRun, order: WriteOrder, base: str | None, own: str | None) -> None:
    """Begins a new attempt at a chapter, to be drafted or with the author's `own` text, byte for
    byte.

    A fresh token keeps its calls apart from those of any earlier attempt. A chapter that is
    reviewed again leaves the book in the volume that the book has reached.
    """
    attempt = Records(())
    is_new = run.chapter > run.checkpoint.last_completed_chapter
    records = [attempt.record_attempt(base)]
    if own is not None:
        run.bring_text(own, Reason.WRITTEN if order.typed else Reason.BROUGHT)
        records.append(attempt.record_draft(sha256_of(own), None))
    direction = direction_told(run.store, run.chapter, run.pack)
    if order.direction:
        wish = run.checkpoint.order_for(run.chapter)
        direction = order_told(wish.copy_with(direction=order.direction), run.pack)
    free = run.checkpoint.without_order(run.chapter)
    run.checkpoint = move(free.at_rest(), Trigger.WRITE).copy_with(
        current_volume=run.contract.volume if is_new else run.checkpoint.current_volume,
        inflight_chapter=run.chapter,
        pipeline_stage=PipelineStage.DRAFTING if own is None else PipelineStage.DRAFTED,
        run=secrets.token_hex(3),
        own_text=own is not None,
        direction=direction,
        stage_records=tuple(records),
        answers=tuple(a for a in run.checkpoint.answers if a.kind == "hand_edit"),
    )
    remember_plan(run)


def _file_in_the_way(run: ChapterRun, sha256: str) -> Decision:
    path = run.store.layout.chapter(run.chapter)
    return Decision(
        id=f"conflict-{run.chapter:03d}-{sha256[:8]}",
        kind="conflict",
        recommendation="mine",
        options=("mine", "aside"),
        rationale=said(
            "A text of chapter {chapter} is there already; it never went into the book.",
            chapter=run.chapter,
        ),
        data={
            "path": path,
            "options": {
                "mine": said(
                    "It is your draft of this chapter: it is summarized, judged and reviewed."
                ),
                "aside": said("It goes to history, and the chapter is drafted afresh."),
            },
        },
    )
