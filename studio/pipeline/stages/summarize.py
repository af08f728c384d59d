"""Summarize: from the text to what the story must remember of it.

Leaves the summary, the state delta, the cross-references and the storyline's
memory, each naming the text it was made from. Ids of the chapter and the
storyline come from the contract, never from the model.
"""

from __future__ import annotations

from studio.llm.errors import ModelError
from studio.pipeline.asking import Question
from studio.pipeline.events import StageName
from studio.pipeline.material import numbered
from studio.pipeline.run import ChapterRun
from studio.pipeline.steps import Go, Step, Work
from studio.story.answers import SummaryAnswer, SummaryMention
from studio.story.checkpoint import PipelineStage, StageRecord
from studio.story.crossref import Crossref, Mention
from studio.story.ids import slug_fault
from studio.story.state import Delta, DroppedOp, Scalar, StateOp, sift
from studio.text.extract import appearances, extractive_summary

MEMORY_LINES = 12
"""Chapters a storyline's memory keeps when no model condenses it."""


class Summarize:
    """Summarizer, or the extractive summary where no model can extract."""

    name: StageName = "summarize"
    quiet = False

    def idle(self, run: ChapterRun) -> str | None:
        """A summary made from this text, or carried over by guarded changes, still stands."""
        record = run.lineage.reader("summarize")
        if record is None:
            return None
        whole = run.staged.holds(record.artifacts)
        if run.being_carried:
            whole = run.staged.delta() is not None and bool(run.staged.summary().strip())
        if not whole:
            run.emit.warn("The staged summary is missing or was changed; it is made again.")
            return None
        return "the summary still fits the text"

    async def work(self, work: Work) -> Step:
        """Asks for the summary, or makes one from the text itself."""
        run = work.run
        profile = run.profile
        if profile is not None and profile.extracts:
            made = await self._asked(work)
        else:
            made = self._extracted(work)
        artifacts = made.stage(run)
        sha256 = run.current.sha256
        run.record(
            StageRecord(
                stage="summarize",
                input_sha256=sha256,
                output_sha256=sha256,
                lap=run.lap,
                artifacts=artifacts,
            ),
            PipelineStage.SUMMARIZED,
        )
        return Go("state gap" if made.delta.state_gap else "")

    async def _asked(self, work: Work) -> _Derived:
        run = work.run
        scenes = run.find_record("scenes", run.lap)
        question = Question(
            agent="summarizer",
            stage="summarize",
            what=run.current.sha256[:8],
            blocks={
                "chapter": numbered(run.current),
                "hints": "\n".join(scenes.notes) if scenes else "",
                "task": f"Summarize chapter {run.chapter} and list what it changes.",
            },
        )
        try:
            answer, _ = await work.asking.structured(question, SummaryAnswer, _no_summary)
        except ModelError as error:
            if error.error_kind != "unusable":
                raise
            run.emit.warn(
                f"The summarizer's answer could not be read twice; chapter {run.chapter} will be"
                " committed with a gap in the story state."
            )
            return self._extracted(work, state_gap=True)
        return _from_answer(run, answer)

    def _extracted(self, work: Work, state_gap: bool = False) -> _Derived:
        run = work.run
        chapter = run.current
        summary = extractive_summary(chapter, run.pack)
        seen = appearances(chapter, work.material.spoken_for(), run.pack)
        ops = tuple(
            StateOp(op="set", path=f"characters.{slug}.last_seen", value=run.chapter)
            for slug in sorted(seen)
        )
        delta = Delta(
            chapter=run.chapter,
            storyline_id=run.contract.storyline_id,
            source_sha256=chapter.sha256,
            ops=() if state_gap else ops,
            state_gap=state_gap,
        )
        old = run.store.memory(run.contract.storyline_id).strip().splitlines()
        line = f"- Chapter {run.chapter}, {run.contract.title}: {' '.join(summary.split())[:240]}"
        kept = [row for row in old if not row.startswith(f"- Chapter {run.chapter},")]
        return _Derived(
            summary, delta, _crossref(run, ()), "\n".join([*kept, line][-MEMORY_LINES:])
        )


class _Derived:
    """The four things a summary leaves."""

    def __init__(self, summary: str, delta: Delta, crossref: Crossref, memory: str) -> None:
        self.summary = summary
        self.delta = delta
        self.crossref = crossref
        self.memory = memory

    def stage(self, run: ChapterRun) -> dict[str, str]:
        """Writes them under staging/; path to sha256 of each."""
        sha256 = run.current.sha256
        line = run.contract.storyline_id
        written = [
            run.staged.put_summary(self.summary, sha256),
            run.staged.put_delta(self.delta),
            run.staged.put_crossref(self.crossref),
        ]
        # An earlier chapter, reviewed again, must not take later memories away.
        if run.chapter >= run.checkpoint.last_completed_chapter:
            written.append(run.staged.put_memory(line, self.memory, sha256))
        run.saved(*written)
        return dict(written)


def _no_summary(answer: SummaryAnswer) -> list[str]:
    return [] if answer.summary.strip() else ["summary: must not be empty"]


def _from_answer(run: ChapterRun, answer: SummaryAnswer) -> _Derived:
    proposed, misfits = [], []
    for op in answer.ops:
        try:
            proposed.append(StateOp(op=op.op, path=op.path, value=_scalar(op.value)))
        except ValueError as error:
            misfits.append(DroppedOp(entry=f"{op.op} {op.path}"[:200], reason=str(error)[:200]))
    kept, dropped = sift(proposed)
    for entry in (*misfits, *dropped):
        run.emit.warn(f"Left out of the story state: {entry.entry}: {entry.reason}.")
    delta = Delta(
        chapter=run.chapter,
        storyline_id=run.contract.storyline_id,
        source_sha256=run.current.sha256,
        ops=kept,
        dropped=(*misfits, *dropped),
    )
    return _Derived(
        answer.summary.strip(), delta, _crossref(run, answer.crossref), answer.memory.strip()
    )


def _scalar(value: Scalar) -> Scalar:
    """Numbers on the wire are floats; a whole one is a whole one again."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    return value


def _crossref(run: ChapterRun, mentions: list[SummaryMention] | tuple[()]) -> Crossref:
    """Mentions with usable ids whose quote is in the text; the others are named and left out."""
    kept: list[Mention] = []
    for mention in mentions:
        line = mention.storyline_id
        fault = slug_fault(mention.entity) or (slug_fault(line) if line else None)
        if fault is None and mention.quote and mention.quote not in run.current.text:
            fault = "its quote is not in the chapter"
        if fault is not None:
            run.emit.warn(f"Left out of the cross-references: {mention.entity[:60]}: {fault}.")
            continue
        kept.append(
            Mention(
                entity=mention.entity, storyline_id=line, quote=mention.quote, leak=mention.leak
            )
        )
    return Crossref(
        chapter=run.chapter,
        storyline_id=run.contract.storyline_id,
        source_sha256=run.current.sha256,
        mentions=tuple(kept),
    )
