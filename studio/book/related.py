"""Which earlier chapters have to do with the one that is written: by promises, people, things and
line, from what each of them changed in the story (G10). No chapter is opened for it."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from studio.project.changelog import Entry
from studio.story.contract import ChapterContract

MOST = 4
"""Related chapters that are told beside the latest ones, however long the book is."""
_PROMISE, _SLUG, _LINE = 4, 2, 1
"""What a shared promise, person or thing, and line weigh."""
_LEAST = 3
"""Below this two chapters have nothing to do with each other: a line alone is no reason."""


def related_chapters(
    contract: ChapterContract,
    slugs: Collection[str],
    entries: Mapping[int, Entry],
    latest: int,
) -> list[int]:
    """Up to four chapters before `latest` that share most with the plan, ascending.

    `slugs` are the people, places and things of the plan; of equals the later chapter counts.
    """
    tasks = {task.id for task in contract.foreshadowing}
    scores = {
        number: _score(entry, contract.storyline_id, tasks, set(slugs))
        for number, entry in entries.items()
        if number < latest
    }
    best = sorted(scores, key=lambda number: (-scores[number], -number))
    return sorted(number for number in best[:MOST] if scores[number] >= _LEAST)


def _score(entry: Entry, line: str, tasks: set[str], slugs: set[str]) -> int:
    ops = entry.plain_ops()
    promises = {path for kind, path, _ in ops if kind == "foreshadow"}
    touched = {path.split(".")[1] for kind, path, _ in ops if kind != "foreshadow"}
    on_line = _LINE if entry.storyline_id == line else 0
    return _PROMISE * len(promises & tasks) + _SLUG * len(touched & slugs) + on_line
