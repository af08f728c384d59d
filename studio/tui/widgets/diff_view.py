"""The text of a passage before and after a change: see `studio.text.changed_lines`."""

from __future__ import annotations

import asyncio
from bisect import bisect_left
from itertools import pairwise
from time import monotonic
from typing import Literal, NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual.reactive import reactive
from textual.strip import Strip
from textual.worker import Worker

from studio.text.changed_lines import SIGNS
from studio.tui.views.prose.diff_rows import (
    MARGIN,
    DiffRow,
    DiffStep,
    rows,
    rows_of_head,
    steps,
)
from studio.tui.widgets.line_scroll import LineScroll
from studio.tui.widgets.styled import ComponentStyles

FRAME = 1 / 20
"""The least number of seconds between two comparisons of a growing text."""
_ABOVE = 2
"""The rows left in sight above a change that is gone to."""
_HERE = Style(reverse=True)
"""How the mark in the margin of the change that was gone to is drawn, also without colours."""
_KINDS = ("head", "same", "removed", "added", "old", "new", "pending")


class _Wanted(NamedTuple):
    before: str
    after: str
    language: str
    finished: bool


class DiffView(LineScroll):
    """A diff by word (en) or by character (ko, zh); the new text may still be streaming."""

    COMPONENT_CLASSES = {f"diff-view--{kind}" for kind in _KINDS}
    DEFAULT_CSS = """
    DiffView {
        & > .diff-view--head { text-style: bold; }
        & > .diff-view--removed { color: $text-error; text-style: strike; }
        & > .diff-view--added { color: $text-success; text-style: underline; }
        & > .diff-view--old { color: $text-error; }
        & > .diff-view--new { color: $text-success; }
        & > .diff-view--pending { color: $text-muted; }
    }
    """

    ascii_only: reactive[bool] = reactive(False)
    """Whether only ASCII may be drawn, apart from the text itself."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._wanted = self._compared = _Wanted("", "", "en", True)
        self._worker: Worker[None] | None = None
        self._head = ""
        self._steps: list[DiffStep] = []
        self._lines: list[DiffRow] = []
        self._at: int | None = None
        """The first row of the change that was gone to last, until the rows are laid anew."""
        self._styles = ComponentStyles(self, "diff-view", _KINDS)

    @property
    def busy(self) -> bool:
        """Whether the rows on the screen are older than the texts that were passed to `show`."""
        return self._wanted != self._compared

    @property
    def has_changes(self) -> bool:
        """Whether the texts that were passed to `show` differ."""
        return self._wanted.before != self._wanted.after

    def go_to_change(self, step: Literal[1, -1]) -> None:
        """Scrolls to the next change, or to the one before it, wrapping around at the ends."""
        firsts = self._first_rows()
        if not firsts:
            return
        top = self.scroll_offset.y
        if self._at is not None and top <= self._at < top + self.pane.height:
            to = firsts.index(self._at) + step
        else:  # she has scrolled away from it
            to = bisect_left(firsts, top) - (step < 0)
        self._at = firsts[to % len(firsts)]
        self.scroll_to(y=max(0, self._at - _ABOVE), animate=False, force=True)
        self.refresh()

    def _first_rows(self) -> list[int]:
        """Returns the first row of each stretch of rows with a mark."""
        marks = [" ", *(row.mark for row in self._lines)]
        return [y for y, (a, b) in enumerate(pairwise(marks)) if a == " " != b]

    def show(
        self, before: str, after: str, language: str, *, finished: bool = True, head: str = ""
    ) -> None:
        """Shows a change under `head`; with `finished` false, `after` is still being written."""
        if head != self._head:
            self._head = head
            self._lay()
        if before != self._wanted.before:
            self.scroll_to(y=0, animate=False, force=True)
        self._want(_Wanted(before, after, language, finished))

    def row_strip(self, y: int, width: int) -> Strip:
        """Renders one row of the diff."""
        looks = self._styles.by_kind()
        if y >= len(self._lines):
            return Strip.blank(width, looks["text"])
        mark, pieces = self._lines[y]
        tone = looks["old" if mark == "-" else "new" if mark == "+" else "head"]
        margin = Segment(f"{mark if self.ascii_only else SIGNS[mark]} ", tone)
        if y == self._at:
            margin = Segment(margin.text, tone + _HERE)
        strip = Strip([margin, *(Segment(text, looks[kind]) for kind, text in pieces)])
        return strip.adjust_cell_length(width, looks["text"])

    def notify_style_update(self) -> None:
        """Textual's hook for a change of colours: drops the cached styles."""
        super().notify_style_update()
        self._styles.forget()

    def on_mount(self) -> None:
        """Compares the texts that were passed to `show` before the widget was mounted."""
        self._want(self._wanted)

    def fit(self) -> None:
        """Wraps the lines for the new width."""
        self._lay()

    def _want(self, change: _Wanted) -> None:
        self._wanted = change
        if self.busy and self.is_attached and (not self._worker or self._worker.is_finished):
            self._worker = self.run_worker(self._compare(), group="diff")

    async def _compare(self) -> None:
        """Compares the texts in a thread until nothing newer waits. While the text is still being
        written, pauses after each comparison for three times as long as it took."""
        while self.busy:
            change, begun = self._wanted, monotonic()
            self._steps = await asyncio.to_thread(steps, *change)
            self._compared = change
            at_end = self.scroll_offset.y >= self.max_scroll_y
            self._lay()
            if at_end and not change.finished:
                self._show_newest()
            if not self._wanted.finished:
                await asyncio.sleep(max(FRAME, 3 * (monotonic() - begun)))

    def _show_newest(self) -> None:
        """Scrolls to the last row that is not pending."""
        reached = [
            y for y, row in enumerate(self._lines) if any(k != "pending" for k, _ in row.steps)
        ]
        last = reached[-1] if reached else 0
        if last >= self.scroll_offset.y + self.pane.height:
            self.scroll_to(y=last - self.pane.height + 1, animate=False, force=True)

    def _lay(self) -> None:
        if self.pane.width:
            self._at = None
            above = [
                DiffRow(" ", row) for row in rows_of_head(self._head, self.pane.width - MARGIN)
            ]
            below = rows(self._steps, self.pane.width) if self._steps else []
            self._lines = [*above, *below]
            self.count_rows(len(self._lines))
            self.refresh()
