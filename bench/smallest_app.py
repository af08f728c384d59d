"""The smallest possible Textual app, for bench.opening."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.widgets import Static

MARKER = "here I am"


class Smallest(App[None]):
    """Shows one line."""

    def compose(self) -> ComposeResult:
        """Yields the line."""
        yield Static(MARKER)


if __name__ == "__main__":
    Smallest().run()
