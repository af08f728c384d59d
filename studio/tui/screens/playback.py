"""The replay of a call: its words stream again, faster."""

from __future__ import annotations

from collections.abc import Sequence

from textual.timer import Timer

from studio.i18n import _
from studio.pipeline.events import Event
from studio.tui.screens.page import PageScreen
from studio.tui.views.pages.replay import replay_lines
from studio.tui.widgets.lines_view import LinesView

EVERY = 0.05
"""Seconds between two pieces."""


class ReplayScreen(PageScreen):
    """A page that grows as the call is replayed."""

    CSS_PATH = "page.tcss"

    def __init__(self, events: Sequence[Event]) -> None:
        super().__init__(_("Played again"), ())
        self._events = tuple(events)
        self._played = 0
        self._timer: Timer | None = None

    def on_mount(self) -> None:
        """Starts the replay."""
        self.query_one(LinesView).focus()
        self.show_hints()
        self._timer = self.set_interval(EVERY, self._play_on)

    @property
    def is_at_end(self) -> bool:
        """Whether everything has been replayed."""
        return self._played >= len(self._events)

    def _play_on(self) -> None:
        self._played += 1
        page = self.query_one(LinesView)
        page.show(replay_lines(self._events[: self._played]), keep_place=True)
        page.scroll_end(animate=False)
        if self.is_at_end and self._timer is not None:
            self._timer.stop()
