"""The three protections that keep a person from being archived (seed 003, 8.5), as code."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from studio.book.as_of import StoryAt
from studio.book.promises import OVER, PromiseSoFar
from studio.messages import said
from studio.project.store import ProjectStore
from studio.story.contract import ChapterContract
from studio.story.form.document import Value, Words

ProtectionKind = Literal["promise", "storyline", "schedule"]


class Protection(Value):
    """A reason why a person cannot be archived."""

    kind: ProtectionKind
    by: str
    """The id of the promise or storyline, or the number of the chapter."""
    sentence: Words


def protections(store: ProjectStore, slug: str) -> tuple[Protection, ...]:
    """Returns what keeps a person in the story: an open promise marked as lasting, a storyline that
    is not closed, or a later chapter in which storylines meet. StudioError (exit 5) for a plan that
    cannot be read."""
    return (*_by_promise(store, slug), *_by_storyline(store, slug), *_by_schedule(store, slug))


def _by_promise(store: ProjectStore, slug: str) -> Iterator[Protection]:
    story = StoryAt(store, store.checkpoint().last_completed_chapter + 1)
    promises: dict[str, PromiseSoFar] = {}
    for volume in store.layout.volume_numbers() or [1]:
        promises |= story.promises(volume)
    for promise in promises.values():
        plan = promise.plan
        if slug in plan.characters and plan.scope != "short" and promise.status not in OVER:
            yield Protection(
                kind="promise",
                by=promise.id,
                sentence=said("A promise still needs them: {about}.", about=plan.clause),
            )


def _by_storyline(store: ProjectStore, slug: str) -> Iterator[Protection]:
    for line in store.storylines().storylines:
        if line.status != "closed" and slug in (*line.characters, line.pov):
            yield Protection(
                kind="storyline",
                by=line.id,
                sentence=said(
                    "They belong to the storyline “{title}” ({status}).",
                    title=line.title,
                    status=line.status,
                ),
            )


def _by_schedule(store: ProjectStore, slug: str) -> Iterator[Protection]:
    last = store.checkpoint().last_completed_chapter
    lines = {line.id: {*line.characters, line.pov} for line in store.storylines().storylines}
    for volume in store.layout.volume_numbers():
        for row in store.schedule(volume).chapters:
            if row.chapter <= last or not row.concurrent:
                continue
            contract = store.contract_in(volume, row.chapter)
            people = _cast(contract) if contract else set()
            people = people.union(
                *(lines.get(i, set()) for i in (row.storyline_id, *row.concurrent))
            )
            if slug in people:
                yield Protection(
                    kind="schedule",
                    by=str(row.chapter),
                    sentence=said(
                        "Storylines meet in chapter {chapter}, and they are there.",
                        chapter=row.chapter,
                    ),
                )


def _cast(contract: ChapterContract) -> set[str | None]:
    people: set[str | None] = {*contract.characters, contract.pov}
    for scene in contract.scenes:
        people |= {*scene.characters, scene.pov}
    return people
