"""Marks in a text: the passage of a directive, the words of its evidence, a selection."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from studio.tui.views.prose.layout import Page, Spot
from studio.tui.views.prose.wrapping import cells


class ParagraphRange(NamedTuple):
    """The paragraphs `first` to `last` of a scene, all numbered from 1."""

    scene: int
    first: int
    last: int

    def holds(self, scene: int, number: int) -> bool:
        """Whether the passage contains this paragraph."""
        return scene == self.scene and self.first <= number <= self.last


class QuotedSpan(NamedTuple):
    """The characters `start` to `end` of a paragraph's text."""

    scene: int
    number: int
    start: int
    end: int


class Stretch(NamedTuple):
    """Characters of a line that are drawn in one style; the kind names the style."""

    start: int
    end: int
    kind: str


class Selection:
    """The writer's selection from its anchor to its head; the head moves."""

    def __init__(self, anchor: Spot) -> None:
        self.anchor = self.head = anchor

    def of(self, page: Page) -> str:
        """Returns the selected text."""
        return page.between(self.anchor, self.head)

    def passages(self, page: Page) -> tuple[ParagraphRange, ...]:
        """Returns the paragraphs that the selection touches, as one passage per scene."""
        start, end = sorted((self.anchor, self.head))
        numbers: dict[int, list[int]] = {}
        for block in page.blocks[start.block : end.block + (end.offset > 0)]:
            if block.number:
                numbers.setdefault(block.scene, []).append(block.number)
        return tuple(ParagraphRange(scene, span[0], span[-1]) for scene, span in numbers.items())

    def within(self, block: int, length: int) -> tuple[int, int] | None:
        """Returns the selected characters of a block of this length, if any."""
        start, end = sorted((self.anchor, self.head))
        if not start.block <= block <= end.block:
            return None
        first = start.offset if block == start.block else 0
        last = end.offset if block == end.block else length
        return (first, last) if first < last else None

    def step(self, page: Page, rows: int, columns: int) -> None:
        """Moves the head by rows or by characters."""
        if columns:
            self.head = _beside(page, self.head, columns)
            return
        y, x = page.cell(self.head)
        y = min(max(0, y + rows), max(0, page.height - 1))
        row = page.row(y)
        if row is not None and row.line is None:
            y += 1 if rows > 0 else -1
        self.head = page.spot(y, x) or self.head


def stretches(
    length: int, plain: str, overlays: Iterable[tuple[int, int, str]]
) -> Sequence[Stretch]:
    """Splits a line of this length where its style changes; a later overlay covers an earlier
    one."""
    overlays = [
        (max(0, start), min(length, end), kind)
        for start, end, kind in overlays
        if start < length and end > 0
    ]
    cuts = sorted({0, length, *(o[0] for o in overlays), *(o[1] for o in overlays)})
    joined: list[Stretch] = []
    for start, end in pairwise(cuts):
        kinds = [plain, *(kind for first, last, kind in overlays if first <= start < last)]
        if joined and joined[-1].kind == kinds[-1]:
            start = joined.pop().start
        joined.append(Stretch(start, end, kinds[-1]))
    return joined


def snap(place: int, before: Sequence[int]) -> int:
    """Moves a place in a line past the glyph that it would split; `before` are the cells of the
    line."""
    while 0 < place < len(before) - 1 and before[place + 1] == before[place]:
        place += 1
    return place


def _beside(page: Page, spot: Spot, columns: int) -> Spot:
    offset = spot.offset + columns
    if offset < 0:
        before = max(0, spot.block - 1)
        return Spot(before, len(page.blocks[before].text)) if before != spot.block else spot
    if offset > len(page.blocks[spot.block].text):
        return Spot(spot.block + 1, 0) if spot.block + 1 < len(page.blocks) else spot
    widths = cells(page.blocks[spot.block].text)
    while 0 < offset < len(widths) - 1 and widths[offset + 1] == widths[offset]:
        offset += 1 if columns > 0 else -1
    return Spot(spot.block, offset)
