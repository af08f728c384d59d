"""Reads an Obsidian vault: which files are notes, what kind of entry each would become, the visible
text of links, and which notes are the book, in what order, by the index of a Longform project.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fnmatch import fnmatchcase
from os.path import isdir
from pathlib import Path
from typing import Any

from studio.errors import StudioError
from studio.exchange.readers.document import LeftBehind
from studio.messages import said
from studio.project.files import front_matter
from studio.story.bible_entry import EntryKind

NOTE_OF_VAULT = said("a note of the vault")
"""The plan's label for a row that is a note: left out until the writer takes it for a chapter."""
_FOLDERS: Mapping[EntryKind | None, str] = {
    "character": "characters people persons cast 인물 등장인물 캐릭터 人物 角色",
    "place": "places locations setting settings 장소 배경 地点 地點 场景 場景",
    "item": "items objects things props 물건 소품 아이템 物品 道具",
    "faction": "factions groups organizations organisations 세력 조직 단체 势力 勢力 组织 組織",
    "lore": (
        "lore world worldbuilding notes research 설정 세계관 자료 메모 노트"
        " 设定 設定 世界观 世界觀 资料 資料 笔记 筆記"
    ),
    None: "templates outline outlines ideas 템플릿 개요 模板 大纲 大綱",
}
"""Names of folders without chapters, by the kind of entry that a note in them would become; None
for folders whose notes become no entries."""
_KINDS = {name: kind for kind, names in _FOLDERS.items() for name in names.split()}
_LINK = re.compile(r"(?<!!)\[\[([^\[\]|\n]+)(?:\|([^\[\]\n]+))?\]\]")
_EMBED = re.compile(r"^[ \t]*!\[\[[^\]\n]+\]\][ \t]*$", re.MULTILINE)
_SHOWS = re.compile(r"!\[\[([^\[\]\n]{1,300})\]\]")
_PICTURE = re.compile(r"!\[[^\[\]\n]{0,300}\]\([^()\s]{1,500}\)")
_CALLOUT = re.compile(r"^(>[ \t]?)\[![\w-]{1,40}\][+-]?[ \t]*", re.MULTILINE)
_COMMENT = re.compile(r"%%(?:[^%]|%(?!%))*%%")
"""Matches a comment, which only the writer of a note sees."""
_FENCE = "```"
_QUERIES = frozenset(("dataview", "dataviewjs", "query", "tasks"))
"""Code blocks in whose place Obsidian displays query results."""
_PICTURES = frozenset(("png", "jpg", "jpeg", "gif", "svg", "webp", "bmp", "avif"))
_BLOCK = re.compile(r"\A\ufeff?---[ \t]*\r?\n.*?^---[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
_HEADING = re.compile(r"\A\s*#[ \t]+([^\r\n]+)\r?\n?")


@dataclass(frozen=True, slots=True)
class VaultNote:
    """A note that would become an entry of the bible: a person, a place, or other lore."""

    name: str
    kind: EntryKind
    aliases: tuple[str, ...]
    text: str
    """The text without front matter and without a heading that repeats the name."""
    source: str
    """The note's path within the vault."""


def is_vault(folder: Path) -> bool:
    """Whether a folder is an Obsidian vault."""
    return isdir(folder / ".obsidian")


def is_note(file: Path, folder: Path) -> bool:
    """Whether a file of a vault lies where people, places or notes are kept."""
    return _folder_of(file, folder) is not None


def vault_note(text: str, file: Path, folder: Path) -> VaultNote | None:
    """Returns the entry for a note; None for a template, a plan, or the index of a folder."""
    name = _folder_of(file, folder)
    kind = _KINDS.get(name or "")
    if kind is None or file.stem.startswith("_") or _plain(file.stem) in _KINDS:
        return None
    fields, body = _parts(text)
    title = _words(fields.get("name")) or _words(fields.get("title")) or (file.stem.strip(),)
    heading = _HEADING.match(body)
    if heading and heading[1].strip().rstrip("#").strip() in (title[0], file.stem.strip()):
        body = body[heading.end() :]
    others = (*_words(fields.get("aliases")), *_words(fields.get("alias")))
    aliases = tuple(alias for alias in dict.fromkeys(others) if alias != title[0])
    source = file.relative_to(folder).as_posix()
    return VaultNote(title[0], kind, aliases, body.strip(), source)


def as_read(text: str) -> tuple[str, LeftBehind]:
    """Returns the text as Obsidian displays it, with links as words, and counts of what is left
    behind: comments, pictures, embedded notes, and queries that plugins answer."""
    text, queries = _without_queries(text)
    left = Counter({"query": queries} if queries else {})
    left.update(_kind_of(name) for name in _SHOWS.findall(text))
    left.update("picture" for _ in _PICTURE.finditer(text))
    left.update("comment" for _ in _COMMENT.finditer(text))
    for shows in (_COMMENT, _EMBED, _SHOWS, _PICTURE):
        text = shows.sub("", text)
    text = _CALLOUT.sub(r"\1", text)
    return _LINK.sub(lambda match: match[2] or match[1], text), left


def _kind_of(name: str) -> str:
    suffix = name.partition("|")[0].strip().rpartition(".")[2].lower()
    return "picture" if suffix in _PICTURES else "embedded"


def _without_queries(text: str) -> tuple[str, int]:
    """Returns the text without the blocks that plugins answer, and their number; an
    unterminated block is text."""
    lines: list[str] = []
    block: list[str] = []
    queries = 0
    for line in text.splitlines(keepends=True):
        if block:
            block.append(line)
            if line.strip() == _FENCE:
                queries, block = queries + 1, []
        elif line.startswith(_FENCE) and line.strip(" `\t\r\n").lower() in _QUERIES:
            block = [line]
        else:
            lines.append(line)
    return "".join([*lines, *block]), queries


def _folder_of(file: Path, folder: Path) -> str | None:
    """Returns the listed name of the innermost folder that marks its files as notes."""
    names = [_plain(part) for part in file.relative_to(folder).parts[:-1]]
    return next((name for name in reversed(names) if name in _KINDS), None)


def _plain(name: str) -> str:
    return name.strip().casefold().lstrip("0123456789.-_ ")


def _parts(text: str) -> tuple[dict[str, Any], str]:
    """Splits front matter from text; invalid front matter is dropped."""
    with suppress(StudioError):
        return front_matter.split_front_matter(text, "")
    return {}, _BLOCK.sub("", text)


def _words(value: object) -> tuple[str, ...]:
    """Returns the strings of a field with one or several values, ignoring numbers and dates."""
    several = value if isinstance(value, list) else [value]
    return tuple(" ".join(one.split()) for one in several if isinstance(one, str) and one.strip())


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
