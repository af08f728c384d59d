"""Messages in the corner whose wide characters stay whole across the edges of panes below."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from textual.geometry import Region
from textual.strip import Strip
from textual.widgets import _toast


class WholeStrip(Strip):
    """A line that is divided only between characters.

    Textual divides a line at the edges of the widgets below it, and replaces a two-cell character
    on an edge by blanks. Here such a line stays whole in its first part and the other parts are
    empty; the widgets below still do not show through, because the empty parts count as parts of
    the line.
    """

    def divide(self, cuts: Iterable[int]) -> Sequence[Strip]:
        """Returns the parts of the line; the first is the whole line if a cut would split a
        character."""
        parts = super().divide(cuts)
        if "".join(part.text for part in parts) == self.text:
            return parts
        return [Strip(list(self), self.cell_length), *(Strip([], 0) for _part in parts[1:])]


class WholeToast(_toast.Toast):
    """A message whose Korean and Chinese characters stay whole across the edges of panes."""

    def render_lines(self, crop: Region) -> list[Strip]:
        """Renders lines that are divided only between characters."""
        lines = super().render_lines(crop)
        return [WholeStrip(list(line), line.cell_length) for line in lines]


def keep_toasts_whole() -> None:
    """Makes Textual's toast rack create `WholeToast` messages from now on."""
    _toast.Toast = WholeToast  # type: ignore[misc]
