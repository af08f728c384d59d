"""Finding words in the text on the screen: a line is typed at the foot, the text follows."""

from __future__ import annotations

from collections.abc import Iterator

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.actions import SkipAction
from textual.reactive import reactive
from textual.strip import Strip

from studio.i18n import _
from studio.project.search.pattern import words_pattern
from studio.text.safe import safe_text
from studio.tui.views.prose.layout import Spot
from studio.tui.views.prose.marks import Selection
from studio.tui.widgets.line_scroll import key
from studio.tui.widgets.prose_keys import ProseKeys


class ProseFinder(ProseKeys):
    """Keys, selection, and finding; the words found are selected, so that they show everywhere."""

    BINDINGS = [
        key("slash", "find", "Find"),
        key("n", "find_next(1)", "Find the next"),
        key("N", "find_next(-1)", "Find the one before"),
    ]

    finding: reactive[str | None] = reactive(None)
    """What is being typed to find, or None."""
    _sought = ""
    _from: Spot | None = None
    """Where the search began."""

    def action_find(self) -> None:
        """Begins to find, from the first row in sight."""
        self._from = self.page.spot(self.scroll_offset.y, 0)
        self.finding = ""

    def action_find_next(self, step: int) -> None:
        """To the next that was found, round the end; with nothing sought the key is another's."""
        if not self._sought:
            raise SkipAction
        selection = self.strips.selection
        here = selection.anchor if selection else self.page.spot(self.scroll_offset.y, 0)
        self._seek(here, step, past=selection is not None)

    def on_key(self, event: events.Key) -> None:
        """While finding, keys are words."""
        if self.finding is None:
            return
        if event.key in ("escape", "enter"):
            self.finding = None
        elif event.key == "backspace":
            self._type(self.finding[:-1])
        elif event.character is not None and event.is_printable:
            self._type(self.finding + event.character)
        else:
            return
        event.stop()
        event.prevent_default()

    def on_paste(self, event: events.Paste) -> None:
        """While finding, pasted words are sought."""
        if self.finding is not None:
            self._type(self.finding + event.text.partition("\n")[0])
            event.stop()

    def on_blur(self) -> None:
        """Ends finding."""
        self.finding = None

    def find_prompt(self, width: int, look: Style) -> Strip:
        """The line at the foot of the pane while something is sought."""
        words = "/" + safe_text(self.finding or "", keep_newlines=False)
        if self._sought and self.strips.selection is None:
            words += "   " + _("nowhere in this chapter")
        return Strip([Segment(words, look)]).adjust_cell_length(width, look)

    def _type(self, words: str) -> None:
        self.finding = self._sought = words
        if words.strip():
            self._seek(self._from, 1)

    def _seek(self, start: Spot | None, step: int, *, past: bool = False) -> None:
        places = list(self._places())
        if start is None or not places:
            self.clear_selection()
            return
        if step > 0:
            behind = (p for p in places if p[0] > start or (p[0] == start and not past))
            first, last = next(behind, places[0])
        else:
            first, last = next((p for p in reversed(places) if p[0] < start), places[-1])
        selection = Selection(first)
        selection.head = last
        self.page.wrap_rows(self.page.top_of(first.block), self.pane.height)
        self.count_rows(self.page.height)
        self._select(selection)
        self._show(first)

    def _places(self) -> Iterator[tuple[Spot, Spot]]:
        pattern = words_pattern(self._sought)
        for index, block in enumerate(self.page.blocks):
            for match in pattern.finditer(block.text):
                if match[0]:
                    yield Spot(index, match.start()), Spot(index, match.end())
