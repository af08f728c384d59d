"""What the writer is asked before a model is: its context window, where its server does not report
it (BOOK 6), and whether she agrees to the price."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

from studio.cli import keyboard, output
from studio.cli.progress import ProgressLines, Warnings
from studio.cli.signals import StoppableCall
from studio.errors import Exit
from studio.messages import said
from studio.pipeline.events import Emit
from studio.pipeline.outcome import Failed, Stopped
from studio.story.ledger import Estimate

if TYPE_CHECKING:
    from studio.session import Session

Ended = TypeVar("Ended")


def ask_for_window(session: Session, *, is_for_programs: bool = False) -> None:
    """Asks at the terminal and remembers the answer for the model's address; Enter accepts the
    assumed window. Does nothing where the window is known, or where no model or nobody is there."""
    if is_for_programs or not keyboard.asks():
        return
    from studio.pipeline.windows import REFUSED, remembered_window, window_question

    state = session.store.state_folder
    session.settings, question = window_question(session.settings, state)
    if question is None:
        return
    output.say(question.reason)
    while (typed := keyboard.typed_line(question.words)) is not None:
        if (window := question.window_in(typed)) is not None:
            session.settings = remembered_window(session.settings, state, window)
            return
        output.say(REFUSED)


def once_agreed(
    read: Callable[[Emit], Coroutine[Any, Any, Ended | Failed | Stopped]],
    calls: str,
    cost: Estimate,
    *,
    as_json: bool,
    stopped: str = said("Stopped; nothing was changed. The same command goes on."),
) -> Ended | int:
    """Returns the result of the reading; an exit code where it never began or did not finish.

    `calls` states in a sentence which agent is asked how often. With JSON output, no consent is
    requested.
    """
    if not as_json:
        output.say(calls)
        if not _agrees_to(cost):
            return Exit.DONE
    run = StoppableCall(read, Warnings() if as_json else ProgressLines(streams=False))
    outcome = run.go()
    if isinstance(outcome, Failed):
        output.show_problem(outcome.problem)
        return int(outcome.exit_code)
    if isinstance(outcome, Stopped):
        output.tell(stopped)
        return int(outcome.exit_code if run.exit_code is None else run.exit_code)
    return outcome


def _agrees_to(cost: Estimate) -> bool:
    """Whether the writer agrees to ask a model at that price."""
    output.say(said("Cost: {price}.", price=cost.words))
    if keyboard.confirm(said("Go on? y or n: ")):
        return True
    output.say(said("Nobody was asked."))
    return False
