"""How a row of the outline looks: as strips, each made once."""

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
"""What is drawn alike: a style of one's own costs each at every change of styles."""
_PLAIN = ("text", "chapter", "score", "empty", "planned", "drafting", "committed")
"""Drawn as the widget is."""


class OutlineStrips:
    """Strips of an outline, kept until something that changes their looks changes."""

    def __init__(self, view: Widget) -> None:
        self._components = ComponentStyles(view, "outline-list", LOOKS, ("cursor",))
        self._styles: dict[str, Style] = {}
        self._kept: LRUCache[tuple[int, int, bool, bool], Strip] = LRUCache(512)

    def forget(self) -> None:
        """Draws every row anew when it is next seen."""
        self._kept.clear()

    def forget_colours(self) -> None:
        """Looks the styles up again as well."""
        self._components.forget()
        self._styles.clear()
        self.forget()

    def strip(
        self, y: int, row: OutlineRow, width: int, *, marked: bool, is_open: bool, ascii_only: bool
    ) -> Strip:
        """A row of that many cells."""
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
        """Styles by kind, looked up once after a change of colours."""
        if not self._styles:
            looks = self._components.by_kind()
            self._styles = dict.fromkeys(_PLAIN, looks["text"])
            for look, kinds in LOOKS.items():
                self._styles |= dict.fromkeys(kinds, looks[look])
        return self._styles
