"""The desk at work: starting, stopping and following a run, and what comes of it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from time import monotonic
from typing import TYPE_CHECKING

from studio.tui.actions import BY_ID
from studio.tui.book import Book
from studio.tui.desk.direction import DeskDirection
from studio.tui.views.outline.book import volumes_of, with_present
from studio.tui.views.outline.rows import VolumeItem
from studio.tui.views.run.moment import RunState, begun
from studio.tui.widgets.action_line import ActionLine, Hint
from studio.tui.widgets.outline_list import OutlineList
from studio.tui.widgets.prose_view import ProseView
from studio.tui.widgets.stage_bar import StageBar

if TYPE_CHECKING:
    from studio.pipeline.events import Event
    from studio.session import WriteOrder
    from studio.tui.runtime.bridge import Kind


_SILENT = 2
"""Seconds without a word after which a writer wonders."""


class DeskWriting(DeskDirection):
    """Runs, and the book read again after each."""

    settled = True
    """Whether what came of the last run is on the screen."""
    _streamed = ""
    _in_view: str | None = None
    """The text of `shown` that the text pane was given; a run may have read another since."""
    _began_at = _heard_at = 0.0
    _journal: tuple[str, ...] = ()
    _volumes: tuple[VolumeItem, ...] = ()

    # Reading

    async def reread(self, *, fresh: bool = True, chapter: int | None = None) -> None:
        """Reads the novel again and shows a chapter: that one, the one streaming, or the same."""
        from studio.tui.desk.load import read_book

        book = await self.bridge.call(read_book, self.session, fresh)
        if self.book is not None:
            book = book._replace(differences=self.book.differences)
        await self.take(book)
        streamed = self.run_state.chapter if self._streamed else None
        wanted = chapter or streamed or (self.shown.chapter if self.shown else None)
        if wanted is not None:
            await self.show_chapter(wanted)
        self.draw_rest()

    async def take(self, book: Book) -> None:
        """Shows a book in the outline; what grows with its length is done off the loop."""
        volumes = await asyncio.to_thread(volumes_of, book)
        self.book, self._volumes = book, volumes
        self.draw_outline()

    async def show_chapter(self, chapter: int) -> None:
        """Shows a chapter in the text pane and its directives beside it."""
        from studio.tui.desk.load import read_shown

        if self.book is None:
            return
        checkpoint = self.book.checkpoint
        shown = await self.bridge.read(read_shown, self.session, chapter, checkpoint)
        before, self.shown = self.shown, shown
        same = before is not None and before.chapter == chapter
        old = before.text.text if before is not None and before.text else None
        text = shown.text.text if shown.text else ""
        if not (self.run_state.running and self.run_state.chapter == chapter):
            self._streamed = ""
            if not same or self._in_view != text:
                prose = self.query_one(ProseView)
                top = prose.scroll_offset.y
                prose.load(text)
                self._in_view = text
                if same:
                    prose.scroll_to(y=top, animate=False)
        self.draw_outline()
        if not same or (old is None and text):
            self.go_to_tab("draft" if text or self.run_state.running else "plan")
        self.draw_rest()

    def draw_outline(self) -> None:
        """The left pane."""
        if self.book is not None:
            running = self.run_state.chapter if self.run_state.running else None
            volumes = with_present(self._volumes, self.book, self.shown, running)
            self.query_one(OutlineList).model = volumes

    def draw_rest(self) -> None:
        """Everything but the outline and the text."""
        self.draw_title()
        self.draw_plan()
        self.draw_directives()
        self.draw_diff()
        self.draw_stages()
        self.draw_notice()
        self.show_hints()

    def draw_notice(self) -> None:
        """The line over the panes."""
        from studio.tui.actions.advice import said_in_keys
        from studio.tui.desk.text import notice

        bar = self.query_one("#notice", ActionLine)
        now = self.situation()
        fixes = len(self._fixes()) if now.directives_here else 0
        found = notice(self.book, now, now.approved, fixes) if self.book else None
        bar.display = found is not None
        if found is not None:
            offers = [Hint(BY_ID[i], title) for i, title in found.offers]
            bar.show(said_in_keys(found.words, self.studio.keymap), offers)

    def _fixes(self) -> list[str]:
        """Ids of what is in the text and neither kept nor taken back."""
        sheet = self.shown.sheet if self.shown else None
        return [d.id for d in sheet.directives if d.status == "applied"] if sheet else []

    def draw_stages(self) -> None:
        """The stage bar: the run's stages, else where the chapter in work stands."""
        from studio.tui.desk.text import resting_stages

        bar = self.query_one(StageBar)
        state = self.run_state
        if state.running or self.book is None:
            bar.show(state)
            return
        bar.show(state._replace(stages=resting_stages(self.book.checkpoint), stage=None))

    def draw_diff(self) -> None:
        """What the selected directive changed or would, else what the chapter was before."""
        from studio.text.oracle.fix_effect import statement

        view, chosen = self.diff, self.directives.selected
        language = self.book.language if self.book else "en"
        if chosen is not None and (writing := self.run_state.rewrites.get(chosen.id)):
            view.show(chosen.current_text, writing, language, finished=False)
        elif chosen is not None and chosen.result is not None:
            told = statement(chosen)
            view.show(chosen.result.before, chosen.result.after, language, head=told)
        elif chosen is not None and chosen.edited_text:
            view.show(chosen.current_text, chosen.edited_text, language)
        elif self.shown and self.shown.text and self.shown.base is not None:
            view.show(self.shown.base, self.shown.text.text, language)
        else:
            view.show("", "", language, head="Nothing to compare here yet.")

    # Writing

    def start(self, kind: Kind, order: WriteOrder | None = None) -> None:
        """Begins a run; it works on what is on the disk, so nothing else is passed."""
        from studio.session import WriteOrder

        order = order or WriteOrder(direction=self.direction)
        self.direction = ""
        self.bridge.start(kind, order)
        inflight = self.book.checkpoint.inflight_chapter if self.book else None
        chapter = order.chapter or inflight or (self.book.next_chapter if self.book else None)
        self.run_state = begun(chapter, self.run_state)
        self._began_at = self._heard_at = monotonic()
        self._streamed = ""
        if self.pane == "outline" and not self.query_one("#text-pane").display:
            self.go_to_pane("text")  # there is room for one pane, and that is where it streams
        self.draw_outline()
        if chapter is not None:
            self.query_one(OutlineList).go_to(chapter)
        self.draw_rest()

    def draw_waiting(self) -> None:
        """Says how long the drafter has kept silent before its first word."""
        state = self.run_state
        seconds = int(monotonic() - self._heard_at)
        if state.running and state.stage == "draft" and not state.prose and seconds >= _SILENT:
            self.run_state = state._replace(waiting=seconds)
            self.draw_stages()

    def do_desk_stop(self) -> None:
        """Stops at once."""
        self.run_state = self.run_state._replace(stopping=True)
        self.bridge.stop()
        self.draw_stages()
        self.show_hints()

    def heard(self, events: Sequence[Event]) -> None:
        """A batch of events from the engine."""
        from studio.tui.views.run.run_state import reduced

        before, self.run_state = self.run_state, reduced(self.run_state, events)
        self.run_state = self.run_state._replace(waiting=0)
        self._heard_at = monotonic()
        after = self.run_state
        done = [n for n in after.scenes if after.scenes[n] == "skipped" and n not in before.scenes]
        if done and after.chapter is not None:
            self.run_worker(self._recall(after.chapter, done), group="recall")
        if before.prose != after.prose:
            self._stream(after)
        self.draw_stages()
        for warning in after.warnings[len(before.warnings) :]:
            self._warn(warning)
        if before.rewrites != after.rewrites:
            self._follow_surgeon(before, after)
        if after.directives_changed != before.directives_changed or _stage_done(before, after):
            self.run_worker(self.reread(fresh=False), group="reread", exclusive=True)

    async def _recall(self, chapter: int, scenes: Sequence[int]) -> None:
        """The scenes that a run goes on from stand before what streams in."""
        from studio.tui.desk.load import read_scene
        from studio.tui.views.run.run_state import with_scene

        for number in scenes:
            text = await self.bridge.read(read_scene, self.session, chapter, number)
            if text and self.run_state.running and self.run_state.chapter == chapter:
                self.run_state = with_scene(self.run_state, number, text)
        if self.run_state.prose:
            self._stream(self.run_state)

    def _warn(self, words: str) -> None:
        """Says a warning once a sitting; the log has them all."""
        if words not in self._warned:
            self._warned.add(words)
            self.studio.say(words, "warning")

    def _stream(self, state: RunState) -> None:
        """The drafter's text, as it comes."""
        if self.shown is None or state.chapter != self.shown.chapter:
            if self._streamed or state.chapter is None:
                return
            self.run_worker(self.show_chapter(state.chapter), group="show")
        prose = self.query_one(ProseView)
        text = state.prose
        if not self._streamed:
            self.go_to_tab("draft")
            prose.clear()
        if text.startswith(self._streamed):
            prose.append(text[len(self._streamed) :])
        else:
            prose.load(text, at_end=True)
        self._streamed, self._in_view = text, None

    def _follow_surgeon(self, before: RunState, after: RunState) -> None:
        """The surgeon's words, in the detail and in the diff."""
        pane = self.directives
        if after.rewriting and after.rewriting != before.rewriting:
            pane.go_to(after.rewriting)
            if self.shown and self.shown.sheet and self.shown.sheet.find(after.rewriting):
                self.go_to_tab("diff")
        self.draw_directives()
        self.draw_diff()


def _stage_done(before: RunState, after: RunState) -> bool:
    """Whether a stage left something that can be read."""
    done = {name for name, status in after.stages.items() if status == "finished"}
    return bool(done - {n for n, status in before.stages.items() if status == "finished"})
