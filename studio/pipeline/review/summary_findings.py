"""What the summary of a chapter says that the writer should know before it goes into the book: a
task not done, a promise nobody planned, a change that contradicts what is true already, or one that
the chapter does not bear out.

In ask mode the writer says whether the state takes the latter; the other modes leave them out and
say so. A summary that her changes overtook is made once more after she said yes; what only that one
finds is asked about once (CONTRACTS 7).
"""

from __future__ import annotations

from studio.book.promise_standing import PromiseStanding, standing_in_review
from studio.messages import readable, said
from studio.pipeline.chapter.run import ChapterRun
from studio.pipeline.review.to_remember import Remembered, remembered_of
from studio.story.checkpoint import Decision
from studio.story.state import Delta, apply, read_by_a_model


def ask_about_state(run: ChapterRun) -> Decision | None:
    """Carries out the writer's answer about what was held back; returns a Decision if there is
    none yet."""
    delta = run.staged.delta()
    if delta is None or not delta.held_back:
        return None
    decision = _question(run, delta)
    option = run.answer(decision.id)
    if option is None and run.review == "ask":
        return decision
    if option is None:
        option = decision.recommendation
        run.answered_by_mode(decision, option)
    if option == "take":
        _take(run, delta)
        return None
    for sentence in readable(entry.as_dropped.sentence for entry in delta.held_back):
        run.emit.warn(sentence)
    return None


def _take(run: ChapterRun, delta: Delta) -> None:
    """Adds what was held back to the changes of the chapter. The record of the summary follows the
    file, so that a kill here repeats no call."""
    changes = (*delta.ops, *(entry.change for entry in delta.held_back))
    path, sha256 = run.staged.put_delta(delta.model_copy(update={"ops": changes, "held_back": ()}))
    record = run.lineage.reader("summarize")
    artifacts = dict(record.artifacts) if record is not None else {}
    run.record(run.records.record_summary(run.current.sha256, {**artifacts, path: sha256}))


def _question(run: ChapterRun, delta: Delta) -> Decision:
    entries = [entry.sentence for entry in delta.held_back]
    return Decision(
        id=run.decision_id("state_changes", "\n".join(map(str, entries))),
        kind="state_changes",
        recommendation="leave",
        options=("take", "leave"),
        rationale=said(
            "The summary of chapter {chapter} changes the story in ways that its text does not"
            " bear out.",
            chapter=run.chapter,
        ),
        data={
            "notes": list(readable(entries)),
            "changes": [entry.model_dump(mode="json") for entry in delta.held_back],
            "options": {
                "take": said("The story's state takes them over as they are listed."),
                "leave": said("They stay out of the story's state; the rest goes in."),
            },
        },
    )


def promises_of(run: ChapterRun) -> PromiseStanding:
    """Returns what the chapter leaves open of its tasks, and what is overdue after it."""
    return standing_in_review(run.store, run.contract, run.staged.delta())


def clashes_of(run: ChapterRun) -> tuple[str, ...]:
    """Returns the changes that the state cannot take over because they contradict what is true
    already, a sentence each. A chapter review again is folded in its place, before the chapters
    that came later."""
    delta = run.staged.delta()
    if delta is None:
        return ()
    _, conflicts = apply(run.story.state_before.tree, delta.ops, run.chapter)
    return tuple(entry.sentence for entry in conflicts)


def what_she_knows(run: ChapterRun) -> tuple[str, ...]:
    """Returns all of it as the record of her review keeps it: a sentence each, and the ids of the
    promises that come into the book with the chapter, whose words each summary finds anew."""
    return (*_findings(run), *(one.change.path for one in _promises_it_brings(run)))


def new_findings(run: ChapterRun) -> tuple[str, ...]:
    """Returns what a summary made after the review of this very text found, and the review did not
    know of; nothing once the writer was asked about it, and nothing where no model made it: that
    nobody looked is no finding."""
    delta = run.staged.delta()
    if delta is None or not read_by_a_model(delta.ops):
        return ()
    review, summary = run.records.newest("review"), run.records.newest("summarize")
    if review is None or summary is None or run.text is None:
        return ()
    if review.input_sha256 != run.text.sha256 or not run.records.is_later(summary, review):
        return ()
    notes = {str(one) for one in review.notes}
    promises = (
        said("A promise that nobody planned comes into the book with it: {words}", words=one.words)
        for one in _promises_it_brings(run)
        if one.change.path not in notes
    )
    return (*(one for one in _findings(run) if str(one) not in notes), *promises)


def _findings(run: ChapterRun) -> tuple[str, ...]:
    return (*promises_of(run).sentences, *clashes_of(run))


def _promises_it_brings(run: ChapterRun) -> tuple[Remembered, ...]:
    return tuple(one for one in remembered_of(run.store, run.chapter) if one.is_new)
