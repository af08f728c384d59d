"""What goes on after a fault of ours: one sentence, the details in the log, and the app stays.

A key, a click, a timer or a message of a widget that fails leaves the screen as
it was, so only what was asked for does not happen. A widget that cannot be filled
or drawn says so in its place. A page over another screen that cannot be made or
filled goes away again. A desk that cannot, and a layout that fails, do end the
app (`StudioApp._handle_exception`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from rich.segment import Segment
from textual import events
from textual._callback import invoke
from textual.geometry import Region
from textual.message import Message
from textual.message_pump import MessagePump
from textual.strip import Strip
from textual.timer import Timer

from studio.i18n import N_, _
from studio.tui.runtime.app_loop import AppLoop

if TYPE_CHECKING:
    from textual.app import App
    from textual.dom import DOMNode
    from textual.widget import Widget

Handler = Callable[[Message], Awaitable[None]]
_UNDRAWN = N_("This part cannot be drawn.")


class Steady(MessagePump):
    """Mixed into what hears messages: each handler of ours that fails, fails alone."""

    given_up = False
    """Whether it could not be made, and is missed."""

    def _get_dispatch_methods(
        self, method_name: str, message: Message
    ) -> Iterable[tuple[type, Handler]]:
        born = isinstance(message, events.Load | events.Mount)
        careful = not born or self.given_up or self.can_be_missed
        for cls, method in super()._get_dispatch_methods(method_name, message):
            ours = careful and cls.__module__.startswith("studio.")
            if not (ours and born and self.given_up):
                yield cls, self._carefully(method, born) if ours else method

    @property
    def can_be_missed(self) -> bool:
        """Whether the app can go on where this could not be made."""
        return False

    def give_up(self) -> None:
        """Called where it could not be made, if it can be missed."""
        self.given_up = True

    def _carefully(self, method: Handler, born: bool) -> Handler:
        async def carefully(message: Message) -> None:
            try:
                await invoke(method, message)
            except Exception as error:  # whatever it is, the others go on
                cast("SteadyApp", self.app).stumbled(error)
                if born:
                    self.give_up()

        return carefully

    def attempt(self, work: Callable[[], None]) -> None:
        """Does what no handler does, with the same care."""
        try:
            work()
        except Exception as error:  # whatever it is, the others go on
            cast("SteadyApp", self.app).stumbled(error)

    def _callback(self, callback: Callable[..., Any]) -> Callable[[], Awaitable[None]]:
        """What is called without a message, with the same care."""

        async def called() -> None:
            try:
                await invoke(callback)
            except Exception as error:  # whatever it is, the others go on
                cast("SteadyApp", self.app).stumbled(error)

        return called

    def set_interval(
        self, interval: float, callback: Callable[..., Any] | None = None, **options: Any
    ) -> Timer:
        """Textual's; a tick that fails is told, and the next one comes."""
        return super().set_interval(interval, callback and self._callback(callback), **options)

    def call_next(self, callback: Callable[..., Any], *args: Any, **options: Any) -> None:
        """Textual's, which `set_timer` and asynchronous watchers use as well."""
        super().call_next(self._callback(partial(callback, *args, **options)))

    def call_later(self, callback: Callable[..., Any], *args: Any, **options: Any) -> bool:
        """Textual's."""
        return super().call_later(self._callback(partial(callback, *args, **options)))

    def call_after_refresh(self, callback: Callable[..., Any], *args: Any, **options: Any) -> bool:
        """Textual's."""
        return super().call_after_refresh(self._callback(partial(callback, *args, **options)))


class SteadyWidget(Steady):
    """Mixed into a part of a screen: where it cannot be filled or drawn, the others go on."""

    _undrawn = False

    @property
    def can_be_missed(self) -> bool:
        """A pane that stays empty is no reason to end."""
        return True

    def painted(self, crop: Region) -> list[Strip]:
        """Its rows."""
        return cast("Widget", super()).render_lines(crop)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Its rows, or a sentence in their place; the fault is told once."""
        try:
            return self.painted(crop)
        except Exception as error:  # whatever it is, the others are drawn
            if not self._undrawn:
                self._undrawn = True
                self.app.call_later(cast("SteadyApp", self.app).stumbled, error)
            style = cast("Widget", self).rich_style
            notice = Strip([Segment(_(_UNDRAWN)[: crop.right], style)])
            rows = [notice if y == 0 else Strip([]) for y in range(crop.y, crop.bottom)]
            return [row.extend_cell_length(crop.right).crop(crop.x, crop.right) for row in rows]


class SteadyApp(Steady):
    """Mixed into the app: actions of keys, and what the loop itself was asked to do."""

    def on_load(self) -> None:
        """Before the first frame: what fails in a callback of the loop is told as well."""
        AppLoop().on_fault(self.stumbled)

    async def _shutdown(self) -> None:
        """Ends the work beside the screens before the widgets go that it draws in."""
        cast("App[int]", self).workers.cancel_all()
        await cast("App[int]", super())._shutdown()

    async def _dispatch_action(self, namespace: DOMNode, action_name: str, params: Any) -> bool:
        try:
            app = cast("App[int]", super())
            return await app._dispatch_action(namespace, action_name, params)
        except Exception as error:  # of a key, a click or the palette
            self.stumbled(error)
            return True

    def stumbled(self, error: Exception) -> None:
        """Says what went wrong; the details are in the log."""
        raise NotImplementedError
