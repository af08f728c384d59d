"""Runs a paid reading by a model once the writer has seen the price and agreed."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from studio.cli import output
from studio.cli.progress import ProgressLines, Warnings
from studio.cli.prompt import agrees_to
from studio.cli.signals import StoppableCall
from studio.errors import Exit
from studio.messages import said
from studio.pipeline.events import Emit
from studio.pipeline.outcome import Failed, Stopped
from studio.story.ledger import Estimate

Ended = TypeVar("Ended")


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
        if not agrees_to(cost):
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
