"""An Obsidian vault: which of its files are notes, what kind of entry each would be, and its
links as the words a reader sees."""

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
from studio.exchange.readers.left_behind import Left
from studio.project.files import front_matter
from studio.story.bible_entry import EntryKind

NOTE_OF_VAULT = "a note of the vault"
"""What the plan says of a row that is a note: left out until the writer takes it for a chapter."""
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
"""Names of folders that hold no chapters, by the kind of entry that a note in them would be; None
for those that are no entries either."""
_KINDS = {name: kind for kind, names in _FOLDERS.items() for name in names.split()}
_LINK = re.compile(r"(?<!!)\[\[([^\[\]|\n]+)(?:\|([^\[\]\n]+))?\]\]")
_EMBED = re.compile(r"^[ \t]*!\[\[[^\]\n]+\]\][ \t]*$", re.MULTILINE)
_SHOWS = re.compile(r"!\[\[([^\[\]\n]{1,300})\]\]")
_PICTURE = re.compile(r"!\[[^\[\]\n]{0,300}\]\([^()\s]{1,500}\)")
_CALLOUT = re.compile(r"^(>[ \t]?)\[![\w-]{1,40}\][+-]?[ \t]*", re.MULTILINE)
_FENCE = "```"
_QUERIES = frozenset(("dataview", "dataviewjs", "query", "tasks"))
"""Blocks of code whose answers Obsidian shows in their place."""
_PICTURES = frozenset(("png", "jpg", "jpeg", "gif", "svg", "webp", "bmp", "avif"))
_BLOCK = re.compile(r"\A\ufeff?---[ \t]*\r?\n.*?^---[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
_HEADING = re.compile(r"\A\s*#[ \t]+([^\r\n]+)\r?\n?")


@dataclass(frozen=True, slots=True)
class VaultNote:
    """A note that would be an entry of the bible: a person, a place, something to know."""

    name: str
    kind: EntryKind
    aliases: tuple[str, ...]
    text: str
    """Without front matter and without the heading that repeats the name."""
    source: str
    """Its file, from the vault on."""


def is_vault(folder: Path) -> bool:
    """Whether a folder is a vault of Obsidian's."""
    return isdir(folder / ".obsidian")


def is_note(file: Path, folder: Path) -> bool:
    """Whether a file of a vault lies where people, places or notes are kept."""
    return _folder_of(file, folder) is not None


def vault_note(text: str, file: Path, folder: Path) -> VaultNote | None:
    """The entry that a note would be; None for a template, a plan, and the index of a folder."""
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
    """The text as a reader of Obsidian sees it, its links as their words; and what stays behind of
    it: pictures, other notes that are shown in it, queries that plugins answer."""
    text, queries = _without_queries(text)
    left = Counter({"query": queries} if queries else {})
    left.update(_kind_of(name) for name in _SHOWS.findall(text))
    left.update("picture" for _ in _PICTURE.finditer(text))
    for shows in (_EMBED, _SHOWS, _PICTURE):
        text = shows.sub("", text)
    text = _CALLOUT.sub(r"\1", text)
    return _LINK.sub(lambda match: match[2] or match[1], text), left


def _kind_of(name: str) -> str:
    suffix = name.partition("|")[0].strip().rpartition(".")[2].lower()
    return "picture" if suffix in _PICTURES else "embedded"


def _without_queries(text: str) -> tuple[str, int]:
    """The text without the blocks that plugins answer, and how many there were; one that does not
    end is text."""
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
    """The innermost folder that holds notes by its name, as that name is listed."""
    names = [_plain(part) for part in file.relative_to(folder).parts[:-1]]
    return next((name for name in reversed(names) if name in _KINDS), None)


def _plain(name: str) -> str:
    return name.strip().casefold().lstrip("0123456789.-_ ")


def _parts(text: str) -> tuple[dict[str, Any], str]:
    """Front matter and text; one that cannot be read is no front matter, and goes."""
    with suppress(StudioError):
        return front_matter.split(text, "")
    return {}, _BLOCK.sub("", text)


def _words(value: object) -> tuple[str, ...]:
    """The texts of a field that holds one or several; numbers and dates are none."""
    several = value if isinstance(value, list) else [value]
    return tuple(" ".join(one.split()) for one in several if isinstance(one, str) and one.strip())
