"""Characters that some terminals draw over two cells: “ ” … ① → and Cyrillic among them.

Unicode calls their width ambiguous: one cell in most terminals, two in those set up for Chinese,
Japanese and Korean of old. Only the terminal knows, so it is asked: it writes one and reports where
its cursor is.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from unicodedata import category, east_asian_width

from rich import cells, segment
from rich._unicode_data import load

from studio.tui.terminal.capabilities import OWN_GLYPHS

QUESTION = "\x1b[1;1H“\x1b[6n\x1b[1;1H"
"""Writes an ambiguous character in the corner and asks for the column of the cursor. The first
frame covers it; a terminal that does not answer counts as narrow."""
_WIDE_COLUMN = 2
"""The column of the cursor, from 0, behind a character of two cells in the corner."""
_BEGINS, _ENDS = 0xA1, 0x10000


def is_wide_answer(column: int, row: int) -> bool:
    """Whether the reported place of the cursor, from 0, says that the character took two cells."""
    return (column, row) == (_WIDE_COLUMN, 0)


def widen() -> None:
    """Has everything that measures text count ambiguous characters as two cells.

    Textual and the studio measure with `rich.cells` alone, so its table and its set of characters
    of one cell are exchanged, and what it remembers is forgotten. Our own glyphs stay at one cell:
    they are drawn as ASCII then (`capabilities.OwnGlyphsFilter`).
    """
    before = load("auto")
    wide = {chr(code) for code in range(_BEGINS, _ENDS) if _is_wide(chr(code))}
    table = before._replace(widths=sorted([*before.widths, *_runs(wide)]))
    narrow = frozenset(cells._SINGLE_CELLS - wide).issuperset
    for module, name, value in (
        (cells, "load_cell_table", lambda unicode_version="auto": table),
        (cells, "_is_single_cell_widths", narrow),
        (segment, "_is_single_cell_widths", narrow),
    ):
        setattr(module, name, value)
    cells.get_character_cell_size.cache_clear()
    cells.cached_cell_len.cache_clear()
    segment.Segment._split_cells.cache_clear()


def _is_wide(character: str) -> bool:
    return (
        east_asian_width(character) == "A"
        and character not in OWN_GLYPHS
        and category(character)[0] != "M"
        and cells.get_character_cell_size(character) == 1
    )


def _runs(characters: set[str]) -> Iterator[tuple[int, int, int]]:
    """Yields neighbouring characters as rows of Rich's table: first, last, width."""
    codes = sorted(map(ord, characters))
    for _, run in groupby(enumerate(codes), lambda pair: pair[1] - pair[0]):
        row = [code for _, code in run]
        yield row[0], row[-1], 2
