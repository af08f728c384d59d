"""A chapter's text and its parts: title, scenes, paragraphs, each with its place in the text.

The text is kept exactly as it is in the file; parts are spans into it, so a
change can replace a span and leave every other byte alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

SCENE_BREAK = "* * *"
_BREAK_LINE = re.compile(r"[ \t]*(?:\*[ \t]*){3,}$|[ \t]*(?:-[ \t]*){3,}$|[ \t]*⁂[ \t]*$")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|$)")


def sha256_of(text: str) -> str:
    """Hex sha256 of the text's UTF-8 bytes: what every derived file names as its source."""
    import hashlib

    return hashlib.sha256(text.encode("utf-8")).hexdigest()


class Paragraph(NamedTuple):
    """One paragraph; `text` is `chapter.text[start:end]`."""

    scene: int
    """Scene number, from 1."""
    number: int
    """Number within the scene, from 1."""
    start: int
    end: int
    text: str


class Scene(NamedTuple):
    """The paragraphs between two scene breaks."""

    number: int
    paragraphs: tuple[Paragraph, ...]

    @property
    def start(self) -> int:
        """Offset of the first paragraph's first character."""
        return self.paragraphs[0].start

    @property
    def end(self) -> int:
        """Offset behind the last paragraph's last character."""
        return self.paragraphs[-1].end


@dataclass(frozen=True)
class Chapter:
    """The text of a chapter, cut into scenes and paragraphs on demand."""

    text: str

    @cached_property
    def sha256(self) -> str:
        """Identity of this text."""
        return sha256_of(self.text)

    @cached_property
    def title(self) -> str | None:
        """The words of the `# Title` line, or None if there is none; reads no further."""
        return _title(self.text)

    @cached_property
    def scenes(self) -> tuple[Scene, ...]:
        """Scenes that hold at least one paragraph, numbered from 1."""
        return _parse(self.text)

    @cached_property
    def paragraphs(self) -> tuple[Paragraph, ...]:
        """All paragraphs in order."""
        return tuple(p for scene in self.scenes for p in scene.paragraphs)

    def scene(self, number: int) -> Scene | None:
        """The scene of that number, or None."""
        return self.scenes[number - 1] if 1 <= number <= len(self.scenes) else None

    def passage(self, scene: int, first: int, last: int) -> tuple[Paragraph, ...]:
        """Paragraphs `first` to `last` of a scene; empty if they do not all exist."""
        found = self.scene(scene)
        if found is None or not 1 <= first <= last <= len(found.paragraphs):
            return ()
        return found.paragraphs[first - 1 : last]

    def scene_text(self, number: int) -> str:
        """A scene's paragraphs as they stand, separators between them included."""
        scene = self.scene(number)
        return self.text[scene.start : scene.end] if scene else ""

    def replace_scene(self, number: int, text: str) -> Chapter:
        """The chapter with one scene's text replaced; all bytes outside stay."""
        scene = self.scene(number)
        if scene is None:
            raise ValueError(f"there is no scene {number}")
        return Chapter(self.text[: scene.start] + text.strip() + self.text[scene.end :])

    def replace_passage(self, passage: Sequence[Paragraph], paragraphs: Sequence[str]) -> Chapter:
        """The chapter with consecutive paragraphs replaced; all bytes outside stay.

        With no new paragraphs the passage goes, together with the blank lines
        behind it (or before it, when it ends its scene).
        """
        start, end = passage[0].start, passage[-1].end
        if paragraphs:
            joiner = self.newline * 2
            return Chapter(self.text[:start] + joiner.join(paragraphs) + self.text[end:])
        scene = self.scene(passage[0].scene)
        assert scene is not None
        last = passage[-1].number
        if last < len(scene.paragraphs):
            end = scene.paragraphs[last].start
        elif passage[0].number > 1:
            start = scene.paragraphs[passage[0].number - 2].end
        return Chapter(self.text[:start] + self.text[end:])

    @cached_property
    def newline(self) -> str:
        """The line ending this text uses."""
        return "\r\n" if "\r\n" in self.text else "\n"


def passage_text(passage: Sequence[Paragraph]) -> str:
    """Paragraphs joined by a blank line: what a directive's `source_sha256` is taken of."""
    return "\n\n".join(p.text for p in passage)


def compose(title: str, scenes: Sequence[str]) -> str:
    """A chapter file from a title and the texts of its scenes."""
    body = f"\n\n{SCENE_BREAK}\n\n".join(scene.strip() for scene in scenes if scene.strip())
    return f"# {title.strip()}\n\n{body}\n"


def split_paragraphs(text: str) -> list[str]:
    """The paragraphs of a loose piece of prose, scene breaks left out."""
    return [p.text for p in Chapter("\n\n" + text).paragraphs]


def _title(text: str) -> str | None:
    """The first line that holds anything but a scene break, if it is a title."""
    for match in _LINE.finditer(text):
        bare = match[0].strip().lstrip("\ufeff")
        if bare and not _BREAK_LINE.match(match[0].rstrip("\r\n")):
            return bare[2:].strip() if bare.startswith("# ") else None
    return None


def _parse(text: str) -> tuple[Scene, ...]:
    titled = False
    scenes: list[Scene] = []
    current: list[Paragraph] = []
    begin = end = -1  # span of the paragraph being read

    def close_paragraph() -> None:
        nonlocal begin
        if begin >= 0:
            current.append(
                Paragraph(len(scenes) + 1, len(current) + 1, begin, end, text[begin:end])
            )
            begin = -1

    def close_scene() -> None:
        close_paragraph()
        if current:
            scenes.append(Scene(len(scenes) + 1, tuple(current)))
            current.clear()

    for match in _LINE.finditer(text):
        line = match[0].rstrip("\r\n")
        bare = line.strip().lstrip("\ufeff")
        if not bare:
            close_paragraph()
        elif bare[0] in "*-⁂" and _BREAK_LINE.match(line):
            close_scene()
        elif not titled and begin < 0 and not current and not scenes and bare.startswith("# "):
            titled = True
        else:
            if begin < 0:
                begin = match.start() + line.index(bare[0])
            end = match.start() + len(line.rstrip())
    close_scene()
    return tuple(scenes)
