"""Where a novel stands, read without changing anything (seed D10). Damaged files are named and
skipped, so that a book with a broken checkpoint can still be looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from functools import cache, partial
from typing import TypeVar

from pydantic import Field

from studio.book.continuity.ledger import (
    ContinuityStanding,
    open_contradictions,
)
from studio.book.plans import PlansOnce, outline_titles, volume_of
from studio.book.promise_standing import PromiseStanding, standing_of
from studio.config.schema import Settings
from studio.errors import StudioError, usage
from studio.messages import Said, join, numbers_in_runs, said, series
from studio.pipeline.book_runs.waiting_plan import plans_waiting
from studio.pipeline.chapter.records import left_to_rebuild
from studio.pipeline.chapter.unsaved_words import chapters_with_unsaved, said_of_unsaved
from studio.pipeline.chapter_marks import ChapterMark, chapter_marks
from studio.pipeline.judging.placement import counsel_in
from studio.pipeline.opening import ground_of
from studio.pipeline.review.changed_since_judged import is_changed_since_judged, is_summary_outdated
from studio.pipeline.volume.brief import MOST_NAMED, held_back_sentence, rebuild_offer
from studio.project.author.book_length import BookLength, book_length
from studio.project.changelog import Changelog, ChangelogFile
from studio.project.index import Written, written_chapters
from studio.project.lock.holder import read_lock
from studio.project.planning.imports import waiting_chapters, waiting_draft
from studio.project.staging import Staging
from studio.project.store import ProjectStore
from studio.project.watch.moved_chapters import whereabouts
from studio.story.checkpoint import (
    CHANGED_SINCE,
    Beginning,
    BeginningStep,
    Checkpoint,
    Decision,
    OrchestratorState,
    PipelineStage,
    VolumeStep,
)
from studio.story.form.document import Value, Words
from studio.story.ledger import Spent
from studio.story.lengths import unit_in
from studio.story.records import UsageEntry
from studio.story.review.evaluation import Counsel, GateResult, Score, Violation
from studio.story.review.left_open import LeftOpen
from studio.story.review.stale_directives import sheet_in

T = TypeVar("T")
_NO_LEDGER = ContinuityStanding()
_NO_MARKS: Mapping[int, tuple[ChapterMark, ...]] = {}


class ChapterStatus(Value):
    """One chapter of the book."""

    chapter: int
    label: str | None = None
    """What the author calls it, if not by its number."""
    title: str
    badges: tuple[str, ...] = ()
    marks: tuple[ChapterMark, ...] = ()
    """What needs attention in the chapter: contradictions, promises, locked passages."""
    length: int = 0
    """Words (en) or characters without spaces (ko, zh)."""


class StatusReport(Value):
    """What `studio status` shows."""

    schema_version: int = 1
    title: str
    language: str
    orchestrator_state: OrchestratorState
    volume: int
    last_completed_chapter: int
    next_chapter: int
    next_label: str | None
    next_title: str | None
    next_ready: bool = True
    """Whether the next run has something to begin with: a plan, a text, a question."""
    inflight_chapter: int | None
    inflight_label: str | None
    pipeline_stage: PipelineStage | None
    pending_decision: Decision | None
    lock: str
    """The state of the lock: free, held, dead, damaged or foreign."""
    lock_sentence: Words
    chapters: tuple[ChapterStatus, ...]
    book: BookLength
    """The total lengths, by volume and overall, and what was written today."""
    low_quality: tuple[int, ...]
    """Chapters of the book that a judge scored below 3."""
    violations_open: tuple[int, ...]
    """Chapters of the book that break a rule, with high confidence."""
    spent_today_usd: float
    spent_usd: float
    spent_on_chapter_usd: float | None = None
    """What the chapter in progress has cost, as the app's bar says it; null without one."""
    estimated: tuple[Spent, ...] = ()
    """Which of these amounts hold estimates of what stopped or killed calls cost."""
    perhaps_usd: float
    """The most that calls without a recorded end can have cost: killed calls or calls in
    progress."""
    perhaps_calls: int = Field(ge=0)
    all_novels_today_usd: float
    unpriced_calls: int = Field(ge=0)
    model: Words
    promises: PromiseStanding = PromiseStanding()
    """The standing of the promises that the book makes."""
    continuity: ContinuityStanding = ContinuityStanding()
    """The open contradictions at the point where the book goes on."""
    ahead: dict[int, tuple[ChapterMark, ...]] = Field(default_factory=dict)
    """Marks of chapters that are not in the book yet."""
    left_open: dict[int, tuple[LeftOpen, ...]] = Field(default_factory=dict)
    """What chapters went into the book with that nobody was asked about."""
    proposals_left_out: dict[BeginningStep | VolumeStep, Words] = Field(default_factory=dict)
    """What is proposed in each step that was left out and waits as it stood."""
    warnings: tuple[Words, ...] = ()


class ChapterReading(Value):
    """What `studio status N` shows: how a chapter was judged and measured."""

    schema_version: int = 1
    chapter: int
    label: str | None = None
    title: str
    in_work: bool
    """Whether this is about the staged text rather than the one in the book."""
    badges: tuple[str, ...]
    overall: float | None
    """The overall score; None where nobody judged the chapter."""
    judge_model: str | None
    gate: GateResult | None
    scores: dict[str, Score]
    violations: tuple[Violation, ...]
    reader_experience: str
    counsel: tuple[Counsel, ...]
    open_directives: int
    warnings: tuple[Words, ...]
    left_open: tuple[LeftOpen, ...] = ()


class _StatusReader:
    """Reads what can be read, and collects one sentence for each problem, without duplicates."""

    def __init__(self) -> None:
        self.damages: dict[str, None] = {}

    def at(self, read: Callable[[], T], otherwise: T) -> T:
        """Returns what `read` returns, or `otherwise` if the file it reads is damaged."""
        try:
            return read()
        except StudioError as error:
            self.damages[str(error.problem)] = None
            return otherwise


def status_of(store: ProjectStore, settings: Settings, model: Callable[[], str]) -> StatusReport:
    """Returns the report; `model` names the model in force."""
    from studio.pipeline.costs import costs_of

    look = _StatusReader()
    numbers: list[int] = look.at(store.chapter_numbers, [])
    checkpoint = look.at(store.checkpoint, _count_chapters(numbers))
    costs = costs_of(store, settings, look.at(store.journal.usage_entries, list[UsageEntry]()))
    following = checkpoint.inflight_chapter or checkpoint.last_completed_chapter + 1
    lock, plans = read_lock(store.layout.folder), PlansOnce(store)
    promises = look.at(lambda: standing_of(store, plans), PromiseStanding())
    continuity = look.at(lambda: _continuity(store, settings, following, plans), _NO_LEDGER)
    written = look.at(lambda: written_chapters(store, unit_in(settings)), dict[int, Written]())
    marks = look.at(lambda: chapter_marks(store, promises, continuity), dict(_NO_MARKS))
    chapters = tuple(_chapters(store, numbers, checkpoint, written, marks, look))
    labels = look.at(lambda: store.chapter_list().labels, dict[int, str]())
    return StatusReport(
        title=settings.novel.title,
        language=settings.novel.language,
        orchestrator_state=checkpoint.orchestrator_state,
        volume=checkpoint.current_volume,
        last_completed_chapter=checkpoint.last_completed_chapter,
        next_chapter=following,
        next_label=labels.get(following),
        next_title=look.at(lambda: _planned_title(store, following), None),
        next_ready=look.at(lambda: ground_of(store, following).is_there, True),
        inflight_chapter=checkpoint.inflight_chapter,
        inflight_label=labels.get(checkpoint.inflight_chapter or 0),
        pipeline_stage=checkpoint.pipeline_stage,
        pending_decision=checkpoint.pending_decision,
        lock=lock.state,
        lock_sentence="" if lock.state == "free" else lock.sentence(),
        chapters=chapters,
        book=_book(store, settings, {n: one.length for n, one in written.items()}, look),
        low_quality=checkpoint.low_quality,
        violations_open=checkpoint.violations_open,
        spent_today_usd=costs.today_usd,
        spent_usd=costs.spent_usd,
        spent_on_chapter_usd=costs.spent_on(checkpoint.inflight_chapter),
        estimated=costs.estimated(checkpoint.inflight_chapter),
        perhaps_usd=costs.perhaps_usd,
        perhaps_calls=len(costs.open),
        all_novels_today_usd=costs.all_novels_today_usd,
        unpriced_calls=costs.unpriced_calls,
        model=look.at(model, str(said("No model is in force."))),
        promises=promises,
        continuity=continuity,
        ahead={n: of_it for n, of_it in marks.items() if n not in numbers},
        proposals_left_out=_left_out(checkpoint),
        left_open=look.at(lambda: _left_open(store, checkpoint), dict[int, tuple[LeftOpen, ...]]()),
        warnings=(
            *settings.warnings,
            *_before_a_run(store, settings, checkpoint, look),
            *promises.sentences,
            *continuity.sentences,
            *look.at(lambda: list(_waiting_drafts(store, checkpoint)), list[str]()),
            *look.damages,
        ),
    )


def _left_out(checkpoint: Checkpoint) -> dict[BeginningStep | VolumeStep, Words]:
    begun = (checkpoint.beginning or Beginning()).left_out
    open_step = checkpoint.pending_decision and checkpoint.pending_decision.data.get("step")
    questions = (*begun.items(), *checkpoint.left_out.items())
    return {step: question.rationale for step, question in questions if step != open_step}


def _left_open(store: ProjectStore, checkpoint: Checkpoint) -> dict[int, tuple[LeftOpen, ...]]:
    evaluations = ((number, store.evaluation(number)) for number in checkpoint.left_open)
    return {number: one.left_open for number, one in evaluations if one is not None}


def _before_a_run(
    store: ProjectStore, settings: Settings, checkpoint: Checkpoint, look: _StatusReader
) -> Iterator[str]:
    """Yields what the next run begins with, or what is better done before it."""
    from studio.pipeline.gateway import models_of_the_novel

    look.at(store.brief, "")  # a run reads them; a chapter's plan can hide that they are unreadable
    for volume in store.layout.volume_numbers():
        look.at(partial(store.outline, volume), "")
    if models := models_of_the_novel(settings):
        yield models
    unsaved = look.at(partial(chapters_with_unsaved, store, settings.novel), tuple[int, ...]())
    yield from map(said_of_unsaved, unsaved)
    for number in look.at(partial(plans_waiting, store), tuple[int, ...]()):
        yield said(
            "A proposed plan of chapter {number} waits; p and F9 in the app show it; that costs"
            " nothing more.",
            number=number,
        )
    yield from _between_chapters(checkpoint)
    yield from look.at(lambda: list(_changed_since(store, checkpoint)), list[str]())
    yield from _unfinished_work(store, look)
    yield from _to_rebuild(checkpoint)
    yield from look.at(lambda: list(_changed_elsewhere(store)), list[str]())


def _changed_since(store: ProjectStore, checkpoint: Checkpoint) -> Iterator[str]:
    """Yields what is no longer true of the chapter in progress since its text was changed."""
    number = checkpoint.inflight_chapter
    text = store.staging_of(number).text() if number is not None else None
    if number is None or text is None:
        return
    if is_changed_since_judged(checkpoint, text.sha256):
        yield said(
            "Chapter {chapter} was changed since it was judged; what was said of it stands.",
            chapter=number,
        )
    if is_summary_outdated(checkpoint, text.sha256):
        yield said("The summary of chapter {chapter} is out of date.", chapter=number)


def _count_chapters(numbers: Sequence[int]) -> Checkpoint:
    """Returns a stand-in for a checkpoint that cannot be read."""
    return Checkpoint(last_completed_chapter=max(numbers, default=0))


def _between_chapters(checkpoint: Checkpoint) -> Iterator[str]:
    yield from _given_up(checkpoint)
    if (sentence := _BETWEEN_CHAPTERS.get(checkpoint.orchestrator_state)) is not None:
        yield sentence


def _book(
    store: ProjectStore, settings: Settings, lengths: dict[int, int], look: _StatusReader
) -> BookLength:
    nothing = BookLength(unit=unit_in(settings))
    return look.at(lambda: book_length(store, settings, lengths, date.today()), nothing)


def _continuity(
    store: ProjectStore, settings: Settings, following: int, plans: PlansOnce
) -> ContinuityStanding:
    from studio.text.language.packs import load_pack

    return open_contradictions(store, load_pack(settings.novel.language), following, plans)


def reading_of(store: ProjectStore, number: int) -> ChapterReading:
    """Returns how a chapter was read: the one in work as it is staged, any other as it was
    committed.

    StudioError: 2 if there is no such chapter, or nothing was measured of it yet; 5 if its
    evaluation is damaged.
    """
    checkpoint = store.checkpoint()
    staged = store.staging_of(number)
    in_work = checkpoint.inflight_chapter == number and staged.evaluation() is not None
    evaluation = staged.evaluation() if in_work else store.evaluation(number)
    sheet = (
        sheet_in(staged.sheet(), staged.text())
        if in_work
        else sheet_in(store.directives(number), store.chapter(number))
    )
    if evaluation is None:
        raise usage(
            said("Chapter {number} was not judged or measured yet.", number=number),
            said("`studio status` lists the chapters there are."),
        )
    return ChapterReading(
        chapter=number,
        label=store.chapter_list().labels.get(number),
        title=_title(store, number) or _planned_title(store, number) or "",
        in_work=in_work,
        badges=_badges_in_work(checkpoint, staged) if in_work else checkpoint.badges(number),
        overall=evaluation.overall,
        judge_model=evaluation.judge_model,
        gate=evaluation.gate,
        scores=dict(evaluation.scores.items()) if evaluation.scores else {},
        violations=evaluation.violations,
        reader_experience=evaluation.reader_experience,
        counsel=counsel_in(evaluation.counsel, staged.text() if in_work else store.chapter(number)),
        open_directives=len(sheet.open) if sheet else 0,
        warnings=evaluation.warnings,
        left_open=() if in_work else evaluation.left_open,
    )


def _badges_in_work(checkpoint: Checkpoint, staged: Staging) -> tuple[str, ...]:
    text = staged.text()
    is_changed = text is not None and is_changed_since_judged(checkpoint, text.sha256)
    return (CHANGED_SINCE,) if is_changed else ()


def _planned_title(store: ProjectStore, chapter: int) -> str | None:
    contract = store.contract(chapter)
    if contract is not None:
        return contract.title
    section = store.outline_section(chapter, volume_of(store, chapter))
    if section is not None:
        return section[0]
    imported = waiting_draft(store.layout, chapter)
    return imported.title if imported else None


def _chapters(
    store: ProjectStore,
    numbers: list[int],
    checkpoint: Checkpoint,
    written: Mapping[int, Written],
    marks: Mapping[int, tuple[ChapterMark, ...]],
    look: _StatusReader,
) -> Iterator[ChapterStatus]:
    labels = look.at(lambda: store.chapter_list().labels, dict[int, str]())

    @cache
    def outlined() -> dict[int, str]:
        return look.at(lambda: outline_titles(store), {})

    for number in numbers:
        row = written.get(number)
        # Retry whatever could not be read, so that its problem is named.
        title = row.title if row else look.at(partial(_title, store, number), "")
        yield ChapterStatus(
            chapter=number,
            label=labels.get(number),
            title=title or outlined().get(number, ""),
            badges=checkpoint.badges(number),
            marks=marks.get(number, ()),
            length=row.length if row else 0,
        )


def _title(store: ProjectStore, number: int) -> str:
    chapter = store.chapter(number)
    return (chapter.title if chapter else None) or ""


_BETWEEN_CHAPTERS = {
    OrchestratorState.VOL_REVIEW: said(
        "The volume is over; `studio volume review` looks back on it."
    ),
    OrchestratorState.VOL_PLANNING: (
        said(
            "The volume can be planned: `studio volume plan` has it laid out, `studio volume "
            "plan --from outline.md` takes over your outline, and `studio plan add` adds a "
            "chapter."
        )
    ),
    OrchestratorState.QUICK_START: said("The book is being begun; `studio start` goes on with it."),
}


def _given_up(checkpoint: Checkpoint) -> Iterator[str]:
    """Yields why the last run failed and what to do about it; of a run by an earlier studio that a
    failing model ended, after all tries, that it did (seed E3)."""
    if (failure := checkpoint.failure) is not None:
        goes_on = said(
            "The last run failed; nothing is lost, and `studio resume` goes on from there."
        )
        yield join((goes_on, failure.message, failure.hint))
    elif checkpoint.orchestrator_state is OrchestratorState.ERROR_RETRY:
        yield (
            said(
                "The last run ended because the model failed; nothing is lost, and `studio "
                "resume` goes on from there."
            )
        )


def _unfinished_work(store: ProjectStore, look: _StatusReader) -> Iterator[str]:
    from studio.project.commit.transaction import pending, stray_commit
    from studio.project.files.other_hands import left_by_others

    for _, sentence in left_by_others(store.root, contents=False):
        yield said("Damaged: {sentence}", sentence=sentence)
    look.at(store.state, None)
    look.at(ChangelogFile(store.root).read_trusted, Changelog())
    if (stray := look.at(lambda: stray_commit(store.layout), None)) is not None:
        yield stray
    if look.at(lambda: pending(store.layout), None) is not None:
        yield said("A commit was interrupted; `studio resume` finishes it.")


def _to_rebuild(checkpoint: Checkpoint) -> Iterator[str]:
    """Yields sentences about an interrupted rebuild, and about too many gaps (seed E7)."""
    unfinished = left_to_rebuild(checkpoint)
    if unfinished:
        which = series(unfinished)
        yield said(
            "A rebuild was interrupted before chapter {which}; `studio rebuild` goes on.",
            which=which,
        )
    if offer := rebuild_offer(checkpoint.state_gap):
        yield offer
    if checkpoint.held_back:
        yield held_back_sentence(checkpoint.held_back)


def _changed_elsewhere(store: ProjectStore) -> Iterator[str]:
    """Yields sentences about edited and moved chapters and changed plans (seed U5)."""
    from studio.project.author.published import to_put_there
    from studio.project.commit.versions import changes_by_studio
    from studio.project.watch.plan_changes import plan_changes

    yield from to_put_there(store)
    now = whereabouts(store)
    back, fixes = changes_by_studio(store, now.changed)
    for number in now.changed:
        words = said(
            "Chapter {number} was changed by hand; `studio rebuild {number2}` if its events "
            "changed."
        )
        if number in back:
            words = said(
                "An earlier version of chapter {number} was brought back; `studio rebuild "
                "{number2}` if its events are others."
            )
        elif number in fixes:
            words = said(
                "A fix was taken back in chapter {number}; `studio rebuild {number2}` if its "
                "events are others."
            )
        yield words.with_values(number=number, number2=number)
    yield from now.sentences
    if now.moved or now.missing:
        yield said("`studio history put-back` returns every chapter to its place.")
    plans = plan_changes(store)
    for change in plans:
        which = said("The book") if change.whole_book else name_chapters(change.chapters)
        yield said(
            "{which}: {sentence} since it was written.", which=which, sentence=change.sentence
        )
    if plans:
        yield (
            said(
                "`studio write N --again` reviews a chapter against its plan; `studio rebuild "
                "--let-stand` says that all is well."
            )
        )


def name_chapters(chapters: Sequence[int]) -> Said:
    """Formats chapter numbers: `Chapter 4`, `Chapters 4, 5, 7`, `Chapters 4 to 20 (12 of them)`."""
    if len(chapters) == 1:
        return said("Chapter {chapter}", chapter=chapters[0])
    if len(chapters) > MOST_NAMED:
        first, last = chapters[0], chapters[-1]
        return said(
            "Chapters {first} to {last} ({n} of them)", first=first, last=last, n=len(chapters)
        )
    return said("Chapters {numbers}", numbers=numbers_in_runs(chapters))


def _waiting_drafts(store: ProjectStore, checkpoint: Checkpoint) -> Iterator[str]:
    """Yields sentences about imported drafts: those `write` will use, and the others."""
    chapters = waiting_chapters(store.layout)
    ahead = [n for n in chapters if n > checkpoint.last_completed_chapter]
    if ahead:
        which = (
            said("chapter {number}", number=ahead[0])
            if len(ahead) == 1
            else said("{n} chapters", n=len(ahead))
        )
        yield said(
            "Imported drafts wait in imports/ ({which}); `studio write` takes the next.",
            which=which,
        )
    for number in chapters:
        if number not in ahead and number != checkpoint.inflight_chapter:
            path = store.layout.imported_draft(number)
            yield said(
                "{path} was not used: chapter {number} is in the book. Delete it, or keep it.",
                path=path,
                number=number,
            )
