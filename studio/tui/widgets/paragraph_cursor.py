"""The paragraph that the keys of the text are on: moved by keys and by a click, else found in
sight."""

from __future__ import annotations

from collections.abc import Iterator

from studio.tui.views.prose.layout import Page, PageRow, Spot
from studio.tui.views.prose.marks import ParagraphRange
from studio.tui.widgets.line_scroll import LineScroll
from studio.tui.widgets.prose_strips import ProseStrips


class ParagraphCursor:
    """The paragraph that the keys are on. It is always in sight: out of sight, the nearest
    paragraph to it that is in sight is meant."""

    def __init__(self, view: LineScroll, page: Page, strips: ProseStrips, *, exists: bool) -> None:
        self.width = 1 if exists else 0
        """The cells that its mark needs before the numbers; 0 in a view where no key acts on a
        paragraph."""
        self._view = view
        self._page = page
        self._strips = strips
        self._is_in_use = False
        self._at: tuple[int, int] | None = None
        """Scene and number of the paragraph gone to; None until then."""
        self._is_chosen = False
        """Whether the writer went there, as opposed to what led her there."""

    def use(self, in_use: bool) -> None:
        """Sets whether keys act on a paragraph now."""
        if self.width and in_use != self._is_in_use:
            self._is_in_use = in_use
            self._view.refresh()

    def go_to(self, place: tuple[int, int] | None, *, chosen: bool) -> None:
        """Puts the cursor on a paragraph, or nowhere; `chosen` if the writer did so herself."""
        self._at, self._is_chosen = place, chosen
        self._view.refresh()

    @property
    def passage(self) -> ParagraphRange | None:
        """What a key acts on: the paragraph the writer chose, else the marked passage in sight,
        also where its beginning lies above the view, else the paragraph with the cursor."""
        marked = None if self._is_chosen_in_sight else self._marked_in_sight
        if marked is not None or (place := self.place) is None:
            return marked
        return ParagraphRange(place[0], place[1], place[1])

    @property
    def chosen(self) -> ParagraphRange | None:
        """The paragraph in sight that the writer chose, if she did."""
        return self.passage if self._is_chosen_in_sight else None

    @property
    def place(self) -> tuple[int, int] | None:
        """Scene and number of the paragraph with the cursor; None if no paragraph is in sight."""
        seen = list(dict.fromkeys(self.in_sight()))
        if not seen:
            return None
        if self._at in seen and self._is_chosen:
            return self._at
        if (marked := self._marked_in_sight) is not None:
            return next(place for place in seen if marked.holds(*place))
        if self._at is None or self._at <= seen[0]:
            return seen[0]
        return self._at if self._at in seen else seen[-1]

    @property
    def row(self) -> PageRow | None:
        """The row to mark, the first in sight of the paragraph; None while the keys are
        elsewhere."""
        if not self._is_in_use or not self._view.has_focus:
            return None
        if (selection := self._strips.selection) is not None:
            block: int | None = selection.head.block
        else:
            block = None if (place := self.place) is None else self._page.find(*place)
        if block is None:
            return None
        return PageRow(block, max(0, self._view.scroll_offset.y - self._page.top_of(block)))

    def in_sight(self) -> Iterator[tuple[int, int]]:
        """Yields scene and number of each paragraph with visible words, once a row: the blank row
        below a paragraph shows nothing of it."""
        top = self._view.scroll_offset.y
        height = self._view.pane.height or self._page.height  # behind another tab it has none yet
        for y in range(top, top + height):
            row = self._page.row(y)
            if row is not None and row.line is not None:
                block = self._page.blocks[row.block]
                if block.number:
                    yield block.scene, block.number

    def moves_by(self, rows: int) -> bool:
        """Moves by a paragraph for one row, and to the last or the first where there is no further
        pane; returns False where the view is to scroll."""
        if not self._is_in_use or not rows:
            return False
        if abs(rows) == 1:
            self._strips.selection = None
            self._strips.forget()
            return self._move(rows)
        end = self._view.max_scroll_y if rows > 0 else 0
        if self._view.scroll_offset.y == end or abs(rows) >= self._page.height:
            numbered = [block for block in self._page.blocks if block.number]
            for block in numbered[-1:] if rows > 0 else numbered[:1]:
                self.go_to((block.scene, block.number), chosen=True)
        return False

    def _move(self, step: int) -> bool:
        """Moves to the next paragraph, or to the one before, once the end of this one is in sight,
        or its beginning; returns whether there is one."""
        if (place := self.place) is None or (here := self._page.find(*place)) is None:
            return False
        blocks, edge = self._page.blocks, self._page.top_of(here)
        edge += len(blocks[here].lines) - 1 if step > 0 else 0
        top, height = self._view.scroll_offset.y, self._view.pane.height
        ahead = range(here + 1, len(blocks)) if step > 0 else range(here - 1, -1, -1)
        target = next((at for at in ahead if blocks[at].number), None)
        if target is None or not top <= edge < top + height:
            self.go_to(place, chosen=True)
            return False
        self._show(target, step)
        self.go_to((blocks[target].scene, blocks[target].number), chosen=True)
        return True

    @property
    def _is_chosen_in_sight(self) -> bool:
        return self._is_chosen and self._at in set(self.in_sight())

    @property
    def _marked_in_sight(self) -> ParagraphRange | None:
        seen = set(self.in_sight())
        held = (p for p in self._strips.passages if any(p.holds(*place) for place in seen))
        return next(held, None)

    def _show(self, block: int, step: int) -> None:
        """Scrolls as little as possible: to the whole paragraph, or to the end of it that is come
        to first."""
        page, view = self._page, self._view
        if page.wrap_rows(page.top_of(block), view.pane.height):
            view.count_rows(page.height)
        ends = (Spot(block, len(page.blocks[block].text)), Spot(block, 0))
        for spot in ends if step > 0 else reversed(ends):
            view.show_row(page.cell(spot)[0])
