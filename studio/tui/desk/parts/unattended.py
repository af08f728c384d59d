"""A chapter written at the desk without a question: what a run by command does with
`--review accept` or `reject`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from studio.i18n import _, one_after_another, translate
from studio.messages import said
from studio.tui.performs import performs

if TYPE_CHECKING:
    from studio.story.status import ReviewMode
    from studio.tui.desk.parts.planning import Planning
    from studio.tui.desk.parts.run import RunFollower
    from studio.tui.desk.protocol import Desk


class UnattendedRun:
    """Writes one chapter without asking, once its author has read what that costs."""

    def __init__(self, desk: Desk, run: RunFollower, planning: Planning) -> None:
        self._desk = desk
        self._run = run
        self._planning = planning

    @performs("desk.unattended")
    def unattended(self) -> None:
        """Asks what becomes of the proposals, says the price, and begins."""
        self._desk.converse(self._begin())

    async def _begin(self) -> None:
        from studio.pipeline.chapter.order import WriteOrder
        from studio.tui.desk.load import price_of_run
        from studio.tui.screens.ask import Choose

        desk, now = self._desk, self._desk.situation()
        book = desk.state.book
        if book is None or not (now.inflight or await self._planning.can_be_written()):
            return
        chapter = book.next_chapter
        price = await desk.bridge.read(price_of_run, desk.session, WriteOrder(chapter))
        rows = [_("Nobody is asked; what is left open is said at the end.")]
        if price is not None:
            rows.append(translate(said("It costs {price}.", price=price.words)))
        if desk.state.has_model:
            rows.append(_("What each fix costs that is taken is not known before."))
        title = _("Chapter {chapter} into the book without a question?", chapter=chapter)
        ways = [
            ("accept", _("Take every fix that is measured or approved as better")),
            ("reject", _("Take none of the fixes")),
        ]
        chosen_way = await desk.studio.push_screen_wait(
            Choose(title, ways, one_after_another(*rows))
        )
        review: ReviewMode | None = next((m for m in _MODES if m == chosen_way), None)
        if review is not None:
            order = WriteOrder(chapter, review=review)
            self._run.start("resume" if now.inflight else "write", order, is_priced=True)


_MODES: tuple[ReviewMode, ...] = ("accept", "reject")
