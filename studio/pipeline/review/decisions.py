"""Records the writer's decisions on directives, and takes single fixes back."""

from __future__ import annotations

from collections.abc import Sequence

from studio.errors import usage
from studio.messages import said, series
from studio.pipeline.chapter.lineage import Lineage
from studio.pipeline.chapter.records import Records
from studio.pipeline.judging.placement import placed_at
from studio.pipeline.novel import Novel
from studio.pipeline.review.changed_since_judged import said_of_changes
from studio.pipeline.review.her_words import leaves_the_story, with_her_words
from studio.pipeline.review.question import open_choices, still_true
from studio.pipeline.review.undo import typed_into, with_fix, without_fix
from studio.project.author.book_length import count_her_words
from studio.project.author.passage_locks import refuse_locked
from studio.project.history.reasons import Reason
from studio.project.staging import Staging
from studio.project.store import ProjectStore
from studio.story.chapter import Chapter, paragraphs_put, refuse_no_prose
from studio.story.checkpoint import Checkpoint, Worked
from studio.story.form.ids import typed_id
from studio.story.review.directive import Directive, DirectiveSheet, words_for
from studio.story.review.evaluation import counsel_beside
from studio.story.review.passage import place_of, read_place
from studio.story.review.passages_in_changed_text import SearchableChapter
from studio.story.review.stale_directives import (
    placed_in,
    read_again,
    relocate,
    relocate_sheet,
)
from studio.story.status import (
    ALL_MEANS,
    IN_TEXT_STATUSES,
    Acceptance,
    DirectiveAction,
    DirectiveStatus,
    after,
    allows,
)

REJECTED_BY_MODE = said("rejected by --review reject")
"""The reason for a rejection when nobody gave one."""
_DONE: dict[DirectiveAction, str] = {
    "accept": "accepted",
    "reject": "rejected",
    "edit": "edited",
    "undo": "undone",
}


def change(
    novel: Novel,
    action: DirectiveAction,
    ids: Sequence[str],
    *,
    all_: bool = False,
    batch: bool = False,
    reason: str = "",
    instruction: str | None = None,
    text: str | None = None,
) -> list[Directive]:
    """Carries out one decision on some directives of the chapter in flight; the caller holds the
    lock. `batch` means that the writer did not name each of them, as `all_` always does. Returns
    the directives as they are now."""
    store = novel.store
    checkpoint = store.checkpoint()
    if checkpoint.inflight_chapter is None:
        raise usage(
            said("No chapter is in progress, so there are no directives to decide on."),
            said("`studio write N --again` reviews a chapter of the book anew."),
        )
    staged = store.staging_of(checkpoint.inflight_chapter)
    sheet, chapter = staged.sheet(), staged.text()
    if sheet is None or chapter is None:
        raise usage(
            said("This chapter has no directives yet."), said("`studio resume` goes on with it.")
        )
    sheet = placed_in(sheet, chapter)  # the text may have been changed since
    directives = _directives_named(sheet, action, ids, all_)
    _refuse_empty_words(action, instruction, text)
    before = sheet.source_sha256
    answers = []
    for named in directives:
        directive = sheet.find(named.id) or named  # where the one before has left its passage
        if action == "undo" and directive.status in IN_TEXT_STATUSES:
            sheet, checkpoint = _take_back(store, staged, sheet, directive, checkpoint)
            _count_on_her_day(novel, sheet, directive, out=True)
        elif action == "accept" and directive.status is DirectiveStatus.UNDONE:
            sheet, checkpoint = _put_back(store, staged, sheet, directive, checkpoint)
            _count_on_her_day(novel, sheet, directive, out=False)
        else:
            by: Acceptance = "batch" if batch or all_ else "name"
            if action != "undo":  # she decides on the words that stand there now
                ground = SearchableChapter(staged.text() or chapter)  # a fix may be back in it
                directive = read_again(directive, ground)
            sheet = _with_decision(sheet, directive, action, by, reason, instruction, text)
            now = sheet.find(directive.id) or directive
            if action == "edit" and text is not None:
                sheet, checkpoint = _put_hers(novel, staged, sheet, now, checkpoint)
                now = sheet.find(directive.id) or now
                _count_on_her_day(novel, sheet, now, out=False)
            else:
                _open_again(staged, now)
            if action == "undo" and _answers_a_choice(staged, directive):
                answers.append(now)
                sheet = sheet.without(now.id)  # there is nothing of it but the answer
    if directives:
        keep_decided(store, staged, checkpoint, sheet, before)
    return [*(d for d in sheet.directives if d.id in {c.id for c in directives}), *answers]


def _refuse_empty_words(action: DirectiveAction, instruction: str | None, text: str | None) -> None:
    """Raises StudioError (exit 2) for an edit that says nothing, and for words of hers that are no
    prose."""
    if action == "edit" and text is None and not (instruction or "").strip():
        raise usage(
            said("An edit needs --instruction or --text."),
            said("An empty instruction says nothing; `accept` goes by the one there is."),
        )
    if text is not None and text.strip():
        refuse_no_prose(text)


def _count_on_her_day(
    novel: Novel, sheet: DirectiveSheet, directive: Directive, *, out: bool
) -> None:
    """Counts words of the author's own that are in the text again to what she wrote today; takes
    them off it if they are `out` again."""
    text, result = novel.store.staging_of(sheet.chapter).text(), directive.result
    if text is not None and result is not None and directive.edited_text is not None:
        count_her_words(
            *(novel.store, novel.settings, novel.pack, sheet.chapter, text.text),
            hers=result.after,
            others=(result.before,),
            out=out,
        )


def _answers_a_choice(staged: Staging, fix: Directive) -> bool:
    """Whether a fix is the writer's answer to a choice that is hers alone."""
    evaluation = staged.evaluation()
    return fix.origin == "writer" and any(
        c.kind == "decide" and c.issue == fix.issue
        for c in (evaluation.counsel if evaluation else ())
    )


def _open_again(staged: Staging, fix: Directive) -> None:
    """Keeps what a fix of the writer's answers as it is with the fix of now: open once it is taken
    back, and answered while it is meant to be in the text."""
    evaluation = staged.evaluation() if fix.origin == "writer" else None
    if evaluation is None:
        return
    counsel = counsel_beside(evaluation.counsel, fix)
    if counsel != evaluation.counsel:
        staged.put_evaluation(evaluation.copy_with(counsel=counsel))


def place_proposal(store: ProjectStore, number: int, address: str) -> Directive:
    """Makes the `number`th proposal that could not be placed (from 1) a directive about the passage
    `address` (`2.3`, `2.3-2.5`); the caller holds the lock.

    StudioError (exit 2): no chapter in flight, no such proposal, no such passage.
    """
    checkpoint = store.checkpoint()
    staged = store.staging_of(checkpoint.inflight_chapter or 0)
    sheet, text = staged.sheet(), staged.text()
    if checkpoint.inflight_chapter is None or sheet is None or text is None:
        raise usage(
            said("No chapter is in progress, so there is nothing to place."),
            said("`studio write N --again` reviews a chapter of the book anew."),
        )
    if not 1 <= number <= len(sheet.unplaced):
        raise usage(
            said("There is no proposal {number} without a place.", number=number),
            said("`studio directives list` numbers them."),
        )
    passage = text.passage(*read_place(address))
    if not passage:
        raise usage(
            said(
                "Chapter {chapter} has no passage {place}.",
                chapter=checkpoint.inflight_chapter,
                place=address,
            )
        )
    lost = sheet.unplaced[number - 1]
    made = placed_at(lost, passage, {d.id for d in sheet.directives})
    directive = relocate(made, SearchableChapter(text))
    others = tuple(one for one in sheet.unplaced if one is not lost)
    with_it = sheet.copy_with(directives=(*sheet.directives, directive), unplaced=others)
    keep_decided(store, staged, checkpoint, with_it, sheet.source_sha256)
    return directive


def keep_decided(
    store: ProjectStore,
    staged: Staging,
    checkpoint: Checkpoint,
    sheet: DirectiveSheet,
    before: str,
) -> None:
    """Keeps a sheet after a decision, or after the answer to a choice; the question moves with
    it, from the text `before` (sha256) to the sheet's text."""
    staged.put_sheet(sheet)
    question = checkpoint.pending_decision
    if question is not None and question.kind in ("review", "gate"):
        text = staged.text()
        choices = open_choices(staged.evaluation(), text)
        changes = said_of_changes(store, checkpoint, text)
        move = before, sheet.source_sha256
        question = still_true(question, sheet, choices, move, changes)
        store.save_checkpoint(checkpoint.copy_with(pending_decision=question))


def _directives_named(
    sheet: DirectiveSheet, action: DirectiveAction, ids: Sequence[str], all_: bool
) -> list[Directive]:
    if all_:
        return [d for d in sheet.directives if _is_meant(d, action)]
    if not ids:
        raise usage(
            said("Name at least one directive, or use --all."), said("`studio directives list`.")
        )
    directives = []
    for directive_id in ids:
        directive = sheet.find(directive_id)
        if directive is None:
            ids_here = series(typed_id(d.id) for d in sheet.directives) or said("none")
            raise usage(
                said("There is no directive {id}.", id=directive_id),
                said("Known here: {ids}.", ids=ids_here),
            )
        if not allows(directive.status, action, directive.stands):
            if directive.stands == "gone":
                raise usage(
                    said(
                        "The passage of {id} is no longer in the text; it cannot be {DONE} now.",
                        id=words_for(directive),
                        DONE=_DONE[action],
                    ),
                    said("`studio directives reject` puts it aside."),
                )
            raise usage(
                said(
                    "{id} is {value}; it cannot be {done} now.",
                    id=words_for(directive),
                    value=directive.status.value,
                    done=_DONE[action],
                ),
                said("`studio directives list` shows what can be decided."),
            )
        directives.append(directive)
    return directives


def _is_meant(directive: Directive, action: DirectiveAction) -> bool:
    """Whether a decision on all directives concerns this one: of those decided before, only what
    is asked again, and no fix that the writer has typed into."""
    if action == "undo":
        return directive.stands == "same" and directive.status in ALL_MEANS[action]
    return directive.is_doubtful or (directive.is_open and directive.status in ALL_MEANS[action])


def _with_decision(
    sheet: DirectiveSheet,
    directive: Directive,
    action: DirectiveAction,
    by: Acceptance,
    reason: str,
    instruction: str | None,
    text: str | None,
) -> DirectiveSheet:
    status = after(directive.status, action, "changed") or directive.status
    if action == "accept":
        return sheet.with_directive(
            directive.copy_with(status=status, accepted_by=by, note=reason, failures=())
        )
    if action == "reject":
        return reject(sheet, directive, reason)
    if action == "undo":
        key = (directive.type, directive.source_sha256)
        remembered = tuple(f for f in sheet.rejected if (f.type, f.passage_sha256) != key)
        return sheet.copy_with(rejected=remembered).with_directive(
            directive.copy_with(status=status, accepted_by=None, note="")
        )
    words = (instruction or "").strip() or directive.instruction
    is_hers = words != directive.instruction
    is_first = is_hers and not directive.is_in_her_words
    return sheet.with_directive(
        directive.copy_with(
            status=status,
            accepted_by=by,
            instruction=words,
            worded_by="writer" if is_hers else directive.worded_by,
            offered_words=directive.instruction if is_first else directive.offered_words,
            edited_text=text,
            note=reason,
            failures=(),
            result=None,
        )
    )


def reject(sheet: DirectiveSheet, directive: Directive, reason: str) -> DirectiveSheet:
    """Returns the sheet with a directive rejected and remembered, so that it does not come back."""
    new_sheet = sheet.with_directive(
        directive.copy_with(status=DirectiveStatus.REJECTED, note=reason)
    )
    remembered = directive.rejection(reason)
    if remembered is None or directive.is_among(sheet.rejected):
        return new_sheet
    return new_sheet.copy_with(rejected=(*sheet.rejected, remembered))


def _put_back(
    store: ProjectStore,
    staged: Staging,
    sheet: DirectiveSheet,
    directive: Directive,
    checkpoint: Checkpoint,
) -> tuple[DirectiveSheet, Checkpoint]:
    """Puts the words of a fix that was taken back in the text again, and keeps them: they are made
    and paid for."""
    chapter, result = staged.text(), directive.result
    if chapter is None or result is None:
        raise usage(
            said("There is nothing to put back of {id}.", id=words_for(directive)),
            said("`studio history` has every earlier version of the chapter."),
        )
    after, result = with_fix(chapter, directive)
    again = directive.copy_with(accepted_by="name", undone_by=None, result=result)
    guarded = not result.facts
    return _put(store, staged, sheet, again, checkpoint, after, guarded=guarded)


def _put_hers(
    novel: Novel,
    staged: Staging,
    sheet: DirectiveSheet,
    directive: Directive,
    checkpoint: Checkpoint,
) -> tuple[DirectiveSheet, Checkpoint]:
    """Puts words of the author's own in the place of the passage: nobody has to be asked for them,
    nor whether she wants to keep them (WRITING 4)."""
    store, pack, chapter = novel.store, novel.pack, staged.text()
    assert chapter is not None  # a decision is about the words that stand there
    after, result = with_her_words(store, pack, chapter, directive)
    guarded = leaves_the_story(directive, result, chapter, staged.summary(), pack)
    hers = directive.copy_with(undone_by=None, result=result)
    kind, at = directive.type, directive.location
    done = Worked(type=kind, location=at, round=sheet.round, changed=True)
    checkpoint = checkpoint.copy_with(worked=(*checkpoint.worked, done))
    return _put(store, staged, sheet, hers, checkpoint, after, guarded=guarded)


def _put(
    store: ProjectStore,
    staged: Staging,
    sheet: DirectiveSheet,
    fix: Directive,
    checkpoint: Checkpoint,
    after: Chapter,
    *,
    guarded: bool,
) -> tuple[DirectiveSheet, Checkpoint]:
    """Puts a fix into the text, which makes `after` of it, and keeps it."""
    chapter, at = staged.text(), fix.location
    assert chapter is not None
    there = chapter.passage(at.scene_number, at.paragraph_start, at.paragraph_end)
    refuse_locked(store, sheet.chapter, chapter, place_of(there))
    checkpoint = record_change(store, checkpoint, chapter, after, guarded=guarded)
    put = paragraphs_put(chapter, there, after)
    passage = SearchableChapter(after).passage(put) if put else fix.passage
    kept_fix = fix.copy_with(status=DirectiveStatus.KEPT, passage=passage)
    _open_again(staged, kept_fix)
    before, sheet = sheet.source_sha256, relocate_sheet(sheet.with_directive(kept_fix), after)
    # The sheet before the text: a fix that it calls kept counts as taken back where the old passage
    # stands, while one that it calls taken back and the text has would be gone.
    staged.put_sheet(sheet)
    staged.put_text(after.text, reason_of(kept_fix))
    keep_decided(store, staged, checkpoint, sheet, before)
    return sheet, store.checkpoint()


def reason_of(fix: Directive) -> Reason:
    """Returns what history says of a fix: a cut of words she accepted is no model's."""
    if fix.edited_text:
        return Reason.WRITTEN
    called = fix.result is not None and bool(fix.result.generation_ids)
    by_model = called or fix.accepted_by == "mode"
    return Reason.FIXED if by_model else Reason.CUT


def record_change(
    store: ProjectStore, checkpoint: Checkpoint, before: Chapter, after: Chapter, *, guarded: bool
) -> Checkpoint:
    """Records what a decision makes of the text. One changed by hand stays the author's own even
    with one of our records behind it."""
    records = Records(checkpoint.stage_records, checkpoint.laps)
    record = records.record_operation(before.sha256, after.sha256, guarded=guarded)
    by_stage = Lineage(checkpoint.stage_records, before.sha256).is_by_a_stage()
    return store.save_checkpoint(
        checkpoint.copy_with(
            stage_records=(*checkpoint.stage_records, record),
            own_text=checkpoint.own_text or not by_stage,
        )
    )


def _take_back(
    store: ProjectStore,
    staged: Staging,
    sheet: DirectiveSheet,
    directive: Directive,
    checkpoint: Checkpoint,
) -> tuple[DirectiveSheet, Checkpoint]:
    """Puts the old passage back where the fix stands now, even after later fixes. What she has
    typed into it is kept as the text that was taken out."""
    chapter, result = staged.text(), directive.result
    if chapter is None or result is None:
        raise usage(
            said("There is nothing to take back of {id}.", id=words_for(directive)),
            said("`studio history` has every earlier version of the chapter."),
        )
    old_text = without_fix(chapter, directive, sheet.directives)
    hers = typed_into(chapter, directive, sheet.directives)
    if hers:
        typed = chapter.text[hers[0].start : hers[-1].end]
        directive = directive.copy_with(result=result.copy_with(after=typed))
    guarded = not (result.facts or hers)
    checkpoint = record_change(store, checkpoint, chapter, old_text, guarded=guarded)
    undone_directive = directive.copy_with(
        status=DirectiveStatus.UNDONE, undone_by=None, current_text=result.before
    )
    _open_again(staged, undone_directive)
    # The text before the sheet: a fix whose old passage stands again counts as taken back, while
    # one that the sheet calls so and the text still has could not be taken back any more.
    staged.put_text(old_text.text, Reason.TAKEN_BACK)
    undone = sheet.with_directive(undone_directive.copy_with(passage=None))
    before, undone = sheet.source_sha256, relocate_sheet(undone, old_text)
    keep_decided(store, staged, checkpoint, undone, before)
    return undone, store.checkpoint()
