"""The appearance of the rows of prose (gutter, title, text, marks), as cached strips."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.cache import LRUCache
from textual.strip import Strip

from studio.tui.views.prose.layout import Block, Page, PageRow
from studio.tui.views.prose.marks import ParagraphRange, QuotedSpan, Selection, snap, stretches
from studio.tui.views.prose.wrapping import cells
from studio.tui.views.signs import HERE, LOCKED, PASSAGE

NUMBERED = 5
"""Of how many paragraphs one has its number on a compact page."""
Styles = Mapping[str, Style]
"""The styles by kind: text, gutter, title, break, highlight, evidence, selection."""


class ProseStrips:
    """The strips of a page, cached until something that affects their appearance changes."""

    def __init__(self) -> None:
        self.passages: tuple[ParagraphRange, ...] = ()
        self.evidence: dict[tuple[int, int], list[QuotedSpan]] = {}
        self.selection: Selection | None = None
        self.compact = False
        """Whether the page is in its compact form."""
        self.authors: Mapping[tuple[int, int], str] = {}
        """The author of each paragraph, by scene and number; displayed after the number on
        request."""
        self.locks: Collection[tuple[int, int]] = ()
        """The paragraphs locked by the author, by scene and number."""
        self.bar = PASSAGE.glyph
        """The mark in front of highlighted paragraphs, which makes them visible without colour."""
        self.lock_bar = LOCKED.glyph
        """The mark in front of locked paragraphs; a highlighted one has it in the first row
        only."""
        self.here: PageRow | None = None
        """The first row in sight of the paragraph that the keys are on."""
        self.here_sign = HERE.glyph
        """The mark at the left of that row, before the number of the paragraph."""
        self._kept: LRUCache[PageRow, Strip] = LRUCache(512)

    def forget(self, rows: Iterable[PageRow] | None = None) -> None:
        """Drops the cached strips of these rows, or of all rows."""
        if rows is None:
            self._kept.clear()
            return
        for row in rows:
            self._kept.discard(row)

    def reset(self) -> None:
        """Drops what belongs to one text: its selection, its authors and its locks."""
        self.selection = None
        self.authors, self.locks = {}, ()
        self.forget()

    def draw_signs(self, ascii_only: bool) -> None:
        """Draws the marks before paragraphs as ASCII or as Unicode."""
        self.bar, self.lock_bar = PASSAGE.draw(ascii_only), LOCKED.draw(ascii_only)
        self.here_sign = HERE.draw(ascii_only)
        self.forget()

    def lock(self, places: Collection[tuple[int, int]]) -> bool:
        """Sets the locked paragraphs; returns whether they changed."""
        if set(places) == set(self.locks):
            return False
        self.locks = places
        self.forget()
        return True

    def highlight(self, passages: tuple[ParagraphRange, ...]) -> bool:
        """Sets the paragraphs to highlight; returns whether they changed."""
        if passages == self.passages:
            return False
        self.passages = passages
        self.forget()
        return True

    def mark(self, evidence: Iterable[QuotedSpan]) -> bool:
        """Sets the words to underline; returns whether they changed."""
        before, self.evidence = self.evidence, {}
        for words in evidence:
            self.evidence.setdefault((words.scene, words.number), []).append(words)
        if self.evidence == before:
            return False
        self.forget()
        return True

    def strip(self, page: Page, row: PageRow, width: int, gutter: int, styles: Styles) -> Strip:
        """Returns a row in `width` cells."""
        if row == self.here:  # not cached: the mark comes and goes
            return self._draw(page, row, width, gutter, styles)
        strip = self._kept.get(row)
        if strip is None:
            strip = self._kept[row] = self._draw(page, row, width, gutter, styles)
        return strip

    def _draw(self, page: Page, row: PageRow, width: int, gutter: int, styles: Styles) -> Strip:
        block = page.blocks[row.block]
        lit = self._is_lit(block)
        if row.line is None:
            below = page.blocks[row.block + 1 : row.block + 2]
            lit = lit and any(map(self._is_lit, below))
            margin = Segment(self._margin(block, len(block.lines), gutter, lit), styles["gutter"])
            wide = min(page.width, width - gutter)
            blank = Segment(" " * wide, styles["highlight" if lit else "text"])
            rest = Segment(" " * (width - gutter - wide), styles["text"])
            return Strip([margin, blank, rest] if rest.text else [margin, blank], width)
        is_here = row == self.here
        margin = Segment(
            self._margin(block, row.line, gutter, lit, self.here_sign if is_here else ""),
            styles["gutter"] + styles["title"] if is_here else styles["gutter"],
        )
        plain = styles["highlight" if lit else _LOOKS[block.kind]]
        line = block.lines[row.line].rstrip()
        before = cells(line)
        room = max(0, min(page.width, width - gutter) - before[-1])
        lead = room // 2 if block.kind == "break" else 0
        text = [
            Segment(line[start:end], plain + styles[kind] if kind else plain)
            for start, end, kind in stretches(len(line), "", self._overlays(row, block, before))
        ]
        segments = [
            margin,
            Segment(" " * lead, plain),
            *text,
            Segment(" " * (room - lead), plain),
            Segment(" " * (width - gutter - room - before[-1]), styles["text"]),
        ]
        return Strip([segment for segment in segments if segment.text], width)

    def _is_lit(self, block: Block) -> bool:
        return any(passage.holds(block.scene, block.number) for passage in self.passages)

    def _margin(self, block: Block, line: int, gutter: int, lit: bool, sign: str = "") -> str:
        if not gutter:
            return ""
        label = sign + (self._label(block) if line == 0 else "")
        bar = self.bar if lit else " "
        if (block.scene, block.number) in self.locks and line < len(block.lines):
            bar = bar if lit and line else self.lock_bar
        return label.rjust(gutter - 1) + bar

    @property
    def authors_width(self) -> int:
        """The number of cells that the names of authors need."""
        return max((cell_len(word) + 1 for word in self.authors.values()), default=0)

    def _label(self, block: Block) -> str:
        author = self.authors.get((block.scene, block.number), "") if block.number else ""
        label = "" if self.compact and block.number % NUMBERED else block.label
        return f"{label} {author}" if author else label

    def _overlays(
        self, row: PageRow, block: Block, before: Sequence[int]
    ) -> list[tuple[int, int, str]]:
        """Returns the marks on a line as start, end and kind, in characters of the line."""
        marks = [
            (words.start, words.end, "evidence")
            for words in self.evidence.get((block.scene, block.number), ())
        ]
        if self.selection is not None:
            selected = self.selection.within(row.block, sum(map(len, block.lines)))
            if selected:
                marks.append((*selected, "selection"))
        begin = sum(map(len, block.lines[: row.line])) if marks else 0
        return [
            (snap(start - begin, before), snap(end - begin, before), kind)
            for start, end, kind in marks
        ]


_LOOKS = {"title": "title", "paragraph": "text", "break": "break", "note": "gutter"}
