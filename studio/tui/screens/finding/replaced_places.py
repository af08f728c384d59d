"""The places of a replacement, as they are and as they would be: thousands cost what a few do."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Sequence
from itertools import accumulate

from textual import events
from textual.message import Message
from textual.strip import Strip

from studio.project.search.hits import Hit
from studio.project.search.replacement import ReplaceOrder, Spot, spot_of
from studio.tui.views.pages.search_hits import FoundRow, change_of
from studio.tui.views.words import Line
from studio.tui.widgets.line_scroll import LineScroll
from studio.tui.widgets.lines_view import wrapped
from studio.tui.widgets.styled import content

_ROWS = 2
"""Rows of a place, as it is and as it would be. They are cut, not wrapped: where each place
stands is known without any of them having been drawn."""


class ReplacedPlaces(LineScroll):
    """Two rows a place under a row for its text; a place is made when it comes into sight."""

    COMPONENT_CLASSES = {"replaced-places--marked"}
    DEFAULT_CSS = """
    ReplacedPlaces > .replaced-places--marked {
        color: $block-cursor-foreground;
        background: $block-cursor-background;
        text-style: $block-cursor-text-style;
    }
    """

    class Clicked(Message):
        """A place was pointed at, and is marked."""

    def __init__(
        self, rows: Sequence[FoundRow], order: ReplaceOrder, *, id: str | None = None
    ) -> None:
        super().__init__(id=id)
        self._rows = rows
        self._order = order
        self._stay: Collection[Spot] = ()
        self._starts: list[int] = []
        """The first row of each of `_rows`, and behind them how many rows there are."""
        self._places = [at for at, row in enumerate(rows) if row.hit is not None]
        self.cursor = 0
        """Which of the places is marked."""

    @property
    def marked(self) -> Hit | None:
        """The place under the cursor."""
        return self._rows[self._places[self.cursor]].hit if self._places else None

    def leave_out(self, stay: Collection[Spot]) -> None:
        """Says of these places that they stay, and of the others that they change."""
        self._stay = stay
        self.refresh()

    def fit(self) -> None:
        """Counts the rows; only headings and remarks are wrapped."""
        width = self.pane.width
        if not width:
            return
        heights = (_ROWS if row.hit else len(wrapped(row.line, width)) for row in self._rows)
        self._starts = [*accumulate(heights, initial=0)]
        self.count_rows(self._starts[-1])
        self._go_to_cursor()
        self.refresh()

    def row_strip(self, y: int, width: int) -> Strip:
        """One row."""
        style = self.visual_style
        if not self._starts or y >= self._starts[-1]:
            return Strip.blank(width, style.rich_style)
        at = bisect_right(self._starts, y) - 1
        row = self._rows[at]
        if row.hit is None:
            words = wrapped(row.line, width)[y - self._starts[at]]
        else:
            line = self._lines(row.hit, width)[y - self._starts[at]]
            words = content(line).truncate(width, ellipsis=True)
            if at == self._places[self.cursor]:
                style += self.get_visual_style("replaced-places--marked", partial=True)
        strip = Strip(words.render_segments(style), words.cell_length)
        return strip.adjust_cell_length(width, style.rich_style)

    def _lines(self, hit: Hit, width: int) -> tuple[Line, Line]:
        order = self._order
        stays = spot_of(hit) in self._stay
        return change_of(hit, order.new, width, stays=stays, particles=order.particles)

    def action_move(self, rows: int) -> None:
        """Marks the place so many further, or before; above the first place what is said of all
        of them comes into sight."""
        if self._places:
            self.cursor = min(max(0, self.cursor + rows), len(self._places) - 1)
            self._go_to_cursor()
            self.refresh()

    def action_page(self, pages: int) -> None:
        """About so many panes down, or up."""
        self.action_move(pages * max(1, self.pane.height // _ROWS - 1))

    def action_first(self) -> None:
        """To the first place."""
        self.action_move(-len(self._places))

    def action_last(self) -> None:
        """To the last place."""
        self.action_move(len(self._places))

    def on_click(self, event: events.Click) -> None:
        """Marks the place under the pointer."""
        at = bisect_right(self._starts, self.scroll_offset.y + event.y) - 1
        if at in self._places:
            self.action_move(self._places.index(at) - self.cursor)
            self.post_message(self.Clicked())

    def _go_to_cursor(self) -> None:
        """Brings the marked place into sight, its heading with it where it is the first below."""
        if not self._places or not self._starts:
            return
        at = self._places[self.cursor]
        above = 0 if self.cursor == 0 else at - (self._rows[at - 1].hit is None)
        self.show_row(self._starts[above])
        self.show_row(self._starts[at] + _ROWS - 1)
