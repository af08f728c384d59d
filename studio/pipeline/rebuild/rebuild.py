"""Rebuild: updates the book after the text of chapters was changed by hand (seed E10).

Each changed chapter is summarized again from the state before it. Its new delta replaces the old
one, the later deltas are folded on top again, and chapters that no longer agree are named. Each
chapter is one commit: a kill leaves whole chapters, and the next call continues with the rest.
Unchanged chapters cost nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from functools import partial

from studio.book.continuity.ledger import ledger_of
from studio.errors import Exit, Problem, StudioError, damaged, failed
from studio.llm.gateway import Gateway
from studio.messages import readable, said
from studio.pipeline.chapter.records import with_left_to_rebuild
from studio.pipeline.chapter.view import ChapterView
from studio.pipeline.costs import with_cost
from studio.pipeline.events import CommittedEvent, Emit, Emitter, StageEvent
from studio.pipeline.gateway import gateway_if_any
from studio.pipeline.judging.measures import metrics_of
from studio.pipeline.judging.relocate import remeasure
from studio.pipeline.locked_run import locked_run
from studio.pipeline.novel import Novel
from studio.pipeline.opening import plan_of, read_everything, read_the_counts
from studio.pipeline.outcome import Failed, Stopped
from studio.pipeline.prompting import fit_to_window
from studio.pipeline.prompting.prompt_blocks import PromptBlocks
from studio.pipeline.questions.hand_edits import MEANING, chapters_asked_about
from studio.pipeline.rebuild.plan import (
    RebuildOrder,
    RebuildReport,
    chapters_to_rebuild,
    deltas_of,
    disagreements_in_words,
    foreseen,
    gaps_beside,
)
from studio.pipeline.stage import Sight
from studio.pipeline.stages.summarize import (
    Derived,
    extract_by_code,
    read_by_summarizer,
    summary_question,
)
from studio.project import changelog as log
from studio.project.commit.plan import held_back_after
from studio.project.commit.rebuilt import Renewal, renew
from studio.project.lock.lock import ProjectLock
from studio.project.watch.plan_changes import keep_plans
from studio.story.chapter import sha256_of
from studio.story.checkpoint import Checkpoint, Decision
from studio.story.ledger import FREE, Estimate
from studio.story.review.answers import SummaryAnswer
from studio.story.review.directive import DirectiveSheet
from studio.story.review.stale_directives import relocate_sheet
from studio.story.state import Delta, apply, read_by_a_model


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """The rebuild is done."""

    report: RebuildReport

    exit_code = Exit.DONE


@dataclass(frozen=True)
class Rebuilder:
    """Rebuilds chapters of one novel."""

    novel: Novel

    def preview(self, order: RebuildOrder) -> RebuildReport:
        """Returns what `run` would do. Changes nothing; raises StudioError where `run` would
        fail."""
        emit = Emitter(lambda event: None)
        checkpoint = self.novel.store.checkpoint()
        chapters, missing, moved = chapters_to_rebuild(self.novel.store, order, checkpoint)
        numbers = [entry.chapter for entry in chapters]
        replayed, stale = foreseen(self.novel.store, numbers)
        gateway = gateway_if_any(self.novel.gateway_for, emit)
        deltas = deltas_of(self.novel.store)
        _loses_no_facts(gateway, [deltas[n] for n in numbers])
        entries = log.entries_that_count(self.novel.store.changelog().entries)
        costs = {n: self._cost(entries[n], emit, gateway) for n in numbers}
        whole = Estimate.together(costs.values())
        priced = [e.model_copy(update={"most_usd": costs[e.chapter].most}) for e in chapters]
        return RebuildReport(
            chapters=tuple(priced),
            replayed=tuple(replayed),
            stale=tuple(stale),
            missing=tuple(missing),
            moved=moved,
            gaps=gaps_beside(self.novel.store, checkpoint, numbers),
            about_usd=whole.about,
            most_usd=whole.most,
            model=_who(gateway),
        )

    def price_answers(self, question: Decision) -> Decision:
        """Returns the question about chapters changed by hand with what it costs to rebuild them;
        as it is where that cannot be known."""
        with suppress(StudioError):
            cost = self.preview(RebuildOrder(chapters_asked_about(question))).cost
            return with_cost(question, MEANING, cost)
        return question

    async def run(self, order: RebuildOrder, listen: Emit) -> Rebuilt | Failed | Stopped:
        """Rebuilds what the order names. Never raises for an error that the writer can cause."""
        return await locked_run(self.novel.store, listen, partial(self._rebuild, order))

    async def _rebuild(self, order: RebuildOrder, emit: Emitter, lock: ProjectLock) -> Rebuilt:
        checkpoint = self.novel.store.checkpoint()
        chapters, missing, moved = chapters_to_rebuild(self.novel.store, order, checkpoint)
        numbers = [entry.chapter for entry in chapters]
        before = deltas_of(self.novel.store)
        model = await self.rebuild(numbers, emit, lock)
        replayed, _ = foreseen(self.novel.store, numbers)
        later = [n for n in deltas_of(self.novel.store) if numbers and n > numbers[0]]
        ledger = ledger_of(self.novel.store, self.novel.pack, later) if later else None
        rebuilt = [entry.model_copy(update={"status": "rebuilt"}) for entry in chapters]
        return Rebuilt(
            RebuildReport(
                chapters=tuple(rebuilt),
                replayed=tuple(replayed),
                findings=ledger.findings if ledger else (),
                checked=tuple(later),
                stale=tuple(
                    disagreements_in_words(self.novel.store, before, deltas_of(self.novel.store))
                ),
                missing=tuple(missing),
                moved=moved,
                gaps=gaps_beside(self.novel.store, self.novel.store.checkpoint(), ()),
                model=model,
            )
        )

    async def rebuild(self, chapters: Sequence[int], emit: Emitter, lock: ProjectLock) -> str:
        """Rebuilds these chapters, ascending, also while another one is in progress; returns the
        model that summarized them, empty without one. Raises what a model call raises, and
        StudioError (exit 2) if facts found by a model would be lost without one."""
        checkpoint = self.novel.store.checkpoint()
        read_everything(self.novel.store, checkpoint.current_volume)
        read_the_counts(self.novel.store)
        keep_plans(self.novel.store)
        deltas = deltas_of(self.novel.store)
        gateway = gateway_if_any(self.novel.gateway_for, emit)
        async with gateway or nullcontext():
            _loses_no_facts(gateway, [deltas[n] for n in chapters])
            if chapters:
                self.novel.store.save_checkpoint(with_left_to_rebuild(checkpoint, chapters))
            for index, number in enumerate(chapters):
                await self._one(number, chapters[index + 1 :], gateway, emit, lock)
        return _who(gateway)

    async def _one(
        self,
        number: int,
        rest: Sequence[int],
        gateway: Gateway | None,
        emit: Emitter,
        lock: ProjectLock,
    ) -> None:
        """Rebuilds one chapter, from its text to its commit."""
        emit.chapter = number
        last = log.entries_that_count(self.novel.store.changelog().entries)[number]
        view = self._view(last, gateway, emit)
        emit(StageEvent(name="summarize", status="started"))
        derived = await _derive(
            Sight(view, PromptBlocks(self.novel.store, view.contract, self.novel.pack))
        )
        fit_to_window.tell(view)
        emit(StageEvent(name="summarize", status="finished"))
        before = deltas_of(self.novel.store)
        _warn_of_contradictions(view, derived.delta)
        if (
            self.novel.store.root.sha(self.novel.store.layout.chapter(number))
            != view.current.sha256
        ):
            raise failed(
                said(
                    "Chapter {number} was changed again while it was read; it stays as it is.",
                    number=number,
                ),
                said("Run `studio rebuild` again when the chapter is done."),
            )
        emit(StageEvent(name="commit", status="started"))
        after = _without_question_about(
            with_left_to_rebuild(self.novel.store.checkpoint(), rest), number
        )
        after = after.copy_with(held_back=held_back_after(after, derived.delta))
        for sentence in readable(entry.as_dropped.sentence for entry in derived.delta.held_back):
            emit.warn(sentence)
        result = renew(self.novel.store, lock, self._renewal(view, derived), after)
        for entry in disagreements_in_words(self.novel.store, before, deltas_of(self.novel.store)):
            emit.warn(
                said(
                    "Chapter {chapter} no longer agrees: {name}: {why}.",
                    chapter=entry.chapter,
                    name=entry.entry,
                    why=entry.reason,
                )
            )
        badges = self.novel.store.checkpoint().badges(number)
        emit(
            CommittedEvent(
                title=view.contract.title,
                sha256=view.current.sha256,
                badges=badges,
                commit_id=result.commit_id,
            )
        )
        emit(StageEvent(name="commit", status="finished"))

    def _view(
        self, last: log.ChangelogEntry, gateway: Gateway | None, emit: Emitter
    ) -> ChapterView:
        """Returns a view of the chapter to reread, whose newest entry is `last`, as it stands in
        the book.

        Its token is derived from the text and from the last commit, so that a finished call is
        found again after a kill, and a second rebuild makes a new call.
        """
        number = last.chapter
        text = self.novel.store.chapter(number)
        if text is None or not text.paragraphs:
            raise damaged(
                said(
                    "{chapter} is gone or holds no prose.",
                    chapter=self.novel.store.layout.chapter(number),
                ),
                said("Write it, or run `studio history restore {number}`.", number=number),
            )
        language = self.novel.settings.novel.language
        contract = self.novel.store.contract(number) or plan_of(
            self.novel.store, number, language
        ).model_copy(update={"storyline_id": last.storyline_id})
        token = sha256_of(f"{text.sha256} {last.seq}")[:6]
        return ChapterView(
            store=self.novel.store,
            gateway=gateway,
            settings=self.novel.settings,
            pack=self.novel.pack,
            contract=contract,
            checkpoint=self.novel.store.checkpoint().at_rest().copy_with(run=token),
            emit=emit,
            text=text,
        )

    def _renewal(self, view: ChapterView, derived: Derived) -> Renewal:
        """Returns what was derived, with the judgement measured again on the present text."""
        evaluation = self.novel.store.evaluation(view.chapter)
        sheet = self.novel.store.directives(view.chapter)
        if sheet is not None:
            sheet = relocate_sheet(sheet, view.current)
        if evaluation is not None:
            metrics = metrics_of(view, view.current)
            open_ = sheet or DirectiveSheet(chapter=view.chapter, source_sha256=view.current.sha256)
            evaluation = remeasure(evaluation, view.current, metrics, open_)
        return Renewal(
            text=view.current,
            volume=view.contract.volume,
            delta=derived.delta,
            summary=derived.summary,
            memory=derived.memory,
            crossref=derived.crossref,
            evaluation=evaluation,
            directives=sheet,
        )

    def _cost(self, last: log.ChangelogEntry, emit: Emitter, gateway: Gateway | None) -> Estimate:
        """Returns what the call about a chapter will cost."""
        if gateway is None or not gateway.provider.profile.extracts:
            return FREE
        view = self._view(last, gateway, emit)
        work = Sight(view, PromptBlocks(self.novel.store, view.contract, self.novel.pack))
        return gateway.estimate(work.agents.request(summary_question(work), SummaryAnswer))


async def _derive(work: Sight) -> Derived:
    """Returns the summarizer's reading, or the text's own; never a gap where the state had
    facts."""
    profile = work.run.profile
    if profile is not None and profile.extracts:
        return await read_by_summarizer(work)
    return extract_by_code(work)


def _loses_no_facts(gateway: Gateway | None, deltas: Iterable[Delta]) -> None:
    """Refuses (exit 2) a rebuild without a model that extracts if facts found by one would be
    lost."""
    if gateway is not None and gateway.provider.profile.extracts:
        return
    for delta in deltas:
        if read_by_a_model(delta.ops):
            raise StudioError(
                Problem(
                    said(
                        "What chapter {chapter} changes in the story was read by a model; "
                        "without one it would be lost.",
                        chapter=delta.chapter,
                    ),
                    said(
                        "Set a model up (`studio doctor` says how). If only the style "
                        "changed, say so when `studio write` asks: then nothing has to be "
                        "read again."
                    ),
                    exit_code=Exit.USAGE,
                    kind="no_model",
                )
            )


def _without_question_about(checkpoint: Checkpoint, chapter: int) -> Checkpoint:
    """Returns the checkpoint without the question about this chapter's edit; one about others too
    is asked anew, about those."""
    about = f"hand_edit-{chapter:03d}-"
    question = checkpoint.pending_decision
    is_settled = question is not None and (
        question.id.startswith(about) or chapter in chapters_asked_about(question)
    )
    return checkpoint.copy_with(
        pending_decision=None if is_settled else question,
        answers=tuple(a for a in checkpoint.answers if not a.id.startswith(about)),
    )


def _warn_of_contradictions(view: ChapterView, delta: Delta) -> None:
    """Warns of changes that the state cannot take over because they contradict what was true
    before (M16)."""
    _, conflicts = apply(view.story.state_before.tree, delta.ops, view.chapter)
    for sentence in readable(entry.sentence for entry in conflicts):
        view.emit.warn(sentence)


def _who(gateway: Gateway | None) -> str:
    """Returns the model that summarizes; empty if the text is its own summary."""
    if gateway is None or not gateway.provider.profile.extracts:
        return ""
    return gateway.provider.model_for("standard")
