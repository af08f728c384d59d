"""Before the next chapter: contradictions in the plans that only the writer can settle (E1, G7).

Asked in every review mode, before any prose is paid for. What she lets stand is settled until one
of the chapters or plans it is about changes.
"""

from __future__ import annotations

from studio.book.continuity.ledger import Ledger, contradictions_before, put_waiver
from studio.messages import join, said
from studio.pipeline.chapter.run import ChapterRun
from studio.project.store import ProjectStore
from studio.story.chapter import sha256_of
from studio.story.checkpoint import Decision, PipelineStage
from studio.story.form.document import to_jsonable

_NO_REASON = said("It is meant.")
_BEFORE_READING = (PipelineStage.DRAFTING, PipelineStage.DRAFTED)
"""The stages at which nothing but the prose, if any, has been paid for."""


def ask_about_continuity(run: ChapterRun) -> Decision | None:
    """Carries out the writer's answer, and returns a Decision for contradictions not answered
    yet."""
    is_new = run.chapter > run.checkpoint.last_completed_chapter
    if not is_new or run.checkpoint.pipeline_stage not in _BEFORE_READING:
        return None
    ledger = contradictions_before(run.store, run.pack, run.chapter)
    if not ledger.high:
        return None
    identity = _identity(run.store, ledger)
    if identity in run.checkpoint.went_on:
        return None
    decision = _decision(run.chapter, identity, ledger)
    option = run.answer(decision.id)
    if option is None:
        return decision
    if option == "waive":
        answer = run.checkpoint.answer_to(decision.id)
        reason = (answer.note.strip() if answer else "") or _NO_REASON
        for fact_key in dict.fromkeys(entry.fact_key for entry in ledger.high):
            put_waiver(run.store, fact_key, reason)
    else:
        run.save(went_on=(*run.checkpoint.went_on, identity))
    return None


def _decision(chapter: int, identity: str, ledger: Ledger) -> Decision:
    sentences = list(dict.fromkeys(entry.message for entry in ledger.high))
    return Decision(
        id=f"continuity-{chapter:03d}-{identity[:8]}",
        kind="continuity",
        recommendation="edit",
        options=("go-on", "edit", "waive"),
        rationale=join(sentences),
        data={
            "findings": [to_jsonable(entry) for entry in ledger.high],
            "options": {
                "go-on": said(
                    "Write the chapter all the same; asked again when one of these changes."
                ),
                "edit": said("Change the plan or the entry yourself, then resume."),
                "waive": said("It is meant: it is not named again. A note becomes the reason."),
            },
        },
    )


def _identity(store: ProjectStore, ledger: Ledger) -> str:
    """Returns an identity of the findings, with the texts and plans they are about."""
    parts = sorted(entry.id for entry in ledger.high)
    layout = store.layout
    for number in sorted({n for entry in ledger.high for n in entry.chapters}):
        paths = [layout.chapter(number)]
        paths += [layout.contract(volume, number) for volume in layout.volume_numbers()]
        parts += [store.root.sha(path) or "" for path in paths]
    return sha256_of(join(parts))[:16]
