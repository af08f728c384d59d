"""Records of model calls on disk: finished calls, the partial text of running ones, and the cost.

Old records are packed into one file per chapter (R15). A packed record keeps what is needed to
answer the same request again and its cost; messages, reasoning and look-ups are dropped.
`logs/generations/chapter-007.packed` holds the records of chapter 7 as compressed lines of JSON.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path

from studio.errors import StudioError
from studio.foreign_json import JsonError, read_json
from studio.fsio.root import Root
from studio.project import layout as places
from studio.project.history.blobs import History, pack, unpack
from studio.project.layout import Layout
from studio.project.spending import Spending
from studio.story.form.document import encode_line, to_bytes, to_jsonable
from studio.story.form.validation import read_document
from studio.story.records import CallRecord, Counted, UsageEntry

SUFFIX = ".packed"
_CHAPTER = re.compile(r"^gen-(\d{3,})-")
GONE = {
    "messages": (),
    "content": None,
    "reasoning": None,
    "prewriter_messages": None,
    "prewriter_reasoning": None,
    "tool_calls": (),
}
"""The fields of a packed record that are empty."""


def chapter_of_call(generation: str) -> int | None:
    """Returns the chapter named by a record's id."""
    match = _CHAPTER.match(generation)
    return int(match[1]) if match else None


def packed_path(chapter: int) -> str:
    """Returns the path of a chapter's packed records."""
    return f"{places.GENERATIONS}/chapter-{chapter:03d}{SUFFIX}"


def packed_ids(root: Root, chapter: int) -> list[str]:
    """Returns the ids of a chapter's packed records; empty if its file cannot be read."""
    return list(_lines(root.find(packed_path(chapter)) or b""))


def packed_record(root: Root, generation: str) -> CallRecord | None:
    """Returns a packed record; None if it is missing or unreadable."""
    chapter = chapter_of_call(generation)
    data = root.find(packed_path(chapter)) if chapter is not None else None
    line = _lines(data or b"").get(generation)
    if line is None:
        return None
    try:
        return read_document(CallRecord, line, f"{places.GENERATIONS}/{generation}")
    except StudioError:
        return None


def pack_records(root: Root, chapter: int, records: Iterable[CallRecord]) -> None:
    """Moves records from their own files to a chapter's packed file, all of them or none."""
    old = root.find(packed_path(chapter))
    if old is not None and unpack(old) is None:
        return  # damaged: leave its content for somebody who can repair it
    lines = dict(_lines(old or b""))
    added = []
    for record in records:
        lines[record.id] = encode_line(to_jsonable(record.copy_with(**GONE)))
        added.append(record.id)
    if not added:
        return
    root.write(packed_path(chapter), pack(b"".join(lines[name] for name in sorted(lines))))
    for name in added:
        root.remove(f"{places.GENERATIONS}/{name}.json")


@lru_cache(maxsize=4)
def _lines(data: bytes) -> dict[str, bytes]:
    """Returns the lines of a packed file by the ids of their records."""
    lines: dict[str, bytes] = {}
    for line in (unpack(data) or b"").splitlines(keepends=True) if data else ():
        try:
            value = read_json(line, dict)
        except JsonError:
            continue
        if isinstance(value.get("id"), str):
            lines[value["id"]] = line
    return lines


_PACKED_AT_ONCE = 5
"""The maximum number of chapters packed at once; the rest of a long book waits for the next
chapter."""


class CallJournal:
    """Stores what the gateway records, so that no finished call is repeated and no cost is lost."""

    def __init__(self, layout: Layout, state: Path | None = None) -> None:
        self._layout = layout
        self.spending = Spending(layout, state)
        self._root = layout.root

    def recall(self, gen_id: str) -> CallRecord | None:
        """Returns the finished call with that id; None if there is none, or its record is
        unreadable."""
        path = self._layout.generation(gen_id)
        data = self._root.find(path)
        if data is None:
            return packed_record(self._root, gen_id)
        try:
            return read_document(CallRecord, data, path)
        except StudioError:
            return None

    def recall_today(self, gen_id: str) -> CallRecord | None:
        """Returns the finished call like `recall`, with the number that its chapter has today; a
        chapter that was taken out has none."""
        record = self.recall(gen_id)
        if record is None or record.chapter is None:
            return record
        renumberings = self.spending.renumberings()
        if renumberings is None:
            return record
        now = renumberings.since(record.created_at)(record.chapter)
        return record.copy_with(chapter=now if isinstance(now, int) else None)

    def keep(self, record: CallRecord) -> None:
        """Records a finished call permanently (logs/generations/{id}.json)."""
        path, data = self._layout.generation(record.id), to_bytes(record)
        old = self._root.find(path)
        if old is not None and old != data:
            History(self._root).quarantine(path, old)
        self._root.write(path, data)

    def generation_ids(self, chapter: int | None = None) -> list[str]:
        """Returns the ids of the finished calls of a chapter, or of all, sorted. What was asked
        about it under an earlier number counts, for which only such calls are read."""
        renumberings = self.spending.renumberings() if chapter is not None else None
        if renumberings is not None and renumberings.numbers_before_a_move:
            names = (
                name
                for n in {chapter, *renumberings.numbers_before_a_move}
                for name in self._ids_of(n)
            )
            return sorted(name for name in names if self._is_about(name, chapter))
        return self._ids_of(chapter)

    def _is_about(self, gen_id: str, chapter: int | None) -> bool:
        record = self.recall_today(gen_id)
        if record is None:  # unreadable: by its name
            return chapter_of_call(gen_id) == chapter
        return record.chapter == chapter

    def _ids_of(self, chapter: int | None) -> list[str]:
        """Returns the ids with the number of a chapter in their names, or all, sorted."""
        ids = set(self.whole_ids(chapter))
        chapters = self._packed_chapters() if chapter is None else [chapter]
        for number in chapters:
            ids.update(packed_ids(self._root, number))
        return sorted(ids)

    def whole_ids(self, chapter: int | None = None) -> list[str]:
        """Returns the ids of the calls whose records were never packed."""
        mine = "" if chapter is None else f"gen-{chapter:03d}-"
        names = self._root.names(places.GENERATIONS)
        return [
            name.removesuffix(".json")
            for name in names
            if name.endswith(".json") and name.startswith(mine)
        ]

    def _packed_chapters(self) -> list[int]:
        names = self._root.names(places.GENERATIONS)
        packed = [name for name in names if name.endswith(SUFFIX)]
        stems = [name.removesuffix(SUFFIX).removeprefix("chapter-") for name in packed]
        return sorted(int(stem) for stem in stems if stem.isdecimal())

    def pack_older(self, newest: int, whole: int) -> None:
        """Packs the records of chapters before the `whole` newest ones, a few chapters at a time
        (R15); 0 packs none. Raises StudioError if the disk refuses."""
        older: dict[int, list[str]] = {}
        for gen_id in self.whole_ids() if whole else ():
            chapter = chapter_of_call(gen_id)
            if chapter is not None and chapter <= newest - whole:
                older.setdefault(chapter, []).append(gen_id)
        for chapter in sorted(older)[:_PACKED_AT_ONCE]:
            records = [self.recall(gen_id) for gen_id in older[chapter]]
            pack_records(self._root, chapter, (record for record in records if record))

    def begin(self, record: CallRecord) -> None:
        """Saves what is about to be asked of a model; it survives a kill."""
        path = self._layout.generation(record.id)
        self._root.write(path, to_bytes(record), durable=False)

    def withdraw(self, gen_id: str) -> None:
        """Deletes what was about to be asked, once the call has ended."""
        self._root.remove(self._layout.generation(gen_id))

    def partial(self, gen_id: str, text: str) -> None:
        """Saves the text of a running call so far, replacing the previous one; it survives a kill
        (N11)."""
        self._root.write(self._layout.partial(gen_id), text.encode(errors="replace"), durable=False)

    def received(self, gen_id: str) -> str:
        """Returns the partial text that is kept of a call; empty if none is."""
        data = self._root.find(self._layout.partial(gen_id)) or b""
        return data.decode(errors="replace")

    def drop_partial(self, gen_id: str) -> None:
        """Deletes the partial text of a call that has been recorded as finished."""
        self._root.remove(self._layout.partial(gen_id))

    def reserve(self, entry: UsageEntry, check: Callable[[Counted], None]) -> str:
        """Reserves the worst-case cost of a call, unless `check` raises; see `Spending.reserve`."""
        return self.spending.reserve(entry, check)

    def settle(self, entry: UsageEntry) -> None:
        """Records the end of a call."""
        self.spending.settle(entry)

    def record_received(self, attempt: str, tokens: int) -> None:
        """Records how many tokens a running call has received so far."""
        self.spending.record_received(attempt, tokens)

    def tokens_received(self, attempt: str) -> int | None:
        """Returns the number of tokens a killed call had received, if known."""
        return self.spending.tokens_received(attempt)

    def spent_on(self, chapter: int) -> float:
        """Returns the US dollars spent on a chapter, over all its attempts and runs."""
        return self.spending.spent_on(chapter)

    def latest_usage(self) -> list[UsageEntry]:
        """Returns the newest lines of logs/usage.jsonl."""
        return self.spending.latest()

    def interrupted_calls(self) -> tuple[UsageEntry, ...]:
        """Returns the reservations whose end was never recorded."""
        return self.spending.interrupted_calls()

    def may_go_unpriced(self, model: str) -> bool:
        """Whether the writer allowed calls to a model whose price is unknown."""
        return self.spending.may_go_unpriced(model)

    def usage_entries(self) -> list[UsageEntry]:
        """Returns all valid lines of logs/usage.jsonl."""
        return self.spending.entries()
