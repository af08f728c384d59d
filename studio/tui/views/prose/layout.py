"""The layout of a manuscript in rows: where each block is, and which blocks still need wrapping.

Blocks out of sight are wrapped in slices; until then their height is an estimate, so a text of any
length can be displayed at once (performance, rule 1).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import accumulate
from typing import NamedTuple

from studio.tui.views.prose.blocks import Block, StreamedBlocks
from studio.tui.views.prose.wrapping import cells

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
