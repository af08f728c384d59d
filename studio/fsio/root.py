"""The one way to read and change files under a folder."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Literal

from studio.fsio import own_writes
from studio.fsio.descriptors import (
    APPEND,
    READ,
    closing,
    mode_of,
    open_file,
    sync,
    sync_folder,
    write_all,
    write_temporary,
)
from studio.fsio.exchange import place_free
from studio.fsio.fault_points import step
from studio.fsio.guards import ask_before_changing
from studio.fsio.messages import in_words
from studio.fsio.read import Readable, parts_of, sha256_hex
from studio.fsio.replacement import Entry, replace, replace_by_temporary, take_out


class _Batch(threading.local):
    """The folders that this thread has still to sync, or None outside of a batch."""

    folders: dict[tuple[str, ...], None] | None = None


class Root(Readable):
    """A folder that no path may leave; paths are relative to it, with forward slashes.

    OSError comes out as StudioError (kind `disk`, exit 1) in plain words; a
    path that leaves the root, or runs through a link, is damage (exit 5).
    """

    def __init__(self, path: Path | str, durable_names: bool = True) -> None:
        super().__init__(path)
        self._durable_names = durable_names
        """Without: a power cut may bring an old name back, or take a new one. For locks."""
        self._batch = _Batch()

    def write(
        self,
        rel: str,
        data: bytes,
        expected: str | Literal["any"] | None = "any",
        durable: bool = True,
        private: bool = False,
    ) -> str:
        """Put `data` in place of the file in one step; returns its sha256.

        With `expected` (a sha256, None for "no file") ChangedOnDisk if anything
        else is there, also if it was saved at the last moment, and it stands
        untouched. "any" is for files that the studio alone writes. Without
        `durable` only a kill is survived, not a power cut. A `private` file is
        its owner's alone (0600).
        """
        self._write(rel, (data,), expected, self._note_write(rel, data), durable, private)
        return sha256_hex(data)

    def write_pieces(self, rel: str, pieces: Iterable[bytes], private: bool = False) -> None:
        """Make a file of bytes that come piece by piece, and need not fit into memory together.

        A `private` one is its owner's alone. ChangedOnDisk if there is one of
        that name. What the pieces raise leaves nothing behind.
        """
        self._write(rel, pieces, None, nullcontext(), durable=True, private=private)

    def _write(
        self,
        rel: str,
        pieces: Iterable[bytes],
        expected: str | Literal["any"] | None,
        note: AbstractContextManager[None],
        durable: bool,
        private: bool,
    ) -> None:
        ask_before_changing(self.path, rel)
        *folders, name = parts_of(rel)
        with in_words(rel, "write"), self._make_and_open(folders) as at:
            mode = mode_of(at, name, rel)
            mode = 0o600 if private else mode
            temporary = write_temporary(at, name, pieces, mode, durable)
            new, present = Entry(temporary, at), Entry(name, at)
            try:
                ask_before_changing(self.path, rel)  # writing may have taken long
                with note:
                    if expected is None:
                        replace(rel, new, present, None)
                    elif expected != "any":
                        replace_by_temporary(rel, new, present, expected)
                    else:
                        step("rename")
                        os.rename(temporary, name, src_dir_fd=at, dst_dir_fd=at)
            except BaseException:
                with suppress(OSError):
                    os.unlink(temporary, dir_fd=at)
                raise
            if durable:
                self._sync_folder(folders, at)

    def append(self, rel: str, line: bytes) -> None:
        """Add one line (newline included) at the end, durably.

        A torn line left by a crash is closed with a newline first; a write
        that fails half-way is taken back. A file that has other names too, as
        in a snapshot by hard links, gets bytes of its own before it grows.
        """
        ask_before_changing(self.path, rel)
        self._part_from_links(rel)
        *folders, name = parts_of(rel)
        with in_words(rel, "write"), self._make_and_open(folders) as at:
            step("append")
            fd = open_file(name, APPEND, at, rel, 0o666)
            with closing(fd):
                size = os.fstat(fd).st_size
                torn = size > 0 and os.pread(fd, 1, size - 1) != b"\n"
                data = b"\n" + line if torn else line
                try:
                    write_all(fd, data)
                    sync(fd)
                    if os.fstat(fd).st_size < size + len(data):
                        raise OSError(errno.EIO, "the file is shorter than what was written")
                except OSError:
                    with suppress(OSError):
                        os.ftruncate(fd, size)
                    raise
            if size == 0:
                self._sync_folder(folders, at)

    def cut(self, rel: str, size: int) -> None:
        """Shorten a file to its first `size` bytes (a torn last line goes)."""
        ask_before_changing(self.path, rel)
        self._part_from_links(rel)
        *folders, name = parts_of(rel)
        with in_words(rel, "write"), self._folder(folders) as at:
            fd = open_file(name, APPEND & ~os.O_CREAT, at, rel)
            with closing(fd):
                step("write")
                os.ftruncate(fd, size)
                sync(fd)

    def _part_from_links(self, rel: str) -> None:
        """Gives a file that is to change in its place bytes that no other name leads to."""
        info = self.info(rel)
        if info is not None and stat.S_ISREG(info.st_mode) and info.st_nlink > 1:
            self.write(rel, self.read(rel))

    def make_folder(self, rel: str) -> None:
        """Make a folder and those above it, where they are missing."""
        with in_words(rel, "make"), self._make_and_open(parts_of(rel)):
            pass

    def move(self, source: str, target: str, expected: str | None) -> None:
        """Give a file another place, where `expected` (a sha256, None for "no file") is now.

        ChangedOnDisk if anything else is there: it stands, and so does the
        source, as in `write`. The mode of what is replaced is kept. A process
        killed in between may leave under `source` what it replaced. Between
        file systems the bytes are copied.
        """
        ask_before_changing(self.path, target)
        *from_folders, from_name = parts_of(source)
        *to_folders, to_name = parts_of(target)
        with (
            in_words(target, "write"),
            self._folder(from_folders) as old,
            self._make_and_open(to_folders) as new,
        ):
            mode_of(old, from_name, source)
            mode = mode_of(new, to_name, target)
            if mode is not None:
                os.chmod(from_name, mode, dir_fd=old)
            data = self.read(source) if own_writes.is_watched(self.path) else b""
            try:
                with self._note_write(target, data):
                    replace(target, Entry(from_name, old), Entry(to_name, new), expected)
            except OSError as error:
                if error.errno != errno.EXDEV:
                    raise
                self.write(target, self.read(source), expected)
                self.remove(source)
                return
            self._sync_folder(to_folders, new)
            self._sync_folder(from_folders, old)

    def claim(self, source: str, target: str) -> bool:
        """Give a file or folder a name in this folder that must be free; False if it is taken."""
        *folders, name = parts_of(source)
        with in_words(target, "rename"), self._folder(folders) as old, self._folder(()) as at:
            step("rename")
            try:
                os.stat(target, dir_fd=at, follow_symlinks=False)
                return False
            except FileNotFoundError:
                pass
            try:
                if not place_free(name, old, target, at):
                    os.rename(name, target, src_dir_fd=old, dst_dir_fd=at)
            except OSError as error:
                if error.errno in (errno.ENOTEMPTY, errno.EEXIST, errno.ENOENT, errno.ENOTDIR):
                    return False
                raise
            self._sync_folder((), at)
            if folders:
                self._sync_folder(folders, old)
            return True

    def remove(self, rel: str, expected: str = "any") -> bool:
        """Take a file (or a link itself) away; False if there was none.

        With `expected` (a sha256) ChangedOnDisk if another text is there, also
        if it was saved at the last moment, and it stands.
        """
        ask_before_changing(self.path, rel)
        *folders, name = parts_of(rel)
        with in_words(rel, "remove"), self._note_removal(rel):
            try:
                with self._folder(folders) as at:
                    if expected == "any":
                        step("unlink")
                        os.unlink(name, dir_fd=at)
                    else:
                        take_out(rel, Entry(name, at), expected)
                    self._sync_folder(folders, at)
            except FileNotFoundError:
                return False
            return True

    def remove_folder(self, rel: str) -> bool:
        """Take an empty folder away; False if it is missing or not empty."""
        *folders, name = parts_of(rel)
        with in_words(rel, "remove"):
            try:
                with self._folder(folders) as at:
                    step("unlink")
                    os.rmdir(name, dir_fd=at)
                    self._sync_folder(folders, at)
            except FileNotFoundError:
                return False
            except OSError as error:
                if error.errno in (errno.ENOTEMPTY, errno.EEXIST):
                    return False
                raise
            return True

    def remove_tree(self, rel: str) -> None:
        """Take a folder and everything in it away; links in it are removed, not followed."""
        if self.is_folder(rel):
            for name in self._all_names(rel):
                self.remove_tree(f"{rel}/{name}")
            self.remove_folder(rel)
        else:
            self.remove(rel)

    def sweep(self, rel: str = "") -> list[str]:
        """Remove the temporary files that killed processes left; returns their paths."""
        return [path for path in self.temporary(rel) if self.remove(path)]

    @contextmanager
    def together(self) -> Iterator[None]:
        """Changes in this block sync each folder once, at its end, instead of once a change."""
        if self._batch.folders is not None:
            yield
            return
        self._batch.folders = {}
        try:
            yield
        finally:
            unsynced, self._batch.folders = self._batch.folders, None
            for folders in unsynced:
                with (
                    in_words("/".join(folders), "write"),
                    suppress(FileNotFoundError),
                    self._folder(folders) as at,
                ):
                    self._sync_folder(folders, at)

    def settle(self, logs: Iterable[str] = ()) -> None:
        """Make durable what a killed process left to the kernel: all names, and the lines at the
        end of the files `logs`. Without it a power cut soon after could still undo them."""
        for rel in logs:
            *folders, name = parts_of(rel)
            with (
                in_words(rel, "write"),
                suppress(FileNotFoundError),
                self._folder(folders) as at,
                closing(open_file(name, READ, at, rel)) as fd,
            ):
                sync(fd)
        self._settle_names([])

    def _settle_names(self, folders: list[str]) -> None:
        with in_words("/".join(folders), "write"), suppress(FileNotFoundError, PermissionError):
            with self._folder(folders) as at:
                sync_folder(at)
                with os.scandir(at) as entries:
                    below = [e.name for e in entries if e.is_dir(follow_symlinks=False)]
            for name in sorted(below):
                self._settle_names([*folders, name])

    # Locks

    def hold(self, rel: str) -> tuple[int, Literal["ours", "theirs", "unknown"]]:
        """Open a file and try for the exclusive flock on it.

        Returns the descriptor (close it yourself; the flock goes with it) and
        whose the flock is: `theirs` when another process has it, `unknown`
        where the file system has no flock.
        """
        *folders, name = parts_of(rel)
        with in_words(rel, "open"), self._folder(folders) as at:
            try:
                fd = open_file(name, READ | os.O_RDWR, at, rel)
            except PermissionError:
                fd = open_file(name, READ, at, rel)
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return fd, "theirs"
            except OSError:
                return fd, "unknown"
            return fd, "ours"

    def close_to_others(self) -> None:
        """Let only the owner of this folder into it (0700), where the file system has owners."""
        with suppress(OSError):
            os.chmod(self.path, 0o700)

    # Inside

    @contextmanager
    def _make_and_open(self, folders: Sequence[str]) -> Iterator[int]:
        """A descriptor of a folder like `_folder`; folders that are missing are made."""
        try:
            descriptor = self._open_at(folders)
        except FileNotFoundError:
            for depth, name in enumerate(folders):
                self._make_one(folders[:depth], name)
            descriptor = self._open_at(folders)
        with closing(descriptor) as at:
            yield at

    def _make_one(self, above: Sequence[str], name: str) -> None:
        with self._folder(above) as at:
            try:
                os.stat(name, dir_fd=at, follow_symlinks=False)
            except FileNotFoundError:
                step("mkdir")
                with suppress(FileExistsError):
                    os.mkdir(name, dir_fd=at)
                self._sync_folder(above, at)

    def _sync_folder(self, folders: Sequence[str], at: int) -> None:
        if self._batch.folders is not None:
            self._batch.folders[tuple(folders)] = None
        elif self._durable_names:
            step("dirsync")
            sync_folder(at)

    def _note_write(self, rel: str, data: bytes) -> AbstractContextManager[None]:
        """What is put in place is known as ours, where somebody watches."""
        if not own_writes.is_watched(self.path):
            return nullcontext()
        return own_writes.writing(self.path / rel, sha256_hex(data))

    def _note_removal(self, rel: str) -> AbstractContextManager[None]:
        if not own_writes.is_watched(self.path):
            return nullcontext()
        return own_writes.writing(self.path / rel, own_writes.GONE)
