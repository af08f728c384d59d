"""Finding words in the whole book, and going to a chapter, from the desk."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from studio.errors import StudioError
from studio.i18n import _
from studio.project.planning.outline_sections import pieces_of
from studio.tui.desk.parts.book_notes import BookNotes
from studio.tui.performs import performs
from studio.tui.views import situation as can
from studio.tui.views.forms.form_fields import Wording
from studio.tui.views.forms.note_places import note_place, planned_chapter
from studio.tui.views.prose.marks import Evidence

if TYPE_CHECKING:
    from studio.project.search.hits import Hit
    from studio.tui.desk.parts.planning import Planning
    from studio.tui.desk.protocol import Desk


class BookSearch:
    """Opens the page and the card, and goes where they say."""

    def __init__(self, desk: Desk, planning: Planning) -> None:
        self._desk = desk
        self._planning = planning
        self._notes = BookNotes(desk)
        self._words = ""

    @performs("desk.find")
    def find(self) -> None:
        """The page of places, with the words of the last time or those that are selected."""
        from studio.tui.runtime.sheets import read_later_sheets
        from studio.tui.screens.find import FindScreen

        selected = " ".join(self._desk.painter.prose.selector.text.split())
        words = selected if 0 < len(selected) <= 80 else self._words
        read_later_sheets(self._desk.app)
        page = FindScreen(self._desk.session, words)

        def on_close(hit: Hit | None) -> None:
            self._words = page.last_words
            self._desk.work(self._go_to(hit), "reread")

        self._desk.studio.push_screen(page, on_close)

    async def _go_to(self, hit: Hit | None) -> None:
        await self._desk.reread()
        if hit is None:
            return
        chapter = hit.at.chapter or await self._chapter_of_outline(hit)
        if chapter is None:
            await self._open_note(hit)
            return
        await self._desk.show_chapter(chapter)
        self._desk.painter.outline_list.go_to(chapter)
        self._desk.go_to_tab("draft" if hit.at.area == "prose" else "plan")
        self._desk.go_to_pane("text")
        if hit.scene is not None and hit.paragraph is not None:
            self._point_at(hit, hit.scene, hit.paragraph)
        elif planned_chapter(hit.at.path) and can.plannable(self._desk.situation()) is None:
            await self._planning.open_plan(chapter, wording=_wording(hit))

    async def _chapter_of_outline(self, hit: Hit) -> int | None:
        """The chapter whose section of an outline holds the place."""
        if hit.at.area != "plans" or hit.at.field or not hit.at.path.endswith("/outline.md"):
            return None
        behind = 0
        for piece in pieces_of(hit.at.text):
            behind += len(piece.text)
            if hit.start < behind:
                is_listed = self._desk.painter.outline_list.go_to(piece.chapter)
                return piece.chapter if is_listed else None
        return None

    async def _open_note(self, hit: Hit) -> None:
        """The form of the note; where there is none, a page."""
        try:
            data = await asyncio.to_thread(self._desk.session.store.root.find, hit.at.path)
        except StudioError as error:
            self._desk.studio.tell(error.problem)
            return
        place = note_place(hit.at.path, hit.at.field, data or b"")
        is_free = can.at_rest(self._desk.situation()) is None
        if place and is_free and await self._notes.open_at(place, _wording(hit)):
            return
        self._read(hit, data or b"")

    def _point_at(self, hit: Hit, scene: int, number: int) -> None:
        """The paragraph comes into sight with the words underlined."""
        prose = self._desk.painter.prose
        paragraph = hit.at.paragraph_at(hit.start)
        begin = hit.start - (paragraph.start if paragraph else hit.start)
        prose.mark([Evidence(scene, number, begin, begin + hit.end - hit.start)])
        prose.go_to(scene, number)

    def _read(self, hit: Hit, data: bytes) -> None:
        """A text that belongs to no chapter and has no form, on a page of its own."""
        from studio.tui.screens.page import PageScreen
        from studio.tui.views.words import line

        at = 0
        if hit.at.field:
            lines = [line(hit.at.field, "quiet"), line(), line(hit.at.text)]
        else:
            rows = data.decode(errors="replace").splitlines()
            at = hit.line - 1
            lines = [line(r, "accent" if i == at else "plain") for i, r in enumerate(rows)]
        self._desk.studio.push_screen(PageScreen(hit.at.title or _("Notes"), lines, at))

    @performs("desk.read")
    def read_book(self) -> None:
        """The page that reads the book through."""
        from studio.tui.runtime.sheets import read_later_sheets
        from studio.tui.screens.reading import ReadingScreen

        read_later_sheets(self._desk.app)
        self._desk.studio.push_screen(ReadingScreen(self._desk.session))

    @performs("desk.go")
    def go_to_chapter(self) -> None:
        """A card to type a number or a title in."""
        from studio.tui.screens.go_to_chapter import Goal, GoToChapter

        items = (item for volume in self._desk.state.volumes for item in volume.chapters)
        goals = [Goal(item.number, item.title) for item in items if item.kind == "chapter"]

        def on_answer(chapter: int | None) -> None:
            if chapter is not None:
                self._desk.work(self._show(chapter), "browse", exclusive=True)

        self._desk.studio.push_screen(GoToChapter(goals), on_answer)

    async def _show(self, chapter: int) -> None:
        self._desk.painter.outline_list.go_to(chapter)
        await self._desk.show_chapter(chapter)
        self._desk.go_to_pane("text")


def _wording(hit: Hit) -> Wording:
    """The words with the rest of their line, by which a form finds them again."""
    return Wording(hit.at.text[hit.start :].partition("\n")[0], hit.end - hit.start)
