"""The measured program of bench.prose_view: runs one job in an app and reports the result."""

from __future__ import annotations

import asyncio
import statistics
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Literal, cast

from textual.app import App, ComposeResult
from textual.containers import VerticalScroll
from textual.widget import Widget
from textual.widgets import Markdown, Static

from bench.invented import deltas, paragraphs
from bench.stalls import Probe
from bench.terminal import report
from studio.tui.runtime.garbage import settle
from studio.tui.widgets.prose_view import ProseView

Job = Literal["paint", "streams", "markdown"]
ROUNDS = 5
SECONDS = 1.5
SLOW, FAST = 300, 3000
"""Deltas per second."""
SHORT, LONG, BOOK = 2_000, 2_000_000, 200_000
"""Text lengths in characters."""


class Bench(App[None]):
    """A header with the measured widget below it."""

    CSS = "#head { height: 1; } ProseView { height: 1fr; } VerticalScroll { height: 1fr; }"

    def __init__(self, job: Job, language: str) -> None:
        super().__init__()
        self.job, self.language = job, language

    def compose(self) -> ComposeResult:
        yield Static("", id="head", markup=False)

    def on_ready(self) -> None:
        """Measures, reports and exits."""
        self.run_worker(self.measure())

    async def measure(self) -> None:
        """Runs the job."""
        report(await JOBS[self.job](self))
        self.exit()

    async def paint(self) -> dict[str, float]:
        """Returns the CPU seconds per painted delta in a short and a long text, in turn."""
        views = {size: ProseView() for size in (SHORT, LONG)}
        for size, view in views.items():
            await self.mount(view)
            await self.filled(view, size)
            view.display = False
        settle()
        costs: dict[int, list[float]] = {SHORT: [], LONG: []}
        for turn in range(ROUNDS + 1):
            for size in sorted(views, reverse=bool(turn % 2)):
                views[SHORT].load(paragraphs(self.language, SHORT), at_end=True)
                cost = await self.cost_of(views[size])
                if turn:
                    costs[size].append(cost)
        return {str(size): statistics.median(seconds) for size, seconds in costs.items()}

    async def cost_of(self, view: ProseView) -> float:
        """Returns the CPU seconds per painted delta."""
        view.display = True
        await self.repainted(view)
        pieces = deltas(self.language)
        begun = time.process_time()
        for _ in range(200):
            view.stream.append(next(pieces))
            view.stream.flush()
            await self.repainted(view)
        cost = (time.process_time() - begun) / 200
        view.display = False
        return cost

    async def streams(self) -> dict[str, list[dict[str, float]]]:
        """Alternates between a repainted line and our view with a book, at two rates."""
        head, view = self.query_one("#head", Static), ProseView()
        await self.mount(view)

        async def line(piece: str) -> None:
            head.update(piece.replace("\n", " "))

        async def prose(piece: str) -> None:
            view.stream.append(piece)

        costs: dict[str, list[dict[str, float]]] = {"line": [], "slow": [], "fast": []}
        for _ in range(ROUNDS):
            view.display = False
            costs["line"].append(await self.streamed(line, SLOW))
            view.display = True
            await self.filled(view, BOOK)
            costs["slow"].append(await self.streamed(prose, SLOW))
            costs["fast"].append(await self.streamed(prose, FAST))
        return costs

    async def markdown(self) -> dict[str, float]:
        """Measures Textual's MarkdownStream holding a book."""
        markdown = Markdown()
        scroll = VerticalScroll(markdown)
        await self.mount(scroll)
        await markdown.update(paragraphs(self.language, BOOK))
        scroll.anchor()
        await self.repainted(scroll)
        stream = Markdown.get_stream(markdown)
        try:
            return await self.streamed(stream.write, SLOW)
        finally:
            await stream.stop()

    async def streamed(
        self, write: Callable[[str], Awaitable[None]], rate: int
    ) -> dict[str, float]:
        """Streams deltas at a rate for a while, and returns the load on event loop and CPU."""
        settle()
        pieces, probe = deltas(self.language), Probe()
        await self.paced(pieces.__next__, write, rate, 0.3)
        probe.start()
        await self.paced(pieces.__next__, write, rate, SECONDS)
        return probe.stop()

    async def paced(
        self,
        piece: Callable[[], str],
        write: Callable[[str], Awaitable[None]],
        rate: int,
        seconds: float,
    ) -> None:
        """Writes the due deltas, then sleeps; after a stall they arrive
        all at once, as from a socket."""
        begun, written = time.perf_counter(), 0
        while (passed := time.perf_counter() - begun) < seconds:
            while written < passed * rate:
                await write(piece())
                written += 1
            await asyncio.sleep(max(0.001, 1 / rate))

    async def filled(self, view: ProseView, size: int) -> None:
        """Loads a text and waits until all of it is wrapped."""
        view.load(paragraphs(self.language, size), at_end=True)
        while view.busy:
            await asyncio.sleep(0.01)
        await self.repainted(view)

    async def repainted(self, widget: Widget) -> None:
        """Waits for the next frame."""
        done = asyncio.Event()
        widget.call_after_refresh(done.set)
        await done.wait()


JOBS: Mapping[Job, Callable[[Bench], Awaitable[object]]] = {
    "paint": Bench.paint,
    "streams": Bench.streams,
    "markdown": Bench.markdown,
}


if __name__ == "__main__":
    Bench(cast("Job", sys.argv[1]), sys.argv[2]).run()
