"""What can go wrong, in words for a writer: one Problem, one exception, one exit code each."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import NamedTuple, TypeVar

from studio.messages import join

T = TypeVar("T")


class Exit(IntEnum):
    """Exit codes of the `studio` command (DESIGN section 11)."""

    DONE = 0
    FAILED = 1
    USAGE = 2
    LOCKED = 3
    DECIDE = 4
    DAMAGED = 5
    MODEL = 6
    BUDGET = 7
    INTERRUPTED = 130
    TERMINATED = 143


class Problem(NamedTuple):
    """One thing that went wrong, ready to be displayed."""

    message: str
    """A full sentence that names the file or place."""
    hint: str = ""
    """What the writer can do about the problem."""
    details: str = ""
    """Further information, field by field or line by line."""
    exit_code: Exit = Exit.FAILED
    kind: str = "failed"
    """A stable identifier for programs: usage, locked, damaged, model, budget, disk, ..."""
    retryable: bool = False
    """Whether the same call may succeed later with nothing changed."""

    def __str__(self) -> str:
        return join((self.message, self.hint))


class StudioError(Exception):
    """Carries a Problem up to the single place in each frontend that displays it."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


def usage(message: str, hint: str = "", details: str = "") -> StudioError:
    """Returns an error for a command or arguments that cannot be carried out (exit 2)."""
    return StudioError(Problem(message, hint, details, Exit.USAGE, "usage"))


def damaged(message: str, hint: str = "", details: str = "") -> StudioError:
    """Returns an error for a project file that cannot be read or does not fit its schema (exit
    5)."""
    return StudioError(Problem(message, hint, details, Exit.DAMAGED, "damaged"))


def failed(message: str, hint: str = "", details: str = "") -> StudioError:
    """Returns an error for anything else that stopped the work (exit 1)."""
    return StudioError(Problem(message, hint, details, Exit.FAILED, "failed"))


def none_if_damaged(read: Callable[[], T]) -> T | None:
    """Returns what `read` returns, and None for a file that is damaged. A disk that fails (kind
    `disk`) says nothing about the file: its StudioError is raised, or what is there would be made
    anew over it."""
    try:
        return read()
    except StudioError as error:
        if error.problem.kind == "disk":
            raise
        return None
