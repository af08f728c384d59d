"""The measured program of bench.sitting: the real app driven like a writer drives it."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from bench.stalls import Probe
from bench.terminal import report
from studio.tui.app import StudioApp
from studio.tui.runtime.garbage import calm
from studio.tui.screens.decision import DecisionScreen
from studio.tui.screens.editor import EditorScreen
from studio.tui.widgets.text_field import TextField
from tests.tui.pilot import StudioPilot

_TYPED = 40
"""The number of keys typed in one edit of a chapter."""
_PAGES = 15
"""The number of pages scrolled down and up again in a chapter."""
_PAUSE = 0.08
"""The seconds between two keys."""


class Sitting:
    """Writes, scrolls, edits and accepts chapters until the time is up, while
    another program changes files."""

    def __init__(self, studio: StudioPilot, seconds: float) -> None:
        self._studio = studio
        self._seconds = seconds
        self._turns = 0

    async def figures(self) -> dict[str, float]:
        """Returns the stalls of the event loop, and the number of chapters accepted."""
        studio, probe = self._studio, Probe()
        await studio.settled()
        before = studio.store.checkpoint().last_completed_chapter
        end = asyncio.get_running_loop().time() + self._seconds
        probe.start()
        while asyncio.get_running_loop().time() < end:
            await self._turn()
        figures = probe.stop()
        written = studio.store.checkpoint().last_completed_chapter - before
        return {**figures, "chapters": written}

    async def _turn(self) -> None:
        self._turns += 1
        await self._write()
        await self._scroll()
        await self._edit()
        self._change_outside()
        await self._studio.settled()
        await self._studio.commit()
        await self._asked()

    async def _write(self) -> None:
        """Runs to the review of the next chapter."""
        await self._studio.write_next()
        await self._asked()

    async def _asked(self) -> None:
        """Accepts the proposed answer to every question on the way, and waits for the next step."""
        studio = self._studio
        while isinstance(card := studio.app.screen, DecisionScreen):
            await studio.press("enter")
            await studio.until(partial(self._is_past, card), "the answer")

    def _is_past(self, card: DecisionScreen) -> bool:
        desk = self._studio.desk
        return self._studio.app.screen is not card and desk.state.settled

    async def _scroll(self) -> None:
        await self._studio.press("2")
        for key in (*["pagedown"] * _PAGES, *["pageup"] * _PAGES):
            await self._press(key)

    async def _edit(self) -> None:
        """Types into the chapter, and restores it."""
        await self._studio.press("ctrl+e")
        await self._studio.sees(EditorScreen)
        field = self._studio.app.screen.query_one(TextField)
        before = field.text
        for _ in range(_TYPED):
            await self._press("x")
        while field.text != before:
            await self._press("ctrl+z")
        await self._studio.press("escape")
        await self._studio.home()

    def _change_outside(self) -> None:
        """Saves an entry the way another program would."""
        place = self._studio.store.layout.folder / "world" / "tide.md"
        place.write_text(f"# The tide\n\nIt has come {self._turns} times.\n", "utf-8")

    async def _press(self, key: str) -> None:
        await self._studio.press(key)
        await asyncio.sleep(_PAUSE)


def _reporting(
    figures: Callable[[Pilot[Any]], Coroutine[Any, Any, dict[str, float]]],
) -> Callable[[Pilot[Any]], Coroutine[Any, Any, None]]:
    async def drive(pilot: Pilot[Any]) -> None:
        report(await figures(pilot))
        pilot.app.exit()

    return drive


def main(novel: str, seconds: float) -> None:
    """Runs a sitting at a novel."""
    calm()  # as in the program, before it opens a novel
    app = StudioApp(Path(novel), {}, os.environ)
    app.run(
        auto_pilot=_reporting(lambda pilot: Sitting(StudioPilot(app, pilot), seconds).figures())
    )


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
