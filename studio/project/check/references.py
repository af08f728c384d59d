"""Dangling references in plans: unknown characters, storylines and promises (a check of
`verify`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from studio.errors import StudioError
from studio.messages import said
from studio.project import layout as places
from studio.project.check.findings import Finding
from studio.project.store import ProjectStore
from studio.story.contract import ChapterContract


def names_name_someone(store: ProjectStore) -> Iterator[Finding]:
    """Checks that every id in a contract, schedule or storyline exists. Skips unreadable files."""
    try:
        people = {*store.characters(), *store.retired()}
        lines = {storyline.id for storyline in store.storylines().storylines}
        promises = {promise.id for promise in store.foreshadowing().promises}
        promises |= _planted(store)
    except StudioError:
        return
    yield from _of_storylines(store, people)
    yield from _planned_twice(store)
    for volume in store.layout.volume_numbers():
        yield from _of_volume(store, volume, people, lines, promises)


def _planted(store: ProjectStore) -> set[str]:
    """Returns the promises in a volume's list that are missing from the book's."""
    volumes = store.layout.volume_numbers()
    return {p.id for v in volumes for p in store.volume_foreshadowing(v).promises}


def _of_volume(
    store: ProjectStore, volume: int, people: set[str], lines: set[str], promises: set[str]
) -> Iterator[Finding]:
    layout = store.layout
    try:
        schedule = store.schedule(volume).chapters
        numbers = layout.contract_numbers(volume)
        contracts = [c for n in numbers if (c := store.contract_in(volume, n)) is not None]
    except StudioError:
        return
    for entry in schedule:
        storyline_ids = [entry.storyline_id, *entry.concurrent]
        yield from _missing(layout.schedule(volume), "storyline", storyline_ids, lines)
    for contract in contracts:
        path = layout.contract(volume, contract.chapter)
        yield from _missing(path, "storyline", [contract.storyline_id], lines)
        yield from _missing(path, "character", _people_of(contract), people)
        yield from _missing(path, "promise", [t.id for t in contract.foreshadowing], promises)


def _planned_twice(store: ProjectStore) -> Iterator[Finding]:
    """Reports a chapter with contracts in two volumes: only the first of them is ever read."""
    volume_of: dict[int, int] = {}
    for volume in store.layout.volume_numbers():
        for number in store.layout.contract_numbers(volume):
            first = volume_of.setdefault(number, volume)
            if first != volume:
                yield Finding(
                    severity="gap",
                    path=store.layout.contract(volume, number),
                    message=said(
                        "Chapter {number} is planned in volume {first} and in volume {volume}.",
                        number=number,
                        first=first,
                        volume=volume,
                    ),
                    hint=said("Keep one of the two contracts; the other may go."),
                )


def _people_of(contract: ChapterContract) -> list[str]:
    names = [contract.pov, *contract.characters]
    for scene in contract.scenes:
        names += [scene.pov, *scene.characters]
    return [name for name in names if name is not None]


def _of_storylines(store: ProjectStore, people: set[str]) -> Iterator[Finding]:
    for line in store.storylines().storylines:
        names = [*line.characters, *([line.pov] if line.pov else [])]
        yield from _missing(places.STORYLINES, "character", names, people)


def _missing(path: str, kind: str, names: Iterable[str], existing: set[str]) -> Iterator[Finding]:
    for name in sorted(set(names) - existing):
        yield Finding(
            severity="gap",
            path=path,
            message=said(
                "{path} names the {kind} {name}, which the book does not have.",
                path=path,
                kind=kind,
                name=repr(name),
            ),
            hint=said("Add the {kind}, or correct the name.", kind=kind),
        )
