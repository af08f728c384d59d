"""An entry of the bible: its front matter, and how the entry changes from a chapter on.

A heading such as `## From chapter 12` (12.3 for a scene; `## 12장부터`, `## 从第12章起`) begins
text that belongs to the entry from that chapter on (BOOK 2).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, field_validator

from studio.story.form.document import Value
from studio.story.form.ids import LONGEST_NAME, Name
from studio.story.form.numerals import value_of, whole_number
from studio.story.form.slugs import LAST_CHAPTER
from studio.story.notes import without_notes

EntryKind = Literal["character", "place", "item", "faction", "lore"]
Include = Literal["mentioned", "always", "linked", "never"]
_NUMBER = r"(?P<{0}>\d+|[〇零一二两三四五六七八九十百千]+)"
_FROM = (
    r"(?:from[ \t]+chapter[ \t]+(?P<en>\d+)(?:\.(?P<en_scene>\d+))?(?:[ \t]+on)?"
    r"|제?[ \t]*(?P<ko>\d+)(?:\.(?P<ko_scene>\d+))?[ \t]*장[ \t]*부터"
    rf"|[从從][ \t]*第?[ \t]*{_NUMBER.format('zh')}(?:\.(?P<zh_scene>\d+))?[ \t]*章[ \t]*起?)"
)
FROM_HEADING = re.compile(
    rf"^(?P<level>#{{2,6}})[ \t]*{_FROM}[ \t]*:?[ \t]*#*[ \t]*\r?$", re.MULTILINE | re.IGNORECASE
)
_FROM_EPISODE = _FROM.replace("장", "[장화]").replace("章", "[章回]")
_FROM_WORDS = re.compile(
    rf"\s*{_FROM_EPISODE}\s*[:：,，]?\s*(?P<words>\S.*)", re.DOTALL | re.IGNORECASE
)
_HEADING = re.compile(r"^(#{1,6})[ \t]", re.MULTILINE)
_TITLE = re.compile(r"^#[ \t]+([^\r\n]+)", re.MULTILINE)


def _one_is_a_list(value: object) -> object:
    """Makes a list of a single value (`aliases: Cap` is `aliases: [Cap]`) or of a missing one."""
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else value


NameList = Annotated[
    tuple[Name, ...],
    BeforeValidator(_one_is_a_list, json_schema_input_type=tuple[Name, ...] | Name | None),
]
WordList = Annotated[
    tuple[str, ...],
    BeforeValidator(_one_is_a_list, json_schema_input_type=tuple[str, ...] | str | None),
]


class EntryMeta(Value):
    """Front matter of an entry; every key is optional."""

    model_config = {**Value.model_config, "extra": "ignore"}

    name: Name = ""
    aliases: NameList = ()
    exclude: NameList = ()
    """Words that contain a name of the entry and mean something else."""
    include: Include = "mentioned"
    links: WordList = ()
    """Slugs of entries that are included with this one."""
    tags: WordList = ()
    dead_from: int | None = Field(default=None, ge=1, le=LAST_CHAPTER)
    """The chapter in which the person dies."""
    gone_from: int | None = Field(default=None, ge=1, le=LAST_CHAPTER)
    """The chapter in which the thing is lost or destroyed, or the person leaves the story."""

    @field_validator("name", mode="before", json_schema_input_type=Name | None)
    @classmethod
    def _no_name_is_none(cls, value: object) -> object:
        return "" if value is None else value


class WaitingMeta(Value):
    """Front matter of a note that waits to become an entry (`imports/entries/`)."""

    model_config = {**Value.model_config, "extra": "ignore"}

    name: Name = Field(min_length=1)
    kind: EntryKind = "lore"
    aliases: NameList = ()
    source: str = ""
    """The name that the source vault gave the note's file."""


@dataclass(frozen=True, slots=True)
class Progression:
    """Text that is true of an entry from a chapter, or one of its scenes, on."""

    chapter: int
    scene: int | None
    text: str

    def holds_at(self, chapter: int, scene: int | None) -> bool:
        """Whether the text applies to a scene of `chapter`; without a scene, to all of it."""
        if self.chapter != chapter:
            return self.chapter < chapter
        return self.scene is None or scene is None or self.scene <= scene


@dataclass(frozen=True, slots=True)
class EntryText:
    """The words of an entry, without front matter and without notes to people."""

    base: str
    progressions: tuple[Progression, ...] = ()

    def at(self, chapter: int | None, scene: int | None = None) -> str:
        """Returns the text that applies at a chapter; None means all of it."""
        parts = [self.base]
        parts += [
            part.text
            for part in self.progressions
            if chapter is None or part.holds_at(chapter, scene)
        ]
        return "\n\n".join(part for part in parts if part)


def entry_text(body: str) -> EntryText:
    """Parses a Markdown text into what always holds and what holds from a chapter on.

    A part ends at the next heading of the same or a higher level; parts are sorted by chapter,
    whatever their order in the file.
    """
    text = without_notes(body)
    base, progressions, at = "", [], 0
    while match := FROM_HEADING.search(text, at):
        base += text[at : match.start()]
        at = _end_of_part(text, match)
        chapter, scene = _place(match)
        words = text[match.end() : at].strip()
        if words:
            progressions.append(Progression(chapter, scene, words))
    base += text[at:]
    ordered = sorted(progressions, key=lambda part: (part.chapter, part.scene or 0))
    return EntryText(base.strip(), tuple(ordered))


def in_force(items: Iterable[str], chapter: int | None) -> Iterator[str]:
    """Yields those of several short texts that hold at a chapter.

    One that begins with the chapter from which it holds (`from chapter 12: ...`, `12장부터: ...`,
    `从第12章起：...`) holds from there on and is given without these words. None means all, as they
    stand."""
    for item in items:
        match = _FROM_WORDS.fullmatch(item)
        if chapter is None or match is None:
            yield item
        elif Progression(*_place(match), match["words"]).holds_at(chapter, None):
            yield match["words"].strip()


def title_in(body: str) -> str:
    """Returns the first heading of the highest level; empty if none, or too long for a name."""
    match = _TITLE.search(body)
    title = match[1].strip().rstrip("#").strip() if match else ""
    return title if len(title) <= LONGEST_NAME else ""


def _end_of_part(text: str, heading: re.Match[str]) -> int:
    level = len(heading["level"])
    for following in _HEADING.finditer(text, heading.end()):
        if len(following[1]) <= level:
            return following.start()
    return len(text)


def _place(match: re.Match[str]) -> tuple[int, int | None]:
    number = match["en"] or match["ko"] or match["zh"]
    scene = match["en_scene"] or match["ko_scene"] or match["zh_scene"]
    chapter = value_of(number) or 1
    return max(1, chapter), whole_number(scene) if scene else None
