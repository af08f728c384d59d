"""What is read before an answer: it scrolls where the window has no room for all of it, and a line
below says how much more there is, and by which key."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.widget import Widget
from textual.widgets import Static

from studio.i18n import ngettext
from studio.tui.views.key_names import shown_key
from studio.tui.views.words import Phrase
from studio.tui.widgets.styled import content

FEWEST = 2
"""The rows that are left in the smallest window: one to read, and the line below it."""


class _Rows(VerticalScroll, can_focus=False):
    """The rows; whoever holds them is told when they scroll, and when they are laid out."""

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Counts anew what is out of sight."""
        super().watch_scroll_y(old_value, new_value)
        self.on_resize()

    def on_resize(self) -> None:
        """Counts anew what is out of sight."""
        if isinstance(self.parent, WordsToRead):
            self.parent.count()


class WordsToRead(Vertical):
    """Words, or answers, of which none is cut off unseen."""

    DEFAULT_CSS = """
    WordsToRead { height: auto; }
    WordsToRead > _Rows { height: auto; max-height: 8; scrollbar-size-vertical: 1; }
    WordsToRead > .more { height: 1; display: none; }
    WordsToRead.-cut > .more { display: block; }
    """

    def __init__(
        self,
        *rows: Widget,
        id: str | None = None,
        classes: str | None = None,
        keys: tuple[str, str] = ("pagedown", "pageup"),
    ) -> None:
        """`keys`: what scrolls on, and back."""
        super().__init__(id=id, classes=classes)
        self._rows = _Rows(*rows)
        self._more = Static(classes="more")
        self._keys = keys
        self._room = 0

    def compose(self) -> ComposeResult:
        """Yields the rows above the line that counts what is out of sight."""
        yield self._rows
        yield self._more

    @property
    def height(self) -> int:
        """The rows there are, in sight or not."""
        return self._rows.virtual_size.height

    @property
    def is_cut(self) -> bool:
        """Whether there is more than the window has room for."""
        return self.has_class("-cut")

    def fit(self, room: int) -> None:
        """Takes as many rows as there are, and at most `room`."""
        self._room = room = max(FEWEST, room)
        is_cut = self.height > room
        self.set_class(is_cut, "-cut")
        self._rows.styles.max_height = room - 1 if is_cut else room
        self.call_after_refresh(self.count)

    def fit_beside(self, card: Widget, rows: int) -> None:
        """Takes what the other parts of a card leave of `rows` rows."""
        others = [part for part in card.children if part is not self and part.display]
        taken = sum(part.outer_size.height + part.styles.margin.height for part in others)
        self.fit(rows - card.gutter.height - self.styles.margin.height - taken)

    def scroll_on(self, rows: int) -> None:
        """Scrolls by this number of rows."""
        self._rows.scroll_relative(y=rows, animate=False)

    def turn(self, pages: int) -> None:
        """Scrolls by pages; one row stays in sight."""
        self.scroll_on(pages * max(1, self._rows.size.height - 1))

    def count(self) -> None:
        """Says how many rows there are below, or above where none is below; words that have come to
        more rows since they were fitted, or to fewer, are fitted anew."""
        if self._room and self.is_cut != (self.height > self._room):
            self.fit(self._room)
        below = round(self._rows.max_scroll_y - self._rows.scroll_y)
        above = round(self._rows.scroll_y)
        on, back = map(shown_key, self._keys)
        if below > 0:
            words = ngettext("↓ {n} more line: {key}", "↓ {n} more lines: {key}", below, key=on)
        elif above > 0:
            words = ngettext("↑ {n} line above: {key}", "↑ {n} lines above: {key}", above, key=back)
        else:
            words = ""
        self._more.update(content(Phrase(words, "accent")))
