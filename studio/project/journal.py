"""Calls to a model on disk: the finished ones, the running text of a cut one, and the cost."""

from __future__ import annotations

from studio.errors import StudioError
from studio.project import layout as places
from studio.project.history import History
from studio.project.layout import Layout
from studio.story.calls import CallRecord, UsageEntry
from studio.story.document import encode_line, to_bytes, to_jsonable
from studio.story.validation import parse_json, read_document, type_faults


class CallJournal:
    """What the gateway hands over so that no finished call is made again and no cent is lost."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._root = layout.root

    def recall(self, gen_id: str) -> CallRecord | None:
        """The finished call of that id; None if there is none, or its record cannot be read."""
        path = self._layout.generation(gen_id)
        data = self._root.find(path)
        if data is None:
            return None
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
        mine = "" if chapter is None else f"gen-{chapter:03d}-"
        names = self._root.names(places.GENERATIONS)
        return [
            name.removesuffix(".json")
            for name in names
            if name.endswith(".json") and name.startswith(mine)
        ]

    def partial(self, gen_id: str, text: str) -> None:
        """The text of a running call so far: survives a kill (N11), replaced as it grows."""
        self._root.write(self._layout.partial(gen_id), text.encode(errors="replace"), durable=False)

    def drop_partial(self, gen_id: str) -> None:
        """The call is finished and kept: its running text may go."""
        self._root.remove(self._layout.partial(gen_id))

    def note(self, entry: UsageEntry) -> None:
        """Add a line to logs/usage.jsonl durably, before or after money is spent."""
        self._root.append(places.USAGE, encode_line(to_jsonable(entry)))

    def usage_entries(self) -> list[UsageEntry]:
        """All lines of logs/usage.jsonl; one that a crash tore is passed over."""
        found = []
        for line in (self._root.find(places.USAGE) or b"").splitlines():
            try:
                entry, _ = type_faults(UsageEntry, parse_json(line, places.USAGE))
            except StudioError:
                continue
            if entry is not None:
                found.append(entry)
        return found
