"""The outline of a novel: a list drawn line by line, with a cursor, folding and finding."""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.cache import LRUCache
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip

from studio.text.safe import safe_text
from studio.tui.views.outline.row_text import ASCII, UNICODE, parts
from studio.tui.views.outline.rows import Outline, OutlineRow, Place, VolumeItem
from studio.tui.widgets.line_scroll import LineScroll, key

_LOOKS = {
    "strong": ("volume", "find"),
    "quiet": ("scene", "number", "count"),
    "warning": ("stale", "waiting"),
    "failed": ("failed",),
    "cursor": ("cursor",),
}
"""What is drawn alike: a style of one's own costs each at every change of styles."""
_PLAIN = ("text", "chapter", "score", "empty", "planned", "drafting", "committed")
"""Drawn as the widget is."""


class OutlineList(LineScroll):
    """Volumes, chapters and scenes; nothing is made per row, only rows in sight are drawn."""

    COMPONENT_CLASSES = {f"outline-list--{look}" for look in _LOOKS}
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
        key("up,k", "move(-1)", "Up"),
        key("down,j", "move(1)", "Down"),
        key("pageup", "page(-1)", "Page up"),
        key("pagedown", "page(1)", "Page down"),
        key("home,g", "first", "To the first"),
        key("end,G", "last", "To the last"),
        key("enter", "select", "Open"),
        key("space", "turn", "Fold or unfold"),
        key("right", "unfold", "Unfold"),
        key("left", "fold", "Fold"),
        key("slash", "find", "Find"),
        key("n", "find_next", "Find the next"),
    ]

    cursor: reactive[int] = reactive(0, repaint=False, init=False)
    """The marked row."""
    ascii_only: reactive[bool] = reactive(False)
    """Whether glyphs are ASCII."""
    finding: reactive[str | None] = reactive(None)
    """What is being typed to find, or None."""

    class Highlighted(Message):
        """The cursor stands on another row."""

        def __init__(self, outline: OutlineList, place: Place) -> None:
            super().__init__()
            self.outline = outline
            self.place = place

        @property
        def chapter(self) -> int:
            """Number of the chapter; 0 on a volume."""
            return self.place.chapter

    class Selected(Highlighted):
        """A chapter or scene was chosen, with enter or a click on the marked row."""

    def __init__(
        self,
        volumes: Sequence[VolumeItem] = (),
        *,
        id: str | None = None,
        classes: str | None = None,
        name: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes, name=name)
        self.outline = Outline(volumes)
        self._sought = ""
        self._styles_of: dict[str, Style] = {}
        self._kept: LRUCache[tuple[int, int, bool], Strip] = LRUCache(512)

    @property
    def place(self) -> Place | None:
        """The marked volume, chapter or scene."""
        row = self.outline.row(self.cursor)
        return row.place if row is not None else None

    @property
    def model(self) -> Sequence[VolumeItem]:
        """What is shown; with other contents cursor and folds stay where they can."""
        return self.outline.volumes

    @model.setter
    def model(self, volumes: Sequence[VolumeItem]) -> None:
        place = self.place
        self.outline.renew(volumes)
        index = self.outline.find(place) if place is not None else None
        self._count_anew()
        self.cursor = self.cursor if index is None else index
        self.refresh()

    def go_to(self, chapter: int, scene: int = 0) -> bool:
        """Marks a chapter or scene and brings it into sight; whether there is one."""
        place = self.outline.place_of(chapter)
        return place is not None and self._mark(place._replace(scene=scene))

    def row_strip(self, y: int, width: int) -> Strip:
        """One row; the last in sight is the prompt while something is sought."""
        looks = self._looks()
        if self.finding is not None and y == self.scroll_offset.y + self.pane.height - 1:
            return self._prompt(width, looks)
        key = (y, width, y == self.cursor)
        strip = self._kept.get(key)
        if strip is None:
            row = self.outline.row(y)
            if row is None:
                return Strip.blank(width, looks["text"])
            strip = self._kept[key] = self._strip(row, width, looks, y == self.cursor)
        return strip

    def notify_style_update(self) -> None:
        """Called by Textual when colours change."""
        super().notify_style_update()
        self._styles_of.clear()
        self._kept.clear()

    def watch_ascii_only(self) -> None:
        """Draws the rows with other glyphs."""
        self._kept.clear()

    def on_mount(self) -> None:
        """Counts the rows."""
        self.count_rows(len(self.outline))

    def fit(self) -> None:
        """Keeps the cursor in sight."""
        self.count_rows(len(self.outline))
        self._show_cursor()

    def validate_cursor(self, cursor: int) -> int:
        """Keeps it among the rows."""
        return min(max(0, cursor), max(0, len(self.outline) - 1))

    def watch_cursor(self, old: int, new: int) -> None:
        """Draws both rows anew, and tells who listens."""
        self.refresh_lines(old)
        self.refresh_lines(new)
        self._show_cursor()
        if (place := self.place) is not None:
            self.post_message(self.Highlighted(self, place))

    def action_move(self, rows: int) -> None:
        """Moves the cursor."""
        self.cursor += rows

    def action_page(self, pages: int) -> None:
        """Moves the cursor by what is in sight."""
        self.cursor += pages * max(1, self.pane.height - 1)

    def action_first(self) -> None:
        """To the first row."""
        self.cursor = 0

    def action_last(self) -> None:
        """To the last row."""
        self.cursor = len(self.outline) - 1

    def action_select(self) -> None:
        """Chooses the marked row; of a volume that means to fold or unfold it."""
        place = self.place
        if place is None:
            return
        if place.chapter:
            self.post_message(self.Selected(self, place))
        else:
            self.action_turn()

    def action_turn(self) -> None:
        """Folds or unfolds the marked volume or chapter."""
        if (place := self.place) is not None:
            self._fold(place, not self.outline.is_open(place))

    def action_unfold(self) -> None:
        """Shows what is below."""
        if (place := self.place) is not None:
            self._fold(place, True)

    def action_fold(self) -> None:
        """Hides what is below; where nothing is, goes one level up."""
        place = self.place
        if place is None:
            return
        if place.scene or (place.chapter and not self.outline.is_open(place)):
            above = Place(place.volume, place.chapter if place.scene else 0)
            self.cursor = self.outline.find(above) or 0
        else:
            self._fold(place, False)

    def action_find(self) -> None:
        """Begins to find: what is typed now is sought in titles and numbers."""
        self.finding = ""

    def action_find_next(self) -> None:
        """To the next that was found."""
        self._seek(self._sought, self.place)

    def on_key(self, event: events.Key) -> None:
        """While finding, keys are words."""
        if self.finding is None:
            return
        if event.key in ("escape", "enter"):
            self.finding = None
        elif event.key == "backspace":
            self.finding = self.finding[:-1]
        elif event.character is not None and event.is_printable:
            self.finding += event.character
            self._seek(self.finding, None)
        else:
            return
        event.stop()
        event.prevent_default()

    def on_paste(self, event: events.Paste) -> None:
        """While finding, pasted words are sought."""
        if self.finding is not None:
            self.finding += event.text.partition("\n")[0]
            self._seek(self.finding, None)
            event.stop()

    def on_blur(self) -> None:
        """Ends finding."""
        self.finding = None

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Marks the row pointed at; a fold mark folds, the marked row is chosen."""
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

    def _fold(self, place: Place, is_open: bool) -> None:
        self.outline.unfold(place, is_open)
        self._count_anew()
        self.refresh()

    def _seek(self, words: str, after: Place | None) -> None:
        self._sought = words
        place = self.outline.search(words, after)
        if place is not None:
            self._mark(place)

    def _mark(self, place: Place) -> bool:
        row = self.outline.reveal(place)
        self._count_anew()
        if row is not None:
            self.cursor = row
        self.refresh()
        return row is not None

    def _count_anew(self) -> None:
        self._kept.clear()
        self.count_rows(len(self.outline))
        self.cursor = self.validate_cursor(self.cursor)

    def _show_cursor(self) -> None:
        top, height = self.scroll_offset.y, self.pane.height - (self.finding is not None)
        if height <= 0:
            return
        if self.cursor < top:
            self.scroll_to(y=self.cursor, animate=False, force=True)
        elif self.cursor >= top + height:
            self.scroll_to(y=self.cursor - height + 1, animate=False, force=True)

    def _strip(self, row: OutlineRow, width: int, looks: dict[str, Style], marked: bool) -> Strip:
        glyphs = ASCII if self.ascii_only else UNICODE
        if marked:
            looks = {kind: look + looks["cursor"] for kind, look in looks.items()}
        words = parts(row, width, glyphs, self.outline.is_open(row.place))
        return Strip([Segment(part.text, looks[part.kind]) for part in words], width)

    def _prompt(self, width: int, looks: dict[str, Style]) -> Strip:
        words = "/" + safe_text(self.finding or "", keep_newlines=False)
        return Strip([Segment(words, looks["find"])]).adjust_cell_length(width, looks["find"])

    def _looks(self) -> dict[str, Style]:
        """Styles by kind, looked up once after a change of colours."""
        if not self._styles_of:
            styles = dict.fromkeys(_PLAIN, self.rich_style)
            for look, kinds in _LOOKS.items():
                style = self.get_component_rich_style(
                    f"outline-list--{look}", partial=look == "cursor"
                )
                styles |= dict.fromkeys(kinds, style)
            self._styles_of = styles
        return self._styles_of
