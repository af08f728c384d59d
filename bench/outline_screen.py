"""The measured program of bench.outline: mounts lists and waits until
their first row is painted."""

from __future__ import annotations

import asyncio
import statistics
import sys
import time
from collections.abc import Callable, Mapping
from typing import Literal, cast

from textual.app import App, ComposeResult
from textual.geometry import Size
from textual.widget import Widget
from textual.widgets import Static

from bench.terminal import COLUMNS, report
from studio.tui.runtime.garbage import settle
from studio.tui.views.outline.rows import ChapterItem, VolumeItem
from studio.tui.widgets.outline_list import OutlineList

Job = Literal["many", "few", "relayout"]
ROUNDS = 7
FEW, MANY = 100, 2000
MARKER = "Lamp Room 1"
_HEAD = Size(COLUMNS, 4)


class Bench(App[None]):
    """A header with a list below it."""

    CSS = "#head { height: 1; } OutlineList { height: 1fr; }"

    def __init__(self, job: Job) -> None:
        super().__init__()
        self.job = job

    def compose(self) -> ComposeResult:
        yield Static("head", id="head")

    def on_ready(self) -> None:
        """Measures, reports and exits."""
        self.run_worker(self.measure())

    async def measure(self) -> None:
        """Measures the first paint of a list after one of a single row,
        or relayouts beside our list."""
        if self.job == "relayout":
            report(await self.relayouts())
        else:
            await self.paint(_ours(1))
            settle()
            report(await self.paint(_ours(_COUNTS[self.job])))
        self.exit()

    async def paint(self, make: Callable[[], Widget]) -> tuple[float, float]:
        """Returns the wall and CPU seconds from creating a list to its first row on the screen."""
        begun, used = time.perf_counter(), time.process_time()
        widget = make()
        await self.mount(widget)
        while not self.on_screen():
            await asyncio.sleep(0.0005)
        took = time.perf_counter() - begun, time.process_time() - used
        await widget.remove()
        await self.laid_out()  # otherwise the removal would be drawn with the next list
        return took

    async def laid_out(self) -> None:
        """Waits until the layout is complete."""
        done = asyncio.Event()
        self.call_after_refresh(done.set)
        await done.wait()

    def on_screen(self) -> bool:
        """Whether the first row has been composed."""
        strips = self.screen._compositor.render_strips(_HEAD)
        return any(MARKER in strip.text for strip in strips)

    async def relayouts(self) -> list[float]:
        """Returns the median CPU seconds of a relayout of the header,
        beside many rows and beside few."""
        costs: tuple[list[float], list[float]] = ([], [])
        head = self.query_one("#head", Static)
        for _ in range(ROUNDS):
            for side, make in enumerate((_ours(MANY), _ours(FEW))):
                widget = make()
                await self.mount(widget)
                settle()
                begun = time.process_time()
                for _ in range(40):
                    head.refresh(layout=True)
                    await self.laid_out()
                costs[side].append((time.process_time() - begun) / 40)
                await widget.remove()
        return [statistics.median(side) for side in costs]


def _ours(count: int) -> Callable[[], Widget]:
    chapters = tuple(ChapterItem(n, f"Lamp Room {n}", "committed", 2400) for n in _numbers(count))
    return lambda: OutlineList((VolumeItem(1, "One", chapters),))


def _numbers(count: int) -> range:
    return range(1, count + 1)


_COUNTS: Mapping[Job, int] = {"many": MANY, "few": FEW}


if __name__ == "__main__":
    Bench(cast("Job", sys.argv[1])).run()
