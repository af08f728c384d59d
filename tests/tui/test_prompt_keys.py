"""What a key did is drawn at once, where the screen's own timer would wait (performance P4)."""

from __future__ import annotations

import asyncio

from textual.app import App, ComposeResult
from textual.screen import Screen
from textual.widgets import Static

from studio.tui.screen import StudioScreen


class Counting(StudioScreen, Screen[None]):
    """Counts how often it is drawn."""

    drawn = 0

    def compose(self) -> ComposeResult:
        yield Static("before")

    def _compositor_refresh(self) -> None:
        self.drawn += 1
        super()._compositor_refresh()


async def changed(screen: Counting, words: str) -> None:
    """Changes the screen while its timer never ticks, and lets it come to rest."""
    screen._update_timer.resume = lambda: None  # type: ignore[method-assign]
    screen.drawn = 0
    screen.query_one(Static).update(words, layout=False)
    for _ in range(20):
        await asyncio.sleep(0)


class Widths:
    """A terminal that was not asked how wide it draws."""

    def settle(self) -> None:
        """Nothing has changed."""


class Host(App[None]):
    """As much of the app as a screen asks for."""

    widths = Widths()


async def test_only_after_a_key_the_timer_is_not_waited_for() -> None:
    async with Host().run_test() as pilot:
        screen = Counting()
        await pilot.app.push_screen(screen)
        await pilot.pause()
        await changed(screen, "a stream")
        assert screen.drawn == 0
        screen.on_any_key()
        await changed(screen, "a key")
        assert screen.drawn > 0
