"""Messages in the corner of the screen: few at a time, and in the writer's words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from studio.errors import Problem
from studio.i18n import translated
from studio.text.safe import safe_text
from studio.tui.runtime.resilience import SteadyApp

_MOST_TOASTS = 2
"""Messages at a time."""
SECONDS_OF_A_FAULT = 12.0
"""How long a message about a fault stands."""


class ToastApp(SteadyApp, inherit_bindings=False):
    """An app that says what happened and what went wrong."""

    keymap: Mapping[str, str]
    """The keys in force, for what names a command."""

    def say(self, words: str, severity: Any = "information") -> None:
        """A short message in the corner; foreign words in it are harmless."""
        self._toast(words, severity)

    def tell(self, problem: Problem) -> None:
        """What went wrong and what to do."""
        words = "\n".join(filter(None, map(translated, (problem.message, problem.hint))))
        self._toast(words, "error", SECONDS_OF_A_FAULT)

    def _toast(self, words: str, severity: Any, seconds: float | None = None) -> None:
        """The newest few; what is said again takes the place of what was said before."""
        message = self._worded(words)
        standing = list(self._notifications)
        same = [n for n in standing if n.message == message]
        for stale in same or standing[: max(0, len(standing) + 1 - _MOST_TOASTS)]:
            self._unnotify(stale)
        self.notify(message, severity=severity, markup=False, timeout=seconds)

    def _worded(self, words: str) -> str:
        from studio.tui.actions.advice import in_keys
        from studio.tui.views.review.decision_card import named

        shown = next((s.shown for s in self.screen_stack if hasattr(s, "shown")), None)
        return safe_text(
            in_keys(translated(named(words, shown.sheet if shown else None)), self.keymap)
        )
