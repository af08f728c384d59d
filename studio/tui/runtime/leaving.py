"""Leaving the app or its novel: what was typed and is not in the novel is kept first, or she is
asked."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator, Sequence
from typing import Any, Protocol, TypeAlias

from studio.errors import Problem, StudioError
from studio.i18n import _, translate
from studio.tui.runtime.faults import Faults
from studio.tui.runtime.left_words import AllLeftWords
from studio.tui.screen import StudioScreen

Step: TypeAlias = Callable[[], Coroutine[Any, Any, None]]
"""What is done when nothing holds her up any longer."""


class LeavingApp(Protocol):
    """What leaving asks of the app."""

    left_words: AllLeftWords
    faults: Faults

    @property
    def screen_stack(self) -> Sequence[Any]:
        """Every open screen, the top one last."""

    def push_screen(self, *args: Any, **kwargs: Any) -> Any:
        """Opens a screen over the others."""

    def run_worker(self, *args: Any, **kwargs: Any) -> Any:
        """Runs a task of its own."""


async def leave_or_ask(app: LeavingApp, leave: Step) -> None:
    """Leaves; where something that was typed cannot be kept, says why and asks first."""
    problem = await keep_what_was_typed(app)
    if problem is None:
        await leave()
        return
    said_of_it = list(filter(None, map(translate, (problem.message, problem.hint))))
    question = _("y leaves all the same, and loses it. n stays.")
    title = _("What you typed cannot be kept. Leave and lose it?")
    ask_once(app, title, "\n".join([*said_of_it, question]), leave)


def ask_once(app: LeavingApp, title: str, words: str, on_yes: Step) -> None:
    """Asks, unless the same question is on the screen already."""
    from studio.tui.screens.ask import Confirm

    def on_answer(yes: bool | None) -> None:
        if yes:
            app.run_worker(on_yes())

    top = app.screen_stack[-1]
    if not (isinstance(top, Confirm) and top.asks(title)):
        app.push_screen(Confirm(title, words), on_answer)


async def keep_what_was_typed(app: LeavingApp) -> Problem | None:
    """Keeps what was typed on every screen; returns why the first that failed could not be kept.
    One that cannot be kept holds up none of the others, and in one that is still being opened
    nothing was typed."""
    steps = [screen.keep_typed for screen in _screens_of(app) if screen.is_made]
    problems = [await _problem_of(app, keep) for keep in steps]
    problems += [await _problem_of(app, write) for write in app.left_words.writes()]
    return next(filter(None, problems), None)


async def _problem_of(app: LeavingApp, step: Step) -> Problem | None:
    try:
        await step()
    except StudioError as error:
        return error.problem
    except Exception as error:  # whatever it is, the other screens are tried
        return Problem(app.faults.record(error).message)  # its hint calls the texts safe
    return None


async def put_all_away(app: LeavingApp) -> None:
    """Keeps what was typed and puts every screen away, whatever a disk says about one of them;
    then keeps what she typed meanwhile: a run takes seconds to end."""
    await keep_what_was_typed(app)
    for screen in _screens_of(app):
        await _problem_of(app, screen.put_away)
    await keep_what_was_typed(app)


def _screens_of(app: LeavingApp) -> Iterator[StudioScreen]:
    yield from [screen for screen in app.screen_stack if isinstance(screen, StudioScreen)]
