"""What a rebuild will do, does and has done, as a page. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from studio.pipeline.events import CommittedEvent, Event, StageEvent, WarningEvent
from studio.tui.views.words import Line, Said, block, line

if TYPE_CHECKING:
    from studio.pipeline.rebuild.plan import RebuildReport
    from studio.story.consistency import Disagreement

_WHY = {
    "changed": "changed by hand",
    "named": "named by you",
    "interrupted": "left of an interrupted rebuild",
}


def foretold(preview: RebuildReport) -> Iterator[Line]:
    """Before anything is written."""
    yield from block("Moved", preview.moved, "warn")
    absent = [f"Chapter {n} is missing and left alone." for n in preview.missing]
    yield from block("Missing", absent, "warn")
    if preview.gaps:
        which = ", ".join(map(str, preview.gaps))
        yield from block("Chapters the state of the story knows nothing of", [which], "warn")
    if not preview.chapters:
        yield line("No chapter was changed by hand; there is nothing to rebuild.", "quiet")
        return
    yield line("Summarized again", "heading")
    for chapter in preview.chapters:
        yield (
            Said(f"{chapter.chapter:>4}  ", "accent"),
            Said(f"{chapter.title}  "),
            Said(_WHY[chapter.why], "quiet"),
        )
    yield line()
    if preview.replayed:
        first, last = preview.replayed[0], preview.replayed[-1]
        which = f"Chapter {first}" if first == last else f"Chapters {first} to {last}"
        yield from block("Replayed as they are, without a model", [which])
    yield from _stale("These facts rest on them and may no longer agree", preview.stale)
    yield from block("Cost", [_cost(preview)])
    yield line("Your text is not changed. Nothing is written before you begin.", "quiet")


def progress(events: Sequence[Event]) -> Iterator[Line]:
    """While it is done."""
    for event in events:
        if isinstance(event, StageEvent):
            if (event.name, event.status) == ("summarize", "started"):
                yield line(f"Chapter {event.chapter}: read again …")
        elif isinstance(event, CommittedEvent):
            yield line(f"Chapter {event.chapter}: “{event.title}” is up to date.", "good")
        elif isinstance(event, WarningEvent):
            yield line(event.message, "warn")


def done(report: RebuildReport) -> Iterator[Line]:
    """When it is done."""
    rebuilt = ", ".join(str(chapter.chapter) for chapter in report.chapters)
    yield from block("Rebuilt", [f"Chapters {rebuilt}" if "," in rebuilt else f"Chapter {rebuilt}"])
    if report.stale:
        yield from _stale("No longer in agreement; look at them again", report.stale)
    if report.findings:
        sentences = [entry.message for entry in report.findings]
        yield from block("What contradicts itself behind it", sentences, "warn")
    elif report.checked and not report.stale:
        first, last = report.checked[0], report.checked[-1]
        reach = f"Chapter {first}" if first == last else f"Chapters {first} to {last}"
        yield line(f"{reach}: no contradiction was seen that code can see.", "good")


def _stale(heading: str, stale: Sequence[Disagreement]) -> list[Line]:
    return block(heading, [f"{e.chapter:>4}  {e.entry}: {e.reason}" for e in stale], "warn")


def _cost(preview: RebuildReport) -> str:
    if not preview.model:
        return "No model takes part: summaries are taken from the text itself."
    count = len(preview.chapters)
    calls = f"{count} call{'s' if count > 1 else ''} to {preview.model}"
    if preview.most_usd is None:
        return f"{calls}, at a price that is not known."
    return f"{calls}, ${preview.most_usd:.4f} at most."
