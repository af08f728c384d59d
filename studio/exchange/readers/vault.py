"""Reads an Obsidian vault: which files are notes, what kind of entry each would become,
and the visible text of links."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from os.path import isdir
from pathlib import Path
from typing import Any

from studio.errors import StudioError
from studio.exchange.readers.document import Left
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


def as_read(text: str) -> tuple[str, Left]:
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
