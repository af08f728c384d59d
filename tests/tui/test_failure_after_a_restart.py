"""Why a run failed, and what to do about it, is said at the desk after the app was closed and
opened again, and by `studio status`."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.cli.command import studio as program
from tests.fake_messages import Rule
from tests.pipeline.flows import Model
from tests.tui.conftest import OpenDesk
from tests.tui.pilot import StudioPilot, opened

NO_KEY = {"draft": Rule(mode="status", status=401)}
REFUSED = {"draft": Rule(stop_reason="refusal")}
WHY = [
    ("a refused key", NO_KEY, {}, "does not accept the API key", "Check the key."),
    ("a refusal", REFUSED, {}, "declined to write this", "Change the direction"),
    ("a cap", {}, {"budget.chapter_usd": 0.01}, "chapter budget of $0.01", "chapter_usd"),
]


def words(studio: StudioPilot) -> str:
    return " ".join(studio.screen.split())


@pytest.mark.parametrize(
    ("answers", "settings", "why", "remedy"), [row[1:] for row in WHY], ids=[row[0] for row in WHY]
)
async def test_why_a_run_failed_is_said_after_a_restart(
    desk: OpenDesk, answers: dict[str, Any], settings: dict[str, Any], why: str, remedy: str
) -> None:
    there = desk(Model(**answers))
    there.overrides.update(settings)
    await asyncio.to_thread(there.write)
    async with opened(there.folder, there.environ, notifications=True) as studio:
        await studio.until(lambda: why in words(studio), "why it stopped")
        await studio.until(lambda: remedy in words(studio), "what to do")
        assert "Go on" in words(studio)
    ended = await asyncio.to_thread(
        lambda: program("status", cwd=there.folder, environ=there.environ)
    )
    assert why in ended.out + ended.err
    assert remedy in ended.out + ended.err
