"""The page of the log and the cost, where the writer says what a call without an end cost."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from studio.i18n import _
from studio.pipeline.costs import settle_by_hand
from studio.project.clock import local_time
from studio.tui.key_bindings import bindings_of
from studio.tui.performs import asks
from studio.tui.screens.ask import Ask, Choose
from studio.tui.screens.page import PageLines, PageScreen
from studio.tui.views.pages.chapter import name_in_costs
from studio.tui.views.situation import Situation
from studio.tui.views.words import Line

if TYPE_CHECKING:
    from studio.pipeline.costs import Costs
    from studio.session import Session
    from studio.story.records import UsageEntry


class CostReader:
    """Reads the page, and the calls of which nobody knows what they cost."""

    def __init__(self, session: Session, lines_of: Callable[[Costs], PageLines]) -> None:
        self._session = session
        self._lines_of = lines_of
        self.unsettled: Sequence[UsageEntry] = ()

    def read(self) -> PageLines:
        """Returns the lines of the page as the novel is now."""
        costs = self._session.costs()
        self.unsettled = costs.ended_unseen
        return self._lines_of(costs)

    def settle(self, entry: UsageEntry, usd: float) -> PageLines:
        """Records what a call cost; returns the page as it is then."""
        session = self._session
        settle_by_hand(
            session.store, session.settings, lambda now: [e for e in now if e.id == entry.id], usd
        )
        return self.read()


class CostScreen(PageScreen):
    """What calls cost and what happened."""

    CSS_PATH = "page.tcss"
    WHERE = ("cost", "page")
    BINDINGS = bindings_of("cost")

    def __init__(
        self, title: str, lines: Iterable[Line] | asyncio.Future[PageLines], reader: CostReader
    ) -> None:
        super().__init__(title, lines)
        self._reader = reader

    def situation(self) -> Situation:
        """Returns the desk's situation, and how many calls have no end."""
        return super().situation()._replace(unsettled=len(self._reader.unsettled))

    def show_lines(self) -> None:
        """Shows the lines, and the key for the calls among them that have no end."""
        super().show_lines()
        self.show_hints()

    @asks("cost.settle")
    async def settle(self) -> None:
        """Asks what a call cost whose end nobody recorded, and counts that."""
        title = _("Say what it cost")
        entry = await self._pick(title)
        if entry is None:
            return
        most = "" if entry.reserved_usd is None else f"{entry.reserved_usd:.4f}"
        words = _(
            "In US dollars, as your provider's bill says; it counts instead of what might be."
        )
        typed: str | None = most
        while typed is not None:
            typed = await self.app.push_screen_wait(Ask(title, words, typed, empty=False))
            try:
                usd = float((typed or "").strip().lstrip("$"))
            except ValueError:
                words = _("A number of US dollars, such as 0.02.")
                continue
            self._lines = await asyncio.to_thread(self._reader.settle, entry, usd)
            self.show_lines()
            self.studio.say(_("Counted as ${usd:.4f}.", usd=usd))
            return

    async def _pick(self, title: str) -> UsageEntry | None:
        """Returns the call that is meant: the only one, or the one she chooses."""
        calls = self._reader.unsettled
        if len(calls) < 2:
            return calls[0] if calls else None
        rows = [(str(number), _row(entry)) for number, entry in enumerate(calls)]
        picked = await self.app.push_screen_wait(Choose(title, rows))
        return None if picked is None else calls[int(picked)]


def _row(entry: UsageEntry) -> str:
    most = "" if entry.reserved_usd is None else f"${entry.reserved_usd:.4f}"
    return "  ".join((local_time(entry.ts), name_in_costs(entry.chapter), entry.model, most))
