"""state/changelog.jsonl: the log of deltas from which the story's state is computed.

The newest entry of each chapter counts; the state is the fold of the counting deltas in chapter
order (`replay`). A line carries its sequence number, the id of the commit that wrote it and its own
crc32, so that a torn, swapped or foreign line is detected, and a repeated commit writes only one
line.
"""

from __future__ import annotations

import gc
import re
import zlib
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias, get_args

import orjson

from studio.errors import damaged
from studio.foreign_json import JsonError, read_json
from studio.fsio import Root
from studio.fsio.read import MadeOnce
from studio.messages import said
from studio.project import layout as places
from studio.project.files.renumbered_lines import Renumberings, has_renumberings, read_renumbering
from studio.project.history.blobs import History
from studio.story.form.document import encode_line, to_jsonable
from studio.story.form.validation import type_faults
from studio.story.state import (
    Delta,
    OpKind,
    PlainOp,
    StateOp,
    StoryState,
    Touched,
    accept_ops,
    fold,
    fold_all,
    is_of_promises,
    touched_by,
)

_REMEMBERED = 50
"""The number of chapters between two cached states."""
_RECENT = 1 << 16
"""Bytes at the end of the file, about a hundred chapters' worth, that show where the book is and
are searched for the lines of an unfinished commit."""


class ChangelogEntry(NamedTuple):
    """One line: the delta that one commit folded into the state."""

    seq: int
    commit_id: str
    chapter: int
    storyline_id: str
    ts: str
    state_version: int
    source_sha256: str
    ops: tuple[dict[str, Any], ...] = ()
    state_gap: bool = False

    def delta(self) -> Delta:
        """Returns the line's delta; raises StudioError (exit 5) if one of its ops is invalid."""
        delta, faults = type_faults(
            Delta,
            {
                "chapter": self.chapter,
                "storyline_id": self.storyline_id,
                "source_sha256": self.source_sha256,
                "ops": self.ops,
                "state_gap": self.state_gap,
            },
        )
        if delta is None:
            raise damaged(
                said(
                    "{changelog}, entry {seq}: {faults}.",
                    changelog=places.CHANGELOG,
                    seq=self.seq,
                    faults=faults[0],
                ),
                said("Run `studio repair`."),
            )
        return delta

    def plain_ops(self) -> Iterable[PlainOp]:
        """Returns the ops as plain values; raises StudioError (exit 5) if one is invalid."""
        plain: list[PlainOp] = []
        for op in self.ops:
            if tuple(op) != _OP and not _OP_KEYS >= op.keys() >= _BARE:
                break
            kind, path, value = op["op"], op["path"], op["value"]
            if not type(kind) is type(path) is str or kind not in _KINDS:
                break
            if type(value) not in _SCALARS:
                break
            plain.append((kind, path, value))
        else:
            return plain
        return [op.plain for op in self.delta().ops]

    def line(self) -> bytes:
        """Returns the line as written to the file, crc and newline included."""
        raw = self._asdict()
        return encode_line({**raw, "crc": _crc(raw)})


@dataclass(frozen=True)
class Changelog:
    """The content of a changelog file and values derived from it, each computed once."""

    entries: tuple[ChangelogEntry, ...] = ()
    """The complete, valid entries in file order; of two with the same commit id, the first."""
    torn: bytes = b""
    """A last line without its newline, left by a crash during an append."""
    faults: tuple[str, ...] = ()
    """A sentence about each line that cannot be trusted."""
    _asked_last: dict[int, StoryState] = field(default_factory=dict, compare=False, repr=False)

    @property
    def next_seq(self) -> int:
        """The sequence number of the next entry."""
        return max((entry.seq for entry in self.entries), default=0) + 1

    def newest(self, chapter: int) -> ChangelogEntry | None:
        """Returns the entry that counts for a chapter."""
        return next((e for e in reversed(self.entries) if e.chapter == chapter), None)

    @cached_property
    def by_chapter(self) -> dict[int, ChangelogEntry]:
        """Returns the entry that counts for each chapter, chapters ascending."""
        return entries_that_count(self.entries)

    @cached_property
    def promise_deltas(self) -> tuple[Delta, ...]:
        """Returns each chapter's delta for the promises to the reader, chapters ascending, without
        the ops that the state rejects. Raises StudioError (exit 5) if an op is invalid."""
        lines = (
            entry._replace(ops=tuple(filter(is_of_promises, entry.ops)))
            for entry in self.by_chapter.values()
        )
        return tuple(accept_ops(StoryState().tree, (line.delta() for line in lines if line.ops)))

    @cached_property
    def touched_by_chapter(self) -> dict[int, Touched]:
        """Returns what each chapter touches in the story, chapters ascending. Raises StudioError
        (exit 5) if an op is invalid."""
        entries = self.by_chapter.items()
        return {n: touched_by(entry.storyline_id, entry.plain_ops()) for n, entry in entries}

    def state_before(self, chapter: int) -> StoryState:
        """Returns the state at the start of a chapter: the fold of all counting entries before it,
        computed from the nearest cached state, so that every chapter costs the same. Raises
        StudioError (exit 5) if an op is invalid."""
        if (state := self._asked_last.get(chapter)) is not None:
            return state
        entries = list(self.by_chapter.values())
        before = bisect_left(entries, chapter, key=lambda entry: entry.chapter)
        nearest = before // _REMEMBERED
        start = self._states[nearest - 1] if nearest else None
        state = _fold(entries[nearest * _REMEMBERED : before], start)
        self._asked_last.clear()
        self._asked_last[chapter] = state
        return state

    @cached_property
    def _states(self) -> tuple[StoryState, ...]:
        entries, states = list(self.by_chapter.values()), list[StoryState]()
        for first in range(0, len(entries) - _REMEMBERED + 1, _REMEMBERED):
            some = entries[first : first + _REMEMBERED]
            states.append(_fold(some, states[-1] if states else None))
        return tuple(states)


def entry_of(log: Changelog, delta: Delta, commit_id: str, ts: str, version: int) -> ChangelogEntry:
    """Returns the line that appends a delta to the log."""
    return ChangelogEntry(
        seq=log.next_seq,
        commit_id=commit_id,
        chapter=delta.chapter,
        storyline_id=delta.storyline_id,
        ts=ts,
        state_version=version,
        source_sha256=delta.source_sha256,
        ops=tuple(to_jsonable(op) for op in delta.ops),
        state_gap=delta.state_gap,
    )


def fold_in(
    log: Changelog, state: StoryState, delta: Delta, commit_id: str, ts: str
) -> tuple[ChangelogEntry, StoryState]:
    """Returns the line that appends a delta to the log, and the state including the delta."""
    unversioned = entry_of(log, delta, commit_id, ts, 0)
    state_after = advance(state, log.entries, unversioned)
    return unversioned._replace(state_version=state_after.state_version), state_after


def renumber(entry: ChangelogEntry, seq: int) -> ChangelogEntry:
    """Returns the same entry with another sequence number."""
    return entry._replace(seq=seq)


def read(data: bytes) -> Changelog:
    """Parses any bytes of the file into entries, a torn tail and faults. Never raises."""
    end = data.rfind(b"\n")
    entries: list[ChangelogEntry] = []
    faults: list[str] = []
    commit_ids: set[str] = set()
    places_, maps = list[int](), list[Mapping[str, int | str]]()
    with _without_collection():
        for number, (entry, fault) in enumerate(_lines(data, end), start=1):
            if entry is not None and not isinstance(entry, ChangelogEntry):
                places_.append(len(entries))
                maps.append(entry)
                continue
            if entry is not None and entry.commit_id in commit_ids:
                fault = said("commit {commit_id} is there twice", commit_id=entry.commit_id)
            elif entry is not None:
                previous_seq = entries[-1].seq if entries else 0
                if entry.seq != previous_seq + 1:
                    fault = said(
                        "entry {seq} follows entry {previous_seq}",
                        seq=entry.seq,
                        previous_seq=previous_seq,
                    )
                commit_ids.add(entry.commit_id)
                entries.append(entry)
            if fault:
                faults.append(said("line {number}: {fault}", number=number, fault=fault))
    if maps:
        entries = _in_todays_numbers(entries, Renumberings(places_, maps))
    return Changelog(tuple(entries), data[end + 1 :], tuple(faults))


def _in_todays_numbers(
    entries: list[ChangelogEntry], renumberings: Renumberings
) -> list[ChangelogEntry]:
    """Returns the entries with the numbers that their chapters have today."""
    today = [renumberings.since(at)(entry.chapter) for at, entry in enumerate(entries)]
    return [
        entry._replace(chapter=number) if isinstance(number, int) else entry
        for entry, number in zip(entries, today, strict=True)
    ]


@contextmanager
def _without_collection() -> Iterator[None]:
    """Disables garbage collection: entries have no cycles, and it would take half of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def entries_that_count(entries: Iterable[ChangelogEntry]) -> dict[int, ChangelogEntry]:
    """Returns the entry that counts for each chapter, chapters ascending."""
    newest = {entry.chapter: entry for entry in entries}
    return dict(sorted(newest.items()))


def replay(entries: Iterable[ChangelogEntry]) -> StoryState:
    """Returns the state after all counting deltas, in chapter order."""
    return _fold(entries_that_count(entries).values())


def _fold(entries: Iterable[ChangelogEntry], start: StoryState | None = None) -> StoryState:
    return fold_all(((entry.chapter, entry.plain_ops()) for entry in entries), start)


def advance(
    state: StoryState, entries: Sequence[ChangelogEntry], new: ChangelogEntry
) -> StoryState:
    """Returns the state with one more entry: folded if it is the next chapter, else replayed."""
    chapters = {entry.chapter for entry in entries}
    onwards = new.chapter > max(chapters, default=0)
    if onwards and state.state_version == len(chapters):
        return fold(state, new.delta())[0]
    return replay([*entries, new])


class ChangelogFile:
    """The changelog of one novel."""

    def __init__(self, root: Root) -> None:
        self._root = root

    def read(self) -> Changelog:
        """Reads the file as it is; returns an empty changelog if it is missing."""
        return _READ.of(self._root.find(places.CHANGELOG) or b"")

    def read_trusted(self) -> Changelog:
        """Reads the file; raises StudioError (exit 5) if a line cannot be trusted."""
        log = self.read()
        if log.faults:
            raise damaged(
                said("{binder} is damaged: {error}.", binder=places.CHANGELOG, error=log.faults[0]),
                said("Run `studio repair`."),
                "\n".join(log.faults),
            )
        return log

    def recent(self) -> Changelog:
        """Reads the newest lines."""
        return read(self._root.tail(places.CHANGELOG, _RECENT))

    def append_all(self, entries: Sequence[ChangelogEntry]) -> int:
        """Durably appends those lines whose commits have none yet, cutting a torn tail
        first; returns how many were added."""
        lines = {entry.commit_id: entry.line() for entry in entries}
        recent = self._root.tail(places.CHANGELOG, _RECENT + 2 * sum(map(len, lines.values())))
        self.cut_torn(recent.rpartition(b"\n")[2])
        present = {entry.commit_id for entry in read(recent).entries}
        fresh = [line for commit_id, line in lines.items() if commit_id not in present]
        if fresh:
            self._root.append(places.CHANGELOG, b"".join(fresh))
        return len(fresh)

    def cut_torn(self, torn: bytes) -> str | None:
        """Moves a torn last line to quarantine; returns its path there."""
        if not torn:
            return None
        place = History(self._root).quarantine(places.CHANGELOG, torn)
        info = self._root.info(places.CHANGELOG)
        assert info is not None
        self._root.cut(places.CHANGELOG, info.st_size - len(torn))
        return place


_READ = MadeOnce(read)


def parse_entry(line: bytes) -> ChangelogEntry:
    """Parses a line as an entry; raises StudioError (exit 5) if it is invalid."""
    entry, fault = _entry(line.rstrip(b"\n"))
    if entry is None:
        raise damaged(
            said(
                "An entry of {changelog} cannot be read: {fault}.",
                changelog=places.CHANGELOG,
                fault=fault,
            )
        )
    return entry


_KINDS = frozenset(get_args(OpKind))
_SCALARS = frozenset({str, int, float, bool, type(None)})
_OP = ("op", "path", "value")
_BARE = frozenset(_OP)
_OP_KEYS = _BARE | StateOp.LATER


def _crc(raw: dict[str, Any]) -> str:
    return f"{zlib.crc32(encode_line(raw).rstrip()):08x}"


_CRC = re.compile(rb'"crc":"[0-9a-f]{8}",')


def _crc_of_line(line: bytes) -> str:
    """Returns the crc of a line written by `ChangelogEntry.line`, without serializing it again."""
    return f"{zlib.crc32(_CRC.sub(b'', line, count=1)):08x}"


def _is_as_written(line: bytes) -> bool:
    """Whether a line is as `ChangelogEntry.line` wrote it, according to its crc."""
    head, _, rest = line.partition(b'"crc":"')
    return rest[:10] == b'%08x",' % zlib.crc32(rest[10:], zlib.crc32(head))


_TYPES = (int, str, int, str, str, int, str, list, bool)
_VALUES = itemgetter(*ChangelogEntry._fields)
_BLOCK = 1 << 16
"""Bytes of complete lines that are decoded at once."""


_Line: TypeAlias = "ChangelogEntry | Mapping[str, int | str] | None"
"""An entry, the map of a line that renumbers chapters, or neither."""


def _lines(data: bytes, end: int) -> Iterator[tuple[_Line, str]]:
    """Yields each line before the newline at `end`, as what it is or with what is wrong with it."""
    start = 0
    while start <= end > 0:
        line_end = data.rfind(b"\n", start, start + _BLOCK) if start + _BLOCK < end else end
        line_end = line_end if line_end >= 0 else data.find(b"\n", start + _BLOCK)
        lines = data[start:line_end].split(b"\n")
        yield from _as_written(lines) or map(_line, lines)
        start = line_end + 1


def _as_written(lines: list[bytes]) -> list[tuple[_Line, str]] | None:
    """Decodes many lines at once if all of them are valid; otherwise returns None."""
    if not all(map(_is_as_written, lines)):
        return None
    try:
        decoded = orjson.loads(b"[%b]" % b",".join(lines))
    except orjson.JSONDecodeError:
        return None
    entries = [_check_types(raw) for raw in decoded]
    sound = len(entries) == len(lines) and all(map(_is_sound, entries))
    return [(entry, "") for entry in entries] if sound else None


def _line(line: bytes) -> tuple[_Line, str]:
    numbers = None
    if has_renumberings(line):
        with suppress(JsonError):
            numbers = read_renumbering(read_json(line))
    return (numbers, "") if numbers is not None else _entry(line)


def _entry(line: bytes) -> tuple[ChangelogEntry | None, str]:
    try:
        raw = read_json(line)
    except JsonError:
        return None, said("is not JSON")
    entry = _check_types({"crc": None, **raw}) if isinstance(raw, dict) else None
    if entry is None:
        return None, said("is no entry")
    crc = raw.pop("crc", None)
    if crc != _crc_of_line(line) and crc != _crc(raw):
        return None, said("was changed after it was written")
    return (entry, "") if _is_sound(entry) else (None, said("is no entry"))


def _check_types(raw: Any) -> ChangelogEntry | None:
    """Returns the entry in a decoded line if it has a crc and every field with the right type."""
    if not isinstance(raw, dict) or len(raw) != len(_TYPES) + 1 or "crc" not in raw:
        return None
    try:
        values = _VALUES(raw)
    except KeyError:
        return None
    if tuple(map(type, values)) != _TYPES:
        return None
    seq, commit_id, chapter, storyline, ts, version, source, ops, gap = values
    return ChangelogEntry(seq, commit_id, chapter, storyline, ts, version, source, tuple(ops), gap)


def _is_sound(entry: ChangelogEntry | None) -> bool:
    return entry is not None and entry.chapter >= 1 and {*map(type, entry.ops)} <= {dict}
