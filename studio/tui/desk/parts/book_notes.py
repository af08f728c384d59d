"""The notes in the outline: brief, people, places and things, rules, storylines, promises,
secrets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from studio.i18n import N_, _
from studio.project.unsaved import UnsavedForm
from studio.tui.desk.note_forms import NOTES, Note, Rows
from studio.tui.desk.protocol import result_of
from studio.tui.views.forms.note_places import NotePlace
from studio.tui.views.outline.book import NOTE_NAMES

if TYPE_CHECKING:
    from studio.tui.desk.protocol import Desk
    from studio.tui.views.forms.form_fields import SearchTerm

_NEW = "\0new"
"""The row that creates another note; no id can equal it."""
_ONE_MORE = {
    "People": N_("+ person"),
    "Places and things": N_("+ place or thing"),
    "Storylines": N_("+ storyline"),
    "Promises": N_("+ promise"),
    "Secrets": N_("+ secret"),
}


class BookNotes:
    """Shows a list for each kind of note, and a form for each note."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def show(self, index: int) -> None:
        """Opens the notes behind a row of the outline."""
        name = NOTE_NAMES[index]
        note = NOTES[name]
        if note.rows is None:
            await self._fill_in(name, note, "")
            return
        while (slug := await self._choice(name, note.rows)) is not None:
            await self._fill_in(name, note, "" if slug == _NEW else slug)

    async def open_at(self, place: NotePlace, wording: SearchTerm) -> bool:
        """Opens the form of one note with the matching words selected; returns False if it has
        no form."""
        note = NOTES[place.name]
        if note.rows is not None:
            rows = await result_of(self._desk, note.rows, self._store)
            if place.slug not in dict(rows or ()):
                return False
        await self._fill_in(place.name, note, place.slug, wording)
        return True

    async def _choice(self, name: str, read: Rows) -> str | None:
        from studio.tui.screens.ask import Choose

        rows = await result_of(self._desk, read, self._store)
        if rows is None:
            return None
        question = Choose(_(name), (*rows, (_NEW, _(_ONE_MORE[name]))))
        return await self._desk.studio.push_screen_wait(question)

    async def _fill_in(
        self, name: str, note: Note, slug: str, wording: SearchTerm | None = None
    ) -> None:
        from studio.tui.screens.form import FormScreen

        desk, store = self._desk, self._store
        form = await result_of(self._desk, note.form, store, slug)
        if form is None:
            return

        async def save(values: Mapping[str, str]) -> None:
            await desk.bridge.call(note.save, store, slug, values, form)

        screen = FormScreen(UnsavedForm(store, form.name), form, save, wording)
        if await desk.studio.push_screen_wait(screen) == "saved":
            await desk.reread()
            desk.studio.say(_("{name}: saved. u in the outline takes it back.", name=_(name)))

    @property
    def _store(self) -> Any:
        return self._desk.session.store
