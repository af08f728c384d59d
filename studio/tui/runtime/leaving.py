"""Leaving the app: what was typed and is not in the novel is kept first, or she is asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, Protocol

from studio.errors import Exit, Problem, StudioError
from studio.i18n import _, translate
from studio.tui.runtime.left_words import AllLeftWords
from studio.tui.screen import StudioScreen


class LeavingApp(Protocol):
    """What leaving asks of the app."""

    left_words: AllLeftWords

    @property
    def screen_stack(self) -> Sequence[Any]:
        """Every open screen, the top one last."""

    def push_screen(self, *args: Any, **kwargs: Any) -> Any:
        """Opens a screen over the others."""

    def run_worker(self, *args: Any, **kwargs: Any) -> Any:
        """Runs a task of its own."""

    async def leave(self, code: int) -> None:
        """Ends the app, whatever can be kept."""


async def leave_or_ask(app: LeavingApp) -> None:
    """Leaves the app; where something that was typed cannot be kept, says why and asks first."""
    problem = await keep_what_was_typed(app)
    if problem is None:
        await app.leave(Exit.DONE)
        return
    from studio.tui.screens.ask import Confirm

    def on_answer(yes: bool | None) -> None:
        if yes:
            app.run_worker(app.leave(Exit.DONE))

    said_of_it = list(filter(None, map(translate, (problem.message, problem.hint))))
    question = _("y leaves all the same, and loses it. n stays.")
    title = _("What you typed cannot be kept. Leave and lose it?")
    app.push_screen(Confirm(title, "\n".join([*said_of_it, question])), on_answer)


async def keep_what_was_typed(app: LeavingApp) -> Problem | None:
    """Keeps what was typed on every screen; returns why the first that failed could not be kept.
    One that cannot be kept holds up none of the others."""
    first: Problem | None = None
    for screen in _screens_of(app):
        try:
            await screen.keep_typed()
        except StudioError as error:
            first = first or error.problem
    try:
        await app.left_words.write_all()
    except StudioError as error:
        first = first or error.problem
    return first


async def put_all_away(app: LeavingApp) -> None:
    """Puts every screen away, whatever a disk says about one of them."""
    for screen in _screens_of(app):
        with suppress(StudioError):
            await screen.put_away()


def _screens_of(app: LeavingApp) -> Iterator[StudioScreen]:
    yield from [screen for screen in app.screen_stack if isinstance(screen, StudioScreen)]
