"""Messages in the corner of the screen: few at a time, in the writer's words, and their wide
characters whole across the edges of panes below.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from time import time
from typing import TYPE_CHECKING, Any

from textual.await_remove import AwaitRemove
from textual.dom import NoScreen
from textual.geometry import Region
from textual.notifications import Notification
from textual.strip import Strip
from textual.worker import NoActiveWorker, get_current_worker

from studio.i18n import translate
from studio.text.safe import safe_text
from studio.tui.screen import StudioScreen
from studio.tui.textual_private import (
    NOTIFICATIONS,
    SHOW_NOTIFICATIONS,
    TAKE_BACK,
    TOAST_CLASS,
    Toast,
    ToastHolder,
    active_message_pump,
)

if TYPE_CHECKING:
    from textual.app import App

    from studio.tui.runtime.look import Look


class WholeStrip(Strip):
    """A line that is divided only between characters.

    Textual divides a line at the edges of the widgets below it, and replaces a two-cell character
    on an edge by blanks. Here such a line stays whole in its first part and the other parts are
    empty; the widgets below still do not show through, because the empty parts count as parts of
    the line.
    """

    def divide(self, cuts: Iterable[int]) -> Sequence[Strip]:
        """Returns the parts of the line; the first is the whole line if a cut would split a
        character."""
        parts = super().divide(cuts)
        if "".join(part.text for part in parts) == self.text:
            return parts
        return [Strip(list(self), self.cell_length), *(Strip([], 0) for _part in parts[1:])]


class WholeToast(Toast):
    """A message whose Korean and Chinese characters stay whole across the edges of panes."""

    def render_lines(self, crop: Region) -> list[Strip]:
        """Renders lines that are divided only between characters."""
        lines = super().render_lines(crop)
        return [WholeStrip(list(line), line.cell_length) for line in lines]

    def remove(self) -> AwaitRemove:
        """Goes with what holds it: Textual leaves the holder of a message that is taken back, and
        its row stays blank over the text."""
        holder = self.parent
        return holder.remove() if isinstance(holder, ToastHolder) else super().remove()


def keep_toasts_whole() -> None:
    """Makes Textual's toast rack create `WholeToast` messages from now on."""
    TOAST_CLASS.stand_in(WholeToast)


_MOST_TOASTS = 2
"""The greatest number of messages on the screen."""


_READ_IN = 3.0
"""A message that stood for fewer seconds counts as unseen."""


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
        self.unseen: list[str] = []
        """Messages that gave way to newer ones of the same moment, oldest first: the log has
        them."""

    def show(self, words: str, severity: Any, seconds: float | None = None) -> None:
        """Displays a message, replacing the oldest if there are too many; its text is made
        harmless."""
        keep_toasts_whole()
        seconds = self._app.NOTIFICATION_TIMEOUT if seconds is None else seconds
        notification = PageNotification(self._word(words), severity, seconds, self._page())
        self._app.call_later(self._arrive, notification)

    def _arrive(self, notification: PageNotification) -> None:
        """Puts a message on the screen, and takes off what it replaces: only now, because of
        several that are said at once none stands there yet when the next one is said."""
        notifications = NOTIFICATIONS.of(self._app)
        standing = list(notifications)
        same = [n for n in standing if n.message == notification.message]
        for stale in same or standing[: max(0, len(standing) + 1 - _MOST_TOASTS)]:
            TAKE_BACK.of(self._app)(stale)
            if not same and notification.raised_at - stale.raised_at < _READ_IN:
                self.unseen.append(stale.message)
        notifications.add(notification)
        SHOW_NOTIFICATIONS.of(self._app)()

    def heed_input(self) -> None:
        """Records the time of a key or a click: messages from before it have been on display."""
        self._newest_input = time()

    def leave(self, page: object) -> None:
        """Removes the messages about a page that is being left, except those raised as it
        closes."""
        for message in list(NOTIFICATIONS.of(self._app)):
            is_of_it = isinstance(message, PageNotification) and message.page is page
            if is_of_it and message.raised_at < self._newest_input:
                TAKE_BACK.of(self._app)(message)

    def take_back(self) -> None:
        """Takes away the messages from before her last key, which has answered them."""
        for screen in self._app.screen_stack:
            self.leave(screen)

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
