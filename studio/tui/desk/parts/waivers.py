"""Waivers at the desk: findings the writer declares intended, and lifting such a waiver."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from studio.i18n import N_, _, as_label, translate
from studio.messages import said
from studio.pipeline.author import WaiveOrder
from studio.story.review.waiver import reach, subject_of, subject_words
from studio.tui.desk.protocol import try_to_do
from studio.tui.performs import performs

if TYPE_CHECKING:
    from studio.story.review.directive import Directive
    from studio.story.review.waiver import Waiver, WaiverScope
    from studio.tui.desk.parts.decisions import Decisions
    from studio.tui.desk.protocol import Desk

_MEANT = N_("It is meant.")
"""The default reason of a waiver."""

_AFTER = {
    (False, True): N_("It is meant {where}, and no longer proposed."),
    (False, False): N_("Nothing of this kind is proposed {where} any more."),
    (True, False): N_("“{words}” is meant {where}. All else of this kind is still proposed."),
}
"""What is said after a waiver, by whether it has a subject and whether it is of one passage."""


class WaiverDesk:
    """Waives findings that are intended, and lifts waivers."""

    def __init__(self, desk: Desk, decisions: Decisions) -> None:
        self._desk = desk
        self._decisions = decisions

    @performs("desk.waivers")
    def list_waivers(self) -> None:
        """Lists every waiver of the book, and takes one back after asking."""
        self._desk.work(self._list(), "decide")

    async def _list(self) -> None:
        from studio.tui.screens.ask import Choose, Confirm

        desk = self._desk
        waivers = await desk.bridge.call(desk.session.store.waivers)
        rows = {one.id: _row(one) for one in waivers.waivers}
        rows |= {one.id: as_label(one.fact_key) + one.reason for one in waivers.facts}
        if not rows:
            desk.studio.say(_("Nothing is meant so far: m or x on a proposal says so."))
            return
        about = _("Enter takes one back; what it covered is proposed again.")
        title = _("What is meant")
        waiver_id = await desk.studio.push_screen_wait(Choose(title, [*rows.items()], about))
        if waiver_id is None:
            return
        if not await desk.studio.push_screen_wait(Confirm(_("Lift the waiver?"), rows[waiver_id])):
            return
        if await try_to_do(desk, self._take_back, waiver_id):
            desk.studio.say(_("It is not meant any more; the next reading may propose it."))
            await self._decisions.after_directives(advance=False)

    def _take_back(self, waiver_id: str) -> None:
        if waiver_id.startswith("fact_"):
            from studio.book.continuity.ledger import lift_fact

            lift_fact(self._desk.session.store, waiver_id)
        else:
            self._desk.session.craft().lift(waiver_id)

    def lift(self, directive: Directive) -> None:
        """Lifts a waiver."""
        self._desk.work(self._lift(directive), "decide")

    async def waive(
        self, directive: Directive, where: Literal["words"] | WaiverScope, reason: str
    ) -> None:
        """Waives an intended finding within the given scope; with `words`, what it is about in the
        whole book, by words of hers that tell it."""
        subject = await self._ask_for_subject(directive) if where == "words" else ""
        if subject is None:
            return
        scope: WaiverScope = "book" if where == "words" else where
        order = WaiveOrder(reason or _(_MEANT), scope, subject)
        craft = self._desk.session.craft()
        if await try_to_do(self._desk, craft.waive, [directive.id], order):
            self._desk.directives.note_decided(directive)
            waiver = (await self._desk.bridge.call(craft.waivers_of, directive.id))[-1:]
            if waiver:
                words = _AFTER[bool(subject), scope == "here"]
                where_words = translate(reach(waiver[0]))
                self._desk.studio.say(_(words, where=where_words, words=subject))
            await self._decisions.after_directives(advance=True)

    async def _ask_for_subject(self, directive: Directive) -> str | None:
        from studio.tui.screens.ask import Ask

        asked = _(
            "Which words tell it? What quotes or names them is not proposed again; all else of this"
            " kind is."
        )
        title = _("This one thing in the whole book")
        card = Ask(title, asked, subject_of(directive), empty=False)
        return await self._desk.studio.push_screen_wait(card)

    async def _lift(self, directive: Directive) -> None:
        from studio.tui.screens.ask import Confirm

        craft = self._desk.session.craft()
        covering = await self._desk.bridge.call(craft.waivers_of, directive.id)
        wide = [w for w in covering if w.scope != "here"]
        if wide:
            so_far = translate(reach(wide[0]))
            words = _("It holds {reach}: {reason}", reach=so_far, reason=wide[0].reason)
            if not await self._desk.studio.push_screen_wait(Confirm(_("Lift the waiver?"), words)):
                return
        if await try_to_do(self._desk, craft.raise_again, directive.id):
            self._desk.studio.say(_("The waiver is lifted; the finding waits for you again."))
            await self._decisions.after_directives(advance=False)


def _row(waiver: Waiver) -> str:
    """Returns what a waiver is about, how far it reaches, and why."""
    words = said("{kind}, {reach}", kind=subject_words(waiver), reach=reach(waiver))
    return as_label(translate(words)) + waiver.reason
