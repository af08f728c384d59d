"""Records of calls that were made long ago, packed a chapter to a file (R15).

Of each there stays what answers the same request again and what it cost; what was sent, thought
and looked up goes. `logs/generations/chapter-007.packed` holds the records of chapter 7 as lines
of JSON, compressed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

import orjson

from studio.errors import StudioError
from studio.fsio.root import Root
from studio.project import layout as places
from studio.project.files.compression import pack, unpack
from studio.story.form.document import encode_line, to_jsonable
from studio.story.form.validation import read_document
from studio.story.records import CallRecord

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
"""Fields of a packed record that are empty."""


def chapter_of(generation: str) -> int | None:
    """The chapter that a record's id names."""
    match = _CHAPTER.match(generation)
    return int(match[1]) if match else None


def path_of(chapter: int) -> str:
    """Where the packed records of a chapter are."""
    return f"{places.GENERATIONS}/chapter-{chapter:03d}{SUFFIX}"


def packed_ids(root: Root, chapter: int) -> list[str]:
    """Ids of a chapter's packed records; none where its file cannot be read."""
    return list(_lines(root.find(path_of(chapter)) or b""))


def packed_record(root: Root, generation: str) -> CallRecord | None:
    """A packed record; None if there is none or it cannot be read."""
    chapter = chapter_of(generation)
    data = root.find(path_of(chapter)) if chapter is not None else None
    line = _lines(data or b"").get(generation)
    if line is None:
        return None
    try:
        return read_document(CallRecord, line, f"{places.GENERATIONS}/{generation}")
    except StudioError:
        return None


def pack_records(root: Root, chapter: int, records: Iterable[CallRecord]) -> None:
    """Adds records to a chapter's file and takes their own files away; whole or not at all."""
    old = root.find(path_of(chapter))
    if old is not None and unpack(old) is None:
        return  # damaged: what is in it stays for whoever can mend it
    lines = dict(_lines(old or b""))
    added = []
    for record in records:
        lines[record.id] = encode_line(to_jsonable(record.model_copy(update=GONE)))
        added.append(record.id)
    if not added:
        return
    root.write(path_of(chapter), pack(b"".join(lines[name] for name in sorted(lines))))
    for name in added:
        root.remove(f"{places.GENERATIONS}/{name}.json")


@lru_cache(maxsize=4)
def _lines(data: bytes) -> dict[str, bytes]:
    """The lines of a packed file by the id of their record."""
    lines: dict[str, bytes] = {}
    for line in (unpack(data) or b"").splitlines(keepends=True) if data else ():
        try:
            value = orjson.loads(line)
        except orjson.JSONDecodeError:
            continue
        if isinstance(value, dict) and isinstance(value.get("id"), str):
            lines[value["id"]] = line
    return lines
