"""The outline of a novel: a list drawn line by line, with a cursor, folding and finding."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip

from studio.tui.views.outline.rows import Outline, Place, VolumeItem
from studio.tui.widgets.line_scroll import LineScroll, key
from studio.tui.widgets.outline_strips import LOOKS, OutlineStrips
from studio.tui.widgets.search_prompt import SearchPrompt


class Highlighted(Message, namespace="outline_list"):
    """The cursor stands on another row."""

    def __init__(self, outline: OutlineList, place: Place) -> None:
        super().__init__()
        self.outline = outline
        self.place = place

    @property
    def chapter(self) -> int:
        """Number of the chapter; 0 on a volume."""
        return self.place.chapter


class Selected(Highlighted, namespace="outline_list"):
    """A chapter or scene was chosen, with enter or a click on the marked row."""


class OutlineList(LineScroll):
    """Volumes, chapters and scenes; nothing is made per row, only rows in sight are drawn."""

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
    """The marked row."""
    ascii_only: reactive[bool] = reactive(False)
    """Whether glyphs are ASCII."""

    def __init__(self, volumes: Sequence[VolumeItem] = (), *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.outline = Outline(volumes)
        self.prompt = SearchPrompt(self, self._search)
        self._strips = OutlineStrips(self)

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
        if list(volumes) == list(self.model):
            return
        place = self.place
        self.outline.renew(volumes)
        index = self.outline.find(place) if place is not None else None
        self._count_anew()
        self.cursor = self.cursor if index is None else index

    def go_to(self, chapter: int, scene: int = 0) -> bool:
        """Marks a chapter or scene and brings it into sight; whether there is one."""
        place = self.outline.place_of(chapter)
        return place is not None and self._mark(place._replace(scene=scene))

    def row_strip(self, y: int, width: int) -> Strip:
        """One row; the last in sight is the prompt while something is sought."""
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
        """Called by Textual when colours change."""
        super().notify_style_update()
        self._strips.forget_colours()

    def fit(self) -> None:
        """Keeps the cursor in sight."""
        self.count_rows(len(self.outline))
        self.show_row(self.cursor, below=self.prompt.is_open)

    def validate_cursor(self, cursor: int) -> int:
        """Keeps it among the rows."""
        return min(max(0, cursor), max(0, len(self.outline) - 1))

    def watch_cursor(self, old: int, new: int) -> None:
        """Draws both rows anew, and tells who listens."""
        self.refresh_lines(old)
        self.refresh_lines(new)
        self.show_row(self.cursor, below=self.prompt.is_open)
        if (place := self.place) is not None:
            self.post_message(Highlighted(self, place))

    def action_move(self, rows: int) -> None:
        """Moves the cursor."""
        self.cursor += rows

    def action_select(self) -> None:
        """Chooses the marked row; of a volume that means to fold or unfold it."""
        place = self.place
        if place is None:
            return
        if place.chapter:
            self.post_message(Selected(self, place))
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
        if (place := self.place) is None:
            return
        above = self.outline.above(place)
        if above is None:
            self._fold(place, False)
        else:
            self.cursor = self.outline.find(above) or 0

    def action_find(self) -> None:
        """Begins to find: what is typed now is sought in titles and numbers."""
        self.prompt.open()

    def action_find_next(self) -> None:
        """To the next that was found."""
        self._search(self.prompt.words, self.place)

    def on_key(self, event: events.Key) -> None:
        """While finding, keys are words."""
        self.prompt.press(event)

    def on_paste(self, event: events.Paste) -> None:
        """While finding, pasted words are sought."""
        self.prompt.paste(event)

    def on_blur(self) -> None:
        """Ends finding."""
        self.prompt.close()

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

    def _search(self, words: str, after: Place | None = None) -> None:
        place = self.outline.search(words, after)
        if place is not None:
            self._mark(place)

    def _mark(self, place: Place) -> bool:
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
