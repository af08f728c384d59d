"""What a screen says while a model that it called is waited for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic
from typing import TYPE_CHECKING

from studio.i18n import _, translate
from studio.story.calls import wait_words
from studio.tui.views.run.moment import Wait

if TYPE_CHECKING:
    from textual.message_pump import MessagePump

    from studio.pipeline.events import Event

Heard = Callable[[Sequence["Event"]], None]


class WaitClock:
    """Shows once a second what a model does, how long already and about how long; nothing while
    none is waited for. `show` puts the words on the screen."""

    def __init__(self, screen: MessagePump, show: Callable[[str], None]) -> None:
        self._show = show
        self._wait: Wait | None = None
        self._since = 0.0
        screen.set_interval(1.0, self._tick)

    def before(self, listener: Heard) -> Heard:
        """Returns a listener that takes note of what is waited for before it passes events on."""

        def hear(events: Sequence[Event]) -> None:
            for event in events:
                if event.type == "waiting":
                    self._wait, self._since = Wait(event.what, event.about), monotonic()  # type: ignore[attr-defined]
                elif event.type == "usage":
                    self._wait = None
            listener(events)
            self._tick()

        return hear

    def _tick(self) -> None:
        if self._wait is not None:
            seconds = int(monotonic() - self._since)
            words = wait_words(self._wait.what, seconds, self._wait.about)
            self._show(_("Esc stops it · {wait}", wait=translate(words)))
