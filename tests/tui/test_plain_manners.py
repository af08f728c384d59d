"""On every screen: nothing but ASCII where that is all there is, and nothing that moves."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path

import pytest

from studio.tui.desk.screen import DeskScreen
from tests.tui.environs import NAMED
from tests.tui.painted import strips_of
from tests.tui.pilot import StudioPilot, opened
from tests.tui.showing import SITTINGS, WALKS, Showing, Sitting, ready
from tests.tui.third_chapters import THIRD
from tests.tui.three_novels import manuscript

PLAIN = {**NAMED, "STUDIO_ASCII": "1", "STUDIO_NO_MOTION": "1"}


def foreign(drawn: str) -> set[str]:
    """What is neither ASCII nor a letter of a language."""
    return {c for c in drawn if not c.isascii() and unicodedata.category(c)[0] not in "LM"}


@pytest.mark.sweep
@pytest.mark.parametrize("sitting", WALKS)
async def test_every_screen_in_ascii_and_at_rest(
    sitting: Sitting, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # req: U3
    monkeypatch.chdir(tmp_path)
    manuscript(Path("writing"), "en")
    folder = sitting.novel("en", tmp_path / "novel") if sitting.novel else None
    other: dict[str, set[str]] = {}
    async with opened(folder, {**os.environ, **PLAIN}, (100, 30)) as studio:
        await ready(studio)
        for row in (row for act in sitting.acts for row in act):
            if not row.goes_on:
                await studio.home()
            other |= await strange(studio, row)
            field = studio.app.focused
            assert not getattr(field, "cursor_blink", False), row.name
            assert not studio.app.animator._animations, row.name
        await studio.home()
    assert other == {}


async def strange(studio: StudioPilot, row: Showing) -> dict[str, set[str]]:
    """The characters of a screen that a terminal without Unicode cannot show, by its name."""
    await row.bring(studio, THIRD["en"])
    await studio.pilot.pause()
    drawn = "".join(segment.text for strip in strips_of(studio.app.screen) for segment in strip)
    signs = foreign(drawn)
    return {row.name: signs} if signs else {}


def test_the_desk_is_one_of_them() -> None:
    assert any(
        row.kind is DeskScreen for sitting in SITTINGS for act in sitting.acts for row in act
    )
