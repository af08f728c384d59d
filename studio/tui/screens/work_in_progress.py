"""The card over work on the whole book that takes more than a moment: its progress, and Esc to
cancel it before it saves.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from studio.i18n import _
from studio.project.progress import Progress
from studio.tui.screen import StudioScreen
from studio.tui.views.pages.search_hits import progress_words
from studio.tui.views.words import Phrase
from studio.tui.widgets.styled import content

if TYPE_CHECKING:
    from studio.tui.studio import Studio


PATIENCE = 0.5
"""Seconds of work before any progress is shown."""
_PAUSE = 0.1
"""Seconds between two looks at the progress."""
Result = TypeVar("Result")


class WorkCancelled(Exception):
    """Raised when the writer cancels the work; nothing was changed."""


class Pace:
    """Receives the progress of work in a thread, and ends it once it is cancelled."""

    def __init__(self) -> None:
        self.progress: Progress | None = None
        """The progress reported last."""
        self._nobody_waits = threading.Event()

    @property
    def can_be_left(self) -> bool:
        """Whether nothing is being saved yet."""
        return self.progress is None or self.progress.phase != "saving"

    @property
    def is_left(self) -> bool:
        """Whether the work was cancelled."""
        return self._nobody_waits.is_set()

    def leave(self) -> None:
        """Cancels the work at its next text, unless it is saving already."""
        self._nobody_waits.set()

    def __call__(self, progress: Progress) -> None:
        """Records the progress at the next text; raises WorkCancelled if it was."""
        self.progress = progress
        if self.is_left and self.can_be_left:
            raise WorkCancelled


async def in_thread(
    work: Callable[[Pace], Result], pace: Pace, show: Callable[[Progress], None]
) -> Result:
    """Returns the result of the work, done in a thread. If it takes long, `show` is called
    repeatedly.

    Raises WorkCancelled if `pace.leave` was called, and whatever the work raises. If this coroutine
    is cancelled, so is the work, and its exceptions are dropped.
    """

    def outcome() -> tuple[Result] | Exception:
        try:
            return (work(pace),)
        except Exception as error:
            return error

    task = asyncio.create_task(asyncio.to_thread(outcome))
    wait = PATIENCE
    try:
        while not (await asyncio.wait({task}, timeout=wait))[0]:
            wait = _PAUSE
            if pace.progress is not None:
                show(pace.progress)
    finally:
        pace.leave()
    ended = task.result()
    if isinstance(ended, Exception):
        raise ended
    return ended[0]


_MOMENT = 0.05
"""Seconds between two checks whether the card is on top again."""


async def with_a_card(studio: Studio, title: str, work: Callable[[Pace], Result]) -> Result:
    """Does work in a thread; if it takes long, a card shows the progress.

    Raises WorkCancelled if the writer pressed Esc before anything was saved, and whatever the work
    raises.
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


class WorkInProgress(StudioScreen, ModalScreen[None]):
    """A card that closes when the work is done. Esc cancels the work until it saves."""

    CSS_PATH = "ask.tcss"
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
