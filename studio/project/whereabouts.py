"""Where the committed texts are, when files of the book were renamed, moved up or exchanged (F13).

A text is known by its sha256, wherever it stands in chapters/. Nothing is done
about it by itself: what follows from a chapter follows from its number.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from stat import S_ISREG

from studio.errors import usage
from studio.fsio import sha256_hex
from studio.project import layout as places
from studio.project.commit import roll_forward
from studio.project.lock import ProjectLock
from studio.project.store import Edited, ProjectStore


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """How the files of the book differ from what was committed."""

    moved: dict[int, str] = field(default_factory=dict)
    """Chapter to the path at which its committed text is now."""
    missing: tuple[int, ...] = ()
    """Chapters whose texts are nowhere in chapters/."""
    changed: tuple[int, ...] = ()
    """Chapters whose own text was edited."""
    strangers: tuple[str, ...] = ()
    """Texts nobody knows that stand where the text of a moved chapter was."""

    @property
    def sentences(self) -> tuple[str, ...]:
        """What happened, one sentence each; an edited text is none of it."""
        return tuple(_told(self))


def whereabouts(store: ProjectStore) -> Whereabouts:
    """Compares every committed chapter with its file, and looks for those that are elsewhere."""
    edits = {edit.chapter: edit for edit in store.hand_edits()}
    if not edits:
        return Whereabouts()
    found = _texts_elsewhere(store, edits)
    moved = {
        n: found[edit.committed_sha256]
        for n, edit in edits.items()
        if edit.committed_sha256 in found
    }
    theirs = {edit.committed_sha256 for edit in edits.values()}
    present = {n: e.found_sha256 for n, e in edits.items() if e.found_sha256 is not None}
    return Whereabouts(
        moved=moved,
        missing=tuple(
            n for n in edits if n not in moved and (n not in present or present[n] in theirs)
        ),
        changed=tuple(n for n, sha in present.items() if n not in moved and sha not in theirs),
        strangers=tuple(
            store.layout.chapter(n) for n in moved if n in present and present[n] not in theirs
        ),
    )


def put_back(store: ProjectStore) -> list[str]:
    """Gives every moved or missing chapter its place again; returns what was done, in sentences.

    All texts are kept in history first, and those that are missing come from
    there. A new text that stood in the way becomes the chapter after the last.
    StudioError: 2 when nothing was moved or a chapter is in work, 3 when the
    novel is locked, 5 when a missing text is lost, 1 when a file was changed
    at this very moment.
    """
    with ProjectLock(store.layout.folder):
        roll_forward(store.layout)
        inflight = store.checkpoint().inflight_chapter
        now = whereabouts(store)
        if not now.moved and not now.missing:
            raise usage(
                "No chapter of the book was moved or deleted.",
                "`studio verify` shows what differs.",
            )
        if inflight is not None:
            raise usage(
                f"Chapter {inflight} is in work; the files can be put back when it is finished.",
                "Run `studio resume` first.",
            )
        return list(_put_back(store, now))


def _put_back(store: ProjectStore, now: Whereabouts) -> Iterator[str]:
    root, layout = store.root, store.layout
    own = {n: layout.chapter(n) for n in (*now.moved, *now.missing)}
    lost = {n: store.history.blob(store.committed_sha(n) or "") for n in now.missing}
    involved = sorted({*own.values(), *now.moved.values()})
    held = {path: data for path in involved if (data := root.find(path)) is not None}
    store.history.keep_all(
        [(path, data, "before chapters were put back") for path, data in held.items()]
    )
    for path in now.strangers:
        free = max(*layout.chapter_numbers(), *_committed(store)) + 1
        root.write(layout.chapter(free), held[path], expected=None)
        yield f"The new text that stood at {path} is {layout.chapter(free)} now."
    texts = {**{n: held[source] for n, source in now.moved.items()}, **lost}
    for number, text in texts.items():
        before = held.get(own[number])
        root.write(own[number], text, expected=None if before is None else sha256_hex(before))
        yield f"Chapter {number} stands at {own[number]} again."
    for path in sorted(set(now.moved.values()) - set(own.values())):
        if not _is_committed(store, path):
            root.remove(path)


def _committed(store: ProjectStore) -> list[int]:
    return [entry.chapter for entry in store.changelog().entries]


def _is_committed(store: ProjectStore, path: str) -> bool:
    number = places.chapter_of(path)
    return number is not None and number in _committed(store)


def _texts_elsewhere(store: ProjectStore, edits: dict[int, Edited]) -> dict[str, str]:
    """Sha256 to path of the texts in chapters/ that are not the committed ones of their place."""
    committed = set(_committed(store))
    found = {e.found_sha256: store.layout.chapter(n) for n, e in edits.items() if e.found_sha256}
    for name in store.root.names(places.CHAPTERS):
        path = f"{places.CHAPTERS}/{name}"
        if places.chapter_of(path) not in committed and _may_hold_prose(store, path):
            sha = store.root.sha(path)
            if sha is not None:
                found.setdefault(sha, path)
    return found


def _may_hold_prose(store: ProjectStore, path: str) -> bool:
    """Whether a chapter may have been given this name: editors put links and copies beside a
    text, and their names are hidden or end in `~`."""
    info = store.root.info(path)
    name = path.rpartition("/")[2]
    own_kind = name.lower().endswith((".md", ".markdown", ".txt")) and name[0] not in ".#"
    return own_kind and info is not None and S_ISREG(info.st_mode)


def _told(now: Whereabouts) -> Iterator[str]:
    to = {n: places.chapter_of(path) for n, path in now.moved.items()}
    done: set[int] = set()
    for number, target in to.items():
        if target is not None and to.get(target) == number and number < target:
            done |= {number, target}
            yield f"Chapters {number} and {target} have changed places."
    for run in _runs({n: t for n, t in to.items() if n not in done and t is not None}):
        done |= set(run)
        first, last = run[0], run[-1]
        there, end = to[first], to[last]
        assert there is not None
        way = "down" if there > first else "up"
        yield f"Chapters {first} to {last} have moved {way}: they are {there} to {end} now."
    for number, path in now.moved.items():
        if number not in done:
            yield f"Chapter {number} was renamed: its text is {path}."
    for path in now.strangers:
        yield f"A new text stands at {path}."
    for number in now.missing:
        yield f"Chapter {number} is missing: its text is in history alone."


def _runs(to: dict[int, int]) -> Iterator[list[int]]:
    """Neighbours that moved by the same number of places, two or more."""
    run: list[int] = []
    for number in sorted(to):
        if run and (number != run[-1] + 1 or to[number] - number != to[run[-1]] - run[-1]):
            if len(run) > 1:
                yield run
            run = []
        run.append(number)
    if len(run) > 1:
        yield run
