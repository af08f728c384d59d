"""The card over work that takes more than a moment: its progress, and Esc to cancel."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from studio.i18n import _
from studio.tui.screen import Place
from studio.tui.screens.finding.pace import Pace, in_thread
from studio.tui.views.pages.search_hits import progress_words
from studio.tui.views.words import Phrase
from studio.tui.widgets.styled import content

if TYPE_CHECKING:
    from studio.project.progress import Progress
    from studio.tui.studio import Studio

T = TypeVar("T")
_MOMENT = 0.05
"""Seconds between two checks whether the card is on top again."""


async def with_a_card(studio: Studio, title: str, work: Callable[[Pace], T]) -> T:
    """Does work in a thread; if it takes long, a card shows the progress.

    Raises Left if the writer pressed Esc before anything was saved, and whatever the work raises.
    """
    pace = Pace()
    card = WorkInProgress(title, pace)

    is_shown = False

    def show(progress: Progress) -> None:
        nonlocal is_shown
        if not is_shown:
            studio.push_screen(card)
        is_shown = True
        card.show(progress)

    try:
        return await in_thread(work, pace, show)
    finally:
        while is_shown and not card.is_current:  # it is opening, or covered by a question
            await asyncio.sleep(_MOMENT)
        if is_shown:
            card.dismiss()


class WorkInProgress(Place, ModalScreen[None]):
    """A card that closes when the work is done. Esc cancels the work until it saves."""

    CSS_PATH = "../ask.tcss"
    BINDINGS = [Binding("escape", "leave", "Cancel", show=False)]

    def __init__(self, title: str, pace: Pace) -> None:
        super().__init__()
        self._title = title
        self._pace = pace

    def compose(self) -> ComposeResult:
        """Yields the widgets of the card."""
        with Vertical(classes="card"):
            yield Static(content(Phrase(self._title, "heading")), classes="card-title")
            yield Static(id="how-far")
            yield Static(classes="card-keys")

    def on_mount(self) -> None:
        """Shows the progress so far."""
        if self._pace.progress is not None:
            self.show(self._pace.progress)

    def show(self, progress: Progress) -> None:
        """Shows the progress, and whether the work can still be cancelled."""
        if not self.is_mounted:
            return
        keys = (
            _("Esc stops; nothing is changed yet")
            if self._pace.can_be_left
            else _("whatever is being saved is saved")
        )
        self.query_one("#how-far", Static).update(content(Phrase(progress_words(progress))))
        self.query_one(".card-keys", Static).update(content(Phrase(keys, "quiet")))

    def action_leave(self) -> None:
        """Cancels the work."""
        self._pace.leave()
