"""The common base of all widgets that scroll rows: a pane of fixed size with its scrollbar, and no
layout for rows.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import cast

from rich.color import Color as RichColor
from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding
from textual.cache import LRUCache
from textual.color import Color
from textual.geometry import Region, Size, Spacing
from textual.reactive import Reactive
from textual.scroll_view import ScrollView
from textual.scrollbar import ScrollBar, ScrollBarRender
from textual.strip import Strip
from textual.widget import Widget

from studio.tui.runtime.resilience import SteadyWidget
from studio.tui.textual_private import SCROLLBAR, START_WIDGET, TAKE_SIZE


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
    START_WIDGET.of(view.app)(view, bar)
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


def key(keys: str, action: str, what: str) -> Binding:
    """Returns a key binding for navigation that is not shown in a footer."""
    return Binding(keys, action, what, show=False)


class LineScroll(SteadyWidget, ScrollView, can_focus=True):
    """A scroll view that draws its rows one by one; its size never depends on the rows."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    LineScroll {
        overflow: hidden scroll;
        scrollbar-size-vertical: 1;
    }
    """
    BINDINGS = [
        key("up,k", "move(-1)", "Up"),
        key("down,j", "move(1)", "Down"),
        key("pageup", "page(-1)", "Page up"),
        key("pagedown,space", "page(1)", "Page down"),
        key("home,g", "first", "To the top"),
        key("end,G", "last", "To the end"),
    ]

    _fitted = Size(0, 0)
    virtual_size = Reactive(Size(0, 0), layout=False, repaint=False)
    """The pane's width and the number of rows. New rows move the scrollbar and need no layout."""

    @property
    def pane(self) -> Size:
        """The size available to the rows, without the scrollbar."""
        return self.scrollable_content_region.size

    @property
    def vertical_scrollbar(self) -> ScrollBar:
        """The scrollbar of the app instead of Textual's."""
        if (bar := SCROLLBAR.of(self)) is None:
            SCROLLBAR.put(self, bar := new_bar(self))
        return bar

    @cached_property
    def _sides(self) -> Sides:
        return Sides()

    def fit(self) -> None:
        """Called when the size of the pane has changed, before the pane is drawn in that size."""

    @TAKE_SIZE
    def take_size(self, *sizes: Size, layout: bool = True) -> bool:
        """Fits the rows as soon as the size changes. Textual reports a new size by an event that
        comes after the drawing, so every row would be drawn twice (performance P5)."""
        before = self._fitted
        updated = bool(TAKE_SIZE.of(super())(*sizes, layout=layout))
        self._fitted = self.pane
        if self._fitted != before:
            self.attempt(self.fit)
        return updated

    def on_hide(self) -> None:
        """Forgets the fitted size: rows received while hidden are fitted when next in sight."""
        self._fitted = Size(0, 0)

    def row_strip(self, y: int, width: int) -> Strip:
        """Returns the row at `y`, counted from the very first row, in `width` cells."""
        raise NotImplementedError

    def render_line(self, y: int) -> Strip:
        """Renders one row, counted from the first row in sight."""
        return self.row_strip(self.scroll_offset.y + y, self.pane.width)

    def paint(self, crop: Region) -> list[Strip]:
        """Renders the rows in sight as strips that keep their encoded form when they scroll. Only
        a border, vertical padding, a tint or an opacity needs Textual's way."""
        sides = self.styles.padding
        has_frame = sides.height or self.styles.gutter != sides
        if has_frame or self.styles.has_rule("tint") or self.opacity != 1:
            return super().paint(crop)
        top, width = self.scroll_offset.y, self.pane.width
        background = self.background_colors[1]
        strips = [self.row_strip(top + y, width) for y in crop.line_range]
        strips = self._sides.around(strips, sides, background)
        for line_filter in self.get_line_filters():
            strips = [strip.apply_filter(line_filter, background) for strip in strips]
        if crop.column_span != (0, self.region.width):
            strips = [strip.crop(*crop.column_span) for strip in strips]
        return strips

    def watch_virtual_size(self, size: Size) -> None:
        """Updates the scrollbar."""
        move_bar(self)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Redraws the rows after a scroll by at least one row."""
        if round(old_value) != round(new_value):
            self.refresh(self.size.region)
            move_bar(self)

    def action_move(self, rows: int) -> None:
        """Scrolls down by this number of rows, or up if it is negative."""
        self.scroll_to(y=self.scroll_offset.y + rows, animate=False)

    def action_page(self, pages: int) -> None:
        """Scrolls down by this number of panes, or up if negative; one row stays in sight."""
        self.action_move(pages * max(1, self.pane.height - 1))

    def action_first(self) -> None:
        """Scrolls to the first row."""
        self.action_move(-self.virtual_size.height)

    def action_last(self) -> None:
        """Scrolls to the last row."""
        self.action_move(self.virtual_size.height)

    def show_row(self, y: int, *, below: int = 0) -> None:
        """Scrolls as little as possible to show a row with `below` rows free under it."""
        top, height = self.scroll_offset.y, self.pane.height - below
        if height > 0 and not top <= y < top + height:
            self.scroll_to(y=y if y < top else y - height + 1, animate=False, force=True)

    def count_rows(self, rows: int) -> None:
        """Sets the number of rows."""
        self.virtual_size = Size(self.pane.width, rows)
