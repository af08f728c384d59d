"""The bridges between scenes that the assembly agent proposed for a draft (A6)."""

from __future__ import annotations

from studio.pipeline.run import ChapterRun


def proposed_bridges(run: ChapterRun) -> dict[int, str]:
    """The words of each, by the number of the scene it leads into."""
    record = run.find_record("draft", run.lap)
    found = (note.partition(": ") for note in (record.notes if record else ()))
    return {int(number): words for number, _, words in found}
