"""The rows of the text editor, broken by the same rule as the rows of the reading view."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise

from textual._wrap import compute_wrap_offsets
from textual.document._document import Location
from textual.document._wrapped_document import WrappedDocument
from textual.expand_tabs import get_tab_widths

from studio.tui.views.prose.wrapping import cells, wrap


class ProseRows(WrappedDocument):
    """Textual's wrapped document with the line breaking of the reading view: no Chinese row begins
    with a full stop or ends with an opening quotation mark, and a row may end after a dash."""

    @property
    def width(self) -> int:
        """The columns that the lines are wrapped to; 0 for none."""
        return self._width

    @property
    def height(self) -> int:
        """The number of rows. Textual counts them on every call, and calls this for each row it
        draws."""
        return len(self._offset_to_line_info)

    def wrap(self, width: int, tab_width: int | None = None) -> None:
        """Breaks every line into rows of `width` cells; a width of 0 means no wrapping."""
        self._width = width
        self._tab_width = tab_width or self._tab_width
        self._cut(0, len(self._wrap_offsets), self.document.lines)

    def wrap_range(self, start: Location, old_end: Location, new_end: Location) -> None:
        """Wraps the lines that an edit changed, after the edit has been applied to the document."""
        top = min(start[0], old_end[0])
        bottom, new_bottom = (max(start[0], end[0]) + 1 for end in (old_end, new_end))
        self._cut(top, bottom, self.document.lines[top:new_bottom])

    def _cut(self, top: int, bottom: int, lines: Sequence[str]) -> None:
        """Replaces the rows of the lines from `top` to `bottom` by the rows of `lines`."""
        tabs = [[width for _, width in get_tab_widths(line, self._tab_width)] for line in lines]
        self._tab_width_cache[top:bottom] = tabs
        breaks = [self._breaks(line) for line in lines]
        as_before = [*map(len, breaks)] == [*map(len, self._wrap_offsets[top:bottom])]
        self._wrap_offsets[top:bottom] = breaks
        if not as_before:
            self._number_rows(top)

    def _number_rows(self, top: int) -> None:
        """Numbers the rows from line `top` on; needed only when an edit changed how many rows there
        are."""
        at = self._line_index_to_offsets[top - 1][-1] + 1 if top else 0
        counts = [len(breaks) + 1 for breaks in self._wrap_offsets[top:]]
        ends = pairwise(accumulate(counts, initial=at))
        self._line_index_to_offsets[top:] = [[*range(*place)] for place in ends]
        info = [(line, row) for line, rows in enumerate(counts, top) for row in range(rows)]
        self._offset_to_line_info[at:] = info

    def _breaks(self, line: str) -> list[int]:
        """Returns the offsets in a line at which its rows begin, except the first."""
        if not self._width:
            return []
        if "\t" in line:
            return compute_wrap_offsets(line, self._width, self._tab_width)
        return list(accumulate(map(len, _rows(line, self._width))))[:-1]


def _rows(line: str, width: int) -> Iterator[str]:
    """Yields the rows of a line. White space at the end of a row takes at most the one cell that is
    left for the cursor; the rest continues in a further row."""
    row = ""
    for row in wrap(line, width):
        while row[-1:].isspace() and (end := bisect_right(cells(row), width + 1) - 1) < len(row):
            yield row[:end]
            row = row[end:]
        yield row
    if row[-1:].isspace() and cells(row)[-1] > width:
        yield ""
