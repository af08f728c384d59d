"""The style refiner's small changes in the review: one row, which opens, is decided at once or one
by one, and holds nothing up."""

from __future__ import annotations

import asyncio

import pytest

from tests.fake_messages import Asked, Rule
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import Desk, Model, directive, judged, line_edits
from tests.tui.pilot import StudioPilot, opened


def plainer(asked: Asked) -> Rule:
    """Two paragraphs, each without a word it can do without."""
    first = line_edits(asked, "until the cold", "till the cold").value["edits"]
    second = line_edits(asked, "had been dry", "was dry").value["edits"]
    return Rule(value={"edits": [*first, *second]})


async def in_review(desk: OpenDesk) -> Desk:
    there = desk(Model(refine=plainer, judge=judged(directives=[directive(1, 1)])))
    await asyncio.to_thread(there.write, review="ask")
    return there


def rows(studio: StudioPilot) -> list[str]:
    """The rows of the review."""
    return [
        line.rstrip()
        for line in studio.directives.query_one("DirectiveRows").render().plain.split("\n")
    ]


def statuses(studio: StudioPilot) -> list[str]:
    current = studio.desk.state.current
    return [p.status for p in current.proposals] if current else []


async def to_the_row(studio: StudioPilot) -> None:
    await studio.press("3")
    await studio.press("j")
    await studio.until(lambda: studio.directives.line_edits is not None, "the row")


# req: J6
async def test_small_changes_are_one_row_that_opens(desk: OpenDesk) -> None:
    there = await in_review(desk)
    async with opened(there.folder, there.environ) as studio:
        await to_the_row(studio)
        assert rows(studio)[-1] == "◈ 2 small changes · 2 to decide"
        assert "Your review  0/1" in studio.screen, "they are not among the proposals"
        await studio.press("enter")
        await studio.until(lambda: len(rows(studio)) == 4, "each of them")
        await studio.press("j")
        await studio.press("a")
        await studio.until(lambda: statuses(studio) == ["applied", "pending"], "the first")
        assert "till the cold" in there.staged().read_text("utf-8")
        await studio.press("k")
        await studio.press("u")
        await studio.until(lambda: statuses(studio) == ["undone", "pending"], "the old words")
    assert "until the cold" in there.staged().read_text("utf-8")


@pytest.mark.sweep
async def test_all_are_taken_at_once_and_taken_back_at_once(desk: OpenDesk) -> None:
    there = await in_review(desk)
    before = there.staged().read_text("utf-8")
    async with opened(there.folder, there.environ) as studio:
        await to_the_row(studio)
        await studio.press("a")
        await studio.until(lambda: statuses(studio) == ["applied"] * 2, "both")
        assert rows(studio)[-1] == "◈ 2 small changes · all decided"
        assert "was dry" in there.staged().read_text("utf-8")
        await studio.press("u")
        await studio.until(lambda: statuses(studio) == ["undone"] * 2, "the old text")
    assert there.staged().read_text("utf-8") == before


@pytest.mark.sweep
async def test_left_aside_they_hold_nothing_up(desk: OpenDesk) -> None:
    there = await in_review(desk)
    async with opened(there.folder, there.environ, (80, 24)) as studio:
        await to_the_row(studio)
        await studio.press("x")
        await studio.until(lambda: statuses(studio) == ["rejected"] * 2, "both aside")
        await studio.press("k")
        await studio.press("a")
        await studio.press("C")
        await studio.until(lambda: there.checkpoint.last_completed_chapter == 1, "the book")
    assert "until the cold" in there.text()
