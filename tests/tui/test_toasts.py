"""What is said in the corner can be read whole, whatever lies below it."""

from __future__ import annotations

import pytest
from rich.cells import cell_len
from textual.app import App, ComposeResult
from textual.containers import Horizontal
from textual.widgets import Static

from studio.tui.runtime.toasts import WholeToast


class Panes(App[None]):
    """Panes whose edges lie at every second column and then at every third."""

    def compose(self) -> ComposeResult:
        """Narrow columns, as many as there are."""
        with Horizontal():
            for width in (*[2] * 20, *[3] * 13):
                pane = Static("\n".join(["x" * width] * 12))
                pane.styles.width = width
                yield pane


# req: H6
@pytest.mark.parametrize("words", ["3장이 책에 들어갔습니다.", "a3章已经收入书中。"])
async def test_a_message_over_the_edges_of_panes_keeps_its_characters(words: str) -> None:
    app = Panes()
    async with app.run_test(size=(79, 12), notifications=True) as pilot:
        app.notify(words)
        await pilot.pause()
        await pilot.pause()
        assert app.screen.query(WholeToast)
        lines = [strip.text for strip in app.screen._compositor.render_strips()]
    assert any(words in line for line in lines)
    assert {cell_len(line) for line in lines} == {79}
