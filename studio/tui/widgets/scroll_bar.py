"""The cells beside rows that scroll: the scrollbar and the padding."""

from __future__ import annotations

from functools import lru_cache
from typing import cast

from rich.color import Color as RichColor
from rich.segment import Segment
from rich.style import Style
from textual.cache import LRUCache
from textual.color import Color
from textual.geometry import Region, Spacing
from textual.scrollbar import ScrollBar, ScrollBarRender
from textual.strip import Strip
from textual.widget import Widget


class RowsBar(ScrollBar):
    """Textual's scrollbar, one cell wide, with one strip shared by all rows that look alike.
    Textual makes several strips for every row: scrollbars were a fifth of the time of a full
    drawing of the desk (P18)."""

    def render_lines(self, crop: Region) -> list[Strip]:
        """Renders the rows of the bar."""
        bar = cast("ScrollBarRender", self.render())
        rows = _bar(
            self.size.height,
            bar.virtual_size,
            bar.window_size,
            bar.position,
            cast("Style", bar.style),
            self.rich_style,
        )[crop.y : crop.bottom]
        background = self.background_colors[1]
        for line_filter in self.get_line_filters():
            rows = [row.apply_filter(line_filter, background) for row in rows]
        return rows


@lru_cache(16)
def _bar(
    height: int, virtual_size: float, window_size: float, position: float, bar: Style, look: Style
) -> list[Strip]:
    drawn = ScrollBarRender.render_bar(
        size=height,
        virtual_size=virtual_size,
        window_size=window_size,
        position=position,
        back_color=cast("RichColor", bar.bgcolor),
        bar_color=cast("RichColor", bar.color),
    ).segments
    strips = {row: Strip([row], 1).apply_style(look) for row in drawn}
    return [strips[row] for row in drawn]


def new_bar(view: Widget) -> RowsBar:
    """Returns a scrollbar at the side of a view, mounted but hidden."""
    bar = RowsBar(name="vertical")
    bar.display = False
    view.app._start_widget(view, bar)
    return bar


def move_bar(view: Widget) -> None:
    """Redraws the scrollbar of a view only if it has moved or grown by an eighth of a cell or
    more."""
    bar, height = view.vertical_scrollbar, view.scrollable_content_region.height
    position, rows = view.scroll_offset.y, view.virtual_size.height
    bar_rows = bar.window_virtual_size
    if rows and bar_rows:
        shift = abs(position / rows - bar.position / bar_rows)
        resized = abs(height / rows - height / bar_rows)
        if max(shift, resized) * height < 1 / 8:
            return
    bar.window_virtual_size, bar.position = rows, position


class Sides:
    """The padding at the left and right of rows. A padded row is cached, and its encoded form with
    it."""

    def __init__(self) -> None:
        self._kept: LRUCache[tuple[int, Spacing, Color], tuple[Strip, Strip]] = LRUCache(256)
        """The padded rows by the identity of the bare row, which is stored too, so that its id is
        not reused."""

    def around(self, rows: list[Strip], sides: Spacing, background: Color) -> list[Strip]:
        """Returns the rows with padding, or unchanged where there is no padding."""
        return [self._pad(row, sides, background) for row in rows] if sides.width else rows

    def _pad(self, row: Strip, sides: Spacing, background: Color) -> Strip:
        key = (id(row), sides, background)
        if (padded := self._kept.get(key)) is None:
            blank = Style(bgcolor=background.rich_color)
            left, right = (Segment(" " * cells, blank) for cells in (sides.left, sides.right))
            padded = row, Strip([left, *row, right], row.cell_length + sides.width)
            self._kept[key] = padded
        return padded[1]
