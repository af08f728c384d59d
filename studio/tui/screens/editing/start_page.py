"""What is proposed for the book, as a page: read whole, changed in place, ticked piece by piece,
taken, asked for again with a wish, left out, or left for later."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import events
from textual.widgets import Static

from studio.config.catalog import NARRATIONS, narration_meant
from studio.errors import usage
from studio.i18n import _, language_in_force, one_after_another, series, translate
from studio.pipeline.beginning.files import LENGTH
from studio.pipeline.beginning.pieces import NARRATION, ProposedPiece, words_of
from studio.pipeline.beginning.steps import AGAIN, BY_HAND, HERS, READ_AS
from studio.pipeline.volume.proposed import pieces_of, unanswered_wish
from studio.tui.actions import BY_ID
from studio.tui.performs import performs
from studio.tui.screens.form import FieldsPage, FormInput
from studio.tui.views.forms.form_fields import Form, FormField, length_answered
from studio.tui.views.key_names import first_key
from studio.tui.views.situation import Situation
from studio.tui.views.words import Phrase
from studio.tui.widgets.styled import content, contents

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from studio.project.unsaved import UnsavedForm
    from studio.story.checkpoint import Decision

_INTO_A_FIELD = ("tab", "shift+tab", "enter", "down")
"""The keys that go into a field of a page that has opened by itself."""
_TURNS = {"pagedown": 1, "pageup": -1}
"""The keys that turn such a page, and by how many pages."""
_LEFT_OUT = "left-out"
"""The key under which is kept what is not ticked."""


def form_of(question: Decision) -> Form:
    """Returns the page of a proposal, a field for each of its pieces."""
    takes = translate(question.data.get("options", {}).get(question.options[0], ""))
    how = _("Change it as you like; what is empty or not ticked is left out.")
    keys = _("Tab goes to the next piece, PageDown turns the page.")
    hint = one_after_another(takes if question.kind == "start" else "", how, keys)
    ticks = _("What is ticked is taken.")
    fields = tuple(
        FormField(
            f"piece-{number}",
            _label_of(piece),
            words_of(piece),
            _hint_of(piece, ticks if piece.read_only else hint),
            tall=True,
        )
        for number, piece in enumerate(pieces_of(question))
    )
    wants = _("Nothing came of what you wanted otherwise; “Again, but …” has your words.")
    is_unanswered = bool(unanswered_wish(question))
    read_as = translate(question.data.get(READ_AS) or "")
    words = one_after_another(read_as, wants if is_unanswered else "")
    return Form(name_of(question), translate(question.rationale), fields, words)


def _hint_of(piece: ProposedPiece, hint: str) -> str:
    """Returns the hint of a piece: what can stand in it, where not everything can."""
    if piece.key == NARRATION:
        return _("One of these, or nothing: {ways}.", ways=_ways())
    return hint


def _ways() -> str:
    return series(f"“{_(name)}”" for way, name in NARRATIONS.items() if way)


def _label_of(piece: ProposedPiece) -> str:
    """Returns the label of a piece. A promise begins with what is promised, so that its id, which a
    command takes, tells its author nothing."""
    return _("Promise") if piece.key.startswith("promise|") else translate(piece.label)


def _saved(piece: ProposedPiece, words: str) -> str:
    """Returns what is saved of a piece whose field holds these words."""
    if piece.read_only:
        return piece.text
    return narration_meant(words) if piece.key == NARRATION else words


def _refuse_narration(words: str) -> None:
    """Raises StudioError (exit 2) for a way of telling a book that there is not: a novel whose
    settings name one does not open."""
    if words.strip() not in NARRATIONS:
        raise usage(
            _("“{words}” is none of the ways a book can be told.", words=words.strip()),
            _("Write one of these, or leave it empty: {ways}.", ways=_ways()),
        )


def name_of(question: Decision) -> str:
    """Returns the name of a proposal's page: what was changed in it is kept for this very one, in
    the language whose headings stand in it."""
    from studio.story.chapter import sha256_of

    words = "|".join((language_in_force(), *(piece.text for piece in pieces_of(question))))
    return f"{question.id}-{sha256_of(words)[:12]}"


class Tick(Static):
    """The name of a piece, with its tick; a click turns it."""

    def __init__(self, field: FormField) -> None:
        super().__init__(classes="form-label")
        self.field = field

    def show(self, *, ticked: bool) -> None:
        """Shows the piece as taken or left out."""
        if ticked:
            self.update(content(Phrase(f"✓ {self.field.label}")))
        else:
            name = (Phrase(f"· {self.field.label}", "quiet"),)
            self.update(contents((name, (Phrase(_("left out"), "warn"),))))

    def on_click(self, event: events.Click) -> None:
        """Turns the tick."""
        event.stop()
        if isinstance(self.screen, StartPage):
            self.screen.turn(self.field.key)


class StartPage(FieldsPage):
    """The page of one proposal: a step of the beginning, a volume's plan, a clean-up."""

    CSS_PATH = "../form.tcss"
    WHERE = ("start",)
    SAVES_UNCHANGED = True
    READ_FIRST = True

    def __init__(
        self,
        unsaved: UnsavedForm,
        question: Decision,
        save: Callable[[Mapping[str, str]], Awaitable[None]],
        *,
        is_asked_for: bool = True,
    ) -> None:
        """`is_asked_for`: whether a key of hers opened it. Else its fields take no letter before
        she has gone into one: she may be typing something else in the moment in which it opens."""
        self._can_ask = AGAIN in question.options
        self._can_do = BY_HAND in question.options
        pieces = pieces_of(question)
        self._pieces = {f"piece-{number}": piece for number, piece in enumerate(pieces)}
        self.words: Mapping[str, str] = {}
        """What stood in the pieces, by their own keys, when another proposal was asked for; empty
        for what was left out."""
        hers: Mapping[str, str] = question.data.get(HERS) or {}
        self._at_first = frozenset(
            name
            for name, piece in self._pieces.items()
            if question.kind == "clean_up" or hers.get(piece.key) == ""
        )
        """What is not ticked before she has: nothing leaves the story's state by itself, and what
        she left out of the proposal before is not taken out of this one."""
        self._left_out = self._at_first

        async def take(values: Mapping[str, str]) -> None:
            words = self._words_of(values)
            _refuse_narration(words.get(NARRATION, ""))
            if words.get(LENGTH):
                length_answered(words[LENGTH])
            await save(words)

        super().__init__(unsaved, form_of(question), take)
        self.begins_in_a_field = is_asked_for

    def label_of(self, field: FormField) -> Static:
        """Returns the name of a piece, with its tick."""
        tick = Tick(field)
        tick.show(ticked=field.key not in self._left_out)
        return tick

    async def on_mount(self) -> None:
        """Lets nothing be typed into what is only taken or left."""
        for field in self.query(FormInput):
            field.read_only = self._pieces[field.field.key].read_only
        self._draw_hint()

    def on_key(self, event: events.Key) -> None:
        """Goes into a field in sight where she is in none yet; the page is turned without one."""
        if self.focused is not None or event.key not in (*_INTO_A_FIELD, *_TURNS):
            return
        if event.key in _TURNS:
            self.turn_page(_TURNS[event.key])
        else:
            self._to_field_in_sight()
        event.stop()
        event.prevent_default()

    def turn_page(self, pages: int) -> None:
        """Scrolls by a page; before she has gone into a field, without going into one."""
        if self.focused is not None:
            super().turn_page(pages)
        else:
            self.scroll_page(pages)

    def _draw_hint(self) -> None:
        if self.focused is not None:
            super()._draw_hint()
            return
        words = _("To change a piece, go into it first: Tab, Enter, Down or a click.")
        hint = one_after_another(words, self.form.fields[0].hint if self.form.fields else "")
        self.query_one("#form-hint", Static).update(content(Phrase(hint, "quiet")))

    @property
    def values(self) -> dict[str, str]:
        """The values of the pieces, and what is not ticked."""
        return {**super().values, _LEFT_OUT: " ".join(sorted(self._left_out))}

    @property
    def initial_values(self) -> dict[str, str]:
        """The values before anything was changed."""
        return {**super().initial_values, _LEFT_OUT: " ".join(sorted(self._at_first))}

    def _words_of(self, values: Mapping[str, str]) -> dict[str, str]:
        left_out = values[_LEFT_OUT].split()
        return {
            piece.key: "" if name in left_out else _saved(piece, values[name])
            for name, piece in self._pieces.items()
        }

    def restore(self, typed: Mapping[str, str]) -> None:
        """Brings back the ticks of the last time."""
        if _LEFT_OUT in typed:
            self._left_out = frozenset(typed[_LEFT_OUT].split())
            for tick in self.query(Tick):
                tick.show(ticked=tick.field.key not in self._left_out)

    def situation(self) -> Situation:
        """Returns whether another proposal can be asked for, and whether she can do it herself."""
        return super().situation()._replace(result=self._can_ask, by_hand=self._can_do)

    def turn(self, key: str) -> None:
        """Ticks a piece, or takes its tick away."""
        self._left_out ^= {key}
        for tick in self.query(Tick):
            if tick.field.key == key:
                tick.show(ticked=key not in self._left_out)
        self._draw_hint()
        self._pause.note_typing()

    @performs("start.tick")
    def tick(self) -> None:
        """Ticks the piece in which the cursor is, or takes its tick away."""
        self.follow_view()
        if isinstance(self.focused, FormInput):
            self.turn(self.focused.field.key)

    def note_on(self, field: FormField) -> str:
        """Says of a piece that is left out which one it is, and how it comes back."""
        if field.key not in self._left_out:
            return ""
        key = first_key(BY_ID["start.tick"], self.studio.keymap)
        return _("“{piece}” is left out; {key} takes it again.", piece=field.label, key=key)

    @performs("start.take")
    async def take(self) -> None:
        """Takes the proposal as it stands on the page."""
        await self.save_and_leave("saved")

    @performs("start.again")
    async def ask_again(self) -> None:
        """Asks for another proposal."""
        await self.typed_out()
        await self.keep_or_forget()
        self.words = self._words_of(self.values)
        self.leave("again")

    @performs("start.leave_out")
    async def leave_out(self) -> None:
        """Leaves all of it out, once she has said so in a card."""
        await self.typed_out()
        await self.keep_or_forget()
        self.leave("left-out")

    @performs("start.by_hand")
    async def do_by_hand(self) -> None:
        """Leaves the step to the writer."""
        await self.keep_or_forget()
        self.leave("by-hand")

    @performs("start.close")
    async def go_back(self) -> None:
        """Goes back; the proposal waits."""
        await self.leave_for_now()
