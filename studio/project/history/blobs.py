"""Every accepted, committed or hand-edited version, kept permanently under its sha256.

history/ab/<sha256> holds the compressed bytes and is never changed; history/log.jsonl says which
file they were, when and why. Torn log lines left by a crash are skipped on reading. The unpacked
size is limited, so that a small malicious file cannot fill memory.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache

from studio.errors import StudioError, damaged
from studio.foreign_json import read_json_lines
from studio.fsio import Root, parts_of, sha256_hex
from studio.messages import Said, said
from studio.project import layout as places
from studio.project.clock import now
from studio.project.files.renumbered_lines import Renumberings, has_renumberings, path_today
from studio.project.history.reasons import Reason
from studio.story.form.document import encode_line

_ALWAYS = 64 * 1024 * 1024
_RATIO = 16
"""The highest accepted ratio: prose packs to a quarter, call logs to a tenth. A large file that
packs better is no book."""


def most_unpacked(packed_size: int) -> int:
    """Returns the maximum unpacked size in bytes of a packed file of this size."""
    return max(_ALWAYS, _RATIO * packed_size)


def pack(data: bytes) -> bytes:
    """Compresses data with zlib, never further than `unpack` allows."""
    small = zlib.compress(data, 6)
    return small if len(data) <= most_unpacked(len(small)) else zlib.compress(data, 0)


def unpack(data: bytes) -> bytes | None:
    """Reverses `pack`; returns None for any other data, or if the result would be too large."""
    limit, stream = most_unpacked(len(data)), zlib.decompressobj()
    try:
        content = stream.decompress(data, limit)
    except zlib.error:
        return None
    return content if stream.eof else None


_RECENT = 1 << 18
"""Bytes at the end of the log that are searched for a version that was just recorded."""
_AT_ONCE = 200
"""Lines of the log that are decoded at once."""
_BLOB = re.compile(r"^[0-9a-f]{64}$")


@dataclass(frozen=True, slots=True)
class Version:
    """One version of one file, as recorded in the log."""

    path: str
    sha: str
    ts: str
    reason: str
    commit_id: str = ""


class History:
    """Every version of every file of one novel, compressed and by sha256."""

    def __init__(self, root: Root) -> None:
        self._root = root

    def keep(
        self,
        path: str,
        data: bytes,
        reason: Reason | Said,
        commit_id: str = "",
        ts: str | None = None,
    ) -> str:
        """Keeps a version of the file `path` durably; returns its sha256.

        The same bytes are stored once, and the log gets no second line if the newest one for this
        path is the same, so the call may be repeated.
        """
        self.keep_all([(path, data, reason)], commit_id, ts)
        return sha256_hex(data)

    def keep_all(
        self,
        versions: Sequence[tuple[str, bytes, Reason | Said]],
        commit_id: str = "",
        ts: str | None = None,
    ) -> None:
        """Keeps several (path, data, reason) at once."""
        log = self._root.tail(places.HISTORY_LOG, _RECENT)
        own = _recorded_in(log, commit_id) if commit_id else frozenset()
        lines = []
        blobs: dict[str, bytes] = {}
        for path, data, reason in versions:
            sha = sha256_hex(data)
            if sha not in blobs and self._load(sha) is None:
                blobs[sha] = data
            version = Version(path, sha, ts or now(), reason, commit_id)
            if (path, sha) not in own and (commit_id or not _is_newest(log, version)):
                lines.append(encode_line(version))
        self._root.write_several({_place(sha): pack(data) for sha, data in blobs.items()})
        if lines:
            self._root.append(places.HISTORY_LOG, b"".join(lines))

    def blob(self, sha: str) -> bytes:
        """Returns the bytes with that sha256; raises StudioError (exit 5) if they are lost or
        altered."""
        data = self._load(sha)
        if data is None:
            raise damaged(
                said(
                    "History does not hold version {sha} any more, or its bytes are damaged.",
                    sha=sha[:12],
                ),
                said("Bring the history folder back from a backup."),
            )
        return data

    def has(self, sha: str) -> bool:
        """Whether that version can be restored completely."""
        return self._load(sha) is not None

    def log(self) -> list[Version]:
        """Returns all versions, oldest first; those of a chapter under the path it has today,
        whatever its number was then."""
        data = self._root.find(places.HISTORY_LOG) or b""
        lines = data.splitlines()
        if not has_renumberings(data):
            return list(_versions(lines))
        rows = list(_decode(lines))
        renumberings = Renumberings.among(rows)
        versions = ((at, _version_of(row)) for at, row in enumerate(rows))
        return [
            replace(version, path=path_today(version.path, renumberings.since(at)))
            for at, version in versions
            if version is not None
        ]

    def recorded_versions(self) -> list[Version]:
        """Returns all versions, oldest first, under the paths that they were recorded with."""
        return list(_versions((self._root.find(places.HISTORY_LOG) or b"").splitlines()))

    def length(self) -> int:
        """Returns the length of the log in bytes: the place of the next line."""
        info = self._root.info(places.HISTORY_LOG)
        return 0 if info is None else info.st_size

    def log_behind(self, start: int | None) -> list[Version]:
        """Returns the versions recorded since the log was `start` bytes long, oldest first; all
        versions without `start`, or if the log has been written anew."""
        if start:
            # One byte more shows whether a line still ends there.
            behind = self._root.tail(places.HISTORY_LOG, max(0, self.length() - start) + 1)
            if behind.startswith(b"\n"):
                return list(_versions(behind[1:].splitlines()))
        return self.recorded_versions()

    def versions(self, path: str) -> list[Version]:
        """Returns the versions of one file, oldest first."""
        return [version for version in self.log() if version.path == path]

    def stored_shas(self) -> Iterator[str]:
        """Yields every sha256 with stored bytes, according to the file names."""
        for folder in self._root.names(places.HISTORY):
            if len(folder) == 2:
                for name in self._root.names(f"{places.HISTORY}/{folder}"):
                    if _BLOB.match(name):
                        yield name

    def quarantine(self, path: str, data: bytes) -> str:
        """Moves bytes that cannot stay in place to quarantine; returns their path there."""
        target = f"{places.QUARANTINE}/{path.replace('/', '--')}.{sha256_hex(data)[:12]}"
        self._root.write(target, data)
        return target

    def _load(self, sha: str) -> bytes | None:
        if not _BLOB.match(sha):
            return None
        packed_data = self._root.find(_place(sha))
        data = None if packed_data is None else unpack(packed_data)
        return data if data is not None and sha256_hex(data) == sha else None


def _place(sha: str) -> str:
    return f"{places.HISTORY}/{sha[:2]}/{sha}"


def _versions(lines: Sequence[bytes]) -> Iterator[Version]:
    for raw in _decode(lines):
        version = _version_of(raw)
        if version is not None:
            yield version


def _decode(lines: Sequence[bytes]) -> Iterator[object]:
    for begin in range(0, len(lines), _AT_ONCE):
        yield from read_json_lines(lines[begin : begin + _AT_ONCE])


def _version(line: bytes) -> Version | None:
    return next(_versions([line]), None)


def _version_of(raw: object) -> Version | None:
    try:
        version = Version(**raw) if isinstance(raw, dict) else None
    except TypeError:
        return None
    if version is None:
        return None
    texts = (version.path, version.sha, version.ts, version.reason, version.commit_id)
    if not all(isinstance(text, str) for text in texts):
        return None
    return version if _is_of_novel(version.path) else None


@lru_cache(maxsize=1 << 12)
def _is_of_novel(path: str) -> bool:
    """Whether a path can be one of a novel's files: it stays inside, and can be shown."""
    with suppress(StudioError):
        return bool(parts_of(path)) and path.isprintable()
    return False


def _is_newest(log: bytes, version: Version) -> bool:
    """Whether the newest line of this path already has these bytes."""
    start = log.rfind(b'"path":' + encode_line(version.path).rstrip())
    newest = _line_at(log, start) if start >= 0 else None
    return newest is not None and (newest.path, newest.sha) == (version.path, version.sha)


def _recorded_in(log: bytes, commit_id: str) -> frozenset[tuple[str, str]]:
    """Returns the (path, sha) of the lines that name this commit."""
    mark = encode_line(commit_id).rstrip()
    lines = (line for line in log.splitlines() if mark in line)
    return frozenset((v.path, v.sha) for v in map(_version, lines) if v is not None)


def _line_at(log: bytes, index: int) -> Version | None:
    start, end = log.rfind(b"\n", 0, index) + 1, log.find(b"\n", index)
    return _version(log[start : end if end >= 0 else len(log)])
