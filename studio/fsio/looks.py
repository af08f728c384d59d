"""Remembers what a computation saw when it first looked at a file.

Between a command's reading and its commit another program may save. The command then replaces not
the file that it finds at the end but the one its new text was made from, so what it saw first is
what it expects. The record belongs to one thread or task of the work: the app's own displays look
at files all the time, and do not count.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

_Seen = dict[tuple[Path, str], "str | None"]


def sha256_hex(data: bytes) -> str:
    """Returns the sha256 of bytes as hex, which identifies a version of a file."""
    import hashlib  # loads a library of its own, and the first frame needs no hashes

    return hashlib.sha256(data).hexdigest()


class FirstLooks:
    """The first looks of one computation, in the folders it reads."""

    def __init__(self) -> None:
        self._files: _Seen = {}
        self._listings: dict[tuple[Path, str], frozenset[str]] = {}

    def has(self, folder: Path, rel: str) -> bool:
        """Whether the file's content, or its absence, was seen."""
        return (folder, rel) in self._files or self._was_missing(folder, rel)

    def sha(self, folder: Path, rel: str) -> str | None:
        """Returns the sha256 of the content that was seen; None for no file."""
        return self._files.get((folder, rel))

    def note(self, folder: Path, rel: str, sha256: str | None) -> None:
        """Records a look at a file, unless there was an earlier one."""
        if not self.has(folder, rel):
            self._files[folder, rel] = sha256

    def note_names(self, folder: Path, rel: str, names: Collection[str]) -> None:
        """Records a look at all names of a folder `rel`, unless there was an earlier one."""
        self._listings.setdefault((folder, rel), frozenset(names))

    def forget(self, folder: Path, rel: str) -> None:
        """Drops what was seen of a file that this process changes itself."""
        self._files.pop((folder, rel), None)
        self._listings.pop((folder, rel.rpartition("/")[0]), None)

    def _was_missing(self, folder: Path, rel: str) -> bool:
        above, _, name = rel.rpartition("/")
        names = self._listings.get((folder, above))
        return names is not None and name not in names


_current: ContextVar[FirstLooks | None] = ContextVar("looks", default=None)


def note(folder: Path, rel: str, data: bytes | None) -> None:
    """Records a look at a file below a folder; None for no file."""
    record = _current.get()
    if record is not None and not record.has(folder, rel):
        record.note(folder, rel, None if data is None else sha256_hex(data))


def note_names(folder: Path, rel: str, names: Collection[str]) -> None:
    """Records a look at all names of the folder `rel` below a folder."""
    record = _current.get()
    if record is not None:
        record.note_names(folder, rel, names)


def forget(folder: Path, *rels: str) -> None:
    """Notes that this process changes these files itself: what it saw before is past."""
    record = _current.get()
    if record is not None:
        for rel in rels:
            record.forget(folder, rel)


def first_look(folder: Path, rel: str) -> FirstLooks | None:
    """Returns the record that has an earlier look of this computation at a file below a folder;
    None if it has not looked at it."""
    record = _current.get()
    return record if record is not None and record.has(folder, rel) else None


@contextmanager
def remember_looks(afresh: bool = False) -> Iterator[None]:
    """Records the first looks at files in this block, which computes what is then written.

    Inside another such block its record goes on, unless `afresh`: what was seen before does not
    count then, because everything is read again.
    """
    before = _current.get()
    if before is None or afresh:
        _current.set(FirstLooks())
    try:
        yield
    finally:
        _current.set(before)
