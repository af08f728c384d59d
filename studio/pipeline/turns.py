"""Work that runs side by side and is heard in order (WRITING 6).

Pieces that do not depend on each other are asked for at the same time. What a piece says while it
is not its turn, its text, its costs and its warnings, is kept and said when its turn comes, so that
whoever listens hears one after the other, as if they had run so.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextvars import ContextVar
from functools import partial
from typing import TypeVar

from studio.llm.errors import BudgetError

T = TypeVar("T")
MOST_AT_ONCE = 4
"""The pieces of one work that are asked for at the same time: more only meet a vendor's limits."""


class SpeakingTurn:
    """When one piece of work may speak."""

    def __init__(self) -> None:
        self._kept: list[Callable[[], None]] | None = []

    def keep(self, say: Callable[[], None]) -> bool:
        """Keeps what is to be said, and returns whether it had to: not once the turn has come."""
        if self._kept is None:
            return False
        self._kept.append(say)
        return True

    def come(self) -> None:
        """Says what was kept, in order; whatever follows is said at once."""
        sayings, self._kept = self._kept or [], None
        for say in sayings:
            say()


_TURN: ContextVar[SpeakingTurn | None] = ContextVar("turn", default=None)
"""The turn of the piece of work that runs; None where nothing runs beside it."""


def is_kept(say: Callable[[], None]) -> bool:
    """Whether the piece of work that runs has to wait with this until its turn comes."""
    turn = _TURN.get()
    return turn is not None and turn.keep(say)


def begin(turn: SpeakingTurn, work: Callable[[], Awaitable[T]]) -> asyncio.Task[T]:
    """Starts a piece of work that is heard when its turn comes."""

    async def run() -> T:
        _TURN.set(turn)  # in the task's own context
        return await work()

    return asyncio.create_task(run())


async def end(*tasks: asyncio.Task[T]) -> None:
    """Stops what still runs and waits until it has put down what it had."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


class _NotBegun(Exception):
    """A piece before it has failed."""


async def side_by_side(
    works: Sequence[Callable[[], Awaitable[T]]], most: int = MOST_AT_ONCE
) -> list[T]:
    """Returns the results of pieces of work in their order, at most so many of them at a time.

    Where one fails, those that run are finished, so that no answer that is paid for is lost, no
    other is begun, and the first error in order is raised. A piece for which the others' reserve
    leaves no room under a cap is done in its turn, alone. If this is stopped, all are.
    """
    if len(works) == 1:
        return [await works[0]()]
    turns = [SpeakingTurn() for _ in works]
    tasks = [begin(turn, work) for turn, work in zip(turns, _in_places(works, most), strict=True)]
    try:
        return await _heard_in_order(turns, tasks, works)
    except BaseException:
        await end(*tasks)
        for turn in turns:
            turn.come()
        raise


def _in_places(
    works: Sequence[Callable[[], Awaitable[T]]], most: int
) -> Iterator[Callable[[], Awaitable[T]]]:
    """Yields the works so that at most so many run, and none begins after one has failed."""
    places, failures = asyncio.Semaphore(most), list[Exception]()

    async def run(work: Callable[[], Awaitable[T]]) -> T:
        async with places:
            if failures:
                raise _NotBegun
            try:
                return await work()
            except Exception as error:
                failures.append(error)
                raise

    for work in works:
        yield partial(run, work)


async def _heard_in_order(
    turns: Sequence[SpeakingTurn],
    tasks: Sequence[asyncio.Task[T]],
    works: Sequence[Callable[[], Awaitable[T]]],
) -> list[T]:
    results: list[T] = []
    errors: list[Exception] = []
    for turn, task, work in zip(turns, tasks, works, strict=True):
        turn.come()
        try:
            results.append(await _in_its_turn(task, tasks, work, alone=not errors))
        except Exception as error:
            errors.append(error)
    if errors:
        raise errors[0]
    return results


async def _in_its_turn(
    task: asyncio.Task[T],
    tasks: Sequence[asyncio.Task[T]],
    work: Callable[[], Awaitable[T]],
    *,
    alone: bool,
) -> T:
    """Returns a piece's result. One that was not done, for want of room under a cap or because
    another had none, is done now if it may be done alone."""
    try:
        return await task
    except (BudgetError, _NotBegun):
        if not alone:
            raise
        await asyncio.wait(tasks)  # what they reserve is settled then
        return await work()
