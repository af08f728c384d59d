"""What every list of lines of ours has in common: a fixed pane, rows below it, no layout."""

from __future__ import annotations

from textual.binding import Binding
from textual.geometry import Size
from textual.reactive import Reactive
from textual.scroll_view import ScrollView


def key(keys: str, action: str, what: str) -> Binding:
    """A key for moving about; it stands in no footer."""
    return Binding(keys, action, what, show=False)


class LineScroll(ScrollView, can_focus=True):
    """Rows drawn one by one in a pane whose size never depends on them."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    LineScroll {
        overflow-x: hidden;
        overflow-y: scroll;
        scrollbar-size-vertical: 1;
    }
    """
    BINDINGS = [
        key("up,k", "scroll_up", "Up"),
        key("down,j", "scroll_down", "Down"),
        key("pageup", "page_up", "Page up"),
        key("pagedown,space", "page_down", "Page down"),
        key("home,g", "scroll_home", "To the top"),
        key("end,G", "scroll_end", "To the end"),
    ]

    virtual_size = Reactive(Size(0, 0), layout=False, repaint=False)
    """Rows there are. New rows need no layout: the scrollbar is told by hand."""

    @property
    def pane(self) -> Size:
        """Cells the rows have, scrollbar not included."""
        return self.scrollable_content_region.size

    def watch_virtual_size(self, size: Size) -> None:
        """Keeps the scrollbar true."""
        self.vertical_scrollbar.window_virtual_size = size.height

    def action_scroll_up(self) -> None:
        """One row up."""
        self.scroll_to(y=self.scroll_offset.y - 1, animate=False)

    def action_scroll_down(self) -> None:
        """One row down."""
        self.scroll_to(y=self.scroll_offset.y + 1, animate=False)

    def action_page_up(self) -> None:
        """A pane up; one row stays in sight."""
        self.scroll_to(y=self.scroll_offset.y - max(1, self.pane.height - 1), animate=False)

    def action_page_down(self) -> None:
        """A pane down; one row stays in sight."""
        self.scroll_to(y=self.scroll_offset.y + max(1, self.pane.height - 1), animate=False)

    def action_scroll_home(self) -> None:
        """To the first row."""
        self.scroll_to(y=0, animate=False)

    def action_scroll_end(self) -> None:
        """To the last row."""
        self.scroll_to(y=self.max_scroll_y, animate=False)

    def count_rows(self, rows: int) -> None:
        """Says how many rows there are now."""
        self.virtual_size = Size(self.pane.width, rows)
