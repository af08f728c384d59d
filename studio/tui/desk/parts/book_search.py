"""Finding words in the whole book, and going to a chapter, from the desk."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

from studio.errors import StudioError
from studio.foreign_json import JsonError, read_json
from studio.i18n import _
from studio.project import layout as places
from studio.project.planning.outline_sections import pieces_of
from studio.tui.desk.parts.book_notes import BookNotes, NotePlace
from studio.tui.performs import performs
from studio.tui.views import situation as can
from studio.tui.views.forms.form_fields import SearchTerm
from studio.tui.views.outline.rows import with_ways
from studio.tui.views.prose.marks import QuotedSpan

if TYPE_CHECKING:
    from studio.project.search.hits import Hit
    from studio.tui.desk.parts.planning import Planning
    from studio.tui.desk.protocol import Desk

_CONTRACT = re.compile(r"/chapter-contracts/chapter-0*(\d+)\.json$")
_NUMBER = re.compile(r"(\d+)")
_LISTS = {
    places.STORYLINES: ("Storylines", "storylines"),
    places.FORESHADOWING: ("Promises", "promises"),
    places.SECRETS: ("Secrets", "secrets"),
}
"""The files that hold a list of notes, with the row of the outline and the key of the list."""


class BookSearch:
    """Opens the search page and the chapter card, and goes where they lead."""

    def __init__(self, desk: Desk, planning: Planning) -> None:
        self._desk = desk
        self._planning = planning
        self._notes = BookNotes(desk)
        self._words = ""

    @performs("desk.find")
    def find(self) -> None:
        """Opens the search page with the last words, or with the selected ones."""
        from studio.tui.runtime.look import read_later_sheets
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
        elif _planned_chapter(hit.at.path) and can.plannable(self._desk.situation()) is None:
            await self._planning.open_plan(chapter, wording=_wording(hit))

    async def _chapter_of_outline(self, hit: Hit) -> int | None:
        """Returns the chapter whose section of an outline contains the match."""
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
        """Opens the form of a note, or a page if the note has no form."""
        try:
            data = await asyncio.to_thread(self._desk.session.store.root.find, hit.at.path)
        except StudioError as error:
            self._desk.studio.tell(error.problem)
            return
        place = _note_place(hit.at.path, hit.at.field, data or b"")
        is_free = can.at_rest(self._desk.situation()) is None
        if place and is_free and await self._notes.open_at(place, _wording(hit)):
            return
        self._read(hit, data or b"")

    def _point_at(self, hit: Hit, scene: int, number: int) -> None:
        """Scrolls to the paragraph and underlines the matching words."""
        prose = self._desk.painter.prose
        paragraph = hit.at.paragraph_at(hit.start)
        begin = hit.start - (paragraph.start if paragraph else hit.start)
        prose.mark([QuotedSpan(scene, number, begin, begin + hit.end - hit.start)])
        prose.go_to(scene, number)

    def _read(self, hit: Hit, data: bytes) -> None:
        """Shows a text that has neither chapter nor form on a page."""
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
        """Opens the page for reading the book straight through."""
        from studio.tui.runtime.look import read_later_sheets
        from studio.tui.screens.reading import ReadingScreen

        read_later_sheets(self._desk.app)
        self._desk.studio.push_screen(ReadingScreen(self._desk.session))

    @performs("desk.go")
    def go_to_chapter(self) -> None:
        """Opens a card on which to type the number or title of a chapter."""
        from studio.tui.screens.go_to_chapter import GoToChapter, GoToTarget

        state = self._desk.state
        rows = state.volumes
        if state.book is not None:  # the next chapter has a row, even before it is planned
            rows = with_ways(rows, state.book, asleep=False)
        items = (item for volume in rows for item in volume.chapters if item.kind == "chapter")
        goals = [GoToTarget(item.number, item.title or _("not planned yet")) for item in items]

        def on_answer(chapter: int | None) -> None:
            if chapter is not None:
                self._desk.work(self._show(chapter), "browse", exclusive=True)

        self._desk.studio.push_screen(GoToChapter(goals), on_answer)

    async def _show(self, chapter: int) -> None:
        self._desk.painter.outline_list.go_to(chapter)
        await self._desk.show_chapter(chapter)
        self._desk.go_to_pane("text")


def _wording(hit: Hit) -> SearchTerm:
    """Returns the match with the rest of its line, by which a form finds it again."""
    return SearchTerm(hit.at.text[hit.start :].partition("\n")[0], hit.end - hit.start)


def _note_place(path: str, field: str, data: bytes) -> NotePlace | None:
    """Returns the note that contains a position in a file; None for a file that has no form.

    `field` is the position in a JSON file in words, such as `promises 2, description`.
    """
    if path == places.BRIEF:
        return NotePlace("Brief")
    if path == places.STYLE_PROFILE:
        return NotePlace("Style")
    if path in (places.WORLD_RULES, places.DECIDED):
        return NotePlace("Rules")
    folder, _, name = path.rpartition("/")
    if folder == places.CHARACTERS:
        return NotePlace("People", name.rpartition(".")[0])
    if path.startswith(f"{places.WORLD}/") and path.endswith(".md"):
        return NotePlace("Places and things", path)
    if path in _LISTS and (slug := _id_in(data, _LISTS[path][1], field)):
        return NotePlace(_LISTS[path][0], slug)
    return None


def _planned_chapter(path: str) -> int | None:
    """Returns the number of the chapter whose plan is in this file; None for any other file."""
    match = _CONTRACT.search(path)
    return int(match[1]) if match else None


def _id_in(data: bytes, key: str, field: str) -> str:
    number = _NUMBER.search(field)
    try:
        items = read_json(data, dict)[key]
        return str(items[int(number[1]) - 1]["id"]) if number else ""
    except (JsonError, KeyError, IndexError, TypeError):
        return ""
