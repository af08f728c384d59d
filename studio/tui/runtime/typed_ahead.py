"""Keys that arrive before their target: each waits until the key before it has taken effect.

A key goes to the focused widget and bubbles up to the app, which looks up its action. By then an
earlier key may have opened a screen, or may itself be waiting for a novel that is being read.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Mapping
from typing import Any
from weakref import WeakKeyDictionary

from textual import events
from textual.app import App
from textual.screen import Screen

from studio.tui.actions import BY_ID
from studio.tui.keys import keys_of

Typed = events.Key | events.Paste
_AT_ONCE = ("app.quit", "desk.stop")
"""The actions that never wait: the ways out."""
_IN_TIME = 1.0
"""Seconds after which a screen gets its keys even if it has not answered."""


class TypedAhead:
    """Holds keys back and hands them on in the order in which they were typed."""

    def __init__(self, app: App[Any], keymap: Callable[[], Mapping[str, str]]) -> None:
        self._app = app
        self._keymap = keymap
        self._sent: WeakKeyDictionary[Typed, tuple[int, Screen[Any]]] = WeakKeyDictionary()
        """For each event, its number in the order of typing and the screen it was first sent to."""
        self._count = 0
        self._held: list[tuple[int, Typed]] = []
        self._awaited: list[Screen[Any]] = []
        """The screens that running actions wait for."""

    def begin_wait(self, screen: Screen[Any]) -> None:
        """Begins the wait of an action for a screen; keys typed after it wait as well."""
        self._awaited.append(screen)

    def end_wait(self, screen: Screen[Any]) -> None:
        """Ends the wait of an action for a screen."""
        self._awaited.remove(screen)
        self._hand_on_soon()

    def holds(self, event: events.Event) -> bool:
        """Whether an event is a key that has to wait; if so, it is sent again later."""
        if not isinstance(event, Typed):
            return False
        screen = self._app.screen
        if event not in self._sent:
            self._count += 1
            self._sent[event] = (self._count, screen)
        number, first_for = self._sent[event]
        if self._is_awaited:
            must_wait = not (isinstance(event, events.Key) and self._leads_out(event.key))
        elif event.is_forwarded:
            must_wait = first_for is not screen
        else:
            unmade = screen.focused is None and not screen.is_mounted
            must_wait = unmade or any(before < number for before, _ in self._held)
        if must_wait:
            insort(self._held, (number, event), key=lambda held: held[0])
            self._hand_on_soon()
        return must_wait

    @property
    def _is_awaited(self) -> bool:
        """Whether an action waits for a screen; drops the keys for screens that were closed."""
        if self._awaited and not any(s in self._app.screen_stack for s in self._awaited):
            self._held.clear()
            return False
        return bool(self._awaited)

    def _leads_out(self, key: str) -> bool:
        return any(key in keys_of(BY_ID[id_], self._keymap()).split(",") for id_ in _AT_ONCE)

    def _hand_on_soon(self) -> None:
        """Hands the keys on once the top screen is mounted and focused."""
        if self._held and not self._is_awaited:
            self._app.screen.call_later(self._app.call_later, self._hand_on)
            self._app.set_timer(_IN_TIME, self._hand_on)

    async def _hand_on(self) -> None:
        """Sends the held keys in order; a key for another screen comes back and is held again."""
        while self._held and not self._is_awaited:
            number, event = self._held.pop(0)
            again = (
                events.Key(event.key, event.character)
                if isinstance(event, events.Key)
                else events.Paste(event.text)
            )
            self._sent[again] = (number, self._app.screen)
            await self._app.on_event(again)
