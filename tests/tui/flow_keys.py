"""The keys of each flow of the app, as listed in the tables of docs/the-app.md."""

from __future__ import annotations

from textual.widgets import Input

from studio.tui.screens.decision import DecisionScreen
from studio.tui.widgets.text_field import TextField
from tests.tui.pilot import StudioPilot

NEW = ("n", "…", "enter", "enter", "enter", "…", "enter")
PLANNING: dict[str, tuple[str, ...]] = {
    "From an empty folder to the first chapter in the book, with a model": (
        *NEW, "w", "…", "ctrl+s", "w", "enter",
    ),
    "The next chapter planned, written and in the book": (
        "w", "…", "ctrl+s", "w", "enter",
    ),
    "The same in your own words, with no model and no plan": (
        *NEW, "ctrl+e", "…", "ctrl+d", "y", "enter",
    ),
    "To chapter 147 of 300": ("colon", "1", "4", "7"),
    "A name replaced in the whole book, after a look at every place": (
        "ctrl+f", "…", "ctrl+r", "…", "enter", "enter",
    ),
    "That taken back": ("ctrl+z",),
    "A planned chapter added": ("plus", "…", "enter"),
    "Renamed": ("r", "…", "enter"),
    "Moved up": ("shift+up",),
    "Split": ("vertical_line",),
    "Joined with the next": ("J",),
    "Taken out": ("delete",),
    "Any of these taken back": ("u",),
    "A person made": ("enter", "enter", "…", "ctrl+s"),
    "A person changed": ("enter", "…", "ctrl+s"),
}  # fmt: skip
"""The keys of each flow of planning; … stands for text that the writer types. In the outline, the
cursor is on the row concerned."""
REVIEW: dict[str, tuple[str, ...]] = {
    "Five proposals taken, and the chapter in the book": ("a", "a", "a", "a", "a", "C"),
    "All there is to know of one": ("enter",),
    "A proposal put aside": ("x", "enter"),
    "One that is meant": ("m", "enter"),
    "Either of them taken back": ("u",),
    "A choice only you make, answered in its place": ("enter", "enter", "enter"),
    "The answer taken back": ("u",),
    "Into the book, with something open": ("C", "y"),
    "Another version of a paragraph": ("a", "enter", "enter"),
    "The paragraph as it was": ("u",),
    "A scene written again": ("A", "enter", "enter"),
    "The next chapter in trouble, from the board": ("f4", "n", "enter"),
}
"""The keys of each flow of a review, in its list, or in the text for paragraphs and scenes."""
FLOWS = PLANNING | REVIEW


class Keys:
    """Presses keys and records them until they are compared with a flow."""

    def __init__(self, studio: StudioPilot) -> None:
        self.studio = studio
        self._pressed: list[str] = []

    async def __call__(self, *keys: str) -> None:
        """Presses keys by name."""
        self._pressed += keys
        await self.studio.press(*keys)

    async def types(self, words: str) -> None:
        """Replaces the contents of the focused field by text of the writer's."""
        self._pressed.append("…")
        field = self.studio.app.focused
        if isinstance(field, Input):
            field.value = words
        else:
            assert isinstance(field, TextField)
            field.load_text(words)
            field.move_cursor(field.document.end)
        await self.studio.pilot.pause()

    def were_those_of(self, flow: str) -> None:
        """Asserts that the keys since the last comparison were those of the flow."""
        assert tuple(self._pressed) == FLOWS[flow], flow
        self._pressed = []


async def in_the_book(studio: StudioPilot, keys: Keys, chapter: int) -> None:
    """Answers every question with Enter until the chapter is committed."""

    def asked_or_done() -> bool:
        done = studio.store.checkpoint().last_completed_chapter >= chapter
        asked = isinstance(studio.app.screen, DecisionScreen)
        return asked or (done and studio.desk.state.settled)

    while True:
        await studio.until(asked_or_done, "a question or the end")
        card = studio.app.screen
        if not isinstance(card, DecisionScreen):
            return
        await keys("enter")
        await studio.until(lambda card=card: studio.app.screen is not card, "the run")
