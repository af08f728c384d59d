"""Writes several files together: their bytes are synced in parallel, not one after another.

One fsync waits milliseconds for the drive; many at the same time wait little longer than one,
because the file system combines them. Replacing words over a book of 500 chapters takes seconds
instead of half a minute.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from studio.fsio import own_writes
from studio.fsio.descriptors import (
    READ,
    close_at_end,
    mode_of,
    open_file,
    sync_together,
    write_temporary,
)
from studio.fsio.fault_points import step
from studio.fsio.guards import ask_before_changing
from studio.fsio.messages import in_words
from studio.fsio.names import Names
from studio.fsio.read import parts_of
from studio.messages import said

_AT_ONCE = 32
"""The maximum number of files open at the same time; each takes two of a few hundred
descriptors."""


@dataclass(slots=True)
class _Waiting:
    """A file whose bytes are written under a temporary name."""

    rel: str
    data: bytes
    folders: Sequence[str]
    name: str
    at: int
    """The descriptor of the file's folder."""
    temporary: str
    placed: bool = False


def write_several(root: Path, names: Names, files: Mapping[str, bytes]) -> None:
    """Writes each text to its path below `root`, each atomically and durably.

    A kill midway leaves some files unchanged. Errors are those of `Root.write`.
    """
    rest = list(files.items())
    with names.together():
        while rest:
            batch, rest = rest[:_AT_ONCE], rest[_AT_ONCE:]
            with in_words(batch[0][0], "write"), ExitStack() as stack:
                temporaries = [
                    stack.enter_context(_temporary(root, names, rel, data)) for rel, data in batch
                ]
                _make_durable(temporaries)
                for file in temporaries:
                    _place(root, names, file)


@contextmanager
def _temporary(root: Path, names: Names, rel: str, data: bytes) -> Iterator[_Waiting]:
    """Writes a complete temporary file beside `rel`; it is deleted if the block does not put it in
    place."""
    ask_before_changing(root, rel)
    *folders, name = parts_of(rel)
    with in_words(rel, "write"), names.folder(folders) as at:
        temporary = write_temporary(at, name, (data,), mode_of(at, name, rel), durable=False)
        file = _Waiting(rel, data, folders, name, at, temporary)
        try:
            yield file
        finally:
            if not file.placed:
                with suppress(OSError):
                    os.unlink(temporary, dir_fd=at)


def _make_durable(temporaries: Sequence[_Waiting]) -> None:
    with ExitStack() as stack:
        fds = []
        for file in temporaries:
            with in_words(file.rel, "write"):
                fd = open_file(file.temporary, READ, file.at, file.rel)
                fds.append(stack.enter_context(close_at_end(fd)))
                step("fsync")
        for file, fd, error in zip(temporaries, fds, sync_together(fds), strict=True):
            with in_words(file.rel, "write"):
                if error is not None:
                    raise error
                if os.fstat(fd).st_size != len(file.data):
                    raise OSError(errno.EIO, said("the file is shorter than what was written"))


def _place(root: Path, names: Names, file: _Waiting) -> None:
    ask_before_changing(root, file.rel)  # writing may have taken long
    with in_words(file.rel, "write"), own_writes.note_write(root, file.rel, file.data):
        step("rename")
        os.rename(file.temporary, file.name, src_dir_fd=file.at, dst_dir_fd=file.at)
        file.placed = True
        names.sync(file.folders, file.at)
