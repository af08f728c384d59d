"""Old call records, packed into one file per chapter (R15).

A packed record keeps what is needed to answer the same request again and its cost; messages,
reasoning and look-ups are dropped. `logs/generations/chapter-007.packed` holds the records of
chapter 7 as compressed lines of JSON.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from studio.errors import StudioError
from studio.foreign_json import JsonError, read_json
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
"""The fields of a packed record that are empty."""


def chapter_of(generation: str) -> int | None:
    """Returns the chapter named by a record's id."""
    match = _CHAPTER.match(generation)
    return int(match[1]) if match else None


def path_of(chapter: int) -> str:
    """Returns the path of a chapter's packed records."""
    return f"{places.GENERATIONS}/chapter-{chapter:03d}{SUFFIX}"


def packed_ids(root: Root, chapter: int) -> list[str]:
    """Returns the ids of a chapter's packed records; empty if its file cannot be read."""
    return list(_lines(root.find(path_of(chapter)) or b""))


def packed_record(root: Root, generation: str) -> CallRecord | None:
    """Returns a packed record; None if it is missing or unreadable."""
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
    """Moves records from their own files to a chapter's packed file, all of them or none."""
    old = root.find(path_of(chapter))
    if old is not None and unpack(old) is None:
        return  # damaged: leave its content for somebody who can repair it
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
