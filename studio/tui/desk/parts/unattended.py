"""Chapters written at the desk without a question: what a run by command does with
`--review accept` or `reject`, and `--count`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from studio.errors import Exit
from studio.i18n import _, ngettext, one_after_another, translate
from studio.messages import said
from studio.pipeline.outcome import Committed
from studio.tui.performs import performs

if TYPE_CHECKING:
    from studio.pipeline.outcome import Outcome
    from studio.pipeline.volume.long_run import LongRun
    from studio.story.status import ReviewMode
    from studio.tui.book import Book
    from studio.tui.desk.parts.planning import Planning
    from studio.tui.desk.parts.run import RunFollower
    from studio.tui.desk.protocol import Desk
    from studio.tui.runtime.bridge import RunKind


class UnattendedRun:
    """Writes as many chapters without asking as its author names, once she has read what that
    costs."""

    def __init__(self, desk: Desk, run: RunFollower, planning: Planning) -> None:
        self._desk = desk
        self._run = run
        self._planning = planning
        self._series: LongRun | None = None
        """The chapters of a run without questions; None during any other."""
        self._left = 0
        """How many of the last such run are left: the answer that stands there the next time."""

    @performs("desk.unattended")
    def unattended(self) -> None:
        """Asks what becomes of the proposals, says the price, and begins."""
        self._desk.converse(self._begin())

    async def _begin(self) -> None:
        from studio.pipeline.volume.long_run import LongRun
        from studio.tui.screens.ask import Choose

        desk, now = self._desk, self._desk.situation()
        book = desk.state.book
        if book is None:
            return
        if not (now.inflight or await self._planning.can_be_written(self.unattended)):
            return  # once the plan that is missing is saved, it is asked again
        chapter = book.next_chapter
        count = await self._count(book)
        if count is None:
            return
        title = _("Chapter {chapter} into the book without a question?", chapter=chapter)
        if count > 1:
            title = _(
                "Chapters {first} to {last} into the book without a question?",
                first=chapter,
                last=chapter + count - 1,
            )
        rows = await self._what_it_is(chapter, count)
        ways = [
            ("accept", _("Take every fix that is measured or approved as better")),
            ("reject", _("Take none of the fixes")),
        ]
        chosen_way = await desk.studio.push_screen_wait(
            Choose(title, ways, one_after_another(*rows))
        )
        review: ReviewMode | None = next((m for m in _MODES if m == chosen_way), None)
        if review is not None:
            self._series = LongRun(review, count)
            self._start("resume" if now.inflight else "write", chapter, self._series)

    async def _count(self, book: Book) -> int | None:
        """Asks how many chapters it is about, where more than the next are planned; None where she
        leaves it."""
        from studio.tui.screens.ask import Ask

        most = _planned_from(book)
        if most < 2:
            return 1
        title = _("How many chapters without a question?")
        words = _(
            "{n} are planned from here. It stops where one cannot go into the book, or with Esc.",
            n=most,
        )
        value = str(min(self._left or 1, most))
        while True:
            answer = await self._desk.studio.push_screen_wait(Ask(title, words, value, False))
            if answer is None:
                return None
            value = answer.strip()
            if value.isdecimal() and 1 <= int(value) <= most:
                return int(value)
            self._desk.studio.say(_("A number from 1 to {most}.", most=most), "warning")

    async def _what_it_is(self, chapter: int, count: int) -> list[str]:
        """Returns what is said before so many chapters are written: their price above all."""
        from studio.pipeline.chapter.order import WriteOrder
        from studio.story.ledger import Estimate
        from studio.tui.desk.load import price_of_run

        desk = self._desk
        price = await desk.bridge.read(price_of_run, desk.session, WriteOrder(chapter))
        rows = [_("Nobody is asked; what is left open is said at the end.")]
        if count > 1 and price is not None:
            later = await desk.bridge.read(price_of_run, desk.session, WriteOrder(chapter + 1))
            price = Estimate.together([price, (later or price).times(count - 1)])
        if price is not None:
            rows.append(translate(said("It costs {price}.", price=price.words)))
        if desk.state.has_model:
            rows.append(_("What each fix costs that is taken is not known before."))
        return rows

    def _start(self, kind: RunKind, chapter: int, series: LongRun) -> None:
        from studio.pipeline.chapter.order import WriteOrder

        order = WriteOrder(chapter, review=series.review, several=series.count > 1)
        self._run.start(kind, order, is_priced=True)

    def record(self, outcome: Outcome) -> tuple[Committed, ...]:
        """Takes the end of a run and returns the chapters of which it is time to tell what became
        of them: of several without questions all, once the last has ended."""
        state, series = self._desk.state, self._series
        if series is None:
            return (outcome,) if isinstance(outcome, Committed) else ()
        is_stopped = state.run.stopping  # Esc came while the chapter was being saved
        code = Exit.INTERRUPTED if is_stopped else outcome.exit_code
        state.goes_on = series.goes_on(outcome, code)
        return () if state.goes_on else tuple(series.written)

    def go_on(self) -> None:
        """Begins the next chapter of those she named, unless something ended them; says how many
        are left then."""
        state, series = self._desk.state, self._series
        if series is None:
            return
        goes_on, state.goes_on = state.goes_on and not state.run.stopping, False
        if goes_on:
            self._start("write", series.written[-1].chapter + 1, series)
            return
        self._series = None
        left = self._left = series.count - len(series.committed)
        if left and series.count > 1:
            words = ngettext(
                "{n} chapter that was to be written without a question is left.",
                "{n} chapters that were to be written without a question are left.",
                left,
            )
            self._desk.studio.say(words)


def _planned_from(book: Book) -> int:
    """Returns how many chapters, from the next on, have a plan one after another."""
    number = book.next_chapter + 1
    while (entry := book.contents.entry(number)) is not None and entry.planned:
        number += 1
    return number - book.next_chapter


_MODES: tuple[ReviewMode, ...] = ("accept", "reject")
