"""The desk's panes and tabs: which pane is focused, how wide each is, which are visible, and the
row of tabs above the text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from studio.config.recent import LastPlace as Remembered
from studio.i18n import N_, _
from studio.tui.desk.state import PANES, Pane
from studio.tui.performs import performs
from studio.tui.runtime.resilience import SteadyWidget
from studio.tui.views.lengths import which_count
from studio.tui.views.words import Phrase
from studio.tui.widgets.styled import content, fill

if TYPE_CHECKING:
    from studio.story.lengths import Unit
    from studio.tui.desk.protocol import Desk


_NAMES = {
    "draft": N_("Draft"),
    "diff": N_("Diff"),
    "plan": N_("Plan"),
    "context": N_("Context"),
    "variations": N_("Variations"),
}
"""The titles of the tabs."""


class TabLine(SteadyWidget, Widget):
    """A row of tabs; a click switches to a tab."""

    DEFAULT_CSS = """
    TabLine { height: 1; }
    """

    class Chosen(Message):
        """A tab was clicked."""

        def __init__(self, tab: str) -> None:
            super().__init__()
            self.tab = tab

    def __init__(
        self, tabs: Sequence[str], *, id: str | None = None, classes: str | None = None
    ) -> None:
        super().__init__(id=id, classes=classes)
        self.tabs = tuple(tabs)
        self.current = self.tabs[0]
        self.note = ""

    def show(self, tab: str, note: str | None = None) -> None:
        """Marks the current tab; `note` is displayed after the tabs."""
        self.current = tab
        self.note = self.note if note is None else note
        self.refresh()

    def render(self) -> Content:
        """Renders the tabs with the current one marked."""
        pieces = [
            Phrase(f"{_name(tab)}  ", "heading" if tab == self.current else "quiet")
            for tab in self.tabs
        ]
        return content((*pieces, Phrase(self.note, "quiet")))

    def on_click(self, event: events.Click) -> None:
        """Posts `Chosen` for the tab under the mouse."""
        at = 0
        for tab in self.tabs:
            at += cell_len(_name(tab)) + 2
            if event.x < at + self.gutter.left:
                self.post_message(self.Chosen(tab))
                return


def _name(tab: str) -> str:
    return _(_NAMES.get(tab, tab.capitalize()))


TABS = ("draft", "diff", "plan", "context", "variations")
_NARROWEST, _WIDEST = 20, 80


class Panes:
    """Manages outline, text and directives side by side, and the tabs of the text."""

    def __init__(self, desk: Desk, screen: Screen[Any]) -> None:
        self._desk = desk
        self._screen = screen
        self.tab = TABS[0]
        """The visible tab."""

    # Panes

    def go_to(self, pane: Pane) -> None:
        """Focuses a pane and makes sure it is visible."""
        self.enter(pane)
        target = {"outline": "outline", "text": self.tab, "directives": "directives"}[pane]
        self._screen.query_one(f"#{target}").focus()

    def enter(self, pane: Pane) -> None:
        """Marks a pane as focused; entering the directives also reveals the selected passage."""
        state = self._desk.state
        entered, state.pane = pane != state.pane, pane
        for name in PANES:
            titles = self._screen.query(f"#{name}-pane > .pane-title")
            titles.set_class(name == pane, "-in-use")  # that of the directives comes later
        # Changing classes restyles everything on the screen; side by side, the panes look the same
        # whichever is focused.
        beside = self._screen.has_class("-wide") and not self._screen.has_class("-zoom")
        places = {f"-on-{name}": name == pane for name in PANES}
        self._screen.update_classes(places, update=not beside)
        if self._desk.is_prepared:
            self._desk.painter.room()
            self._desk.painter.mark()
            if entered and pane == "directives" and not state.run.running:
                # Runs once the panes have their widths.
                self._screen.call_after_refresh(self._reveal_selected)

    def _reveal_selected(self) -> None:
        if self._desk.state.pane == "directives":
            self._desk.painter.reveal()

    def heed_focus(self, focused: Widget) -> None:
        """Enters the pane that the mouse has focused."""
        for pane in PANES:
            holder = self._screen.query_one(f"#{pane}-pane")
            if focused in holder.walk_children(with_self=True) and self._desk.state.pane != pane:
                self.enter(pane)

    @performs("desk.next_pane", 1)
    @performs("desk.previous_pane", -1)
    def turn_pane(self, step: int) -> None:
        """Focuses the next or the previous pane, wrapping around at the ends."""
        at = PANES.index(self._desk.state.pane)
        self._desk.go_to_pane(PANES[(at + step) % len(PANES)])

    @performs("desk.outline", "outline")
    @performs("desk.text", "text")
    @performs("desk.directives", "directives")
    def to_pane(self, pane: Pane) -> None:
        """Focuses a pane."""
        self._desk.go_to_pane(pane)

    @performs("desk.zoom")
    def zoom(self) -> None:
        """Shows only the focused pane, or all panes again."""
        self._screen.toggle_class("-zoom")

    @performs("desk.narrower", -2)
    @performs("desk.wider", 2)
    def widen(self, columns: int) -> None:
        """Makes a side pane narrower or wider."""
        pane = self._desk.state.pane
        holder = self._screen.query_one(f"#{'outline' if pane == 'text' else pane}-pane")
        holder.styles.width = min(_WIDEST, max(_NARROWEST, holder.size.width + columns))

    # Tabs

    def go_to_tab(self, tab: str) -> None:
        """Switches the text pane to a tab."""
        self.tab = tab
        with self._screen.app.batch_update():
            for page in self._screen.query_one("#tab-pages").children:
                page.display = page.id == tab
        self._screen.query_one(TabLine).show(tab)
        if self._desk.state.pane == "text":
            self._screen.query_one(f"#{tab}").focus()

    @performs("desk.next_tab", 1)
    @performs("desk.previous_tab", -1)
    def turn_tab(self, step: int) -> None:
        """Switches to the next or the previous tab, wrapping around at the ends."""
        self._desk.go_to_tab(TABS[(TABS.index(self.tab) + step) % len(TABS)])

    @performs("text.follow")
    def follow(self) -> None:
        """Toggles whether the view follows the stream."""
        prose = self._desk.painter.prose
        prose.follow = not prose.follow
        words = _("Following the text.") if prose.follow else _("Staying where you read.")
        self._desk.studio.say(words)

    @performs("text.copy")
    def copy(self) -> None:
        """Copies the selected words to the clipboard."""
        self._screen.app.copy_to_clipboard(self._desk.painter.prose.selector.text)
        self._desk.studio.say(_("Copied."))

    def name_count(self, unit: Unit) -> None:
        """Says above the lengths in the outline which characters count in them."""
        if words := which_count(unit):
            title = self._screen.query_one("#outline-pane > .pane-title", Static)
            fill(title, (Phrase(_("Outline"), "heading"), Phrase(words, "quiet")))

    # Remembered state

    def take_widths(self, place: Remembered) -> None:
        """Restores the widths the writer gave the panes."""
        for name, width in (
            ("outline", place.outline_width),
            ("directives", place.directives_width),
        ):
            if width:
                self._screen.query_one(f"#{name}-pane").styles.width = width

    def place(self) -> Remembered:
        """Returns the writer's place, and the widths she gave the panes."""
        return Remembered(
            chapter=self._desk.state.chapter,
            paragraph=self._paragraph_read(),
            tab=self.tab,
            outline_width=self._width_given("outline"),
            directives_width=self._width_given("directives"),
        )

    def _paragraph_read(self) -> tuple[int, int] | None:
        """Returns the paragraph where `go_to` would place it: a third of the way down the pane."""
        prose = self._desk.painter.prose
        top = prose.scroll_offset.y
        row = prose.page.row(top + prose.size.height // 3) if top else None
        if row is None:
            return None
        block = prose.page.blocks[row.block]
        return (block.scene, block.number) if block.number else None

    def _width_given(self, side: str) -> int | None:
        """Returns the width the writer gave a side pane; None if the style sheet's applies."""
        inline = self._screen.query_one(f"#{side}-pane").styles.inline
        width = inline.width if inline.has_rule("width") else None
        return int(width.value) if width is not None else None
