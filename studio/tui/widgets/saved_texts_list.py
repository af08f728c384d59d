"""The list of the saved texts of a chapter, from which the writer chooses one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.binding import Binding
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from studio.i18n import N_, _
from studio.tui.views.pages.saved_texts import kept_line
from studio.tui.views.words import Phrase
from studio.tui.widgets.styled import content

if TYPE_CHECKING:
    from studio.pipeline.variations import KeptText

_NONE = N_("No other text of this chapter is kept.")


class KeptList(OptionList):
    """One row for each saved text, the newest first."""

    DEFAULT_CSS = """
    KeptList, KeptList:focus { border: none; background: transparent; }
    """
    BINDINGS = [
        Binding("j", "cursor_down", "Down", show=False),
        Binding("k", "cursor_up", "Up", show=False),
    ]

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, compact=True)
        self._kept: tuple[KeptText, ...] = ()
        self._shown = False

    def show(self, saved: Sequence[KeptText]) -> None:
        """Shows other texts; the cursor stays on its text if that text is still listed."""
        if self._shown and tuple(saved) == self._kept:
            return
        before = self.text_under_cursor
        self._shown, self._kept = True, tuple(saved)
        self.clear_options()
        if not saved:
            self.add_option(Option(content(Phrase(_(_NONE), "quiet")), disabled=True))
            return
        self.add_options(Option(content(kept_line(one))) for one in saved)
        self.highlighted = self._kept.index(before) if before in self._kept else 0

    @property
    def text_under_cursor(self) -> KeptText | None:
        """The text under the cursor."""
        at = self.highlighted
        return self._kept[at] if at is not None and at < len(self._kept) else None
