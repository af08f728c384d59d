"""Finds the earlier chapters related to the one being written by promises, people, things and
storyline, from what each changed in the story (G10). No chapter is opened."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from studio.story.contract import ChapterContract
from studio.story.state import Touched

MOST = 4
"""The number of related chapters in a prompt besides the latest ones, however long the book is."""
_PROMISE, _SLUG, _LINE = 4, 2, 1
"""The weights of a shared promise, a shared person or thing, and a shared storyline."""
_LEAST = 3
"""The least score of related chapters: a shared storyline alone is no reason."""


def related_chapters(
    contract: ChapterContract,
    slugs: Collection[str],
    touched: Mapping[int, Touched],
    latest: int,
) -> list[int]:
    """Returns up to four chapters before `latest` that share most with the plan, ascending.

    `touched` maps each chapter to what it affected; `slugs` are the people, places and things of
    the plan; later chapters win ties.
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
