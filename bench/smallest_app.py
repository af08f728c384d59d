"""The smallest Textual app there is, for bench.opening."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.widgets import Static

MARKER = "here I am"


class Smallest(App[None]):
    """One line."""

    def compose(self) -> ComposeResult:
        """It."""
        yield Static(MARKER)


if __name__ == "__main__":
    Smallest().run()
