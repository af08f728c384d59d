"""Dated copies of a whole novel, outside of it: written, read back, and only then counted.

A backup is a zip of every file but those that can be made anew, with a list of
their sha256s inside. It is restored into a new folder, never over a novel.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

import orjson

from studio.errors import StudioError, damaged, failed, usage
from studio.fsio import Readable, Root, made, sha256_hex
from studio.project import layout as places
from studio.project.clock import now
from studio.project.layout import Layout
from studio.story.document import encode

LIST = "backup.json"
"""The list of what a backup holds, beside the folder `novel/` in it."""
_INSIDE = "novel/"
_NAME = re.compile(r"^(\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-\d{3})\.zip$")
_ANOTHER = "`studio history backups` lists the others."
_LEFT_OUT = (".studio", places.LOCK, places.PARTIAL)


@dataclass(frozen=True, slots=True)
class Backup:
    """One backup."""

    path: Path
    taken: str
    """When, as its name says it."""
    size: int
    """Bytes."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What came of a backup."""

    path: Path
    files: int
    fresh: bool
    """False where the newest backup holds the same already."""
    dropped: tuple[Path, ...] = ()
    """Older backups that made room."""


class Backups:
    """The backups of one novel in a folder of their own."""

    def __init__(self, novel: Path, place: Path) -> None:
        self._novel = novel
        self.folder = place.resolve() / _shelf(novel)

    def all(self) -> list[Backup]:
        """Those there are, oldest first."""
        names = Readable(self.folder).names() if self.folder.is_dir() else []
        found = [(self.folder / name, match[1]) for name in names if (match := _NAME.match(name))]
        return [Backup(path, taken, path.stat().st_size) for path, taken in found]

    def take(self, keep: int) -> Taken:
        """Makes one unless nothing changed, reads it back, and drops those beyond `keep`.

        Nothing is dropped before the new one was verified. StudioError (exit
        1): the folder lies in the novel or cannot be written, a file cannot be
        read, or what was written is not what was read.
        """
        if self.folder.is_relative_to(self._novel):
            raise failed(
                f"The folder of the backups, {self.folder}, lies in the novel itself.",
                "Set `[backup] folder` in your own config.toml to another place.",
            )
        root = Layout(self._novel).root
        hashes = {path: root.sha(path) or "" for path in _files(root)}
        known = self.all()
        if known and _same(known[-1].path, hashes):
            return Taken(known[-1].path, len(hashes), fresh=False)
        shelf, name = made(self.folder), f"{_moment()}.zip"
        shelf.write_pieces(name, _zipped(root, hashes))
        path = self.folder / name
        try:
            verify(path)
        except StudioError:
            shelf.remove(name)
            raise
        older = [backup.path for backup in known][: max(0, len(known) + 1 - keep)]
        for old in older:
            shelf.remove(old.name)
        return Taken(path, len(hashes), fresh=True, dropped=tuple(older))


def verify(path: Path) -> dict[str, str]:
    """Reads a backup whole; its paths with their sha256s.

    StudioError (exit 5): it is no backup of ours, or its bytes are not what was put in.
    """
    with _opened(path) as archive:
        hashes = _listed(archive, path)
        for name, sha in hashes.items():
            if _sha_in(archive, path, name) != sha:
                raise damaged(
                    f"{path.name} is damaged: {name} in it is not what was put in.", _ANOTHER
                )
        return hashes


def restore(path: Path, into: Path) -> int:
    """Unpacks a backup into a folder that is new or empty; returns how many files it wrote.

    It is verified first. StudioError: 2 for a folder that holds something, 5
    for a damaged backup, 1 where it cannot be written; the folder is empty then.
    """
    if into.exists() and (not into.is_dir() or any(into.iterdir())):
        raise usage(f"{into} is not an empty folder.", "Name a folder that is not there yet.")
    hashes = verify(path)
    root = made(into)
    try:
        with _opened(path) as archive:
            for name in sorted(hashes, key=lambda name: name == places.SETTINGS):
                root.write(name, archive.read(_INSIDE + name), expected=None)
    except BaseException:
        for name in {name.partition("/")[0] for name in hashes}:
            with suppress(StudioError):
                root.remove_tree(name)
        raise
    return len(hashes)


def _files(root: Root, folder: str = "") -> Iterator[str]:
    for name in root.names(folder):
        path = f"{folder}/{name}" if folder else name
        if path in _LEFT_OUT or path.endswith("~"):
            continue
        if root.is_folder(path):
            yield from _files(root, path)
        elif (root.path / path).is_file() and not (root.path / path).is_symlink():
            yield path


class _Pieces:
    """What a zip was given since it was last asked: one file of the novel at a time."""

    def __init__(self) -> None:
        self._waiting: list[bytes] = []

    def write(self, data: bytes) -> int:
        """Called by zipfile, which takes a file that cannot be wound back for a stream."""
        self._waiting.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Called by zipfile."""

    def taken(self) -> bytes:
        """The bytes since the last time."""
        data, self._waiting = b"".join(self._waiting), []
        return data


def _zipped(root: Root, hashes: dict[str, str]) -> Iterator[bytes]:
    """The zip, file by file. History is compressed already and is only stored."""
    pieces = _Pieces()
    with zipfile.ZipFile(cast("BinaryIO", pieces), "w") as archive:
        listed = {"schema_version": 1, "taken": now(), "files": hashes}
        archive.writestr(_entry(LIST), encode(listed), zipfile.ZIP_DEFLATED)
        for path, sha in hashes.items():
            data = root.read(path)
            if sha256_hex(data) != sha:
                raise failed(f"{path} was changed while it was copied.", "Try again.")
            is_packed = path.startswith(f"{places.HISTORY}/") and not path.endswith(".jsonl")
            how = zipfile.ZIP_STORED if is_packed else zipfile.ZIP_DEFLATED
            archive.writestr(_entry(_INSIDE + path), data, how)
            yield pieces.taken()
    yield pieces.taken()


def _entry(name: str) -> zipfile.ZipInfo:
    """Without a time of its own, so that the same novel makes the same bytes."""
    return zipfile.ZipInfo(name)


def _opened(path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except (OSError, zipfile.BadZipFile) as error:
        raise damaged(f"{path} cannot be read as a backup: {error}.", _ANOTHER) from error


def _listed(archive: zipfile.ZipFile, path: Path) -> dict[str, str]:
    try:
        found = orjson.loads(archive.read(LIST))["files"]
        hashes = {str(name): str(sha) for name, sha in found.items()}
    except (KeyError, AttributeError, TypeError, orjson.JSONDecodeError, OSError) as error:
        raise damaged(
            f"{path.name} is no backup of a novel: its list is missing.", _ANOTHER
        ) from error
    except zipfile.BadZipFile as error:
        raise damaged(f"{path.name} is damaged: {error}.", _ANOTHER) from error
    return hashes


def _sha_in(archive: zipfile.ZipFile, path: Path, name: str) -> str:
    try:
        return sha256_hex(archive.read(_INSIDE + name))
    except (KeyError, OSError, zipfile.BadZipFile, zlib.error, ValueError) as error:
        raise damaged(f"{path.name} is damaged: {name} in it cannot be read.", _ANOTHER) from error


def _same(path: Path, hashes: dict[str, str]) -> bool:
    try:
        with _opened(path) as archive:
            return _listed(archive, path) == hashes
    except StudioError:
        return False


def _shelf(novel: Path) -> str:
    """A name that tells novels of the same name apart by where they are."""
    return f"{novel.name}-{sha256_hex(str(novel).encode())[:8]}"


def _moment() -> str:
    return now().removesuffix("Z").replace(":", "-").replace(".", "-")
