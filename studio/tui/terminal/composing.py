"""Composes a frame from the rows that changed and, within them, from the visible parts (P18).

Textual renders all rows of every widget that touches the changed region, and divides each row at
the edges of all widgets, including what is covered and what is not sent to the terminal. With
nested panes that is most of the cost of a drawing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import cast

from rich.console import Console, RenderableType
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.geometry import Region, Size
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

from studio.tui.textual_private import (
    COMPOSITOR,
    DIRTY_REGIONS,
    REGIONS_TO_SPANS,
    RENDER_ROWS,
    ChopsUpdate,
    Compositor,
    ReflowResult,
)

CellSpan = tuple[int, int, int]
"""A row, and the first and last column of the change in it."""


class SparingUpdate(ChopsUpdate):
    """The changes as they are sent to the terminal; Textual would create an object for each cursor
    move."""

    def render_segments(self, console: Console) -> str:
        """Writes each part after its position, so that a character whose width the terminal sees
        differently does not displace the parts after it."""
        pieces: list[str] = []
        for y, x1, x2 in self.spans:
            for end, (x, strip) in zip(self.chop_ends[y], self.chops[y].items(), strict=True):
                if strip is not None and x < x2 and end > x1:
                    part = strip if end <= x2 else strip.crop(0, x2 - x)
                    pieces += (f"\x1b[{y + 1};{x + 1}H", part.render(console))
        return "".join(pieces)


class SparingCompositor(Compositor):
    """Textual's compositor, rendering and dividing rows only where they will be visible.

    A new layout is compared with what was drawn last. Textual compares it with the last layout that
    was computed, which may be newer than the last frame where a key asked for the place of a widget
    in between; Textual then draws the whole screen for other reasons, which ours does not.
    """

    def __init__(self) -> None:
        super().__init__()
        self._drawn: dict[Widget, tuple[Region, Region]] = {}
        """Each widget of the last frame, with its region and the part of the screen it is in."""

    def reflow(self, parent: Widget, size: Size) -> ReflowResult:
        """Lays out the screen and marks what is not where it was drawn."""
        result = super().reflow(parent, size)
        dirty = DIRTY_REGIONS.of(self)
        if size.region not in dirty:
            moved = self._drawn.items() ^ self.visible_widgets.items()
            seen = (region.intersection(clip) for _widget, (region, clip) in moved)
            dirty.update(filter(None, seen))
        return result

    def render_update(
        self,
        full: bool = False,
        screen_stack: list[Screen[object]] | None = None,
        simplify: bool = False,
    ) -> RenderableType | None:
        """Returns what is to be drawn now, and remembers where everything is in it."""
        self._drawn = self.visible_widgets
        return super().render_update(full, screen_stack, simplify)

    def render_partial_update(self) -> SparingUpdate | None:
        """Returns the changes since the last frame."""
        dirty = DIRTY_REGIONS.of(self)
        regions = dirty.copy()
        dirty.clear()
        if not regions:
            return None
        spans = list(REGIONS_TO_SPANS.of(self)(regions))
        ends = [cuts[1:] for cuts in self.cuts]
        return SparingUpdate(self._parts(spans), spans, ends)

    @RENDER_ROWS
    def render_rows(
        self, crop: Region, is_rendered_line: Callable[[int], bool]
    ) -> Sequence[Mapping[int, Strip]]:
        """Returns whole rows, for drawing the full screen; only those the screen has. Behind a card
        it may still have the size it had before the terminal grew."""
        top, below = crop.line_span
        rows = filter(is_rendered_line, range(top, min(below, len(self.cuts))))
        # No part is empty, because the screen itself lies behind everything.
        return cast("list[Mapping[int, Strip]]", self._parts((y, *crop.column_span) for y in rows))

    def _parts(self, spans: Iterable[CellSpan]) -> list[dict[int, Strip | None]]:
        """Returns, by column, the parts of each row that lie in the spans; the others are None."""
        cuts = self.cuts
        parts: list[dict[int, Strip | None]] = [dict.fromkeys(row[:-1]) for row in cuts]
        missing: list[set[int]] = [set() for _row in cuts]
        for y, x1, x2 in spans:
            missing[y].update(x for x, end in pairwise(cuts[y]) if x < x2 and end > x1)
        for widget, (region, clip) in self.visible_widgets.items():  # the foremost first
            seen = region.intersection(clip)
            left, right = seen.column_span
            rows = [
                y
                for y in range(*seen.line_span)
                if missing[y] and any(left <= x < right for x in missing[y])
            ]
            if not rows:
                continue
            crop = Region(left, rows[0], seen.width, rows[-1] + 1 - rows[0]) - region.offset
            lines = dict(enumerate(widget.render_lines(crop), rows[0]))
            for y in lines.keys() & rows:
                places = [x for x in cuts[y] if left <= x <= right]
                cut = lines[y].divide([x - left for x in places[1:]])
                for x, part in zip(places, cut, strict=False):  # the last place is an end
                    if x in missing[y]:
                        parts[y][x] = part
                        missing[y].discard(x)
        return parts


def behind(card: Screen[object], screen: Screen[object], crop: Region) -> list[Strip]:
    """Returns rows of a screen as they appear through a card over it, without its hints: their keys
    do nothing there. Textual would compute all of them, colour by colour, whenever any part of the
    card is drawn."""
    tint, look = card.styles.background, card.rich_style
    rows = RENDER_ROWS.of(COMPOSITOR.of(screen))(crop, crop.line_range.__contains__)
    bare = {y for foot in screen.query("#hints") for y in range(*foot.region.line_span)}
    strips = [Strip.join(rows[y].values()) if y < len(rows) else Strip([]) for y in crop.line_range]
    return [
        Strip(
            Segment(
                " " * part.cell_length if y in bare else part.text,
                _tint(part.style or Style.null(), tint, look),
            )
            for part in strip
        )
        .adjust_cell_length(crop.right)
        .crop(crop.x)
        for y, strip in zip(crop.line_range, strips, strict=True)
    ]


@lru_cache(512)
def _tint(style: Style, tint: Color, look: Style) -> Style:
    """Returns a style without click actions and with its colours tinted; unset attributes are those
    of the card."""
    own = style.clear_meta_and_links()
    if not tint.a:
        return look + own
    colour, ground = (
        side and (Color.from_rich_color(side) + tint).rich_color
        for side in (own.color, own.bgcolor)
    )
    return look + own + Style.from_color(colour, ground)
