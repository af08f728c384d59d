"""What the summary of a chapter says that the writer should know before it goes into the book: a
task not done, a change that contradicts what is true already.

A summary that her changes overtook is made once more after she said yes; what only that one finds
is asked about once (CONTRACTS 7).
"""

from __future__ import annotations

from studio.book.promise_standing import PromiseStanding, standing_in_review
from studio.pipeline.chapter.run import ChapterRun
from studio.story.state import apply


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
    _, conflicts = apply(run.story.folded.tree, delta.ops, run.chapter)
    return tuple(entry.sentence for entry in conflicts)


def findings_of(run: ChapterRun) -> tuple[str, ...]:
    """Returns all of it, a sentence each."""
    return (*promises_of(run).sentences, *clashes_of(run))


def new_findings(run: ChapterRun) -> tuple[str, ...]:
    """Returns what a summary made after the review of this very text found, and the review did not
    know of; nothing once the writer was asked about it."""
    review, summary = run.records.newest("review"), run.records.newest("summarize")
    if review is None or summary is None or run.text is None:
        return ()
    if review.input_sha256 != run.text.sha256 or not run.records.is_later(summary, review):
        return ()
    return tuple(one for one in findings_of(run) if str(one) not in map(str, review.notes))
