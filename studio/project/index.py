"""Lists the chapters of a book from cheap reads (performance P5).

`contents` opens no chapter: it uses file names, outlines, and the derived index of the last update.
`brought_up_to_date` then reads what has changed since.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from studio.errors import StudioError
from studio.foreign_json import JsonError, read_json
from studio.project import layout as places
from studio.project.contents import (
    Contents,
    ContentsEntry,
    VolumeContents,
    at_a_glance,
    last_known,
)
from studio.project.files import load
from studio.project.layout import Layout
from studio.story.chapter import Chapter

if TYPE_CHECKING:
    from studio.project.store import ProjectStore
    from studio.story.lengths import Unit

_VERSION = 5
_TABLES = ("chapters", "plans", "volumes")


def contents(layout: Layout) -> Contents:
    """Returns the book from names, outlines and the index; opens no chapter and no contract.

    It imports nothing that is slow to load, because the first frame waits for it.
    """
    return _assemble(layout, _index(layout))


def brought_up_to_date(store: ProjectStore, unit: Unit) -> Contents:
    """Returns the book after reading every chapter and contract that changed since the last update,
    and every chapter whose length was counted in another unit.

    The index is written for the next start; if it cannot be, nothing is lost.
    """
    from studio.story.form.document import encode

    layout = store.layout
    index = _index(layout)
    volumes = {str(v): _volume(layout, v, index) for v in _volumes(layout)}
    chapters = {
        str(n): _chapter_row(store, n, index["chapters"].get(str(n)), unit)
        for n in store.chapter_numbers()
    }
    volume_of_plan = {
        str(n): int(v) for v, contents in volumes.items() for n in contents["contracts"]
    }
    plans = {
        n: _plan(layout, volume, int(n), index["plans"].get(n))
        for n, volume in volume_of_plan.items()
    }
    fresh = {
        "schema_version": _VERSION,
        "chapters": chapters,
        "plans": plans,
        "volumes": volumes,
    }
    contents = _assemble(layout, fresh)
    with suppress(StudioError):  # a read-only folder can be opened all the same
        if fresh != index:
            store.root.write(places.INDEX, encode(fresh), durable=False)
        if contents != last_known(layout):
            store.root.write(places.GLANCE, at_a_glance(contents), durable=False)
    return contents


class Written(NamedTuple):
    """A chapter of the book, as `status` lists it."""

    title: str
    length: int
    """The length in the unit it was asked in."""


def written_chapters(store: ProjectStore, unit: Unit) -> dict[int, Written]:
    """Returns the chapters of the book by number: unchanged ones from the index, so that a cold
    start opens no text, the others by reading them. Unreadable ones are left out."""
    layout, rows = store.layout, _index(store.layout)["chapters"]
    written: dict[int, Written] = {}
    for number in store.chapter_numbers():
        row = rows.get(str(number), {})
        title, length = row.get("title"), row.get("length")
        is_counted = isinstance(title, str) and isinstance(length, int)
        is_counted = is_counted and row.get("unit") == unit
        if is_counted and row.get("stamp") == _stamp(layout, layout.chapter(number)):
            written[number] = Written(title, length)
            continue
        with suppress(StudioError):
            if (chapter := store.chapter(number)) is not None:
                length = _prose_length(chapter, unit)
                written[number] = Written(chapter.title or "", length)
    return written


def _index(layout: Layout) -> dict[str, Any]:
    empty: dict[str, Any] = {"schema_version": _VERSION, **{name: {} for name in _TABLES}}
    try:
        index = read_json(layout.root.find(places.INDEX) or b"{}", dict)
    except (StudioError, JsonError):
        return empty
    if index.get("schema_version") != _VERSION:
        return empty
    return index if all(isinstance(index.get(name), dict) for name in _TABLES) else empty


def _volumes(layout: Layout) -> list[int]:
    return layout.volume_numbers() or [1]


def _assemble(layout: Layout, index: Mapping[str, Any]) -> Contents:
    entries: dict[int, ContentsEntry] = {}
    titles: dict[int, str] = {}
    for volume in _volumes(layout):
        volume_rows = _volume(layout, volume, index)
        titles[volume] = volume_rows["heading"]
        sections = {number: (title, says) for number, title, says in volume_rows["sections"]}
        contracts = set(volume_rows["contracts"])
        for number in sorted({*sections, *contracts}):
            plan = index["plans"].get(str(number), {})
            heading, is_said = sections.get(number, ("", False))
            title, is_planned = plan.get("title") or heading, is_said or number in contracts
            entry = ContentsEntry(number, volume, title, written=False, planned=is_planned)
            entries.setdefault(number, entry)
    last = max(titles)
    for number in layout.chapter_numbers():
        plan_entry = entries.get(number)
        entries[number] = _written_entry(
            index, number, plan_entry or ContentsEntry(number, last, "", True)
        )
    chapters: dict[int, list[ContentsEntry]] = {volume: [] for volume in sorted(titles)}
    for number in sorted(entries):
        chapters[entries[number].volume].append(entries[number])
    return Contents(tuple(VolumeContents(v, titles[v], tuple(es)) for v, es in chapters.items()))


def _written_entry(
    index: Mapping[str, Any], number: int, plan_entry: ContentsEntry
) -> ContentsEntry:
    row = index["chapters"].get(str(number), {})
    return ContentsEntry(
        number,
        plan_entry.volume,
        row.get("title") or plan_entry.title,
        written=True,
        planned=plan_entry.planned,
        length=row.get("length"),
        scenes=row.get("scenes"),
        score=row.get("score"),
    )


def _volume(layout: Layout, volume: int, index: Mapping[str, Any]) -> dict[str, Any]:
    """Returns heading, sections and contracts of a volume, from the index if its outline and its
    folder of contracts are unchanged."""
    stamps = [_stamp(layout, layout.outline(volume)), _stamp(layout, layout.contracts(volume))]
    row = index["volumes"].get(str(volume))
    if isinstance(row, dict) and row.get("stamps") == stamps:
        return row
    from studio.project.outline import sections

    text = _outline(layout, volume)
    return {
        "stamps": stamps,
        "heading": _heading_in(text),
        "sections": [[s.chapter, s.title, bool(s.body)] for s in sections(text) if s.chapter > 0],
        "contracts": layout.contract_numbers(volume),
    }


def _outline(layout: Layout, volume: int) -> str:
    from studio.project.outline import without_notes

    try:
        text = load.text(layout.root, layout.outline(volume))
    except StudioError:
        return ""
    return without_notes(text or "")


def _heading_in(text: str) -> str:
    match = re.search(r"^# +(.*\S)", text, re.MULTILINE)
    return match[1] if match else ""


def _chapter_row(
    store: ProjectStore, number: int, old_row: dict[str, Any] | None, unit: Unit
) -> dict[str, Any]:
    layout = store.layout
    stamp = _stamp(layout, layout.chapter(number))
    evaluation_stamp = _stamp(layout, layout.evaluation(number))
    if (
        old_row is not None
        and old_row.get("stamp") == stamp
        and old_row.get("judged") == evaluation_stamp
        and old_row.get("unit") == unit
    ):
        return old_row
    row: dict[str, Any] = {
        "stamp": stamp,
        "judged": evaluation_stamp,
        "unit": unit,
        "score": _score(store, number),
    }
    data = _bytes(layout, layout.chapter(number))
    if len(data) > load.LARGEST_CHAPTER:
        return {**row, "title": "", "scenes": None, "length": None}
    words = data.decode(errors="replace")
    chapter = Chapter(words)
    row["title"] = chapter.title or ""
    row["scenes"] = len(chapter.scenes)
    # A damaged chapter has no length: whoever needs it reads the file and reports the damage.
    is_whole = words.encode() == data
    row["length"] = _prose_length(chapter, unit) if is_whole else None
    return row


def _prose_length(chapter: Chapter, unit: Unit) -> int:
    from studio.story.lengths import length_of

    return sum(length_of(paragraph.prose, unit) for paragraph in chapter.paragraphs)


def _score(store: ProjectStore, number: int) -> float | None:
    try:
        evaluation = store.evaluation(number)
    except StudioError:
        return None
    return evaluation.overall if evaluation else None


def _plan(
    layout: Layout, volume: int, number: int, old_row: dict[str, Any] | None
) -> dict[str, Any]:
    path = layout.contract(volume, number)
    stamp = _stamp(layout, path)
    if old_row is not None and old_row.get("stamp") == stamp:
        return old_row
    try:
        contract = read_json(_bytes(layout, path))
    except JsonError:
        contract = {}
    title = contract.get("title") if isinstance(contract, dict) else ""
    return {"stamp": stamp, "title": title if isinstance(title, str) else ""}


def _bytes(layout: Layout, path: str) -> bytes:
    try:
        return layout.root.find(path) or b""
    except StudioError:
        return b""


def _stamp(layout: Layout, path: str) -> list[int] | None:
    try:
        info = layout.root.info(path)
    except StudioError:
        return None
    return None if info is None else [info.st_mtime_ns, info.st_size]
