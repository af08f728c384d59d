"""A metric on one line: its course, its place between thresholds, its value and verdict."""

from __future__ import annotations

from rich.segment import Segment
from textual.geometry import Size
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from studio.tui.views.plots import Metric, plot_line

_LOOKS = ("label", "plot", "value", "ok", "low", "high", "none")


class MetricPlot(Widget):
    """One line; says `ok`, `low` or `high` in words too, so that no colour is needed."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES = {f"metric-plot--{look}" for look in _LOOKS}
    DEFAULT_CSS = """
    MetricPlot {
        height: 1;
        & > .metric-plot--plot { color: $text-muted; }
        & > .metric-plot--ok { color: $text-success; }
        & > .metric-plot--low { color: $text-warning; }
        & > .metric-plot--high { color: $text-warning; }
    }
    """

    metric: reactive[Metric | None] = reactive(None, init=False)
    """What is shown."""
    ascii_only: reactive[bool] = reactive(False)
    """Whether the plot is ASCII."""

    def __init__(
        self,
        metric: Metric | None = None,
        *,
        id: str | None = None,
        classes: str | None = None,
        name: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes, name=name)
        self.set_reactive(MetricPlot.metric, metric)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """One line."""
        return 1

    def render_line(self, y: int) -> Strip:
        """The line."""
        width = self.size.width
        if y or self.metric is None:
            return Strip.blank(width, self.rich_style)
        strip = Strip(
            Segment(piece.text, self.get_component_rich_style(f"metric-plot--{piece.look}"))
            for piece in plot_line(self.metric, width, self.ascii_only)
        )
        return strip.adjust_cell_length(width, self.rich_style)
