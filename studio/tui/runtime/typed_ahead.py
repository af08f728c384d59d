"""The contract of typed keys: a key acts only on a screen that was painted when it was typed.

A key that was typed before the writer could see what it would act on is not hers: it would answer
a question she never read. So each key is judged at the moment it is handed on.

* Keys are handed on one at a time, the next one when the one before has had its whole effect: what
  opens, opens before the next key looks for its target.
* `PasteParser` gives all keys of one read the time of that read, and the app notes when the screen
  on top was first painted, as itself or with a text field that takes the keys (`Face`). A key is
  early if its face was not on top when it arrived, if its time is before the first painting, or if
  it came in one read with a key that did something.
* A screen on which a question is about to be put takes no keys but the ways out: they were typed
  for the question (`StudioScreen.takes_keys`).
* An early key is dropped, unless it moves about, leads out, or is text for the field that has the
  focus: text is never dropped, and Enter is text only where it makes a line.

So `w Enter`, and `ㅈ Enter` of an input method that holds a jamo back until the next key, begins to
write and answers nothing. The app without a terminal, as in tests, paints nothing: only arrival
and reads count there.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple
from weakref import WeakSet

from textual import events
from textual.dom import DOMNode
from textual.screen import Screen

from studio.i18n import _
from studio.tui.actions import BY_ID
from studio.tui.screen import StudioScreen
from studio.tui.terminal.input_modes import as_commands, in_a_text, is_hangul
from studio.tui.textual_private import FRAMES_HELD, IS_STOPPED, SENDER
from studio.tui.views.key_names import keys_of
from studio.tui.widgets.search_prompt import TYPING

Typed = events.Key | events.Paste
_AT_ONCE = ("app.quit", "desk.stop")
"""The actions that never wait and are never early: the ways out."""
_ANYWHERE = ("app.help", "app.palette", "app.settings", "app.theme")
"""The actions that mean the same wherever they arrive, and change nothing of the novel."""
_MOVES = frozenset(
    {"up", "down", "left", "right", "home", "end", "pageup", "pagedown", "j", "k"}
    | {"tab", "shift+tab", "ctrl+home", "ctrl+end"}
)
"""The keys that move about on every screen that knows them."""
_CORRECTS = frozenset({"backspace", "delete"})
_IN_TIME = 1.0
"""Seconds after which the next key is handed on even if a widget or a screen has not answered."""


class Face(NamedTuple):
    """What the keys act on: the screen on top, and whether a text field has them."""

    screen: Screen[Any]
    takes_text: bool


class TypedAhead:
    """Hands typed keys on in the order of typing, and drops those that came too early."""

    def __init__(
        self,
        app: Any,
        pass_on: Callable[[events.Event], Awaitable[None]],
    ) -> None:
        self._app = app
        self._pass_on = pass_on
        """Passes an event to the widget with the focus, or one that comes back to its action."""
        self.has_taken = False
        """Whether she has typed, pasted or used the mouse yet."""
        self._has_said_hangul = False
        self._waiting: deque[tuple[Typed, Face]] = deque()
        """The events that are not handed on, each with the face on top when it arrived."""
        self._in_hand: Typed | None = None
        """The event that was handed on last, until it has had its effect."""
        self._awaited: list[Screen[Any]] = []
        """The screens that running actions wait for."""
        self._made: WeakSet[Screen[Any]] = WeakSet()
        """The screens that have their widgets and their focus."""
        self._is_timed = False
        self._painted: Face | None = None
        self.passed_at = 0.0
        """When the newest frame was passed on, on the clock of the events; the driver says so."""
        self._painted_at = 0.0
        """When the first frame with that face was passed on, on the clock of the events."""
        self._did_at = 0.0
        """The time of the read whose key did something last."""

    # What the app tells

    def begin_wait(self, screen: Screen[Any]) -> None:
        """Begins the wait of an action for a screen; keys typed after it wait as well."""
        self._awaited.append(screen)

    def end_wait(self, screen: Screen[Any]) -> None:
        """Ends the wait of an action for a screen."""
        self._awaited.remove(screen)
        self._hand_on_soon()

    def note_deed(self, action_id: str) -> None:
        """Notes that the key in hand does something; keys of the same read were not typed for
        what comes of it."""
        if self._in_hand is not None and not BY_ID[action_id].moves:
            self._did_at = self._in_hand.time

    def note_painting(self, screen: Screen[Any]) -> None:
        """Notes that a frame of a screen was passed on to the terminal, and when. The time of the
        call would be too late: on a busy machine she sees the frame and types before the loop goes
        on, and a key typed on what she saw would be dropped."""
        if not FRAMES_HELD.of(self._app) and screen is self._app.screen and screen.is_mounted:
            face = self._face
            if face != self._painted:
                self._painted, self._painted_at = face, self.passed_at

    @property
    def has_painted(self) -> bool:
        """Whether the terminal has shown any screen yet."""
        return self._painted is not None

    async def take(self, event: events.InputEvent | events.Paste) -> None:
        """Takes a typed event as it arrives, or as it comes back from a widget that has no use for
        it, and hands on whatever is due. The mouse does not wait."""
        self.has_taken = True
        if not isinstance(event, Typed):
            if isinstance(event, events.MouseDown):
                self._app.toasts.heed_input()
            await self._pass_on(event)
            return
        if event.is_forwarded:
            await self._deliver(event)
            self._note_end(event)
            return
        if self._awaited and not self._is_awaited:  # what waits was typed for a closed screen
            self._waiting.clear()
        self._waiting.append((event, self._face))
        await self._hand_on()

    def _note_end(self, event: events.Event) -> None:
        """Notes that nothing else will act on an event."""
        if event is self._in_hand:
            self._in_hand = None
            self._hand_on_soon()

    # Handing on

    @property
    def _face(self) -> Face:
        return Face(self._app.screen, self.takes_text)

    @property
    def takes_text(self) -> bool:
        """Whether keys are text at present: a field has the focus, or a search prompt is open."""
        focused = self._app.focused
        return focused is not None and (
            focused.check_consume_key("a", "a") or focused.has_class(TYPING)
        )

    @property
    def _is_awaited(self) -> bool:
        """Whether an action waits for a screen that is still open."""
        return any(screen in self._app.screen_stack for screen in self._awaited)

    def _must_wait(self) -> bool:
        """Whether the next key has to wait: for the one before, an action, or a new screen. What
        it waits for hands it on."""
        if self._is_awaited:
            return True
        screen = self._app.screen
        unmade = screen not in self._made and screen.focused is None and not screen.is_mounted
        if unmade and self._waiting:
            screen.call_later(self._app.call_later, self._note_made, screen)
        if (unmade or self._in_hand is not None) and self._waiting and not self._is_timed:
            self._is_timed = True
            self._app.set_timer(_IN_TIME, self._lose_patience)
        return unmade or self._in_hand is not None

    async def _note_made(self, screen: Screen[Any]) -> None:
        self._made.add(screen)
        await self._hand_on()

    async def _lose_patience(self) -> None:
        self._is_timed = False
        if self._waiting and not self._is_awaited:
            self._in_hand = None
            self._made.add(self._app.screen)
            await self._hand_on()

    def _hand_on_soon(self) -> None:
        """Hands on once the workers that the last key began have taken their first step."""
        if self._waiting:
            self._app.call_later(self._hand_on)

    async def _hand_on(self) -> None:
        if self._is_awaited:
            await self._let_out()
        while self._waiting and not self._must_wait():
            event, arrived_at = self._waiting.popleft()
            face = self._face
            if isinstance(event, events.Key):
                commands = self._keys_meant(event, face)
                self._waiting.extendleft((later, arrived_at) for later in reversed(commands[1:]))
                event = commands[0]
                if self._is_early(event, arrived_at, face) and not self._stays(event, face):
                    continue
                if not self._is_taken(event, face):
                    continue
            self._in_hand = event
            target = self._app.focused or self._app.screen
            await self._deliver(event)
            if self._in_hand is event:
                if event.is_forwarded:
                    self._follow(event, target)
                else:  # an action that works everywhere has taken it
                    self._in_hand = None

    async def _deliver(self, event: Typed) -> None:
        if isinstance(event, events.Key):
            self._app.toasts.heed_input()
            if isinstance(self._app.screen, StudioScreen):
                self._app.screen.on_any_key()
        await self._pass_on(event)

    async def _let_out(self) -> None:
        """Hands on the keys that lead out, past those that wait for an action."""
        for one in [*self._waiting]:
            if isinstance(one[0], events.Key) and self._leads_out(one[0].key):
                self._waiting.remove(one)
                await self._deliver(one[0])

    def _keys_meant(self, event: events.Key, face: Face) -> list[events.Key]:
        """Returns the keys that a typed one stands for on this face."""
        if face.takes_text and event.is_printable:
            return [event]
        if face.takes_text:
            event = in_a_text(event)
        commands = as_commands(event)
        if (
            commands[0] is not event
            and is_hangul(event.character or "")
            and not self._has_said_hangul
        ):
            self._has_said_hangul = True
            key = "".join(command.character or "" for command in commands)
            self._app.say(
                _(
                    "The input is in Hangul · {letter} = {key} · the Han/Eng key changes it",
                    letter=event.character,
                    key=key,
                )
            )
        return commands

    def _follow(self, event: Typed, node: DOMNode) -> None:
        """Follows an event up from the widget it went to: it ends where it is stopped, or at the
        app."""
        while not node.call_later(self._note_passed, event, node):
            if node.parent is None:
                self._note_end(event)
                return
            node = node.parent

    def _note_passed(self, event: Typed, node: DOMNode) -> None:
        if event is not self._in_hand:
            return
        parent = node.parent
        # Below its sender, the app, Textual stops every event.
        is_stopped = IS_STOPPED.of(event) and parent is not SENDER.of(event)
        if parent is None or is_stopped:
            self._note_end(event)
        else:
            self._follow(event, parent)

    # Judging

    def _is_early(self, event: events.Key, arrived_at: Face, face: Face) -> bool:
        if arrived_at != face or event.time == self._did_at:
            return True
        if self._app.is_headless:
            return False
        return face != self._painted or event.time < self._painted_at

    def _is_taken(self, event: events.Key, face: Face) -> bool:
        screen = face.screen
        is_shut = isinstance(screen, StudioScreen) and not screen.takes_keys
        return not is_shut or self._leads_out(event.key)

    def _stays(self, event: events.Key, face: Face) -> bool:
        """Whether an early key is kept."""
        if event.key in _MOVES or self._leads_out(event.key):
            return True
        if face.takes_text:
            return event.is_printable or event.key in _CORRECTS or self._makes_a_line(event.key)
        return self._is_key_of(event.key, _ANYWHERE)

    def _makes_a_line(self, name: str) -> bool:
        from textual.widgets import TextArea

        return name == "enter" and isinstance(self._app.focused, TextArea)

    def _leads_out(self, name: str) -> bool:
        return self._is_key_of(name, _AT_ONCE)

    def _is_key_of(self, name: str, actions: tuple[str, ...]) -> bool:
        keymap = self._app.keymap
        return any(name in keys_of(BY_ID[id_], keymap).split(",") for id_ in actions)
