"""The line in which the writer types a few words."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widgets import Input


class LineField(Input):
    """Textual's input line, in which Ctrl+A selects everything, as it does in every other place
    where she types."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+a", "select_all", show=False)]
