"""The files of an import: adding, removing and ordering them, and the encoding of each."""

from __future__ import annotations

import asyncio

from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from studio.errors import StudioError
from studio.i18n import _
from studio.tui.key_bindings import bindings_of
from studio.tui.performs import performs
from studio.tui.screen import StudioScreen
from studio.tui.screens.ask import Choose
from studio.tui.screens.ask_path import AskPath
from studio.tui.screens.importing.import_work import files_at
from studio.tui.views.pages import import_plan as chosen
from studio.tui.views.pages import import_plan as page
from studio.tui.views.pages.import_plan import Files
from studio.tui.views.path_completion import path_of
from studio.tui.views.words import Phrase
from studio.tui.widgets.action_line import ActionLine
from studio.tui.widgets.styled import content


class ImportFilesScreen(StudioScreen, Screen[Files]):
    """The list of files; returns them as the writer wants them, at least one."""

    CSS_PATH = "import_files.tcss"
    WHERE = ("files",)
    BINDINGS = [*bindings_of("files"), *bindings_of("global")]

    def __init__(self, files: Files) -> None:
        super().__init__()
        self.files = files

    def compose(self) -> ComposeResult:
        """Yields the title, the rows and the hints."""
        yield Static(
            content(Phrase(_("The files of this import, in order"), "heading")), id="files-top"
        )
        yield OptionList(id="files-rows", compact=True)
        yield ActionLine(id="hints")

    def on_mount(self) -> None:
        """Shows the files, the first one marked."""
        self._take(self.files, 0)
        self.query_one("#files-rows").focus()
        self.show_hints()

    @property
    def place_of_cursor(self) -> int:
        """The index of the file under the cursor."""
        return self.query_one("#files-rows", OptionList).highlighted or 0

    def _take(self, files: Files, marked: int) -> None:
        self.files = files
        rows = self.query_one("#files-rows", OptionList)
        rows.clear_options()
        rows.add_options(Option(content(line)) for line in chosen.chosen_lines(files))
        rows.highlighted = max(0, min(marked, len(files) - 1))

    def on_option_list_option_selected(self) -> None:
        """Asks for the encoding of the file chosen by Enter or a click."""
        self.ask_encoding()

    @performs("files.add")
    def add(self) -> None:
        """Adds a file, or the texts of a folder."""
        self.run_worker(self._add(), group="ask")

    async def _add(self) -> None:
        folder = f"{self.files[-1].path.parent}/"
        answer = await self.app.push_screen_wait(
            AskPath(_("Which file?"), _("A folder adds the texts in it."), folder)
        )
        if answer is None:
            return
        try:
            others = await asyncio.to_thread(files_at, path_of(answer))
        except StudioError as error:
            self.studio.tell(error.problem)
            return
        fresh = chosen.add_files(self.files, others)
        if fresh == self.files:
            self.studio.say(_("That is already among them."))
        self._take(fresh, len(fresh) - 1)

    @performs("files.remove")
    def remove_file(self) -> None:
        """Removes the file from the import; the file itself is not touched."""
        if len(self.files) == 1:
            self.studio.say(_("An import needs a file. Esc leads back to the chapters."))
            return
        self._take(chosen.remove_file(self.files, self.place_of_cursor), self.place_of_cursor)

    @performs("files.up")
    def move_up(self) -> None:
        """Moves the file one place up."""
        self._move(-1)

    @performs("files.down")
    def move_down(self) -> None:
        """Moves the file one place down."""
        self._move(1)

    def _move(self, by: int) -> None:
        at = self.place_of_cursor
        self._take(chosen.move_file(self.files, at, by), at + by)

    @performs("files.encoding")
    def ask_encoding(self) -> None:
        """Chooses another encoding for this file."""
        self.run_worker(self._ask_encoding(self.place_of_cursor), group="ask")

    async def _ask_encoding(self, at: int) -> None:
        title = _("Read {name} as", name=self.files[at].path.name)
        encoding = await self.app.push_screen_wait(Choose(title, page.encodings()))
        if encoding is not None:
            self._take(chosen.read_as(self.files, encoding, at), at)

    @performs("files.close")
    def close(self) -> None:
        """Returns to the chapters."""
        self.dismiss(self.files)

    def close_to_launcher(self) -> bool:
        """Returns to the chapters, which lie below."""
        self.close()
        return True
