"""Which earlier chapters have to do with the one that is written: by promises, people, things and
line, from what each of them changed in the story (G10). No chapter is opened for it."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from studio.story.contract import ChapterContract
from studio.story.state import Delta

MOST = 4
"""Related chapters that are told beside the latest ones, however long the book is."""
_PROMISE, _SLUG, _LINE = 4, 2, 1
"""What a shared promise, person or thing, and line weigh."""
_LEAST = 3
"""Below this two chapters have nothing to do with each other: a line alone is no reason."""


def related_chapters(
    contract: ChapterContract,
    slugs: Collection[str],
    deltas: Mapping[int, Delta],
    latest: int,
) -> list[int]:
    """Up to four chapters before `latest` that share most with the plan, ascending.

    `slugs` are the people, places and things of the plan; of equals the later chapter counts.
    """
    tasks = {task.id for task in contract.foreshadowing}
    scores = {
        number: _score(delta, contract.storyline_id, tasks, set(slugs))
        for number, delta in deltas.items()
        if number < latest
    }
    best = sorted(scores, key=lambda number: (-scores[number], -number))
    return sorted(number for number in best[:MOST] if scores[number] >= _LEAST)


def _score(delta: Delta, line: str, tasks: set[str], slugs: set[str]) -> int:
    promises = {op.path for op in delta.ops if op.op == "foreshadow"}
    touched = {op.path.split(".")[1] for op in delta.ops if op.op != "foreshadow"}
    on_line = _LINE if delta.storyline_id == line else 0
    return _PROMISE * len(promises & tasks) + _SLUG * len(touched & slugs) + on_line
