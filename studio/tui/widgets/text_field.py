"""The fields in which the writer types: a line of a few words, and a text. That of a text keeps
every character and draws control ones safely; its rows are broken by the same rule as those of the
reading view."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from re import Pattern
from typing import ClassVar, Self

from rich.style import Style
from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.expand_tabs import get_tab_widths
from textual.geometry import Region, Size
from textual.widgets import Input, TextArea
from textual.widgets.text_area import (
    Document,
    DocumentNavigator,
    Edit,
    EditResult,
    Location,
    Selection,
    WrappedDocument,
)

from studio.text.safe import safe_text
from studio.text.spelling import plain_word, word_spans
from studio.tui import textual_private as private
from studio.tui.terminal.every_character import take_every_character
from studio.tui.views.prose.wrapping import cells, wrap

_CHINESE = re.compile("[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]")


def in_one_line(text: str) -> str:
    """Returns a text with its lines one behind the other: a blank between them, in Chinese none."""
    first, *others = [line for line in map(str.strip, text.splitlines()) if line] or [""]
    if not others and "\n" not in text and "\r" not in text:
        return text
    joined = first
    for line in others:
        touches_chinese = _CHINESE.match(joined[-1]) or _CHINESE.match(line)
        joined += line if touches_chinese else f" {line}"
    return joined


class LineField(Input):
    """Textual's input line, in which Ctrl+A selects everything, as it does in every other place
    where she types, and a paste of several lines comes in whole."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+a", "select_all", show=False)]

    def on_paste(self, event: events.Paste) -> None:
        """Takes every line of a paste; Textual takes the first and drops the others."""
        self.replace(event.text, *sorted(self.selection))
        event.stop()
        event.prevent_default()

    def replace(self, text: str, start: int, end: int) -> None:
        """Puts words into the line in place of others."""
        super().replace(in_one_line(text), start, end)


class ProseRows(WrappedDocument):
    """Textual's wrapped document with the line breaking of the reading view: no Chinese row begins
    with a full stop or ends with an opening quotation mark, and a row may end after a dash."""

    @property
    def width(self) -> int:
        """The columns that the lines are wrapped to; 0 for none."""
        return private.ROW_WIDTH.of(self)

    @property
    def height(self) -> int:
        """The number of rows. Textual counts them on every call, and calls this for each row it
        draws."""
        return len(private.LINES_OF_ROWS.of(self))

    def wrap(self, width: int, tab_width: int | None = None) -> None:
        """Breaks every line into rows of `width` cells; a width of 0 means no wrapping."""
        private.ROW_WIDTH.put(self, width)
        if tab_width:
            private.TAB_WIDTH.put(self, tab_width)
        self._cut(0, len(private.ROW_BREAKS.of(self)), self.document.lines)

    def wrap_range(self, start: Location, old_end: Location, new_end: Location) -> None:
        """Wraps the lines that an edit changed, after the edit has been applied to the document."""
        top = min(start[0], old_end[0])
        bottom, new_bottom = (max(start[0], end[0]) + 1 for end in (old_end, new_end))
        self._cut(top, bottom, self.document.lines[top:new_bottom])

    def _cut(self, top: int, bottom: int, lines: Sequence[str]) -> None:
        """Replaces the rows of the lines from `top` to `bottom` by the rows of `lines`."""
        tab, breaks_before = private.TAB_WIDTH.of(self), private.ROW_BREAKS.of(self)
        tabs = [[width for _, width in get_tab_widths(line, tab)] for line in lines]
        private.TAB_WIDTHS.of(self)[top:bottom] = tabs
        breaks = [self._breaks(line) for line in lines]
        as_before = [*map(len, breaks)] == [*map(len, breaks_before[top:bottom])]
        breaks_before[top:bottom] = breaks
        if not as_before:
            self._number_rows(top)

    def _number_rows(self, top: int) -> None:
        """Numbers the rows from line `top` on; needed only when an edit changed how many rows there
        are."""
        rows_of = private.ROWS_OF_LINES.of(self)
        at = rows_of[top - 1][-1] + 1 if top else 0
        counts = [len(breaks) + 1 for breaks in private.ROW_BREAKS.of(self)[top:]]
        ends = pairwise(accumulate(counts, initial=at))
        rows_of[top:] = [[*range(*place)] for place in ends]
        info = [(line, row) for line, rows in enumerate(counts, top) for row in range(rows)]
        private.LINES_OF_ROWS.of(self)[at:] = info

    def _breaks(self, line: str) -> list[int]:
        """Returns the offsets in a line at which its rows begin, except the first."""
        if not self.width:
            return []
        if "\t" in line:
            alone = WrappedDocument(OwnDocument(line), self.width, private.TAB_WIDTH.of(self))
            return alone.get_offsets(0)
        return list(accumulate(map(len, _rows(line, self.width))))[:-1]


def _rows(line: str, width: int) -> Iterator[str]:
    """Yields the rows of a line. White space at the end of a row takes at most the one cell that is
    left for the cursor; the rest continues in a further row."""
    row = ""
    for row in wrap(line, width):
        while row[-1:].isspace() and (end := bisect_right(cells(row), width + 1) - 1) < len(row):
            yield row[:end]
            row = row[end:]
        yield row
    if row[-1:].isspace() and cells(row)[-1] > width:
        yield ""


take_every_character()

_WRONG = Style(underline=True)
_LINE_END = re.compile("\r\n|\r|\n")


class _Lines(str):
    """A string whose lines end only at line feeds and carriage returns.

    Python also ends a line at form feeds, NEL and U+2028, and Textual, which uses `splitlines`,
    would save a line feed for each of them.
    """

    __slots__ = ()

    def splitlines(self, keepends: bool = False) -> list[str]:
        """Returns the lines without their ends; there is no empty line after the last line end."""
        lines = _LINE_END.split(self)
        return lines if lines[-1] else lines[:-1]


class OwnDocument(Document):
    """A document that returns its text exactly as it was put in."""

    def __init__(self, text: str) -> None:
        super().__init__(_Lines(text))

    def replace_range(self, start: Location, end: Location, text: str) -> EditResult:
        """Replaces a range of the document by a text."""
        return super().replace_range(start, end, _Lines(text))


class TextField(TextArea):
    """Textual's text area on an `OwnDocument`, with a few more of the customary key bindings."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+a", "select_all", show=False),
        Binding("alt+w", "copy", show=False),
        Binding("ctrl+underscore,ctrl+slash", "undo", show=False),
        Binding("ctrl+home", "to_end_of_text(False)", show=False),
        Binding("ctrl+end", "to_end_of_text(True)", show=False),
        Binding("ctrl+shift+home", "to_end_of_text(False, True)", show=False),
        Binding("ctrl+shift+end", "to_end_of_text(True, True)", show=False),
    ]
    """The key bindings added to Textual's. Ctrl+A selects everything wherever the writer types, as
    in the editor: where it went to the beginning of the line, what she meant to replace stayed and
    went into the book glued to the new words. Most terminals send Ctrl+/ as Ctrl+_, newer ones as
    itself."""

    wrong_words: frozenset[str] = frozenset()
    """The words to underline wherever they occur, spelled as `plain_word` spells them."""
    _language = ""
    _is_typing = False
    """Whether an edit is in progress; its effects are drawn once it is complete."""

    def action_to_end_of_text(self, last: bool, select: bool = False) -> None:
        """Moves the cursor to the start or the end of the text; with `select`, extends the
        selection. The end is behind the last word; from there, behind the last blank line, where
        the text has one: the line end of a file is no place for words of the same paragraph."""
        end = self.last_word
        has_blank_line = self.document.end[0] - end[0] > 1
        if self.cursor_location == end and has_blank_line:
            end = self.document.end
        self.move_cursor(end if last else (0, 0), select=select)

    @property
    def last_word(self) -> tuple[int, int]:
        """The place behind the last word. What is typed there goes on with it: a file ends in a
        line break, which would part the two."""
        return self.location_at(len(self.text.rstrip()))

    def mark_wrong(self, words: frozenset[str], language: str) -> None:
        """Underlines exactly these words of a text in the given language."""
        if words != self.wrong_words:
            self.wrong_words, self._language = words, language
            self.notify_style_update()  # drops the rows that were drawn
            self.refresh()

    def select_span(self, start: int, end: int) -> None:
        """Selects a range of characters of `text` and brings it into sight."""
        self.selection = Selection(self.location_at(start), self.location_at(end))
        self.scroll_cursor_visible(center=True)

    @private.TAKE_DOCUMENT
    def take_document(self, text: str, language: str | None) -> None:
        """Holds a text in a document of ours, from its beginning."""
        self.document = OwnDocument(text)
        self.wrapped_document = ProseRows(self.document, tab_width=self.indent_width)
        self.navigator = DocumentNavigator(self.wrapped_document)
        private.MARK_SYNTAX.of(self)()
        self.move_cursor((0, 0))
        self.wrap_again()

    def edit(self, edit: Edit) -> EditResult:
        """Applies an edit and redraws only the rows that it affects.

        Textual redraws all rows for every key, and scrolls to the cursor before it counts the rows,
        so a new last row would stay below the window until the next key.
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
        """Returns the lines in which the cursor, the selection or a matching bracket is drawn."""
        bracket = self.matching_bracket_location
        start, end = self.selection
        return {start[0], end[0], *((bracket[0],) if bracket else ())}

    def refresh(
        self,
        *regions: Region,
        repaint: bool = True,
        layout: bool = False,
        recompose: bool = False,
    ) -> Self:
        """Redraws the whole field, but not for each step of an edit in progress."""
        if self._is_typing and not (regions or layout or recompose):
            return self
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    @private.TAKE_SIZE
    def take_size(
        self, size: Size, virtual_size: Size, container_size: Size, layout: bool = True
    ) -> bool:
        """Keeps the cursor in sight in a new size: rows are wrapped anew when a paste makes a
        scrollbar appear, and a message takes lines from the foot. Textual's event of a new size
        does not come for each of them."""
        before = self.outer_size
        updated = bool(private.TAKE_SIZE.of(super())(size, virtual_size, container_size, layout))
        if size != before:
            self.call_after_refresh(self._keep_up)
        return updated

    @private.WRAP_AGAIN
    def wrap_again(self) -> None:
        """Wraps the rows anew, and draws them where the width is another one: Textual draws a field
        again only where its size changes after that, so that rows of the width before a scrollbar
        came stood there, without their last characters, until the next key."""
        before = getattr(self.wrapped_document, "width", 0)
        private.WRAP_AGAIN.of(super())()
        if getattr(self.wrapped_document, "width", 0) != before:
            self.refresh()

    def _keep_up(self) -> None:
        rows = self.wrapped_document
        if isinstance(rows, ProseRows) and rows.width != self.wrap_width:
            self.wrap_again()
        self.scroll_cursor_visible()

    def location_at(self, offset: int) -> Location:
        """Returns the line and column of a character of `text`, both counted from 0."""
        newline = len(self.document.newline)
        for row, line in enumerate(self.document.lines):
            if offset <= len(line):
                return row, offset
            offset -= len(line) + newline
        return self.document.end

    def offset_of(self, location: Location) -> int:
        """Returns the offset in `text` of a line and column."""
        row, column = location
        newline = len(self.document.newline)
        return sum(len(line) + newline for line in self.document.lines[:row]) + column

    def select_next(self, pattern: Pattern[str], *, further: bool) -> bool:
        """Selects the next match, wrapping at the end; with `further`, after the selected one."""
        start = self.offset_of(max(self.selection) if further else min(self.selection))
        match = pattern.search(self.text, start) or pattern.search(self.text)
        if match is None:
            return False
        self.select_span(match.start(), match.end())
        return True

    def replace_all(self, pattern: Pattern[str], words: str) -> int:
        """Replaces every match by `words` as a single edit that one undo reverts; returns the
        number of matches."""
        text, count = pattern.subn(lambda match: words, self.text)
        if count:
            at = self.cursor_location
            self.put_anew(text)
            self.move_cursor(at)
        return count

    def put_anew(self, text: str) -> None:
        """Puts another text in place of the whole one, as an edit that one undo reverts."""
        self.replace(text, (0, 0), self.document.end)

    def get_line(self, line_index: int) -> Text:
        """Returns a line for drawing, with every control character replaced by its picture
        (reliability S7)."""
        line = self.document.get_line(line_index)
        text = Text(safe_text(line, keep_newlines=False), end="", no_wrap=True)
        if self.wrong_words:
            for start, end in word_spans(line, self._language):
                if plain_word(line[start:end]) in self.wrong_words:
                    text.stylize(_WRONG, start, end)
        return text
