"""Moving about in prose and selecting in it, by keyboard and by mouse."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import events
from textual.actions import SkipAction
from textual.message import Message
from textual.reactive import reactive

from studio.tui.views.prose.layout import Page, Spot
from studio.tui.views.prose.marks import Passage, Selection
from studio.tui.widgets.line_scroll import LineScroll, key

if TYPE_CHECKING:
    from studio.tui.widgets.prose_strips import ProseStrips


class ProseKeys(LineScroll):
    """Keys, mouse and selection of a prose view; the view itself holds the page."""

    page: Page
    strips: ProseStrips
    margin_width = 0
    """Cells left of the text."""
    follow: reactive[bool] = reactive(True, repaint=False, init=False)
    """Whether the end stays in sight while text comes; scrolling up ends it."""

    BINDINGS = [
        key("shift+up", "extend(-1,0)", "Select up"),
        key("shift+down", "extend(1,0)", "Select down"),
        key("shift+left", "extend(0,-1)", "Select left"),
        key("shift+right", "extend(0,1)", "Select right"),
        key("ctrl+a", "select_everything", "Select everything"),
        key("escape", "unselect", "Select nothing"),
    ]

    class FollowChanged(Message, namespace="prose_view"):
        """The view follows the stream now, or stays where it is."""

        def __init__(self, view: ProseKeys, follow: bool) -> None:
            super().__init__()
            self.view = view
            self.follow = follow

    class SelectionChanged(Message, namespace="prose_view"):
        """Other words are selected, or none."""

        def __init__(self, view: ProseKeys) -> None:
            super().__init__()
            self.view = view

    class ParagraphClicked(Message, namespace="prose_view"):
        """A paragraph was pointed at."""

        def __init__(self, view: ProseKeys, scene: int, paragraph: int) -> None:
            super().__init__()
            self.view = view
            self.scene = scene
            self.paragraph = paragraph

    @property
    def selected_text(self) -> str:
        """The selected words as they are shown; empty if nothing is selected."""
        selection = self.strips.selection
        return selection.of(self.page) if selection is not None else ""

    @property
    def selected_passages(self) -> tuple[Passage, ...]:
        """The paragraphs the selection touches, a passage for each scene."""
        selection = self.strips.selection
        return selection.passages(self.page) if selection is not None else ()

    def clear_selection(self) -> None:
        """Selects nothing."""
        if self.strips.selection is not None:
            self._select(None)

    def action_scroll_end(self) -> None:
        """To the last row, and along with what comes."""
        self.follow = True
        super().action_scroll_end()

    def action_extend(self, rows: int, columns: int) -> None:
        """Selects further, from the first row in sight if nothing is selected."""
        selection = self.strips.selection
        if selection is None:
            top = self.scroll_offset.y
            row = self.page.row(top)
            start = self.page.spot(top + (row is not None and row.line is None), 0)
            if start is None:
                return
            selection = Selection(start)
        selection.step(self.page, rows, columns)
        self._select(selection)
        self._show(selection.head)

    def action_select_everything(self) -> None:
        """Selects the whole text."""
        if self.page.blocks:
            selection = Selection(Spot(0, 0))
            last = len(self.page.blocks) - 1
            selection.head = Spot(last, len(self.page.blocks[last].text))
            self._select(selection)

    def action_unselect(self) -> None:
        """Selects nothing; with nothing selected the key is somebody else's."""
        if self.strips.selection is None:
            raise SkipAction
        self.clear_selection()

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Begins to select."""
        spot = self._spot_under(event)
        if event.button == 1 and spot is not None:
            self.capture_mouse()
            self.clear_selection()
            self.strips.selection = Selection(spot)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Selects as far as the mouse goes; beyond the edge the text scrolls."""
        selection, spot = self.strips.selection, self._spot_under(event)
        if self.app.mouse_captured is not self or selection is None or spot is None:
            return
        selection.head = spot
        self._select(selection)
        self._show(spot)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Ends selecting; a mere click points at a paragraph."""
        if self.app.mouse_captured is not self:
            return
        self.release_mouse()
        selection = self.strips.selection
        if selection is not None and selection.anchor == selection.head:
            self.strips.selection = None
            block = self.page.blocks[selection.head.block]
            if block.number:
                self.post_message(self.ParagraphClicked(self, block.scene, block.number))

    def on_click(self, event: events.Click) -> None:
        """A double click selects the paragraph."""
        spot = self._spot_under(event)
        if event.chain == 2 and spot is not None:
            self._select_block(spot.block)

    def _spot_under(self, event: events.MouseEvent) -> Spot | None:
        row = self.scroll_offset.y + event.y - self.gutter.top
        return self.page.spot(row, event.x - self.gutter.left - self.margin_width)

    def _select_block(self, block: int) -> None:
        selection = Selection(Spot(block, 0))
        selection.head = Spot(block, len(self.page.blocks[block].text))
        self._select(selection)

    def _select(self, selection: Selection | None) -> None:
        self.strips.selection = selection
        self.strips.forget()
        self.refresh()
        self.post_message(self.SelectionChanged(self))

    def _show(self, spot: Spot) -> None:
        """Scrolls as little as brings a place into sight."""
        y = self.page.cell(spot)[0]
        top = self.scroll_offset.y
        if y < top:
            self.scroll_to(y=y, animate=False)
        elif y >= top + self.pane.height:
            self.scroll_to(y=y - self.pane.height + 1, animate=False)
