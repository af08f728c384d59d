"""state/changelog.jsonl: the log of deltas from which the story's state is made.

For each chapter its newest entry counts; the state is the fold of the counting
deltas in chapter order (`replay`). A line carries its sequence number, the id
of the commit that wrote it and a crc32 of itself, so that a torn, swapped or
foreign line is known and a commit that is done twice writes one line.
"""

from __future__ import annotations

import gc
import re
import zlib
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from operator import itemgetter
from typing import Any, NamedTuple, get_args

import orjson

from studio.errors import damaged
from studio.fsio import Root
from studio.fsio.unchanged import MadeOnce
from studio.project import layout as places
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
    accepted,
    fold,
    fold_all,
    is_of_promises,
    touched_by,
)

_REMEMBERED = 50
"""Chapters from one remembered state to the next."""
_RECENT = 1 << 20
"""Bytes of the file in which a commit that was begun is looked for."""


class Entry(NamedTuple):
    """One line: the delta one commit folded into the state."""

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
        """The delta this line records; StudioError (exit 5) if an op in it is none."""
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
                f"{places.CHANGELOG}, entry {self.seq}: {faults[0]}.", "Run `studio repair`."
            )
        return delta

    def plain_ops(self) -> Iterable[PlainOp]:
        """Its ops as bare values; StudioError (exit 5) if one is none."""
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
        return [(op.op, op.path, op.value) for op in self.delta().ops]

    def line(self) -> bytes:
        """The line as it stands in the file, crc and newline included."""
        raw = self._asdict()
        return encode_line({**raw, "crc": _crc(raw)})


@dataclass(frozen=True)
class Changelog:
    """What a changelog file holds, and what follows from it; each of those is worked out once."""

    entries: tuple[Entry, ...] = ()
    """Whole, known entries in the order of the file; of two with one commit id, the first."""
    torn: bytes = b""
    """A last line without its newline: what a crash left of an append."""
    faults: tuple[str, ...] = ()
    """One sentence for each line that cannot be trusted."""
    _asked_last: dict[int, StoryState] = field(default_factory=dict, compare=False, repr=False)

    @property
    def next_seq(self) -> int:
        """The sequence number of the next entry."""
        return max((entry.seq for entry in self.entries), default=0) + 1

    def newest(self, chapter: int) -> Entry | None:
        """The entry that counts for a chapter."""
        return next((e for e in reversed(self.entries) if e.chapter == chapter), None)

    @cached_property
    def by_chapter(self) -> dict[int, Entry]:
        """The entry that counts for each chapter, chapters ascending."""
        return counting(self.entries)

    @cached_property
    def promise_deltas(self) -> tuple[Delta, ...]:
        """What each chapter does for promises to the reader, chapters ascending, without the ops
        that the state refuses. StudioError (exit 5) if an op is none."""
        lines = (
            entry._replace(ops=tuple(filter(is_of_promises, entry.ops)))
            for entry in self.by_chapter.values()
        )
        return tuple(accepted(StoryState().tree, (line.delta() for line in lines if line.ops)))

    @cached_property
    def touched(self) -> dict[int, Touched]:
        """What each chapter had to do with, chapters ascending. StudioError (exit 5) if an op of
        one is none."""
        entries = self.by_chapter.items()
        return {n: touched_by(entry.storyline_id, entry.plain_ops()) for n, entry in entries}

    def state_before(self, chapter: int) -> StoryState:
        """The state when a chapter begins: the fold of all that count before it, from the nearest
        one remembered: none costs more than another. StudioError (exit 5) if an op is none."""
        if (state := self._asked_last.get(chapter)) is not None:
            return state
        entries = list(self.by_chapter.values())
        before = bisect_left(entries, chapter, key=lambda entry: entry.chapter)
        nearest = before // _REMEMBERED
        start = self._states[nearest - 1] if nearest else None
        state = _folded(entries[nearest * _REMEMBERED : before], start)
        self._asked_last.clear()
        self._asked_last[chapter] = state
        return state

    @cached_property
    def _states(self) -> tuple[StoryState, ...]:
        entries, states = list(self.by_chapter.values()), list[StoryState]()
        for first in range(0, len(entries) - _REMEMBERED + 1, _REMEMBERED):
            some = entries[first : first + _REMEMBERED]
            states.append(_folded(some, states[-1] if states else None))
        return tuple(states)


def entry_of(log: Changelog, delta: Delta, commit_id: str, ts: str, version: int) -> Entry:
    """The line that records a delta behind all that are there."""
    return Entry(
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
) -> tuple[Entry, StoryState]:
    """The line that records a delta behind all that are there, and the state with it in."""
    unversioned = entry_of(log, delta, commit_id, ts, 0)
    state_after = advance(state, log.entries, unversioned)
    return unversioned._replace(state_version=state_after.state_version), state_after


def renumbered(entry: Entry, seq: int) -> Entry:
    """The same entry at another place of the log."""
    return entry._replace(seq=seq)


def read(data: bytes) -> Changelog:
    """Whatever bytes the file holds, sorted into entries, a torn tail and faults. Never raises."""
    end = data.rfind(b"\n")
    entries: list[Entry] = []
    faults: list[str] = []
    commit_ids: set[str] = set()
    with _uncollected():
        for number, (entry, fault) in enumerate(_lines(data, end), start=1):
            if entry is not None and entry.commit_id in commit_ids:
                fault = f"commit {entry.commit_id} is there twice"
            elif entry is not None:
                previous_seq = entries[-1].seq if entries else 0
                if entry.seq != previous_seq + 1:
                    fault = f"entry {entry.seq} follows entry {previous_seq}"
                commit_ids.add(entry.commit_id)
                entries.append(entry)
            if fault:
                faults.append(f"line {number}: {fault}")
    return Changelog(tuple(entries), data[end + 1 :], tuple(faults))


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without looks for cycles, of which entries have none: they would take half of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def counting(entries: Iterable[Entry]) -> dict[int, Entry]:
    """The entry that counts for each chapter, chapters ascending."""
    newest = {entry.chapter: entry for entry in entries}
    return dict(sorted(newest.items()))


def replay(entries: Iterable[Entry]) -> StoryState:
    """The state after all counting deltas, in chapter order."""
    return _folded(counting(entries).values())


def _folded(entries: Iterable[Entry], start: StoryState | None = None) -> StoryState:
    return fold_all(((entry.chapter, entry.plain_ops()) for entry in entries), start)


def advance(state: StoryState, entries: Sequence[Entry], new: Entry) -> StoryState:
    """The state with one more entry: one fold for the next chapter, a replay for an earlier one."""
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
        """The file as it is; an empty changelog if it is missing."""
        return _READ.of(self._root.find(places.CHANGELOG) or b"")

    def trusted(self) -> Changelog:
        """The file, or StudioError (exit 5) if a line in it cannot be trusted."""
        log = self.read()
        if log.faults:
            raise damaged(
                f"{places.CHANGELOG} is damaged: {log.faults[0]}.",
                "Run `studio repair`.",
                "\n".join(log.faults),
            )
        return log

    def append(self, entry: Entry) -> bool:
        """Add a line durably; False if its commit has one already. A torn tail is cut first."""
        return self.append_all([entry]) == 1

    def append_all(self, entries: Sequence[Entry]) -> int:
        """Add lines durably, those alone whose commit has none yet; returns how many were added."""
        lines = {entry.commit_id: entry.line() for entry in entries}
        recent = self._root.tail(places.CHANGELOG, _RECENT + 2 * sum(map(len, lines.values())))
        self.cut_torn(recent.rpartition(b"\n")[2])
        present = {entry.commit_id for entry in read(recent).entries}
        fresh = [line for commit_id, line in lines.items() if commit_id not in present]
        if fresh:
            self._root.append(places.CHANGELOG, b"".join(fresh))
        return len(fresh)

    def cut_torn(self, torn: bytes) -> str | None:
        """Move a torn last line into quarantine; returns where it went."""
        if not torn:
            return None
        place = History(self._root).quarantine(places.CHANGELOG, torn)
        info = self._root.info(places.CHANGELOG)
        assert info is not None
        self._root.cut(places.CHANGELOG, info.st_size - len(torn))
        return place


_READ = MadeOnce(read)


def parse_entry(line: bytes) -> Entry:
    """One line as an entry; StudioError (exit 5) if it is none."""
    entry, fault = _entry(line.rstrip(b"\n"))
    if entry is None:
        raise damaged(f"An entry of {places.CHANGELOG} cannot be read: {fault}.")
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
    """The same of a line as `Entry.line` writes it, without writing it again."""
    return f"{zlib.crc32(_CRC.sub(b'', line, count=1)):08x}"


def _is_as_written(line: bytes) -> bool:
    """Whether a line stands as `Entry.line` writes it, by its crc."""
    head, _, rest = line.partition(b'"crc":"')
    return rest[:10] == b'%08x",' % zlib.crc32(rest[10:], zlib.crc32(head))


_TYPES = (int, str, int, str, str, int, str, list, bool)
_VALUES = itemgetter(*Entry._fields)
_BLOCK = 1 << 16
"""Bytes of whole lines that are decoded at once."""


def _lines(data: bytes, end: int) -> Iterator[tuple[Entry | None, str]]:
    """Each line before the newline at `end`, as an entry or with what is wrong with it."""
    start = 0
    while start <= end > 0:
        line_end = data.rfind(b"\n", start, start + _BLOCK) if start + _BLOCK < end else end
        line_end = line_end if line_end >= 0 else data.find(b"\n", start + _BLOCK)
        lines = data[start:line_end].split(b"\n")
        yield from _as_written(lines) or map(_entry, lines)
        start = line_end + 1


def _as_written(lines: list[bytes]) -> list[tuple[Entry | None, str]] | None:
    """Many lines decoded as one, if nothing is wrong with any of them; otherwise None."""
    if not all(map(_is_as_written, lines)):
        return None
    try:
        decoded = orjson.loads(b"[%b]" % b",".join(lines))
    except orjson.JSONDecodeError:
        return None
    entries = [_typed(raw) for raw in decoded]
    sound = len(entries) == len(lines) and all(map(_is_sound, entries))
    return [(entry, "") for entry in entries] if sound else None


def _entry(line: bytes) -> tuple[Entry | None, str]:
    try:
        raw = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None, "is not JSON"
    entry = _typed({"crc": None, **raw}) if isinstance(raw, dict) else None
    if entry is None:
        return None, "is no entry"
    crc = raw.pop("crc", None)
    if crc != _crc_of_line(line) and crc != _crc(raw):
        return None, "was changed after it was written"
    return (entry, "") if _is_sound(entry) else (None, "is no entry")


def _typed(raw: Any) -> Entry | None:
    """The entry in a decoded line, if it has every field, of its type, and beside them a crc."""
    if not isinstance(raw, dict) or len(raw) != len(_TYPES) + 1 or "crc" not in raw:
        return None
    try:
        values = _VALUES(raw)
    except KeyError:
        return None
    if tuple(map(type, values)) != _TYPES:
        return None
    seq, commit_id, chapter, storyline, ts, version, source, ops, gap = values
    return Entry(seq, commit_id, chapter, storyline, ts, version, source, tuple(ops), gap)


def _is_sound(entry: Entry | None) -> bool:
    return entry is not None and entry.chapter >= 1 and {*map(type, entry.ops)} <= {dict}
