"""The outline of a novel as a list drawn row by row, in cached strips, with a cursor, folding and a
search.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.cache import LRUCache
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from studio.tui.views.outline.row_text import ASCII, UNICODE, parts
from studio.tui.views.outline.rows import Outline, OutlineRow, RowPlace, VolumeItem
from studio.tui.widgets.line_scroll import LineScroll, key
from studio.tui.widgets.search_prompt import SearchPrompt
from studio.tui.widgets.styled import ComponentStyles

LOOKS = {
    "strong": ("volume", "find"),
    "quiet": ("scene", "number", "count", "published"),
    "warning": ("stale", "waiting"),
    "failed": ("failed",),
    "cursor": ("cursor",),
}
"""The kinds of text that share a look. Each further style costs time at every change of styles."""
_PLAIN = ("text", "chapter", "score", "empty", "planned", "drafting", "committed")
"""The kinds of text that are drawn in the style of the widget itself."""


class OutlineStrips:
    """The strips of an outline, cached until something that affects their appearance changes."""

    def __init__(self, view: Widget) -> None:
        self._components = ComponentStyles(view, "outline-list", LOOKS, ("cursor",))
        self._styles: dict[str, Style] = {}
        self._kept: LRUCache[tuple[int, int, bool, bool], Strip] = LRUCache(512)

    def forget(self) -> None:
        """Drops the cached strips, so that each row is drawn again when it is next in sight."""
        self._kept.clear()

    def forget_colours(self) -> None:
        """Drops the cached strips and the cached styles."""
        self._components.forget()
        self._styles.clear()
        self.forget()

    def strip(
        self, y: int, row: OutlineRow, width: int, *, marked: bool, is_open: bool, ascii_only: bool
    ) -> Strip:
        """Returns a row in `width` cells."""
        key = (y, width, marked, ascii_only)
        strip = self._kept.get(key)
        if strip is None:
            styles = self.styles
            if marked:
                styles = {kind: style + styles["cursor"] for kind, style in styles.items()}
            words = parts(row, width, ASCII if ascii_only else UNICODE, is_open)
            strip = Strip([Segment(part.text, styles[part.kind]) for part in words], width)
            self._kept[key] = strip
        return strip

    @property
    def styles(self) -> dict[str, Style]:
        """The styles by kind, looked up once after each change of colours."""
        if not self._styles:
            looks = self._components.by_kind()
            self._styles = dict.fromkeys(_PLAIN, looks["text"])
            for look, kinds in LOOKS.items():
                self._styles |= dict.fromkeys(kinds, looks[look])
        return self._styles


class Highlighted(Message, namespace="outline_list"):
    """The cursor moved to another row."""

    def __init__(self, outline: OutlineList, place: RowPlace) -> None:
        super().__init__()
        self.outline = outline
        self.place = place

    @property
    def chapter(self) -> int:
        """The number of the chapter; 0 for a volume."""
        return self.place.chapter


class Selected(Highlighted, namespace="outline_list"):
    """A chapter or a scene was chosen with Enter or by a click on the selected row."""


class OutlineList(LineScroll):
    """Volumes, chapters and scenes; no widget is made per row, and only rows in sight are drawn."""

    COMPONENT_CLASSES = {f"outline-list--{look}" for look in LOOKS}
    DEFAULT_CSS = """
    OutlineList {
        & > .outline-list--strong { text-style: bold; }
        & > .outline-list--quiet { color: $text-muted; }
        & > .outline-list--warning { color: $text-warning; }
        & > .outline-list--failed { color: $text-error; }
        & > .outline-list--cursor { text-style: reverse; }
    }
    """
    BINDINGS = [
        key("enter", "select", "Open"),
        key("space", "turn", "Fold or unfold"),
        key("right", "unfold", "Unfold"),
        key("left", "fold", "Fold"),
        key("slash", "find", "Find"),
        key("n", "find_next", "Find the next"),
    ]

    cursor: reactive[int] = reactive(0, repaint=False, init=False)
    """The index of the selected row."""
    ascii_only: reactive[bool] = reactive(False)
    """Whether glyphs are drawn as ASCII."""

    def __init__(self, volumes: Sequence[VolumeItem] = (), *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.outline = Outline(volumes)
        self.prompt = SearchPrompt(self, self._search)
        self._strips = OutlineStrips(self)

    @property
    def place(self) -> RowPlace | None:
        """The selected volume, chapter or scene."""
        row = self.outline.row(self.cursor)
        return row.place if row is not None else None

    @property
    def model(self) -> Sequence[VolumeItem]:
        """The volumes in the list; when they change, the cursor and the folds stay where
        possible."""
        return self.outline.volumes

    @model.setter
    def model(self, volumes: Sequence[VolumeItem]) -> None:
        if list(volumes) == list(self.model):
            return
        place = self.place
        self.outline.renew(volumes)
        index = self.outline.find(place) if place is not None else None
        self._count_anew()
        self.cursor = self.cursor if index is None else index

    def go_to(self, chapter: int, scene: int = 0) -> bool:
        """Selects a chapter or a scene and brings it into sight; returns whether it exists."""
        place = self.outline.place_of(chapter)
        return place is not None and self._mark(place._replace(scene=scene))

    def row_strip(self, y: int, width: int) -> Strip:
        """Renders one row; during a search the last row in sight is the prompt."""
        styles = self._strips.styles
        if self.prompt.is_open and y == self.scroll_offset.y + self.pane.height - 1:
            return self.prompt.strip(width, styles["find"])
        row = self.outline.row(y)
        if row is None:
            return Strip.blank(width, styles["text"])
        marked, is_open = y == self.cursor, self.outline.is_open(row.place)
        return self._strips.strip(
            y, row, width, marked=marked, is_open=is_open, ascii_only=self.ascii_only
        )

    def notify_style_update(self) -> None:
        """Textual's hook for a change of colours: drops the cached styles and strips."""
        super().notify_style_update()
        self._strips.forget_colours()

    def fit(self) -> None:
        """Counts the rows and keeps the cursor in sight."""
        self.count_rows(len(self.outline))
        self.show_row(self.cursor, below=self.prompt.is_open)

    def validate_cursor(self, cursor: int) -> int:
        """Keeps the cursor among the rows."""
        return min(max(0, cursor), max(0, len(self.outline) - 1))

    def watch_cursor(self, old: int, new: int) -> None:
        """Redraws both rows and posts `Highlighted`."""
        self.refresh_lines(old)
        self.refresh_lines(new)
        self.show_row(self.cursor, below=self.prompt.is_open)
        if (place := self.place) is not None:
            self.post_message(Highlighted(self, place))

    def action_move(self, rows: int) -> None:
        """Moves the cursor by this number of rows."""
        self.cursor += rows

    def action_select(self) -> None:
        """Opens the selected chapter or scene; folds or unfolds a selected volume."""
        place = self.place
        if place is None:
            return
        if place.chapter:
            self.post_message(Selected(self, place))
        else:
            self.action_turn()

    def action_turn(self) -> None:
        """Folds or unfolds the selected volume or chapter."""
        if (place := self.place) is not None:
            self._fold(place, not self.outline.is_open(place))

    def action_unfold(self) -> None:
        """Unfolds the selected volume or chapter."""
        if (place := self.place) is not None:
            self._fold(place, True)

    def action_fold(self) -> None:
        """Folds the selected row, or moves the cursor one level up where nothing can be folded."""
        if (place := self.place) is None:
            return
        above = self.outline.above(place)
        if above is None:
            self._fold(place, False)
        else:
            self.cursor = self.outline.find(above) or 0

    def action_find(self) -> None:
        """Opens the search prompt; the typed words are looked up in titles and numbers."""
        self.prompt.open()

    def action_find_next(self) -> None:
        """Selects the next match."""
        self._search(self.prompt.words, self.place)

    def on_key(self, event: events.Key) -> None:
        """Passes keys to the search prompt, which takes them while it is open."""
        self.prompt.press(event)

    def on_paste(self, event: events.Paste) -> None:
        """Passes pasted text to the search prompt, which takes it while it is open."""
        self.prompt.paste(event)

    def on_blur(self) -> None:
        """Closes the search prompt."""
        self.prompt.close()

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Selects the row under the mouse; a click on a fold mark folds, one on the selected row
        opens."""
        y = self.scroll_offset.y + event.y - self.gutter.top
        row = self.outline.row(y)
        if row is None or event.button != 1:
            return
        x = event.x - self.gutter.left
        if row.scene is None and x == (0 if row.chapter is None else 1):
            self.cursor = y
            self.action_turn()
        elif y == self.cursor:
            self.action_select()
        else:
            self.cursor = y

    def _fold(self, place: RowPlace, is_open: bool) -> None:
        self.outline.unfold(place, is_open)
        self._count_anew()

    def _search(self, words: str, after: RowPlace | None = None) -> None:
        place = self.outline.search(words, after)
        if place is not None:
            self._mark(place)

    def _mark(self, place: RowPlace) -> bool:
        row = self.outline.reveal(place)
        self._count_anew()
        if row is not None:
            self.cursor = row
        return row is not None

    def _count_anew(self) -> None:
        self._strips.forget()
        self.count_rows(len(self.outline))
        self.cursor = self.validate_cursor(self.cursor)
        self.refresh()
