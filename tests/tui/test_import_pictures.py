"""Pictures of the way in and the way out, at both sizes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from studio.tui.app import StudioApp
from studio.tui.screens.ask import Choose
from studio.tui.screens.importing import ImportScreen
from tests.tui.gallery import CHAPTERS, TEXTS, novel
from tests.tui.pilot import StudioPilot
from tests.tui.test_screens import SIZES, Snap, environ

pytestmark = pytest.mark.snapshot
HEADINGS = {"en": "Chapter {}: {}", "ko": "제{}장 {}", "zh": "第{}章 {}"}
ENCODINGS = {"en": "cp1252", "ko": "cp949", "zh": "gb18030"}


def manuscript(folder: Path, language: str) -> Path:
    """Four chapters as an old program would have saved them."""
    prose = "\n\n* * *\n\n".join(TEXTS[language])
    chapters = [
        f"{HEADINGS[language].format(number, title)}\n\n{prose}\n"
        for number, title in enumerate(CHAPTERS[language], start=1)
    ]
    file = folder / "manuscript.txt"
    file.write_bytes("\n".join(chapters).encode(ENCODINGS[language]))
    return file


def found(file: Path, *keys: str) -> Callable[[Pilot[Any]], Any]:
    """The preview of a file, then keys."""

    async def before(pilot: Pilot[Any]) -> None:
        app = pilot.app
        assert isinstance(app, StudioApp)
        driver = StudioPilot(app, pilot)
        screen = ImportScreen(file)
        await app.push_screen(screen)
        await driver.until(lambda: "scene" in driver.screen, "the chapters")
        await driver.press(*keys)
        if keys:
            await driver.until(lambda: "left out" in driver.screen, "the row left out")
        await pilot.wait_for_animation()

    return before


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("language", ["en", "ko", "zh"])
def test_the_chapters_found(tmp_path: Path, snap_compare: Snap, language: str, size: Any) -> None:
    app = StudioApp(None, {}, environ(tmp_path))
    before = found(manuscript(tmp_path, language), "down", "x")
    assert snap_compare(app, terminal_size=size, run_before=before)


def test_the_chapters_found_in_light_colours(tmp_path: Path, snap_compare: Snap) -> None:
    app = StudioApp(None, {}, environ(tmp_path, "paper"))
    before = found(manuscript(tmp_path, "ko"))
    assert snap_compare(app, terminal_size=(120, 36), run_before=before)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_forms_of_an_export(tmp_path: Path, snap_compare: Snap, size: Any) -> None:
    store = novel(tmp_path / "novel", "en")

    async def asked(pilot: Pilot[Any]) -> None:
        app = pilot.app
        assert isinstance(app, StudioApp)
        driver = StudioPilot(app, pilot)
        await driver.settled()
        await driver.press("x")
        await driver.until(lambda: isinstance(app.screen, Choose), "the forms")
        await pilot.wait_for_animation()

    app = StudioApp(store.layout.folder, {}, environ(tmp_path))
    assert snap_compare(app, terminal_size=size, run_before=asked)
