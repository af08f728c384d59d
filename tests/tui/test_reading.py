"""The book is read through on one page, which opens again where the writer left it."""

from __future__ import annotations

import os
from pathlib import Path

from studio.tui.screens.reading import ReadingScreen
from studio.tui.widgets.prose_view import ProseView
from tests.small_novels import copied_sample
from tests.tui.pilot import StudioPilot, opened


def page(studio: StudioPilot) -> ReadingScreen:
    return next(s for s in studio.app.screen_stack if isinstance(s, ReadingScreen))


# req: H5
async def test_pages_lead_from_chapter_to_chapter_and_the_place_is_kept(tmp_path: Path) -> None:
    sample = copied_sample(tmp_path / "sample")
    async with opened(sample, os.environ, (80, 24)) as studio:
        await studio.press("b")
        await studio.sees(ReadingScreen, "chapter 1 of 2")
        await studio.press("space")
        assert page(studio).query_one(ProseView).scroll_offset.y > 0
        while page(studio).chapter == 1:
            await studio.press("space")
        await studio.until(lambda: "chapter 2 of 2" in studio.screen, "the next chapter")
        await studio.press("space", "escape")
        await studio.until(lambda: studio.app.screen is studio.desk, "the desk")
        await studio.press("b")
        await studio.sees(ReadingScreen, "chapter 2 of 2")
        view = page(studio).query_one(ProseView)
        await studio.until(lambda: view.scroll_offset.y > 0, "the place")
        await studio.press("p")
        await studio.until(lambda: page(studio).chapter == 1, "the first chapter")
