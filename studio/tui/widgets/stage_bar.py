"""The stage bar: the stages of a run, the state of the chapter, and its cost, in one line."""

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
from studio.tui.widgets.styled import ComponentStyles

_LOUD = ("done", "active", "failed")
"""The looks that differ from the rest. Each further style costs time at every change of styles."""


class StageBar(SteadyWidget, Widget):
    """Draws the state of a run, shortened for narrow screens."""

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
    """The state of the run."""
    ascii_only: reactive[bool] = reactive(False)
    """Whether marks are drawn as ASCII."""

    def show(self, state: RunState) -> None:
        """Shows another state; redraws only if the state differs."""
        self.state = state

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Returns one line."""
        return 1

    def render_line(self, y: int) -> Strip:
        """Renders the stage line."""
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
        """Textual's hook for a change of colours: drops the cached styles."""
        super().notify_style_update()
        self._styles.forget()
