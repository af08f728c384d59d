"""The appearance of the rows of the outline, as cached strips."""

from __future__ import annotations

from rich.segment import Segment
from rich.style import Style
from textual.cache import LRUCache
from textual.strip import Strip
from textual.widget import Widget

from studio.tui.views.outline.row_text import ASCII, UNICODE, parts
from studio.tui.views.outline.rows import OutlineRow
from studio.tui.widgets.component_styles import ComponentStyles

LOOKS = {
    "strong": ("volume", "find"),
    "quiet": ("scene", "number", "count"),
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
