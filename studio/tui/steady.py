"""What goes on after a fault of ours: one sentence, the details in the log, and the app stays.

A key, a click or a message of a widget that fails leaves the screen as it was,
so only what was asked for does not happen. A page over another screen that
cannot be filled goes away again. Any other screen that cannot be made, one that
cannot be drawn, and a timer that fails, do end the app
(`StudioApp._handle_exception`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, cast

from textual import events
from textual._callback import invoke
from textual.app import App
from textual.dom import DOMNode
from textual.message import Message
from textual.message_pump import MessagePump
from textual.screen import Screen

Handler = Callable[[Message], Awaitable[None]]
_BIRTH = (events.Load, events.Compose, events.Mount)
"""After a fault in these there is no whole screen to go on with."""


class Steady(MessagePump):
    """Mixed into what hears messages: each handler of ours that fails, fails alone."""

    def _get_dispatch_methods(
        self, method_name: str, message: Message
    ) -> Iterable[tuple[type, Handler]]:
        page = isinstance(message, events.Mount) and self._lies_over_another()
        for cls, method in super()._get_dispatch_methods(method_name, message):
            ours = cls.__module__.startswith("studio.")
            if ours and page:
                yield cls, self._carefully(method, self._go_away)
            else:
                careful = ours and not isinstance(message, _BIRTH)
                yield cls, self._carefully(method) if careful else method

    def _go_away(self) -> None:
        page = cast("Screen[Any]", self)
        if page is self.app.screen:
            page.dismiss(None)

    def _lies_over_another(self) -> bool:
        """Whether this is a page with a screen of ours below it."""
        return any(screen is cast("object", self) for screen in self.app.screen_stack[2:])

    def _carefully(self, method: Handler, give_up: Callable[[], object] | None = None) -> Handler:
        async def carefully(message: Message) -> None:
            try:
                await invoke(method, message)
            except Exception as error:  # whatever it is, the others go on
                cast("SteadyApp", self.app).stumbled(error)
                if give_up is not None:
                    give_up()

        return carefully


class SteadyApp(Steady, App[int], inherit_bindings=False):
    """The app's side of it: actions of keys, and what the loop itself was asked to do."""

    def on_load(self) -> None:
        """Before the first frame: what fails in a callback of the loop is told as well."""
        asyncio.get_running_loop().set_exception_handler(self._in_the_loop)

    def _in_the_loop(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if isinstance(error, Exception):
            self.stumbled(error)

    async def _shutdown(self) -> None:
        """Ends the work beside the screens before the widgets go that it draws in."""
        self.workers.cancel_all()
        await super()._shutdown()

    async def _dispatch_action(self, namespace: DOMNode, action_name: str, params: Any) -> bool:
        try:
            return await super()._dispatch_action(namespace, action_name, params)
        except Exception as error:  # of a key, a click or the palette
            self.stumbled(error)
            return True

    def stumbled(self, error: Exception) -> None:
        """Says what went wrong; the details are in the log."""
        raise NotImplementedError
