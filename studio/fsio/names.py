"""Creates missing folders and makes folder entries durable, once per change or once per batch."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress

from studio.fsio.descriptors import (
    READ,
    closing,
    open_file,
    pass_over_unable,
    sync,
    sync_folder,
    sync_together,
)
from studio.fsio.fault_points import step
from studio.fsio.messages import in_words
from studio.fsio.read import Readable, parts_of

_AT_ONCE = 64
"""The maximum number of folders open at the same time."""


class _Batch(threading.local):
    """The folders that this thread has yet to sync, or None outside of a batch."""

    folders: dict[tuple[str, ...], None] | None = None


class Names:
    """Syncs the folders under a root whose entries changed."""

    def __init__(self, root: Readable, durable: bool) -> None:
        self._root = root
        self._durable = durable
        """If false, a power cut may bring back an old name or lose a new one. Used for locks."""
        self._batch = _Batch()

    def sync(self, folders: Sequence[str], at: int) -> None:
        """Makes the entries of a folder durable, now or at the end of the batch.

        `at` is the folder's descriptor, `folders` its path below the root.
        """
        if self._batch.folders is not None:
            self._batch.folders[tuple(folders)] = None
        elif self._durable:
            step("dirsync")
            sync_folder(at)

    @contextmanager
    def together(self) -> Iterator[None]:
        """A batch in which each folder is synced only once, at the end."""
        if self._batch.folders is not None:
            yield
            return
        self._batch.folders = {}
        try:
            yield
        finally:
            unsynced, self._batch.folders = self._batch.folders, None
            if self._durable:
                self._sync_several(list(unsynced))

    def _sync_several(self, several: Sequence[Sequence[str]]) -> None:
        """Syncs the folders at these paths in parallel; folders that no longer exist are
        skipped."""
        for begin in range(0, len(several), _AT_ONCE):
            batch = several[begin : begin + _AT_ONCE]
            # Closing the descriptors can fail too.
            with in_words("/".join(batch[0]), "write"), ExitStack() as stack:
                at: dict[int, str] = {}
                for folders in batch:
                    rel = "/".join(folders)
                    with in_words(rel, "write"), suppress(FileNotFoundError):
                        at[stack.enter_context(self._root.folder(folders))] = rel
                        step("dirsync")
                for rel, error in zip(at.values(), sync_together(list(at)), strict=True):
                    with in_words(rel, "write"):
                        pass_over_unable(error)

    def settle(self, logs: Iterable[str]) -> None:
        """Makes all names durable, whoever changed them, and the lines at the end of these logs."""
        for rel in logs:
            *folders, name = parts_of(rel)
            with (
                in_words(rel, "write"),
                suppress(FileNotFoundError),
                self._root.folder(folders) as at,
                closing(open_file(name, READ, at, rel)) as fd,
            ):
                sync(fd)
        self._settle([])

    def _settle(self, folders: list[str]) -> None:
        with in_words("/".join(folders), "write"), suppress(FileNotFoundError, PermissionError):
            with self._root.folder(folders) as at:
                sync_folder(at)
                with os.scandir(at) as entries:
                    below = [e.name for e in entries if e.is_dir(follow_symlinks=False)]
            for name in sorted(below):
                self._settle([*folders, name])

    @contextmanager
    def folder(self, folders: Sequence[str]) -> Iterator[int]:
        """Opens a folder like `Readable.folder`, creating the folders that are missing."""
        with ExitStack() as stack:
            try:
                at = stack.enter_context(self._root.folder(folders))
            except FileNotFoundError:
                for depth, name in enumerate(folders):
                    self._make_one(folders[:depth], name)
                at = stack.enter_context(self._root.folder(folders))
            yield at

    def _make_one(self, above: Sequence[str], name: str) -> None:
        with self._root.folder(above) as at:
            try:
                os.stat(name, dir_fd=at, follow_symlinks=False)
            except FileNotFoundError:
                step("mkdir")
                with suppress(FileExistsError):
                    os.mkdir(name, dir_fd=at)
                self.sync(above, at)
