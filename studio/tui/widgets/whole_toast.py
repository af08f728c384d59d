"""Messages in the corner whose characters stay whole over the edges of what lies below."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from textual.geometry import Region
from textual.strip import Strip
from textual.widgets import _toast


class WholeStrip(Strip):
    """A line that is cut between characters alone.

    Textual cuts what lies over other widgets at their edges, and puts blanks for a character of
    two cells that an edge runs through. Such a line stays whole in its first part, and the others
    are empty: nothing of what lies below it shows there, for they are parts of it all the same.
    """

    def divide(self, cuts: Iterable[int]) -> Sequence[Strip]:
        """Its parts; the first is all of it where a cut would go through a character."""
        parts = super().divide(cuts)
        if "".join(part.text for part in parts) == self.text:
            return parts
        return [Strip(list(self), self.cell_length), *(Strip([], 0) for _part in parts[1:])]


class WholeToast(_toast.Toast):
    """A message whose Korean and Chinese characters stay whole over the edges of panes."""

    def render_lines(self, crop: Region) -> list[Strip]:
        """Its lines as they are put over the panes."""
        lines = super().render_lines(crop)
        return [WholeStrip(list(line), line.cell_length) for line in lines]


def keep_toasts_whole() -> None:
    """From now on: the rack of Textual makes its messages of what its module calls a toast."""
    _toast.Toast = WholeToast  # type: ignore[misc]
