"""Reads the index note of an Obsidian Longform project: which notes are the book, in what order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from studio.errors import StudioError
from studio.project.files import front_matter

_LONGEST = 1_000_000
"""A note with more bytes is no index."""
_DEEPEST = 20


@dataclass(frozen=True, slots=True)
class LongformProject:
    """A project as its index note describes it."""

    index: Path
    title: str
    scenes: tuple[tuple[Path, int], ...]
    """The notes of the book in order, and how deep each is indented: one below another is a scene
    of the chapter above it."""
    ignored: tuple[Path, ...]
    """Other notes in the project's folder, which the index leaves out or does not name."""
    missing: tuple[str, ...] = ()
    """The names in the index for which there is no note."""
    has_words: bool = False
    """Whether the index says something below its fields."""


def longform_project(files: Sequence[Path]) -> LongformProject | None:
    """Returns the project among the notes of a folder; None if none of them is an index. Of several
    indexes, which are the drafts of one book, the last in reading order counts."""
    notes = [file for file in files if file.suffix.lower() in (".md", ".markdown")]
    for file in reversed(notes):
        meta = _meta(file)
        project = _project(file, *meta, notes) if meta is not None else None
        if project is not None and project.scenes:
            return project
    return None


def _meta(file: Path) -> tuple[dict[str, Any], bool] | None:
    """Returns what the front matter of an index says of the project, and whether words follow."""
    with suppress(OSError, UnicodeError, StudioError):
        with file.open("rb") as stream:
            head = stream.read(_LONGEST).decode("utf-8-sig")
        if not head.startswith("---") or "longform" not in head:
            return None
        fields, body = front_matter.split_front_matter(head, str(file))
        meta = fields.get("longform")
        if isinstance(meta, dict) and isinstance(meta.get("scenes"), list):
            return meta, bool(body.strip())
    return None


def _project(
    index: Path, meta: dict[str, Any], has_words: bool, notes: Sequence[Path]
) -> LongformProject:
    own = str(meta.get("sceneFolder") or "/").strip("/")
    place = index.parent / own if own else index.parent
    here = {note.stem: note for note in notes if note.parent == place}
    names = [
        (name, depth)
        for name, depth in _names(meta["scenes"], 0)
        if not _is_ignored(name, meta.get("ignoredFiles"))
    ]
    listed = [(here[name], depth) for name, depth in names if name in here]
    in_book = {note for note, _ in listed}
    others = [n for n in notes if n not in in_book and n != index and n.is_relative_to(place)]
    missing = tuple(name for name, _ in names if name not in here)
    title = str(meta.get("title") or "")
    return LongformProject(index, title, tuple(listed), tuple(others), missing, has_words)


def _is_ignored(name: str, patterns: object) -> bool:
    """Whether one of an index's patterns, such as `Scratch*`, fits the name of a note."""
    several = patterns if isinstance(patterns, list) else []
    return any(isinstance(one, str) and fnmatchcase(name, one) for one in several)


def _names(scenes: Sequence[Any], depth: int) -> Iterator[tuple[str, int]]:
    """Yields the names of the scenes; a list in the list is what is indented below the name
    before it."""
    for scene in scenes:
        if isinstance(scene, str):
            yield scene, depth
        elif isinstance(scene, list) and depth < _DEEPEST:
            yield from _names(scene, depth + 1)
        elif isinstance(scene, int | float) and not isinstance(scene, bool):
            yield str(scene), depth
