"""Splits a text into paragraphs, scene breaks and wide gaps, each with its line number.

The only decision made here is whether paragraphs are blocks between blank lines or single lines, as
in many Korean and Chinese web novels.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median
from typing import Literal

from studio.story.line_layout import is_wrapped
from studio.story.scene_marks import is_ornament

Paragraphing = Literal["blocks", "lines"]
LineRole = Literal["", "own", "chapter", "part", "title", "matter", "note"]
"""What a document itself says that a line is: the heading of a chapter or of a part, the title of
the heading above it, or the heading of something that is no chapter (an imprint, a colophon). That
of a chapter in an export of the studio's is its own. A note is the author's to her readers, and
belongs to a chapter without being its prose."""

_LINE_END = re.compile("\r\n|[\r\x0b\x0c\x85\u2028]")
_MARKDOWN_HEADING = re.compile(r"#{1,6}[ \t]+\S")
_SENTENCE_END = re.compile(r"(?:[.!?…。！？~～—][\"'”’」』》）)*_]*|[”’」』\"])$")
_INDENT = re.compile(r"(?:\u3000+|\t+| {2,})\S")
_CHAPTER = re.compile(
    r"\s*(?:第\s*[0-9０-９〇零一二三四五六七八九十百千]+\s*[章回節节話话]|제\s*\d+\s*[장화회]|\d+\s*[장화회]\b|chapter\s)",
    re.IGNORECASE,
)
_MIDDLE = 8
"""The columns of blanks before a line that is set in the middle."""
_BLANK = re.compile(r"(?:&nbsp;|&#160;|<br ?/?>|\\)(?:\s*(?:&nbsp;|&#160;|<br ?/?>|\\))*")
_FEWEST_TO_A_BLANK = 3
"""The number of paragraphs to each empty one that makes empty ones scene breaks."""
_WIDE_GAP = 3
"""The number of blank lines that separate scenes, unless paragraphs are
usually separated that way."""
_FEWEST_LINES, _MOST_LINES = 2, 0.6


@dataclass(frozen=True, slots=True)
class ImportedBlock:
    """A paragraph, or the ornament or gap between two scenes."""

    text: str
    """The text without surrounding white space; empty for a gap."""
    line: int
    """The passage's first line in the source, from 1."""
    last_line: int
    parts: bool = False
    """Whether the passage is a scene break (an ornament or a wide gap) rather than prose."""
    apart: bool = True
    """Whether both sides are bounded by blank lines, ornaments or an end of the text."""
    role: LineRole = ""
    indent: int = 0
    """How far the first line is indented, in columns: a title may be centred by blanks."""

    @property
    def is_prose(self) -> bool:
        """Whether the passage is a paragraph of the story."""
        return not self.parts and self.role != "note"


@dataclass(frozen=True, slots=True)
class Cut:
    """A whole text split into passages, and how its paragraphs are separated."""

    passages: tuple[ImportedBlock, ...]
    paragraphing: Paragraphing


def normalise(text: str) -> str:
    """Returns the text with newlines as line ends and without byte order marks."""
    text = text.replace("\ufeff", "").replace("\u2029", "\n\n")
    return _LINE_END.sub("\n", text)


def cut(text: str, paragraphing: Paragraphing | None = None) -> Cut:
    """Splits a normalised text into passages; paragraphing is guessed unless given."""
    if paragraphing is None:
        paragraphing = guess_paragraphing(text)
    blocks = list(_blocks(text.split("\n")))
    indents = paragraphing == "blocks" and _begins_with_indents(text)
    wide = _wide_gap(blocks)
    passages: list[ImportedBlock] = []
    last = 0
    for first, block in blocks:
        if passages and first - last - 1 >= wide and not passages[-1].parts:
            passages.append(ImportedBlock("", last + 1, first - 1, parts=True))
        passages += _passages(block, first, paragraphing, indents)
        last = first + len(block) - 1
    return Cut(tuple(_without_blanks(passages)), paragraphing)


def _without_blanks(passages: Sequence[ImportedBlock]) -> Sequence[ImportedBlock]:
    """Returns the passages without the empty paragraphs that other programs write into Markdown
    (`&nbsp;`, a lone backslash, `<br>`): each is a scene break where they are rare."""
    blank = [index for index, p in enumerate(passages) if _BLANK.fullmatch(p.text)]
    if not blank:
        return passages
    is_break_ = blanks_are_breaks(len(blank), sum(not p.parts for p in passages) - len(blank))
    blanks = set(blank)
    return [
        replace(p, text="", parts=True) if index in blanks else p
        for index, p in enumerate(passages)
        if index not in blanks or is_break_
    ]


def blanks_are_breaks(blanks: int, paragraphs: int) -> bool:
    """Whether empty paragraphs are scene breaks: where they are rare. Where every second paragraph
    or more has one below it, it is how that text sets its paragraphs apart."""
    return blanks * _FEWEST_TO_A_BLANK <= paragraphs


def _blocks(lines: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Yields every run of non-blank lines with the number of its first line."""
    block: list[str] = []
    for number, line in enumerate([*lines, ""], start=1):
        if line.strip():
            block.append(line)
        elif block:
            yield number - len(block), block
            block = []


def _passages(
    block: Sequence[str], first: int, paragraphing: Paragraphing, indents: bool
) -> Iterator[ImportedBlock]:
    """Yields a block's paragraphs; ornaments and Markdown headings are separate passages. With
    `indents`, an indented line begins a paragraph."""
    start = 0
    for end in range(1, len(block) + 1):
        begins = end < len(block) and indents and _INDENT.match(block[end])
        if end < len(block) and paragraphing == "blocks" and not (begins or _single(block, end)):
            continue
        text = "\n".join(block[start:end]).strip()
        is_apart = (not start or is_ornament(block[start - 1])) and (
            end == len(block) or is_ornament(block[end])
        )
        indent = _indent_of(block[start])
        last = first + end - 1
        yield ImportedBlock(text, first + start, last, is_ornament(text), is_apart, indent=indent)
        start = end


def _indent_of(line: str) -> int:
    """Returns the width of the white space before a line: two columns for an ideographic space,
    four for a tab."""
    blanks = line[: len(line) - len(line.lstrip())]
    return sum({"\u3000": 2, "\t": 4}.get(blank, 1) for blank in blanks)


def _begins_with_indents(text: str) -> bool:
    """Whether a text wrapped by hand shows by an indent where a paragraph begins."""
    lines = [line for line in text.split("\n") if line.strip()]
    indented = sum(1 for line in lines if _INDENT.match(line))
    return 0 < indented < _MOST_LINES * len(lines) and is_wrapped(_lines_of_blocks(text))


def _lines_of_blocks(text: str) -> list[list[str]]:
    """Returns the blocks of a text without the white space at the end of each line, and without
    what is set in the middle, the headings of chapters and the line below each: these end amid no
    sentence, however long they are."""
    blocks: list[list[str]] = []
    for _, block in _blocks(text.split("\n")):
        are_heads = [_CHAPTER.match(line) is not None for line in block]
        blocks.append(
            [
                line.rstrip()
                for line, is_head, is_below in zip(
                    block, are_heads, [False, *are_heads[:-1]], strict=True
                )
                if not (is_head or is_below or _indent_of(line) >= _MIDDLE)
            ]
        )
    return blocks


def _single(block: Sequence[str], line_number: int) -> bool:
    """Whether a paragraph ends between the line before `line_number` and that line."""
    return any(
        is_ornament(line) or _MARKDOWN_HEADING.match(line)
        for line in block[line_number - 1 : line_number + 1]
    )


def _wide_gap(blocks: Sequence[tuple[int, Sequence[str]]]) -> int:
    """Returns the number of blank lines that separates scenes: at least three, and
    more than is usual in the text."""
    gaps = [lower[0] - upper[0] - len(upper[1]) for upper, lower in pairwise(blocks)]
    return max(_WIDE_GAP, int(median(gaps)) + 1) if gaps else _WIDE_GAP


def guess_paragraphing(text: str) -> Paragraphing:
    """Returns `lines` where lines directly followed by others are whole paragraphs: most of them
    end like a sentence or begin with an indent, and were not wrapped by hand. Otherwise returns
    `blocks`."""
    candidates = [
        line
        for line, following in pairwise(text.split("\n"))
        if line.strip()
        and following.strip()
        and not is_ornament(line)
        and not is_ornament(following)
    ]
    candidates = [line for line in candidates if not _MARKDOWN_HEADING.match(line)]
    if len(candidates) < _FEWEST_LINES or is_wrapped(_lines_of_blocks(text)):
        return "blocks"
    whole = sum(1 for line in candidates if _SENTENCE_END.search(line.strip()))
    indented = sum(1 for line in candidates if _INDENT.match(line))
    return "lines" if max(whole, indented) >= _MOST_LINES * len(candidates) else "blocks"
