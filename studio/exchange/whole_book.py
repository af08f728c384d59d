"""Whether the chapters of an export are those of the book: none of them is lost, and none is in it
that was never committed."""

from __future__ import annotations

from collections.abc import Iterable

from studio.errors import StudioError, damaged
from studio.messages import said
from studio.project.changelog import ChangelogEntry, ChangelogFile, entries_that_count
from studio.project.store import ProjectStore


def chapters_of_book(store: ProjectStore) -> list[int]:
    """Returns the numbers of the chapters that are there or were committed, ascending."""
    return sorted({*store.chapter_numbers(), *_committed(store)})


def refuse_lost(store: ProjectStore, numbers: Iterable[int]) -> None:
    """Raises StudioError (exit 5) for the first of these chapters that was committed and whose file
    is missing or holds no prose any longer."""
    committed = _committed(store)
    for number in numbers:
        entry, path = committed.get(number), store.layout.chapter(number)
        if entry is None or store.root.sha(path) == entry.source_sha256:
            continue
        chapter = store.chapter(number)
        if chapter is None or not chapter.paragraphs:
            raise _lost(path, number, is_deleted=chapter is None)


def never_committed(store: ProjectStore, numbers: Iterable[int]) -> list[int]:
    """Returns those of these chapters that are in no book yet; none while nothing is in it."""
    committed = _committed(store)
    return [number for number in numbers if number not in committed] if committed else []


def _committed(store: ProjectStore) -> dict[int, ChangelogEntry]:
    return entries_that_count(ChangelogFile(store.root).read_trusted().entries)


def _lost(path: str, number: int, *, is_deleted: bool) -> StudioError:
    return damaged(
        said(
            "{path} {problem}; chapter {chapter} was committed.",
            path=path,
            problem=said("is missing") if is_deleted else said("no longer holds any prose"),
            chapter=number,
        ),
        said(
            "{command} brings it back, or leave it out with --chapters.",
            command=f"`studio history restore {number}`",
        ),
    )
