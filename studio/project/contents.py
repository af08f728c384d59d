"""The contents of a book by volume, and a cached outline that loads quickly (performance P5).

The previous outline is in one short file, with a line per volume that is parsed only when one of
its chapters is accessed, so that the first frame is independent of the book's length.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple, TypeVar, overload

import orjson

from studio.errors import StudioError
from studio.foreign_json import read_json
from studio.messages import said
from studio.project import layout as places

if TYPE_CHECKING:
    from studio.project.layout import Layout

_VERSION = 5
_NONE = type(None)
_KINDS: tuple[set[type], ...] = (
    {str},
    {bool},
    {bool},
    {int, _NONE},
    {int, _NONE},
    {float, int, _NONE},
)
"""The types in a row of the cached outline: title, written, planned, length, scenes, score."""
_chapter = attrgetter("chapter")
T = TypeVar("T")
U = TypeVar("U")


class ContentsEntry(NamedTuple):
    """One chapter of the book, written or planned."""

    chapter: int
    volume: int
    title: str
    written: bool
    """Whether the chapter has a file in chapters/."""
    planned: bool = False
    """Whether a contract or its section of the outline says what happens in it."""
    length: int | None = None
    """The length in words (en) or characters without spaces (ko, zh); None if not counted yet."""
    scenes: int | None = None
    score: float | None = None
    """The judge's overall score."""


class Later(Sequence[T]):
    """A lazy sequence of numbered items in the order of `numbers`; the items are created on first
    access, so that the first frame creates only what it displays."""

    def __init__(self, numbers: Sequence[int], make: Callable[[], Iterable[T]]) -> None:
        self.numbers = numbers
        self._make = make
        self._items: tuple[T, ...] | None = None

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...
    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        return self._all()[index]

    def __iter__(self) -> Iterator[T]:
        return iter(self._all())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._all() == tuple(other)

    __hash__ = None  # type: ignore[assignment]

    def _all(self) -> tuple[T, ...]:
        if self._items is None:
            self._items = tuple(self._make())
        return self._items


def each(items: Sequence[T], change: Callable[[T], U]) -> Sequence[U]:
    """Returns all items transformed; lazily if `items` is lazy."""
    if isinstance(items, Later):
        return Later(items.numbers, lambda: map(change, items))
    return tuple(map(change, items))


def position(items: Sequence[T], number: int, number_of: Callable[[T], int]) -> int | None:
    """Returns the index of the item with this number in a sequence sorted by number, without
    creating the items of a lazy sequence; None if there is none."""
    if isinstance(items, Later):
        index = bisect_left(items.numbers, number)
        is_there = index < len(items) and items.numbers[index] == number
    else:
        index = bisect_left(items, number, key=number_of)
        is_there = index < len(items) and number_of(items[index]) == number
    return index if is_there else None


class VolumeContents(NamedTuple):
    """A volume and its chapters in order."""

    number: int
    title: str
    entries: Sequence[ContentsEntry]


class Contents(NamedTuple):
    """All volumes in order."""

    volumes: tuple[VolumeContents, ...]

    @property
    def entries(self) -> list[ContentsEntry]:
        """Returns all chapters in order."""
        return sorted((e for volume in self.volumes for e in volume.entries), key=_chapter)

    def entry(self, chapter: int) -> ContentsEntry | None:
        """Returns the chapter with this number."""
        for volume in self.volumes:
            index = position(volume.entries, chapter, _chapter)
            if index is not None:
                return volume.entries[index]
        return None


_LABEL = re.compile(rb'"label"\s*:\s*"')


def labels_of(layout: Layout) -> dict[int, str]:
    """Returns what the author calls chapters, by number; empty if the list cannot be read. It is
    only parsed if there is a label in it."""
    try:
        data = layout.root.find(places.CHAPTER_LIST) or b""
        rows = read_json(data, dict).get("chapters", ()) if _LABEL.search(data) else ()
        return {r["number"]: str(r["label"]) for r in rows if r.get("label") and not r.get("shelf")}
    except (StudioError, ValueError, LookupError, TypeError, AttributeError):
        return {}


def last_known(layout: Layout) -> Contents | None:
    """Returns the book as of its last update; None if there is no cached outline."""
    try:
        first, *lines = (layout.root.find(places.GLANCE) or b"").split(b"\n")
        head = read_json(first, dict)
        if head["schema_version"] != _VERSION:
            return None
        heads = zip(head["volumes"], lines, strict=True)
        volumes = tuple(_last_volume(*volume, line=line) for volume, line in heads)
    except (StudioError, ValueError, LookupError, TypeError):
        return None
    return Contents(volumes) if volumes else None


def _last_volume(number: int, title: str, chapters: list[int], *, line: bytes) -> VolumeContents:
    if (type(number), type(title)) != (int, str) or not set(map(type, chapters)) <= {int}:
        raise ValueError(said("volume {number} cannot be read", number=number))
    entries = Later(chapters, lambda: _last_entries(number, chapters, line))
    return VolumeContents(number, title, entries)


def _last_entries(volume: int, chapters: list[int], line: bytes) -> Iterator[ContentsEntry]:
    """Yields the chapters of a cached line, without titles if it is damaged: a full update follows
    soon."""
    try:
        rows = read_json(line, list)
        columns = zip(zip(*rows, strict=True), _KINDS, strict=True)
        is_whole = all(kinds.issuperset(map(type, column)) for column, kinds in columns)
        pairs = [*zip(chapters, rows, strict=True)] if is_whole else []
    except (ValueError, TypeError):
        pairs = []
    if not pairs:
        pairs = [(chapter, ("", True)) for chapter in chapters]
    return (ContentsEntry(chapter, volume, *row) for chapter, row in pairs)


def at_a_glance(contents: Contents) -> bytes:
    """Serializes the contents in the form `last_known` reads."""
    volumes = [[v.number, v.title, [e.chapter for e in v.entries]] for v in contents.volumes]
    head = {"schema_version": _VERSION, "volumes": volumes}
    lines = ([entry[2:] for entry in volume.entries] for volume in contents.volumes)
    return b"\n".join(map(orjson.dumps, [head, *lines]))
