"""An app with nothing but a header and a prose view."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.pilot import Pilot
from textual.widgets import Static

from studio.tui.widgets.prose_view import ParagraphClicked, ProseView


class Desk(App[None]):
    """A header above a prose view."""

    CSS = "Static { height: 1; } ProseView { height: 1fr; }"

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[tuple[str, object]] = []

    def compose(self) -> ComposeResult:
        yield Static("desk")
        yield ProseView()

    def on_prose_view_paragraph_clicked(self, message: ParagraphClicked) -> None:
        self.heard.append(("clicked", (message.scene, message.paragraph)))


async def settled(pilot: Pilot[None]) -> None:
    """Waits until all text passed to the view is drawn."""
    view = pilot.app.query_one(ProseView)
    while view.busy:
        await pilot.pause()
    await pilot.pause()
