"""A frame of fewer rows looks as Textual's of all of them, and asks for less (performance P18)."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest
from rich.style import Style
from textual._compositor import Compositor
from textual._context import visible_screen_stack
from textual.app import App, ComposeResult
from textual.geometry import Region
from textual.screen import Screen
from textual.strip import Strip
from textual.widgets import Static

from studio.tui.screens.ask import Confirm
from studio.tui.terminal.composing import SparingCompositor, behind
from studio.tui.widgets.backdrop import Backdrop
from studio.tui.widgets.outline_list import OutlineList
from tests.tui.environs import NAMED
from tests.tui.gallery import novel
from tests.tui.pilot import StudioPilot, opened

Cell = tuple[str, Style | None]


def cells(strips: Iterable[Strip]) -> list[Cell]:
    """Every character with its look."""
    return [(char, part.style) for strip in strips for part in strip for char in part.text]


def rows(chops: Iterable[Mapping[int, Strip]]) -> list[list[Cell]]:
    """The cells of each row."""
    return [cells(row.values()) for row in chops]


def sparing(studio: StudioPilot) -> SparingCompositor:
    """What puts the frames of the screen together."""
    compositor = studio.app.screen._compositor
    assert isinstance(compositor, SparingCompositor)
    return compositor


def as_textual_draws(studio: StudioPilot, monkeypatch: pytest.MonkeyPatch) -> list[list[Cell]]:
    """The screen's rows by Textual's own compositor, the backs of cards included."""
    screen = studio.app.screen
    with monkeypatch.context() as patched:
        patched.setattr(type(screen), "render_lines", Screen.render_lines)
        screen._styles_cache.set_dirty(screen.size.region)
        visible_screen_stack.set(studio.app._background_screens)
        return rows(Compositor._render_chops(screen._compositor, screen.region, lambda y: True))


@pytest.mark.sweep
async def test_a_frame_looks_as_textual_draws_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The desk, and a card through which the desk shows, but for its hints."""
    folder = novel(tmp_path / "novel", "en").layout.folder
    async with opened(folder, {**os.environ, **NAMED}, (120, 40)) as studio:
        for card in (None, Confirm("Into the book?", "One thing is open.")):
            if card is not None:
                await studio.app.push_screen(card)
                await studio.pilot.pause()
            drawn = rows(sparing(studio)._render_chops(studio.app.screen.region, lambda y: True))
            expected = as_textual_draws(studio, monkeypatch)
            if card is not None:  # no keys are named that do nothing under a card
                for foot in studio.desk.query("#hints"):
                    for y in range(*foot.region.line_span):
                        expected[y] = [(" ", style) for _, style in expected[y]]
            assert drawn == expected


async def test_what_changed_in_a_row_asks_only_for_what_can_be_seen_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the backs of the panes, nor other rows, nor other panes."""
    folder = novel(tmp_path / "novel", "en").layout.folder
    asked: list[tuple[Any, Region]] = []
    async with opened(folder, {**os.environ, **NAMED}, (120, 40)) as studio:
        compositor = sparing(studio)
        for kind in (Backdrop, OutlineList):
            drawing: Callable[[Any, Region], list[Strip]] = kind.render_lines

            def counted(
                widget: Any,
                crop: Region,
                drawing: Callable[[Any, Region], list[Strip]] = drawing,
            ) -> list[Strip]:
                asked.append((widget, crop))
                return drawing(widget, crop)

            monkeypatch.setattr(kind, "render_lines", counted)
        place = studio.desk.query_one(OutlineList).region
        row = Region(place.x + 2, place.y + 3, 4, 1)
        compositor._dirty_regions = {row}
        update = compositor.render_partial_update()
        assert update is not None
        sent = update.render_segments(studio.app.console)
    assert [(type(widget), crop.line_range) for widget, crop in asked] == [
        (OutlineList, range(3, 4))
    ]
    drawn = [strip.cell_length for line in update.chops for strip in line.values() if strip]
    assert drawn == [place.width - 1]  # beside its bar
    assert re.findall(r"\x1b\[\d+;\d+H", sent) == [f"\x1b[{row.y + 1};{place.x + 1}H"]


async def test_a_card_over_a_screen_of_the_size_before_is_drawn(tmp_path: Path) -> None:
    """The terminal grew: the card has its new size, what shows through it not yet."""
    folder = novel(tmp_path / "novel", "en").layout.folder
    async with opened(folder, {**os.environ, **NAMED}, (80, 24)) as studio:
        desk = studio.app.screen
        card = Confirm("Into the book?", "One thing is open.")
        await studio.app.push_screen(card)
        await studio.pilot.pause()
        strips = behind(card, desk, Region(0, 0, 120, 36))
        assert len(strips) == 36
        assert {strip.cell_length for strip in strips} == {120}


class Covered(App[None]):
    """Text, and a note over a part of it."""

    CSS = """
    Screen { layers: text note; }
    #text { layer: text; height: 20; }
    #note { layer: note; offset: 4 3; width: 12; height: 2; }
    """

    def compose(self) -> ComposeResult:
        """The text and the note."""
        yield Static("The bell has no clapper.\n" * 20, id="text")
        yield Static("Saved.", id="note")


async def test_what_lay_below_a_note_is_drawn_though_a_key_asked_for_a_place_before() -> None:
    """The note goes, and before the next frame focus moves, for which a layout is computed."""
    app = Covered()
    async with app.run_test(size=(80, 24)) as pilot:
        screen, note = app.screen, app.query_one("#note")
        compositor = screen._compositor = SparingCompositor()
        compositor.reflow(screen, screen.size)
        compositor.render_update(full=True)
        place = note.region
        note.display = False
        compositor._full_map_invalidated = True  # as a layout that waits does
        screen.find_widget(app.query_one("#text"))
        compositor._dirty_regions.clear()
        compositor.reflow(screen, screen.size)
        assert place
        assert any(region.contains_region(place) for region in compositor._dirty_regions)
        await pilot.pause()
