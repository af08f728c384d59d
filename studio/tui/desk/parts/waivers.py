"""What is meant as it is: findings put aside by the writer, and taken up again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, cast

from studio.errors import StudioError
from studio.i18n import N_, _
from studio.pipeline.author import WaiveOrder
from studio.story.review.waiver import ends_at, reach
from studio.tui.desk.protocol import tried
from studio.tui.performs import performs

if TYPE_CHECKING:
    from studio.story.review.directive import Directive
    from studio.tui.desk.parts.decisions import Decisions
    from studio.tui.desk.protocol import Desk

_REACHES = (
    ("here", N_("Here: these paragraphs, while nobody edits them")),
    ("chapter", N_("In this chapter")),
    ("book", N_("In the whole book")),
)


class Waivers:
    """Waive, and lift."""

    def __init__(self, desk: Desk, decisions: Decisions) -> None:
        self._desk = desk
        self._decisions = decisions

    @performs("directives.waive")
    def waive(self) -> None:
        """Puts a finding aside that is meant."""
        directive = self._desk.directives.selected
        assert directive is not None  # the action's reason_disabled says so
        self._desk.work(self._waive(directive), "decide")

    def lift(self, directive: Directive) -> None:
        """Takes a waiver back."""
        self._desk.work(self._lift(directive), "decide")

    async def _waive(self, directive: Directive) -> None:
        order = await self._order()
        if order is None:
            return
        craft = self._desk.session.craft()
        if await tried(self._desk, craft.waive, [directive.id], order):
            waiver = (await self._desk.bridge.call(craft.covering, directive.id))[-1:]
            where = f", {reach(waiver[0])}" if waiver else ""
            self._desk.studio.say(
                _("Waived{where}. It is measured, and no longer proposed.", where=where)
            )
            await self._decisions.after_directives(advance=True)

    async def _order(self) -> WaiveOrder | None:
        """Why, how far, until when; None where she leaves it."""
        from studio.tui.screens.ask import Ask, Choose

        ask = self._desk.studio.push_screen_wait
        words = _("Why is it meant so? The next reader may be you.")
        reason = await ask(Ask(_("Waive this finding"), words, empty=False))
        reaches = [(scope, _(name)) for scope, name in _REACHES]
        scope = await ask(Choose(_("How far?"), reaches)) if reason is not None else None
        if reason is None or scope is None:
            return None
        words = _("A chapter as 12, or a day as 2027-03-31. Empty: without an end.")
        until: str | None = ""
        while until is not None:
            if (until := await ask(Ask(_("Until when?"), words, until))) is None:
                break
            try:
                chapter, day = ends_at(until)
            except StudioError as error:
                words = str(error.problem)
                continue
            reaching = cast("Literal['here', 'chapter', 'book']", scope)
            return WaiveOrder(reason.strip(), reaching, until_chapter=chapter, until_date=day)
        return None

    async def _lift(self, directive: Directive) -> None:
        from studio.tui.screens.ask import Confirm

        craft = self._desk.session.craft()
        covering = await self._desk.bridge.call(craft.covering, directive.id)
        wide = [w for w in covering if w.scope != "here"]
        if wide:
            words = _("It holds {reach}: {reason}", reach=reach(wide[0]), reason=wide[0].reason)
            if not await self._desk.studio.push_screen_wait(Confirm(_("Lift the waiver?"), words)):
                return
        if await tried(self._desk, craft.raise_again, directive.id):
            self._desk.studio.say(_("The waiver is lifted; the finding waits for you again."))
            await self._decisions.after_directives(advance=False)
