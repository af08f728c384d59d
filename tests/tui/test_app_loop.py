"""The door to the app's loop: whatever comes through it runs in the context of the app."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import threading
from collections.abc import Awaitable, Callable
from contextvars import ContextVar

import pytest

from studio.tui.runtime.app_loop import AppLoop, cancel_from_outside

HERE: ContextVar[str] = ContextVar("HERE")


def fail() -> None:
    raise RuntimeError("the lamp went out")


async def from_a_thread(app: AppLoop, heard: Callable[..., None]) -> None:
    await asyncio.to_thread(lambda: None)
    thread = threading.Thread(target=app.call, args=(heard,))
    thread.start()
    await asyncio.to_thread(thread.join)


async def later_from_a_thread(app: AppLoop, heard: Callable[..., None]) -> None:
    thread = threading.Thread(target=app.call, args=(app.call_in, 0.001, heard))
    thread.start()
    await asyncio.to_thread(thread.join)


async def from_a_signal(app: AppLoop, heard: Callable[..., None]) -> None:
    app.on_signal(signal.SIGUSR1, heard)
    os.kill(os.getpid(), signal.SIGUSR1)


async def from_a_fault(app: AppLoop, heard: Callable[..., None]) -> None:
    app.on_fault(heard)
    asyncio.get_running_loop().call_soon(fail)


@pytest.mark.parametrize("way", [from_a_thread, later_from_a_thread, from_a_signal, from_a_fault])
async def test_what_comes_through_the_door_finds_the_app(
    way: Callable[[AppLoop, Callable[..., None]], Awaitable[None]],
) -> None:
    heard: list[str] = []
    over = asyncio.Event()

    def hear(*_: object) -> None:
        heard.append(HERE.get("nowhere"))
        over.set()

    token = HERE.set("the app")
    app = AppLoop()
    HERE.reset(token)
    await way(app, hear)
    await asyncio.wait_for(over.wait(), 30)
    assert heard == ["the app"]


async def test_a_task_of_another_loop_is_cancelled_and_one_that_is_over_is_left() -> None:
    tasks: list[asyncio.Task[bool]] = []
    begun = threading.Event()

    async def work() -> None:
        tasks.append(asyncio.ensure_future(asyncio.Event().wait()))
        begun.set()
        with contextlib.suppress(asyncio.CancelledError):
            await tasks[0]

    thread = threading.Thread(target=asyncio.run, args=(work(),))
    thread.start()
    begun.wait()
    cancel_from_outside(tasks[0])
    thread.join()
    assert tasks[0].cancelled()
    cancel_from_outside(tasks[0])


def test_nobody_is_called_when_the_app_is_gone() -> None:
    async def made() -> AppLoop:
        return AppLoop()

    asyncio.run(made()).call(fail)
