"""The intermediate form of an exported book: chapters, scenes, paragraphs and footnotes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from studio.exchange.forms.runs import Runs, runs_of
from studio.i18n import Language
from studio.story.chapter import Chapter
from studio.story.lengths import Unit, length_of, unit_of

_NOTE = re.compile(r"\[\^([^\]\s]{1,80})\]:[ \t]*(.*)", re.DOTALL)
_QUOTE = re.compile(r"^[ \t]{0,3}>[ \t]?", re.MULTILINE)
_FORBIDDEN = re.compile("[^\t\n\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Matches the characters that XML forbids."""


@dataclass(frozen=True, slots=True)
class ManuscriptBlock:
    """A paragraph of a scene."""

    runs: Runs
    quoted: bool = False
    """Whether the paragraph is set apart, such as a letter or an inscription."""


@dataclass(frozen=True, slots=True)
class SetChapter:
    """A chapter ready for typesetting, without notes to people."""

    number: int
    title: str
    scenes: tuple[tuple[ManuscriptBlock, ...], ...]
    notes: tuple[Runs, ...] = ()
    """The chapter's footnotes, numbered from 1."""


@dataclass(frozen=True)
class Cover:
    """The picture on the front cover."""

    data: bytes
    suffix: str
    """The file suffix, `jpg` or `png`."""


@dataclass(frozen=True)
class Manuscript:
    """A whole book, or a selection of its chapters."""

    title: str
    language: Language
    chapters: tuple[SetChapter, ...]
    author: str = ""
    modified: str = "2000-01-01T00:00:00Z"
    """The commit time of the newest chapter, so that the same book
    gives the same file on any day."""
    cover: Cover | None = None
    unit: Unit | None = None
    """The unit of the book's length; None for that of the language."""

    @property
    def unit_in_force(self) -> Unit:
        """The unit of the book's length."""
        return self.unit or unit_of(self.language)

    @cached_property
    def length(self) -> int:
        """The length of the prose, headings and notes aside."""
        return sum(
            length_of("".join(run.text for run in block.runs), self.unit_in_force)
            for chapter in self.chapters
            for scene in chapter.scenes
            for block in scene
        )


def set_chapter(number: int, title: str, chapter: Chapter) -> SetChapter:
    """Builds a chapter for typesetting, with footnotes numbered in order of first reference."""
    scenes = [[_plain(p.prose) for p in scene.paragraphs] for scene in chapter.scenes]
    texts = {
        match[1]: match[2] for scene in scenes for text in scene if (match := _NOTE.match(text))
    }
    numbers = _number_notes(texts, scenes)
    blocks = tuple(
        tuple(_block(text, numbers) for text in scene if not _is_note(text, numbers))
        for scene in scenes
    )
    notes = tuple(runs_of(texts[label], {}) for label in numbers)
    return SetChapter(number, title, tuple(filter(None, blocks)), notes)


def _number_notes(texts: Mapping[str, str], scenes: list[list[str]]) -> dict[str, int]:
    """Maps the labels of footnotes that are referenced and have a text to their numbers."""
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


def _block(text: str, numbers: Mapping[str, int]) -> ManuscriptBlock:
    quoted = all(_QUOTE.match(line) for line in text.split("\n"))
    return ManuscriptBlock(runs_of(_QUOTE.sub("", text) if quoted else text, numbers), quoted)


def _plain(text: str) -> str:
    """Returns the text with line ends as newlines and without characters that XML forbids."""
    return _FORBIDDEN.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def clean(text: str) -> str:
    """Returns a title or name on one line, without characters that XML forbids."""
    return " ".join(_FORBIDDEN.sub("", text).split())
