"""Waivers at the desk: findings the writer declares intended, and lifting such a waiver."""

from __future__ import annotations

from typing import TYPE_CHECKING

from studio.i18n import N_, _, further, translate
from studio.pipeline.author import WaiveOrder
from studio.story.review.waiver import reach
from studio.tui.desk.protocol import try_to_do

if TYPE_CHECKING:
    from studio.story.review.directive import Directive
    from studio.story.review.waiver import Scope
    from studio.tui.desk.parts.decisions import Decisions
    from studio.tui.desk.protocol import Desk

_MEANT = N_("It is meant.")
"""The default reason of a waiver."""


class WaiverDesk:
    """Waives findings that are intended, and lifts waivers."""

    def __init__(self, desk: Desk, decisions: Decisions) -> None:
        self._desk = desk
        self._decisions = decisions

    def lift(self, directive: Directive) -> None:
        """Lifts a waiver."""
        self._desk.work(self._lift(directive), "decide")

    async def waive(self, directive: Directive, scope: Scope, reason: str) -> None:
        """Waives an intended finding within the given scope."""
        order = WaiveOrder(reason or _(_MEANT), scope)
        craft = self._desk.session.craft()
        if await try_to_do(self._desk, craft.waive, [directive.id], order):
            waiver = (await self._desk.bridge.call(craft.waivers_of, directive.id))[-1:]
            where = further(translate(reach(waiver[0]))) if waiver else ""
            self._desk.studio.say(
                _("It is meant{where}. It is measured, and no longer proposed.", where=where)
            )
            await self._decisions.after_directives(advance=True)

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
