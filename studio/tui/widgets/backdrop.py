"""What lies behind other widgets: of each it shows its background, and a border at its sides."""

from __future__ import annotations

from textual.containers import Horizontal, Vertical
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import ContentSwitcher


class Backdrop(Widget):
    """Mixed into what has no content of its own: one row is drawn, for all look the same.

    Textual draws every row of everything, covered or not; with panes within
    panes that is most of a first frame (performance P5). Among the bases this
    one is last, for Textual takes the style of the first.
    """

    def render_lines(self, crop: Region) -> list[Strip]:
        """The same row for each."""
        return super().render_lines(Region(crop.x, 0, crop.width, 1)) * crop.height


class Columns(Horizontal, Backdrop):
    """Widgets beside one another."""


class Column(Vertical, Backdrop):
    """Widgets below one another."""


class Pages(ContentSwitcher, Backdrop):
    """Widgets of which one is in sight."""
