"""The rebuild: its preview and cost, its progress, what no longer agrees, and reverting it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import Static

from studio.errors import StudioError
from studio.i18n import _, translate
from studio.tui.performs import performs
from studio.tui.runtime.bridge import Bridge
from studio.tui.runtime.wait_clock import WaitClock
from studio.tui.screen import StudioScreen
from studio.tui.views.pages.rebuild import foretold, lines_of_result, progress
from studio.tui.views.situation import Situation
from studio.tui.views.words import Line, Phrase, line
from studio.tui.widgets.action_line import ActionLine
from studio.tui.widgets.lines_view import LinesView
from studio.tui.widgets.styled import content

if TYPE_CHECKING:
    from studio.pipeline.events import Event
    from studio.pipeline.rebuild import RebuildOrder, RebuildReport
    from studio.session import Session


class RebuildScreen(StudioScreen, Screen[bool]):
    """The page of a rebuild; returns True if anything was changed."""

    CSS_PATH = "page.tcss"
    WHERE = ("rebuild",)

    def __init__(self, session: Session, order: RebuildOrder) -> None:
        super().__init__()
        self._session = session
        self._order = order
        self._bridge: Bridge
        self._lines: tuple[Line, ...] = (line(_("Looking at the book …"), "quiet"),)
        self.preview: RebuildReport | None = None
        self.report: RebuildReport | None = None
        """The result of the rebuild, once it is done."""
        self.changed = False
        """Whether anything was written."""
        self._at_work = False

    def compose(self) -> ComposeResult:
        """Yields the title, the page and the hints."""
        yield Static(content(Phrase(_("Rebuild"), "heading")), id="page-title")
        yield LinesView(id="page")
        yield ActionLine(id="hints")

    def on_mount(self) -> None:
        """Previews the rebuild; writes nothing."""
        clock = WaitClock(self, self._say_wait)
        self._bridge = Bridge(self._session, clock.before(self._hear), self._over)
        self.query_one(LinesView).focus()
        self._draw()
        self.run_worker(self._foresee())

    async def _foresee(self) -> None:
        self.preview = None
        self._show([line(_("Looking at the book …"), "quiet")])
        try:
            rebuilder = await asyncio.to_thread(self._session.rebuilder)
            self.preview = await asyncio.to_thread(rebuilder.preview, self._order)
        except StudioError as error:
            self.studio.tell(error.problem)
            self.dismiss(self.changed)
            return
        self._show(foretold(self.preview))

    def situation(self) -> Situation:
        """Returns whether the rebuild can begin, be stopped or be reverted."""
        ready = bool(self.preview and self.preview.chapters) and self.report is None
        gaps = bool(self.preview and self.preview.gaps) and self.report is None
        return Situation(
            novel=True, running=self._at_work, plan=ready, result=self.report is not None, more=gaps
        )

    @performs("rebuild.begin")
    def begin(self) -> None:
        """Carries out the rebuild."""
        if not self._at_work:
            self.converse(self._begin())

    async def _begin(self) -> None:
        from studio.tui.screens.window_question import is_window_settled

        if not await is_window_settled(self.studio, self._session) or self._at_work:
            return
        rebuilder = self._session.rebuilder()
        self._at_work = True
        self._show(
            [line(_("The chapters are read again. Esc stops; finished chapters stay done."))]
        )
        self._bridge.begin(lambda hear: rebuilder.run(self._order, hear))

    @performs("rebuild.gaps")
    def read_gaps(self) -> None:
        """Previews a rebuild of the gaps, and of chapters edited by hand or left half done."""
        from studio.pipeline.rebuild import RebuildOrder

        assert self.preview is not None  # the action's reason_disabled ensures it
        others = (c.chapter for c in self.preview.chapters if c.why != "named")
        self._order = RebuildOrder(tuple(sorted({*self.preview.gaps, *others})))
        self.run_worker(self._foresee())

    @performs("rebuild.close")
    def close(self) -> None:
        """Stops the running rebuild, or else closes the page."""
        if self._at_work:
            self._bridge.stop()
        else:
            self.dismiss(self.changed)

    @performs("rebuild.undo")
    def undo(self) -> None:
        """Reverts the rebuild: the book remembers what it did before."""
        assert self.report is not None  # the action's reason_disabled ensures it
        self.converse(self._undo(self.report))

    async def _undo(self, report: RebuildReport) -> None:
        self.report = None
        chapters = [chapter.chapter for chapter in report.chapters]
        await self._bridge.call(self._session.upkeep().take_back, chapters)
        self.studio.say(
            _("Taken back. Your text is as it was, and counts as changed by hand again.")
        )
        await self._foresee()

    def _hear(self, events: Sequence[Event]) -> None:
        self.changed = self.changed or any(event.type == "committed" for event in events)
        self._show((*self._lines, *progress(events)))

    def _over(self, outcome: Any) -> None:
        from studio.pipeline.outcome import Failed, Stopped

        self._at_work = False
        if isinstance(outcome, Failed):
            self.studio.tell(outcome.problem)
            self._show((*self._lines, line(translate(outcome.problem.message), "bad")))
        elif isinstance(outcome, Stopped):
            words = _(
                "Stopped. Finished chapters stay done; started again, it goes on with the rest."
            )
            self._show((*self._lines, line(words, "accent")))
        else:
            self.changed, self.report = True, outcome.report
            self._show((*self._lines, line(), *lines_of_result(outcome.report)))

    def _show(self, lines: Iterable[Line]) -> None:
        self._lines = tuple(lines)
        self._draw()

    def _say_wait(self, words: str) -> None:
        if self._at_work:
            self.query_one(LinesView).show((*self._lines, line(words, "quiet")))

    def _draw(self) -> None:
        self.query_one(LinesView).show(self._lines)
        self.show_hints()
