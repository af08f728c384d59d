"""The text of a chapter: streams in, scrolls, displays marks, and lets the writer select.

Only the end of the text is wrapped again when text arrives, once a frame, so the cost does not grow
with the text (performance P1 to P3).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from textual import events
from textual.actions import SkipAction
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip

from studio.tui.views.prose.layout import Page
from studio.tui.views.prose.marks import ParagraphRange, QuotedSpan
from studio.tui.views.signs import LOCKED, PASSAGE
from studio.tui.widgets.component_styles import ComponentStyles
from studio.tui.widgets.line_scroll import LineScroll, key
from studio.tui.widgets.prose.finder import ProseFinder
from studio.tui.widgets.prose.selector import ProseSelector
from studio.tui.widgets.prose.stream import ProseStream
from studio.tui.widgets.prose.strips import ProseStrips
from studio.tui.widgets.prose.window import ProseWindow

_KINDS = ("gutter", "title", "break", "highlight", "evidence", "selection")


class ParagraphClicked(Message, namespace="prose_view"):
    """A paragraph was clicked."""

    def __init__(self, view: ProseView, scene: int, paragraph: int) -> None:
        super().__init__()
        self.view = view
        self.scene = scene
        self.paragraph = paragraph


class FollowChanged(Message, namespace="prose_view"):
    """The view began to follow the end, or stays where it is from now on."""


class ProseView(LineScroll):
    """Prose with paragraph numbers, drawn row by row; only the visible rows cost anything."""

    COMPONENT_CLASSES = {f"prose-view--{kind}" for kind in _KINDS}
    DEFAULT_CSS = """
    ProseView {
        & > .prose-view--gutter, & > .prose-view--break { color: $text-muted; }
        & > .prose-view--title { text-style: bold; }
        & > .prose-view--highlight { background: $primary 20%; }
        & > .prose-view--evidence { text-style: underline; }
        & > .prose-view--selection { text-style: reverse; }
    }
    """
    BINDINGS = [
        key("slash", "find", "Find"),
        key("n", "find_next(1)", "Find the next"),
        key("N,alt+n", "find_next(-1)", "Find the one before"),
        key("shift+up", "extend(-1,0)", "Select up"),
        key("shift+down", "extend(1,0)", "Select down"),
        key("shift+left", "extend(0,-1)", "Select left"),
        key("shift+right", "extend(0,1)", "Select right"),
        key("ctrl+a", "select_everything", "Select everything"),
        key("escape", "unselect", "Select nothing"),
    ]

    follow: reactive[bool] = reactive(True, repaint=False, init=False)
    """Whether the end stays in sight while text arrives; scrolling up switches this off."""
    numbers: reactive[bool] = reactive(True)
    """Whether paragraph numbers are displayed in the margin."""
    measure: reactive[int] = reactive(0)
    """The greatest width of a line in cells, with the text centred; 0 for the full width."""
    ascii_only: reactive[bool] = reactive(False)
    """Whether only ASCII may be drawn, apart from the text itself."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.page = Page()
        self.strips = ProseStrips()
        self.window = ProseWindow(self, self.page, self.strips)
        self.stream = ProseStream(self, self.window.feed)
        self.selector = ProseSelector(self, self.page, self.strips)
        self.finder = ProseFinder(self, self.page, self.selector)
        self._styles = ComponentStyles(self, "prose-view", _KINDS, ("evidence", "selection"))

    @property
    def busy(self) -> bool:
        """Whether text waits to be drawn or wrapped."""
        return self.stream.waits or self.window.is_wrapping

    def load(self, text: str, *, at_end: bool = False) -> None:
        """Shows another text, from its top or its end."""
        self.stream.clear()
        self.page.load(text)
        self.strips.selection = None
        self.strips.authors, self.strips.locks = {}, ()
        self.strips.forget()
        self.window.scroll(0)
        self.follow = at_end
        self.fit()

    def clear(self) -> None:
        """Empties the view and follows the text that arrives."""
        self.load("", at_end=True)

    def highlight(self, *passages: ParagraphRange) -> None:
        """Highlights whole paragraphs, such as those of the selected directive."""
        if self.strips.highlight(passages):
            self.refresh()

    def show_locks(self, places: Collection[tuple[int, int]]) -> None:
        """Marks locked paragraphs, given by scene and number, in the margin."""
        if set(places) == set(self.strips.locks):
            return
        self.strips.locks = places
        self.strips.forget()
        self.fit()
        self.refresh()

    def mark(self, evidence: Iterable[QuotedSpan]) -> None:
        """Underlines words within paragraphs."""
        if self.strips.mark(evidence):
            self.refresh()

    def go_to(self, scene: int, paragraph: int) -> bool:
        """Shows a paragraph a third of the way down the pane; returns whether it exists."""
        block = self.page.find(scene, paragraph)
        if block is not None:
            self.window.go_to_block(block)
        return block is not None

    def fit(self) -> None:
        """Lays the text out for the size of the pane."""
        if self.pane.width:
            self.window.fit()

    watch_numbers = watch_measure = fit

    def row_strip(self, y: int, width: int) -> Strip:
        """Renders one row; during a search the last row in sight is the prompt."""
        styles = self._styles.by_kind()
        if self.finder.prompt.is_open and y == self.scroll_offset.y + self.pane.height - 1:
            return self.finder.strip(width, styles["title"])
        row = self.page.row(y)
        if row is None or width <= self.window.margin:
            return Strip.blank(width, styles["text"])
        return self.strips.strip(self.page, row, width, self.window.margin, styles)

    def notify_style_update(self) -> None:
        """Textual's hook for a change of colours: drops the cached styles and strips."""
        super().notify_style_update()
        self._styles.forget()
        self.strips.forget()

    def watch_ascii_only(self, ascii_only: bool) -> None:
        """Draws the marks of highlighted and locked paragraphs as ASCII or as Unicode."""
        self.strips.bar = PASSAGE.draw(ascii_only)
        self.strips.lock_bar = LOCKED.draw(ascii_only)
        self.strips.forget()

    def watch_follow(self, follow: bool) -> None:
        """Scrolls to the end when the view starts to follow it; its key does the opposite now."""
        self.post_message(FollowChanged())
        if follow:
            self.window.scroll(self.max_scroll_y)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Follows the end or stops following, depending on where the writer scrolled."""
        super().watch_scroll_y(old_value, new_value)
        if not self.window.is_scrolling and round(old_value) != round(new_value):
            self.window.see()

    def action_last(self) -> None:
        """Scrolls to the last row and follows the text that arrives."""
        self.follow = True
        super().action_last()

    def action_find(self) -> None:
        """Opens the search prompt; the search begins at the first row in sight."""
        self.finder.begin()

    def action_find_next(self, step: int) -> None:
        """Selects the next match; without a search the key is left to other bindings."""
        if not self.finder.find_next(step):
            raise SkipAction

    def action_extend(self, rows: int, columns: int) -> None:
        """Extends the selection by rows or by characters."""
        self.selector.extend(rows, columns)

    def action_select_everything(self) -> None:
        """Selects the whole text."""
        self.selector.select_everything()

    def action_unselect(self) -> None:
        """Clears the selection; with nothing selected the key is left to other bindings."""
        if not self.selector.clear():
            raise SkipAction

    def on_key(self, event: events.Key) -> None:
        """Passes keys to the search prompt, which takes them while it is open."""
        self.finder.prompt.press(event)

    def on_paste(self, event: events.Paste) -> None:
        """Passes pasted text to the search prompt, which takes it while it is open."""
        self.finder.prompt.paste(event)

    def on_blur(self) -> None:
        """Closes the search prompt."""
        self.finder.prompt.close()

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Starts a selection."""
        self.selector.press(event)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Extends the selection to the mouse."""
        self.selector.drag(event)

    def on_mouse_up(self) -> None:
        """Ends the selection; a click without a drag posts `ParagraphClicked`."""
        if (block := self.selector.release()) is not None:
            self.post_message(ParagraphClicked(self, block.scene, block.number))

    def on_click(self, event: events.Click) -> None:
        """Selects the paragraph under a double click."""
        self.selector.click(event)
