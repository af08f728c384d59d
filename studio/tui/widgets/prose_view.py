"""The text of a chapter: streams in, scrolls, displays marks, and lets the writer select and
search.

Only the end of the text is wrapped again when text arrives, and all text that arrives within a
frame is drawn together, so the cost does not grow with the text (performance P1 to P3).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from time import monotonic

from rich.style import Style
from textual import events
from textual.actions import SkipAction
from textual.geometry import Region
from textual.message import Message
from textual.message_pump import MessagePump
from textual.reactive import reactive
from textual.strip import Strip
from textual.timer import Timer

from studio.i18n import _
from studio.tui.views.prose.layout import Block, Page, Spot
from studio.tui.views.prose.marks import ParagraphRange, QuotedSpan, Selection
from studio.tui.views.prose.wrapping import NARROWEST
from studio.tui.widgets.line_scroll import LineScroll, key
from studio.tui.widgets.paragraph_cursor import ParagraphCursor
from studio.tui.widgets.prose_strips import ProseStrips
from studio.tui.widgets.search_prompt import SearchPrompt
from studio.tui.widgets.styled import ComponentStyles

FRAME = 1 / 30
"""The least number of seconds between two drawings of streamed text."""


class ProseStream:
    """Text deltas that wait for the next frame; a key may postpone them by a frame."""

    def __init__(self, view: MessagePump, draw: Callable[[str], None]) -> None:
        self._view = view
        self._draw = draw
        self._deltas: list[str] = []
        self._draw_at = 0.0
        """The time of the next drawing of streamed text, on the clock of `monotonic`."""
        self._came_at = 0.0
        """The arrival time of the oldest waiting delta."""
        self._timer: Timer | None = None

    @property
    def waits(self) -> bool:
        """Whether text waits to be drawn."""
        return bool(self._deltas)

    def clear(self) -> None:
        """Discards the waiting text."""
        self._deltas.clear()

    def append(self, delta: str) -> None:
        """Accepts text and draws it at once or with the next frame."""
        now = monotonic()
        if not self._deltas:
            self._came_at = now
        self._deltas.append(delta)
        if now >= self._draw_at:  # even if a timer is already set for the drawing
            self.flush()
        elif self._timer is None:
            self._timer = self._view.set_timer(self._draw_at - now, self._tick)

    def hold_back(self) -> None:
        """Postpones the stream by a frame, so that the effect of a key is drawn first.

        Text waits for two frames at most, however fast keys follow one another.
        """
        self._draw_at = monotonic() + FRAME
        if self._deltas:
            self._draw_at = min(self._draw_at, self._came_at + 2 * FRAME)

    def _tick(self) -> None:
        self._timer = None
        wait = self._draw_at - monotonic()
        if wait > 0 and self._deltas:
            self._timer = self._view.set_timer(wait, self._tick)
        else:
            self.flush()

    def flush(self) -> None:
        """Draws the waiting text."""
        self._draw_at = monotonic() + FRAME
        text = "".join(self._deltas)
        self._deltas.clear()
        if text:
            self._draw(text)


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
        height, target = self._view.pane.height, self._page.blocks[block]
        self._view.cursor.go_to((target.scene, target.number), chosen=False)
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
        labels = max(5, self._page.label_width + 1 + view.cursor.width + strips.authors_width)
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


class ProseSelector:
    """Manages the selection of a page; every change is drawn."""

    def __init__(self, view: ProseView, page: Page, strips: ProseStrips) -> None:
        self._view = view
        self._page = page
        self._strips = strips

    @property
    def selection(self) -> Selection | None:
        """The selection from its anchor to its head; None if nothing is selected."""
        return self._strips.selection

    @property
    def text(self) -> str:
        """The selected text as it is displayed; empty if nothing is selected."""
        return self.selection.of(self._page) if self.selection is not None else ""

    @property
    def passages(self) -> tuple[ParagraphRange, ...]:
        """The paragraphs that the selection touches, as one passage per scene."""
        return self.selection.passages(self._page) if self.selection is not None else ()

    def select(self, start: Spot, end: Spot) -> None:
        """Selects from one place to another; later extensions move the end."""
        selection = Selection(start)
        selection.head = end
        self._take(selection)

    def select_blocks(self, first: int, last: int) -> None:
        """Selects whole blocks, from `first` to `last`."""
        self.select(Spot(first, 0), Spot(last, len(self._page.blocks[last].text)))

    def select_everything(self) -> None:
        """Selects the whole text."""
        if self._page.blocks:
            self.select_blocks(0, len(self._page.blocks) - 1)

    def clear(self) -> bool:
        """Clears the selection; returns whether anything was selected."""
        if self.selection is None:
            return False
        self._take(None)
        return True

    def extend(self, rows: int, columns: int) -> None:
        """Extends the selection, or starts one at the first row in sight."""
        selection = self.selection
        if selection is None:
            start = self._start()
            if start is None:
                return
            selection = Selection(start)
        selection.step(self._page, rows, columns)
        self._take(selection)
        self.show(selection.head)

    def _start(self) -> Spot | None:
        """Returns where a selection begins: at the paragraph the writer chose, else at the first
        row in sight."""
        if (chosen := self._view.cursor.chosen) is not None:
            block = self._page.find(chosen.scene, chosen.first)
            return None if block is None else Spot(block, 0)
        top = self._view.scroll_offset.y
        row = self._page.row(top)
        return self._page.spot(top + (row is not None and row.line is None), 0)

    def go_to_paragraph(self, step: int) -> None:
        """Selects the paragraph after, or before, the selected one; without a selection the one the
        writer chose, else the first, or the last, in sight."""
        numbered = [at for at, block in enumerate(self._page.blocks) if block.number]
        chosen = self._view.cursor.chosen
        if self.selection is None and chosen is not None:
            target = [at for at in (self._page.find(chosen.scene, chosen.first),) if at is not None]
        elif self.selection is None:
            top, height = self._view.scroll_offset.y, self._view.pane.height
            rows = (self._page.row(y) for y in range(top, top + height))
            in_sight = {row.block for row in rows if row is not None} & {*numbered}
            target = sorted(in_sight)[:: step or 1][:1]
        elif step > 0:
            target = [at for at in numbered if at > self.selection.head.block][:1]
        else:
            target = [at for at in numbered if at < self.selection.head.block][-1:]
        for at in target:
            self._view.cursor.go_to(
                (self._page.blocks[at].scene, self._page.blocks[at].number), chosen=True
            )
            self.select_blocks(at, at)
            self.show(Spot(at, len(self._page.blocks[at].text)))
            self.show(Spot(at, 0))

    def press(self, event: events.MouseDown) -> None:
        """Starts a selection with the mouse."""
        spot = self._spot_under(event)
        if event.button == 1 and spot is not None:
            self._view.capture_mouse()
            self.clear()
            self._strips.selection = Selection(spot)

    def drag(self, event: events.MouseMove) -> None:
        """Extends the selection to the mouse; beyond the edge of the pane the text scrolls."""
        selection, spot = self.selection, self._spot_under(event)
        if self._is_dragging and selection is not None and spot is not None:
            selection.head = spot
            self._take(selection)
            self.show(spot)

    def release(self) -> Block | None:
        """Ends a selection by mouse; returns the clicked paragraph if the mouse was not dragged."""
        selection = self.selection
        if not self._is_dragging:
            return None
        self._view.release_mouse()
        if selection is None or selection.anchor != selection.head:
            return None
        self._strips.selection = None
        block = self._page.blocks[selection.head.block]
        return block if block.number else None

    def click(self, event: events.Click) -> None:
        """Selects the paragraph under a double click."""
        spot = self._spot_under(event)
        if event.chain == 2 and spot is not None:
            self.select_blocks(spot.block, spot.block)

    def show(self, spot: Spot) -> None:
        """Scrolls as little as possible to bring a place into sight."""
        self._view.show_row(self._page.cell(spot)[0])

    @property
    def _is_dragging(self) -> bool:
        return self._view.app.mouse_captured is self._view

    def _spot_under(self, event: events.MouseEvent) -> Spot | None:
        view = self._view
        x = event.x - view.gutter.left - view.window.margin
        return self._page.spot(view.scroll_offset.y + event.y - view.gutter.top, x)

    def _take(self, selection: Selection | None) -> None:
        self._strips.selection = selection
        self._strips.forget()
        self._view.refresh()


class ProseFinder:
    """The searched words, the place where the search began, and the moves between matches."""

    def __init__(self, view: LineScroll, page: Page, selector: ProseSelector) -> None:
        self._view = view
        self._page = page
        self._selector = selector
        self._start: Spot | None = None
        """The place where the search began."""
        self.prompt = SearchPrompt(view, lambda words: self._search(self._start, 1))

    def begin(self) -> None:
        """Opens the prompt; typed words are looked up from the first row in sight."""
        self._start = self._first_in_sight()
        self.prompt.open()

    def find_next(self, step: int) -> bool:
        """Selects the next match, or the previous one if `step` is negative, wrapping at the end of
        the text; returns whether there are words to search for."""
        selection = self._selector.selection
        here = selection.anchor if selection else self._first_in_sight()
        if self.prompt.words:
            self._search(here, step, past=selection is not None)
        return bool(self.prompt.words)

    def strip(self, width: int, look: Style) -> Strip:
        """Renders the prompt at the foot of the pane."""
        is_nowhere = self.prompt.words and self._selector.selection is None
        note = "   " + _("nowhere in this chapter") if is_nowhere else ""
        return self.prompt.strip(width, look, note)

    def _first_in_sight(self) -> Spot | None:
        return self._page.spot(self._view.scroll_offset.y, 0)

    def _search(self, start: Spot | None, step: int, *, past: bool = False) -> None:
        places = list(self._places())
        if start is None or not places:
            self._selector.clear()
            return
        if step > 0:
            behind = (p for p in places if p[0] > start or (p[0] == start and not past))
            first, last = next(behind, places[0])
        else:
            first, last = next((p for p in reversed(places) if p[0] < start), places[-1])
        self._page.wrap_rows(self._page.top_of(first.block), self._view.pane.height)
        self._view.count_rows(self._page.height)
        self._selector.select(first, last)
        self._selector.show(first)

    def _places(self) -> Iterator[tuple[Spot, Spot]]:
        from studio.project.search.hits import words_pattern

        pattern = words_pattern(self.prompt.words)
        for index, block in enumerate(self._page.blocks):
            for match in pattern.finditer(block.text):
                if match[0]:
                    yield Spot(index, match.start()), Spot(index, match.end())


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


_KEYS = (
    key("slash", "find", "Find"),
    key("n", "find_next(1)", "Find the next"),
    key("N,alt+n", "find_next(-1)", "Find the one before"),
    key("up,k", "move(-1)", "Paragraph before"),
    key("down,j", "move(1)", "Next paragraph"),
    key("shift+up", "extend(-1,0)", "Select up"),
    key("shift+down", "extend(1,0)", "Select down"),
    key("shift+left", "extend(0,-1)", "Select left"),
    key("shift+right", "extend(0,1)", "Select right"),
    key("right_curly_bracket", "select_paragraph(1)", "Select the next paragraph"),
    key("left_curly_bracket", "select_paragraph(-1)", "Select the paragraph before"),
    key("ctrl+a", "select_everything", "Select everything"),
    key("escape", "unselect", "Select nothing"),
)


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
    BINDINGS = [*_KEYS]

    follow: reactive[bool] = reactive(True, repaint=False, init=False)
    """Whether the end stays in sight while text arrives; scrolling up switches this off."""
    numbers: reactive[bool] = reactive(True)
    """Whether paragraph numbers are displayed in the margin."""
    measure: reactive[int] = reactive(0)
    """The greatest width of a line in cells, with the text centred; 0 for the full width."""
    ascii_only: reactive[bool] = reactive(False)
    """Whether only ASCII may be drawn, apart from the text itself."""

    def __init__(self, *, id: str | None = None, has_cursor: bool = False) -> None:
        super().__init__(id=id)
        self.page = Page()
        self.strips = ProseStrips()
        self.window = ProseWindow(self, self.page, self.strips)
        self.stream = ProseStream(self, self.window.feed)
        self.cursor = ParagraphCursor(self, self.page, self.strips, exists=has_cursor)
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
        self.strips.reset()
        self.window.scroll(0)
        self.follow = at_end
        self.fit()

    def clear(self) -> None:
        """Empties the view and follows the text that arrives."""
        self.cursor.go_to(None, chosen=False)
        self.load("", at_end=True)

    def highlight(self, *passages: ParagraphRange) -> None:
        """Highlights whole paragraphs, such as those of the selected directive."""
        if self.strips.highlight(passages):
            self.refresh()

    def show_locks(self, places: Collection[tuple[int, int]]) -> None:
        """Marks locked paragraphs, given by scene and number, in the margin."""
        if self.strips.lock(places):
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

    def paint(self, crop: Region) -> list[Strip]:
        """Renders the rows in sight, with a mark before the paragraph that the keys are on."""
        self.strips.here = self.cursor.row
        return super().paint(crop)

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
        self.strips.draw_signs(ascii_only)

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

    def action_move(self, rows: int) -> None:
        """Moves the cursor where keys act on a paragraph; else, and where that leads beyond the
        pane, scrolls."""
        if not self.cursor.moves_by(rows):
            super().action_move(rows)

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

    def action_select_paragraph(self, step: int) -> None:
        """Selects one paragraph after another."""
        self.selector.go_to_paragraph(step)

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
            self.cursor.go_to((block.scene, block.number), chosen=True)
            self.post_message(ParagraphClicked(self, block.scene, block.number))

    def on_click(self, event: events.Click) -> None:
        """Selects the paragraph under a double click."""
        self.selector.click(event)
