"""What a model sees in a chapter that has just come into the book, where the writer wants that
(`generation.analyse`, C10).

Code has looked at it already and costs nothing; this reads it against the chapters before it.
The caps hold, and whatever goes wrong is a warning: the chapter is in the book.
"""

from __future__ import annotations

import asyncio

from studio.errors import StudioError
from studio.pipeline.continuity.checking import MOST_CHAPTERS, ContinuityReader
from studio.pipeline.events import Emitter
from studio.pipeline.orchestrator import Orchestrator


async def read_saved(writer: Orchestrator, chapter: int, emit: Emitter) -> None:
    """Reads the chapter and up to nine before it; says what contradicts it. Raises nothing."""
    reader = ContinuityReader(writer.store, writer.settings, writer.pack, writer.gateway_for)
    try:
        first = max(1, chapter - MOST_CHAPTERS + 1)
        record = await reader.read(range(first, chapter + 1), emit)
    except asyncio.CancelledError:
        emit.warn(f"Chapter {chapter} was not read against the chapters before it: you stopped it.")
        return
    except StudioError as error:
        emit.warn(
            f"Chapter {chapter} was not read against the chapters before it:"
            f" {error.problem.message}"
        )
        return
    finally:
        emit.chapter = chapter
    for finding in record.findings:
        if chapter in finding.chapters:
            emit.warn(f"{finding.message} `studio continuity` shows where.")
