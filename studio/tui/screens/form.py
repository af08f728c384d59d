"""A form: fields below one another, saved on demand; what is typed survives anything."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Literal

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.geometry import Region
from textual.screen import Screen
from textual.widgets import Static

from studio.errors import StudioError
from studio.i18n import _
from studio.tui.performs import performs
from studio.tui.runtime.left_words import TypingPause
from studio.tui.screen import StudioScreen
from studio.tui.views.situation import Situation
from studio.tui.views.words import Phrase
from studio.tui.widgets.action_line import ActionLine
from studio.tui.widgets.styled import content
from studio.tui.widgets.text_field import TextField

if TYPE_CHECKING:
    from studio.project.unsaved import UnsavedForm
    from studio.tui.views.forms.form_fields import Form, FormField, SearchTerm

Propose = Callable[[Mapping[str, str]], Awaitable[Mapping[str, str] | None]]
FormEnd = Literal["saved", "left", "write", "scenes", "again", "left-out", "by-hand"]
_IN_TIME = 1.0
"""Seconds allowed for earlier keys to reach their field."""


class FormInput(TextField):
    """A field of a form; the arrows leave it for its neighbours, and in a field of one line so does
    Enter."""

    def __init__(self, field: FormField) -> None:
        super().__init__(
            field.value, id=f"field-{field.key}", soft_wrap=True, show_line_numbers=False
        )
        self.field = field
        self.opens_with = self.text
        """What she has to read first."""
        self.set_class(field.tall, "-tall")

    def on_mount(self) -> None:
        """Moves the cursor to the end, so that typing appends."""
        self.move_cursor(self.document.end)

    def bring_back(self, words: str, *, read_first: bool) -> None:
        """Puts back what she typed the last time, and goes on at its end; at its top where it is to
        be read first."""
        self.load_text(words)
        self.move_cursor(self.document.end)
        if read_first:
            self.opens_with = self.text
            if self.has_focus:
                self.call_after_refresh(self._begin_at_top)

    def on_focus(self) -> None:
        """Begins at the top of a text that is longer than the window, or than the rows of its
        field, as she has to read it first: at its end its beginning would be out of sight, and Down
        would leave it unread."""
        self.call_after_refresh(self._begin_at_top)

    def _begin_at_top(self) -> None:
        is_untouched = self.text == self.opens_with and self.cursor_location == self.document.end
        rows = min(self.size.height, self.page.fields.size.height)
        if is_untouched and max(self.size.height, self.wrapped_document.height) > rows:
            self.move_cursor((0, 0))
            self.page.fields.scroll_to_widget(self, top=True, animate=False, immediate=True)

    def on_key(self, event: events.Key) -> None:
        """Moves to the neighbouring field when an arrow reaches the edge."""
        here = self.cursor_location
        ends = "enter" if not self.field.tall else ""
        if event.key == ends or (event.key == "down" and self.navigator.is_last_wrapped_line(here)):
            self._go_to_neighbour(1)
        elif event.key == "up" and self.navigator.is_first_wrapped_line(here):
            self._go_to_neighbour(-1)
        elif event.key in ("pagedown", "pageup") and not self.allow_vertical_scroll:
            self.page.turn_page(1 if event.key == "pagedown" else -1)
        else:
            self.call_after_refresh(self.follow_cursor)
            return
        event.stop()
        event.prevent_default()

    def _go_to_neighbour(self, by: int) -> None:
        """Puts the cursor into the field below (1) or above (-1); behind the last one and before
        the first there is none, and it stays: a page does not begin anew at its end."""
        inputs = [one for one in self.page.query(FormInput) if one.focusable]
        at = inputs.index(self) + by
        if 0 <= at < len(inputs):
            inputs[at].focus()

    def on_text_area_selection_changed(self) -> None:
        """Brings the cursor into sight once it has moved: a key reaches the field before it does
        what it does."""
        self.call_after_refresh(self.follow_cursor)

    @property
    def page(self) -> FieldsPage:
        """The page on which the field stands."""
        assert isinstance(self.screen, FieldsPage)
        return self.screen

    def follow_cursor(self) -> None:
        """Scrolls the page to the row in which she types: a field that is shown whole is longer
        than the window, and its own scrolling does not move the page."""
        if not self.is_attached or not self.has_focus:
            return
        x, y = self.cursor_screen_offset
        fields = self.page.fields
        fields.scroll_to_region(
            Region(x, y, 1, 1).translate(fields.scroll_offset - fields.content_region.offset),
            animate=False,
        )


class FieldsPage(StudioScreen, Screen[FormEnd]):
    """A page of fields; what its keys do is for each kind of page to say."""

    CSS_PATH = "form.tcss"
    AUTO_FOCUS = ".-first"
    SAVES_UNCHANGED = False
    """Whether saving means something where nothing was changed."""
    begins_in_a_field = True
    """Whether it opens with the cursor in its first field."""
    READ_FIRST = False
    """Whether the page opens at its first line, also where she has typed into it before."""

    def __init__(
        self,
        unsaved: UnsavedForm,
        form: Form,
        save: Callable[[Mapping[str, str]], Awaitable[None]],
        wording: SearchTerm | None = None,
        propose: Propose | None = None,
    ) -> None:
        """`wording`: words to select at first, if a field still contains them; `propose`:
        returns other values for fields, or None for no change."""
        super().__init__()
        self._wording = wording
        self._propose = propose
        self._unsaved = unsaved
        self.form = form
        self._save = save
        self._pause = TypingPause(self, self._keep)
        self._shown_field: FormInput | None = None
        """The field with the cursor, from when it was in sight."""

    def compose(self) -> ComposeResult:
        """Yields the title, the fields, the hint for the focused one, and the keys."""
        first = self.form.focus or self.form.fields[0].key
        yield Static(id="form-title")
        with VerticalScroll(id="form-fields", can_focus=False):
            for field in self.form.fields:
                with Horizontal(classes="form-row"):
                    yield self.label_of(field)
                    is_first = self.begins_in_a_field and field.key == first
                    yield FormInput(field).set_class(is_first, "-first")
        yield Static(id="form-hint")
        yield ActionLine(id="hints")

    def label_of(self, field: FormField) -> Static:
        """Returns the name of a field, beside it."""
        return Static(content(Phrase(field.label, "quiet")), classes="form-label")

    async def on_mount(self) -> None:
        """Restores what was typed but not saved the last time."""
        self.show_hints()
        self.watch(self.fields, "scroll_y", self._note_shown)
        typed: Mapping[str, str] = {}
        try:
            typed = await asyncio.to_thread(self._unsaved.before)
        except StudioError as error:
            self.studio.tell(error.problem)
        self.restore(typed)
        note = ""
        for field in self.query(FormInput):
            before = field.field.value
            if (value := typed.get(field.field.key, before)) != before:
                meanwhile = field.text.removeprefix(field.opens_with)
                read_first = self.READ_FIRST and not meanwhile
                field.bring_back(value + meanwhile, read_first=read_first)
                note = _("what you typed the last time")
        self._draw(note)
        if self._wording is not None:
            self._select_words(*self._wording)

    @property
    def fields(self) -> VerticalScroll:
        """The part of the page that scrolls."""
        return self.query_one("#form-fields", VerticalScroll)

    def turn_page(self, pages: int) -> None:
        """Scrolls by a page, and puts the cursor into a field that is then in sight: what a key
        does, it does to what she sees."""
        self.scroll_page(pages)
        self._to_field_in_sight()

    def scroll_page(self, pages: int) -> None:
        """Scrolls by a page."""
        height = max(1, self.fields.size.height - 1)
        self.fields.scroll_relative(y=pages * height, animate=False, immediate=True)

    def follow_view(self) -> None:
        """Puts the cursor into a field in sight where the view was moved away from the present one.
        A field that the cursor has only just come to is on its way into sight."""
        if self._shown_field is self.focused:
            self._to_field_in_sight()

    def _note_shown(self) -> None:
        """Remembers the field with the cursor once it is in sight."""
        if isinstance(self.focused, FormInput) and self._begins_in_sight(self.focused):
            self._shown_field = self.focused

    def _to_field_in_sight(self) -> None:
        """Puts the cursor into the first field that begins in sight, where the present one does
        not; into one that reaches into it where none begins there."""
        inputs = list(self.query(FormInput))
        begins = [field for field in inputs if self._begins_in_sight(field)]
        reaches = [field for field in inputs if self._row_of(field).overlaps(self._window)]
        if (begins or reaches) and self.focused not in (begins or reaches):
            self.set_focus((begins or reaches)[0], scroll_visible=False)

    @property
    def _window(self) -> Region:
        """What is in sight of the part that scrolls, in its own rows; a scroll counts at once,
        before it is painted."""
        return Region.from_offset(self.fields.scroll_offset, self.fields.size)

    def _row_of(self, field: FormInput) -> Region:
        assert isinstance(field.parent, Horizontal)
        return field.parent.virtual_region

    def _begins_in_sight(self, field: FormInput) -> bool:
        return self._window.y <= self._row_of(field).y < self._window.bottom

    def restore(self, typed: Mapping[str, str]) -> None:
        """Brings back what a page keeps beside its fields."""

    def _select_words(self, text: str, length: int) -> None:
        for field in self.query(FormInput):
            at = field.text.find(text.rstrip())
            if at >= 0:
                field.focus()
                field.select_span(at, at + length)
                return

    def situation(self) -> Situation:
        """Returns the desk's situation, whether this form plans a chapter, and what saving is."""
        here = super().situation()
        return here._replace(
            chapter_form=self.form.chapter is not None, saves_as=self.form.saves_as
        )

    @property
    def values(self) -> dict[str, str]:
        """The values of the fields, by key."""
        return {field.field.key: field.text for field in self.query(FormInput)}

    @property
    def initial_values(self) -> dict[str, str]:
        """The values before anything was changed."""
        return self.form.values

    def _draw(self, note: str) -> None:
        words = (
            Phrase(self.form.title, "strong"),
            Phrase(f"  {self.form.words}" if self.form.words else ""),
            Phrase(f"   {note}", "accent"),
        )
        self.query_one("#form-title", Static).update(content(words))

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Shows the hint of the focused field."""
        self._note_shown()
        self._draw_hint()

    def _draw_hint(self) -> None:
        if isinstance(self.focused, FormInput):
            field = self.focused.field
            said_of_it = field.says(self.values) if field.says else ""
            hint = "  ".join(filter(None, (self.note_on(field), field.hint, said_of_it)))
            self.query_one("#form-hint", Static).update(content(Phrase(hint, "quiet")))

    def note_on(self, field: FormField) -> str:
        """What is said first of the focused field; a page may have something to say."""
        return ""

    def on_text_area_changed(self) -> None:
        """Stores what was typed when the writer pauses; says what follows from it at once."""
        self._pause.note_typing()
        if isinstance(self.focused, FormInput) and self.focused.field.says:
            self._draw_hint()

    async def _keep(self) -> bool:
        """Stores unsaved values; returns whether there were any."""
        values = self.values
        if values == self.initial_values:
            return False
        await asyncio.to_thread(self._unsaved.keep, values)
        return True

    async def save_and_leave(self, end: FormEnd) -> None:
        """Saves the form and closes it; where that is refused, it stays open."""
        await self.typed_out()
        is_plan = self.form.chapter is not None
        if self.values != self.initial_values or is_plan or self.SAVES_UNCHANGED:
            try:
                await self._save(self.values)
            except StudioError as error:
                await self._keep()
                self.studio.tell(error.problem)
                return
        await self._forget()
        self.leave(end)

    async def typed_out(self) -> None:
        """Returns when earlier keys have reached their field: a slow connection delivers many at
        once, and a global key overtakes them."""
        if self.focused is not None:
            written = asyncio.Event()
            self.focused.call_later(written.set)
            with suppress(TimeoutError):
                await asyncio.wait_for(written.wait(), _IN_TIME)

    async def keep_or_forget(self) -> bool:
        """Keeps what is not saved for the next time; returns whether there is anything."""
        is_saved = await self._keep()
        if not is_saved:
            await self._forget()
        return is_saved

    async def _forget(self) -> None:
        await asyncio.to_thread(self._unsaved.forget)

    def leave(self, end: FormEnd) -> None:
        """Closes the form."""
        self._pause.stop()
        self.dismiss(end)

    async def leave_for_now(self) -> None:
        """Closes the form; what is not saved is kept for the next time, which is said."""
        await self.typed_out()
        if await self.keep_or_forget():
            self.studio.say(_("What you typed is kept; it is here when you open this again."))
        self.leave("left")

    async def keep_typed(self) -> None:
        """Keeps the typed values when the app exits."""
        await self._keep()


class FormScreen(FieldsPage):
    """The fields of one thing: the plan of a chapter, a person, the rules."""

    WHERE = ("form",)
    _keys_wait = False
    """Whether keys are held back for a question that is on its way."""

    @performs("form.save")
    async def save(self) -> None:
        """Saves the form and closes it."""
        await self.save_and_leave("saved")

    @performs("form.scenes")
    async def to_scenes(self) -> None:
        """Saves the form and continues with the scenes of the chapter."""
        await self.save_and_leave("scenes")

    @performs("form.propose")
    def propose(self) -> None:
        """Proposes other values for the fields and shows them for review; nothing is saved."""
        if self._propose is not None:
            self.converse(self._take_proposal(self._propose))

    def on_screen_suspend(self) -> None:
        """What was typed while a question was on its way is words of the answer."""
        self._hand_keys_on()

    def _hand_keys_on(self) -> None:
        if self._keys_wait:
            self._keys_wait = False
            self.studio.typed.end_wait(self)

    async def _take_proposal(self, propose: Propose) -> None:
        self._keys_wait = True
        self.studio.typed.begin_wait(self)
        try:
            await self.typed_out()
            values = await propose(self.values)
        finally:
            self._hand_keys_on()
        for key, value in (values or {}).items():
            field = self.query_one(f"#field-{key}", FormInput)
            if field.text != value:
                field.replace(value, (0, 0), field.document.end)
        if values:
            self._draw(_("not saved; Ctrl+Z in a field brings back what stood there"))

    @performs("form.write")
    async def write_instead(self) -> None:
        """Goes to the editor instead; the plan can wait."""
        await self.typed_out()
        await self.keep_or_forget()
        self.leave("write")

    @performs("form.close")
    async def close(self) -> None:
        """Closes the form; unsaved values are kept for the next time."""
        await self.leave_for_now()
