"""Calls to a model on disk: the finished ones, the running text of a cut one, and the cost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from studio.errors import StudioError
from studio.project import layout as places
from studio.project.history.blobs import History
from studio.project.layout import Layout
from studio.project.packed_calls import (
    SUFFIX,
    chapter_of,
    pack_records,
    packed_ids,
    packed_record,
)
from studio.project.spending import Spending
from studio.story.form.document import to_bytes
from studio.story.form.validation import read_document
from studio.story.records import CallRecord, Counted, UsageEntry

_PACKED_AT_ONCE = 5
"""Chapters; what is left of a long book waits for the next chapter."""


class CallJournal:
    """What the gateway hands over so that no finished call is made again and no cent is lost."""

    def __init__(self, layout: Layout, state: Path | None = None) -> None:
        self._layout = layout
        self.spending = Spending(layout, state)
        self._root = layout.root

    def recall(self, gen_id: str) -> CallRecord | None:
        """The finished call of that id; None if there is none, or its record cannot be read."""
        path = self._layout.generation(gen_id)
        data = self._root.find(path)
        if data is None:
            return packed_record(self._root, gen_id)
        try:
            return read_document(CallRecord, data, path)
        except StudioError:
            return None

    def keep(self, record: CallRecord) -> None:
        """Keep a finished call for good (logs/generations/{id}.json)."""
        path, data = self._layout.generation(record.id), to_bytes(record)
        old = self._root.find(path)
        if old is not None and old != data:
            History(self._root).quarantine(path, old)
        self._root.write(path, data)

    def generation_ids(self, chapter: int | None = None) -> list[str]:
        """Ids of the finished calls of a chapter, or of all, sorted."""
        ids = set(self.whole_ids(chapter))
        chapters = self._packed_chapters() if chapter is None else [chapter]
        for number in chapters:
            ids.update(packed_ids(self._root, number))
        return sorted(ids)

    def whole_ids(self, chapter: int | None = None) -> list[str]:
        """Ids of those whose records were never packed."""
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
        (R15); 0 packs none. StudioError where the disk refuses."""
        older: dict[int, list[str]] = {}
        for gen_id in self.whole_ids() if whole else ():
            chapter = chapter_of(gen_id)
            if chapter is not None and chapter <= newest - whole:
                older.setdefault(chapter, []).append(gen_id)
        for chapter in sorted(older)[:_PACKED_AT_ONCE]:
            records = [self.recall(gen_id) for gen_id in older[chapter]]
            pack_records(self._root, chapter, (record for record in records if record))

    def partial(self, gen_id: str, text: str) -> None:
        """The text of a running call so far: survives a kill (N11), replaced as it grows."""
        self._root.write(self._layout.partial(gen_id), text.encode(errors="replace"), durable=False)

    def drop_partial(self, gen_id: str) -> None:
        """The call is finished and kept: its running text may go."""
        self._root.remove(self._layout.partial(gen_id))

    def reserve(self, entry: UsageEntry, check: Callable[[Counted], None]) -> str:
        """Note the worst case of a call, unless `allowed` raises; see `Spending.reserve`."""
        return self.spending.reserve(entry, check)

    def settle(self, entry: UsageEntry) -> None:
        """Note the end of a call."""
        self.spending.settle(entry)

    def received(self, attempt: str, tokens: int) -> None:
        """Note how much a running call has brought so far."""
        self.spending.received(attempt, tokens)

    def tokens_received(self, attempt: str) -> int | None:
        """What a killed call had brought, as far as that is known."""
        return self.spending.tokens_received(attempt)

    def interrupted(self) -> tuple[UsageEntry, ...]:
        """The reserves whose end nobody noted."""
        return self.spending.interrupted()

    def may_go_unpriced(self, model: str) -> bool:
        """Whether the writer allowed calls to a model whose price is unknown."""
        return self.spending.may_go_unpriced(model)

    def usage_entries(self) -> list[UsageEntry]:
        """All lines of logs/usage.jsonl that can be read and believed."""
        return self.spending.entries()
