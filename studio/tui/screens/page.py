"""A page to read: summary, state, evaluation, log, settings; and one that grows, as a call is
played again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Static

from studio.errors import StudioError
from studio.i18n import _
from studio.pipeline.events import Event
from studio.tui.actions import Where
from studio.tui.performs import performs
from studio.tui.screen import StudioScreen
from studio.tui.views.pages.context import replay_lines
from studio.tui.views.words import Line, Phrase, line
from studio.tui.widgets.action_line import ActionLine
from studio.tui.widgets.lines_view import LinesView
from studio.tui.widgets.styled import content

if TYPE_CHECKING:
    from studio.tui.studio import Studio


PATIENCE = 0.5
"""Seconds a page may take to read before it is shown without its lines."""
PageLines = tuple[Line, ...]


async def open_page(
    studio: Studio,
    title: str,
    read: Callable[[], PageLines],
    kind: Callable[[str, PageLines | asyncio.Future[PageLines]], PageScreen] | None = None,
) -> None:
    """Shows the result of `read`, run in a thread, on a page or another `kind` of it. If it takes
    long, the page opens before its lines, so that no key waits for them and Esc works. An error is
    reported."""
    reading = asyncio.ensure_future(asyncio.to_thread(read))
    await asyncio.wait({reading}, timeout=PATIENCE)
    try:
        lines = reading.result() if reading.done() else reading
        page = (kind or PageScreen)(title, lines)
    except StudioError as error:
        studio.tell(error.problem)
    else:
        studio.push_screen(page)


class PageScreen(StudioScreen, Screen[None]):
    """A title with lines below it."""

    CSS_PATH = "page.tcss"
    WHERE: ClassVar[tuple[Where, ...]] = ("page",)

    def __init__(
        self, title: str, lines: Iterable[Line] | asyncio.Future[PageLines], at: int = 0
    ) -> None:
        """`at`: the line visible at first, counted from 0."""
        super().__init__()
        self._at = at
        self._title = title
        self._reading = lines if isinstance(lines, asyncio.Future) else None
        reading = (line(_("This is being read …"), "quiet"),)
        self._lines = reading if isinstance(lines, asyncio.Future) else tuple(lines)

    def compose(self) -> ComposeResult:
        """Yields the title, the page and the hints."""
        yield Static(content(Phrase(self._title, "heading")), id="page-title")
        yield LinesView(id="page")
        yield ActionLine(id="hints")

    def on_mount(self) -> None:
        """Shows the lines."""
        self.show_lines()
        self.query_one(LinesView).focus()
        self.show_hints()
        if self._reading is not None:
            self.run_worker(self._wait_for(self._reading))

    def show_lines(self) -> None:
        """Shows the lines."""
        nothing = (line(_("There is nothing here yet."), "quiet"),)
        self.query_one(LinesView).show(self._lines or nothing)
        if self._at:
            self.query_one(LinesView).go_to_line(self._at)

    async def _wait_for(self, reading: asyncio.Future[PageLines]) -> None:
        try:
            self._lines = await reading
        except StudioError as error:
            self.studio.tell(error.problem)
            self.dismiss(None)
        else:
            self.show_lines()

    @performs("page.close")
    def close(self) -> None:
        """Closes the page."""
        self.dismiss(None)


EVERY = 0.05
"""Seconds between two pieces."""


class ReplayScreen(PageScreen):
    """A page that grows as the call is replayed."""

    CSS_PATH = "page.tcss"

    def __init__(self, events: Sequence[Event], closing: Iterable[Line]) -> None:
        """`closing`: the lines behind the last event."""
        super().__init__(_("Played again"), ())
        self._events = tuple(events)
        self._closing_lines = tuple(closing)
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
        lines = replay_lines(self._events[: self._played])
        page.show((*lines, *(self._closing_lines if self.is_at_end else ())), keep_place=True)
        page.scroll_end(animate=False)
        if self.is_at_end and self._timer is not None:
            self._timer.stop()
