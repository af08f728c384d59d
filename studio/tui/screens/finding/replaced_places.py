"""The matches of a replacement, before and after: thousands cost no more than a few."""

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
from studio.tui.widgets.lines_view import wrap_line
from studio.tui.widgets.styled import content

_ROWS = 2
"""The rows of a match, before and after. They are cut rather than wrapped, so that every
position is known without drawing any match."""


class ReplacedPlaces(LineScroll):
    """A list with two rows per match below a row for each text; matches are rendered when
    visible."""

    COMPONENT_CLASSES = {"replaced-places--marked"}
    DEFAULT_CSS = """
    ReplacedPlaces > .replaced-places--marked {
        color: $block-cursor-foreground;
        background: $block-cursor-background;
        text-style: $block-cursor-text-style;
    }
    """

    class Clicked(Message):
        """Posted when a match is clicked and so marked."""

    def __init__(
        self, rows: Sequence[FoundRow], order: ReplaceOrder, *, id: str | None = None
    ) -> None:
        super().__init__(id=id)
        self._rows = rows
        self._order = order
        self._stay: Collection[Spot] = ()
        self._starts: list[int] = []
        """The first row of each of `_rows`, followed by the number of rows."""
        self._places = [at for at, row in enumerate(rows) if row.hit is not None]
        self.cursor = 0
        """The index of the marked match."""

    @property
    def hit_under_cursor(self) -> Hit | None:
        """The match under the cursor."""
        return self._rows[self._places[self.cursor]].hit if self._places else None

    def leave_out(self, stay: Collection[Spot]) -> None:
        """Draws these matches as left alone, and the others as replaced."""
        self._stay = stay
        self.refresh()

    def fit(self) -> None:
        """Computes the rows; only headings and remarks are wrapped."""
        width = self.pane.width
        if not width:
            return
        heights = (_ROWS if row.hit else len(wrap_line(row.line, width)) for row in self._rows)
        self._starts = [*accumulate(heights, initial=0)]
        self.count_rows(self._starts[-1])
        self._go_to_cursor()
        self.refresh()

    def row_strip(self, y: int, width: int) -> Strip:
        """Returns one row."""
        style = self.visual_style
        if not self._starts or y >= self._starts[-1]:
            return Strip.blank(width, style.rich_style)
        at = bisect_right(self._starts, y) - 1
        row = self._rows[at]
        if row.hit is None:
            words = wrap_line(row.line, width)[y - self._starts[at]]
        else:
            line = self._lines(row.hit, width)[y - self._starts[at]]
            words = content(line).truncate(width, ellipsis=True)
            if at == self._places[self.cursor]:
                style += self.get_visual_style("replaced-places--marked", partial=True)
        strip = Strip(words.render_segments(style), words.cell_length)
        return strip.adjust_cell_length(width, style.rich_style)

    def _lines(self, hit: Hit, width: int) -> tuple[Line, Line]:
        return change_of(hit, self._order, width, stays=spot_of(hit) in self._stay)

    def action_move(self, rows: int) -> None:
        """Moves the mark by a number of matches; at the first one, also reveals the remarks
        above it."""
        if self._places:
            self.cursor = min(max(0, self.cursor + rows), len(self._places) - 1)
            self._go_to_cursor()
            self.refresh()

    def action_page(self, pages: int) -> None:
        """Moves the mark by about that many panes."""
        self.action_move(pages * max(1, self.pane.height // _ROWS - 1))

    def action_first(self) -> None:
        """Marks the first match."""
        self.action_move(-len(self._places))

    def action_last(self) -> None:
        """Marks the last match."""
        self.action_move(len(self._places))

    def on_click(self, event: events.Click) -> None:
        """Marks the clicked match."""
        at = bisect_right(self._starts, self.scroll_offset.y + event.y) - 1
        if at in self._places:
            self.action_move(self._places.index(at) - self.cursor)
            self.post_message(self.Clicked())

    def _go_to_cursor(self) -> None:
        """Scrolls to the marked match, and to its heading if it is the first below it."""
        if not self._places or not self._starts:
            return
        at = self._places[self.cursor]
        above = 0 if self.cursor == 0 else at - (self._rows[at - 1].hit is None)
        self.show_row(self._starts[above])
        self.show_row(self._starts[at] + _ROWS - 1)
