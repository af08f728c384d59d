"""The line of words in the editor: what is typed into it can be read."""

from __future__ import annotations

from textual.widgets import Input

from studio.tui.screens.editor import EditorScreen
from tests.tui.conftest import OpenDesk
from tests.tui.pilot import opened


async def test_the_words_to_find_and_to_put_there_can_be_read_while_they_are_typed(
    desk: OpenDesk,
) -> None:
    there = desk()
    async with opened(there.folder, there.environ, (80, 24)) as studio:
        await studio.on_chapter(1)
        await studio.press("ctrl+e")
        await studio.sees(EditorScreen)
        await studio.press("ctrl+f", *"zebra")
        await studio.until(lambda: "zebra" in studio.screen, "the words to find")
        await studio.press("tab", *"quagga")
        await studio.until(
            lambda: studio.app.screen.query_one("#replacement", Input).value == "quagga", "the keys"
        )
        await studio.until(lambda: "quagga" in studio.screen, "the words to put there")
