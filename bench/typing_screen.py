"""The measured program of bench.typing: the editor's text field with the metrics that follow it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import Static

from bench.prose_texts import prose
from studio.text.language.packs import load_pack
from studio.text.metrics.measure import Yardstick, in_force
from studio.tui.app import StudioApp
from studio.tui.runtime.garbage import settle
from studio.tui.screen import StudioScreen
from studio.tui.screens.editing.live_figures import LiveMeasures
from studio.tui.views.typed_numbers import TextNumbers, numbers_line
from studio.tui.widgets.styled import content
from studio.tui.widgets.text_field import TextField

LENGTH = 30_000
"""The number of characters present at the start."""
READY = "<0>"


class TypingScreen(StudioScreen, Screen[None]):
    """Shows `<n>` above the text once the metrics of the text after n
    keys are displayed below it."""

    CSS = "#head, #numbers { height: 1; } TextField { height: 1fr; }"

    def __init__(self, language: str) -> None:
        super().__init__()
        self.original = prose(language, LENGTH, 0)
        self.pack = load_pack(language)
        self.measures = LiveMeasures(
            lambda: Yardstick(self.pack, in_force(self.pack)),
            lambda: self.text,
            self.show_numbers,
            self.call_after_refresh,
        )

    @property
    def text(self) -> str:
        """The content of the field."""
        return self.query_one(TextField).text

    def compose(self) -> ComposeResult:
        yield Static("", id="head", markup=False)
        yield TextField(self.original, soft_wrap=True, show_line_numbers=False)
        yield Static("", id="numbers")

    def on_mount(self) -> None:
        """Puts the cursor at the end, as in a growing chapter."""
        field = self.query_one(TextField)
        field.move_cursor(field.document.end)
        field.focus()
        settle()
        self.run_worker(self.measures.follow())

    def on_text_area_changed(self) -> None:
        """Updates the metrics in the same way as the editor."""
        self.measures.text_changed()

    def show_numbers(self, numbers: TextNumbers) -> None:
        """Shows the metrics in the same way as the editor, and the key they belong to."""
        words = content(numbers_line(numbers, 100))
        self.query_one("#numbers", Static).update(words, layout=False)
        keys = len(self.measures.measured_text or "") - len(self.original)
        self.query_one("#head", Static).update(f"<{keys}>", layout=False)


class Bench(StudioApp):
    """The app without a novel."""

    CSS_PATH: ClassVar[Any] = []

    def __init__(self, language: str) -> None:
        super().__init__(None, {}, os.environ)
        self.language = language

    async def open_folder(self, folder: Path | None) -> None:
        """Opens the measured screen in place of a novel."""
        await self.push_screen(TypingScreen(self.language))


if __name__ == "__main__":
    Bench(sys.argv[1]).run()
