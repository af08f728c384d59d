"""Containers that lie behind other widgets and show only a background and borders at the sides."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

from textual.binding import BindingsMap, BindingType
from textual.containers import Vertical
from textual.geometry import Region
from textual.strip import Strip

from studio.tui.textual_private import BINDINGS

if TYPE_CHECKING:
    from textual.widget import Widget


class Backdrop:
    """Mixin for a widget without content: renders one row and repeats it, since all rows look
    alike.

    Textual renders every row of every widget, covered or not; with nested panes that is most of the
    cost of a first frame (performance P5).
    """

    def render_lines(self, crop: Region) -> list[Strip]:
        """Renders one row and returns it for every row of the region."""
        widget = cast("Widget", super())
        return widget.render_lines(Region(crop.x, 0, crop.width, 1)) * crop.height


class Pane(Backdrop, Vertical):
    """A vertical container, unless a style sheet says otherwise, with the key bindings of its area.

    All panes share this class, because each further class costs a first frame 1.5 million
    instructions.
    """

    def __init__(self, *, id: str, classes: str = "", keys: Iterable[BindingType] = ()) -> None:
        super().__init__(id=id, classes=classes)
        BINDINGS.put(self, BindingsMap(keys))
