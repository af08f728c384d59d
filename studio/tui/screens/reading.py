"""The book from its first chapter, without panes: a page that remembers the reader's place."""

from __future__ import annotations

import asyncio

from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import Static

from studio.config.recent import ReadTo
from studio.errors import StudioError
from studio.i18n import _
from studio.session import Session
from studio.tui.performs import performs
from studio.tui.screen import StudioScreen
from studio.tui.views.words import Phrase
from studio.tui.widgets.action_line import ActionLine
from studio.tui.widgets.prose_view import ProseView
from studio.tui.widgets.styled import content


class ReadingScreen(StudioScreen, Screen[None]):
    """A page for reading one chapter after the other."""

    CSS_PATH = "reading.tcss"
    WHERE = ("reading",)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._numbers: list[int] = []
        self.chapter: int | None = None
        """The chapter on the screen."""

    def compose(self) -> ComposeResult:
        """Yields the chapter's title, its prose and the hints."""
        yield Static(id="reading-title")
        yield ProseView(id="reading-prose")
        yield ActionLine(id="hints")

    @property
    def _prose(self) -> ProseView:
        return self.query_one(ProseView)

    def on_mount(self) -> None:
        """Goes to the writer's last place, or else to the first chapter."""
        prose = self._prose
        prose.numbers = False
        prose.ascii_only = self.studio.ascii_only
        prose.measure = self.studio.measure
        prose.window.close_up(self.studio.look.compact)
        prose.focus()
        self.show_hints()
        read_to = self.studio.memory.place(self._session.store.layout.folder).read
        self.run_worker(self._begin(read_to), group="read")

    async def _begin(self, read_to: ReadTo | None) -> None:
        self._numbers = await asyncio.to_thread(self._session.store.chapter_numbers)
        if not self._numbers:
            words = _("There is no chapter in the book yet.")
            self.query_one("#reading-title", Static).update(content(Phrase(words, "quiet")))
            return
        known = read_to is not None and read_to.chapter in self._numbers
        await self._open(read_to.chapter if known and read_to else self._numbers[0])
        if known and read_to is not None and read_to.paragraph:
            self._prose.go_to(read_to.scene, read_to.paragraph)

    async def _open(self, number: int) -> None:
        try:
            chapter = await asyncio.to_thread(self._session.store.chapter, number)
        except StudioError as error:
            self.studio.tell(error.problem)
            return
        self.chapter = number
        self._prose.load(chapter.text if chapter else "")
        at = self._numbers.index(number) + 1
        title = (chapter.title if chapter else None) or ""
        words = (
            Phrase(title, "heading"),
            Phrase("   " + _("chapter {at} of {count}", at=at, count=len(self._numbers)), "quiet"),
        )
        self.query_one("#reading-title", Static).update(content(words))

    @performs("reading.next", 1)
    @performs("reading.previous", -1)
    async def turn(self, step: int) -> None:
        """Opens the next chapter or the one before."""
        if self.chapter is None:
            return
        at = self._numbers.index(self.chapter) + step
        if 0 <= at < len(self._numbers):
            await self._open(self._numbers[at])
        else:
            self.studio.say(_("This is the last chapter.") if step > 0 else _("This is the first."))

    @performs("reading.on")
    async def read_on(self) -> None:
        """Scrolls a page on; after the last page, opens the next chapter."""
        prose = self._prose
        if prose.scroll_offset.y >= prose.max_scroll_y:
            await self.turn(1)
        else:
            prose.action_page(1)

    @performs("reading.close")
    def close(self) -> None:
        """Returns to the desk, remembering the place."""
        self._remember()
        self.studio.keep_memory()
        self.dismiss(None)

    async def put_away(self) -> None:
        """Remembers the place when the app exits."""
        self._remember()

    def _remember(self) -> None:
        if self.chapter is None:
            return
        prose, folder = self._prose, self._session.store.layout.folder
        top = prose.scroll_offset.y
        row = prose.page.row(top + prose.size.height // 3) if top else None
        block = prose.page.blocks[row.block] if row else None
        scene, paragraph = (block.scene, block.number) if block else (1, 0)
        memory = self.studio.memory
        place = memory.place(folder)._replace(read=ReadTo(self.chapter, scene, paragraph))
        self.studio.memory = memory.with_place(folder, place)
