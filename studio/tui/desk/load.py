"""What the desk shows of a novel, read off the event loop into immutable values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from studio.book.continuity.ledger import open_contradictions
from studio.book.plans import PlansOnce, volume_of
from studio.book.promise_standing import standing_of
from studio.chapter_names import label_chapters
from studio.errors import StudioError
from studio.messages import Said, join, said
from studio.pipeline.book_runs.waiting_plan import is_plan_waiting
from studio.pipeline.chapter.own_text import DraftSoFar, draft_so_far
from studio.pipeline.chapter.records import Records
from studio.pipeline.chapter.unsaved_words import chapters_with_unsaved
from studio.pipeline.chapter_marks import ChapterMark, chapter_marks
from studio.pipeline.events import usage_event
from studio.pipeline.judging.placement import evaluation_beside
from studio.pipeline.review.changed_since_judged import (
    is_changed_since_judged,
    is_summary_missing,
    said_of_changes,
    say_changes,
)
from studio.pipeline.review.to_remember import remembered_of
from studio.project import layout as places
from studio.project.author.published import changed_there
from studio.project.contents import labels_of
from studio.project.files import load
from studio.project.files.other_hands import left_by_others, open_merge_in
from studio.project.index import brought_up_to_date, contents
from studio.project.lock.holder import read_lock
from studio.project.planning.chapter_plan import people_called, places_called, promises_of
from studio.project.planning.imports import waiting_draft
from studio.project.staging import Staging
from studio.project.store import ProjectStore
from studio.session import Session, WriteOrder
from studio.story.chapter import Chapter
from studio.story.checkpoint import Checkpoint
from studio.story.contract import ChapterContract
from studio.story.ledger import FREE, Estimate, UsageLedger
from studio.story.lengths import unit_in
from studio.story.novel import CharacterContract
from studio.story.review.directive import Directive, DirectiveSheet
from studio.story.review.evaluation import help_of
from studio.story.review.passages_in_changed_text import SearchableChapter
from studio.story.review.scenes_in_text import TextScenes
from studio.story.review.stale_directives import PlacedProposal, proposal_in, sheet_in
from studio.text.language.packs import load_pack
from studio.tui.book import Book, CurrentChapter, Glanced, ShownScene, TextSource
from studio.tui.desk.parts.book_notes import counts
from studio.tui.views.review.counsel_text import rejected_before
from studio.tui.views.run.moment import ChapterSpending

R = TypeVar("R")


def read_book(session: Session, fresh: bool = False) -> Book:
    """Reads the novel; with `fresh`, checks every changed file, otherwise only the index."""
    label_chapters(labels_of(session.store.layout))
    novel = session.settings.novel
    trouble: list[str] = []
    checkpoint = _try_to_read(session.store.checkpoint, trouble) or Checkpoint()
    if fresh:
        _try_to_read(session.store.brief, trouble)
        _try_to_read(partial(session.store.outline, checkpoint.current_volume), trouble)
        trouble += [
            said("Damaged: {sentence}", sentence=sentence)
            for _, sentence in left_by_others(session.store.root, contents=False)
        ]
    contents_now = (
        brought_up_to_date(session.store, unit_in(session.settings))
        if fresh
        else contents(session.store.layout)
    )
    inflight = checkpoint.inflight_chapter
    text = _staging_of(session, inflight).text() if inflight is not None else None
    is_changed = text is not None and is_changed_since_judged(checkpoint, text.sha256)
    is_summary_due = text is not None and is_summary_missing(checkpoint, text.sha256)
    return Book(
        folder=session.store.layout.folder,
        title=novel.title or session.store.layout.folder.name,
        language=novel.language,
        unit=unit_in(session.settings),
        contents=contents_now,
        checkpoint=checkpoint,
        staged=text is not None,
        changed=is_changed,
        unsaved=_try_to_read(partial(chapters_with_unsaved, session.store, novel), []) or (),
        reading=_price_of_judging(session, inflight) if inflight and is_changed else "",
        summary=_price_of_summary(session) if is_summary_due else "",
        in_progress=_try_to_read(session.pending, [])
        if inflight is not None or checkpoint.pending_decision is not None
        else None,
        trouble=next(iter(trouble), ""),
        elsewhere=written_elsewhere(session),
        notes=(_try_to_read(lambda: counts(session.store), []) or {}) if fresh else {},
        marks=(_try_to_read(lambda: _marks(session, checkpoint), []) or {}) if fresh else {},
    )


def publication_of(session: Session) -> dict[int, bool]:
    """Returns whether each published chapter was changed since; none where that cannot be read."""
    return _try_to_read(partial(changed_there, session.store), []) or {}


def _marks(session: Session, checkpoint: Checkpoint) -> dict[int, ChapterMark]:
    """Returns the most serious mark of each chapter."""
    pack = load_pack(session.settings.novel.language)
    following = checkpoint.inflight_chapter or checkpoint.last_completed_chapter + 1
    plans = PlansOnce(session.store)
    continuity = open_contradictions(session.store, pack, following, plans)
    every = chapter_marks(session.store, standing_of(session.store, plans), continuity)
    return {number: marks[0] for number, marks in every.items()}


def written_elsewhere(session: Session) -> str:
    """Returns a sentence about who else is working on the novel; empty if nobody is."""
    lock = read_lock(session.store.layout.folder)
    others = lock.is_elsewhere
    return lock.sentence() if others else ""


def spent_so_far(session: Session, chapter: int) -> ChapterSpending:
    """Returns the tokens and money spent on a chapter, in all sessions and by all commands: the
    number that `studio status` and the costs page say as well."""
    spending = ChapterSpending()
    for attempt in UsageLedger(session.store.journal.usage_entries()).attempts:
        if attempt.first.chapter == chapter and not attempt.is_open:
            spending = spending.plus(usage_event(attempt.last))
    return spending


def spent_now(session: Session, chapter: int) -> tuple[float, bool]:
    """Returns the US dollars spent on a chapter, and whether a call about it among the newest has
    an estimated cost; cheap, however long the book is."""
    journal = session.store.journal
    newest = journal.latest_usage()
    return journal.spent_on(chapter), any(e.is_estimate and e.chapter == chapter for e in newest)


def price_of_writing(session: Session) -> Estimate | None:
    """Returns what w will cost until it asks; None for nothing, or without a plan."""
    price = _try_to_read(lambda: session.previews().price_of_writing(), [])
    return None if price == FREE else price


def price_of_step(session: Session, trials: int | None = None) -> Estimate | None:
    """Returns what the next step of the book's beginning costs to propose, with so many trial
    chapters; None for nothing, or where it cannot be known."""
    price = _try_to_read(lambda: session.volumes().price_of_step(trials), [])
    return None if price == FREE else price


def price_of_run(session: Session, order: WriteOrder) -> Estimate | None:
    """Returns what a run costs until it asks; None for nothing, or where it cannot be known."""
    previews, chapter = session.previews(), order.chapter
    if order.again and chapter is not None:
        price = _try_to_read(lambda: previews.price_of_reading_again(chapter), [])
    else:
        price = _try_to_read(lambda: previews.price_of_writing(chapter, order.review), [])
    return None if price == FREE else price


def price_of_retry(session: Session, directive: Directive) -> Estimate | None:
    """Returns what it costs to let the surgeon try again; None for nothing, or where it cannot be
    known."""
    price = _try_to_read(lambda: session.previews().price_of_retry(directive), [])
    return None if price == FREE else price


def _price_of_judging(session: Session, chapter: int) -> Said | str:
    """Returns what another judgement of a chapter costs, in words."""
    price = _try_to_read(lambda: session.previews().price_of_reading_again(chapter), [])
    return price.words if price is not None and price != FREE else ""


def _price_of_summary(session: Session) -> Said | str:
    """Returns what another summary costs, in words."""
    price = _try_to_read(lambda: session.previews().price_of_summary(), [])
    return price.words if price is not None and price != FREE else ""


def price_of_answer(session: Session, issue: str, chapter: int) -> Estimate | None:
    """Returns what the surgeon's work costs where a choice is answered by a fix; None for nothing,
    or where it cannot be known."""
    price = _try_to_read(lambda: session.previews().price_of_answer(issue, "", chapter), [])
    return None if price == FREE else price


def read_current(
    session: Session, chapter: int, checkpoint: Checkpoint | Glanced
) -> CurrentChapter:
    """Reads one chapter with its plan and its directives; damaged files are named."""
    inflight = checkpoint.inflight_chapter == chapter
    trouble: list[str] = []
    text = _staging_of(session, chapter).text() if inflight else None
    staged = text is not None
    if text is None:
        text = _try_to_read(lambda: session.store.chapter(chapter), trouble)
        if text and (merge := open_merge_in(session.store.layout.chapter(chapter), text.text)):
            trouble.append(said("Damaged: {sentence}", sentence=merge))
    if text is not None:
        _ = text.paragraphs  # parsed here, off the event loop, and cached
    source: TextSource = "none" if text is None else "staged" if staged else "book"
    contract = _try_to_read(lambda: session.store.contract(chapter), trouble)
    scenes = _try_to_read(lambda: _scenes_of_division(session, chapter, checkpoint), trouble) or ()
    draft = _draft_so_far(session, chapter) if inflight and not staged else None
    if draft is not None:
        text, source = draft.text, "scenes"
    section = _try_to_read(
        lambda: session.store.outline_section(chapter, volume_of(session.store, chapter)), trouble
    )
    sheet = (
        _staging_of(session, chapter).sheet()
        if inflight
        else _try_to_read(lambda: session.store.directives(chapter), trouble)
    )
    sheet = sheet_in(sheet, text)
    help_ = help_of(sheet, evaluation_beside(session.store, sheet) if sheet else None)
    return CurrentChapter(
        chapter=chapter,
        source=source,
        text=text,
        planned=_try_to_read(lambda: _planned_scenes(session, chapter, text, draft), trouble),
        base=_base(session, chapter, checkpoint) if staged else None,
        contract=contract,
        scenes=scenes,
        names=_try_to_read(lambda: names_in(session.store, contract, scenes), []) or {},
        plan=_outline_words(contract, section[1] if section else ""),
        direction=_direction_for(chapter, checkpoint),
        waiting=None if text else _try_to_read(lambda: _waiting_draft(session, chapter), trouble),
        is_plan_waiting=not text and is_plan_waiting(session.store, chapter),
        since_judged=_since_judged(session, checkpoint, text) if staged else "",
        sheet=sheet,
        proposals=_try_to_read(lambda: _proposals(session, chapter, text, sheet), trouble) or (),
        counsel=(*help_.decide, *help_.patterns, *help_.advice),
        earlier=rejected_before(sheet, text),
        remembered=_try_to_read(lambda: remembered_of(session.store, chapter), trouble) or ()
        if inflight and sheet is not None
        else (),
        locked=_try_to_read(lambda: _locked_passages(session.store, chapter, text), trouble)
        or frozenset(),
        trouble=join(trouble),
    )


def _direction_for(chapter: int, checkpoint: Checkpoint | Glanced) -> str:
    if not isinstance(checkpoint, Checkpoint):
        return ""
    if checkpoint.inflight_chapter == chapter:
        return checkpoint.direction
    return checkpoint.order_for(chapter).words


def _since_judged(session: Session, checkpoint: Checkpoint | Glanced, text: Chapter | None) -> str:
    if not isinstance(checkpoint, Checkpoint) or checkpoint.pending_decision is None:
        return ""
    changed = said_of_changes(session.store, checkpoint, text)["changed"]
    return say_changes(changed) if changed else ""


def _draft_so_far(session: Session, chapter: int) -> DraftSoFar | None:
    novel = session.settings.novel
    return draft_so_far(session.store, chapter, novel.language, novel.form)


def _planned_scenes(
    session: Session, chapter: int, text: Chapter | None, draft: DraftSoFar | None
) -> TextScenes | None:
    """Returns the planned scenes of a text where they are others than those between its breaks;
    None for any other text. Where there is no file of them, what finds them is not even loaded."""
    if draft is not None:
        return draft.scenes if draft.scenes.are_planned else None
    layout, root = session.store.layout, session.store.root
    files = (layout.planned_scenes(chapter), layout.staged_planned_scenes(chapter))
    if text is None or not any(root.info(path) for path in files):
        return None
    from studio.project.scenes_of_chapter import scenes_of

    scenes = scenes_of(session.store, chapter, text)
    return scenes if scenes.are_planned else None


def _outline_words(contract: ChapterContract | None, outline: str) -> str:
    """Returns what the outline tells of a chapter, beyond its contract where it has one."""
    from studio.pipeline.prompting.plan_words import outline_adds

    return outline if contract is None else outline_adds(contract, outline)


def _scenes_of_division(
    session: Session, chapter: int, checkpoint: Checkpoint | Glanced
) -> tuple[ShownScene, ...]:
    """Returns the scenes of the chapter in work as a model divided its plan, with what it added;
    empty where no model did."""
    if checkpoint.inflight_chapter != chapter or not isinstance(checkpoint, Checkpoint):
        return ()
    records = Records(checkpoint.stage_records, checkpoint.laps)
    division = records.division
    if division is None:
        return ()
    from studio.pipeline.drafting.scene_plans import specs_in_force
    from studio.pipeline.opening import plan_of
    from studio.project.planning.her_length import targets_of_chapter

    contract = plan_of(session.store, chapter, session.settings.novel.language)
    if contract.scenes:
        return ()
    lengths = targets_of_chapter(session.store, session.settings, contract, checkpoint.direction)
    return tuple(
        ShownScene(scene, *division.additions(scene, contract))
        for scene in specs_in_force(contract, records, lengths, checkpoint.direction)
    )


def _proposals(
    session: Session, chapter: int, text: Chapter | None, sheet: DirectiveSheet | None
) -> tuple[PlacedProposal, ...]:
    """Returns the proposals of a chapter at their places. Where nobody made one, what decides on
    them is not even loaded."""
    is_on_sheet = sheet is not None and sheet.proposals
    if text is None or not (is_on_sheet or any(session.store.root.names(places.PROPOSALS))):
        return ()
    ground = SearchableChapter(text)
    return tuple(proposal_in(proposal, ground) for proposal in session.proposals().all(chapter))


def _waiting_draft(session: Session, chapter: int) -> Chapter | None:
    draft = waiting_draft(session.store.layout, chapter)
    if draft is not None:
        _ = draft.paragraphs  # cut here, off the loop, and kept
    return draft


def names_in(
    store: ProjectStore, contract: ChapterContract | None, divided_scenes: Sequence[ShownScene] = ()
) -> dict[str, str]:
    """Returns the names of the people, places, storylines and promises of a plan and of its scenes
    as they are shown, by id."""
    scenes = (*(contract.scenes if contract else ()), *(scene.spec for scene in divided_scenes))
    slugs = {s for scene in scenes for s in (*scene.characters, scene.pov)}
    if contract is not None:
        slugs |= {*contract.characters, contract.pov}
    elif not slugs:
        return {}
    files = {slug: store.layout.character(slug) for slug in slugs if slug}
    profiles = {slug: load.document(store.root, CharacterContract, files[slug]) for slug in files}
    people = {slug: person.name for slug, person in profiles.items() if person is not None}
    if any(people.get(slug, slug) == slug for slug in files):
        people = people_called(store)
    lines = {line.id: line.title for line in store.storylines().storylines}
    promises = {p.id: p.description for p in promises_of(store) if p.description}
    somewhere = any(one.location for one in (*scenes, *((contract,) if contract else ())))
    where = places_called(store) if somewhere else {}
    return promises | lines | where | people


def _locked_passages(
    store: ProjectStore, chapter: int, text: Chapter | None
) -> frozenset[tuple[int, int]]:
    return store.locks().held_in(chapter, text) if text is not None else frozenset()


def _staging_of(session: Session, chapter: int) -> Staging:
    return session.store.staging_of(chapter)


def read_scene(session: Session, chapter: int, number: int) -> str:
    """Returns a finished scene of the chapter in progress; empty if there is none."""
    return _staging_of(session, chapter).scene(number) or ""


def _base(session: Session, chapter: int, checkpoint: Checkpoint | Glanced) -> str | None:
    """Returns the text to compare the staged one with: the draft before the refiner, or else
    before any surgery, or else the committed chapter."""
    pending = checkpoint.pending_decision
    shas = [str(pending.data.get("before_sha256"))] if pending and pending.kind == "refine" else []
    shas += Records(checkpoint.stage_records).draft_texts
    for sha256 in shas:
        try:
            return session.store.history.blob(sha256).decode()
        except (StudioError, UnicodeDecodeError):
            continue
    standing = _try_to_read(lambda: session.store.chapter(chapter), [])
    return standing.text if standing else None


def _try_to_read(read: Callable[[], R], trouble: list[str]) -> R | None:
    try:
        return read()
    except StudioError as error:
        trouble.append(str(error.problem))
        return None
