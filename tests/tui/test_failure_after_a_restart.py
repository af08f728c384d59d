"""Why a run failed, and what to do about it, is said at the desk after the app was closed and
opened again, and by `studio status`."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.cli.command import studio as program
from tests.fake_messages import Rule
from tests.pipeline.flows import CONTRACT, Desk, Model, drafted
from tests.project.novels import put
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


@pytest.mark.sweep
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
    status = await status_of(there)
    assert why in status
    assert remedy in status


async def status_of(there: Desk) -> str:
    """What `studio status` says."""
    ended = await asyncio.to_thread(
        lambda: program("status", cwd=there.folder, environ=there.environ)
    )
    return ended.out + ended.err


def kept(there: Desk) -> str:
    """What the checkpoint on disk holds of a failure, exactly."""
    return (there.folder / ".checkpoint.json").read_text("utf-8")


@pytest.mark.sweep
async def test_the_line_is_gone_once_the_chapter_goes_on(desk: OpenDesk) -> None:
    there = desk(Model(draft=[NO_KEY["draft"], drafted]))
    await asyncio.to_thread(there.write)
    async with opened(there.folder, there.environ) as studio:
        await studio.until(lambda: WHY[0][3] in words(studio), "why it stopped")
        await studio.press("w")
        await studio.until(lambda: there.checkpoint.pending_decision is not None, "the review")
        await studio.until(lambda: "Decide" in words(studio), "the end")
        assert WHY[0][3] not in words(studio)
    assert '"failure"' not in kept(there)
    async with opened(there.folder, there.environ, notifications=True) as studio:
        await studio.until(lambda: "Decide" in words(studio), "the review")
        assert WHY[0][3] not in words(studio) + studio.told
    assert "The last run" not in await status_of(there)


@pytest.mark.sweep
async def test_the_line_is_gone_once_a_rebuild_was_answered(desk: OpenDesk) -> None:
    there = desk(Model(draft=[drafted, drafted, NO_KEY["draft"]]))
    assert (await asyncio.to_thread(there.write)).exit_code == 0
    name = "volumes/vol-01/chapter-contracts/chapter-002.json"
    put(there.folder, name, {**CONTRACT, "chapter": 2})
    await asyncio.to_thread(there.write)
    chapter = there.folder / "chapters/chapter-001.md"
    chapter.write_text(f"{there.text()}\nShe had seen no key at all.\n", "utf-8")
    async with opened(there.folder, there.environ) as studio:
        await studio.until(lambda: WHY[0][3] in words(studio), "why it stopped")
        await studio.rebuild()
        await studio.home()
        await studio.until(lambda: WHY[0][3] not in words(studio), "that it holds no longer")
    assert there.checkpoint.inflight_chapter == 2
    assert '"failure"' not in kept(there)
    async with opened(there.folder, there.environ, notifications=True) as studio:
        await studio.until(lambda: "Chapter 2 broke off" in words(studio), "what waits")
        assert WHY[0][3] not in words(studio) + studio.told
    assert "The last run" not in await status_of(there)


async def test_a_chapter_that_is_given_up_leaves_no_failure(desk: OpenDesk) -> None:
    there = desk(Model(**NO_KEY))
    await asyncio.to_thread(there.write)
    assert "The last run" in await status_of(there)
    there.session().discard()
    assert '"failure"' not in kept(there)
    assert "The last run" not in await status_of(there)


def test_an_order_that_is_refused_takes_the_place_of_no_failure(desk: OpenDesk) -> None:
    there = desk(Model(**NO_KEY))
    there.write()
    before = kept(there)
    assert there.write(scene=9).exit_code == 2
    assert kept(there) == before
