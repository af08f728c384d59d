"""What nobody foresaw, told in a sentence with the place of its log (reliability T6)."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

from textual._context import active_message_pump
from textual.worker import WorkerFailed

from studio.errors import Problem
from studio.tui.screen import Place

if TYPE_CHECKING:
    from studio.tui.studio import Studio

SECONDS_OF_A_FAULT = 12.0
"""How long a message about a fault stands."""


class Faults:
    """Says what failed, but not over and over while it is on the screen.

    Textual would end with a traceback whatever failed. Work beside the screen
    leaves the screen whole, and what can be missed is missed, so the app goes
    on (`Steady`). Without a desk or a layout it does not.
    """

    def __init__(self, app: Studio) -> None:
        self._app = app
        self.newest: Problem | None = None
        """What went wrong last."""
        self._silent_until: dict[str, float] = {}
        """By its message, when what was told may be told again."""

    def record(self, error: BaseException) -> Problem:
        """Writes the details into a log of their own; what to say of it."""
        from studio.tui.runtime.fault_report import kept_fault

        self.newest = kept_fault(error, self._app.environ)
        return self.newest

    def tell(self, error: BaseException) -> None:
        """Says it while all else goes on."""
        fault, now = self.record(error), monotonic()
        if now >= self._silent_until.get(fault.message, now):
            self._silent_until[fault.message] = now + SECONDS_OF_A_FAULT
            self._app.tell(fault)

    def survives(self, error: Exception) -> bool:
        """Whether the app goes on after an error that nothing caught; if so, it is told."""
        if isinstance(error, WorkerFailed):
            self.tell(error.error)
            return True
        unmade = active_message_pump.get(None)
        if isinstance(unmade, Place) and not unmade.is_made and unmade.can_be_missed:
            self.tell(error)
            unmade.give_up()
            return True
        return False
