"""A small card over the desk: its words have all the room that its other parts leave."""

from __future__ import annotations

from typing import TypeVar

from textual.actions import SkipAction
from textual.binding import Binding
from textual.containers import Vertical
from textual.events import Resize
from textual.screen import ModalScreen

from studio.tui.screen import StudioScreen
from studio.tui.widgets.words_to_read import WordsToRead

Answer = TypeVar("Answer")


class CardScreen(StudioScreen, ModalScreen[Answer]):
    """What every card with words and a field or two answers has in common."""

    CSS_PATH = "ask.tcss"
    BINDINGS = [
        Binding("pagedown", "turn(1)", "Read on", show=False, priority=True),
        Binding("pageup", "turn(-1)", "Read back", show=False, priority=True),
    ]

    def on_resize(self, event: Resize) -> None:
        """Gives the words all the room of the window: what she answers is not cut off."""
        self.call_after_refresh(self._fit)

    def _fit(self) -> None:
        for words in self.query(WordsToRead):
            words.fit_beside(self.query_one(".card", Vertical), self.size.height * 9 // 10)

    def action_turn(self, pages: int) -> None:
        """Turns a page of the words, where there is one to turn; else the key is the field's."""
        cut = [words for words in self.query(WordsToRead) if words.is_cut]
        if not cut:
            raise SkipAction
        cut[0].turn(pages)
