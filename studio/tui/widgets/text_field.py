"""The field the writer's own text is typed in: kept to the letter, drawn without harm."""

from __future__ import annotations

import re
from re import Pattern
from typing import ClassVar, Self

from rich.style import Style
from rich.text import Text
from textual.binding import Binding, BindingType
from textual.document._document import Document, EditResult, Location
from textual.document._document_navigator import DocumentNavigator
from textual.document._edit import Edit
from textual.geometry import Region
from textual.widgets import TextArea
from textual.widgets.text_area import Selection

from studio.text.safe import safe_text
from studio.text.spelling import plain_word, word_spans
from studio.tui.widgets.prose_rows import ProseRows

_WRONG = Style(underline=True)
_LINE_END = re.compile("\r\n|\r|\n")


class _Lines(str):
    """Text whose lines end at line feeds and carriage returns alone.

    Python ends a line at form feeds, NEL and U+2028 as well, and Textual, which
    asks it, would save a line feed for each of them.
    """

    __slots__ = ()

    def splitlines(self, keepends: bool = False) -> list[str]:
        """The lines without their ends; none follows the last line end."""
        lines = _LINE_END.split(self)
        return lines if lines[-1] else lines[:-1]


class OwnDocument(Document):
    """A text that comes out as it went in."""

    def __init__(self, text: str) -> None:
        super().__init__(_Lines(text))

    def replace_range(self, start: Location, end: Location, text: str) -> EditResult:
        """Puts a text in place of another."""
        return super().replace_range(start, end, _Lines(text))


class TextField(TextArea):
    """Textual's text area on such a document, with a few keys more that hands know."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("alt+w", "copy", show=False),
        Binding("ctrl+underscore,ctrl+slash", "undo", show=False),
        Binding("ctrl+home", "to_end_of_text(False)", show=False),
        Binding("ctrl+end", "to_end_of_text(True)", show=False),
        Binding("ctrl+shift+home", "to_end_of_text(False, True)", show=False),
        Binding("ctrl+shift+end", "to_end_of_text(True, True)", show=False),
    ]
    """Terminals say Ctrl+/ as Ctrl+_, the newer ones as itself."""

    wrong_words: frozenset[str] = frozenset()
    """Words that are underlined wherever they stand, as `plain_word` spells them."""
    _language = ""
    _is_typing = False
    """Whether a change is being made; what it alters is drawn when it is done."""

    def action_to_end_of_text(self, last: bool, select: bool = False) -> None:
        """Moves to the last or the first letter of the text; `select`: takes all up to there."""
        self.move_cursor(self.document.end if last else (0, 0), select=select)

    def mark_wrong(self, words: frozenset[str], language: str) -> None:
        """Underlines these words of a text in the language, and no other."""
        if words != self.wrong_words:
            self.wrong_words, self._language = words, language
            self._line_cache.clear()
            self.refresh()

    def select_span(self, start: int, end: int) -> None:
        """Selects characters of `text` and brings them into sight."""
        self.selection = Selection(self.location_at(start), self.location_at(end))
        self.scroll_cursor_visible(center=True)

    def _set_document(self, text: str, language: str | None) -> None:
        self.document = OwnDocument(text)
        self.wrapped_document = ProseRows(self.document, tab_width=self.indent_width)
        self.navigator = DocumentNavigator(self.wrapped_document)
        self._build_highlight_map()
        self.move_cursor((0, 0))
        self._rewrap_and_refresh_virtual_size()

    def edit(self, edit: Edit) -> EditResult:
        """Makes a change, and draws the rows anew that it alters.

        Textual draws all rows for each key, and goes to the cursor before it counts the rows anew,
        so a last row that the change begins would stay below the window until the next key.
        """
        before = self.wrapped_document.height, self._lines_with_marks()
        self._is_typing = True
        try:
            result = super().edit(edit)
        finally:
            self._is_typing = False
        self.scroll_cursor_visible()
        lines = {edit.top[0], edit.bottom[0], result.end_location[0], *self._lines_with_marks()}
        if before == (self.wrapped_document.height, lines) and len(lines) == 1:
            (line,) = lines
            rows = self.wrapped_document.get_sections(line)
            self.refresh_lines(self.wrapped_document.location_to_offset((line, 0)).y, len(rows))
        else:
            self.refresh()
        return result

    def _lines_with_marks(self) -> set[int]:
        """The lines in which the cursor, the selection or a bracket's other one is drawn."""
        bracket = self._matching_bracket_location
        start, end = self.selection
        return {start[0], end[0], *((bracket[0],) if bracket else ())}

    def refresh(
        self,
        *regions: Region,
        repaint: bool = True,
        layout: bool = False,
        recompose: bool = False,
    ) -> Self:
        """All of it, but not for each part of a change that is being made."""
        if self._is_typing and not (regions or layout or recompose):
            return self
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    def on_resize(self) -> None:
        """Rows that are cut anew may push the cursor out of sight; a paste that brings a
        scrollbar cuts them too."""
        self.call_after_refresh(self.scroll_cursor_visible)

    def location_at(self, offset: int) -> Location:
        """Line and column of a character of `text`, both from 0."""
        newline = len(self.document.newline)
        for row, line in enumerate(self.document.lines):
            if offset <= len(line):
                return row, offset
            offset -= len(line) + newline
        return self.document.end

    def offset_of(self, location: Location) -> int:
        """The character of `text` at a line and a column."""
        row, column = location
        newline = len(self.document.newline)
        return sum(len(line) + newline for line in self.document.lines[:row]) + column

    def select_next(self, pattern: Pattern[str], *, further: bool) -> bool:
        """Selects the next match, round the end; `further`: behind the one that is selected."""
        start = self.offset_of(max(self.selection) if further else min(self.selection))
        match = pattern.search(self.text, start) or pattern.search(self.text)
        if match is None:
            return False
        self.select_span(match.start(), match.end())
        return True

    def replace_all(self, pattern: Pattern[str], words: str) -> int:
        """Puts `words` in the place of every match, as one change that is undone at once; how
        many there were."""
        text, count = pattern.subn(lambda match: words, self.text)
        if count:
            at = self.cursor_location
            self.replace(text, (0, 0), self.document.end)
            self.move_cursor(at)
        return count

    def get_line(self, line_index: int) -> Text:
        """A line as it is drawn: every control character as its picture (reliability S7)."""
        line = self.document.get_line(line_index)
        text = Text(safe_text(line, keep_newlines=False), end="", no_wrap=True)
        if self.wrong_words:
            for start, end in word_spans(line, self._language):
                if plain_word(line[start:end]) in self.wrong_words:
                    text.stylize(_WRONG, start, end)
        return text
