"""The text of a chapter: streams in, scrolls, shows what is marked, lets itself be selected.

Only the tail is wrapped again when text comes, once a frame, so that the cost
does not grow with the text (performance P1 to P3).
"""

from __future__ import annotations

from collections.abc import Iterable
from time import monotonic

from rich.style import Style
from textual.reactive import reactive
from textual.strip import Strip
from textual.timer import Timer

from studio.tui.views.prose.layout import Page
from studio.tui.views.prose.marks import Evidence, Passage
from studio.tui.views.prose.wrapping import NARROWEST
from studio.tui.widgets.prose_finder import ProseFinder
from studio.tui.widgets.prose_strips import ProseStrips

FRAME = 1 / 30
"""Seconds between two flushes of streamed text."""
PAUSE = 1 / 120
"""Seconds between two slices of wrapping out of sight."""
_KINDS = ("gutter", "title", "break", "highlight", "evidence", "selection")


class ProseView(ProseFinder):
    """Prose with paragraph numbers, drawn line by line; only what is in sight costs anything."""

    COMPONENT_CLASSES = {f"prose-view--{kind}" for kind in _KINDS}
    DEFAULT_CSS = """
    ProseView {
        & > .prose-view--gutter { color: $text-muted; }
        & > .prose-view--title { text-style: bold; }
        & > .prose-view--break { color: $text-muted; }
        & > .prose-view--highlight { background: $primary 20%; }
        & > .prose-view--evidence { text-style: underline; }
        & > .prose-view--selection { text-style: reverse; }
    }
    """

    numbers: reactive[bool] = reactive(True)
    """Whether paragraph numbers stand in the margin."""
    measure: reactive[int] = reactive(0)
    """Cells of a line at most, the text in the middle; 0 for all there are."""
    ascii_only: reactive[bool] = reactive(False)
    """Whether only ASCII may be drawn besides the text itself."""

    def __init__(
        self, *, id: str | None = None, classes: str | None = None, name: str | None = None
    ) -> None:
        super().__init__(id=id, classes=classes, name=name)
        self.page = Page()
        self.strips = ProseStrips()
        self._pending: list[str] = []
        self._draw_at = 0.0
        """When streamed text is drawn next, by the clock of `monotonic`."""
        self._came_at = 0.0
        """When the first of what is pending came."""
        self._drawing: Timer | None = None
        self._slices: Timer | None = None
        self._styles_of: dict[str, Style] = {}
        self._moving = False

    @property
    def busy(self) -> bool:
        """Whether text waits to be drawn or wrapped."""
        return bool(self._pending) or self._slices is not None

    def load(self, text: str, *, at_end: bool = False) -> None:
        """Shows another text, from its top or its end."""
        self._pending.clear()
        self.page.load(text)
        self.strips.selection = None
        self.strips.authors = {}
        self.strips.forget()
        self._scroll(0)
        self.follow = at_end
        self.fit()

    def clear(self) -> None:
        """Shows nothing, and follows what comes."""
        self.load("", at_end=True)

    def append(self, delta: str) -> None:
        """Adds streamed text; what comes within a frame is drawn together."""
        now = monotonic()
        if not self._pending:
            self._came_at = now
        self._pending.append(delta)
        if now >= self._draw_at:  # whether or not a timer was to do it
            self.flush()
        elif self._drawing is None:
            self._drawing = self.set_timer(self._draw_at - now, self._draw_pending)

    def hold_back(self) -> None:
        """Lets the stream wait a frame, so that what a key did is drawn first.

        Text waits two frames at most, however closely keys follow one another.
        """
        self._draw_at = monotonic() + FRAME
        if self._pending:
            self._draw_at = min(self._draw_at, self._came_at + 2 * FRAME)

    def _draw_pending(self) -> None:
        self._drawing = None
        wait = self._draw_at - monotonic()
        if wait > 0 and self._pending:
            self._drawing = self.set_timer(wait, self._draw_pending)
        else:
            self.flush()

    def flush(self) -> None:
        """Draws what was appended since the last frame."""
        self._draw_at = monotonic() + FRAME
        text = "".join(self._pending)
        self._pending.clear()
        if not text:
            return
        first = self.page.feed(text)
        if self.page.width and self._room()[0] != self.margin_width:
            self.fit()
            return
        rows = range(first, self.page.height)
        self.strips.forget(row for y in rows if (row := self.page.row(y)) is not None)
        self.count_rows(self.page.height)
        if not self.follow or not self._scroll(self.max_scroll_y):
            self.refresh_lines(first, max(1, len(rows)))

    def highlight(self, *passages: Passage) -> None:
        """Marks whole paragraphs: those of the selected directive."""
        self.strips.passages = passages
        self.strips.forget()
        self.refresh()

    def mark(self, evidence: Iterable[Evidence]) -> None:
        """Underlines words within paragraphs."""
        self.strips.mark(evidence)
        self.refresh()

    def go_to(self, scene: int, paragraph: int) -> bool:
        """Brings a paragraph into sight, a third down the pane; whether there is one."""
        block = self.page.find(scene, paragraph)
        if block is None:
            return False
        self.page.wrap_rows(self.page.top_of(block), self.pane.height)
        self.count_rows(self.page.height)
        self._scroll(self.page.top_of(block) - self.pane.height // 3)
        self._watch_end()
        return True

    def row_strip(self, y: int, width: int) -> Strip:
        """One row."""
        styles = self._looks()
        if self.finding is not None and y == self.scroll_offset.y + self.pane.height - 1:
            return self.find_prompt(width, styles["title"])
        row = self.page.row(y)
        if row is None or width <= self.margin_width:
            return Strip.blank(width, styles["text"])
        return self.strips.strip(self.page, row, width, self.margin_width, styles)

    def notify_style_update(self) -> None:
        """Called by Textual when colours change."""
        super().notify_style_update()
        self._styles_of.clear()
        self.strips.forget()

    def watch_numbers(self) -> None:
        """Takes or gives the margin."""
        self.fit()

    def watch_measure(self) -> None:
        """Lays the text out for it."""
        self.fit()

    def watch_ascii_only(self, ascii_only: bool) -> None:
        """Changes the bar beside highlighted paragraphs."""
        self.strips.bar = "|" if ascii_only else "▌"
        self.strips.forget()

    def watch_follow(self, follow: bool) -> None:
        """Goes to the end, and tells who listens."""
        if follow:
            self._scroll(self.max_scroll_y)
        self.post_message(self.FollowChanged(self, follow))

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Follows or stays, as the writer scrolled."""
        super().watch_scroll_y(old_value, new_value)
        if not self._moving and round(old_value) != round(new_value):
            self._see()
            self._watch_end()

    def _watch_end(self) -> None:
        self.follow = self.scroll_offset.y >= self.max_scroll_y

    def _scroll(self, y: float) -> bool:
        """Scrolls at once, on our own account; whether anything moved."""
        before = self.scroll_offset.y
        self._moving = True
        try:
            self.scroll_to(y=max(0, y), animate=False, force=True)
        finally:
            self._moving = False
        return self.scroll_offset.y != before

    def _needed_margin(self) -> int:
        labels = self.page.label_width + 1 + self.strips.authors_width
        return max(5, labels) if self.numbers or self.strips.authors else 0

    def _room(self) -> tuple[int, int]:
        """Cells left of the text, and those of its lines."""
        numbers = self._needed_margin()
        room = max(NARROWEST, self.pane.width - numbers)
        width = min(room, self.measure) if self.measure else room
        return numbers + (room - width) // 2, width

    def fit(self) -> None:
        """Lays the page out for the size of the widget, what is in sight now and the rest in
        slices; the first row in sight stays."""
        if not self.pane.width:
            return
        self.margin_width, width = self._room()
        top = self.page.spot(self.scroll_offset.y, 0)
        self.page.resize(width)
        self.strips.forget()
        if self.follow:
            self._see_end()
        elif top is not None:
            self.page.wrap_rows(self.page.top_of(top.block), self.pane.height + 1)
            self.count_rows(self.page.height)
            self._scroll(self.page.cell(top)[0] if top.offset or top.block else 0)
        self.count_rows(self.page.height)
        if self._slices is None:
            self._slices = self.set_interval(PAUSE, self._wrap_more)
        self._wrap_more()
        self.refresh()

    def _see_end(self) -> None:
        """Wraps the last rows until they are the last."""
        while self.page.wrap_rows(self.page.height - self.pane.height, self.pane.height + 1):
            pass
        self.count_rows(self.page.height)
        self._scroll(self.max_scroll_y)

    def _see(self) -> None:
        """Wraps what came into sight."""
        if self.page.wrap_rows(self.scroll_offset.y, self.pane.height):
            self.count_rows(self.page.height)

    def _wrap_more(self) -> None:
        """A slice of wrapping; what is in sight does not move."""
        top_row = self.page.row(self.scroll_offset.y)
        offset = self.scroll_offset.y - (self.page.top_of(top_row.block) if top_row else 0)
        more = self.page.wrap_slice()
        self.count_rows(self.page.height)
        if self.follow:
            self._scroll(self.max_scroll_y)
        elif top_row is not None:
            self._scroll(self.page.top_of(top_row.block) + offset)
        if not more and self._slices is not None:
            self._slices.stop()
            self._slices = None

    def _looks(self) -> dict[str, Style]:
        """Styles by kind, looked up once after a change of colours."""
        if not self._styles_of:
            self._styles_of = {
                kind: self.get_component_rich_style(f"prose-view--{kind}") for kind in _KINDS
            }
            for kind in ("evidence", "selection"):
                part = self.get_component_rich_style(f"prose-view--{kind}", partial=True)
                self._styles_of[kind] = part
            self._styles_of["text"] = self.rich_style
        return self._styles_of
