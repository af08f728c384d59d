"""The facade of one novel: everything that the app and the command line can do with it.

A Session holds the store, the settings and the way to a model. It keeps no story state between
calls: each call reads what is on disk.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from studio.chapter_names import label_chapters
from studio.config.paths import state_dir
from studio.config.schema import Settings
from studio.errors import StudioError, usage
from studio.messages import join, said
from studio.pipeline.events import Emitter, Event
from studio.pipeline.novel import Novel
from studio.pipeline.orders import StartOrder as StartOrder
from studio.pipeline.orders import WriteOrder as WriteOrder
from studio.pipeline.outcome import NothingToDo, Outcome, failure
from studio.project.author.author_text import own_draft_of
from studio.project.author.proposals import file_back
from studio.project.clock import now
from studio.project.commit.writing import hold_for_writing, is_interrupted, sweep_up
from studio.project.contents import labels_of
from studio.project.files.other_hands import sync_copies_of_notes
from studio.project.novel_settings import settings_of_novel
from studio.project.progress import Listener, nobody
from studio.project.store import ProjectStore
from studio.story.chapter import Chapter
from studio.story.checkpoint import DIRECTIVES, Answer, Decision
from studio.story.lengths import unit_in
from studio.story.review.directive import Directive, DirectiveSheet
from studio.story.review.stale_directives import sheet_in
from studio.story.status import DirectiveAction

if TYPE_CHECKING:
    from studio.exchange.export import Exported, ExportOrder
    from studio.exchange.import_.commit import ImportAs, ImportResult, OnChapter
    from studio.exchange.import_.plan import ImportPlan
    from studio.exchange.import_.sources import Source
    from studio.llm.choose import ProviderChoice
    from studio.llm.gateway import Gateway
    from studio.pipeline.author import Craft
    from studio.pipeline.book_runs.continuity_checking import ContinuityReader
    from studio.pipeline.book_runs.entry_filling import EntryFiller
    from studio.pipeline.book_runs.promise_reading import PromiseReader
    from studio.pipeline.book_runs.volume_desk import VolumeDesk
    from studio.pipeline.costs import Costs
    from studio.pipeline.external_changes import Upkeep
    from studio.pipeline.judging.measures import SavedText
    from studio.pipeline.orchestrator import Orchestrator
    from studio.pipeline.outcome import Result
    from studio.pipeline.passage.proposals import Proposals
    from studio.pipeline.passage.versions import PassageRoom
    from studio.pipeline.previews.preview import Preview, Previews
    from studio.pipeline.rebuild import Rebuilder
    from studio.pipeline.status import StatusReport
    from studio.pipeline.variations import KeptText
    from studio.project.commit.versions import Versions
    from studio.story.review.evaluation import ChoiceAnswer, Counsel, Evaluation

EDIT, STOP = "edit", "stop"
LEFT_OPEN = frozenset({EDIT, DIRECTIVES, STOP})
"""Options that are no answer: the question stays open while the writer works."""


class Session:
    """One open novel."""

    def __init__(self, store: ProjectStore, settings: Settings) -> None:
        self.store = store
        self.settings = settings

    @classmethod
    def open(
        cls,
        folder: Path,
        environ: Mapping[str, str],
        overrides: Mapping[str, object] | None = None,
    ) -> Session:
        """Opens the novel in `folder`; StudioError 2 if it is none, 5 if its settings are bad."""
        store = ProjectStore(folder, state_dir(environ))
        label_chapters(labels_of(store.layout))
        return cls(store, settings_of_novel(store.layout.folder, environ, overrides))

    @property
    def warnings(self) -> tuple[str, ...]:
        """The settings that were ignored when the novel was opened, one sentence each."""
        return self.settings.warnings

    # Writing

    async def write(self, order: WriteOrder, emit: Callable[[Event], None]) -> Outcome:
        """Writes, resumes or reviews a chapter; never raises for what a writer can cause."""
        try:
            draft = own_draft_of(order.draft)
            orchestrator = self._orchestrator()
            copies = tuple(sync_copies_of_notes(self.store.root))
        except StudioError as error:
            return failure(error.problem, Emitter(emit))
        warnings = (*self.warnings, *copies, *(draft.remarks if draft else ()))
        order = replace(order, text=draft.text if draft else None)
        return await orchestrator.run(order, emit, warnings)

    async def resume(self, order: WriteOrder, emit: Callable[[Event], None]) -> Outcome:
        """Resumes the interrupted chapter, or reports that there is none; never raises."""
        try:
            checkpoint = self.store.checkpoint()
            if checkpoint.is_beginning and checkpoint.inflight_chapter is None:
                return await self.start(StartOrder(), emit)
            if not is_interrupted(self.store):
                notes = sweep_up(self.store)
                return NothingToDo(join((*notes, said("There is no interrupted chapter."))))
        except StudioError as error:
            return failure(error.problem, Emitter(emit))
        return await self.write(order, emit)

    async def start(self, order: StartOrder, emit: Callable[[Event], None]) -> Outcome:
        """Begins the book or resumes its beginning; never raises for what a writer can cause."""
        from studio.pipeline.beginning.steps import with_telling
        from studio.pipeline.book_runs.beginning_run import BeginningRun

        try:
            return await BeginningRun(self._novel).run(order, emit)
        finally:
            self.settings = with_telling(self.settings, self.store)

    def result(self, outcome: Outcome) -> Result:
        """Returns an outcome in machine-readable form (seed E1)."""
        from studio.pipeline.outcome import result_of

        return result_of(outcome, self.store, unit_in(self.settings))

    def discard(self) -> int:
        """Abandons the chapter in flight; returns its number. Its texts are kept in history."""
        with hold_for_writing(self.store):
            checkpoint = self.store.checkpoint()
            chapter = checkpoint.inflight_chapter
            if chapter is None:
                raise usage(said("There is no interrupted chapter to discard."))
            staged = self.store.staging_of(chapter)
            file_back(self.store, staged)
            staged.discard()
            self.store.save_checkpoint(checkpoint.at_rest())
        return chapter

    def _orchestrator(self) -> Orchestrator:
        from studio.pipeline.orchestrator import Orchestrator

        return Orchestrator(self._novel.ready())

    @property
    def _novel(self) -> Novel:
        """The novel as a piece of work takes it, with the settings as they are now."""
        return Novel(self.store, self.settings, self._gateway)

    # The model

    def choice(self) -> ProviderChoice:
        """Which provider would be called, and why."""
        from studio.llm.choose import choose_provider

        return choose_provider(self.settings)

    def provider_sentence(self) -> str:
        """Returns a sentence that says which model is in force and why, or how to get one."""
        try:
            return self.choice().reason
        except StudioError as error:
            return str(error.problem)

    def _gateway(self, emit: Emitter) -> Gateway | None:
        from studio.pipeline.gateway import novel_gateway

        settings, gateway = novel_gateway(before := self.settings, self.store, emit)
        self.settings = settings if self.settings is before else self.settings  # read meanwhile
        return gateway

    # Money

    def costs(self) -> Costs:
        """Returns what the novel has cost and how close the caps are; changes nothing."""
        from studio.pipeline.costs import costs_of

        return costs_of(self.store, self.settings, self.store.journal.usage_entries())

    # Decisions

    def pending(self) -> Decision | None:
        """Returns the decision that waits for the writer, else the one she may take about the scene
        in progress, which holds nothing up; or None."""
        return self.previews().waiting_decision()

    def decide(self, option: str, decision_id: str | None = None, note: str = "") -> Answer | None:
        """Answers the pending decision; `resume` carries the answer out.

        None for `LEFT_OPEN`. StudioError 2: nothing is pending, another id, no option, no words.
        """
        from studio.pipeline.beginning.steps import with_telling
        from studio.pipeline.chapter.scene_in_progress import settle_scene, waiting_decision
        from studio.pipeline.questions.price_question import carry_out
        from studio.pipeline.volume.milestones import settle

        with hold_for_writing(self.store) as held:
            checkpoint = self.store.checkpoint()
            decision = waiting_decision(self.store, checkpoint, self.settings)
            if decision is None:
                raise _nothing_asked(checkpoint.inflight_chapter)
            decision = self.previews().as_it_stands(decision)
            decision.must_be(decision_id)
            choice = decision.option_chosen(option, note)
            if choice in LEFT_OPEN:
                return None
            answer = decision.answer_with(choice, note, now())
            if decision.between_chapters:
                language = self.settings.novel.language
                settle(self.store, held.lock, decision, choice, note, language)
                self.settings = with_telling(self.settings, self.store)
                return answer
            carry_out(self.store.journal.spending, decision, choice)
            if decision.kind == "cut_off":
                checkpoint = settle_scene(self.store, checkpoint, self._novel.pack, choice)
            self.store.save_checkpoint(
                checkpoint.copy_with(pending_decision=None, answers=(*checkpoint.answers, answer))
            )
        return answer

    def read_again(self) -> int:
        """Has the chapter in progress judged again as it stands, which the next `resume` does; the
        writer changed it since it was judged (CONTRACTS 7). Returns its number. StudioError 2: no
        such chapter, or nobody has judged it yet, or it was not changed."""
        from studio.pipeline.chapter.records import Records
        from studio.pipeline.review.changed_since_judged import is_changed_since_judged

        with hold_for_writing(self.store):
            checkpoint = self.store.checkpoint()
            chapter = checkpoint.inflight_chapter
            text = self.store.staging_of(chapter).text() if chapter is not None else None
            if chapter is None or text is None:
                raise usage(said("No chapter is in progress."))
            if not is_changed_since_judged(checkpoint, text.sha256):
                raise usage(said("It was not changed since it was judged."))
            records = Records(checkpoint.stage_records, checkpoint.laps)
            order = records.add(records.look_again(text.sha256))
            self.store.save_checkpoint(
                checkpoint.copy_with(stage_records=order, pending_decision=None)
            )
        return chapter

    # Directives

    def directives(self, chapter: int | None = None) -> DirectiveSheet | None:
        """Returns the directives of a chapter, by default of the one in flight, else of the last
        committed one, each at the present place of its passage."""
        store, (number, in_work) = self.store, self.store.checkpoint().chapter_reviewed(chapter)
        if in_work:
            return sheet_in(store.staging_of(number).sheet(), store.staging_of(number).text())
        return sheet_in(store.directives(number), store.chapter(number)) if number else None

    def place_proposal(self, number: int, address: str) -> Directive:
        """Makes the `number`th proposal without a place a directive about a passage, `2.3` or
        `2.3-2.5`. StudioError (exit 2): no such proposal, no such passage."""
        from studio.pipeline.review.decisions import place_proposal

        with hold_for_writing(self.store):
            return place_proposal(self.store, number, address)

    def change_directives(
        self,
        action: DirectiveAction,
        ids: Sequence[str],
        *,
        all_: bool = False,
        batch: bool = False,
        reason: str = "",
        instruction: str | None = None,
        text: str | None = None,
    ) -> list[Directive]:
        """Records the writer's decision on directives of the chapter in flight.

        `batch` means that she did not name each of them. The surgeon works on them in the next
        `resume`; `undo`, and an `edit` with a text of hers, change the text at once. StudioError
        2: no chapter in flight, no such directive, or a directive that is past this decision.
        """
        from studio.pipeline.review.decisions import change

        with hold_for_writing(self.store):
            return change(
                *(self._novel.ready(), action, ids),
                all_=all_,
                batch=batch,
                reason=reason,
                instruction=instruction,
                text=text,
            )

    def proposals(self) -> Proposals:
        """Proposals of passages with given words: listed, made and decided on."""
        from studio.pipeline.passage.proposals import Proposals

        return Proposals(self._novel.ready())

    def answer_choice(
        self, issue: str, answer: ChoiceAnswer | None, words: str = "", chapter: int | None = None
    ) -> Counsel:
        """Answers a choice that is the writer's, or takes it back: see `choice_answers`, and for a
        chapter of the book `book_choices`."""
        from studio.pipeline.passage.book_choices import ChoiceDesk

        desk = ChoiceDesk(self._novel.ready())
        return desk.answer(issue, answer, words, chapter)

    def bring_back(self, chapter: int, scene: int | None, sha256: str) -> Chapter:
        """Puts a kept text back into the chapter in work; the present text is kept first."""
        from studio.pipeline.review.one_scene import scene_back
        from studio.project.restore import bring_back

        scenes = scene_back(self.store, chapter, scene, sha256, self.settings)
        return scenes or bring_back(self.store, chapter, scene, sha256)

    # Import and export

    def bring_in(
        self,
        plan: ImportPlan,
        originals: Sequence[Source],
        kind: ImportAs,
        hear: OnChapter = lambda number, title: None,
        *,
        takes_plans: bool = False,
    ) -> ImportResult:
        """Appends the chapters of an import plan to the book; calls no model.

        StudioError: 2 while a chapter is in work or if a file is in the way, 3 if the novel is
        locked, 5 if it is damaged.
        """
        from studio.exchange.import_.commit import ImportOrder, bring_in

        order = ImportOrder(kind, self.settings.novel.language, takes_plans)
        with hold_for_writing(self.store) as held:
            return bring_in(self.store, held.lock, plan, originals, order, self._measure, hear)

    def _measure(self, number: int, chapter: Chapter) -> Evaluation:
        from studio.pipeline.chapter.targets import targets
        from studio.pipeline.judging.measures import evaluation_by_code

        return evaluation_by_code(
            number, chapter, self._novel.pack, targets(self.store, self.settings)
        )

    def export(self, order: ExportOrder, listener: Listener = nobody) -> Exported:
        """Exports the book for other programs; only reads the novel. If `listener` raises, the
        export ends with nothing written.

        StudioError: 2 for a path that is taken or belongs to the novel, 5 for a chapter that cannot
        be read.
        """
        from studio.exchange.export import export_book

        novel = self.settings.novel
        return export_book(self.store, novel.title, novel.language, self._sign(order), listener)

    def export_bytes(self, order: ExportOrder) -> tuple[bytes, tuple[int, ...]]:
        """Returns the book as one file, for stdout, and the chapters in it; like `export`."""
        from studio.exchange.export import book_bytes

        novel = self.settings.novel
        return book_bytes(self.store, novel.title, novel.language, self._sign(order))

    def _sign(self, order: ExportOrder) -> ExportOrder:
        """Returns the order with the writer's own name where it names nobody, and her count."""
        author = order.author or self.settings.author.name
        return replace(order, author=author, count=self.settings.targets.count)

    def volumes(self) -> VolumeDesk:
        """The service in which the plot architect plans a volume."""
        from studio.pipeline.book_runs.volume_desk import VolumeDesk

        return VolumeDesk(self._novel)

    # History and upkeep

    def versions(self) -> Versions:
        """Every kept version of every file."""
        from studio.project.commit.versions import Versions

        return Versions(self.store)

    def rebuilder(self) -> Rebuilder:
        """Reports what follows from chapters changed by hand, and carries it out."""
        from studio.pipeline.rebuild import Rebuilder

        return Rebuilder(self._novel.ready())

    def continuity_reader(self) -> ContinuityReader:
        """Has a model check chapters against each other; states the price first."""
        from studio.pipeline.book_runs.continuity_checking import ContinuityReader

        return ContinuityReader(self._novel.ready())

    def entry_filler(self) -> EntryFiller:
        """Has a model read chapters about names without an entry; states the price first."""
        from studio.pipeline.book_runs.entry_filling import EntryFiller

        return EntryFiller(self._novel.ready())

    def promise_reader(self) -> PromiseReader:
        """Has a model read chapters for promises to the reader; states the price first."""
        from studio.pipeline.book_runs.promise_reading import PromiseReader

        return PromiseReader(self._novel.ready())

    def upkeep(self) -> Upkeep:
        """Finds and settles changes made outside the studio; the file watch and the backups."""
        from studio.pipeline.external_changes import Upkeep

        return Upkeep(self.store, self.settings)

    def craft(self) -> Craft:
        """The author's own range of measures, what she has waived, and her style library."""
        from studio.pipeline.author import Craft

        return Craft(self._novel.ready())

    def passages(self) -> PassageRoom:
        """Other versions of passages: priced, written, compared, taken."""
        from studio.pipeline.passage.versions import PassageRoom

        return PassageRoom(self._novel.ready())

    # Read-only views

    def analyse(self, chapter: int, text: Chapter) -> SavedText:
        """Returns what code finds in a chapter's text as it was saved; calls no model, writes
        nothing. StudioError 5 for a file of the book that cannot be read."""
        from studio.pipeline.judging.measures import saved_chapter

        return saved_chapter(self._novel, chapter, text)

    def previews(self) -> Previews:
        """Previews of the prompts that agents would get now; writes nothing and calls no model."""
        from studio.pipeline.gateway import choice_to_look
        from studio.pipeline.previews.preview import Previews

        return Previews(self._novel.ready(), choice_to_look(self.settings))

    def preview(self, chapter: int | None = None, scene: int | None = None) -> Preview:
        """Returns the next call for a scene, like `Previews.of_scene`."""
        return self.previews().of_scene(chapter, scene)

    def kept_texts(self, chapter: int) -> tuple[KeptText, ...]:
        """Returns the kept texts of a chapter, newest first. StudioError 5 for a damaged list."""
        from studio.pipeline.variations import kept_texts

        return kept_texts(self.store, self._novel.pack, unit_in(self.settings), chapter)

    def status(self) -> StatusReport:
        """Returns where the novel stands; damaged files are named in its warnings."""
        from studio.pipeline.status import status_of

        report = status_of(self.store, self.settings, self.provider_sentence)
        question = report.pending_decision and self.previews().with_prices(report.pending_decision)
        return report.model_copy(update={"pending_decision": question})


def _nothing_asked(inflight: int | None) -> StudioError:
    """Returns the error for an answer where nothing is asked; a chapter in progress waits for her
    all the same."""
    if inflight is None:
        return usage(
            said("There is nothing to decide."), said("`studio status` shows what is next.")
        )
    return usage(
        said("Chapter {chapter} waits, and asks nothing at the moment.", chapter=inflight),
        said("`studio resume` goes on with it, to its next question."),
    )
