"""The measured program of bench.keys: a counter of keys above a long text, idle or streaming.

It is the real app with its own screen, so that keys take the real path.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Markdown, Static

from bench.invented import deltas, paragraphs
from studio.tui.app import StudioApp
from studio.tui.runtime.garbage import settle
from studio.tui.screen import StudioScreen
from studio.tui.widgets.prose_view import ProseView

RATE = 300
"""Deltas per second."""
LENGTH = 200_000
"""The number of characters present at the start."""
REST, STREAM, READY = "i", "s", "<0>"


class KeysScreen(StudioScreen, Screen[None]):
    """Counts keys, except for `s`, which starts the stream, and `i`, which stops it."""

    CSS = "#head { height: 1; } ProseView { height: 1fr; } VerticalScroll { height: 1fr; }"

    def __init__(self, widget: str, language: str) -> None:
        super().__init__()
        self.widget, self.language = widget, language
        self.counted = 0
        self.streaming = False

    def compose(self) -> ComposeResult:
        yield Static("", id="head", markup=False)
        if self.widget == "prose":
            yield ProseView()
        else:
            with VerticalScroll():
                yield Markdown()

    def on_mount(self) -> None:
        """Starts the worker."""
        self.run_worker(self.work())

    async def work(self) -> None:
        """Fills the text, reports that it is ready, and writes due pieces while streaming."""
        write = await (self.fill_prose() if self.widget == "prose" else self.fill_markdown())
        settle()
        self.head(READY)
        pieces = deltas(self.language)
        while True:
            begun, written = time.perf_counter(), 0
            while self.streaming:
                while written < (time.perf_counter() - begun) * RATE:
                    await write(next(pieces))
                    written += 1
                await asyncio.sleep(1 / RATE)
            await asyncio.sleep(0.01)

    async def fill_prose(self) -> Callable[[str], Awaitable[None]]:
        """Fills the studio's view and returns its write function."""
        view = self.query_one(ProseView)
        view.load(paragraphs(self.language, LENGTH), at_end=True)
        while view.busy:
            await asyncio.sleep(0.01)

        async def write(piece: str) -> None:
            view.stream.append(piece)

        return write

    async def fill_markdown(self) -> Callable[[str], Awaitable[None]]:
        """Fills Textual's Markdown view and returns its write function."""
        markdown = self.query_one(Markdown)
        await markdown.update(paragraphs(self.language, LENGTH))
        self.query_one(VerticalScroll).anchor()
        return Markdown.get_stream(markdown).write

    def on_any_key(self) -> None:
        """Holds the stream back at every key, as the desk does."""
        super().on_any_key()
        for view in self.query(ProseView):
            view.stream.hold_back()

    def on_key(self, event: events.Key) -> None:
        """Counts the key and displays the count."""
        if event.key in (REST, STREAM):
            self.streaming = event.key == STREAM
            self.head(f"({event.key})")
        else:
            self.counted += 1
            self.head(f"<{self.counted}>")

    def head(self, words: str) -> None:
        """Shows words on the line above the text."""
        self.query_one("#head", Static).update(words, layout=False)


class Bench(StudioApp):
    """The app without a novel."""

    CSS_PATH: ClassVar[Any] = []

    def __init__(self, widget: str, language: str) -> None:
        super().__init__(None, {}, os.environ)
        self.kind = (widget, language)

    async def open_folder(self, folder: Path | None) -> None:
        """Opens the measured screen in place of a novel."""
        await self.push_screen(KeysScreen(*self.kind))


if __name__ == "__main__":
    Bench(sys.argv[1], sys.argv[2]).run()
