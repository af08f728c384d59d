"""A list of answers whose marked row has a sign beside its colour."""

from __future__ import annotations

from collections.abc import Iterable

from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

_MARKED, _OTHER = "› ", "  "


class MarkedList(OptionList):
    """Textual's list: a colour alone does not say which row is the one that Enter takes."""

    def __init__(self, rows: Iterable[tuple[str, Content]]) -> None:
        """`rows`: the id of each answer, and its words."""
        self._words = list(rows)
        self._marked: int | None = None
        super().__init__(*(Option(Content(_OTHER) + words, id=key) for key, words in self._words))

    def watch_highlighted(self, highlighted: int | None) -> None:
        """Draws the sign before the row that is marked now."""
        super().watch_highlighted(highlighted)
        for at, head in ((self._marked, _OTHER), (highlighted, _MARKED)):
            if at is not None:
                words = Content(head) + self._words[at][1]
                self.replace_option_prompt_at_index(at, words)
        self._marked = highlighted
        self.refresh()
