"""The dispatch from an action's id to its performer: the app itself, or the screen on top."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any

from textual.screen import Screen

from studio.errors import StudioError
from studio.tui.actions import BY_ID
from studio.tui.performs import Performer, is_asking, performer
from studio.tui.screen import PROMPT, StudioScreen
from studio.tui.views.situation import Situation

if TYPE_CHECKING:
    from studio.tui.studio import Studio

_COUNTS = frozenset(
    {"desk.commit", "desk.write", "directives.accept_rest", "directives.reject_rest"}
)
"""The actions that ask about what is undecided: what she decided before them is recorded first."""


class ActionDispatch:
    """Finds the performer of an action and calls it, or says why the action is unavailable."""

    def __init__(self, app: Studio) -> None:
        self._app = app

    async def perform(self, action_id: str) -> str:
        """Performs an action of the list, or says why it is unavailable now. Returns the id of what
        is performed, now or when its screen is ready; empty if nothing is."""
        app, screen = self._app, self._app.screen
        if isinstance(screen, StudioScreen):
            action_id = screen.action_meant_by(action_id)
        perform = performer(app, action_id)
        if perform is None and isinstance(screen, StudioScreen):
            perform = screen.performer(action_id)
            if perform is None and not screen.is_prepared:
                self._wait(screen, screen.wait_prepared(), action_id)
                return action_id
        if perform is None:
            return ""
        if action_id in _COUNTS and isinstance(screen, StudioScreen) and screen.is_deciding:
            self._wait(screen, _end_of_deciding(screen), action_id)
            return action_id
        now = screen.situation() if isinstance(screen, StudioScreen) else Situation()
        reason = BY_ID[action_id].reason_disabled(now)
        if reason is not None and isinstance(screen, StudioScreen) and not screen.is_settled:
            self._wait(screen, screen.wait_settled(), action_id)
            return action_id
        if reason is not None:
            app.say(reason)
            return ""
        await self._do(perform)
        return action_id

    async def _do(self, perform: Performer) -> None:
        try:
            awaitable = perform()
            screen = self._app.screen
            if (
                inspect.iscoroutine(awaitable)
                and isinstance(screen, StudioScreen)
                and is_asking(perform)
            ):
                screen.converse(awaitable)
            elif inspect.isawaitable(awaitable):
                await awaitable
        except StudioError as error:
            self._app.tell(error.problem)

    def _wait(self, screen: Screen[Any], ready: Awaitable[None], action_id: str) -> None:
        self._app.typed.begin_wait(screen)
        self._app.run_worker(self._perform_after(screen, ready, action_id))

    async def _perform_after(
        self, screen: Screen[Any], ready: Awaitable[None], action_id: str
    ) -> None:
        """A key that came before what it is about is not lost, and goes with its screen: it is
        not about another novel that was opened meanwhile."""
        try:
            await ready
            is_heard = not isinstance(screen, StudioScreen) or screen.takes_keys
            if screen in self._app.screen_stack and is_heard:
                await self.perform(action_id)
        finally:
            self._app.typed.end_wait(screen)


async def _end_of_deciding(screen: StudioScreen) -> None:
    while screen.is_deciding:
        await asyncio.sleep(PROMPT)
