"""Locates committed texts after files of the book were renamed, shifted or exchanged (F13).

A text is identified by its sha256, wherever it is in chapters/. Nothing is corrected automatically:
everything derived from a chapter depends on its number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from stat import S_ISREG

from studio.errors import usage
from studio.fsio import sha256_hex
from studio.messages import said
from studio.project import changelog as log
from studio.project import layout as places
from studio.project.commit.builder import CommitBuilder
from studio.project.commit.transaction import (
    PUT_BACK,
    commit,
)
from studio.project.commit.writing import hold_for_writing
from studio.project.history.reasons import Reason
from studio.project.lock.lock import ProjectLock
from studio.project.store import Edited, ProjectStore


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """The differences between the files of the book and the committed texts."""

    moved: dict[int, str] = field(default_factory=dict)
    """The path at which each moved chapter's committed text is now."""
    missing: tuple[int, ...] = ()
    """Chapters whose texts are nowhere in chapters/, including those in `doubled`."""
    doubled: dict[int, int] = field(default_factory=dict)
    """Missing chapters whose file is a copy of another chapter, which is in its own place as well;
    such a file is nobody's edit."""
    changed: tuple[int, ...] = ()
    """Chapters whose own text was edited."""
    strangers: tuple[str, ...] = ()
    """Unknown texts in the places of moved chapters."""

    @property
    def sentences(self) -> tuple[str, ...]:
        """Returns a sentence for each difference, except edited texts."""
        return tuple(_describe(self))


def whereabouts(store: ProjectStore) -> Whereabouts:
    """Compares every committed chapter with its file, and locates those that are elsewhere."""
    edits = {edit.chapter: edit for edit in store.hand_edits()}
    if not edits:
        return Whereabouts()
    paths_by_sha = _texts_elsewhere(store, edits)
    moved_paths = {
        n: paths_by_sha[edit.committed_sha256]
        for n, edit in edits.items()
        if edit.committed_sha256 in paths_by_sha
    }
    theirs = {
        entry.source_sha256: n for n, entry in log.entries_that_count(_entries(store)).items()
    }
    present = {n: e.found_sha256 for n, e in edits.items() if e.found_sha256 is not None}
    owners = {n: theirs[sha] for n, sha in present.items() if sha in theirs}
    return Whereabouts(
        moved=moved_paths,
        missing=tuple(
            n for n in edits if n not in moved_paths and (n not in present or n in owners)
        ),
        doubled={n: o for n, o in owners.items() if n not in moved_paths and o not in moved_paths},
        changed=tuple(n for n in present if n not in moved_paths and n not in owners),
        strangers=tuple(
            store.layout.chapter(n) for n in moved_paths if n in present and n not in owners
        ),
    )


def put_back(store: ProjectStore) -> list[str]:
    """Moves every moved or missing chapter back to its place; returns what was done, in sentences.

    All texts are first kept in history, from which the missing ones are restored. A new text in the
    place of a chapter becomes the chapter after the last. Raises StudioError: exit 2 if nothing was
    moved or a chapter is in progress, 3 if the novel is locked, 5 if a missing text is lost, 1 if a
    file was changed at this very moment.
    """
    with hold_for_writing(store) as held:
        finished = held.commit
        inflight = store.checkpoint().inflight_chapter
        now = whereabouts(store)
        if finished and finished.commit_id.startswith(PUT_BACK) and not (now.moved or now.missing):
            return [said("The {work} was finished.", work=finished.work)]
        if not now.moved and not now.missing:
            raise usage(
                said("No chapter of the book was moved or deleted."),
                said("`studio verify` shows what differs."),
            )
        if inflight is not None:
            raise usage(
                said(
                    "Chapter {inflight} is in progress; the files can be put back when it is "
                    "finished.",
                    inflight=inflight,
                ),
                said("Run `studio resume` first."),
            )
        return _put_back(store, held.lock, now)


def _put_back(store: ProjectStore, lock: ProjectLock, now: Whereabouts) -> list[str]:
    """Moves all chapters in one commit; history has every text beforehand, and places it."""
    root, layout = store.root, store.layout
    own = {n: layout.chapter(n) for n in (*now.moved, *now.missing)}
    involved = sorted({*own.values(), *now.moved.values()})
    contents = {path: data for path in involved if (data := root.find(path)) is not None}
    shas = {path: sha256_hex(data) for path, data in contents.items()}
    store.history.keep_all(
        [(path, data, Reason.BEFORE_CHAPTERS_PUT_BACK) for path, data in contents.items()]
    )
    free = max([*layout.chapter_numbers(), *_committed_chapters(store)]) + 1
    strangers = {path: layout.chapter(free + offset) for offset, path in enumerate(now.strangers)}
    texts = {path: store.committed_sha(n) or "" for n, path in own.items()}
    for sha in texts.values():
        store.history.blob(sha)
    texts |= {fresh: shas[path] for path, fresh in strangers.items()}
    vacated = sorted(set(now.moved.values()) - set(own.values()))
    builder = CommitBuilder(store, PUT_BACK, min(own))
    for path, sha in texts.items():
        builder.put_version(path, sha)
    for path in vacated:
        builder.take_away(path)
    commit(layout, builder.plan(), lock)
    return list(_report(store, own, strangers))


def _report(store: ProjectStore, own: dict[int, str], strangers: dict[str, str]) -> Iterator[str]:
    for path, fresh in strangers.items():
        yield said("The new text that stood at {path} is {fresh} now.", path=path, fresh=fresh)
    edited = {edit.chapter for edit in store.hand_edits(own)}
    for number, path in own.items():
        if number not in edited:
            yield said("Chapter {number} is back at {path}.", number=number, path=path)


def _entries(store: ProjectStore) -> Sequence[log.ChangelogEntry]:
    return store.changelog().entries


def _committed_chapters(store: ProjectStore) -> list[int]:
    return [entry.chapter for entry in _entries(store)]


def _texts_elsewhere(store: ProjectStore, edits: dict[int, Edited]) -> dict[str, str]:
    """Returns the path of each text in chapters/ that is not the committed one of its place, by
    sha256."""
    committed = set(_committed_chapters(store))
    paths_by_sha = {
        e.found_sha256: store.layout.chapter(n) for n, e in edits.items() if e.found_sha256
    }
    for name in store.root.names(places.CHAPTERS):
        path = f"{places.CHAPTERS}/{name}"
        if places.chapter_of(path) not in committed and _may_hold_prose(store, path):
            sha = store.root.sha(path)
            if sha is not None:
                paths_by_sha.setdefault(sha, path)
    return paths_by_sha


def _may_hold_prose(store: ProjectStore, path: str) -> bool:
    """Whether the file may be a renamed chapter: the links and copies that editors put beside a
    text have names that are hidden or end in `~`."""
    info = store.root.info(path)
    name = path.rpartition("/")[2]
    own_kind = name.lower().endswith((".md", ".markdown", ".txt")) and name[0] not in ".#"
    return own_kind and info is not None and S_ISREG(info.st_mode)


def _describe(now: Whereabouts) -> Iterator[str]:
    targets = {n: places.chapter_of(path) for n, path in now.moved.items()}
    covered: set[int] = set()
    for number, target in targets.items():
        if target is not None and targets.get(target) == number and number < target:
            covered |= {number, target}
            yield said(
                "Chapters {number} and {target} have changed places.", number=number, target=target
            )
    for run in _runs({n: t for n, t in targets.items() if n not in covered and t is not None}):
        covered |= set(run)
        first, last = run[0], run[-1]
        begin, end = targets[first], targets[last]
        assert begin is not None
        way = "down" if begin > first else "up"
        yield said(
            "Chapters {first} to {last} have moved {way}: they are {begin} to {end} now.",
            first=first,
            last=last,
            way=way,
            begin=begin,
            end=end,
        )
    for number, path in now.moved.items():
        if number not in covered:
            yield said(
                "Chapter {number} was renamed: its text is {path}.", number=number, path=path
            )
    for path in now.strangers:
        yield said("There is a new text at {path}.", path=path)
    for number in now.missing:
        if number in now.doubled:
            holding = said("holds the text of chapter {n}", n=now.doubled[number])
            yield said(
                "Chapter {number} {holding}: its own text is only in history.",
                number=number,
                holding=holding,
            )
        else:
            yield said("Chapter {number} is missing: its text is only in history.", number=number)


def _runs(targets: dict[int, int]) -> Iterator[list[int]]:
    """Yields runs of two or more adjacent chapters that moved by the same number of places."""
    run: list[int] = []
    for number in sorted(targets):
        if run and (
            number != run[-1] + 1 or targets[number] - number != targets[run[-1]] - run[-1]
        ):
            if len(run) > 1:
                yield run
            run = []
        run.append(number)
    if len(run) > 1:
        yield run
