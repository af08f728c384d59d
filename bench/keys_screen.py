"""The measured program of bench.keys: a counter of keys above a long text that streams or rests.

It is the real app with a screen of its own, so that a key goes the real way.
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
from studio.tui.screen import Place
from studio.tui.widgets.prose_view import ProseView

RATE = 300
"""Deltas a second."""
LENGTH = 200_000
"""Characters that stand there before."""
REST, STREAM, READY = "i", "s", "<0>"


class KeysScreen(Place, Screen[None]):
    """`s` begins the stream, `i` ends it, every other key is counted."""

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
        """Streams when told."""
        self.run_worker(self.work())

    async def work(self) -> None:
        """Fills the text, says so, and writes what is due while the stream is on."""
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
        """Our view."""
        view = self.query_one(ProseView)
        view.load(paragraphs(self.language, LENGTH), at_end=True)
        while view.busy:
            await asyncio.sleep(0.01)

        async def write(piece: str) -> None:
            view.stream.append(piece)

        return write

    async def fill_markdown(self) -> Callable[[str], Awaitable[None]]:
        """Textual's."""
        markdown = self.query_one(Markdown)
        await markdown.update(paragraphs(self.language, LENGTH))
        self.query_one(VerticalScroll).anchor()
        return Markdown.get_stream(markdown).write

    def on_any_key(self) -> None:
        """As on the desk."""
        super().on_any_key()
        for view in self.query(ProseView):
            view.stream.hold_back()

    def on_key(self, event: events.Key) -> None:
        """Counts, on the screen."""
        if event.key in (REST, STREAM):
            self.streaming = event.key == STREAM
            self.head(f"({event.key})")
        else:
            self.counted += 1
            self.head(f"<{self.counted}>")

    def head(self, words: str) -> None:
        """The line above."""
        self.query_one("#head", Static).update(words, layout=False)


class Bench(StudioApp):
    """The app, with nothing open."""

    CSS_PATH: ClassVar[Any] = []

    def __init__(self, widget: str, language: str) -> None:
        super().__init__(None, {}, os.environ)
        self.kind = (widget, language)

    async def open_folder(self, folder: Path | None) -> None:
        """The screen that is measured."""
        await self.push_screen(KeysScreen(*self.kind))


if __name__ == "__main__":
    Bench(sys.argv[1], sys.argv[2]).run()
