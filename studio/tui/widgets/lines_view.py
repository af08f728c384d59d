"""A scrolling view of many short lines, wrapped to the width and drawn only where in sight."""

from __future__ import annotations

from collections.abc import Iterable

from rich.cells import cell_len
from textual.content import Content
from textual.strip import Strip

from studio.tui.views.prose.wrapping import NARROWEST, wrap
from studio.tui.views.words import Line
from studio.tui.widgets.line_scroll import LineScroll
from studio.tui.widgets.styled import content


class LinesView(LineScroll):
    """A page of styled lines of text."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._said: tuple[Line, ...] = ()
        self._rows: list[Content] = []
        self._width = 0
        self._goal: int | None = None
        """The line to bring into sight as soon as the width is known."""

    def show(self, lines: Iterable[Line], *, keep_place: bool = False) -> None:
        """Shows other lines, from the top unless `keep_place` is set."""
        new_lines = tuple(lines)
        if new_lines == self._said:
            return
        self._said = new_lines
        self._width = 0
        self._lay_out()
        if not keep_place:
            self.scroll_to(y=0, animate=False)

    def go_to_line(self, number: int) -> None:
        """Brings a line, counted from 0, into sight, a third of the way down the pane."""
        self._goal = number
        width = self.pane.width
        if width:
            row = sum(len(wrap_line(line, width)) for line in self._said[:number])
            self.scroll_to(y=max(0, row - self.pane.height // 3), animate=False)
            self._goal = None

    def fit(self) -> None:
        """Wraps the lines for the new width, then goes to a line that was waiting for a width."""
        self._lay_out()
        if self._goal is not None:
            self.call_after_refresh(self.go_to_line, self._goal)

    def _lay_out(self) -> None:
        width = self.pane.width
        if not width or width == self._width:
            return
        self._width = width
        self._rows = [row for line in self._said for row in wrap_line(line, width)]
        self.count_rows(len(self._rows))
        self.refresh()

    def row_strip(self, y: int, width: int) -> Strip:
        """Renders one row."""
        style = self.visual_style
        if y >= len(self._rows):
            return Strip.blank(width, style.rich_style)
        row = self._rows[y]
        strip = Strip(row.render_segments(style), row.cell_length)
        return strip.adjust_cell_length(width, style.rich_style)


def wrap_line(line: Line, width: int) -> list[Content]:
    """Wraps a line into rows; continuation rows are indented to its text, not to its head."""
    words = content(line, keep_newlines=True)
    if not words.plain:
        return [Content("")]
    head = _head(line)
    room = width - cell_len(head)
    if not head or room < width // 2:
        return _cut_rows(words, width)
    first, *rest = _cut_rows(words[len(head) :], room)
    return [words[: len(head)] + first, *(Content(" " * cell_len(head)) + row for row in rest)]


def _cut_rows(words: Content, width: int) -> list[Content]:
    """Returns rows that end only where a line of prose may end."""
    rows = []
    for part in words.split("\n", allow_blank=True):
        start = 0
        for piece in wrap(part.plain, max(NARROWEST, width)) or [""]:
            rows.append(part[start : start + len(piece)].rstrip())
            start += len(piece)
    return rows


def _head(line: Line) -> str:
    """Returns the head of a line: its indentation, its bullet, or the name in its first column."""
    first = content(line[0], keep_newlines=True).plain
    indent = " " * (len(first) - len(first.lstrip(" ")))
    if indent and len(line) > 1 and first.endswith(" "):
        return first
    return f"{indent}· " if first.startswith(f"{indent}· ") else indent
