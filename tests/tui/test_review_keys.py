"""A review in keys: what is taken, what is put aside, and how the chapter gets into the book."""

from __future__ import annotations

from typing import Any

import pytest

from studio.story.status import DirectiveStatus
from studio.tui.screens.ask import Confirm
from studio.tui.screens.not_this import NotThis
from tests.fake_messages import Rule
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import Model, directive, judged
from tests.tui.pilot import opened


def choices(**judgement: Any) -> Model:
    """A judge with proposals, and one thing that only the writer decides."""
    asked = {
        "kind": "decide",
        "issue": "Whose bell is it?",
        "options": ["Hers.", "Nobody's."],
        "scene": 1,
        "quote": "a bell rang",
    }
    return Model(judge=Rule(value={**judged(**judgement).value, "counsel": [asked]}))


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


KEYS = {
    "not this": ("x", "enter"),
    "it is meant": ("m", "enter"),
    "a finding made a direction": ("enter", "down", "enter", "…", "enter"),
    "into the book, one left open": ("C", "y"),
}
"""Each flow of a review by its keys; … stands for words of the writer's."""


# req: H4
@pytest.mark.sweep
async def test_each_flow_of_a_review_takes_so_many_keys(desk: OpenDesk) -> None:
    there = desk(choices(directives=[directive(1, 1), directive(1, 2), directive(2, 2)]))
    async with opened(there.folder, there.environ) as studio:

        async def do(flow: str) -> None:
            for key in KEYS[flow]:
                before = studio.app.screen
                if key == "…":
                    await studio.type("No bell.")
                    continue
                await studio.press(key)
                if key in ("x", "m", "C") or (key == "enter" and before is studio.desk):
                    await studio.until(lambda: studio.app.screen is not studio.desk, "the card")
                elif key == "enter":
                    left = before
                    await studio.until(lambda left=left: studio.app.screen is not left, "its end")

        await studio.to_review()
        statuses = {d.id: d.status for d in studio.directives.fixes}
        assert set(statuses.values()) == {DirectiveStatus.PENDING}
        await do("not this")
        await studio.until(lambda: studio.desk.situation().pending == 2, "the first put aside")
        await do("it is meant")
        await studio.until(lambda: studio.desk.situation().pending == 1, "the second meant")
        assert [d.status for d in studio.directives.fixes if d.status != "pending"] == [
            DirectiveStatus.REJECTED,
            DirectiveStatus.WAIVED,
        ]
        while studio.directives.open_choice is None:
            await studio.press("j")
        await do("a finding made a direction")
        await studio.until(
            lambda: studio.store.checkpoint().direction == "No bell.", "the direction"
        )
        await studio.press("u")
        await studio.until(lambda: not studio.store.checkpoint().direction, "it taken back")
        await do("into the book, one left open")
        await studio.until(
            lambda: studio.store.checkpoint().last_completed_chapter == 1, "the chapter in the book"
        )
        await studio.settled()
    assert {flow: len(keys) for flow, keys in KEYS.items()} == {
        "not this": 2,
        "it is meant": 2,
        "a finding made a direction": 5,
        "into the book, one left open": 2,
    }
