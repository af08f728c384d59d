"""Changes of the story's state that the summarizer claims and the chapter does not bear out.

In ask mode the writer says whether the state takes them; the other modes leave them out and say so.
"""

from __future__ import annotations

from studio.messages import readable, said
from studio.pipeline.chapter.run import ChapterRun
from studio.story.checkpoint import Decision
from studio.story.state import Delta


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
    for sentence in readable(entry.dropped.sentence for entry in delta.held_back):
        run.emit.warn(sentence)
    return None


def _take(run: ChapterRun, delta: Delta) -> None:
    """Adds what was held back to the changes of the chapter. The record of the summary follows the
    file, so that a kill here repeats no call."""
    changes = (*delta.ops, *(entry.change for entry in delta.held_back))
    path, sha256 = run.staged.put_delta(delta.model_copy(update={"ops": changes, "held_back": ()}))
    record = run.lineage.reader("summarize")
    artifacts = dict(record.artifacts) if record is not None else {}
    run.record(run.records.summarized(run.current.sha256, {**artifacts, path: sha256}))


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
