"""Every text of a novel that a person wrote or reads: prose, plans, and the bible.

A Markdown file is a single text. In a JSON file each sentence is a text, named by its field; ids,
numbers and words that only the studio compares are left out, so that a replacement never breaks a
reference.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Literal, get_args

from studio.errors import StudioError
from studio.fsio import Root
from studio.messages import said
from studio.project import layout as places
from studio.project.files import load
from studio.project.files.other_hands import own_names
from studio.project.planning.imports import waiting_chapters
from studio.project.progress import Listener, count_progress, nobody
from studio.project.store import ProjectStore
from studio.story.chapter import Chapter, Paragraph
from studio.story.form.slugs import chapter_number, name_of_id
from studio.story.form.validation import parse_json

Area = Literal["prose", "plans", "bible"]
AREAS: tuple[Area, ...] = get_args(Area)

IDS = frozenset(
    {
        *("id", "pov", "location", "characters", "storyline_id", "concurrent", "source", "target"),
        *("exemplar_tags", "status", "scope", "action", "op", "path", "kind_id", "links", "who"),
        *(
            "exclude",
            "$schema",
            "created_at",
            "made_from_sha256",
            "source_sha256",
            "known_by",
            "reader_from",
        ),
    }
)
"""Fields that hold no sentence: slugs, and words out of a fixed list."""
_CONTRACT = re.compile(r"chapter-contracts/(chapter-\d+)\.json$")
_HEADING = re.compile(r"^#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*$", re.MULTILINE)
_NAME = re.compile(r"^name:[ \t]*[\"']?(.+?)[\"']?[ \t]*$", re.MULTILINE)
_NOTES_OF_WRITER = ("context/guidelines", "context/knowledge")
_AHEAD = 15
"""The number of following chapters that are read along with a requested one."""

Rewording = Callable[[str, str], str]


@dataclass(frozen=True)
class BookText:
    """A text: a whole Markdown file, or one sentence of a JSON file."""

    area: Area
    path: str
    text: str
    chapter: int | None = None
    about: str = ""
    """The name of the person or thing that a file of plans or of the bible is about."""
    field: str = ""
    """The position in a JSON file, in words: `objectives 2`."""
    staged: bool = False
    """Whether it is the text of a chapter that is not in the book yet."""

    @property
    def title(self) -> str:
        """The chapter's title, or the name of what the file is about."""
        return (self._chapter.title or "") if self._chapter else self.about

    @cached_property
    def _chapter(self) -> Chapter | None:
        """The parsed chapter of prose; parsed lazily, because few texts of a large book need it."""
        return Chapter(self.text) if self.area == "prose" else None

    @property
    def _paragraphs(self) -> tuple[Paragraph, ...]:
        return self._chapter.paragraphs if self._chapter else ()

    @cached_property
    def _line_ends(self) -> tuple[int, ...]:
        """The positions of the line ends, computed once because a text may contain a word thousands
        of times."""
        return tuple(match.start() for match in re.finditer("\n", self.text))

    def line_at(self, at: int) -> int:
        """Returns the line number, from 1, of the character at `at`."""
        return bisect_left(self._line_ends, at) + 1

    def paragraph_at(self, at: int) -> Paragraph | None:
        """Returns the paragraph that contains the character at `at`, if there is one."""
        index = bisect_right(self._paragraphs, at, key=lambda paragraph: paragraph.start) - 1
        paragraph = self._paragraphs[index] if index >= 0 else None
        return paragraph if paragraph and at < paragraph.end else None


def book_texts(
    store: ProjectStore,
    areas: Sequence[Area],
    unreadable: list[str],
    listener: Listener = nobody,
) -> Iterator[BookText]:
    """Yields the texts of these areas: chapters in order, then plans, then the bible.

    An unreadable file is skipped, and a sentence about it is appended to `unreadable`.
    """
    readers = {"prose": _prose, "plans": _plans, "bible": _bible}
    reads = [read for area in AREAS if area in areas for read in readers[area](store)]
    for read in count_progress(reads, listener):
        try:
            yield from read()
        except StudioError as error:
            unreadable.append(str(error.problem))


_Read = Callable[[], Iterator[BookText]]


def _prose(store: ProjectStore) -> Iterator[_Read]:
    layout = store.layout
    ways = [(number, layout.chapter(number), False) for number in layout.chapter_numbers()]
    names = own_names(store.root, f"{places.STAGING}/chapters")
    staged = [chapter_number(name.removesuffix(".md")) for name in names if name.endswith(".md")]
    ways += [(n, layout.staged_chapter(n), True) for n in staged if n is not None]
    ways += [(n, layout.imported_draft(n), True) for n in waiting_chapters(layout)]
    files = _Ahead(store.root, [path for _, path, _ in sorted(ways)])
    for number, path, is_staged in sorted(ways):
        yield partial(_chapter, files, number, path, is_staged)


def _chapter(files: _Ahead, number: int, path: str, staged: bool) -> Iterator[BookText]:
    data = files.find(path)
    if data is not None:
        yield BookText("prose", path, load.chapter_of(data, path).text, number, staged=staged)


class _Ahead:
    """Reads files requested in order, several of a folder at a time: reaching a file by its path
    takes as long as reading it."""

    def __init__(self, root: Root, paths: Sequence[str]) -> None:
        self._root = root
        self._paths = paths
        self._following = {path: number for number, path in enumerate(paths, start=1)}
        self._data: dict[str, bytes | None] = {}

    def find(self, path: str) -> bytes | None:
        """Returns the bytes of a file like `Root.find`, reading the next ones of its folder
        ahead."""
        if path not in self._data:
            following = self._following[path]
            folder = path.rpartition("/")[0]
            near = [path, *self._paths[following : following + _AHEAD]]
            names = [p.rpartition("/")[2] for p in near if p.rpartition("/")[0] == folder]
            try:
                data = self._root.read_each(folder, names)
            except StudioError:  # another of these may be the unreadable one
                return self._root.find(path)
            self._data |= {f"{folder}/{name}": data.get(name) for name in names}
        return self._data.pop(path)


def _plans(store: ProjectStore) -> Iterator[_Read]:
    layout = store.layout
    paths = [places.STORYLINES, places.STORYLINE_SPEC, places.FORESHADOWING]
    for volume in layout.volume_numbers():
        paths += [layout.outline(volume), layout.schedule(volume), layout.review(volume)]
        paths.append(layout.volume_foreshadowing(volume))
        paths += [layout.contract(volume, number) for number in layout.contract_numbers(volume)]
    for path in paths:
        yield partial(_file, store, "plans", path)


def _bible(store: ProjectStore) -> Iterator[_Read]:
    folders = (places.WORLD, places.CHARACTERS, places.RETIRED, *_NOTES_OF_WRITER)
    paths = [places.BRIEF, places.STYLE_PROFILE, places.RELATIONSHIPS]
    paths += [path for folder in folders for path in _below(store, folder)]
    for path in paths:
        yield partial(_file, store, "bible", path)


def _below(store: ProjectStore, folder: str) -> Iterator[str]:
    for name in own_names(store.root, folder):
        path = f"{folder}/{name}"
        if name.endswith((".md", ".json")) and not name.startswith("."):
            yield path
        elif store.root.is_folder(path):
            yield from _below(store, path)


def _file(store: ProjectStore, area: Area, path: str) -> Iterator[BookText]:
    text = load.exact_text(store.root, path)
    if text is None:
        return
    contract = _CONTRACT.search(path)
    number = chapter_number(contract[1]) if contract else None
    if not path.endswith(".json"):
        yield BookText(area, path, text, about=_name_of(path, text))
        return
    data = parse_json(text.encode(), path)
    about = _title_in(data) or _name_of(path, "")
    for field, sentence in sentences(data):
        yield BookText(area, path, sentence, number, about, in_words(field))


def sentences(data: Any, field: tuple[str | int, ...] = ()) -> Iterator[tuple[Any, str]]:
    """Yields every sentence in JSON data with its position, ids left out."""
    if isinstance(data, str):
        yield field, data
    elif isinstance(data, dict):
        for key, value in data.items():
            if key not in IDS:
                yield from sentences(value, (*field, key))
    elif isinstance(data, list):
        for index, value in enumerate(data):
            yield from sentences(value, (*field, index))


def with_sentences(data: Any, change: Rewording, field: tuple[str | int, ...] = ()) -> Any:
    """Returns the data with every sentence changed and ids preserved; `change` gets the sentence
    and its position in words."""
    if isinstance(data, str):
        return change(data, in_words(field))
    if isinstance(data, dict):
        return {
            key: value if key in IDS else with_sentences(value, change, (*field, key))
            for key, value in data.items()
        }
    if isinstance(data, list):
        return [with_sentences(value, change, (*field, at)) for at, value in enumerate(data)]
    return data


def in_words(field: Sequence[str | int]) -> str:
    """Describes a position in a JSON file for people: `scenes 1, dialogue goals 2`."""
    words = ""
    for part in field:
        if isinstance(part, int):
            words += f" {part + 1}"
        else:
            words += f"{', ' if words else ''}{part.replace('_', ' ')}"
    return words


def _title_in(data: Any) -> str:
    names = (data.get(key) for key in ("title", "name")) if isinstance(data, dict) else ()
    return next((name for name in names if isinstance(name, str) and name), "")


_OURS: Mapping[str, str] = {
    "storylines": said("storylines"),
    "storyline spec": said("storyline spec"),
    "storyline schedule": said("storyline schedule"),
    "global": said("global"),
    "foreshadowing": said("foreshadowing"),
    "rules": said("rules"),
    "secrets": said("secrets"),
    "relationships": said("relationships"),
}
"""The names of files that the studio gives and that have no heading."""


def _name_of(path: str, text: str) -> str:
    """Returns the subject of a file: its name, else its first heading, else its file name."""
    head = text[:2000]
    front = _NAME.search(head) if head.startswith("---") else None
    match = front or _HEADING.search(head)
    if match:
        return match[1]
    folder, _, name = path.rpartition("/")
    stem = name_of_id(name.rpartition(".")[0])
    stem = _OURS.get(stem, stem)
    volume = re.search(r"vol-(\d+)$", folder)
    return said("{stem}, volume {volume}", stem=stem, volume=int(volume[1])) if volume else stem


def paragraphs_alike(before: str, after: str) -> bool:
    """Whether two texts of a chapter have the same scenes with the same number of paragraphs."""
    shapes = [[len(s.paragraphs) for s in Chapter(text).scenes] for text in (before, after)]
    return shapes[0] == shapes[1]
