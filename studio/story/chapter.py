"""A chapter's text and its parts: title, scenes and paragraphs, each with its span in the text.

The text is kept exactly as it is in the file; parts are spans of it, so a change can replace a span
and leave every other byte alone. Notes to people and front matter belong to no part (see notes.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal, NamedTuple

from studio.errors import usage
from studio.messages import said
from studio.story.line_layout import paragraph_runs
from studio.story.notes import between, mask, note_spans, with_notes_of, without_notes
from studio.story.scene_marks import (
    begins_with_break,
    ends_with_break,
    is_scene_break,
)

SCENE_BREAK = "* * *"
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|$)")
_LINE_END = re.compile(r"\r\n|\r|\n")


def sha256_of(text: str) -> str:
    """Returns the hex sha256 of the text's UTF-8 bytes, which derived files name as source."""
    import hashlib

    return hashlib.sha256(text.encode("utf-8")).hexdigest()


class Paragraph(NamedTuple):
    """One paragraph; `text` is `chapter.text[start:end]`."""

    scene: int
    """The scene number, from 1."""
    number: int
    """The number within the scene, from 1."""
    start: int
    end: int
    text: str

    @property
    def prose(self) -> str:
        """The paragraph without the notes to people inside it."""
        return without_notes(self.text)


class Scene(NamedTuple):
    """The paragraphs between two scene breaks."""

    number: int
    paragraphs: tuple[Paragraph, ...]

    @property
    def start(self) -> int:
        """The offset of the first paragraph's first character."""
        return self.paragraphs[0].start

    @property
    def end(self) -> int:
        """The offset just after the last paragraph's last character."""
        return self.paragraphs[-1].end


@dataclass(frozen=True)
class Chapter:
    """The text of a chapter, split into scenes and paragraphs on demand."""

    text: str

    @cached_property
    def sha256(self) -> str:
        """The sha256 of the text, by which records identify this version."""
        return sha256_of(self.text)

    @cached_property
    def title(self) -> str | None:
        """The words of the `# Title` line, or None; reads no further than that line."""
        return _title(mask(self.text))

    @cached_property
    def scenes(self) -> tuple[Scene, ...]:
        """The scenes with at least one paragraph, numbered from 1."""
        return _parse(self.text)

    @cached_property
    def paragraphs(self) -> tuple[Paragraph, ...]:
        """The paragraphs of all scenes, in text order."""
        return tuple(p for scene in self.scenes for p in scene.paragraphs)

    def scene(self, number: int) -> Scene | None:
        """Returns the scene with that number, from 1; None if there is none."""
        return self.scenes[number - 1] if 1 <= number <= len(self.scenes) else None

    def passage(self, scene: int, first: int, last: int) -> tuple[Paragraph, ...]:
        """Returns paragraphs `first` to `last` of a scene; empty unless all of them exist."""
        its_scene = self.scene(scene)
        if its_scene is None or not 1 <= first <= last <= len(its_scene.paragraphs):
            return ()
        return its_scene.paragraphs[first - 1 : last]

    def scene_text(self, number: int) -> str:
        """Returns a scene's text unchanged, including the separators between paragraphs."""
        scene = self.scene(number)
        return self.text[scene.start : scene.end] if scene else ""

    def replace_passage(self, passage: Sequence[Paragraph], paragraphs: Sequence[str]) -> Chapter:
        """Returns the chapter with consecutive paragraphs replaced; all bytes outside stay.

        Without new paragraphs the passage is removed, together with the blank lines after it (or
        before it, when it ends its scene).
        """
        start, end = passage[0].start, passage[-1].end
        if not paragraphs:
            start, end = self.cut_span(passage)
        gap = self.gap_at(passage)
        return Chapter(self.text[:start] + gap.join(paragraphs) + self.text[end:])

    def cut_span(self, passage: Sequence[Paragraph]) -> tuple[int, int]:
        """Returns the span to remove with a passage: up to the next paragraph of its scene, or from
        the end of the previous one where the passage ends the scene. A passage that is its whole
        scene goes with the scene's rule."""
        start, end = passage[0].start, passage[-1].end
        scene = self.scene(passage[0].scene)
        assert scene is not None
        last = passage[-1].number
        if last < len(scene.paragraphs):
            end = scene.paragraphs[last].start
        elif passage[0].number > 1:
            start = scene.paragraphs[passage[0].number - 2].end
        elif scene.number > 1:
            start = self.scenes[scene.number - 2].end
        elif len(self.scenes) > 1:
            end = self.scenes[1].start
        return start, end

    def with_notes(
        self, passage: Sequence[Paragraph], rewritten: Sequence[str]
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Returns the new paragraphs with the notes of the passage restored in and between them,
        and the notes that had to move because the words before them are gone."""
        old, new = self.text[passage[0].start : passage[-1].end], "\n\n".join(rewritten)
        notes = [old[note.start : note.end] for note in note_spans(old)]
        lost = [words for words in notes if words not in new]
        if not lost:
            return tuple(rewritten), ()
        if len(rewritten) != len(passage):  # the words beside the notes were cut
            return (" ".join(lost), *rewritten), ()
        gaps = between(self.text, [(p.start, p.end) for p in passage])
        paragraphs: list[str] = []
        displaced_notes: list[str] = []
        for paragraph, fresh, gap in zip(passage, rewritten, [*gaps, ""], strict=True):
            restored = with_notes_of(paragraph.text, fresh)
            displaced_notes += restored.displaced
            paragraphs += [restored.text, *([gap] if gap and gap not in new else [])]
        return tuple(paragraphs), tuple(displaced_notes)

    @cached_property
    def newline(self) -> str:
        """The line ending of the file."""
        return "\r\n" if "\r\n" in self.text else "\n"

    def with_newlines(self, paragraphs: Iterable[str]) -> tuple[str, ...]:
        """Returns new paragraphs with the line endings of the file inside them."""
        return tuple(_LINE_END.sub(self.newline, text) for text in paragraphs)

    def gap_at(self, passage: Sequence[Paragraph]) -> str:
        """Returns the separator between two paragraphs at a passage: a line end alone where it
        stands among lines of which each is a paragraph, as other scenes need not."""
        first, last = self.paragraphs.index(passage[0]), self.paragraphs.index(passage[-1])
        near = self.paragraphs[max(0, first - 1) : last + 2]
        is_by_line = any(
            a.scene == b.scene and len(_LINE_END.findall(self.text[a.end : b.start])) == 1
            for a, b in pairwise(near)
        )
        return self.newline if is_by_line else self.newline * 2

    def spread_out(self) -> Chapter:
        """Returns the chapter with a blank line between paragraphs where each was a single line
        directly below the previous one, as Korean and Chinese web novels are often saved; else the
        chapter itself."""
        text, masked = self.text, mask(self.text)
        if not _runs_of_lines(masked, list(_lines(masked))):
            return self
        for paragraph, after in reversed(list(pairwise(self.paragraphs))):
            is_parted = "\n" in self.text[paragraph.end : after.start].replace("\n", "", 1)
            if paragraph.scene == after.scene and not is_parted:
                text = text[: paragraph.end] + self.newline + text[paragraph.end :]
        return Chapter(text)


def paragraphs_put(
    before: Chapter, passage: Sequence[Paragraph], after: Chapter
) -> tuple[Paragraph, ...]:
    """Returns the paragraphs that stand in `after` where `before` has a passage; none for a cut,
    whatever notes to people it left."""
    start, end = passage[0].start, len(after.text) - len(before.text) + passage[-1].end
    return tuple(p for p in after.paragraphs if p.end > start and p.start < end)


def with_breaks(paragraphs: Iterable[Paragraph]) -> str:
    """Returns the prose of some paragraphs, with a break where another scene begins."""
    rows: list[str] = []
    last: Paragraph | None = None
    for paragraph in paragraphs:
        if last is not None and last.scene != paragraph.scene:
            rows.append(SCENE_BREAK)
        rows.append(paragraph.prose)
        last = paragraph
    return "\n\n".join(rows)


def passage_text(passage: Sequence[Paragraph]) -> str:
    """Joins paragraphs with a blank line, the form that a directive's `source_sha256` hashes."""
    return "\n\n".join(p.text for p in passage)


def compose(title: str, scenes: Iterable[str], *, breaks: bool = True) -> str:
    """Builds a chapter file from a title and the texts of its scenes, with a mark between them or,
    without `breaks`, as one text. Where a scene ends or begins with a break of its own, that is the
    mark."""
    body = ""
    for scene in filter(None, map(str.strip, scenes)):
        is_parted = not breaks or ends_with_break(body) or begins_with_break(scene) > 0
        between = "\n\n" if is_parted else f"\n\n{SCENE_BREAK}\n\n"
        body += between + scene if body else scene
    return f"# {title.strip()}\n\n{body}\n"


def split_paragraphs(text: str) -> list[str]:
    """Splits a piece of prose outside a chapter into paragraphs, without scene breaks."""
    return [p.text for p in Chapter("\n\n" + text).paragraphs]


def no_prose_of(text: str) -> str:
    """The first line of a loose piece of prose that is no part of a paragraph: a title, a scene
    break, a note by itself; empty where all of it is prose."""
    start = 0
    for paragraph in (*(loose := Chapter("\n\n" + text)).paragraphs, None):
        end = len(loose.text) if paragraph is None else paragraph.start
        if between := loose.text[start:end].strip().lstrip("\ufeff"):
            return between.splitlines()[0]
        start = end if paragraph is None else paragraph.end
    return ""


def refuse_no_prose(text: str) -> None:
    """Raises StudioError (exit 2) where a loose piece of prose holds what is no part of one."""
    if line := no_prose_of(text):
        raise usage(
            said("“{line}” cannot stand in a passage.", line=line),
            said(
                "Leave it out, or change the chapter itself, where titles and scene breaks belong."
            ),
        )


def _title(text: str) -> str | None:
    """Returns the title if the first line that is neither blank nor a scene break is one."""
    for match in _LINE.finditer(text):
        bare = match[0].strip().lstrip("\ufeff")
        if bare and not is_scene_break(match[0].rstrip("\r\n"), bare):
            return bare[2:].strip() if bare.startswith("# ") else None
    return None


_Line = tuple[Literal["blank", "break", "prose"], int, int]


def _lines(text: str) -> Iterator[_Line]:
    """Yields the kind and the span of each line of a text without notes, except its title."""
    untitled = True
    start = 0
    for line in _LINE.findall(text):
        end = start + len(line.rstrip())
        bare = line.strip().lstrip("\ufeff")
        if not bare:
            yield "blank", end, end
        elif is_scene_break(line.rstrip("\r\n"), bare):
            yield "break", start, end
        else:
            if not (untitled and bare.startswith("# ")):
                yield "prose", start + line.index(bare[0]), end
            untitled = False
        start += len(line)


def _runs_of_lines(text: str, lines: Sequence[_Line]) -> frozenset[int]:
    """Returns where each run begins whose every line is a paragraph; the text must be without
    notes."""
    if not any(upper[0] == lower[0] == "prose" for upper, lower in pairwise(lines)):
        return frozenset()
    scenes: list[list[list[tuple[int, int]]]] = [[[]]]
    for kind, start, end in lines:
        if kind == "prose":
            scenes[-1][-1].append((start, end))
        elif scenes[-1][-1]:
            scenes[-1].append([])
        if kind == "break" and scenes[-1] != [[]]:
            scenes.append([[]])
    scenes = [[block for block in scene if block] for scene in scenes]
    scenes = [scene for scene in scenes if scene]
    words = [[[text[at:end] for at, end in block] for block in scene] for scene in scenes]
    return frozenset(scenes[scene][block][0][0] for scene, block in paragraph_runs(words))


def _parse(whole: str) -> tuple[Scene, ...]:
    text = mask(whole)
    lines = list(_lines(text))
    runs = _runs_of_lines(text, lines)
    by_line = False
    scenes: list[Scene] = []
    current: list[Paragraph] = []
    begin = close = -1  # the span of the current paragraph

    def close_paragraph() -> None:
        nonlocal begin
        if begin >= 0:
            words = whole[begin:close]
            current.append(Paragraph(len(scenes) + 1, len(current) + 1, begin, close, words))
            begin = -1

    def close_scene() -> None:
        close_paragraph()
        if current:
            scenes.append(Scene(len(scenes) + 1, tuple(current)))
            current.clear()

    for kind, start, end in lines:
        by_line = start in runs or (by_line and kind == "prose")
        if by_line or kind == "blank":
            close_paragraph()
        if kind == "break":
            close_scene()
        elif kind == "prose":
            begin, close = (start if begin < 0 else begin), end
    close_scene()
    return tuple(scenes)
