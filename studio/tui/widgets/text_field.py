"""The field the writer's own text is typed in: kept to the letter, drawn without harm."""

from __future__ import annotations

import re

from rich.text import Text
from textual.document._document import Document, EditResult, Location
from textual.document._document_navigator import DocumentNavigator
from textual.document._wrapped_document import WrappedDocument
from textual.widgets import TextArea

from studio.text.safe import safe_text

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
    """Textual's text area on such a document."""

    def _set_document(self, text: str, language: str | None) -> None:
        self.document = OwnDocument(text)
        self.wrapped_document = WrappedDocument(self.document, tab_width=self.indent_width)
        self.navigator = DocumentNavigator(self.wrapped_document)
        self._build_highlight_map()
        self.move_cursor((0, 0))
        self._rewrap_and_refresh_virtual_size()

    def get_line(self, line_index: int) -> Text:
        """A line as it is drawn: every control character as its picture (reliability S7)."""
        line = self.document.get_line(line_index)
        return Text(safe_text(line, keep_newlines=False), end="", no_wrap=True)
