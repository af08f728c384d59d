"""The page of the board, read off the event loop; Enter goes to the chapter of a row."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.events import Resize
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from studio.errors import StudioError
from studio.i18n import _
from studio.tui.board.board_rows import BoardRow, board_rows
from studio.tui.key_bindings import bindings_of
from studio.tui.performs import performs
from studio.tui.screen import StudioScreen
from studio.tui.views.words import Phrase
from studio.tui.widgets.action_line import ActionLine
from studio.tui.widgets.styled import content

if TYPE_CHECKING:
    from studio.book.figures import BookFigures
    from studio.project.author.book_length import BookLength
    from studio.session import Session


class BoardScreen(StudioScreen, Screen[int | None]):
    """The page of the board; returns the chapter to go to, or None."""

    CSS_PATH = "board.tcss"
    WHERE = ("board",)
    BINDINGS = [*bindings_of("board"), *bindings_of("global")]

    def __init__(self, session: Session, chapter: int | None) -> None:
        """`chapter`: the one on which the cursor starts."""
        super().__init__()
        self._session = session
        self._begin = chapter
        self._book: tuple[BookFigures, BookLength] | None = None
        self.rows: list[BoardRow] = []

    def compose(self) -> ComposeResult:
        """Yields the title, the rows and the hints."""
        title = Phrase(self._session.settings.novel.title, "heading")
        yield Static(content(title), id="board-title")
        yield OptionList(id="board")
        yield ActionLine(id="hints")

    def on_mount(self) -> None:
        """Reads the book, and shows it."""
        board = self.query_one(OptionList)
        board.add_option(Option(content(Phrase(_("Looking at the book …"), "quiet"))))
        board.focus()
        self.show_hints()
        self.run_worker(self._begin_to_show(), group="read")

    async def _begin_to_show(self) -> None:
        try:
            self._book = await asyncio.to_thread(self._read)
        except StudioError as error:
            self.studio.tell(error.problem)
            self.dismiss(None)
            return
        self.query_one(OptionList).highlighted = None
        self._show(self._begin)

    def _read(self) -> tuple[BookFigures, BookLength]:
        from studio.book.figures import figures_of
        from studio.project.author.book_length import book_length
        from studio.project.index import brought_up_to_date
        from studio.project.planning.her_length import targets_of_book
        from studio.story.lengths import unit_in
        from studio.text.language.packs import load_pack

        store, settings = self._session.store, self._session.settings
        contents = brought_up_to_date(store, unit_in(settings))
        pack = load_pack(settings.novel.language)
        usual = targets_of_book(store, settings).chapter_length
        figures = figures_of(store, contents, usual, pack)
        lengths = {c.chapter: c.length for c in figures.chapters if c.length}
        today = datetime.now(UTC).astimezone().date()
        return figures, book_length(store, settings, lengths, today)

    def _show(self, chapter: int | None = None) -> None:
        if self._book is None:
            return
        width = self.size.width - 4
        self.rows = board_rows(*self._book, width=width, ascii_only=self.studio.ascii_only)
        board = self.query_one(OptionList)
        at = board.highlighted
        board.clear_options()
        rows = [Option(content(row.words), disabled=row.chapter is None) for row in self.rows]
        board.add_options(rows)
        places = [i for i, row in enumerate(self.rows) if row.chapter is not None]
        wanted = [i for i in places if self.rows[i].chapter == chapter]
        if chapter is None and at is not None and at < len(self.rows):
            board.highlighted = at
        elif wanted or places:
            board.highlighted = (wanted or places)[0]

    def on_resize(self, event: Resize) -> None:
        """Fits the rows to the width."""
        super().on_resize(event)
        self._show()

    @performs("board.problem")
    def next_problem(self) -> None:
        """Moves to the next row that needs another look, wrapping around at the end."""
        board = self.query_one(OptionList)
        troubles = [i for i, row in enumerate(self.rows) if row.is_trouble]
        here = board.highlighted or 0
        if not troubles:
            self.studio.say(_("No chapter wants another look."))
        else:
            board.highlighted = next((i for i in troubles if i > here), troubles[0])

    def on_option_list_option_selected(self, message: OptionList.OptionSelected) -> None:
        """Goes to the row chosen by Enter or a click."""
        if self._book is None:
            return
        self.dismiss(self.rows[message.option_index].chapter)

    @performs("board.go")
    def go(self) -> None:
        """Goes to the chapter of the marked row."""
        at = self.query_one(OptionList).highlighted
        if at is not None:
            self.dismiss(self.rows[at].chapter)

    @performs("board.close")
    def close(self) -> None:
        """Closes the board."""
        self.dismiss(None)
