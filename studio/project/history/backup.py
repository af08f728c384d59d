"""Dated backups of a whole novel, outside of it: written, read back, and only then counted.

A backup is a zip of every file except those that can be recreated and those in hidden folders, with
a list of their sha256s inside. It is restored into a new folder, never over a novel. A zip may come
from anybody: its unpacked size is limited, and nothing is extracted that git would treat as its
own.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from os.path import isdir
from pathlib import Path
from typing import BinaryIO, cast

from studio.errors import StudioError, damaged, failed
from studio.foreign_json import JsonError, read_json
from studio.fsio import (
    Readable,
    Root,
    close_to_others,
    make_root,
    sha256_hex,
    sha256_of,
    whole_folder,
)
from studio.messages import said
from studio.project import layout as places
from studio.project.clock import now
from studio.project.history.blobs import most_unpacked
from studio.project.layout import Layout, is_novel
from studio.project.novel_id import folder_before_ids, novel_id
from studio.story.form.document import encode

LIST = "backup.json"
"""The list of a backup's files, stored beside the folder `novel/` in it."""
_INSIDE = "novel/"
_NAME = re.compile(r"^(?:(\d{6,})-)?(\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-\d{3})\.zip$")
_CHUNK = 1 << 20
_ANOTHER = said("`studio history backups` lists the others.")
_OWN_HIDDEN = (places.CHECKPOINT, ".gitignore", ".gitattributes")


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup file on disk."""

    path: Path
    taken: str
    """The time it was taken, as its name says."""
    size: int
    """The size of the zip in bytes."""
    number: int = 0
    """The serial number, increasing regardless of the clock; zero for backups older than
    numbering."""


@dataclass(frozen=True, slots=True)
class Unpacked:
    """The outcome of restoring a backup."""

    files: int
    left_out: tuple[str, ...] = ()
    """Paths in it that belong to git or to other programs, and were not written."""


@dataclass(frozen=True, slots=True)
class Taken:
    """The outcome of taking a backup."""

    path: Path
    files: int
    fresh: bool
    """Whether a new backup was written; false if the newest one already has the same content."""
    dropped: tuple[Path, ...] = ()
    """Older backups that were deleted to make room."""


class Backups:
    """The backups of one novel in a folder of their own."""

    def __init__(self, novel: Path, place: Path, shelf: str = "") -> None:
        """`shelf` is the name of their folder in `place`; by default it names the novel by its
        location."""
        self._novel = novel
        self.folder = place.resolve() / (shelf or _shelf(novel))

    def all(self) -> list[Backup]:
        """Returns all backups of the novel in the order in which they were made."""
        if not isdir(self.folder):
            return []
        shelf = Readable(self.folder)
        backups = []
        for name in shelf.names():
            match, info = _NAME.match(name), shelf.info(name)
            if match and info:
                number = int(match[1] or 0)
                backups.append(Backup(self.folder / name, match[2], info.st_size, number))
        return sorted(backups, key=lambda backup: (backup.number, backup.taken))

    def take(self, keep: int) -> Taken:
        """Makes a backup unless nothing changed, reads it back, and deletes those beyond `keep`.

        Nothing is deleted before the new one is verified, and never one with more than twice as
        many files: it may be all that is left of what the novel has lost. Raises StudioError (exit
        1): the novel is gone, the folder lies in the novel or cannot be written, a file cannot be
        read, or the bytes read back differ.
        """
        if not is_novel(self._novel):
            raise places.vanished_error(self._novel)
        if self.folder.is_relative_to(self._novel):
            raise failed(
                said(
                    "The folder of the backups, {folder}, lies in the novel itself.",
                    folder=self.folder,
                ),
                said("Set `[backup] folder` in your own config.toml to another place."),
            )
        root = Layout(self._novel).root
        hashes = {path: root.sha(path) or "" for path in _files(root)}
        present = self.all()
        if present and _files_in(present[-1].path) == hashes:
            return Taken(present[-1].path, len(hashes), fresh=False)
        number = 1 + max((backup.number for backup in present), default=0)
        shelf, name = make_root(self.folder), f"{number:06d}-{_moment()}.zip"
        close_to_others(shelf)
        shelf.write_pieces(name, _zip(root, hashes), private=True)
        path = self.folder / name
        try:
            verify(path)
        except StudioError:
            shelf.remove(name)
            raise
        older = [backup.path for backup in present][: max(0, len(present) + 1 - keep)]
        if not is_novel(self._novel):  # it went away meanwhile
            raise places.vanished_error(self._novel)
        older = [old for old in older if len(_files_in(old)) <= 2 * len(hashes)]
        for old in older:
            shelf.remove(old.name)
        return Taken(path, len(hashes), fresh=True, dropped=tuple(older))


def verify(path: Path) -> dict[str, str]:
    """Reads a backup completely; returns its paths with their sha256s.

    Raises StudioError (exit 5): it is no backup of ours, its bytes are not those put in, or it
    would unpack to far more than a novel of that size does.
    """
    with _open(path) as archive:
        hashes = _list_files(archive, path)
        sizes = (info.file_size for info in archive.infolist() if info.filename != LIST)
        if sum(sizes) > most_unpacked(_size(path)):
            raise damaged(
                said("{name} holds more than a novel of its size can.", name=path.name), _ANOTHER
            )
        for name, sha in hashes.items():
            if _sha_in(archive, path, name) != sha:
                raise damaged(
                    said(
                        "{name} is damaged: {name2} in it is not what was put in.",
                        name=path.name,
                        name2=name,
                    ),
                    _ANOTHER,
                )
        return hashes


def restore(path: Path, into: Path) -> Unpacked:
    """Unpacks a backup into a new or empty folder, completely or not at all.

    It is verified first. Raises StudioError: exit 2 for a folder that holds something, 5 for a
    damaged backup, 1 if the folder cannot be written.
    """
    with whole_folder(into, places.SETTINGS) as root:
        hashes = verify(path)
        left_out = tuple(name for name in hashes if _git_would_obey(name))
        with _open(path) as archive, root.together():
            for name in sorted(set(hashes) - set(left_out)):
                root.write_pieces(name, _chunks(archive, name))
    return Unpacked(len(hashes) - len(left_out), left_out)


def _is_hidden(path: str) -> bool:
    """Whether a path belongs to git or to another program: a hidden name that is none of ours."""
    hidden_parts = (part.startswith(".") and part not in (".", "..") for part in path.split("/"))
    return any(hidden_parts) and path not in _OWN_HIDDEN


def _git_would_obey(path: str) -> bool:
    """Whether git would use the path: hidden names, also as Windows shortens them, and the HEAD
    file that makes any folder a repository with a configuration of its own."""
    parts = path.casefold().split("/")
    return _is_hidden(path) or parts[-1] == "head" or any(p.startswith("git~") for p in parts)


def _files(root: Root, folder: str = "") -> Iterator[str]:
    for name in root.names(folder):
        path = f"{folder}/{name}" if folder else name
        if _is_hidden(path) or path == places.PARTIAL or path.endswith("~"):
            continue
        if root.is_folder(path):
            yield from _files(root, path)
        elif (root.path / path).is_file() and not (root.path / path).is_symlink():
            yield path


class _Pieces:
    """A buffer for zip output, emptied after each file of the novel."""

    def __init__(self) -> None:
        self._buffer: list[bytes] = []

    def write(self, data: bytes) -> int:
        """Called by zipfile, which treats a file without seek as a stream."""
        self._buffer.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Does nothing: zipfile calls it on every file it writes to."""

    def take_bytes(self) -> bytes:
        """Returns the bytes written since the last call, and forgets them."""
        data, self._buffer = b"".join(self._buffer), []
        return data


def _zip(root: Root, hashes: dict[str, str]) -> Iterator[bytes]:
    """Yields the zip file by file. History is already compressed and is only stored."""
    pieces = _Pieces()
    with zipfile.ZipFile(cast("BinaryIO", pieces), "w") as archive:
        listing = {"schema_version": 1, "taken": now(), "files": hashes}
        archive.writestr(_entry(LIST), encode(listing), zipfile.ZIP_DEFLATED)
        for path, sha in hashes.items():
            data = root.read(path)
            if sha256_hex(data) != sha:
                raise failed(
                    said("{path} was changed while it was copied.", path=path), said("Try again.")
                )
            is_packed = path.startswith(f"{places.HISTORY}/") and not path.endswith(".jsonl")
            how = zipfile.ZIP_STORED if is_packed else zipfile.ZIP_DEFLATED
            archive.writestr(_entry(_INSIDE + path), data, how)
            yield pieces.take_bytes()
    yield pieces.take_bytes()


def _entry(name: str) -> zipfile.ZipInfo:
    """Returns a zip entry with a constant time, so that the same novel gives the same bytes."""
    return zipfile.ZipInfo(name)


@contextmanager
def _open(path: Path) -> Iterator[zipfile.ZipFile]:
    """Opens the archive; any read failure is reported as a fault of the backup."""
    try:
        with zipfile.ZipFile(path) as archive:
            yield archive
    except OSError as error:
        raise _unreadable(path, error) from error
    except (zipfile.BadZipFile, zlib.error) as error:
        raise damaged(said("{name} is damaged.", name=path), _ANOTHER) from error


def _unreadable(path: Path, error: OSError) -> StudioError:
    return damaged(
        said("{path} cannot be read as a backup: {error}.", path=path, error=error), _ANOTHER
    )


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError as error:
        raise _unreadable(path, error) from error


def _list_files(archive: zipfile.ZipFile, path: Path) -> dict[str, str]:
    try:
        if archive.getinfo(LIST).file_size > most_unpacked(0):
            raise damaged(said("The list of {name} is too long.", name=path.name), _ANOTHER)
        files = read_json(archive.read(LIST), dict)["files"]
        hashes = {str(name): str(sha) for name, sha in files.items()}
    except (KeyError, AttributeError, TypeError, JsonError, OSError) as error:
        raise damaged(
            said("{name} is not a backup of a novel: its list is missing.", name=path.name),
            _ANOTHER,
        ) from error
    except zipfile.BadZipFile as error:
        raise damaged(said("{name} is damaged.", name=path.name), _ANOTHER) from error
    return hashes


def _sha_in(archive: zipfile.ZipFile, path: Path, name: str) -> str:
    try:
        return sha256_of(_chunks(archive, name))
    except (KeyError, OSError, zipfile.BadZipFile, zlib.error, ValueError) as error:
        raise damaged(
            said("{name} is damaged: {name2} in it cannot be read.", name=path.name, name2=name),
            _ANOTHER,
        ) from error


def _chunks(archive: zipfile.ZipFile, name: str) -> Iterator[bytes]:
    with archive.open(name=_INSIDE + name) as entry:
        while chunk := entry.read(_CHUNK):
            yield chunk


def _files_in(path: Path) -> dict[str, str]:
    """Returns the paths in a backup with their sha256s; empty for one that cannot be read."""
    try:
        with _open(path) as archive:
            return _list_files(archive, path)
    except StudioError:
        return {}


def shelf_of(root: Root, state: Path | None, place: Path) -> str:
    """Returns the folder name of a novel's backups in `place`: by its id, so that a renamed novel
    finds them and a new one in its place cannot push them out; by its location if it was backed up
    before novels had ids."""
    name = None if state is None else novel_id(root, state)
    before = None if state is None else folder_before_ids(root, state)
    if name is None or before is not None:
        return _shelf(root.path if before is None else Path(before))
    ending = f"-{name[:8]}"
    present = Readable(place).names() if isdir(place) else []
    return next((shelf for shelf in present if shelf.endswith(ending)), f"{root.path.name}{ending}")


def _shelf(novel: Path) -> str:
    """Returns a folder name that distinguishes novels of the same name by their location."""
    return f"{novel.name}-{sha256_hex(str(novel).encode())[:8]}"


def _moment() -> str:
    return now().removesuffix("Z").replace(":", "-").replace(".", "-")
