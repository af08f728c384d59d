"""The only way to read and change files under a folder."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from typing import Literal

from studio.fsio import looks, own_writes
from studio.fsio.descriptors import (
    APPEND,
    close_at_end,
    mode_of,
    open_file,
    sync,
    write_all,
    write_temporary,
)
from studio.fsio.fault_points import step
from studio.fsio.guards import ask_before_changing
from studio.fsio.messages import in_words
from studio.fsio.names import Names
from studio.fsio.read import Readable, parts_of, sha256_hex
from studio.fsio.replacement import FolderEntry, place_free, replace, replace_by_temporary, take_out
from studio.messages import said


class Root(Readable):
    """A folder that no path may leave; paths are relative to it, with forward slashes.

    An OSError is raised as a StudioError (kind `disk`) in plain words; a path that leaves the root
    or runs through a link is damage (exit 5).
    """

    def __init__(self, path: Path | str, durable_names: bool = True, shared: bool = False) -> None:
        super().__init__(path)
        self._names = Names(self, durable_names)
        self._shared = shared

    def write(
        self,
        rel: str,
        data: bytes,
        expected: str | Literal["any"] | None = "any",
        durable: bool = True,
        private: bool = False,
    ) -> str:
        """Replaces the file's content with `data` atomically; returns its sha256.

        Raises ChangedOnDisk, the file untouched, if it is not `expected` (a sha256, None for "no
        file"), even if it was saved at the last moment; "any" is for files that only the studio
        writes. Without `durable` a power cut may undo the write; `private` sets mode 0600.
        """
        note = own_writes.note_write(self.path, rel, data)
        self._write(rel, (data,), expected, note, durable, private)
        return sha256_hex(data)

    def write_several(self, files: Mapping[str, bytes]) -> None:
        """Writes each file like `write` with "any", waiting for the disk only once."""
        from studio.fsio.several import write_several  # not needed to open a novel (P5)

        looks.forget(self.path, *files)
        write_several(self.path, self._names, files)

    def write_pieces(self, rel: str, pieces: Iterable[bytes], private: bool = False) -> None:
        """Creates a file from pieces that together may exceed the memory; a `private` one is
        readable by its owner only. Raises ChangedOnDisk if the name is taken. If producing the
        pieces raises, nothing is left behind."""
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
        with in_words(rel, "write"), self._names.folder(folders) as at:
            mode = mode_of(at, name, rel)
            mode = 0o600 if private else mode
            temporary = write_temporary(at, name, pieces, mode, durable, self._shared)
            new, present = FolderEntry(temporary, at), FolderEntry(name, at)
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
            looks.forget(self.path, rel)
            if durable:
                self._names.sync(folders, at)

    def append(self, rel: str, line: bytes) -> None:
        """Appends one line (newline included) durably.

        A torn line left by a crash is first closed with a newline; a write that fails midway is
        undone. A file with several hard links, as in a snapshot, is copied before it grows.
        """
        ask_before_changing(self.path, rel)
        self._part_from_links(rel)
        *folders, name = parts_of(rel)
        with in_words(rel, "write"), self._names.folder(folders) as at:
            step("append")
            fd = open_file(name, APPEND, at, rel, 0o666)
            with close_at_end(fd):
                size = os.fstat(fd).st_size
                torn = size > 0 and os.pread(fd, 1, size - 1) != b"\n"
                data = b"\n" + line if torn else line
                try:
                    write_all(fd, data)
                    sync(fd)
                    if os.fstat(fd).st_size < size + len(data):
                        raise OSError(errno.EIO, said("the file is shorter than what was written"))
                except OSError:
                    with suppress(OSError):
                        os.ftruncate(fd, size)
                    raise
            if size == 0:
                self._names.sync(folders, at)

    def cut(self, rel: str, size: int) -> None:
        """Truncates a file to its first `size` bytes, to drop a torn last line."""
        ask_before_changing(self.path, rel)
        self._part_from_links(rel)
        *folders, name = parts_of(rel)
        with in_words(rel, "write"), self.folder(folders) as at:
            fd = open_file(name, APPEND & ~os.O_CREAT, at, rel)
            with close_at_end(fd):
                step("write")
                os.ftruncate(fd, size)
                sync(fd)

    def _part_from_links(self, rel: str) -> None:
        """Copies a file that will change in place if other hard links share its bytes."""
        info = self.info(rel)
        if info is not None and stat.S_ISREG(info.st_mode) and info.st_nlink > 1:
            self.write(rel, self.read(rel))

    def make_folder(self, rel: str) -> None:
        """Creates a folder and its parents where they are missing."""
        with in_words(rel, "make"), self._names.folder(parts_of(rel)):
            pass

    def move(self, source: str, target: str, expected: str | None) -> None:
        """Moves a file to a place that now holds `expected` (a sha256, None for "no file").

        Raises ChangedOnDisk if anything else is there; target and source then stay, as in `write`.
        The mode of the replaced file is preserved. A process killed midway may leave the replaced
        file under `source`. Between file systems the bytes are copied.
        """
        ask_before_changing(self.path, target)
        *from_folders, from_name = parts_of(source)
        *to_folders, to_name = parts_of(target)
        with (
            in_words(target, "write"),
            self.folder(from_folders) as old,
            self._names.folder(to_folders) as new,
        ):
            self._names.sync_above(to_folders)
            mode_of(old, from_name, source)
            mode = mode_of(new, to_name, target)
            if mode is not None:
                os.chmod(from_name, mode, dir_fd=old)
            data = self.read(source) if own_writes.is_watched(self.path) else b""
            try:
                with own_writes.note_write(self.path, target, data):
                    replace(
                        target, FolderEntry(from_name, old), FolderEntry(to_name, new), expected
                    )
            except OSError as error:
                if error.errno != errno.EXDEV:
                    raise
                self.write(target, self.read(source), expected)
                self._names.sync_now(to_folders)  # two disks keep no order between them
                self.remove(source)
                return
            looks.forget(self.path, source, target)
            self._names.sync(to_folders, new)
            self._names.sync(from_folders, old, gave=True)

    def claim(self, source: str, target: str) -> bool:
        """Renames a file or folder to a free name; returns False if the name is taken."""
        *folders, name = parts_of(source)
        with in_words(target, "rename"), self.folder(folders) as old, self.folder(()) as at:
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
            self._names.sync((), at)
            if folders:
                self._names.sync(folders, old, gave=True)
            return True

    def remove(self, rel: str, expected: str = "any") -> bool:
        """Deletes a file or link; returns False if there was none. Raises ChangedOnDisk, and the
        file stays, if it is not `expected` (a sha256), even if saved at the last moment."""
        ask_before_changing(self.path, rel)
        *folders, name = parts_of(rel)
        with in_words(rel, "remove"), own_writes.note_write(self.path, rel, None):
            try:
                with self.folder(folders) as at:
                    if expected == "any":
                        step("unlink")
                        os.unlink(name, dir_fd=at)
                    else:
                        take_out(rel, FolderEntry(name, at), expected)
                    looks.forget(self.path, rel)
                    self._names.sync(folders, at)
            except FileNotFoundError:
                return False
            return True

    def remove_folder(self, rel: str) -> bool:
        """Deletes an empty folder; returns False if it is missing or not empty."""
        *folders, name = parts_of(rel)
        with in_words(rel, "remove"):
            try:
                with self.folder(folders) as at:
                    step("unlink")
                    os.rmdir(name, dir_fd=at)
                    self._names.sync(folders, at)
            except FileNotFoundError:
                return False
            except OSError as error:
                if error.errno in (errno.ENOTEMPTY, errno.EEXIST):
                    return False
                raise
            return True

    def together(self) -> AbstractContextManager[None]:
        """Batches the changes in this block, so that each folder is synced once at its end."""
        return self._names.together()

    def settle(self, logs: Iterable[str] = ()) -> None:
        """Makes durable what a killed process left in the kernel's cache, which a power cut could
        undo: all names, and the last lines of the files `logs`."""
        self._names.settle(logs)
