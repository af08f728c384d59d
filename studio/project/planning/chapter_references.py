"""Updates everything that refers to a planned chapter by number when the number changes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson

from studio.project import layout as places
from studio.project.files import load
from studio.project.files.other_hands import own_names
from studio.project.store import ProjectStore
from studio.story.bible_entry import FROM_HEADING
from studio.story.form.document import encode
from studio.story.form.numerals import chinese_numeral, value_of, whole_number
from studio.story.form.validation import parse_json

_PROMISE_KEYS = ("planted", "last", "resolved", "due", "resolve_by")
_DUE_KEYS = ("due", "resolve_by")
_FROM_KEYS = ("from", "reader_from")
_FRONT_KEYS = re.compile(r"^(dead_from|gone_from)([ \t]*:[ \t]*)(\d{1,9})(?!\d)", re.MULTILINE)
_FRONT = re.compile(r"\A\ufeff?---[ \t]*\r?\n.*?^---[ \t]*$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Renumbering:
    """The new number of each planned chapter; a removed chapter has none."""

    numbers: Mapping[int, int]
    gone: frozenset[int] = frozenset()
    """Chapters that are no longer planned; references to one that was not merged keep the
    number."""
    joins: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    """For a chapter merged into the one before it: that chapter's number, and its number of planned
    scenes (0 for none), which precede the merged chapter's scenes."""
    cuts: Mapping[int, int] = field(default_factory=dict)
    """For a chapter that was split: how many of its planned scenes stay; the others are in the
    chapter after it."""

    delays: Mapping[tuple[int, str], int] = field(default_factory=dict)
    """For a split chapter and the id of a promise it was to pay off: the chapter that now pays it
    off."""

    def __call__(self, number: int) -> int:
        """Returns the new number of a chapter."""
        if number in self.joins:
            return self.joins[number][0]
        return self.numbers.get(number, number)

    def scene(self, number: int, scene: int) -> tuple[int, int]:
        """Returns the new chapter and number of a scene."""
        if number in self.joins:
            chapter, before = self.joins[number]
            return chapter, before + scene
        if scene > self.cuts.get(number, scene):
            return self(number) + 1, scene - self.cuts[number]
        return self(number), scene

    @property
    def changes(self) -> bool:
        """Whether any reference to a chapter or scene may have to change."""
        follows = bool(self.joins or self.cuts or self.delays)
        return follows or any(a != b for a, b in self.numbers.items())

    @property
    def inverse(self) -> Renumbering:
        """Returns the reverse renumbering."""
        return Renumbering({new: old for old, new in self.numbers.items() if old not in self.gone})


def following_files(store: ProjectStore, numbers: Renumbering) -> dict[str, bytes]:
    """Returns the new bytes of every file with changed references by path, except contracts and
    outlines.

    Raises StudioError (exit 5) if one of them cannot be read.
    """
    changed: dict[str, bytes] = {}
    for path, follow in _json_files(store):
        data = store.root.find(path)
        if data is None:
            continue
        value = parse_json(data, path)
        before = orjson.dumps(value)
        follow(value, numbers)
        if orjson.dumps(value) != before:
            changed[path] = encode(value)
    for path in _entries(store):
        text = load.exact_text(store.root, path) or ""
        fresh = _entry(text, numbers)
        if fresh != text:
            changed[path] = fresh.encode()
    return changed


def _json_files(
    store: ProjectStore,
) -> Iterator[tuple[str, Callable[[Any, Renumbering], None]]]:
    yield places.FORESHADOWING, _promises
    yield places.SECRETS, _from_keys
    yield places.FACTS, _from_keys
    yield places.WAIVERS, _waivers
    yield places.CONTEXT_LINES, _of_one_chapter
    yield places.LOCKS, _of_one_chapter
    for volume in store.layout.volume_numbers():
        yield store.layout.volume_foreshadowing(volume), _promises


def _promises(document: Any, numbers: Renumbering) -> None:
    for promise in _items(document, "promises"):
        for key in _PROMISE_KEYS:
            if isinstance(number := promise.get(key), int):
                later = numbers.delays.get((number, str(promise.get("id"))))
                promise[key] = later if later and key in _DUE_KEYS else numbers(number)


def _waivers(document: Any, numbers: Renumbering) -> None:
    for key in ("waivers", "facts"):
        for waiver in _items(document, key):
            if isinstance(waiver.get("until_chapter"), int):
                waiver["until_chapter"] = numbers(waiver["until_chapter"])


def _of_one_chapter(document: Any, numbers: Renumbering) -> None:
    """Updates the entries that hold in one chapter only; they end with a chapter taken out."""
    ended = numbers.gone - numbers.joins.keys()
    for key in ("mutes", "swaps", "locks"):
        for entry in _items(document, key):
            if isinstance(number := entry.get("chapter"), int):
                entry["chapter"] = numbers(number)
                if number in ended:
                    document[key].remove(entry)


def _from_keys(value: Any, numbers: Renumbering) -> None:
    """Updates every `from` and `reader_from` at any depth: 5, or "5.2" for a scene of chapter 5."""
    if isinstance(value, list):
        for item in value:
            _from_keys(item, numbers)
    elif isinstance(value, dict):
        for key, item in value.items():
            if key in _FROM_KEYS:
                value[key] = _moment(item, numbers)
            else:
                _from_keys(item, numbers)


def _moment(moment: Any, numbers: Renumbering) -> Any:
    if isinstance(moment, int) and not isinstance(moment, bool):
        return numbers(moment)
    if isinstance(moment, str) and (match := re.fullmatch(r"(\d+)(?:\.(\d+))?", moment)):
        if match[2] is None:
            return str(numbers(int(match[1])))
        return ".".join(map(str, numbers.scene(int(match[1]), int(match[2]))))
    return moment


def _items(document: Any, key: str) -> list[dict[str, Any]]:
    listed = document.get(key) if isinstance(document, dict) else None
    return [item for item in listed if isinstance(item, dict)] if isinstance(listed, list) else []


def _entries(store: ProjectStore) -> Iterator[str]:
    """Yields the Markdown files about people, places and things."""
    names = own_names(store.root, places.CHARACTERS)
    yield from (f"{places.CHARACTERS}/{name}" for name in names if name.endswith(".md"))
    yield from store.world_docs()


def _entry(text: str, numbers: Renumbering) -> str:
    front = _FRONT.match(text)
    end = front.end() if front else 0
    head = _FRONT_KEYS.sub(lambda m: f"{m[1]}{m[2]}{numbers(int(m[3]))}", text[:end])
    return head + FROM_HEADING.sub(lambda match: _renumber_heading(match, numbers), text[end:])


def _renumber_heading(match: re.Match[str], numbers: Renumbering) -> str:
    """Returns `## From chapter 12.3` with the new number; a Chinese numeral remains one."""
    group = next(name for name in ("en", "ko", "zh") if match[name])
    word, scene = match[group], whole_number(match[f"{group}_scene"] or "")
    number = value_of(word) or 0
    before = (number, scene)
    now = (numbers(number), None) if scene is None else numbers.scene(number, scene)
    if now == before:
        return match[0]
    chapter = str(now[0]) if word.isdecimal() else chinese_numeral(now[0])
    fresh = chapter if now[1] is None else f"{chapter}.{now[1]}"
    start, end = match.start(group), match.end(group if scene is None else f"{group}_scene")
    return match[0][: start - match.start()] + fresh + match[0][end - match.start() :]
