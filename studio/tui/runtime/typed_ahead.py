"""Keys that come before what they are for: each waits until the one before it has had its effect.

A key goes to the widget that has the keys and comes back up to the app, which finds its action.
By then an earlier key may have opened a screen, or wait itself for a novel that is being read.
"""

from __future__ import annotations

from bisect import insort
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from textual import events
from textual.screen import Screen

from studio.tui.actions import BY_ID
from studio.tui.keys import keys_of

if TYPE_CHECKING:
    from studio.tui.app import StudioApp

Typed = events.Key | events.Paste
_AT_ONCE = ("app.quit", "desk.stop")
"""What waits for nothing: the ways out."""
_IN_TIME = 1.0
"""Seconds after which a screen that does not answer is given its keys all the same."""


class TypedAhead:
    """Holds keys back, and hands them on in the order in which they were typed."""

    def __init__(self, app: StudioApp) -> None:
        self._app = app
        self._sent: WeakKeyDictionary[Typed, tuple[int, Screen[Any]]] = WeakKeyDictionary()
        """When it was typed, and the screen it was first for."""
        self._count = 0
        self._held: list[tuple[int, Typed]] = []
        self._awaited: list[Screen[Any]] = []
        """The screens that an action waits for."""

    def begin_wait(self, screen: Screen[Any]) -> None:
        """An action waits for a screen: what is typed after it waits as well."""
        self._awaited.append(screen)

    def end_wait(self, screen: Screen[Any]) -> None:
        """It has been done."""
        self._awaited.remove(screen)
        self._hand_on_soon()

    def holds(self, event: events.Event) -> bool:
        """Whether an event is a key that has to wait; it comes again when its time has come."""
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
        """Keys for a screen that has gone go with it."""
        if self._awaited and not any(s in self._app.screen_stack for s in self._awaited):
            self._held.clear()
            return False
        return bool(self._awaited)

    def _leads_out(self, key: str) -> bool:
        return any(key in keys_of(BY_ID[id_], self._app.keymap).split(",") for id_ in _AT_ONCE)

    def _hand_on_soon(self) -> None:
        """Once the screen on top is made, and has the keys."""
        if self._held and not self._is_awaited:
            self._app.screen.call_later(self._app.call_later, self._hand_on)
            self._app.set_timer(_IN_TIME, self._hand_on)

    async def _hand_on(self) -> None:
        """All that waits, as it came: what another screen is to have comes back from this one."""
        while self._held and not self._is_awaited:
            number, event = self._held.pop(0)
            again = (
                events.Key(event.key, event.character)
                if isinstance(event, events.Key)
                else events.Paste(event.text)
            )
            self._sent[again] = (number, self._app.screen)
            await self._app.on_event(again)
