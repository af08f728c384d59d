"""Several files written together: their bytes go to the disk at once, not one after another.

One fsync waits milliseconds for the drive; many at the same time wait little longer than one,
since the file system takes them in one turn. So words are replaced over a book of 500 chapters in
seconds instead of half a minute.
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
    closing,
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

_AT_ONCE = 32
"""Files open at the same time; each takes two descriptors of the few hundred there are."""


@dataclass(slots=True)
class _Waiting:
    """A file whose bytes are written under another name."""

    rel: str
    data: bytes
    folders: Sequence[str]
    name: str
    at: int
    """Descriptor of its folder."""
    temporary: str
    placed: bool = False


def write_several(root: Path, names: Names, files: Mapping[str, bytes]) -> None:
    """Puts each text in place of the file at its path below `root`, each in one step, durably.

    A kill in between leaves some as they were. Errors as of `Root.write`.
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
    """A whole new file beside the one at `rel`; what is not placed in the block is thrown away."""
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
                fds.append(stack.enter_context(closing(fd)))
                step("fsync")
        for file, fd, error in zip(temporaries, fds, sync_together(fds), strict=True):
            with in_words(file.rel, "write"):
                if error is not None:
                    raise error
                if os.fstat(fd).st_size != len(file.data):
                    raise OSError(errno.EIO, "the file is shorter than what was written")


def _place(root: Path, names: Names, file: _Waiting) -> None:
    ask_before_changing(root, file.rel)  # writing may have taken long
    with in_words(file.rel, "write"), own_writes.noted(root, file.rel, file.data):
        step("rename")
        os.rename(file.temporary, file.name, src_dir_fd=file.at, dst_dir_fd=file.at)
        file.placed = True
        names.sync(file.folders, file.at)
