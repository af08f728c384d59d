"""What must hold after every fault, once the novel has been opened again: N1 to N11.

`assert_invariants` looks at what the disk alone can tell; the rest is checked by
functions of their own where there is something to look at: a model's server (N7),
the bytes of a terminal (N10), a call that was cut (N11).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from studio.fsio import sha256_hex
from studio.project import changelog
from studio.project.commit.transaction import pending, roll_forward
from studio.project.history.blobs import History
from studio.project.lock.lock import ProjectLock, read_lock
from studio.project.store import ProjectStore
from studio.project.verify import verify
from tests.faults import tally

_ESCAPES = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]")


def recover(folder: Path) -> None:
    """What the next command that writes does first."""
    with ProjectLock(folder):
        roll_forward(ProjectStore(folder).layout)


def assert_invariants(
    folder: Path, saved: Iterable[bytes] = (), outside: Mapping[Path, dict[str, str]] | None = None
) -> None:
    """N1, N2, N3, N5, N6, N8 and N9 of a novel after its recovery.

    `saved` is every text that was ever shown as saved; `outside` other folders
    with the tree each must still have.
    """
    assert_nothing_is_lost(folder, saved)
    assert_chapters_are_whole(folder)
    before = tree(folder)
    assert_looking_finds_no_damage(folder)
    assert_recovery_is_done(folder)
    assert differences(before, tree(folder)) == {}
    tally.held("N8", "N9")
    assert read_lock(folder).state in ("free", "held")
    tally.held("N5")
    for other, was in (outside or {}).items():
        assert tree(other) == was
    tally.held("N6")


def differences(before: dict[str, str], after: dict[str, str]) -> dict[str, tuple[str, str]]:
    """The paths at which two trees differ, with what is there in each."""
    paths = before.keys() | after.keys()
    pairs = {path: (before.get(path, ""), after.get(path, "")) for path in sorted(paths)}
    return {path: pair for path, pair in pairs.items() if pair[0] != pair[1]}


def tree(folder: Path, above: str = "") -> dict[str, str]:
    """Every file and folder below, links not followed, with a hash of its bytes."""
    hashes = {}
    with os.scandir(folder) as entries:
        for entry in entries:
            name = f"{above}{entry.name}"
            if entry.is_symlink():
                hashes[name] = f"-> {os.readlink(entry.path)}"
            elif entry.is_dir():
                hashes[name] = "folder"
                hashes |= tree(Path(entry.path), f"{name}/")
            else:
                whole = entry.is_file()  # a pipe would wait for ever
                hashes[name] = sha256_hex(Path(entry.path).read_bytes()) if whole else "no file"
    return hashes


def assert_recovery_is_done(folder: Path) -> None:
    """N8: there is nothing to recover any more."""
    assert pending(ProjectStore(folder).layout) is None
    if read_lock(folder).state != "held":
        recover(folder)


def assert_nothing_is_lost(folder: Path, saved: Iterable[bytes]) -> None:
    """N1: each text is in a file of the novel or in history."""
    history = History(ProjectStore(folder).root)
    missing = {sha256_hex(data): data for data in saved}
    for sha in [sha for sha in missing if history.has(sha)]:
        del missing[sha]
    if missing:
        for data in _texts(folder):
            missing.pop(sha256_hex(data), None)
    assert not missing, [data.decode(errors="replace")[:80] for data in missing.values()]
    tally.held("N1")


def _texts(folder: Path) -> Iterator[bytes]:
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            yield path.read_bytes()


def assert_chapters_are_whole(folder: Path) -> None:
    """N2 and N3: every chapter with all that belongs to it or with nothing of it."""
    store = ProjectStore(folder)
    changes = store.changelog()
    assert not changes.faults
    assert not changes.torn
    assert len({entry.commit_id for entry in changes.entries}) == len(changes.entries)
    assert store.state() == changelog.replay(changes.entries)
    tally.held("N3")
    committed = changelog.entries_that_count(changes.entries)
    edited = {edit.chapter for edit in store.hand_edits()}
    layout = store.layout
    for number, entry in committed.items():
        made = store.evaluation(number)
        assert made is not None
        assert made.source_sha256 == entry.source_sha256
        assert store.summary(number) is not None
        if number not in edited:
            assert store.root.sha(layout.chapter(number)) == entry.source_sha256
    for number in set(range(1, max(committed, default=0) + 4)) - set(committed):
        for path in (layout.summary(number), layout.evaluation(number), layout.crossref(number)):
            assert store.root.sha(path) is None, path
    checkpoint = store.checkpoint()
    assert checkpoint.last_completed_chapter == max(committed, default=0)
    assert checkpoint.state_version == len(committed)
    tally.held("N2")


def assert_looking_finds_no_damage(folder: Path) -> None:
    """N9 needs a look at everything."""
    assert [f.message for f in verify(folder).findings if f.severity == "damage"] == []


def assert_every_call_is_paid(folder: Path, asked: int) -> None:
    """N7: each request that reached the server was reserved before, and no line settles more."""
    entries = ProjectStore(folder).journal.usage_entries()
    reserved = {entry.id: entry for entry in entries if entry.event == "reserve"}
    settled = [entry for entry in entries if entry.event == "settle"]
    assert len(reserved) >= asked
    assert {entry.id for entry in settled} <= set(reserved)
    for entry in settled:
        most = reserved[entry.id].reserved_usd
        assert most is None or entry.usd is None or entry.usd <= most
    tally.held("N7")


def assert_harmless(screen: bytes) -> None:
    """N10: nothing a terminal would obey, and no traceback."""
    match = _ESCAPES.search(screen)
    assert match is None, screen[max(0, match.start() - 60) : match.end() + 60]
    assert b"Traceback" not in screen
    tally.held("N10")


def book(folder: Path) -> dict[str, object]:
    """What a reader of the book sees, without the ids and times of single commits, and without
    what a killed process had half written: whoever takes the lock next takes it away."""
    store = ProjectStore(folder)
    parts = (
        "chapters",
        "summaries",
        "evaluations",
        "storylines",
        "foreshadowing",
        "state/crossref",
    )
    files = {
        name: sha
        for name, sha in tree(folder).items()
        if name.startswith(parts) and sha != "folder" and not name.endswith("~")
    }
    entries = changelog.entries_that_count(store.changelog().entries)
    checkpoint = store.checkpoint()
    return {
        **files,
        "state": store.state(),
        "changelog": {number: entry.source_sha256 for number, entry in entries.items()},
        "checkpoint": (checkpoint.last_completed_chapter, checkpoint.state_version),
    }


__all__ = [
    "assert_every_call_is_paid",
    "assert_harmless",
    "assert_invariants",
    "book",
    "recover",
    "tree",
]
