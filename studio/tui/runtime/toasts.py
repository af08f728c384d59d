"""Messages in the corner of the screen: few at a time, and in the writer's words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from studio.i18n import translated
from studio.text.safe import safe_text

if TYPE_CHECKING:
    from studio.tui.app import StudioApp

_MOST_TOASTS = 2
"""Messages at a time."""


class Toasts:
    """What stands in the corner; what is said again takes the place of what was said before."""

    def __init__(self, app: StudioApp) -> None:
        self._app = app

    def show(self, words: str, severity: Any, seconds: float | None = None) -> None:
        """One more message, in place of the oldest; foreign words in it are harmless."""
        message = self._worded(words)
        standing = list(self._app._notifications)
        same = [n for n in standing if n.message == message]
        for stale in same or standing[: max(0, len(standing) + 1 - _MOST_TOASTS)]:
            self._app._unnotify(stale)
        self._app.notify(message, severity=severity, markup=False, timeout=seconds)

    def _worded(self, words: str) -> str:
        from studio.tui.actions.advice import in_keys
        from studio.tui.views.review.decision_card import named

        desk = next((s for s in self._app.screen_stack if hasattr(s, "shown")), None)
        sheet = desk.shown.sheet if desk is not None and desk.shown else None
        return safe_text(in_keys(translated(named(words, sheet)), self._app.keymap))
