"""How a run ends. A pause is an outcome, not a question held in memory."""

from __future__ import annotations

from dataclasses import dataclass

from studio.errors import Exit, Problem
from studio.story.checkpoint import Decision


@dataclass(frozen=True, slots=True)
class Committed:
    """The chapter is in the book."""

    chapter: int
    title: str
    badges: tuple[str, ...] = ()

    exit_code = Exit.DONE


@dataclass(frozen=True, slots=True)
class Paused:
    """A person must decide; nothing is lost and the lock is free."""

    decision: Decision

    exit_code = Exit.DECIDE


@dataclass(frozen=True, slots=True)
class Stopped:
    """The writer stopped the run; it resumes where it was."""

    chapter: int | None

    exit_code = Exit.INTERRUPTED


@dataclass(frozen=True, slots=True)
class Failed:
    """Something went wrong; what was finished is kept."""

    problem: Problem

    @property
    def exit_code(self) -> Exit:
        """The problem's own."""
        return self.problem.exit_code


@dataclass(frozen=True, slots=True)
class NothingToDo:
    """There was no chapter in flight."""

    message: str

    exit_code = Exit.DONE


Outcome = Committed | Paused | Stopped | Failed | NothingToDo
