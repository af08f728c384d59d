"""What a chapter has cost is one number: on the bar, in `studio status`, on the page of costs, and
the same after a restart (WRITING 6)."""

from __future__ import annotations

import asyncio
import re

import pytest

from studio.tui.screens.ask import Choose
from tests.fake_messages import Rule
from tests.pipeline.flows import CONTRACT, Desk, Model, directive, judged, unrefined
from tests.project.novels import put
from tests.tui.conftest import OpenDesk
from tests.tui.pilot import StudioPilot, opened
from tests.tui.ways_to_texts import at_the_text, drafted, settled_versions

ANEW = Rule(
    text="The oil had run dry.\n\nShe looked under the last can, and waited.",
    usage={"input_tokens": 4000, "output_tokens": 400},
)
"""Another version that costs more than a cent, so that the bar shows whether it is counted."""


def on_the_bar(studio: StudioPilot) -> str:
    amounts = re.findall(r"  chapter 1: (\d+ cents)\b", studio.screen)
    return amounts[0] if amounts else ""


def in_cents(there: Desk) -> str:
    """What the usage log says of the chapter, in the words of the bar."""
    ends = [e for e in there.store.journal.usage_entries() if e.event == "settle"]
    return f"{round(100 * sum(e.usd or 0.0 for e in ends if e.chapter == 1))} cents"


# req: N7
@pytest.mark.sweep
async def test_the_cost_on_the_bar_is_the_same_after_other_versions_and_a_restart(
    desk: OpenDesk,
) -> None:
    """Met: 42 cents before the app was closed, 37 after; a call for another version of a passage is
    no part of the chapter's run."""
    there = desk(Model(refine=unrefined, anew=ANEW))
    await drafted(there)
    drafted_for = in_cents(there)
    async with opened(there.folder, there.environ, (120, 36)) as studio:
        await at_the_text(studio)
        await studio.press("a")
        await studio.sees(Choose)
        await studio.press("enter")
        await settled_versions(studio, 1)
        await studio.press("escape")
        await studio.until(lambda: studio.app.screen is studio.desk, "the desk")
        await studio.until(lambda: on_the_bar(studio) == in_cents(there), "the bar")
        assert on_the_bar(studio) != drafted_for
        before = on_the_bar(studio)
    async with opened(there.folder, there.environ, (120, 36)) as studio:
        await studio.until(lambda: on_the_bar(studio) == before, "the same after a restart")
    report = await asyncio.to_thread(lambda: there.session().status())
    assert f"{round(100 * (report.spent_on_chapter_usd or 0.0))} cents" == before
    assert report.spent_on_chapter_usd == pytest.approx(there.store.journal.spent_on(1))


# req: J6
@pytest.mark.sampled
@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_what_w_costs_is_said_before_it_is_pressed(
    desk: OpenDesk, size: tuple[int, int]
) -> None:
    there = desk(Model(refine=unrefined, judge=judged(directives=[directive(1, 2)])))

    def words(studio: StudioPilot) -> str:
        return " ".join(" ".join(row.split("│")[-1].split()) for row in studio.screen.splitlines())

    async with opened(there.folder, there.environ, size) as studio:
        if size[0] > 100:
            await studio.until(
                lambda: re.search(
                    r"w drafts the chapter: about (\d+ cents|\$[\d.]+) \(at most ", words(studio)
                ),
                "the price of a first draft",
            )
        foot = r"\bw Write: about (\d+ cents|\$[\d.]+)  "
        await studio.until(lambda: re.search(foot, studio.screen), "the price beside the key")
        await studio.write_next()
        await studio.accept("dir_show_not_tell_001")
        title = "Let the surgeon work:" if size[0] > 100 else "Do it,"
        price = rf"\[w\] {title} (about|at most|less than) (a|\d+) cent"
        await studio.until(lambda: re.search(price, studio.screen), "the price of a fix")


@pytest.mark.sweep
async def test_what_a_chapter_cost_does_not_stand_under_another(desk: OpenDesk) -> None:
    there = desk(Model(refine=unrefined))
    second = {**CONTRACT, "chapter": 2, "title": "The Bell"}
    put(there.folder, "volumes/vol-01/chapter-contracts/chapter-002.json", second)
    await drafted(there)
    async with opened(there.folder, there.environ, (120, 36)) as studio:
        await studio.until(lambda: on_the_bar(studio), "what it cost")
        await studio.on_chapter(2)
        await studio.until(lambda: not on_the_bar(studio), "no cost of another")
        await studio.on_chapter(1)
        await studio.until(lambda: on_the_bar(studio), "what it cost, again")
