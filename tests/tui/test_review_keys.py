"""A review in keys: what is taken, what is put aside, and how the chapter gets into the book."""

from __future__ import annotations

import pytest

from studio.story.status import DirectiveStatus
from studio.tui.screens.ask import Confirm
from studio.tui.screens.not_this import NotThis
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import Model, directive, judged
from tests.tui.pilot import opened

FIVE = judged(
    directives=[directive(*at) for at in ((1, 2), (1, 1), (2, 2), (2, 1), (2, 3), (1, 3))]
)


@pytest.mark.sweep
async def test_five_proposals_are_taken_and_the_chapter_is_in_the_book_in_six_keys(
    desk: OpenDesk,
) -> None:  # req: H4
    there = desk(Model(judge=FIVE))
    async with opened(there.folder, there.environ) as studio:
        await studio.to_review()
        fixes = studio.directives.fixes
        assert len(fixes) == 5
        places = [(d.location.scene_number, d.location.paragraph_start) for d in fixes]
        assert places == sorted(places)
        assert studio.directives.index == 0
        for count in range(1, 6):
            await studio.press("a")
            await studio.until(lambda n=count: studio.desk.situation().approved == n, "the next")
        await studio.press("C")
        await studio.until(
            lambda: studio.store.checkpoint().last_completed_chapter == 1, "the chapter in the book"
        )
        await studio.settled()


@pytest.mark.sweep
async def test_the_way_into_the_book_asks_once_and_names_what_is_open(desk: OpenDesk) -> None:
    there = desk(Model(judge=FIVE))
    async with opened(there.folder, there.environ) as studio:
        await studio.to_review()
        await studio.press("a")
        await studio.until(lambda: studio.desk.situation().approved == 1, "the first")
        await studio.press("r")
        await studio.answer(NotThis)
        await studio.until(lambda: studio.desk.situation().pending == 3, "the second")
        statuses = {d.status for d in studio.directives.fixes}
        assert DirectiveStatus.REJECTED in statuses
        await studio.press("C")
        await studio.sees(Confirm, "3 are left as they stand, undecided")
        assert "2.1 Show, don't tell “" in studio.screen
        await studio.press("n")
        assert studio.store.checkpoint().last_completed_chapter == 0
        await studio.press("C")
        await studio.sees(Confirm)
        await studio.press("y")
        await studio.until(
            lambda: studio.store.checkpoint().last_completed_chapter == 1, "the chapter in the book"
        )
        await studio.settled()
