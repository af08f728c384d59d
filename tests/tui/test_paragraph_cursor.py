"""The paragraph that the keys of the text are on: any one can be chosen, by keys or a click."""

from __future__ import annotations

import re

import pytest
from textual import events

from studio.tui.screens.ask import Choose
from tests.pipeline.flows import Model, directive, judged, unrefined
from tests.tui.conftest import OpenDesk
from tests.tui.pilot import StudioPilot, opened
from tests.tui.ways_to_texts import at_the_text, drafted


def marked(studio: StudioPilot) -> str:
    """The number before which the screen has the mark, without colour."""
    (number,) = re.findall(r"›(\d+\.\d+)", studio.screen)
    return str(number)


async def closed(studio: StudioPilot) -> None:
    """Closes the card with the ways to another version."""
    await studio.press("escape")
    await studio.until(lambda: studio.app.screen is studio.desk, "the desk")


@pytest.mark.parametrize("size", [(80, 24), (120, 36)], ids=str)
async def test_a_paragraph_near_the_end_is_chosen_by_keys_and_is_what_a_key_acts_on(
    desk: OpenDesk, size: tuple[int, int]
) -> None:
    there = desk(Model(refine=unrefined))
    await drafted(there)
    async with opened(there.folder, there.environ, size) as studio:
        await at_the_text(studio)
        assert marked(studio) == "1.1"
        await studio.press("j", "down")
        assert marked(studio) == "1.3"
        await studio.press("k")
        await studio.press("a")
        await studio.sees(Choose, "Another version of 1.2")
        await closed(studio)
        await studio.press("end")
        last = marked(studio)
        assert last.startswith("2."), "the end of the chapter"
        await studio.press("a")
        await studio.sees(Choose, f"Another version of {last}")
        await closed(studio)
        await studio.press("k")
        before = marked(studio)
        assert before != last
        await studio.press("K")
        await studio.until(lambda: f"{before} stays as it is" in studio.told, "the lock")
        await studio.press("1")
        assert not re.search(r"›\d", studio.screen), "the keys are elsewhere"


async def test_a_page_takes_the_cursor_along_and_a_click_sets_it(desk: OpenDesk) -> None:
    there = desk(Model(refine=unrefined))
    await drafted(there)
    async with opened(there.folder, there.environ, (60, 15)) as studio:
        await at_the_text(studio)
        await studio.press("pagedown")
        prose = studio.desk.painter.prose
        assert prose.scroll_offset.y > 0
        assert prose.cursor.place == next(prose.cursor.in_sight())
        assert f"›{prose.cursor.place[0]}.{prose.cursor.place[1]}" in studio.screen
        await studio.press("pageup")
        assert marked(studio) == "1.1"
    async with opened(there.folder, there.environ, (120, 36)) as studio:
        await at_the_text(studio)
        prose = studio.desk.painter.prose
        block = prose.page.find(1, 3)
        assert block is not None
        at = (12, prose.page.top_of(block) - round(prose.scroll_offset.y))
        for kind in (events.MouseDown, events.MouseUp):
            await studio.pilot._post_mouse_events([kind], prose, offset=at, button=1)
        await studio.until(lambda: marked(studio) == "1.3", "the mark")
        await studio.press("a")
        await studio.sees(Choose, "Another version of 1.3")


async def test_the_passage_of_a_proposal_is_meant_until_she_chooses_a_paragraph(
    desk: OpenDesk,
) -> None:
    there = desk(Model(refine=unrefined, judge=judged(directives=[directive(1, 2, 3)])))
    async with opened(there.folder, there.environ, (120, 36)) as studio:
        await studio.to_review()
        await studio.on_directive(studio.directives.changes[0].id)
        await studio.press("2")
        assert marked(studio) == "1.2"
        await studio.press("a")
        await studio.sees(Choose, "Another version of 1.2-1.3")
        await closed(studio)
        await studio.press("j")
        await studio.press("a")
        await studio.sees(Choose, "Another version of 1.3")


@pytest.mark.parametrize("rows", [9, 12])
async def test_every_paragraph_is_come_to_and_a_long_one_is_read_to_its_end(
    desk: OpenDesk, rows: int
) -> None:
    there = desk(Model(refine=unrefined))
    await drafted(there)
    async with opened(there.folder, there.environ, (60, 15 if rows == 9 else 24)) as studio:
        await at_the_text(studio)
        prose = studio.desk.painter.prose
        places = [(b.scene, b.number) for b in prose.page.blocks if b.number]
        met, seen = [prose.cursor.place], set(prose.cursor.in_sight())
        for _ in range(60):
            await studio.press("j")
            seen |= set(prose.cursor.in_sight())
            if prose.cursor.place != met[-1]:
                met.append(prose.cursor.place)
        assert met == places
        assert seen == set(places)
        for _ in range(60):
            await studio.press("k")
        assert prose.cursor.place == (1, 1)
