"""A model's reading of a chapter that has just come into the book, if the writer wants it
(`generation.analyse`, C10); otherwise the reading is offered after every tenth chapter (seed E2).

Code has checked the chapter already, at no cost; this reads it against the chapters before it. The
caps hold, and any failure is a warning: the chapter is in the book.
"""

from __future__ import annotations

import asyncio

from studio.errors import StudioError
from studio.messages import said
from studio.pipeline.continuity.chapter_windows import MOST_CHAPTERS
from studio.pipeline.continuity.checking import ContinuityReader
from studio.pipeline.events import Emitter
from studio.pipeline.volume.chapters_check import EVERY


async def read_saved(reader: ContinuityReader, chapter: int, emit: Emitter) -> None:
    """Reads the chapter and up to nine before it, and reports contradictions. Raises only
    CancelledError: a stop applies to the whole run."""
    try:
        record = await reader.read(_chapters_up_to(chapter), emit)
    except asyncio.CancelledError:
        emit.warn(
            said(
                "Chapter {chapter} was not read against the chapters before it: you stopped it.",
                chapter=chapter,
            )
        )
        raise
    except StudioError as error:
        emit.warn(
            said(
                "Chapter {chapter} was not read against the chapters before it: {why}",
                chapter=chapter,
                why=error.problem.message,
            )
        )
        return
    finally:
        emit.chapter = chapter
    for finding in record.findings:
        if chapter in finding.chapters:
            emit.warn(said("{why} `studio continuity` shows where.", why=finding.message))


def offer_reading(reader: ContinuityReader, chapter: int, emit: Emitter) -> None:
    """Says once after every tenth chapter what it would cost to have a model check the ten
    against each other. Silent if no model can, and raises nothing."""
    if chapter % EVERY:
        return
    try:
        plan = reader.plan(_chapters_up_to(chapter))
    except StudioError:
        return
    emit.warn(
        said(
            "A model can read chapters {first} to {last} against each other: {calls} calls to "
            "{name}, {cost}. `studio continuity {number} --model` does that.",
            first=plan.windows[0][0],
            last=chapter,
            calls=2 * len(plan.windows),
            name=plan.model,
            cost=plan.cost.words,
            number=chapter,
        )
    )


def _chapters_up_to(chapter: int) -> range:
    return range(max(1, chapter - MOST_CHAPTERS + 1), chapter + 1)
