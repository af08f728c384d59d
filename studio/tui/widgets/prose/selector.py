"""Selection of prose by keyboard and by mouse."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import events

from studio.tui.views.prose.blocks import Block
from studio.tui.views.prose.layout import Page, Spot
from studio.tui.views.prose.marks import ParagraphRange, Selection
from studio.tui.widgets.prose.strips import ProseStrips

if TYPE_CHECKING:
    from studio.tui.widgets.prose_view import ProseView


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
            top = self._view.scroll_offset.y
            row = self._page.row(top)
            start = self._page.spot(top + (row is not None and row.line is None), 0)
            if start is None:
                return
            selection = Selection(start)
        selection.step(self._page, rows, columns)
        self._take(selection)
        self.show(selection.head)

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
