"""Rebuild: updates the book after the text of chapters was changed by hand (seed E10): what is to
be read again and what that costs, and the reading.

Each changed chapter is summarized again from the state before it. Its new delta replaces the old
one, the later deltas are folded on top again, and chapters that no longer agree are named. Each
chapter is one commit: a kill leaves whole chapters, and the next call continues with the rest.
Unchanged chapters cost nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from typing import Literal

from studio.book.continuity.ledger import ledger_of
from studio.errors import Exit, Problem, StudioError, damaged, failed, usage
from studio.llm.gateway import Gateway
from studio.messages import readable, said
from studio.pipeline.chapter.records import left_to_rebuild, with_left_to_rebuild
from studio.pipeline.chapter.view import ChapterView
from studio.pipeline.costs import with_cost
from studio.pipeline.events import CommittedEvent, Emit, Emitter, StageEvent, unheard
from studio.pipeline.gateway import gateway_if_any
from studio.pipeline.judging.measures import metrics_of
from studio.pipeline.judging.relocate import remeasure
from studio.pipeline.locked_run import locked_run
from studio.pipeline.novel import OnNovel
from studio.pipeline.opening import plan_of, read_everything, read_the_counts
from studio.pipeline.outcome import Failed, Stopped
from studio.pipeline.prompting import fit_to_window
from studio.pipeline.prompting.prompt_blocks import PromptBlocks
from studio.pipeline.questions.hand_edits import MEANING, chapters_asked_about
from studio.pipeline.review.to_remember import said_of_clashes, said_of_held_back
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
from studio.project.commit.versions import ChangesByStudio, changes_by_studio
from studio.project.lock.lock import ProjectLock
from studio.project.store import ProjectStore
from studio.project.watch.moved_chapters import whereabouts
from studio.project.watch.plan_changes import keep_plans
from studio.story.chapter import sha256_of
from studio.story.checkpoint import Checkpoint, Decision
from studio.story.consistency import Disagreement, disagreements
from studio.story.continuity import ContinuityFinding
from studio.story.form.document import Value
from studio.story.ledger import FREE, Estimate
from studio.story.review.answers import SummaryAnswer
from studio.story.review.directive import DirectiveSheet
from studio.story.review.stale_directives import relocate_sheet
from studio.story.state import Delta, read_by_a_model

Why = Literal["changed", "brought_back", "taken_back", "named", "interrupted"]


@dataclass(frozen=True, slots=True)
class RebuildOrder:
    """The writer's order: these chapters, all, or those changed by hand."""

    chapters: tuple[int, ...] = ()
    everything: bool = False


class RebuiltChapter(Value):
    """A chapter that is summarized again."""

    chapter: int
    title: str
    why: Why
    status: Literal["planned", "rebuilt"] = "planned"
    most_usd: float | None = None
    """The most its call can cost; None if that is unknown, 0 without a call."""


class RebuildReport(Value):
    """What a rebuild will do, or has done."""

    schema_version: Literal[1] = 1
    chapters: tuple[RebuiltChapter, ...] = ()
    replayed: tuple[int, ...] = ()
    """Chapters whose own changes are folded on top again, unchanged."""
    stale: tuple[Disagreement, ...] = ()
    """Before: what depends on the chapters to be rebuilt. After: what no longer agrees."""
    findings: tuple[ContinuityFinding, ...] = ()
    """After: what the detectors find in the chapters after the first that was rebuilt."""
    checked: tuple[int, ...] = ()
    """After: the chapters that the detectors checked."""
    missing: tuple[int, ...] = ()
    """Committed chapters whose files are gone or hold no prose; they are left alone."""
    moved: tuple[str, ...] = ()
    """Chapters that were renamed, moved or swapped, in sentences."""
    gaps: tuple[int, ...] = ()
    """Chapters that the state knows nothing of and that the order does not name."""
    about_usd: float | None = None
    """What all calls will probably cost; None if a price is unknown."""
    most_usd: float | None = None
    model: str = ""

    @property
    def cost(self) -> Estimate:
        """What all calls together will cost."""
        return Estimate(self.about_usd, self.most_usd)


def chapters_to_rebuild(
    store: ProjectStore, order: RebuildOrder, checkpoint: Checkpoint
) -> tuple[list[RebuiltChapter], list[int], tuple[str, ...]]:
    """Returns the chapters to rebuild, ascending; those without a text; and what was moved.

    A chapter that changed places has the text at its new place from then on; one that holds a copy
    of another is read only if it is named. An interrupted rebuild is resumed if the order covers
    what is left of it. StudioError: a named chapter was never committed (exit 2), or its file is
    gone or holds no prose (exit 5).
    """
    committed = log.entries_that_count(log.ChangelogFile(store.root).read_trusted().entries)
    now = whereabouts(store)
    in_work = checkpoint.inflight_chapter
    _is_not_in_work(order.chapters, in_work)
    committed.pop(in_work or 0, None)  # it is read when it goes into the book
    edits = [edit for edit in store.hand_edits() if edit.chapter != in_work]
    without_prose = [edit.chapter for edit in edits if not _has_prose(store, edit.chapter)]
    edited = {edit.chapter for edit in edits} - set(without_prose)
    _may_be_rebuilt(order.chapters, committed, without_prose)
    unfinished = set(left_to_rebuild(checkpoint)) & set(committed) - set(without_prose)
    bare = not order.everything and not order.chapters
    numbers = set(committed) - set(without_prose) if order.everything else set(order.chapters)
    if bare:
        numbers = (edited - set(now.doubled)) | unfinished
    elif unfinished and unfinished <= numbers:
        numbers = unfinished | (edited & numbers)
    else:
        unfinished = set()
    back = changes_by_studio(store, edited & numbers)
    chapters = [
        RebuiltChapter(chapter=n, title=_title(store, n), why=_why(n, edited, unfinished, back))
        for n in sorted(numbers)
    ]
    untold = [number for number in without_prose if number not in now.moved]
    return chapters, untold, now.sentences if now.moved or now.doubled else ()


def gaps_beside(
    store: ProjectStore, checkpoint: Checkpoint, chapters: Iterable[int]
) -> tuple[int, ...]:
    """Returns chapters with prose that the state knows nothing of, without `chapters`."""
    others = set(checkpoint.state_gap) - set(chapters)
    return tuple(number for number in sorted(others) if _has_prose(store, number))


def foreseen(store: ProjectStore, chapters: Iterable[int]) -> tuple[list[int], list[Disagreement]]:
    """Returns later chapters whose deltas are folded again, and what in them depends on these
    chapters.

    What the author herself stated about the chapters survives the reading and does not count.
    """
    deltas = deltas_of(store)
    first = min(chapters, default=None)
    if first is None:
        return [], []
    without = {
        n: delta.copy_with(ops=delta.authors_word) if n in set(chapters) else delta
        for n, delta in deltas.items()
    }
    later = [n for n in deltas if n > first and n not in set(chapters)]
    return later, disagreements_in_words(store, deltas, without)


def disagreements_in_words(
    store: ProjectStore, before: Mapping[int, Delta], after: Mapping[int, Delta]
) -> list[Disagreement]:
    """Returns what no longer fits, each promise with what it promises: an id says nothing."""
    promises = {promise.id: promise.description for promise in store.foreshadowing().promises}

    def name(one: Disagreement) -> Disagreement:
        about = one.op.about or promises.get(one.op.path, "")
        is_promise = one.op.op == "foreshadow"
        op = one.op.copy_with(about=about) if is_promise else one.op
        return one.copy_with(op=op)

    return [name(one) for one in disagreements(before, after)]


def deltas_of(store: ProjectStore) -> dict[int, Delta]:
    """Returns the delta in force for each chapter."""
    return {n: e.delta() for n, e in log.entries_that_count(store.changelog().entries).items()}


def _may_be_rebuilt(
    numbers: Iterable[int], committed: Mapping[int, object], without_prose: Iterable[int]
) -> None:
    absent = set(without_prose)
    for number in numbers:
        if number not in committed:
            raise usage(
                said(
                    "Chapter {number} was never committed; there is nothing to rebuild.",
                    number=number,
                ),
                said("Run `studio write {number}` to bring it into the book.", number=number),
            )
        if number in absent:
            raise damaged(
                said(
                    "Chapter {number} is committed, but its file is gone or holds no prose.",
                    number=number,
                ),
                said("Put it back, or run `studio history restore {number}`.", number=number),
            )


def _is_not_in_work(numbers: Iterable[int], in_work: int | None) -> None:
    if in_work is not None and in_work in numbers:
        raise usage(
            said(
                "Chapter {chapter} is in progress itself; it is read when it goes into the book.",
                chapter=in_work,
            ),
            said("Run `studio resume` to go on with it."),
        )


def _why(chapter: int, edited: set[int], unfinished: set[int], back: ChangesByStudio) -> Why:
    if chapter in back.taken_back:
        return "taken_back"
    if chapter in edited:
        return "brought_back" if chapter in back.brought_back else "changed"
    return "interrupted" if chapter in unfinished else "named"


def _has_prose(store: ProjectStore, number: int) -> bool:
    chapter = store.chapter(number)
    return chapter is not None and bool(chapter.paragraphs)


def _title(store: ProjectStore, number: int) -> str:
    chapter = store.chapter(number)
    return (chapter.title if chapter else None) or ""


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """The rebuild is done."""

    report: RebuildReport

    exit_code = Exit.DONE


@dataclass(frozen=True)
class Rebuilder(OnNovel):
    """Rebuilds chapters of one novel."""

    def preview(self, order: RebuildOrder) -> RebuildReport:
        """Returns what `run` would do. Changes nothing; raises StudioError where `run` would
        fail."""
        emit = unheard()
        checkpoint = self.store.checkpoint()
        chapters, missing, moved = chapters_to_rebuild(self.store, order, checkpoint)
        numbers = [entry.chapter for entry in chapters]
        replayed, stale = foreseen(self.store, numbers)
        gateway = gateway_if_any(self.novel.gateway_for, emit)
        deltas = deltas_of(self.store)
        _loses_no_facts(gateway, [deltas[n] for n in numbers])
        entries = log.entries_that_count(self.store.changelog().entries)
        costs = {n: self._cost(entries[n], emit, gateway) for n in numbers}
        whole = Estimate.together(costs.values())
        priced = [e.copy_with(most_usd=costs[e.chapter].most) for e in chapters]
        return RebuildReport(
            chapters=tuple(priced),
            replayed=tuple(replayed),
            stale=tuple(stale),
            missing=tuple(missing),
            moved=moved,
            gaps=gaps_beside(self.store, checkpoint, numbers),
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
        return await locked_run(self.store, listen, partial(self._rebuild, order))

    async def _rebuild(self, order: RebuildOrder, emit: Emitter, lock: ProjectLock) -> Rebuilt:
        checkpoint = self.store.checkpoint()
        chapters, missing, moved = chapters_to_rebuild(self.store, order, checkpoint)
        numbers = [entry.chapter for entry in chapters]
        before = deltas_of(self.store)
        model = await self.rebuild(numbers, emit, lock)
        replayed, _ = foreseen(self.store, numbers)
        later = [n for n in deltas_of(self.store) if numbers and n > numbers[0]]
        ledger = ledger_of(self.store, self.pack, later) if later else None
        rebuilt = [entry.copy_with(status="rebuilt") for entry in chapters]
        return Rebuilt(
            RebuildReport(
                chapters=tuple(rebuilt),
                replayed=tuple(replayed),
                findings=ledger.findings if ledger else (),
                checked=tuple(later),
                stale=tuple(disagreements_in_words(self.store, before, deltas_of(self.store))),
                missing=tuple(missing),
                moved=moved,
                gaps=gaps_beside(self.store, self.store.checkpoint(), ()),
                model=model,
            )
        )

    async def rebuild(self, chapters: Sequence[int], emit: Emitter, lock: ProjectLock) -> str:
        """Rebuilds these chapters, ascending, also while another one is in progress; returns the
        model that summarized them, empty without one. Raises what a model call raises, and
        StudioError (exit 2) if facts found by a model would be lost without one."""
        checkpoint = self.store.checkpoint()
        read_everything(self.store, checkpoint.current_volume)
        read_the_counts(self.store)
        keep_plans(self.store)
        deltas = deltas_of(self.store)
        gateway = gateway_if_any(self.novel.gateway_for, emit)
        async with gateway or nullcontext():
            _loses_no_facts(gateway, [deltas[n] for n in chapters])
            if chapters:
                self.store.save_checkpoint(with_left_to_rebuild(checkpoint, chapters))
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
        last = log.entries_that_count(self.store.changelog().entries)[number]
        view = self._view(last, gateway, emit)
        emit(StageEvent(name="summarize", status="started"))
        derived = await _derive(Sight(view, PromptBlocks(self.store, view.contract, self.pack)))
        fit_to_window.tell(view)
        emit(StageEvent(name="summarize", status="finished"))
        before = deltas_of(self.store)
        _warn_of_contradictions(view, derived.delta)
        if self.store.root.sha(self.store.layout.chapter(number)) != view.current.sha256:
            raise failed(
                said(
                    "Chapter {number} was changed again while it was read; it stays as it is.",
                    number=number,
                ),
                said("Run `studio rebuild` again when the chapter is done."),
            )
        emit(StageEvent(name="commit", status="started"))
        after = _without_question_about(with_left_to_rebuild(self.store.checkpoint(), rest), number)
        after = after.copy_with(held_back=held_back_after(after, derived.delta))
        for sentence in readable(said_of_held_back(view, derived.delta)):
            emit.warn(sentence)
        result = renew(self.store, lock, self._renewal(view, derived), after)
        for entry in disagreements_in_words(self.store, before, deltas_of(self.store)):
            emit.warn(
                said(
                    "Chapter {chapter} no longer agrees: {name}: {why}.",
                    chapter=entry.chapter,
                    name=entry.entry,
                    why=entry.reason,
                )
            )
        badges = self.store.checkpoint().badges(number)
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
        text = self.store.chapter(number)
        if text is None or not text.paragraphs:
            raise damaged(
                said(
                    "{chapter} is gone or holds no prose.",
                    chapter=self.store.layout.chapter(number),
                ),
                said("Write it, or run `studio history restore {number}`.", number=number),
            )
        language = self.settings.novel.language
        contract = self.store.contract(number) or plan_of(self.store, number, language).copy_with(
            storyline_id=last.storyline_id
        )
        token = sha256_of(f"{text.sha256} {last.seq}")[:6]
        return ChapterView(
            novel=self.novel,
            gateway=gateway,
            contract=contract,
            checkpoint=self.store.checkpoint().at_rest().copy_with(run=token),
            emit=emit,
            text=text,
        )

    def _renewal(self, view: ChapterView, derived: Derived) -> Renewal:
        """Returns what was derived, with the judgement measured again on the present text."""
        evaluation = self.store.evaluation(view.chapter)
        sheet = self.store.directives(view.chapter)
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
        work = Sight(view, PromptBlocks(self.store, view.contract, self.pack))
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
    for sentence in readable(said_of_clashes(view, delta)):
        view.emit.warn(sentence)


def _who(gateway: Gateway | None) -> str:
    """Returns the model that summarizes; empty if the text is its own summary."""
    if gateway is None or not gateway.provider.profile.extracts:
        return ""
    return gateway.provider.model_for("standard")
