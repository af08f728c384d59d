"""Summarize: from the text to what the story must remember of it.

The stage leaves the summary, the state delta, the cross-references and the storyline's memory, each
naming the text it was made from.
"""

from __future__ import annotations

from studio.llm.errors import ModelError
from studio.messages import said
from studio.pipeline.chapter.run import ChapterRun
from studio.pipeline.events import StageName
from studio.pipeline.prompting.compile import TooLarge
from studio.pipeline.stage import Go, Step, Work
from studio.pipeline.summarizing import Derived, extracted, summarized
from studio.project.commit.plan import keep_memory
from studio.story.checkpoint import PipelineStage


class Summarize:
    """The stage of the summarizer, or of the extractive summary if no model can extract."""

    name: StageName = "summarize"
    quiet = False

    def idle(self, run: ChapterRun) -> str | None:
        """Returns a reason if a summary made from this text, or carried over guarded changes,
        still stands, else None."""
        record = run.lineage.reader("summarize")
        if record is None:
            return said("out of date; made once more before the commit") if _waits(run) else None
        whole = run.staged.holds(record.artifacts)
        if run.being_carried:
            whole = run.staged.delta() is not None and bool(run.staged.summary().strip())
        if not whole:
            run.emit.warn(
                said(
                    "The summary of the chapter in progress is missing or was changed; it is "
                    "made again."
                )
            )
            return None
        return said("the summary still fits the text")

    async def work(self, work: Work) -> Step:
        """Asks for the summary, or extracts one from the text itself."""
        run = work.run
        profile = run.profile
        if profile is not None and profile.extracts:
            derived = await self._by_model(work)
        else:
            derived = extracted(work)
        artifacts = _stage_files(run, derived)
        record = run.records.summarized(run.current.sha256, artifacts)
        run.record(record, PipelineStage.SUMMARIZED)
        return Go(said("state gap") if derived.delta.state_gap else "")

    async def _by_model(self, work: Work) -> Derived:
        """Returns the summarizer's answer; a gap in the state if no readable answer comes."""
        try:
            return await summarized(work)
        except TooLarge:
            why = said("The chapter is too long for the model's window, so nobody summarizes it")
        except ModelError as error:
            if error.error_kind != "unusable":
                raise
            why = said("The summarizer's answer could not be read twice")
        work.run.emit.warn(
            said(
                "{why}; chapter {chapter} goes into the book with a gap in the story state.",
                why=why,
                chapter=work.run.chapter,
            )
        )
        return extracted(work, state_gap=True)


def _waits(run: ChapterRun) -> bool:
    """Whether a summary that the writer's changes have overtaken waits until the chapter goes into
    the book: in ask mode nothing is called because she typed (CONTRACTS 7)."""
    lineage, text = run.lineage, run.text
    if not run.is_attended or text is None or lineage.overtaken("summarize") is None:
        return False
    if lineage.reader("judge") is None and lineage.overtaken("judge") is None:
        return False  # it was not read yet, and is read now
    review = lineage.reader("review")
    return review is None or review.input_sha256 != text.sha256


def _stage_files(run: ChapterRun, derived: Derived) -> dict[str, str]:
    """Writes what was derived under staging/; returns the sha256 of each path."""
    sha256 = run.current.sha256
    line = run.contract.storyline_id
    keep_memory(run.store, line)
    files = [
        run.staged.put_summary(derived.summary, sha256),
        run.staged.put_delta(derived.delta),
        run.staged.put_crossref(derived.crossref),
    ]
    # An earlier chapter, reviewed again, must not take later memories away.
    if run.chapter >= run.checkpoint.last_completed_chapter:
        files.append(run.staged.put_memory(line, derived.memory, sha256))
    return dict(files)
