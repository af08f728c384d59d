"""Messages in the corner of the screen: few at a time, and in the writer's words."""

from __future__ import annotations

from time import time
from typing import TYPE_CHECKING, Any

from textual._context import active_message_pump
from textual.dom import NoScreen
from textual.notifications import Notification, Notify
from textual.worker import NoActiveWorker, get_current_worker

from studio.i18n import translate
from studio.text.safe import safe_text
from studio.tui.screen import StudioScreen

if TYPE_CHECKING:
    from textual.app import App

    from studio.tui.runtime.look import Look

_MOST_TOASTS = 2
"""The greatest number of messages on the screen."""


class PageNotification(Notification):
    """A message that knows which screen it is about."""

    def __init__(self, message: str, severity: Any, seconds: float, page: object) -> None:
        super().__init__(message, severity=severity, timeout=seconds)
        self.page = page


class Toasts:
    """The messages in the corner. A repeated message replaces its earlier copy, and messages about
    a page disappear with the page."""

    def __init__(self, app: App[Any], look: Look) -> None:
        self._app = app
        self._look = look
        self._newest_input = 0.0

    def show(self, words: str, severity: Any, seconds: float | None = None) -> None:
        """Displays a message, replacing the oldest if there are too many; its text is made
        harmless."""
        from studio.tui.widgets.whole_toast import keep_toasts_whole

        keep_toasts_whole()
        message = self._word(words)
        standing = list(self._app._notifications)
        same = [n for n in standing if n.message == message]
        for stale in same or standing[: max(0, len(standing) + 1 - _MOST_TOASTS)]:
            self._app._unnotify(stale)
        seconds = self._app.NOTIFICATION_TIMEOUT if seconds is None else seconds
        notification = PageNotification(message, severity, seconds, self._page())
        self._app.post_message(Notify(notification))

    def heed_input(self) -> None:
        """Records the time of a key or a click: messages from before it have been on display."""
        self._newest_input = time()

    def leave(self, page: object) -> None:
        """Removes the messages about a page that is being left, except those raised as it
        closes."""
        for message in list(self._app._notifications):
            is_of_it = isinstance(message, PageNotification) and message.page is page
            if is_of_it and message.raised_at < self._newest_input:
                self._app._unnotify(message)

    def _page(self) -> object:
        """Returns the screen of the caller: that of the widget or of the background worker that is
        running, or else the visible one, where a key was pressed."""
        speaker: Any = active_message_pump.get(self._app)
        try:
            if speaker is self._app:
                speaker = get_current_worker().node
            return speaker.screen
        except (NoActiveWorker, NoScreen):
            return self._app.screen

    def _word(self, words: str) -> str:
        from studio.tui.actions.advice import in_keys
        from studio.tui.views.review.decision_card import name_directives

        screen, words = self._app.screen, translate(words)  # what changes words makes them plain
        words = (
            screen.with_names(words)
            if isinstance(screen, StudioScreen)
            else name_directives(words, None)
        )
        return safe_text(in_keys(words, self._look.keymap))
