"""How a row of prose looks: gutter, title, text, marks; as strips, each made once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.cache import LRUCache
from textual.strip import Strip

from studio.tui.views.prose.blocks import Block
from studio.tui.views.prose.layout import Page, Row
from studio.tui.views.prose.marks import Evidence, Passage, Selection, snapped, stretches
from studio.tui.views.prose.wrapping import cells
from studio.tui.views.signs import LOCKED, PASSAGE

Styles = Mapping[str, Style]
"""By kind: text, gutter, title, break, highlight, evidence, selection."""


class ProseStrips:
    """Strips of a page, kept until something that changes their looks changes."""

    def __init__(self) -> None:
        self.passages: tuple[Passage, ...] = ()
        self.evidence: dict[tuple[int, int], list[Evidence]] = {}
        self.selection: Selection | None = None
        self.authors: Mapping[tuple[int, int], str] = {}
        """By scene and number, who wrote a paragraph; stands behind its number while asked for."""
        self.locks: Collection[tuple[int, int]] = ()
        """By scene and number, the paragraphs the author keeps as they are."""
        self.bar = PASSAGE.glyph
        """Stands before highlighted paragraphs, so that they show without colour."""
        self.lock_bar = LOCKED.glyph
        """Stands before locked ones; where they are highlighted, too, in their first row."""
        self._kept: LRUCache[Row, Strip] = LRUCache(512)

    def forget(self, rows: Iterable[Row] | None = None) -> None:
        """Draws these rows, or all, anew when they are next seen."""
        if rows is None:
            self._kept.clear()
            return
        for row in rows:
            self._kept.discard(row)

    def highlight(self, passages: tuple[Passage, ...]) -> bool:
        """Takes the paragraphs to highlight; whether they are others than before."""
        if passages == self.passages:
            return False
        self.passages = passages
        self.forget()
        return True

    def mark(self, evidence: Iterable[Evidence]) -> bool:
        """Takes the words to underline; whether they are others than before."""
        before, self.evidence = self.evidence, {}
        for words in evidence:
            self.evidence.setdefault((words.scene, words.number), []).append(words)
        if self.evidence == before:
            return False
        self.forget()
        return True

    def strip(self, page: Page, row: Row, width: int, gutter: int, styles: Styles) -> Strip:
        """A row of that many cells."""
        strip = self._kept.get(row)
        if strip is None:
            strip = self._kept[row] = self._draw(page, row, width, gutter, styles)
        return strip

    def _draw(self, page: Page, row: Row, width: int, gutter: int, styles: Styles) -> Strip:
        block = page.blocks[row.block]
        lit = self._lit(block)
        if row.line is None:
            below = page.blocks[row.block + 1 : row.block + 2]
            lit = lit and any(map(self._lit, below))
            margin = Segment(self._margin(block, len(block.lines), gutter, lit), styles["gutter"])
            wide = min(page.width, width - gutter)
            blank = Segment(" " * wide, styles["highlight" if lit else "text"])
            rest = Segment(" " * (width - gutter - wide), styles["text"])
            return Strip([margin, blank, rest] if rest.text else [margin, blank], width)
        margin = Segment(self._margin(block, row.line, gutter, lit), styles["gutter"])
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

    def _lit(self, block: Block) -> bool:
        return any(passage.holds(block.scene, block.number) for passage in self.passages)

    def _margin(self, block: Block, line: int, gutter: int, lit: bool) -> str:
        if not gutter:
            return ""
        label = self._label(block) if line == 0 else ""
        bar = self.bar if lit else " "
        if (block.scene, block.number) in self.locks and line < len(block.lines):
            bar = bar if lit and line else self.lock_bar
        return label.rjust(gutter - 1) + bar

    @property
    def authors_width(self) -> int:
        """Cells the words about authors need."""
        return max((cell_len(word) + 1 for word in self.authors.values()), default=0)

    def _label(self, block: Block) -> str:
        author = self.authors.get((block.scene, block.number), "") if block.number else ""
        return f"{block.label} {author}" if author else block.label

    def _overlays(
        self, row: Row, block: Block, before: Sequence[int]
    ) -> list[tuple[int, int, str]]:
        """Marks on a line, in characters of the line."""
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
            (snapped(start - begin, before), snapped(end - begin, before), kind)
            for start, end, kind in marks
        ]


_LOOKS = {"title": "title", "paragraph": "text", "break": "break"}
