"""The book between the novel and the file it becomes: chapters, scenes, paragraphs, footnotes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from studio.exchange.forms.runs import Runs, runs_of
from studio.i18n import Language
from studio.story.chapter import Chapter

_NOTE = re.compile(r"\[\^([^\]\s]{1,80})\]:[ \t]*(.*)", re.DOTALL)
_QUOTE = re.compile(r"^[ \t]{0,3}>[ \t]?", re.MULTILINE)
_FORBIDDEN = re.compile("[^\t\n\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What no XML may hold."""


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph."""

    runs: Runs
    quoted: bool = False
    """Whether it is set apart: a letter, an inscription."""


@dataclass(frozen=True, slots=True)
class SetChapter:
    """A chapter as it will be set: without the notes to people."""

    number: int
    title: str
    scenes: tuple[tuple[Block, ...], ...]
    notes: tuple[Runs, ...] = ()
    """Its footnotes, the first being number 1."""


@dataclass(frozen=True)
class Cover:
    """The picture on the front."""

    data: bytes
    suffix: str
    """`jpg` or `png`."""


@dataclass(frozen=True)
class Manuscript:
    """A whole book, or a range of its chapters."""

    title: str
    language: Language
    chapters: tuple[SetChapter, ...]
    author: str = ""
    modified: str = "2000-01-01T00:00:00Z"
    """When its newest chapter was committed: the same book is the same file on any day."""
    cover: Cover | None = None

    @cached_property
    def words(self) -> int:
        """Words in English, characters without white space in Korean and Chinese."""
        pieces = [
            piece
            for chapter in self.chapters
            for scene in chapter.scenes
            for block in scene
            for run in block.runs
            for piece in run.text.split()
        ]
        return len(pieces) if self.language == "en" else sum(map(len, pieces))


def set_chapter(number: int, title: str, chapter: Chapter) -> SetChapter:
    """A chapter of the book, its footnotes numbered in the order in which it refers to them."""
    scenes = [[_plain(p.prose) for p in scene.paragraphs] for scene in chapter.scenes]
    texts = {
        match[1]: match[2] for scene in scenes for text in scene if (match := _NOTE.match(text))
    }
    numbers = _numbered(texts, scenes)
    blocks = tuple(
        tuple(_block(text, numbers) for text in scene if not _is_note(text, numbers))
        for scene in scenes
    )
    notes = tuple(runs_of(texts[label], {}) for label in numbers)
    return SetChapter(number, title, tuple(filter(None, blocks)), notes)


def _numbered(texts: Mapping[str, str], scenes: list[list[str]]) -> dict[str, int]:
    """Label to number of the footnotes that are referred to and have a text."""
    references = [
        label
        for scene in scenes
        for text in scene
        for label in re.findall(r"\[\^([^\]\s]{1,80})\](?!:)", text)
    ]
    labels = dict.fromkeys(label for label in references if label in texts)
    return {label: number for number, label in enumerate(labels, start=1)}


def _is_note(text: str, numbers: Mapping[str, int]) -> bool:
    match = _NOTE.match(text)
    return match is not None and match[1] in numbers


def _block(text: str, numbers: Mapping[str, int]) -> Block:
    quoted = all(_QUOTE.match(line) for line in text.split("\n"))
    return Block(runs_of(_QUOTE.sub("", text) if quoted else text, numbers), quoted)


def _plain(text: str) -> str:
    """The text with newlines alone for line ends, and without what no document can hold."""
    return _FORBIDDEN.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def clean(text: str) -> str:
    """A title or a name on one line, without what no document can hold."""
    return " ".join(_FORBIDDEN.sub("", text).split())
