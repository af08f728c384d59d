"""Reads files under a folder without following links, blocking or changing anything.

A text is not read during a save (P14). The bytes of unchanged files are cached by their stat
results: a prompt needs hundreds of entries, of which a writer changes about one a day.
"""

from __future__ import annotations

import errno
import fcntl
import os
import signal
import stat
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from studio.errors import damaged
from studio.fsio import looks
from studio.fsio.descriptors import (
    READ,
    alive,
    close_at_end,
    open_file,
    open_folder,
    parse_out_name,
    read_all,
    temporary_maker,
)
from studio.fsio.looks import sha256_hex as sha256_hex
from studio.fsio.messages import disk_error, in_words
from studio.messages import said

T = TypeVar("T")
_SETTLED = 3_000_000_000
"""Nanoseconds after which no further change can get the same timestamp, on any file system."""
_LARGEST, _MOST = 1 << 14, 1 << 23
"""The most bytes remembered of a single file, and of all files together."""


class UnchangedFiles:
    """A cache of file contents, by the file's identity and the time of its last change of any kind
    (ctime), which no program can set."""

    def __init__(self) -> None:
        self._files: dict[tuple[int, int], tuple[tuple[int, int, int], bytes]] = {}
        self._size = 0

    def bytes_of(self, info: os.stat_result) -> bytes | None:
        """Returns the content of the file with this stat result; None if it has to be read."""
        state, data = self._files.get((info.st_dev, info.st_ino), ((), None))
        return data if state == (info.st_ctime_ns, info.st_mtime_ns, info.st_size) else None

    def remember(self, info: os.stat_result, data: bytes) -> None:
        """Caches bytes read after `info` was taken, unless the file changed so recently that a
        further change could go unnoticed."""
        if len(data) > _LARGEST or time.time_ns() - info.st_ctime_ns < _SETTLED:
            return
        self._size += len(data)
        if self._size > _MOST:
            self._files.clear()
            self._size = len(data)
        state = info.st_ctime_ns, info.st_mtime_ns, info.st_size
        self._files[info.st_dev, info.st_ino] = state, data


class MadeOnce(Generic[T]):
    """Caches the value computed from one file's bytes for all callers while the bytes stay the
    same, since a long file takes a while. Comparing bytes takes a tenth of the time of hashing
    them."""

    def __init__(self, make: Callable[[bytes], T]) -> None:
        self._make = make
        self._latest: tuple[bytes, T] | None = None

    def of(self, data: bytes) -> T:
        """Returns the value computed from these bytes."""
        latest = self._latest  # read both at once: other threads call this as well
        if latest is None or latest[0] != data:
            latest = self._latest = data, self._make(data)
        return latest[1]


_F_SETSIG = 10
"""Linux's fcntl.F_SETSIG, which Python's module does not define."""


def being_written(fd: int) -> bool | None:
    """Whether a process has the file open for writing; None if that cannot be determined.

    Linux grants a read lease only on a file that nobody has open for writing. The lease is released
    immediately. Anyone who opens the file at that very moment waits for the release, and the kernel
    notifies this process with a signal that is ignored by default.
    """
    if not hasattr(fcntl, "F_SETLEASE"):
        return None
    try:
        fcntl.fcntl(fd, _F_SETSIG, signal.SIGURG)
        fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    except BlockingIOError:
        return True
    except OSError:
        return None
    fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    return False


def stamp_of(info: os.stat_result) -> tuple[int, int, int]:
    """Returns the stamp that distinguishes states of a file without reading it."""
    return info.st_mtime_ns, info.st_size, info.st_ino


class Displaced(NamedTuple):
    """A file that a killed process had displaced, or was about to put in place."""

    path: str
    """The current path of the file."""
    target: str
    """The path the file belongs at."""
    new_sha: str
    """The start of the sha256 of the bytes that were to replace it."""


def sha256_of(pieces: Iterable[bytes]) -> str:
    """Returns the hex sha256 of bytes that arrive piece by piece."""
    import hashlib

    digest = hashlib.sha256()
    for piece in pieces:
        digest.update(piece)
    return digest.hexdigest()


class Readable:
    """A folder whose files are read by relative path, with forward slashes."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path).resolve()

    def read(self, rel: str) -> bytes:
        """Returns a regular file's bytes; never hangs on a pipe, never follows a link."""
        data = self.find(rel)
        if data is None:
            raise disk_error(FileNotFoundError(errno.ENOENT, "missing"), rel, "read")
        return data

    def find(self, rel: str) -> bytes | None:
        """Returns the bytes of a regular file, or None if it does not exist."""
        *folders, name = parts_of(rel)
        try:
            with self.folder(folders) as at:
                data = _bytes_of(name, at, rel)
        except FileNotFoundError:
            data = None
        except OSError as error:
            raise disk_error(error, rel, "read") from error
        looks.note(self.path, rel, data)
        return data

    def read_with_identity(self, rel: str) -> tuple[os.stat_result, bytes] | None:
        """Returns stat result and bytes of the same regular file; None if it is missing."""
        with self._open(rel) as fd:
            return None if fd is None else (os.fstat(fd), read_all(fd))

    def read_each(self, folder: str, names: Iterable[str]) -> dict[str, bytes]:
        """Returns the bytes of a folder's regular files by name, without missing ones: much faster
        than `find`, and an unchanged file is not opened again."""
        with in_words(folder, "read"):
            try:
                with self.folder(parts_of(folder)) as at:
                    files = [(name, _read_in(at, folder, name)) for name in names]
            except FileNotFoundError:
                looks.note_names(self.path, folder, ())
                return {}
        for name, data in files:
            looks.note(self.path, f"{folder}/{name}", data)
        return {name: data for name, data in files if data is not None}

    def info(self, rel: str) -> os.stat_result | None:
        """Returns the stat result of the name itself, not of a link's target, or None."""
        *folders, name = parts_of(rel)
        with in_words(rel, "read"):
            try:
                with self.folder(folders) as at:
                    return os.stat(name, dir_fd=at, follow_symlinks=False)
            except FileNotFoundError:
                looks.note(self.path, rel, None)
                return None

    def sha(self, rel: str) -> str | None:
        """Returns the hex sha256 of a file's bytes, or None if it is missing."""
        data = self.find(rel)
        return None if data is None else sha256_hex(data)

    def names(self, rel: str = "") -> list[str]:
        """Returns a folder's sorted names except our temporary files; empty if it is missing."""
        return [
            name
            for name in self.all_names(rel)
            if name[0] != "." or (temporary_maker(name) is None and parse_out_name(name) is None)
        ]

    def all_names(self, rel: str) -> list[str]:
        """Returns all names in a folder, sorted; empty if it is missing."""
        with in_words(rel, "read"):
            try:
                with self.folder(parts_of(rel) if rel else []) as at:
                    names = sorted(os.listdir(at))
            except FileNotFoundError:
                names = []
        looks.note_names(self.path, rel, names)
        return names

    def _kinds(self, rel: str) -> list[tuple[str, bool]]:
        """Returns folders and regular files, sorted, and whether each is a folder."""
        with in_words(rel, "read"):
            try:
                with self.folder(parts_of(rel) if rel else []) as at, os.scandir(at) as entries:
                    kinds = [
                        (entry.name, entry.is_dir(follow_symlinks=False))
                        for entry in entries
                        if entry.is_dir(follow_symlinks=False)
                        or entry.is_file(follow_symlinks=False)
                    ]
                    return sorted(kinds)
            except FileNotFoundError:
                return []

    def is_folder(self, rel: str) -> bool:
        """Whether the name is a folder (a link to one is not)."""
        info = self.info(rel)
        return info is not None and stat.S_ISDIR(info.st_mode)

    def tail(self, rel: str, size: int) -> bytes:
        """Returns the last `size` bytes of a file, or all there are; empty if it is missing."""
        with self._open(rel) as fd:
            if fd is None:
                return b""
            os.lseek(fd, max(0, os.fstat(fd).st_size - size), os.SEEK_SET)
            return read_all(fd)

    def being_written(self, rel: str) -> bool | None:
        """Whether somebody has the file open for writing; None if that is unknown."""
        with self._open(rel) as fd:
            if fd is None:
                return None
            return being_written(fd)

    def files_below(self, rel: str, without: Collection[str] = ()) -> Iterator[str]:
        """Yields the paths of all files under a folder; `without` names folders to skip."""
        for name, is_folder in self._kinds(rel):
            path = f"{rel}/{name}" if rel else name
            if is_folder and name not in without:
                yield from self.files_below(path)
            elif not is_folder:
                yield path

    @contextmanager
    def _open(self, rel: str) -> Iterator[int | None]:
        """Opens a regular file, or yields None if it is missing; errors name `rel`."""
        *folders, name = parts_of(rel)
        with in_words(rel, "read"):
            try:
                with self.folder(folders) as at:
                    fd = open_file(name, READ, at, rel)
            except FileNotFoundError:
                yield None
                return
            with close_at_end(fd):
                yield fd

    def folder(self, folders: Sequence[str]) -> AbstractContextManager[int]:
        """Opens a folder below this one for the duration of the block."""
        return close_at_end(self._open_at(folders))

    def _open_at(self, folders: Sequence[str]) -> int:
        """Opens a folder name by name, so that no link is followed."""
        at = _open_first(self.path, folders)
        for depth, name in enumerate(folders[1:], start=2):
            at = open_folder(name, at, folders[:depth])
        return at


def first_sha(root: Readable, rel: str) -> str | None:
    """Returns the sha256 of what this computation saw in the file first, None for no file; without
    an earlier look, of its present content."""
    record = looks.first_look(root.path, rel)
    return record.sha(root.path, rel) if record is not None else root.sha(rel)


def temporary_below(root: Readable, rel: str = "") -> list[str]:
    """Returns the temporary files that killed processes of ours left under a folder."""
    makers = ((p, temporary_maker(p.rpartition("/")[2])) for p in root.files_below(rel))
    return [path for path, maker in makers if maker is not None and not alive(maker)]


def displaced_below(root: Readable, without: Collection[str] = ()) -> list[Displaced]:
    """Returns the files that killed processes displaced; `without` names folders to skip."""
    displaced = []
    for path in root.files_below("", without):
        folder, slash, name = path.rpartition("/")
        name_parts = parse_out_name(name)
        if name_parts is not None and not alive(name_parts[1]):
            displaced.append(Displaced(path, f"{folder}{slash}{name_parts[0]}", name_parts[2]))
    return displaced


def _open_first(root: Path, folders: Sequence[str]) -> int:
    """Opens the first of these folders below a root, or the root itself."""
    if folders:
        return open_folder(f"{root}/{folders[0]}", None, folders[:1])
    return os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)


def _bytes_of(name: str, at: int, rel: str) -> bytes:
    """Returns the bytes of the regular file `name` in the open folder `at`; anything else is
    refused."""
    fd = open_file(name, READ, at, rel)
    try:
        return read_all(fd)
    finally:
        os.close(fd)


def _read_in(at: int, folder: str, name: str) -> bytes | None:
    """Returns the bytes of a regular file in an open folder; None if it is missing."""
    if "/" in name or name in (".", ".."):
        raise damaged(said("{rel} is not a path inside the novel.", rel=repr(f"{folder}/{name}")))
    try:
        info = os.stat(name, dir_fd=at, follow_symlinks=False)
        data = _UNCHANGED.bytes_of(info)
        if data is None:
            data = _bytes_of(name, at, f"{folder}/{name}")
            _UNCHANGED.remember(info, data)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise disk_error(error, f"{folder}/{name}", "read") from error
    return data


_UNCHANGED = UnchangedFiles()
_NO_NAMES = frozenset(("", ".", ".."))


def parts_of(rel: str) -> list[str]:
    """Splits a path into its names; raises StudioError (exit 5) if it is absolute or escapes the
    root."""
    parts = rel.split("/")
    try:
        os.fsencode(rel)
    except UnicodeEncodeError:
        parts = [""]
    if "\0" in rel or not _NO_NAMES.isdisjoint(parts):
        raise damaged(said("{rel} is not a path inside the novel.", rel=repr(rel)))
    return parts
