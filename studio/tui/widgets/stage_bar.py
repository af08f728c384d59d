"""The stage bar: from writing to the book, where the chapter stands, and money; one line."""

from __future__ import annotations

from functools import cached_property

from rich.segment import Segment
from textual.geometry import Size
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from studio.tui.runtime.resilience import SteadyWidget
from studio.tui.views.run.moment import RunState
from studio.tui.views.run.stage_line import stage_line
from studio.tui.widgets.component_styles import ComponentStyles

_LOUD = ("done", "active", "failed")
"""What does not look like the rest: a style of one's own costs each at every change of styles."""


class StageBar(SteadyWidget, Widget):
    """Draws the state of a run; shortens itself for narrow screens."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES = {f"stage-bar--{look}" for look in (*_LOUD, "rest")}
    DEFAULT_CSS = """
    StageBar {
        height: 1;
        & > .stage-bar--done { color: $text-success; }
        & > .stage-bar--active { text-style: bold; }
        & > .stage-bar--failed { color: $text-error; text-style: bold; }
        & > .stage-bar--rest { color: $text-muted; }
    }
    """

    state: reactive[RunState] = reactive(RunState(), init=False)
    """The run that is shown."""
    ascii_only: reactive[bool] = reactive(False)
    """Whether marks are ASCII."""

    def show(self, state: RunState) -> None:
        """Shows another state; redraws only if it looks different."""
        self.state = state

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """One line."""
        return 1

    def render_line(self, y: int) -> Strip:
        """The line."""
        width, styles = self.size.width, self._styles.by_kind()
        if y:
            return Strip.blank(width, self.rich_style)
        strip = Strip(
            Segment(piece.text, styles[piece.look if piece.look in _LOUD else "rest"])
            for piece in stage_line(self.state, width, self.ascii_only)
            if piece.text
        )
        return strip.adjust_cell_length(width, self.rich_style)

    @cached_property
    def _styles(self) -> ComponentStyles:
        return ComponentStyles(self, "stage-bar", (*_LOUD, "rest"))

    def notify_style_update(self) -> None:
        """Called by Textual when colours change."""
        super().notify_style_update()
        self._styles.forget()
