"""What stands beside rows that scroll: the bar, and blank cells."""

from __future__ import annotations

from typing import cast

from rich.color import Color as RichColor
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.geometry import Region, Spacing
from textual.scrollbar import ScrollBar, ScrollBarRender
from textual.strip import Strip
from textual.widget import Widget


class RowsBar(ScrollBar):
    """Textual's, one cell wide, with one strip for all its rows that look the same. Textual makes
    several of every row: the bars were a fifth of what a whole drawing of the desk took (P18)."""

    def render_lines(self, crop: Region) -> list[Strip]:
        """Its rows."""
        bar = cast("ScrollBarRender", self.render())
        style = cast("Style", bar.style)
        drawn = bar.render_bar(
            size=self.size.height,
            virtual_size=bar.virtual_size,
            window_size=bar.window_size,
            position=bar.position,
            back_color=cast("RichColor", style.bgcolor),
            bar_color=cast("RichColor", style.color),
        )
        rows = drawn.segments[crop.y : crop.bottom]
        look = self.rich_style
        strips = {row: Strip([row], 1).apply_style(look) for row in rows}
        background = self.background_colors[1]
        for line_filter in self.get_line_filters():
            strips = {row: s.apply_filter(line_filter, background) for row, s in strips.items()}
        return [strips[row] for row in rows]


def new_bar(view: Widget) -> RowsBar:
    """A bar that begins to live, out of sight, at the side of a view."""
    bar = RowsBar(name="vertical")
    bar.display = False
    view.app._start_widget(view, bar)
    return bar


def move_bar(view: Widget) -> None:
    """Draws the bar of a view anew only when it would look different: by an eighth of a cell."""
    bar, height = view.vertical_scrollbar, view.scrollable_content_region.height
    position, rows = view.scroll_offset.y, view.virtual_size.height
    bar_rows = bar.window_virtual_size
    if rows and bar_rows:
        shift = abs(position / rows - bar.position / bar_rows)
        resized = abs(height / rows - height / bar_rows)
        if max(shift, resized) * height < 1 / 8:
            return
    bar.window_virtual_size, bar.position = rows, position


def padded(rows: list[Strip], sides: Spacing, background: Color) -> list[Strip]:
    """Rows with blank cells on both sides, if there are to be any."""
    if not sides.width:
        return rows
    blank = Style(bgcolor=background.rich_color)
    left, right = (Segment(" " * cells, blank) for cells in (sides.left, sides.right))
    return [Strip([left, *row, right], row.cell_length + sides.width) for row in rows]
