"""The text has the room of a pane that would be empty."""

from __future__ import annotations

import asyncio

import pytest

from tests.fake_messages import Rule
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import SCENES, Desk, Model, directive, judged, unrefined
from tests.project.novels import put
from tests.tui.pilot import StudioPilot, opened

LINE = "there for years, and the paleness had the shape of a key with a broken"
"""What stands in one line where the text has its full measure."""
EMPTY = "No directives here"


async def in_the_book(desk: OpenDesk) -> Desk:
    there = desk(Model(refine=unrefined))
    await asyncio.to_thread(there.write)
    return there


async def has_the_room(studio: StudioPilot) -> None:
    await studio.until(lambda: LINE in studio.screen, "the text in its full measure")
    assert EMPTY not in studio.screen


async def test_a_chapter_of_the_book_is_not_squeezed_beside_an_empty_pane(desk: OpenDesk) -> None:
    there = await in_the_book(desk)
    async with opened(there.folder, there.environ, (120, 30)) as studio:
        await studio.on_chapter(1)
        await has_the_room(studio)


@pytest.mark.sweep
async def test_the_empty_pane_comes_when_it_is_asked_for_and_goes_with_the_keys(
    desk: OpenDesk,
) -> None:
    there = await in_the_book(desk)
    async with opened(there.folder, there.environ, (120, 30)) as studio:
        await studio.on_chapter(1)
        await has_the_room(studio)
        pane = studio.desk.query_one("#directives-pane")
        await studio.press("3")
        await studio.until(lambda: EMPTY in studio.screen, "it is there if asked")
        assert LINE not in studio.screen
        await studio.press("2")
        await has_the_room(studio)
        for key, has_keys in (
            *(("tab", "directives"), ("tab", "outline")),
            *(("shift+tab", "directives"), ("shift+tab", "text"), ("1", "outline")),
        ):
            await studio.press(key)
            assert studio.desk.state.pane == has_keys
            assert pane.display == (has_keys == "directives")
            focused = studio.desk.focused
            assert focused is not None
            holder = studio.desk.query_one(f"#{has_keys}-pane")
            assert holder in focused.ancestors_with_self, "what is in use is in sight"


@pytest.mark.sweep
@pytest.mark.parametrize("columns", [100, 70])
async def test_in_a_narrow_window_it_comes_alone_or_in_place_of_the_outline(
    desk: OpenDesk, columns: int
) -> None:
    there = await in_the_book(desk)
    async with opened(there.folder, there.environ, (columns, 30)) as studio:
        await studio.on_chapter(1)
        panes_by_key = {
            "1": ("outline",) if columns < 80 else ("outline", "text"),
            "2": ("text",) if columns < 80 else ("outline", "text"),
            "3": ("directives",) if columns < 80 else ("text", "directives"),
        }
        for key in "123231":
            await studio.press(key)
            panes = ("outline", "text", "directives")
            assert panes_by_key[key] == tuple(
                p for p in panes if studio.desk.painter.is_in_sight(p)
            )


@pytest.mark.sweep
async def test_it_stays_away_while_the_next_chapter_streams_and_comes_with_its_review(
    desk: OpenDesk,
) -> None:
    there = await in_the_book(desk)
    put(there.folder, "volumes/vol-01/outline.md", "## Chapter 2: Oil\n\n- Mara lifts the cans.\n")
    held = Rule(mode="hold", after=8, text="\n\n".join(SCENES[1]))
    there.server.answering = Model(draft=held)
    async with opened(there.folder, there.environ, (120, 30)) as studio:
        await studio.on_chapter(1)
        pane = studio.desk.query_one("#directives-pane")
        assert not pane.display
        await studio.start_writing(" ".join(SCENES[1][0].split()[:4]))
        assert not pane.display
        await studio.on_chapter(1)
        await has_the_room(studio)
        assert studio.desk.state.run.running
        await studio.stop()
        one = Rule(text="\n\n".join(SCENES[1]))
        review = judged(directives=[directive(1, 2)])
        there.server.answering = Model(draft=one, refine=unrefined, judge=review)
        await studio.press("w")
        await studio.until(lambda: studio.desk.situation().in_review, "the review")
        await studio.until(lambda: pane.display, "its directives")
        assert studio.directives.entries
        await studio.on_chapter(1)
        await has_the_room(studio)


@pytest.mark.sweep
@pytest.mark.parametrize("columns", [130, 80, 70])
async def test_a_pane_that_is_alone_has_the_whole_window(desk: OpenDesk, columns: int) -> None:
    there = await in_the_book(desk)
    async with opened(there.folder, there.environ, (columns, 24)) as studio:
        pane = studio.desk.query_one("#directives-pane")
        await studio.press("3", *("z" if columns > 70 else ""))
        await studio.until(lambda: pane.size.width == columns, f"all {columns} columns")


@pytest.mark.sweep
async def test_the_count_in_the_title_follows_while_a_chapter_streams(desk: OpenDesk) -> None:
    there = desk(Model(draft=Rule(mode="hold", after=8, text="\n\n".join(SCENES[1]))))
    settings = there.folder / "studio.toml"
    rows = settings.read_text("utf-8").replace("[targets]", '[targets]\ncount = "with-spaces"')
    settings.write_text(rows.replace('language = "en"', 'language = "ko"'), "utf-8")
    async with opened(there.folder, there.environ, (120, 30)) as studio:
        await studio.start_writing(" ".join(SCENES[1][0].split()[:4]))
        await studio.until(lambda: "characters with spaces" in studio.screen, "the count")
        await studio.stop()
