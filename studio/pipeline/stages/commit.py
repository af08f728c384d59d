"""Commit: the staged chapter becomes part of the book, whole or not at all (seed B7).

Every derived file is first made to name the committed text; a file that was carried over a guarded
rewrite also names the text it was made from.
"""

from __future__ import annotations

from contextlib import suppress

from studio.errors import StudioError
from studio.messages import readable, said
from studio.pipeline.chapter.run import ChapterRun
from studio.pipeline.events import CommittedEvent, StageName
from studio.pipeline.judging.relocate import refresh
from studio.pipeline.prompting import fit_to_window
from studio.pipeline.prompting.tools.plugin_hooks import after_save
from studio.pipeline.review.changed_since_judged import is_judgement_overtaken
from studio.pipeline.review.choice_answers import without_wish
from studio.pipeline.review.left_open import changes_by, left_open_by
from studio.pipeline.review.to_remember import ask_about_state, clashes_of
from studio.pipeline.stage import AskWriter, Back, Go, Step, Work
from studio.project.author.proposals import file_back
from studio.project.commit.plan import memories_saved_since, plan_commit
from studio.project.commit.transaction import HandEdit, commit
from studio.project.history.reasons import Reason
from studio.project.staging import StagedFile, staged_storylines
from studio.story.chapter import sha256_of
from studio.story.checkpoint import (
    Checkpoint,
    Decision,
    PipelineStage,
    Trigger,
    move,
)
from studio.story.review.evaluation import Evaluation
from studio.story.review.left_open import ChangeMade, waits_for_her
from studio.story.review.stale_directives import rename
from studio.story.state import Delta


class CommitStage:
    """The stage that commits the chapter to the store."""

    name: StageName = "commit"
    quiet = False

    def idle(self, run: ChapterRun) -> str | None:
        """Returns None, because the end of the line is always due."""
        return None

    async def work(self, work: Work) -> Step:
        """Commits the chapter to the book, or asks about a file that was changed in the
        meantime."""
        run = work.run
        refresh(run)
        changes = changes_by(run)
        file_back(run.store, run.staged)
        _carry_over(run)
        fit_to_window.tell(run)
        if (question := ask_about_state(run)) is not None:
            return AskWriter(question)
        evaluation, sha256 = _with_what_became_of_it(run, changes), run.current.sha256
        _warn_of_contradictions(run)
        expected = self._expected_version(run)
        try:
            after = _after(run, evaluation)
            plan = plan_commit(run.store, run.chapter, after, expected, run.contract.volume)
            run.save(pipeline_stage=PipelineStage.COMMITTING)
            overtaken = memories_saved_since(run.store)
            result = commit(run.store.layout, plan, run.lock)
        except HandEdit as edit:
            return _both_kept(run, edit)
        for path in overtaken:
            sentence = said(
                "{path} was changed while this chapter was in progress. Both texts are kept.",
                path=path,
            )
            run.emit.warn(sentence)
        run.badges = run.store.checkpoint().badges(run.chapter)
        run.emit(
            CommittedEvent(
                title=run.contract.title,
                sha256=sha256,
                badges=run.badges,
                commit_id=result.commit_id,
            )
        )
        _pack_older_calls(run)
        await after_save(run, run.current.text, sha256)
        return Go()

    def _expected_version(self, run: ChapterRun) -> dict[str, str | None]:
        """Returns the version of the chapter that the writer agreed to replace, if she was
        asked."""
        path = run.store.layout.chapter(run.chapter)
        agreed = run.records.replacement
        return {path: run.records.base_sha256 if agreed is None else agreed.input_sha256}


def _with_what_became_of_it(run: ChapterRun, changes: tuple[ChangeMade, ...]) -> Evaluation:
    """Returns the evaluation, staged with what was taken into the chapter and what it goes into
    the book with unasked, but for what she was told when it came into the book before."""
    before, in_book = run.evaluation(), run.store.evaluation(run.chapter)
    earlier = in_book.left_open if in_book is not None and run.review == "ask" else ()
    left_open = tuple(one for one in left_open_by(run, before) if one not in earlier)
    direction = run.checkpoint.direction
    wishes = [one.as_direction for one in before.counsel if one.answer == "wish"]
    for wish in wishes:  # of another draft, which never came
        direction = without_wish(direction, wish, wishes)
    evaluation = before.copy_with(left_open=left_open, changes=changes, direction=direction)
    if evaluation != before:
        run.staged.put_evaluation(evaluation)
    return evaluation


def _pack_older_calls(run: ChapterRun) -> None:
    """Packs the call records of chapters long past. A disk error does not fail the commit."""
    newest = max(run.chapter, run.store.checkpoint().last_completed_chapter)
    with suppress(StudioError):
        run.store.journal.pack_older(newest, run.settings.logs.whole_chapters)


def _warn_of_contradictions(run: ChapterRun) -> None:
    """Warns of changes that the state cannot take over because they contradict what is already true
    (M16)."""
    for sentence in readable(clashes_of(run)):
        run.emit.warn(sentence)


def _after(run: ChapterRun, evaluation: Evaluation) -> Checkpoint:
    """Returns the checkpoint of the book with this chapter in it."""
    gate = evaluation.gate
    unjudged = evaluation.judged_sha256 is None
    forced = gate is not None and gate.force_passed
    checkpoint = run.checkpoint
    return move(checkpoint, Trigger.COMMIT).copy_with(
        unjudged=_list_with(checkpoint.unjudged, run.chapter, unjudged),
        force_passed=_list_with(checkpoint.force_passed, run.chapter, forced),
        low_quality=_list_with(checkpoint.low_quality, run.chapter, evaluation.is_low),
        changed_since=_list_with(
            checkpoint.changed_since, run.chapter, is_judgement_overtaken(run)
        ),
        left_open=_list_with(
            checkpoint.left_open,
            run.chapter,
            run.review != "ask" and bool(waits_for_her(evaluation.left_open)),
        ),
        violations_open=_list_with(
            checkpoint.violations_open, run.chapter, bool(evaluation.open_high_violations)
        ),
    )


def _list_with(chapters: tuple[int, ...], chapter: int, there: bool) -> tuple[int, ...]:
    rest = [n for n in chapters if n != chapter]
    return tuple(sorted([*rest, chapter] if there else rest))


def _carry_over(run: ChapterRun) -> None:
    """Makes summary, delta, cross-references, memory and sheet name the text that is committed."""
    sha256, delta = run.current.sha256, run.staged.delta()
    if delta is not None and (delta.source_sha256 != sha256 or run.being_carried):
        # Record the start first, so that files left half renamed by a kill are not taken for
        # damage.
        run.record(run.records.record_summary(sha256, {}))
        files = _rename(run, delta, sha256)
        # The summary's record follows the files, so that a kill here repeats no call.
        run.record(run.records.record_summary(sha256, dict(files)))
    sheet = run.sheet()
    if sheet.source_sha256 != sha256:
        run.staged.put_sheet(rename(sheet, sha256))


def _rename(run: ChapterRun, delta: Delta, sha256: str) -> list[StagedFile]:
    """Returns the files the summary left, with the name of the committed text in them. The delta
    comes last, because it names the text the others were made from."""
    staged, line = run.staged, run.contract.storyline_id
    made_from = delta.made_from_sha256 or delta.source_sha256
    changes = {"source_sha256": sha256, "made_from_sha256": made_from}
    files = [staged.put_summary(staged.summary(), sha256, made_from)]
    crossref = staged.crossref()
    if line in staged_storylines(run.store.root):
        files.append(staged.put_memory(line, staged.memory(line), sha256, made_from))
    if crossref is not None:
        files.append(staged.put_crossref(crossref.copy_with(**changes)))
    files.append(staged.put_delta(delta.copy_with(**changes)))
    return files


def _both_kept(run: ChapterRun, edit: HandEdit) -> Step:
    """Lets the writer choose where a file of the book is not the one this chapter was made for."""
    decision = Decision(
        id=run.decision_id("conflict", f"{edit.path} {edit.actual}"),
        kind="conflict",
        recommendation="mine",
        options=("mine", "staged"),
        rationale=(
            said(
                "{path} was changed while this chapter was in progress. Both texts are kept.",
                path=edit.path,
            )
        ),
        data={
            "path": edit.path,
            "expected_sha256": edit.expected,
            "found_sha256": edit.actual,
            "options": {
                "mine": said("The file in the book stands: it becomes the text of this chapter."),
                "staged": said(
                    "The chapter in progress goes into the book; the file's text goes to history."
                ),
            },
        },
    )
    option = run.answer(decision.id)
    if option is None:
        return AskWriter(decision)
    if option == "staged" or edit.path != run.store.layout.chapter(run.chapter):
        run.record(run.records.may_replace(edit.actual))
        return Back(said("replacing the file"))
    return _take_theirs(run, edit)


def _take_theirs(run: ChapterRun, edit: HandEdit) -> Step:
    committed = run.store.chapter(run.chapter)
    text = committed.text if committed is not None else run.current.text
    run.variations.keep(run.chapter, None, run.current.text, Reason.OWN_TEXT_WANTED)
    run.save(own_text=True)
    record = run.records.record_draft(sha256_of(text), None)
    run.put_text(text, record, PipelineStage.DRAFTED, Reason.BROUGHT)
    run.record(run.records.may_replace(edit.actual))
    return Back(said("your own text"))
