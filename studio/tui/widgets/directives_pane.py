"""The directives of a chapter: a row each, and everything about the one under the cursor."""

from __future__ import annotations

from collections.abc import Mapping

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from studio.story.directive import Directive, DirectiveSheet
from studio.tui.screens.place import keys_for
from studio.tui.steady import Steady
from studio.tui.views import directive_text
from studio.tui.views.words import Line, line
from studio.tui.widgets.lines_view import LinesView
from studio.tui.widgets.said import content

_CURSOR = "$block-cursor-foreground on $block-cursor-background"


class DirectiveRows(Steady, Widget):
    """The list; a click moves the cursor."""

    DEFAULT_CSS = """
    DirectiveRows { height: auto; max-height: 40%; }
    """

    class Clicked(Message):
        """A row was pointed at."""

        def __init__(self, index: int) -> None:
            super().__init__()
            self.index = index

    def __init__(self) -> None:
        super().__init__()
        self.rows: tuple[Line, ...] = ()
        self.cursor = 0

    def show(self, rows: tuple[Line, ...], cursor: int) -> None:
        """Other rows, or another cursor."""
        grown = len(rows) != len(self.rows)
        self.rows, self.cursor = rows, cursor
        self.refresh(layout=grown)

    def render(self) -> Content:
        """The rows, that of the cursor on a bar."""
        width = max(1, self.size.width)
        shown = []
        for index, row in enumerate(self.rows):
            words = content(row).truncate(width, ellipsis=True, pad=True)
            if index == self.cursor:
                words = words.stylize("reverse" if self.app.no_color else _CURSOR)
            shown.append(words)
        return Content("\n").join(shown)

    def on_click(self, event: events.Click) -> None:
        """Moves the cursor."""
        if 0 <= event.y < len(self.rows):
            self.post_message(self.Clicked(event.y))


class DirectivesPane(Steady, Vertical, can_focus=True):
    """List and detail; what a key does is decided by the screen."""

    BINDINGS = keys_for("directives")

    expanded: reactive[bool] = reactive(False, init=False)

    class Moved(Message):
        """Another directive is under the cursor, or none."""

        def __init__(self, directive: Directive | None) -> None:
            super().__init__()
            self.directive = directive

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.sheet: DirectiveSheet | None = None
        self.index = 0
        self._empty: tuple[Line, ...] = ()
        self._writing: Mapping[str, str] = {}

    def compose(self) -> ComposeResult:
        """Rows over detail."""
        yield DirectiveRows()
        detail = LinesView(id="directive-detail")
        detail.can_focus = False
        yield detail

    @property
    def selected(self) -> Directive | None:
        """The directive under the cursor."""
        directives = self.sheet.directives if self.sheet else ()
        return directives[self.index] if self.index < len(directives) else None

    def show(
        self,
        sheet: DirectiveSheet | None,
        writing: Mapping[str, str],
        empty: tuple[Line, ...] = (),
    ) -> None:
        """Shows a chapter's directives; `empty` is said where there are none."""
        before = self.selected
        known = [d.id for d in sheet.directives] if sheet else []
        self.sheet, self._empty, self._writing = sheet, empty, writing
        if before is not None and before.id in known:
            self.index = known.index(before.id)
        elif before is None or self.index >= len(known):
            self.index = 0
        self._draw()
        if (before and before.id) != (self.selected and self.selected.id):
            self.post_message(self.Moved(self.selected))

    def move(self, step: int) -> None:
        """The next or the one before, stopping at the ends."""
        count = len(self.sheet.directives) if self.sheet else 0
        self._go(min(max(0, self.index + step), max(0, count - 1)))

    def advance(self) -> None:
        """To the next that waits for a decision."""
        if self.sheet and self.sheet.directives:
            self._go(directive_text.next_open(self.sheet.directives, self.index))

    def go_to(self, directive_id: str) -> None:
        """To the directive of that id."""
        ids = [d.id for d in self.sheet.directives] if self.sheet else []
        if directive_id in ids:
            self._go(ids.index(directive_id))

    def watch_expanded(self) -> None:
        """More or less of the one under the cursor."""
        self._draw()

    def on_directive_rows_clicked(self, message: DirectiveRows.Clicked) -> None:
        """The mouse moves the cursor too."""
        self.focus()
        self._go(message.index)

    def on_mouse_scroll_down(self) -> None:
        """The wheel scrolls the detail."""
        self.query_one(LinesView).scroll_relative(y=2, animate=False)

    def on_mouse_scroll_up(self) -> None:
        """The wheel scrolls the detail."""
        self.query_one(LinesView).scroll_relative(y=-2, animate=False)

    def _go(self, index: int) -> None:
        if index != self.index:
            self.index = index
            self._draw()
            self.post_message(self.Moved(self.selected))

    def _draw(self) -> None:
        if not self.is_mounted:
            return
        directives = self.sheet.directives if self.sheet else ()
        shared = directive_text.conflicting(directives)
        rows = tuple(directive_text.row(d, d.id in shared) for d in directives)
        self.query_one(DirectiveRows).show(rows, self.index)
        chosen = self.selected
        if chosen is None:
            lines = list(self._empty)
        else:
            told = directive_text.detail(
                chosen,
                shared.get(chosen.id, ()),
                writing=self._writing.get(chosen.id, ""),
                expanded=self.expanded,
            )
            lines = [line(), *told]
        self.query_one(LinesView).show(lines, keep_place=bool(self._writing))
