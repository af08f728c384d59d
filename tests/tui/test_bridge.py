"""Runs and calls of the app follow one another where they need the novel for themselves."""

from __future__ import annotations

import asyncio
import threading

from studio.project.lock import ProjectLock
from tests.tui.conftest import OpenDesk
from tests.tui.pilot import opened


async def test_a_run_waits_for_a_call_that_holds_the_novel(desk: OpenDesk) -> None:
    there = desk()
    held, let_go = threading.Event(), threading.Event()

    def hold() -> None:
        with ProjectLock(there.folder):
            held.set()
            let_go.wait(60)

    async with opened(there.folder, there.environ) as studio:
        call = asyncio.ensure_future(studio.desk.bridge.call(hold))
        await studio.until(held.is_set, "the lock")
        await studio.press("w")
        await studio.until(lambda: studio.desk.run_state.running, "the run")
        assert studio.desk.run_state.outcome is None
        let_go.set()
        await call
        await studio.until(lambda: studio.desk.run_state.outcome is not None, "the outcome")
        assert "locked" not in studio.told
        studio.expect_stage("draft", "finished")
