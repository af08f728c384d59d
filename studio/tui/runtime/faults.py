"""Reports unexpected errors to the writer in a sentence with the path of the log (reliability
T6)."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

from textual.css.query import NoMatches
from textual.worker import WorkerFailed

from studio.errors import Problem
from studio.tui.screen import StudioScreen
from studio.tui.textual_private import IS_ENDING, active_message_pump

if TYPE_CHECKING:
    from studio.tui.studio import Studio

SECONDS_OF_A_FAULT = 12.0
"""The number of seconds for which a message about a fault is displayed."""


class Faults:
    """Reports faults, but does not repeat a message while it is still on the screen.

    Textual would end the app with a traceback after any fault. Here a fault in background work
    leaves the screen intact, and a widget that the app can do without is left out, so the app goes
    on (`Steady`). Without a desk or a layout it cannot.
    """

    def __init__(self, app: Studio) -> None:
        self._app = app
        self.newest: Problem | None = None
        """The most recent fault."""
        self._silent_until: dict[str, float] = {}
        """By message: the time from which the message may be displayed again."""

    def record(self, error: BaseException) -> Problem:
        """Writes the details to the log file and returns the problem to report."""
        from studio.tui.runtime.fault_report import kept_fault

        self.newest = kept_fault(error, self._app.environ)
        return self.newest

    def tell(self, error: BaseException) -> None:
        """Reports a fault in a message while the app goes on."""
        fault, now = self.record(error), monotonic()
        if now >= self._silent_until.get(fault.message, now):
            self._silent_until[fault.message] = now + SECONDS_OF_A_FAULT
            self._app.tell(fault)

    def survives(self, error: Exception) -> bool:
        """Whether the app goes on after an uncaught error; if it does, the error is reported. What
        a screen lacks that is still being built when the writer leaves is no fault."""
        if isinstance(error, NoMatches) and IS_ENDING.of(self._app):
            return True
        if isinstance(error, WorkerFailed):
            self.tell(error.error)
            return True
        unmade = active_message_pump.get(None)
        if isinstance(unmade, StudioScreen) and not unmade.is_made and unmade.can_be_missed:
            self.tell(error)
            unmade.give_up()
            return True
        return False
