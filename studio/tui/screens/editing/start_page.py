"""What is proposed for a step of a book's beginning, as a page: read whole, changed in place,
taken, asked for again with a wish, left out, or left for later."""

from __future__ import annotations

from typing import TYPE_CHECKING

from studio.i18n import _, translate
from studio.pipeline.beginning.pieces import pieces_of
from studio.pipeline.beginning.steps import AGAIN, NEXT
from studio.tui.performs import performs
from studio.tui.screen import keys_for
from studio.tui.screens.form import FieldsPage
from studio.tui.views.forms.form_fields import Form, FormField
from studio.tui.views.situation import Situation

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from studio.project.unsaved import UnsavedForm
    from studio.story.checkpoint import Decision


def form_of(question: Decision) -> Form:
    """Returns the page of a step's proposal, a field for each of its pieces."""
    takes = translate(question.data.get("options", {}).get(NEXT, ""))
    how = _("Change it as you like; empty, it is left out.")
    hint = f"{takes} {how}"
    fields = tuple(
        FormField(f"piece-{number}", translate(piece.label), piece.text, hint, tall=True)
        for number, piece in enumerate(pieces_of(question))
    )
    return Form(name_of(question), translate(question.rationale), fields)


def name_of(question: Decision) -> str:
    """Returns the name of a proposal's page: what was changed in it is kept for this very one."""
    from studio.story.chapter import sha256_of

    words = "|".join(piece.text for piece in pieces_of(question))
    return f"{question.id}-{sha256_of(words)[:12]}"


class StartPage(FieldsPage):
    """The page of one step's proposal."""

    CSS_PATH = "../form.tcss"
    WHERE = ("start",)
    BINDINGS = [*keys_for("start"), *keys_for("global")]
    SAVES_UNCHANGED = True

    def __init__(
        self,
        unsaved: UnsavedForm,
        question: Decision,
        save: Callable[[Mapping[str, str]], Awaitable[None]],
    ) -> None:
        self._can_ask = AGAIN in question.options
        keys = [piece.key for piece in pieces_of(question)]

        async def take(values: Mapping[str, str]) -> None:
            await save(dict(zip(keys, values.values(), strict=True)))

        super().__init__(unsaved, form_of(question), take)

    def situation(self) -> Situation:
        """Returns whether another proposal can be asked for."""
        return super().situation()._replace(result=self._can_ask)

    @performs("start.take")
    async def take(self) -> None:
        """Takes the proposal as it stands on the page."""
        await self.save_and_leave("saved")

    @performs("start.again")
    async def ask_again(self) -> None:
        """Asks for another proposal."""
        await self.typed_out()
        await self.keep_or_forget()
        self.leave("again")

    @performs("start.leave_out")
    async def leave_out(self) -> None:
        """Leaves the step out."""
        await self.keep_or_forget()
        self.leave("skip")

    @performs("start.by_hand")
    async def do_by_hand(self) -> None:
        """Leaves the step to the writer."""
        await self.keep_or_forget()
        self.leave("by-hand")

    @performs("start.close")
    async def go_back(self) -> None:
        """Goes back; the proposal waits."""
        await self.typed_out()
        if await self.keep_or_forget():
            self.studio.say(_("What you typed is kept; it is here when you open this again."))
        self.leave("left")
