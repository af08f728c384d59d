"""The chapter in progress at the desk: its runs are started, stopped and followed, alone or several
without a question; and it is shown, discarded, read again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING

from studio.errors import Exit
from studio.i18n import _, ngettext, translate
from studio.messages import said
from studio.pipeline.outcome import Committed
from studio.session import StartOrder, WriteOrder
from studio.story.form.numerals import whole_number
from studio.story.status import DirectiveStatus
from studio.tui.desk.load import price_of_run, read_scene
from studio.tui.desk.protocol import try_to_do
from studio.tui.performs import performs
from studio.tui.views.run.moment import RunState, begin_run
from studio.tui.views.run.run_state import apply_events, with_scene

if TYPE_CHECKING:
    from studio.pipeline.events import Event
    from studio.pipeline.outcome import Outcome
    from studio.pipeline.volume.long_run import LongRun
    from studio.story.status import ReviewMode
    from studio.tui.book import Book
    from studio.tui.desk.parts.planning import Planning
    from studio.tui.desk.protocol import Desk
    from studio.tui.runtime.bridge import RunKind, RunWork


_SILENT = 2
"""Seconds of silence after which the writer is told how long it has lasted."""


class RunFollower:
    """Follows a run by its events; rereads the book when a stage has produced something."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._state = desk.state
        self._warned: set[str] = set()
        self._waits_since = 0.0
        """When the call that is waited for began, on the monotonic clock."""
        self.began_at = 0.0
        """The start of the run on the monotonic clock."""
        self._is_asking = False
        """Whether a run waits for the answer how much the model can read at once."""

    def start(
        self, kind: RunKind, order: WriteOrder | None = None, *, is_priced: bool = False
    ) -> None:
        """Starts a run; it works on the files on disk, so no state is passed.

        This is the one place that decides whether a chapter's calls may begin: `is_priced` says
        that the writer has read what they cost, beside the key or on a card; otherwise she is told
        and asked first.
        """
        order = order or WriteOrder()
        if is_priced or not self._state.has_model:
            self._once_window_known(lambda: self._start(kind, order))
        else:
            self._desk.converse(self._start_if_agreed(kind, order))

    async def _start_if_agreed(self, kind: RunKind, order: WriteOrder) -> None:
        """Says what a run costs and starts it on her yes; at once where it costs nothing."""
        from studio.tui.screens.ask import Confirm

        desk = self._desk
        price = await desk.bridge.read(price_of_run, desk.session, order)
        if price is not None:
            title = _("Go on with the chapter?")
            if order.again:
                title = _("Review chapter {chapter} again?", chapter=order.chapter)
            words = translate(said("It costs {price}.", price=price.words))
            if not await desk.studio.push_screen_wait(Confirm(title, words)):
                return
        self._once_window_known(lambda: self._start(kind, order))

    def _start(self, kind: RunKind, order: WriteOrder) -> None:
        state = self._state
        self._desk.bridge.start(kind, order)
        self._begin(order)
        if (chapter := state.run.chapter) is not None and chapter != state.chapter:
            self._desk.work(self._desk.show_chapter(chapter), "show")

    def begin_book(self, order: StartOrder) -> None:
        """Begins the book, or resumes its beginning."""
        session = self._desk.session
        self.begin_work(lambda hear: session.start(order, hear))

    def begin_work(self, work: RunWork) -> None:
        """Starts work that concerns the book rather than a chapter."""
        self._once_window_known(lambda: self._begin_work(work))

    def _begin_work(self, work: RunWork) -> None:
        self._desk.bridge.begin(work)
        self._begin(WriteOrder())

    def _once_window_known(self, begin: Callable[[], None]) -> None:
        """Begins at once, or after asking how much the model can read at once."""
        if self._state.window_known:
            begin()
        elif not self._is_asking:
            self._is_asking = True
            self._desk.work(self._ask_for_window(begin), "window")

    async def _ask_for_window(self, begin: Callable[[], None]) -> None:
        from studio.tui.screens.window_question import is_window_settled

        try:
            self._state.window_known = await is_window_settled(
                self._desk.studio, self._desk.session
            )
        finally:
            self._is_asking = False
        if self._state.window_known:
            begin()

    def _begin(self, order: WriteOrder) -> None:
        desk, state = self._desk, self._state
        desk.studio.take_back_said()
        inflight = state.book.checkpoint.inflight_chapter if state.book else None
        chapter = order.chapter or inflight or (state.book.next_chapter if state.book else None)
        joins = desk.session.settings.novel.form == "serial"
        begun = begin_run(chapter, state.run)
        state.run = begun._replace(joins=joins, asks_nobody=order.review != "ask")
        self.began_at = self._waits_since = monotonic()
        state.streamed = ""
        if state.pane == "outline" and not desk.painter.is_in_sight("text"):
            desk.go_to_pane("text")  # with room for one pane only, the one that streams
        desk.painter.outline()
        if chapter is not None:
            desk.painter.outline_list.go_to(chapter)
        desk.painter.plan()
        desk.draw_rest()

    @performs("desk.stop")
    def stop(self) -> None:
        """Stops the run at once."""
        self._state.run = self._state.run._replace(stopping=True)
        self._desk.bridge.stop()
        self._desk.painter.stages()
        self._desk.show_hints()

    def heed_silence(self) -> None:
        """Shows what is waited for, how long already and about how long, while a model was called
        and nothing of its answer is shown yet; also where a look-up is all that was heard. Counts
        what has come since."""
        run = self._state.run
        if run.running and run.texts:
            self._desk.painter.title()
        seconds = int(monotonic() - self._waits_since)
        is_waited_for = run.waits is not None or run.look_up is not None
        if run.running and is_waited_for and seconds >= _SILENT:
            self._state.run = run._replace(waiting=seconds)
            self._desk.painter.stages()

    def follow(self, events: Sequence[Event]) -> None:
        """Applies a batch of events from the engine."""
        desk, before = self._desk, self._state.run
        after = self._state.run = apply_events(before, events)
        if after.waits is None or after.waits is not before.waits or after.look_up:
            self._waits_since = monotonic()
            self._state.run = after = after._replace(waiting=0)
        there = [n for n in after.scenes if after.scenes[n] == "skipped" and n not in before.scenes]
        there += [n for n in after.stands_to if after.stands_to[n] != before.stands_to.get(n)]
        if there and after.chapter is not None:
            desk.work(self._recall(after.chapter, there), "recall")
        if before.prose != after.prose:
            self._stream(after)
        if (before.waits is None) != (after.waits is None):
            desk.painter.plan()  # says that a model is asked, where one is
        desk.painter.stages()
        for warning in after.warnings[len(before.warnings) :]:
            self._warn(warning)
        if before.rewrites != after.rewrites:
            self._follow_surgeon(before, after)
        if after.directives_changed != before.directives_changed or _stage_done(before, after):
            desk.work(desk.reread(fresh=False), "reread", exclusive=True)

    async def _recall(self, chapter: int, scenes: Sequence[int]) -> None:
        """Puts the finished scenes of a resumed run, and the words of one that goes on, before the
        text that streams in."""
        desk, state = self._desk, self._state
        for number in scenes:
            text = await desk.bridge.read(read_scene, desk.session, chapter, number)
            if text and state.run.running and state.run.chapter == chapter:
                state.run = with_scene(state.run, number, text)
        if state.run.prose:
            self._stream(state.run)

    def _warn(self, words: str) -> None:
        """Shows a warning once per session; the log has every occurrence."""
        if words not in self._warned:
            self._warned.add(words)
            self._desk.studio.say(words, "warning")

    def _stream(self, run: RunState) -> None:
        """Shows the drafter's text as it streams."""
        desk, state = self._desk, self._state
        if state.current is None or run.chapter != state.current.chapter:
            if state.streamed or run.chapter is None:
                return
            desk.work(desk.show_chapter(run.chapter), "show")
        prose, text = desk.painter.prose, run.prose
        if not state.streamed:
            desk.go_to_tab("draft")
            prose.clear()
        if text.startswith(state.streamed):
            prose.stream.append(text[len(state.streamed) :])
        else:
            prose.load(text, at_end=True)
        state.streamed, state.in_view = text, None

    def _follow_surgeon(self, before: RunState, after: RunState) -> None:
        """Shows the surgeon's text as it streams, in the details and in the diff; a fix in the text
        that waits for the writer's word stays under the cursor."""
        desk, sheet = self._desk, self._state.sheet
        if after.rewriting and after.rewriting != before.rewriting:
            under_cursor = desk.directives.directive_under_cursor
            if under_cursor is None or under_cursor.status is not DirectiveStatus.APPLIED:
                desk.directives.go_to(after.rewriting)
            if sheet and sheet.find(after.rewriting):
                desk.go_to_tab("diff")
        desk.painter.directives()
        desk.painter.diff()


def _stage_done(before: RunState, after: RunState) -> bool:
    """Whether a stage has finished between the two states, leaving something to read."""
    finished = {name for name, status in after.stages.items() if status == "finished"}
    return bool(finished - {n for n, status in before.stages.items() if status == "finished"})


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
        ways: list[tuple[ReviewMode, str]] = [
            ("accept", _("Take every fix that the measures or a second reader find better")),
            ("reject", _("Take none of the fixes")),
        ]
        priced = [(way, await self._with_price(words, way, chapter, count)) for way, words in ways]
        words = _("Nobody is asked; what is left open is said at the end.")
        chosen_way = await desk.studio.push_screen_wait(Choose(title, priced, words))
        review = next((way for way, _words in ways if way == chosen_way), None)
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
            number = whole_number(value) or 0
            if 1 <= number <= most:
                return number
            self._desk.studio.say(_("A number from 1 to {most}.", most=most), "warning")

    async def _with_price(self, words: str, review: ReviewMode, chapter: int, count: int) -> str:
        """Returns a way to write so many chapters, with what it costs."""
        from studio.story.ledger import Estimate

        desk = self._desk
        order = WriteOrder(chapter, review=review)
        price = await desk.bridge.read(price_of_run, desk.session, order)
        if count > 1 and price is not None:
            next_order = replace(order, chapter=chapter + 1)
            later = await desk.bridge.read(price_of_run, desk.session, next_order)
            price = Estimate.together([price, (later or price).times(count - 1)])
        if price is None:
            return words
        return _("{offer} · {price}", offer=words, price=translate(price.words))

    def _start(self, kind: RunKind, chapter: int, series: LongRun) -> None:
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


class InProgress:
    """What is done with the chapter in progress as a whole."""

    def __init__(self, desk: Desk, run: RunFollower) -> None:
        self._desk = desk
        self._state = desk.state
        self._run = run

    @performs("desk.discard")
    def discard(self) -> None:
        """Discards the chapter in progress, after a confirmation."""
        from studio.tui.screens.ask import Confirm

        def on_answer(yes: bool | None) -> None:
            if yes:
                self._desk.work(self._discard(), "decide")

        inflight, book = self._desk.situation().inflight, self._state.book
        title = _("Discard chapter {inflight}?", inflight=inflight)
        words = _("Its texts stay in history, and it can be drafted afresh.")
        if book and inflight and inflight <= book.checkpoint.last_completed_chapter:
            title = _("Leave this review of chapter {inflight}?", inflight=inflight)
            words = _("The chapter stays in the book as it was; what you decided here is dropped.")
        self._desk.studio.push_screen(Confirm(title, words), on_answer)

    async def _discard(self) -> None:
        if await try_to_do(self._desk, self._desk.session.discard):
            await self._desk.reread()

    @performs("desk.look")
    async def look(self) -> None:
        """Shows the text of the chapter in progress."""
        if await self.show():
            self._desk.go_to_pane("text")

    async def show(self) -> bool:
        """Shows the chapter in progress; returns whether there is one."""
        inflight = self._desk.situation().inflight
        if inflight is not None:
            await self._desk.show_chapter(inflight)
        return inflight is not None

    @performs("desk.again")
    def review_again(self) -> None:
        """Puts a committed chapter into review again; has the one in progress read again, if it was
        changed since it was judged."""
        if self._desk.situation().changed:
            self._desk.work(self._read_again(), "decide")
        elif self._state.chapter is not None:
            self._run.start("write", WriteOrder(chapter=self._state.chapter, again=True))

    async def _read_again(self) -> None:
        if await try_to_do(self._desk, self._desk.session.read_again):
            self._run.start("resume", is_priced=True)  # it stands beside the key
