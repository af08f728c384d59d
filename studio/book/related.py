"""Which earlier chapters have to do with the one that is written: by promises, people, things and
line, from what each of them changed in the story (G10). No chapter is opened for it."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from studio.story.contract import ChapterContract
from studio.story.state import Touched

MOST = 4
"""Related chapters that are told beside the latest ones, however long the book is."""
_PROMISE, _SLUG, _LINE = 4, 2, 1
"""What a shared promise, person or thing, and line weigh."""
_LEAST = 3
"""Below this two chapters have nothing to do with each other: a line alone is no reason."""


def related_chapters(
    contract: ChapterContract,
    slugs: Collection[str],
    touched: Mapping[int, Touched],
    latest: int,
) -> list[int]:
    """Up to four chapters before `latest` that share most with the plan, ascending.

    `touched` is what each chapter had to do with; `slugs` are the people, places and things of
    the plan; of equals the later chapter counts.
    """
    tasks, own = {task.id for task in contract.foreshadowing}, set(slugs)
    best: list[tuple[int, int]] = []
    for number, (line, promises, theirs) in touched.items():
        if number >= latest or (promises.isdisjoint(tasks) and theirs.isdisjoint(own)):
            continue
        shared = _PROMISE * len(promises & tasks) + _SLUG * len(theirs & own)
        score = shared + (_LINE if line == contract.storyline_id else 0)
        if score >= _LEAST:
            best.append((score, number))
    return sorted(number for _, number in sorted(best, reverse=True)[:MOST])
