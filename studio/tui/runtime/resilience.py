"""Keeps the app running after a fault: a sentence for the writer, the details in the log.

When the handler of a key, a click, a timer or a message fails, the screen stays as it was and only
the requested action is lost. A widget that cannot be filled or drawn displays a sentence in its
place. A page over another screen that cannot be created or filled is closed. A desk that cannot, or
a failing layout, ends the app (`StudioApp._handle_exception`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from rich.segment import Segment
from textual import events
from textual.geometry import Region
from textual.message import Message
from textual.message_pump import MessagePump
from textual.strip import Strip
from textual.timer import Timer

from studio.i18n import N_, _
from studio.tui.runtime.app_loop import AppLoop
from studio.tui.textual_private import DO_ACTION, END, HANDLERS, invoke

if TYPE_CHECKING:
    from textual.app import App
    from textual.dom import DOMNode
    from textual.widget import Widget

Handler = Callable[[Message], Awaitable[None]]
_UNDRAWN = N_("This part cannot be drawn.")


class Steady(MessagePump):
    """Mixin for message pumps: a handler of the studio that fails does not affect the others."""

    given_up = False
    """Whether the widget could not be created and the app goes on without it."""

    @HANDLERS
    def handlers_of(self, method_name: str, message: Message) -> Iterable[tuple[type, Handler]]:
        born = isinstance(message, events.Load | events.Mount)
        careful = not born or self.given_up or self.can_be_missed
        for cls, method in HANDLERS.of(super())(method_name, message):
            ours = careful and cls.__module__.startswith("studio.")
            if not (ours and born and self.given_up):
                yield cls, self._carefully(method, born) if ours else method

    @property
    def can_be_missed(self) -> bool:
        """Whether the app can go on without this widget if it cannot be created."""
        return False

    def give_up(self) -> None:
        """Called if the widget could not be created and the app can go on without it."""
        self.given_up = True

    def _carefully(self, method: Handler, born: bool) -> Handler:
        async def carefully(message: Message) -> None:
            try:
                await invoke(method, message)
            except Exception as error:  # whatever was raised, the other handlers go on
                cast("SteadyApp", self.app).report_stumble(error)
                if born:
                    self.give_up()

        return carefully

    def attempt(self, work: Callable[[], None]) -> None:
        """Runs code outside of handlers with the same protection."""
        try:
            work()
        except Exception as error:  # whatever was raised, the app goes on
            cast("SteadyApp", self.app).report_stumble(error)

    def _callback(self, callback: Callable[..., Any]) -> Callable[[], Awaitable[None]]:
        """Wraps a callback that takes no message in the same protection."""

        async def called() -> None:
            try:
                await invoke(callback)
            except Exception as error:  # whatever was raised, the app goes on
                cast("SteadyApp", self.app).report_stumble(error)

        return called

    def set_interval(
        self, interval: float, callback: Callable[..., Any] | None = None, **options: Any
    ) -> Timer:
        """Overrides Textual's: a tick that fails is reported, and the timer continues."""
        return super().set_interval(interval, callback and self._callback(callback), **options)

    def call_next(self, callback: Callable[..., Any], *args: Any, **options: Any) -> None:
        """Overrides Textual's to protect the callback; `set_timer` and async watchers use it."""
        super().call_next(self._callback(partial(callback, *args, **options)))

    def call_later(self, callback: Callable[..., Any], *args: Any, **options: Any) -> bool:
        """Overrides Textual's to protect the callback."""
        return super().call_later(self._callback(partial(callback, *args, **options)))

    def call_after_refresh(self, callback: Callable[..., Any], *args: Any, **options: Any) -> bool:
        """Overrides Textual's to protect the callback."""
        return super().call_after_refresh(self._callback(partial(callback, *args, **options)))


class SteadyWidget(Steady):
    """Mixin for parts of a screen: if one cannot be filled or drawn, the others go on."""

    _undrawn = False

    @property
    def can_be_missed(self) -> bool:
        """Returns True: the app can go on with an empty pane."""
        return True

    def paint(self, crop: Region) -> list[Strip]:
        """Renders the rows of the widget; subclasses override it instead of `render_lines`."""
        return cast("Widget", super()).render_lines(crop)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Renders the rows, or a sentence if that fails; a fault is reported once."""
        try:
            return self.paint(crop)
        except Exception as error:  # whatever was raised, the other widgets are drawn
            if not self._undrawn:
                self._undrawn = True
                self.app.call_later(cast("SteadyApp", self.app).report_stumble, error)
            style = cast("Widget", self).rich_style
            notice = Strip([Segment(_(_UNDRAWN)[: crop.right], style)])
            rows = [notice if y == 0 else Strip([]) for y in range(crop.y, crop.bottom)]
            return [row.extend_cell_length(crop.right).crop(crop.x, crop.right) for row in rows]


class SteadyApp(Steady):
    """Mixin for the app: protects actions and callbacks of the loop."""

    def on_load(self) -> None:
        """Installs, before the first frame, the handler for faults in callbacks of the loop."""
        AppLoop().on_fault(self.report_stumble)

    @END
    async def end(self) -> None:
        """Cancels background work before the widgets that it draws in are removed."""
        cast("App[int]", self).workers.cancel_all()
        await END.of(super())()

    @DO_ACTION
    async def do_action(self, namespace: DOMNode, action_name: str, params: Any) -> bool:
        """Performs an action; one that fails is reported, and counts as done."""
        try:
            return bool(await DO_ACTION.of(super())(namespace, action_name, params))
        except Exception as error:  # from a key, a click or the palette
            self.report_stumble(error)
            return True

    def report_stumble(self, error: Exception) -> None:
        """Reports a fault to the writer; the details are in the log."""
        raise NotImplementedError
