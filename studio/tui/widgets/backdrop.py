"""What lies behind other widgets: of each it shows its background, and a border at its sides."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

from textual.binding import BindingsMap, BindingType
from textual.containers import Vertical
from textual.geometry import Region
from textual.strip import Strip

if TYPE_CHECKING:
    from textual.widget import Widget


class Backdrop:
    """Mixed into what has no content of its own: one row is drawn, for all look the same.

    Textual draws every row of everything, covered or not; with panes within
    panes that is most of a first frame (performance P5).
    """

    def render_lines(self, crop: Region) -> list[Strip]:
        """The same row for each."""
        widget = cast("Widget", super())
        return widget.render_lines(Region(crop.x, 0, crop.width, 1)) * crop.height


class Pane(Backdrop, Vertical):
    """Widgets below one another, unless a sheet says otherwise, and the keys that work in them.

    One class for all: each more costs a first frame 1.5 million instructions.
    """

    def __init__(self, *, id: str, classes: str = "", keys: Iterable[BindingType] = ()) -> None:
        super().__init__(id=id, classes=classes)
        self._bindings = BindingsMap(keys)
