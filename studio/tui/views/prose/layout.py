"""The layout of a manuscript in rows: where each block is, and which blocks still need wrapping.

Blocks out of sight are wrapped in slices; until then their height is an estimate, so a text of any
length can be displayed at once (performance, rule 1).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import accumulate
from typing import Literal, NamedTuple

from studio.story.chapter import SCENE_BREAK, Chapter
from studio.story.notes import mask
from studio.text.safe import safe_text
from studio.tui.views.prose.wrapping import LINE, NARROWEST, cells, extend, roughly, wrap

ProseBlockKind = Literal["title", "paragraph", "break", "note"]

_BREAK_SIGNS = "*⁂-\ufeff"
_ZWJ = "\u200d"
_NOTES = ("%%", "<!--")


class Block:
    """A title, a paragraph, a scene break or a note to people that stands alone; its `lines` joined
    are its text."""

    __slots__ = ("kind", "lines", "number", "scene", "width")

    def __init__(self, kind: ProseBlockKind, scene: int, number: int, text: str) -> None:
        self.kind = kind
        self.scene = scene
        """The number of the scene, from 1; a break belongs to the scene after it."""
        self.number = number
        """The number of the paragraph within its scene, from 1; 0 for titles, breaks and notes."""
        self.lines = [text]
        self.width = 0
        """The width that the lines are wrapped for, in cells; 0 if they are not wrapped yet."""

    @property
    def text(self) -> str:
        """The whole text of the block."""
        return "".join(self.lines)

    @property
    def label(self) -> str:
        """The label in the gutter: scene and paragraph."""
        return f"{self.scene}.{self.number}" if self.number else ""

    def rows(self, width: int) -> int:
        """Returns the number of lines at a width; an estimate unless the block is wrapped for
        it."""
        if self.width == width:
            return len(self.lines)
        if self.width:
            return max(1, len(self.lines) * self.width // max(NARROWEST, width))
        return 1 + roughly(self.lines[0]) // max(NARROWEST, width)

    def fit(self, width: int) -> None:
        """Wraps the block for a width."""
        if self.width != width:
            self.lines = wrap(self.text, width)
            self.width = width

    def grow(self, addition: str) -> None:
        """Appends text; only the last line is wrapped again."""
        if self.width:
            extend(self.lines, addition, self.width)
        else:
            self.lines[-1] += addition

    def trim(self) -> None:
        """Strips white space from the end."""
        while len(self.lines) > 1 and not self.lines[-1].strip():
            self.lines.pop()
        self.lines[-1] = self.lines[-1].rstrip()


class StreamedBlocks:
    """The blocks of a text that arrives in pieces."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.width = 0
        """The width that new blocks are wrapped for, in cells; 0 leaves them unwrapped."""
        self.label_width = 0
        """The length of the longest paragraph number so far."""
        self._scene, self._number = 1, 0
        self._open = False  # whether a line without a blank line before it continues a paragraph
        self._flowing = False  # whether the current line is known to be prose
        self._line = ""  # the current line, while it may still be a break or a title
        self._last = " "  # the last character fed
        self._held = ""  # a character at the end whose meaning depends on the next piece

    def feed(self, text: str) -> None:
        """Adds a piece of text, which may be cut anywhere."""
        text = self._held + text
        self._held = text[-1] if text.endswith(("\r", _ZWJ)) else ""
        text = text.removesuffix(self._held)
        for line in LINE.findall(text.replace("\r\n", "\n").replace("\r", "\n")):
            self._take(line.removesuffix("\n"))
            if line.endswith("\n"):
                self._end_line()

    def settle(self) -> None:
        """Ends the text: a held-back last line becomes a break, a title or a paragraph."""
        if self._line:
            self._end_line()
        self._close_paragraph()

    def _take(self, piece: str) -> None:
        if self._flowing:
            self.blocks[-1].grow(self._show(piece))
        else:
            self._line += piece
            if not self._may_go_on():
                self._begin_prose()

    def _may_go_on(self) -> bool:
        bare = self._line.strip().lstrip("\ufeff")
        if bare[:2] in ("#", "# ") and self._at_top():
            return True
        return all(sign.isspace() or sign in _BREAK_SIGNS for sign in self._line)

    def _at_top(self) -> bool:
        return not self.blocks

    def _begin_prose(self) -> None:
        line, self._line, self._flowing = self._line, "", True
        if self._open:
            self._last = "\n"
            self.blocks[-1].grow("\n" + self._show(line))
            return
        self._open = True
        self._number += 1
        self._add("paragraph", line.lstrip().lstrip("\ufeff"), self._number)

    def _end_line(self) -> None:
        line, self._line = self._line, ""
        if self._flowing:
            self._flowing = False
        elif not line.strip().lstrip("\ufeff"):
            self._close_paragraph()
        elif _is_break(line):
            self._close_scene()
        elif self._at_top() and (title := Chapter(line).title) is not None:
            self._add("title", title)
        else:
            self._line = line
            self._begin_prose()
            self._flowing = False

    def _close_paragraph(self) -> None:
        if self._open:
            block = self.blocks[-1]
            block.trim()
            self._open = False
            if block.text.startswith(_NOTES) and not mask(block.text).strip():
                block.kind, block.number = "note", 0  # no paragraph (BOOK 2)
                self._number -= 1

    def _close_scene(self) -> None:
        self._close_paragraph()
        if self._number:
            self._scene, self._number = self._scene + 1, 0
            self._add("break", SCENE_BREAK)

    def _add(self, kind: ProseBlockKind, text: str, number: int = 0) -> None:
        self._last = " "
        block = Block(kind, self._scene, number, self._show(text))
        if self.width:
            block.fit(self.width)
        self.blocks.append(block)
        self.label_width = max(self.label_width, len(block.label))

    def _show(self, piece: str) -> str:
        """Makes a piece harmless; a joiner at its start is judged by the character before it."""
        text = safe_text(self._last + piece)[1:].replace("\t", " ")
        self._last = (piece or self._last)[-1]
        return text


def _is_break(line: str) -> bool:
    return len(Chapter(f"a\n{line}\nb").scenes) == 2


SLICE = 12_000
"""The number of characters wrapped at once, which takes a millisecond or two."""


class PageRow(NamedTuple):
    """A row of the page: a line of a block, or the blank row below it (`line` is None)."""

    block: int
    line: int | None


class Spot(NamedTuple):
    """A place in the text: a block, and a character offset in it."""

    block: int
    offset: int


class Page:
    """The rows of a manuscript at a given width. Each block has a blank row below it; on a compact
    page there is none between two paragraphs."""

    def __init__(self, width: int = 0) -> None:
        self.width = width
        self.compact = False
        self._manuscript = StreamedBlocks()
        self._manuscript.width = width
        self._tops = [0]  # the first row of each block, then the number of rows
        self._unwrapped = 0  # all blocks before this one are wrapped

    @property
    def blocks(self) -> list[Block]:
        """The blocks, in order."""
        return self._manuscript.blocks

    @property
    def label_width(self) -> int:
        """The length of the longest paragraph number."""
        return self._manuscript.label_width

    @property
    def height(self) -> int:
        """The number of rows, without the blank one at the end."""
        return max(0, self._tops[-1] - self._gap(len(self.blocks) - 1))

    def load(self, text: str) -> None:
        """Replaces the text; nothing is wrapped yet."""
        self._manuscript = StreamedBlocks()
        self._manuscript.feed(text)
        self._manuscript.settle()
        self._manuscript.width = self.width
        self._unwrapped = 0
        self._tops = [0]
        self._measure()

    def feed(self, text: str) -> int:
        """Appends text; returns the first row that changed."""
        tail = max(0, len(self.blocks) - 1)
        first = self._tops[tail]
        if self.blocks:
            first += max(0, self.blocks[tail].rows(self.width) - 1)
        self._manuscript.feed(text)
        self._measure(tail)
        return first

    def resize(self, width: int) -> None:
        """Sets a new width; wrap the visible rows with `wrap_rows` and the rest in slices."""
        if width != self.width:
            self.width = self._manuscript.width = width
            self._unwrapped = 0
            self._measure()

    def close_up(self, compact: bool) -> None:
        """Takes the blank rows between paragraphs out, or puts them back."""
        self.compact = compact
        self._measure()

    def top_of(self, block: int) -> int:
        """Returns the first row of a block."""
        return self._tops[block]

    def row(self, y: int) -> PageRow | None:
        """Returns the content of row `y`; None outside the page."""
        if not 0 <= y < self.height:
            return None
        block = bisect_right(self._tops, y) - 1
        line = y - self._tops[block]
        return PageRow(block, line if line < len(self.blocks[block].lines) else None)

    def wrap_rows(self, top: int, count: int) -> bool:
        """Wraps the blocks of `count` rows from row `top` on; returns whether rows below it
        moved."""
        has_moved = False
        first = block = min(max(0, bisect_right(self._tops, top) - 1), len(self.blocks))
        rows_done = self._tops[block] - top
        while block < len(self.blocks) and rows_done < count:
            has_moved |= self._wrap(block)
            rows_done += self.blocks[block].rows(self.width) + self._gap(block)
            block += 1
        if has_moved:
            self._measure(first, block)
        return has_moved

    def wrap_slice(self) -> bool:
        """Wraps about `SLICE` more characters; returns whether anything is left to wrap."""
        first, budget = self._unwrapped, SLICE
        while self._unwrapped < len(self.blocks) and budget > 0:
            block = self.blocks[self._unwrapped]
            budget -= sum(map(len, block.lines)) if self._wrap(self._unwrapped) else 10
            self._unwrapped += 1
        self._measure(first, self._unwrapped)
        return self._unwrapped < len(self.blocks)

    def spot(self, y: int, x: int) -> Spot | None:
        """Returns the place in the text nearest to a cell; None on an empty page."""
        if not self.blocks:
            return None
        if y < 0:
            return Spot(0, 0)
        row = self.row(y)
        if row is None:
            last = len(self.blocks) - 1
            return Spot(last, len(self.blocks[last].text))
        lines = self.blocks[row.block].lines
        if row.line is None:
            return Spot(row.block, sum(map(len, lines)))
        before = cells(lines[row.line].rstrip())
        within = max(0, bisect_right(before, max(0, x)) - 1)
        return Spot(row.block, sum(map(len, lines[: row.line])) + within)

    def cell(self, spot: Spot) -> tuple[int, int]:
        """Returns the row and column of a place in the text."""
        lines = self.blocks[spot.block].lines
        offset = spot.offset
        for index, line in enumerate(lines):
            if offset < len(line) or index == len(lines) - 1:
                return self._tops[spot.block] + index, cells(line)[min(offset, len(line))]
            offset -= len(line)
        return self._tops[spot.block], 0

    def find(self, scene: int, number: int) -> int | None:
        """Returns the index of a paragraph's block, or None."""
        place = bisect_left(self.blocks, (scene, number), key=lambda b: (b.scene, b.number))
        if number and place < len(self.blocks):
            block = self.blocks[place]
            if (block.scene, block.number) == (scene, number):
                return place
        return None

    def between(self, start: Spot, end: Spot) -> str:
        """Returns the text from one place to another, with a blank line between blocks."""
        start, end = sorted((start, end))
        parts = []
        for index in range(start.block, end.block + 1):
            text = self.blocks[index].text
            first = start.offset if index == start.block else 0
            last = end.offset if index == end.block else len(text)
            parts.append(text[first:last])
        return "\n\n".join(parts)

    def _wrap(self, block: int) -> bool:
        if self.blocks[block].width == self.width:
            return False
        self.blocks[block].fit(self.width)
        return True

    def _gap(self, block: int) -> int:
        """Returns the number of blank rows below a block."""
        pair = self.blocks[max(0, block) : block + 2]
        return 0 if self.compact and all(one.kind == "paragraph" for one in pair) else 1

    def _measure(self, first: int = 0, stop: int | None = None) -> None:
        """Counts the rows of some blocks again and shifts the blocks after them."""
        stop = len(self.blocks) if stop is None else stop
        heights = (self.blocks[n].rows(self.width) + self._gap(n) for n in range(first, stop))
        tops = list(accumulate(heights, initial=self._tops[first]))
        behind = self._tops[stop + 1 :]
        shift = tops[-1] - self._tops[stop] if behind else 0
        self._tops[first:] = tops + ([top + shift for top in behind] if shift else behind)
