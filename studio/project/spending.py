"""Enforces the spending caps with the novel's usage log and the sums of all novels on this machine.

Every process that reserves money holds a flock while it checks the sums and records its own worst
case, so that two of them never spend the same dollar (M12). Normally the usage log is only appended
to; it is read completely if something else changed it since it was last summed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from studio.errors import Exit, Problem, StudioError
from studio.foreign_json import read_json
from studio.fsio import Root, hold, make_root
from studio.messages import said
from studio.project import layout as places
from studio.project.clock import today
from studio.project.files.renumbered_lines import (
    Numbers,
    Renumberings,
    has_renumberings,
    read_renumbering,
)
from studio.project.layout import Layout
from studio.project.lock.holder import let_go
from studio.project.novel_id import claim_novel_id, novel_id
from studio.story.form.document import encode_line, to_jsonable
from studio.story.form.validation import parse_json, type_faults
from studio.story.ledger import ALWAYS, ASKED, NovelSums, Spendings, UsageLedger, booked_under
from studio.story.records import Counted, UsageEntry

SUMS = "spending.json"
TURN = "spending.lock"
RECEIVED = "calls"
"""The subfolder of the state folder that records how many tokens a running call has received."""
LONGEST_WAIT = 10.0
"""The timeout in seconds. A turn takes a few milliseconds; a process stopped within one blocks
it."""
_PAUSE = 0.01
_LATEST_BYTES = 128 * 1024
"""How much of the usage log says what calls cost and how long they take: some 200 calls."""


class Spending:
    """The spending of one novel. Without a state folder only its own usage log counts."""

    def __init__(self, layout: Layout, state: Path | None) -> None:
        self._root = layout.root
        self._folder_name = str(layout.folder)
        self._id: str | None = None
        self._state = state
        self._outside: Root | None = None

    def entries(self) -> list[UsageEntry]:
        """Returns the whole usage log, with the numbers that chapters have today; torn or
        implausible lines are skipped. A chapter that was taken out has no number."""
        return self._entries_and_maps()[0]

    def _entries_and_maps(self) -> tuple[list[UsageEntry], list[Mapping[str, int | str]]]:
        """Returns the log as `entries` does, and the maps of its lines that renumber chapters."""
        data = self._root.find(places.USAGE) or b""
        rows = [_row(line) for line in data.splitlines()]
        renumberings = Renumberings.among(rows) if has_renumberings(data) else None
        entries = []
        for at, row in enumerate(rows):
            entry, _ = type_faults(UsageEntry, row)
            if entry is not None:
                since = renumberings.since(at) if renumberings is not None else None
                entries.append(_in_todays_number(entry, since))
        maps = rows if renumberings is not None else ()
        return entries, [numbers for row in maps if (numbers := read_renumbering(row)) is not None]

    def latest(self) -> list[UsageEntry]:
        """Returns the newest lines of the usage log, as many as stand in its last bytes, however
        long it is."""
        rows = map(_row, self._root.tail(places.USAGE, _LATEST_BYTES).splitlines())
        entries = (type_faults(UsageEntry, row)[0] for row in rows)
        return [entry for entry in entries if entry is not None]

    def renumberings(self) -> Renumberings | None:
        """Returns how chapters were renumbered, by time; None if none ever was."""
        return _renumberings(self._root, self._stamp())

    def append(self, entry: UsageEntry) -> None:
        """Adds a line to the usage log, durably."""
        self._root.append(places.USAGE, encode_line(to_jsonable(entry)))

    def sums(self) -> Spendings:
        """Returns the sums counted on this machine, without waiting for other processes."""
        try:
            return Spendings.model_validate(read_json(Root(self._folder()).find(SUMS) or b"", dict))
        except (StudioError, ValueError):
            return Spendings()

    def novel(self) -> NovelSums:
        """Returns the sums counted on this machine for this novel."""
        return self._of_novel(self.sums())

    def spent_on(self, chapter: int) -> float:
        """Returns the US dollars spent on a chapter, over all its attempts and runs, without those
        that are only possibly spent. Reads no more of the log than was added since the last call,
        unless something else changed it."""
        novel = self._in_step(self.novel(), chapter)
        calls = (call.entry for call in novel.open if call.entry.chapter == chapter)
        perhaps = sum(entry.reserved_usd or 0.0 for entry in calls)
        return max(0.0, novel.ledger.chapters.get(chapter, 0.0) - perhaps)

    # Calls

    def reserve(self, entry: UsageEntry, check: Callable[[Counted], None]) -> str:
        """Reserves the worst-case cost of a call, unless `check` raises for the amount already
        counted.

        Returns a sentence if the sums of all novels could not be saved, otherwise an empty string.
        Raises StudioError (exit 3) while a stopped process blocks the sums.
        """
        with self._turn() as outside:
            sums = self.sums() if outside is not None else Spendings()
            self._claim()
            chapter = booked_under(entry)
            novel = self._in_step(self._of_novel(sums), chapter)
            check(sums.count(novel, chapter, entry.ts[:10]))
            self.append(entry)
            novel = novel.add_reserve(entry, self._stamp())
            sums = self._with_novel(sums, novel).with_day(entry, entry.reserved_usd or 0.0)
            if outside is not None and self._write_sums(outside, sums):
                return ""
        if self._state is None:
            return ""
        return said(
            "What all your novels cost cannot be recorded in {state}: only the calls of this "
            "novel count against a cap.",
            state=self._state,
        )

    def settle(self, entry: UsageEntry) -> None:
        """Records the end of a call, even if the sums cannot be updated."""
        try:
            with self._turn() as outside:
                if outside is not None:
                    self._settle(outside, entry)
                    return
        except StudioError as error:
            if error.problem.exit_code is not Exit.LOCKED:
                raise
        self.append(entry)

    def _settle(self, outside: Root, entry: UsageEntry) -> None:
        sums = self.sums()
        novel = self._of_novel(sums)
        in_step = novel.stamp == self._stamp()
        self.append(entry)
        call = novel.call(entry.id)
        if call is not None and call.own:
            sums = sums.with_day(call.entry, (entry.usd or 0.0) - (call.entry.reserved_usd or 0.0))
        novel = novel.add_end(call, entry, self._stamp() if in_step else None)
        self._write_sums(outside, self._with_novel(sums, novel))
        with suppress(StudioError):
            outside.remove(f"{RECEIVED}/{entry.id}")

    def interrupted_calls(self) -> tuple[UsageEntry, ...]:
        """Returns the reservations without an end. While the novel is locked these are killed
        calls."""
        if self._state is None:
            return UsageLedger(self.entries()).open
        return tuple(call.entry for call in self.novel().open)

    def record_received(self, attempt: str, tokens: int) -> None:
        """Records how many tokens a running call has received, so that its cost survives a kill."""
        if self._state is not None:
            with suppress(StudioError):
                name = f"{RECEIVED}/{attempt}"
                self._state_root().write(name, str(tokens).encode(), durable=False, private=True)

    def tokens_received(self, attempt: str) -> int | None:
        """Returns the number of tokens a killed call had received; None if unknown."""
        try:
            return int(Root(self._folder()).find(f"{RECEIVED}/{attempt}") or b"")
        except (StudioError, ValueError):
            return None

    # Models of unknown price

    def may_go_unpriced(self, model: str) -> bool:
        """Whether the writer allowed calls to this model, which no cap can count."""
        return self.sums().may_go_unpriced(model, today())

    def note_asked(self, models: Iterable[str]) -> None:
        """Records, outside the novel, which models the writer is asked about."""
        self._change(lambda sums: sums.with_unpriced(models, ASKED))

    def allow_unpriced(self, models: Iterable[str], for_good: bool) -> None:
        """Records that the writer allows these models, permanently or for today (a day in UTC)."""
        self._change(lambda sums: sums.with_unpriced(models, ALWAYS if for_good else today()))

    def was_asked(self, models: Iterable[str]) -> bool:
        """Whether the writer was actually asked about all of these models on this machine."""
        models_asked_about = self.sums().unpriced
        return all(model in models_asked_about for model in models)

    def forget(self) -> None:
        """Resets the sums for a new novel in the place of another one, whose cost does not count
        for it.

        The amount spent today over all novels stays.
        """
        if self._names() & self.sums().novels.keys():
            with suppress(StudioError):
                self._change(lambda sums: sums.without_novels(self._names()))

    def _change(self, change: Callable[[Spendings], Spendings]) -> None:
        """Updates the sums; raises StudioError if the state folder cannot be written: nothing is
        allowed then."""
        self._state_root()
        with self._turn() as outside:
            if outside is not None:
                outside.write(SUMS, _bytes(change(self.sums())), private=True)

    # Internal

    def _claim(self) -> None:
        if self._state is not None:
            with suppress(StudioError):
                self._id = claim_novel_id(self._root, self._state)

    def _novel(self) -> str:
        """Returns the name of the novel among the sums: its id, or its folder before it has one."""
        if self._id is None and self._state is not None:
            with suppress(StudioError):
                self._id = novel_id(self._root, self._state)
        return self._id or self._folder_name

    def _names(self) -> set[str]:
        """Returns the names the novel may have among the sums: before novels had ids, they were
        counted by folder."""
        return {self._novel(), self._folder_name}

    def _of_novel(self, sums: Spendings) -> NovelSums:
        return sums.novels.get(self._novel()) or sums.novel(self._folder_name)

    def _with_novel(self, sums: Spendings, novel: NovelSums) -> Spendings:
        return sums.without_novels({self._folder_name}).with_novel(self._novel(), novel)

    def _in_step(self, novel: NovelSums, chapter: int | None) -> NovelSums:
        stamp = self._stamp()
        if novel.knows(stamp, chapter):
            return novel
        entries, maps = self._entries_and_maps()
        return novel.under_todays_numbers(maps).added_up(UsageLedger(entries), stamp, chapter)

    def _stamp(self) -> tuple[int, int, int]:
        info = self._root.info(places.USAGE)
        return (0, 0, 0) if info is None else (info.st_ino, info.st_size, info.st_mtime_ns)

    @contextmanager
    def _turn(self) -> Iterator[Root | None]:
        """Holds the sums against other processes; yields None if there is no state folder."""
        try:
            outside = self._state_root()
            if outside.info(TURN) is None:
                outside.append(TURN, b"")
            until = time.monotonic() + LONGEST_WAIT
            fd, owner = hold(outside, TURN)
        except StudioError:
            yield None
            return
        try:
            while owner == "theirs":
                if time.monotonic() > until:
                    raise _blocked_error()
                time.sleep(_PAUSE)
                let_go(fd)
                fd, owner = hold(outside, TURN)
            yield outside
        finally:
            let_go(fd)

    def _state_root(self) -> Root:
        if self._outside is None:
            self._outside = make_root(self._folder())
        return self._outside

    def _folder(self) -> Path:
        if self._state is None:
            raise StudioError(Problem(said("There is no state folder.")))
        return self._state

    def _write_sums(self, outside: Root, sums: Spendings) -> bool:
        try:
            outside.write(SUMS, _bytes(sums), private=True)
        except StudioError:
            return False
        return True


def begin_anew(folder: Path, state: Path) -> None:
    """Gives a novel that was just created its id, and resets what was counted and agreed to for
    another one that was in its place."""
    from studio.project.trust import forget_earlier_trust  # not needed to open a novel (P5)

    layout = Layout(folder)
    with suppress(StudioError):  # what cannot be recorded now is claimed at the first write
        claim_novel_id(layout.root, state, anew=True)
        forget_earlier_trust(layout.root, state)
    Spending(layout, state).forget()


@lru_cache(maxsize=4)
def _renumberings(root: Root, stamp: tuple[int, int, int]) -> Renumberings | None:
    """Returns how chapters were renumbered, by time, as long as the log is what `stamp` says."""
    data = root.find(places.USAGE) or b""
    if not has_renumberings(data):
        return None
    lines = [row for row in map(_row, data.splitlines()) if read_renumbering(row) is not None]
    return Renumberings([row["ts"] for row in lines], [row["renumber"] for row in lines])


def _row(line: bytes) -> Any:
    """Returns a decoded line of the usage log; None for a torn one."""
    try:
        return parse_json(line, places.USAGE)
    except StudioError:
        return None


def _in_todays_number(entry: UsageEntry, numbers: Numbers | None) -> UsageEntry:
    if numbers is None or entry.chapter is None:
        return entry
    now = numbers(entry.chapter)
    if now == entry.chapter:
        return entry
    return entry.copy_with(chapter=now if isinstance(now, int) else None)


def _bytes(sums: Spendings) -> bytes:
    """Serializes the sums in order of use, unlike the files of a novel, which sort by name."""
    return sums.model_dump_json().encode()


def _blocked_error() -> StudioError:
    return StudioError(
        Problem(
            said(
                "Another window of the studio holds the record of what was spent and does not "
                "respond."
            ),
            said("Nothing was sent. Wake or close that window, then `studio resume`."),
            exit_code=Exit.LOCKED,
            kind="locked",
            retryable=True,
        )
    )
