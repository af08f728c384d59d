"""What goes on after a fault of ours: one sentence, the details in the log, and the app stays.

A key, a click or a message of a widget that fails leaves the screen as it was,
so only what was asked for does not happen. A screen that cannot be made or
drawn, and a timer that fails, do end the app (`StudioApp._handle_exception`).
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

Handler = Callable[[Message], Awaitable[None]]
_BIRTH = (events.Load, events.Compose, events.Mount)
"""After a fault in these there is no whole screen to go on with."""


class Steady(MessagePump):
    """Mixed into what hears messages: each handler of ours that fails, fails alone."""

    def _get_dispatch_methods(
        self, method_name: str, message: Message
    ) -> Iterable[tuple[type, Handler]]:
        for cls, method in super()._get_dispatch_methods(method_name, message):
            ours = cls.__module__.startswith("studio.") and not isinstance(message, _BIRTH)
            yield cls, self._carefully(method) if ours else method

    def _carefully(self, method: Handler) -> Handler:
        async def carefully(message: Message) -> None:
            try:
                await invoke(method, message)
            except Exception as error:  # whatever it is, the others go on
                cast("SteadyApp", self.app).stumbled(error)

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

    async def _dispatch_action(self, namespace: DOMNode, action_name: str, params: Any) -> bool:
        try:
            return await super()._dispatch_action(namespace, action_name, params)
        except Exception as error:  # of a key, a click or the palette
            self.stumbled(error)
            return True

    def stumbled(self, error: Exception) -> None:
        """Says what went wrong; the details are in the log."""
        raise NotImplementedError
