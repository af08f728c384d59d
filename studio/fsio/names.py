"""Creates missing folders and makes folder entries durable, once per change or once per batch."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress

from studio.fsio.descriptors import (
    READ,
    close_at_end,
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
Folders = tuple[str, ...]
"""The path of a folder below the root, name by name."""


class _Batch(threading.local):
    """What this thread has yet to sync."""

    def __init__(self) -> None:
        self.folders: dict[Folders, bool] | None = None
        """Each folder, and whether a file went from it to another one; None outside of a batch."""
        self.with_new: set[Folders] = set()
        """Those of them in which folders were made."""


class Names:
    """Syncs the folders under a root whose entries changed."""

    def __init__(self, root: Readable, durable: bool) -> None:
        self._root = root
        self._durable = durable
        """If false, a power cut may bring back an old name or lose a new one. Used for locks."""
        self._batch = _Batch()

    def sync(self, folders: Sequence[str], at: int, *, gave: bool = False) -> None:
        """Makes the entries of a folder durable, now or at the end of the batch.

        `at` is the folder's descriptor, `folders` its path below the root; `gave` says that a file
        went from it to another folder.
        """
        unsynced, path = self._batch.folders, tuple(folders)
        if unsynced is not None:
            unsynced[path] = gave or unsynced.get(path, False)
        elif self._durable:
            step("dirsync")
            sync_folder(at)

    def sync_now(self, folders: Sequence[str]) -> None:
        """Makes the entries of a folder durable now, within a batch too."""
        if self._durable:
            self._sync_several([folders])

    def sync_above(self, folders: Sequence[str]) -> None:
        """Makes a folder that was made in this batch durable, before files are moved into it: with
        the folder a power cut would take them too."""
        if self._durable and self._batch.with_new:
            above = [tuple(folders[:depth]) for depth in range(len(folders))]
            self._sync_several(list(self._batch.with_new.intersection(above)))
            self._batch.with_new.difference_update(above)

    @contextmanager
    def together(self) -> Iterator[None]:
        """A batch in which each folder is synced only once, at the end.

        A file has to be in its new folder before it is gone from the old one, or a power cut could
        leave it in neither: so folders that gave files away are synced after the others.
        """
        if self._batch.folders is not None:
            yield
            return
        self._batch.folders = {}
        try:
            yield
        finally:
            unsynced, self._batch.folders = self._batch.folders, None
            self._batch.with_new.clear()
            if self._durable:
                for gave in (False, True):
                    self._sync_several([path for path in unsynced if unsynced[path] is gave])

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
                close_at_end(open_file(name, READ, at, rel)) as fd,
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
                if self._batch.folders is not None:
                    self._batch.with_new.add(tuple(above))
