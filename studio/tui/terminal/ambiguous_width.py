"""How wide the app draws characters whose width depends on the terminal: “ ” … ① → and Cyrillic
among them.

Unicode calls their width ambiguous: one cell in most terminals, two in those set up for Chinese,
Japanese and Korean of old. Only the terminal knows, so it is asked: it writes one and reports where
its cursor is.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any
from unicodedata import category, east_asian_width

from rich import cells, segment
from rich._unicode_data import load
from textual.app import App

from studio.tui.terminal.capabilities import OWN_GLYPHS, AsciiFilter, OwnGlyphsFilter
from studio.tui.views.prose.wrapping import forget_widths

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


class Widths:
    """What is known of the terminal: set by the writer, or answered before the first frame."""

    def __init__(self, app: App[Any], ambiguous: str) -> None:
        self._app = app
        self.filter = AsciiFilter()
        """Replaces glyphs where `ascii_only` is set."""
        self.is_asked = ambiguous == "auto"
        """Whether the driver asks the terminal how wide it draws “ (`ambiguous_width`)."""
        self.is_wide_by_answer = False
        """Whether the terminal has answered that it takes two cells; set by the driver."""
        if ambiguous == "wide":
            self._widen()

    def settle(self) -> None:
        """Takes the terminal's answer, at best before anything is laid out. If it comes behind the
        first frame, what is open is opened again, unless she has begun: it would take from her
        what she is at."""
        app: Any = self._app
        if not self.is_wide_by_answer or app.typed.has_taken:
            return
        self.is_wide_by_answer = False
        self._widen()
        if app.typed.has_painted:
            app.go_to(app.folder)
            return
        for widget in app.screen.query("*"):
            if hasattr(widget, "ascii_only"):
                widget.ascii_only = True

    def _widen(self) -> None:
        """Measures characters of ambiguous width as two cells, and draws no glyph of ours that
        might take two."""
        app: Any = self._app
        widen()
        forget_widths()
        if not app.ascii_only:
            app.ascii_only = True
            self.filter = OwnGlyphsFilter()
