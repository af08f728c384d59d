"""Search in the text of a page; a match becomes the selection, so it is visible in every theme."""

from __future__ import annotations

from collections.abc import Iterator

from rich.style import Style
from textual.strip import Strip

from studio.i18n import _
from studio.tui.views.prose.layout import Page, Spot
from studio.tui.widgets.line_scroll import LineScroll
from studio.tui.widgets.prose.selector import ProseSelector
from studio.tui.widgets.search_prompt import SearchPrompt


class ProseFinder:
    """The searched words, the place where the search began, and the moves between matches."""

    def __init__(self, view: LineScroll, page: Page, selector: ProseSelector) -> None:
        self._view = view
        self._page = page
        self._selector = selector
        self._start: Spot | None = None
        """The place where the search began."""
        self.prompt = SearchPrompt(view, lambda words: self._search(self._start, 1))

    def begin(self) -> None:
        """Opens the prompt; typed words are looked up from the first row in sight."""
        self._start = self._first_in_sight()
        self.prompt.open()

    def find_next(self, step: int) -> bool:
        """Selects the next match, or the previous one if `step` is negative, wrapping at the end of
        the text; returns whether there are words to search for."""
        selection = self._selector.selection
        here = selection.anchor if selection else self._first_in_sight()
        if self.prompt.words:
            self._search(here, step, past=selection is not None)
        return bool(self.prompt.words)

    def strip(self, width: int, look: Style) -> Strip:
        """Renders the prompt at the foot of the pane."""
        is_nowhere = self.prompt.words and self._selector.selection is None
        note = "   " + _("nowhere in this chapter") if is_nowhere else ""
        return self.prompt.strip(width, look, note)

    def _first_in_sight(self) -> Spot | None:
        return self._page.spot(self._view.scroll_offset.y, 0)

    def _search(self, start: Spot | None, step: int, *, past: bool = False) -> None:
        places = list(self._places())
        if start is None or not places:
            self._selector.clear()
            return
        if step > 0:
            behind = (p for p in places if p[0] > start or (p[0] == start and not past))
            first, last = next(behind, places[0])
        else:
            first, last = next((p for p in reversed(places) if p[0] < start), places[-1])
        self._page.wrap_rows(self._page.top_of(first.block), self._view.pane.height)
        self._view.count_rows(self._page.height)
        self._selector.select(first, last)
        self._selector.show(first)

    def _places(self) -> Iterator[tuple[Spot, Spot]]:
        from studio.project.search.hits import words_pattern

        pattern = words_pattern(self.prompt.words)
        for index, block in enumerate(self._page.blocks):
            for match in pattern.finditer(block.text):
                if match[0]:
                    yield Spot(index, match.start()), Spot(index, match.end())
