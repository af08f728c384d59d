"""Runs and calls of the app follow one another where they need the novel for themselves."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence

import pytest

from studio.pipeline.events import Event, WarningEvent
from studio.pipeline.outcome import NothingToDo, Outcome
from studio.project.lock.lock import ProjectLock
from studio.tui.runtime.bridge import Bridge
from tests.tui.conftest import OpenDesk
from tests.tui.pilot import opened


@pytest.mark.sweep
async def test_a_run_waits_for_a_call_that_holds_the_novel(desk: OpenDesk) -> None:
    there = desk()
    held, let_go = threading.Event(), threading.Event()

    def hold() -> None:
        with ProjectLock(there.folder):
            held.set()
            let_go.wait(180)

    async with opened(there.folder, there.environ) as studio:
        call = asyncio.ensure_future(studio.desk.bridge.call(hold))
        await studio.until(held.is_set, "the lock")
        await studio.press("w")
        await studio.until(lambda: studio.desk.state.run.running, "the run")
        assert studio.desk.state.run.outcome is None
        let_go.set()
        await call
        await studio.until(lambda: studio.desk.state.run.outcome is not None, "the outcome")
        assert "locked" not in studio.told
        studio.expect_stage("draft", "finished")


async def test_a_run_ends_for_the_app_whatever_its_last_events_came_to(desk: OpenDesk) -> None:
    outcomes: asyncio.Queue[Outcome] = asyncio.Queue()

    def stumble(events: Sequence[Event]) -> None:
        raise RuntimeError("the lamp went out")

    async def work(hear: Callable[[Event], None]) -> Outcome:
        hear(WarningEvent(message="It is dark."))
        return NothingToDo("Nothing.")

    asyncio.get_running_loop().set_exception_handler(lambda loop, report: None)
    bridge = Bridge(desk().session(), stumble, outcomes.put_nowait)
    bridge.begin(work)
    assert await asyncio.wait_for(outcomes.get(), 60) == NothingToDo("Nothing.")
    assert not bridge.is_running
    await bridge.close()


async def test_an_event_that_comes_once_the_desk_is_closed_is_passed_over(desk: OpenDesk) -> None:
    there = desk()
    async with opened(there.folder, there.environ) as studio:
        bridge = studio.desk.bridge
    bridge._events.append(WarningEvent(message="It is dark."))
    bridge._pass_on()


async def test_a_run_that_was_torn_down_can_be_followed_by_another(desk: OpenDesk) -> None:
    outcomes: list[Outcome] = []

    async def work(hear: Callable[[Event], None]) -> Outcome:
        raise SystemExit

    bridge = Bridge(desk().session(), lambda events: None, outcomes.append)
    bridge.begin(work, 1)
    await asyncio.wait_for(bridge.close(), 60)
    assert len(outcomes) == 1
    assert not bridge.is_running


async def test_events_come_while_keys_are_held_down(desk: OpenDesk) -> None:
    heard: list[Event] = []
    go_on = asyncio.Event()

    async def work(hear: Callable[[Event], None]) -> Outcome:
        hear(WarningEvent(message="It is dark."))
        await asyncio.Event().wait()
        raise AssertionError

    bridge = Bridge(desk().session(), heard.extend, lambda outcome: go_on.set())
    bridge.begin(work)
    async with asyncio.timeout(60):
        while not heard:
            bridge.hold()
            await asyncio.sleep(0.001)
    await bridge.close()
