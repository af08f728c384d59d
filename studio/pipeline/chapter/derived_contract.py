"""The contract of a chapter that has none, derived from its section of the outline or from its own
text.

It also takes what else the volume plans for the chapter: its storyline and hence its viewpoint from
the schedule, and its tasks for promises from the foreshadowing (seed 003, 8.3).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from unicodedata import east_asian_width

from studio.book.as_of import StoryAt
from studio.book.promises import OVER
from studio.project.store import ProjectStore
from studio.story.contract import ChapterContract, ForeshadowTask
from studio.story.novel import Storyline

_BULLET = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+(.*\S)\s*$")
_SENTENCE_ENDS = re.compile(r"[.!?…。！？][\"'”’」』）)]*$")
_BETWEEN_CHINESE = re.compile(r"(?<=[\u3000-\u30ff\u4e00-\u9fff\uff00-\uffef]) (?=[\u3000-\u9fff])")
_WRAPPED = 60
"""Columns of the shortest line that an editor breaks; a shorter one was ended by the author."""


def contract_from_outline(
    store: ProjectStore, chapter: int, volume: int, section: tuple[str, str]
) -> ChapterContract:
    """Returns a contract made from a section of the outline: its bullets become the beats, its
    other words the objective, a line each paragraph, or each line that she ended herself (DESIGN
    section 3, WRITING 2.3)."""
    title, body = section
    beats = tuple(m[1] for line in body.splitlines() if (m := _BULLET.match(line)))
    prose = "\n".join("" if _BULLET.match(line) else line for line in body.splitlines())
    rows = [row for paragraph in re.split(r"\n\s*\n", prose) for row in _rows(paragraph)]
    objective = "\n".join(rows) or (beats[0] if beats else title)
    return _contract(store, chapter, volume, title, objective, beats)


def _rows(paragraph: str) -> list[str]:
    """Returns the lines of a paragraph; one line where an editor broke it at the width of its
    page."""
    lines = [" ".join(line.split()) for line in paragraph.splitlines() if line.strip()]
    is_hers = any(_columns(line) < _WRAPPED for line in lines[:-1])
    if is_hers or all(_SENTENCE_ENDS.search(line) for line in lines):
        return lines
    return [_BETWEEN_CHINESE.sub("", " ".join(lines))]


def _columns(line: str) -> int:
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in line)


def contract_from_draft(
    store: ProjectStore, chapter: int, volume: int, title: str
) -> ChapterContract:
    """Returns the minimal contract of a chapter that the author wrote: its title and its
    storyline."""
    return _contract(store, chapter, volume, title, title)


def _contract(
    store: ProjectStore,
    chapter: int,
    volume: int,
    title: str,
    objective: str,
    beats: tuple[str, ...] = (),
) -> ChapterContract:
    line_id, line = _line(store, chapter, volume)
    return ChapterContract(
        chapter=chapter,
        volume=volume,
        title=title,
        storyline_id=line_id,
        pov=line.pov if line else None,
        objectives=(objective,),
        beats=beats,
        foreshadowing=tuple(_tasks(store, chapter, volume)),
    )


def _line(store: ProjectStore, chapter: int, volume: int) -> tuple[str, Storyline | None]:
    """Returns the storyline that the schedule assigns to the chapter, else the book's main one."""
    lines = store.storylines()
    scheduled = (c.storyline_id for c in store.schedule(volume).chapters if c.chapter == chapter)
    line_id = next(scheduled, lines.main)
    return line_id, next((line for line in lines.storylines if line.id == line_id), None)


def _tasks(store: ProjectStore, chapter: int, volume: int) -> Iterator[ForeshadowTask]:
    """Yields the chapter's tasks for promises: plant those planned for it, pay those due in it.

    In the file of the whole book, `planted` records what happened; in the volume's file it is a
    plan.
    """
    planned = {p.id: p.planted for p in store.volume_foreshadowing(volume).promises}
    for promise in StoryAt(store, chapter).promises(volume).values():
        plant_in = planned.get(promise.id)
        is_seeded = promise.is_open or (plant_in is not None and plant_in < chapter)
        if plant_in == chapter and not promise.events:
            yield ForeshadowTask(id=promise.id, action="plant")
        elif promise.plan.due == chapter and is_seeded and promise.status not in OVER:
            yield ForeshadowTask(id=promise.id, action="resolve")
