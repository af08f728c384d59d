"""In the app: a chapter she changed after it was judged asks for nothing, says so, and is read
again by one key."""

from __future__ import annotations

import asyncio

import pytest

from studio.tui.screens.decision import DecisionScreen
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import SCENES, Model, directive, judged, unrefined
from tests.tui.pilot import opened

TWO = judged(directives=[directive(1, 2), directive(2, 1, type="voice-consistency")])
STAIRS = " Nobody had swept the stairs since spring."


@pytest.mark.sweep
async def test_typing_asks_nobody_and_one_key_has_the_chapter_read_again(desk: OpenDesk) -> None:
    there = desk(Model(judge=[TWO, judged()], refine=unrefined))
    await asyncio.to_thread(there.write, review="ask")
    there.session().change_directives("reject", [], all_=True)
    async with opened(there.folder, there.environ) as studio:
        await studio.press("ctrl+r")
        assert "Chapter 1 was not changed since it was judged." in studio.told
        text = there.staged().read_text("utf-8")
        there.staged().write_text(text.replace(SCENES[2][2], SCENES[2][2] + STAIRS), "utf-8")
        await studio.until(lambda: studio.desk.situation().changed, "the edit is seen")
        await studio.until(lambda: "changed since it was judged" in studio.screen, "it is said")
        assert "at most" in studio.screen
        await studio.press("d")
        await studio.sees(DecisionScreen, "The text was changed since it was judged (2.3)")
        assert there.calls().count("judge") == 1
        await studio.press("escape")
        await studio.until(lambda: studio.app.screen is studio.desk, "the desk")
        await studio.press("ctrl+r")
        await studio.until(lambda: there.calls().count("judge") == 2, "it is read again")
        await studio.until(lambda: not studio.desk.situation().changed, "nothing is changed since")
        await studio.settled()


async def test_d_never_says_that_nothing_is_to_decide_while_a_chapter_waits(
    desk: OpenDesk,
) -> None:
    there = desk(Model(judge=TWO, refine=unrefined))
    await asyncio.to_thread(there.write, review="ask")
    there.decide("draft-again")
    async with opened(there.folder, there.environ) as studio:
        await studio.press("ctrl+r")
        assert "Chapter 1 is in progress; finish" in studio.told, "it is to be drafted again"
        await studio.press("d")
        await studio.until(lambda: "waits; w goes on with it" in studio.told, "it is said")
        assert "nothing to decide" not in studio.told
