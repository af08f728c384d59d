"""The visible window of a page: its first row, the width of its lines, and the order of
wrapping."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.timer import Timer

from studio.tui.views.prose.layout import Page
from studio.tui.views.prose.wrapping import NARROWEST
from studio.tui.widgets.prose.strips import ProseStrips

if TYPE_CHECKING:
    from studio.tui.widgets.prose_view import ProseView

PAUSE = 1 / 120
"""The number of seconds between two slices of wrapping out of sight."""


class ProseWindow:
    """Keeps the visible text in place while the page is laid out and grows."""

    def __init__(self, view: ProseView, page: Page, strips: ProseStrips) -> None:
        self._view = view
        self._page = page
        self._strips = strips
        self._slices: Timer | None = None
        self.margin = 0
        """The number of cells to the left of the text."""
        self.is_scrolling = False
        """Whether the window itself is scrolling, as opposed to the writer."""

    @property
    def is_wrapping(self) -> bool:
        """Whether lines out of sight still have to be wrapped."""
        return self._slices is not None

    def scroll(self, y: float) -> bool:
        """Scrolls at once; returns whether anything moved."""
        before = self._view.scroll_offset.y
        self.is_scrolling = True
        try:
            self._view.scroll_to(y=max(0, y), animate=False, force=True)
        finally:
            self.is_scrolling = False
        return self._view.scroll_offset.y != before

    def feed(self, text: str) -> None:
        """Appends text at the end, and scrolls to it if the view follows the end."""
        view, page = self._view, self._page
        first = page.feed(text)
        if page.width and self._room()[0] != self.margin:
            view.fit()
            return
        rows = range(first, page.height)
        self._strips.forget(row for y in rows if (row := page.row(y)) is not None)
        view.count_rows(page.height)
        if not view.follow or not self.scroll(view.max_scroll_y):
            view.refresh_lines(first, max(1, len(rows)))

    def go_to_block(self, block: int) -> None:
        """Brings a block into sight, a third of the way down the pane."""
        height = self._view.pane.height
        self._page.wrap_rows(self._page.top_of(block), height)
        self._view.count_rows(self._page.height)
        self.scroll(self._page.top_of(block) - height // 3)
        self._follow_at_end()

    def fit(self) -> None:
        """Lays the page out for the size of the widget, the visible part now and the rest in
        slices; the first row in sight stays in place."""
        view = self._view
        self.margin, width = self._room()
        top = self._page.spot(view.scroll_offset.y, 0)
        self._page.resize(width)
        self._strips.forget()
        if view.follow:
            self._see_end()
        elif top is not None:
            self._page.wrap_rows(self._page.top_of(top.block), view.pane.height + 1)
            view.count_rows(self._page.height)
            self.scroll(self._page.cell(top)[0] if top.offset or top.block else 0)
        view.count_rows(self._page.height)
        if self._slices is None:
            self._slices = view.set_interval(PAUSE, self._wrap_more)
        self._wrap_more()
        view.refresh()

    def close_up(self, compact: bool) -> None:
        """Shows paragraphs without blank lines between them, every fifth with its number, or in the
        usual way."""
        if compact != self._page.compact:
            self._strips.compact = compact
            self._page.close_up(compact)
            self._view.fit()

    def see(self) -> None:
        """Wraps the rows that the writer scrolled to; at the end of the text the view starts to
        follow."""
        if self._page.wrap_rows(self._view.scroll_offset.y, self._view.pane.height):
            self._view.count_rows(self._page.height)
        self._follow_at_end()

    def _follow_at_end(self) -> None:
        self._view.follow = self._view.scroll_offset.y >= self._view.max_scroll_y

    def _room(self) -> tuple[int, int]:
        """Returns the cells to the left of the text and the width of its lines."""
        view, strips = self._view, self._strips
        labels = max(5, self._page.label_width + 1 + strips.authors_width)
        numbers = labels if view.numbers or strips.authors or strips.locks else 0
        room = max(NARROWEST, view.pane.width - numbers)
        width = min(room, view.measure) if view.measure else room
        return numbers + (room - width) // 2, width

    def _see_end(self) -> None:
        """Wraps rows from the end until the pane is filled with wrapped rows, then scrolls
        there."""
        height = self._view.pane.height
        while self._page.wrap_rows(self._page.height - height, height + 1):
            pass
        self._view.count_rows(self._page.height)
        self.scroll(self._view.max_scroll_y)

    def _wrap_more(self) -> None:
        """Wraps one slice without moving the visible text."""
        y = self._view.scroll_offset.y
        top_row = self._page.row(y)
        offset = y - (self._page.top_of(top_row.block) if top_row else 0)
        more = self._page.wrap_slice()
        self._view.count_rows(self._page.height)
        if self._view.follow:
            self.scroll(self._view.max_scroll_y)
        elif top_row is not None:
            self.scroll(self._page.top_of(top_row.block) + offset)
        if not more and self._slices is not None:
            self._slices.stop()
            self._slices = None
