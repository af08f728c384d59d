"""The tabs on what lies behind a text: its changes, the model's input, the calls, and the saved
texts.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from studio.errors import StudioError
from studio.i18n import N_, _, translate
from studio.story.records import CallRecord
from studio.tui.desk.protocol import result_of, try_to_do
from studio.tui.performs import performs
from studio.tui.views.situation import Situation

if TYPE_CHECKING:
    from studio.book.authorship import By
    from studio.pipeline.variations import KeptText
    from studio.session import Session
    from studio.tui.desk.panes import Panes
    from studio.tui.desk.protocol import Desk
    from studio.tui.screens.saved_text import KeptScreen
    from studio.tui.views.words import Line


class CallsRead:
    """The finished calls of the current chapter; each record is read once, since records never
    change, and anew under another number of the chapter."""

    def __init__(self) -> None:
        self._records: dict[str, CallRecord | None] = {}

    def of(self, session: Session, chapter: int) -> tuple[CallRecord, ...]:
        """Returns the calls, oldest first; an unreadable record is skipped, and tried again next
        time."""
        journal = session.store.journal
        known = {name: r for name, r in self._records.items() if r and r.chapter == chapter}
        self._records = {
            gen_id: known.get(gen_id) or journal.recall_today(gen_id)
            for gen_id in journal.generation_ids(chapter)
        }
        records = [record for record in self._records.values() if record is not None]
        return in_order(records)


def in_order(records: Sequence[CallRecord]) -> tuple[CallRecord, ...]:
    """Returns records oldest first. The record of a generation in steps belongs to its last step
    but has the date of the first: it is sorted after the steps before it."""

    def last_step(record: CallRecord) -> str:
        if record.step_count < 2:
            return record.created_at
        steps = f"{record.id.rpartition('-')[0]}-step"
        return max((r.created_at for r in records if r.id.startswith(steps)), default="")

    return tuple(sorted(records, key=lambda r: (max(r.created_at, last_step(r)), r.step_count)))


class MaterialTabs:
    """The tabs Context and Variations, read when opened and whenever the desk is reread."""

    def __init__(self, desk: Desk, panes: Panes) -> None:
        self._desk = desk
        self._panes = panes
        self._records = CallsRead()
        self._calls: tuple[CallRecord, ...] = ()
        self._call: str | None = None
        """The id of the visible call; None follows the newest."""
        self._calls_of: int | None = None
        """The chapter of the loaded calls."""
        self._comparing = False
        """Whether only the difference from the previous call is shown."""
        self._drawn = False
        """Whether the Context tab shows `_calls`."""
        self._readings = 0
        self.is_read = asyncio.Event()
        """Cleared while the visible tab is being read."""
        self.is_read.set()

    def read_tab(self) -> None:
        """Reads what the visible tab shows."""
        desk, chapter = self._desk, self._desk.state.chapter
        if chapter is None:
            return
        show = {"context": self._show_context, "variations": self._show_variations}.get(
            self._panes.tab
        )
        if show is not None:
            self._readings += 1
            self.is_read.clear()
            desk.work(self._read(show, chapter, self._readings), "tab", exclusive=True)

    async def _read(
        self, show: Callable[[int], Awaitable[None]], chapter: int, reading: int
    ) -> None:
        """Reads a tab; waiters continue only after the latest read, for an earlier one may have
        been cancelled."""
        try:
            await show(chapter)
        finally:
            if reading == self._readings:
                self.is_read.set()

    def add_to(self, now: Situation) -> Situation:
        """Returns the situation with what these tabs show of the current chapter."""
        chapter = self._desk.state.chapter
        if self._panes.tab == "context":
            return now._replace(calls=len(self._calls) if self._calls_of == chapter else 0)
        if self._panes.tab == "diff":
            return now._replace(changes=self._desk.painter.diff_view.has_changes)
        if self._panes.tab == "variations":
            text = self._desk.painter.variations.text_under_cursor
            return now._replace(result=text is not None and text.chapter == chapter)
        return now

    # Context

    async def _show_context(self, chapter: int) -> None:
        desk = self._desk
        calls = await desk.bridge.call(self._records.of, desk.session, chapter)
        self._calls_of = chapter
        if not calls:
            self._calls, self._drawn = (), False
            lines = await desk.bridge.read(self._preview, chapter)
            desk.painter.page("context").show(lines, keep_place=True)
            desk.show_hints()
        elif calls != self._calls or not self._drawn:
            self._calls = calls
            await self._draw_call(keep_place=True)

    def _preview(self, chapter: int) -> tuple[Line, ...]:
        """Returns the drafter's first prompt for a chapter without calls."""
        from studio.tui.views.pages.context import preview_lines

        session = self._desk.session
        checkpoint = session.store.checkpoint()
        own = checkpoint.inflight_chapter == chapter and checkpoint.own_text
        if own or chapter <= checkpoint.last_completed_chapter:
            return tuple(preview_lines(None))
        try:
            return tuple(preview_lines(session.preview(chapter)))
        except StudioError as error:
            return tuple(preview_lines(error.problem))

    async def _draw_call(self, *, keep_place: bool = False) -> None:
        from studio.tui.views.pages.context import compared_lines, context_lines

        desk, calls, at = self._desk, self._calls, self._at()
        page = compared_lines if self._comparing else context_lines
        lines = await desk.bridge.read(lambda: tuple(page(calls, at)))
        self._drawn = True
        desk.painter.page("context").show(lines, keep_place=keep_place)
        desk.show_hints()

    def _at(self) -> int:
        """Returns the index of the visible call: the one chosen, or else the newest."""
        ids = [record.id for record in self._calls]
        return ids.index(self._call) if self._call in ids else len(ids) - 1

    @performs("text.compare_calls")
    async def compare_calls(self) -> None:
        """Toggles between the whole call and its difference from the previous call of the same
        agent."""
        self._comparing = not self._comparing
        await self._draw_call()

    @performs("text.replay")
    def replay(self) -> None:
        """Replays the visible call as it streamed."""
        from studio.pipeline.prompting.answer_stream import replay
        from studio.tui.screens.page import ReplayScreen
        from studio.tui.views.pages.context import closing_lines

        record = self._calls[self._at()]
        page = ReplayScreen(replay(record), closing_lines(record))
        self._desk.studio.push_screen(page)

    @performs("text.next_call", 1)
    @performs("text.previous_call", -1)
    async def turn(self, step: int) -> None:
        """Shows the next or the previous call, wrapping around at the ends."""
        at = (self._at() + step) % len(self._calls)
        self._call = self._calls[at].id if at < len(self._calls) - 1 else None
        await self._draw_call()

    # Changes

    @performs("text.next_change", 1)
    @performs("text.previous_change", -1)
    def go_to_change(self, step: Literal[1, -1]) -> None:
        """Scrolls to the next change or the one before."""
        self._desk.painter.diff_view.go_to_change(step)

    # Authors

    @performs("text.authors")
    async def show_authors(self) -> None:
        """Toggles the margin that shows who wrote each paragraph; another text hides it too."""
        desk, prose = self._desk, self._desk.painter.prose
        chapter = desk.state.chapter
        if prose.strips.authors or chapter is None:
            prose.strips.authors = {}
            prose.fit()
            return
        if (authors := await result_of(desk, _read_authors, desk.session, chapter)) is None:
            return
        desk.go_to_tab("draft")
        prose.strips.authors, meanings = authors
        prose.fit()
        desk.studio.say(meanings)

    # Variations

    async def _show_variations(self, chapter: int) -> None:
        desk = self._desk
        if (texts := await result_of(desk, desk.session.kept_texts, chapter)) is None:
            return
        desk.painter.variations.show(texts)
        if desk.state.half_versions.pop(chapter, None) is not None:
            desk.painter.notice()
        desk.show_hints()

    @performs("text.compare")
    def compare(self) -> None:
        """Compares the saved text under the cursor with the present one."""
        from studio.tui.screens.saved_text import KeptScreen
        from studio.tui.views.pages.saved_texts import counterpart

        desk, text = self._desk, self._desk.painter.variations.text_under_cursor
        if text is None or desk.state.book is None:
            return

        def on_answer(yes: bool | None) -> None:
            if yes:
                desk.work(self._bring_back(text), "decide")

        current = desk.state.current
        present = counterpart(text, desk.state.text, current.planned if current else None)
        page = KeptScreen(text, present, desk.state.language)
        desk.studio.push_screen(page, on_answer)
        if text.passage:
            desk.work(self._look_ahead(page), "decide")

    async def _look_ahead(self, page: KeptScreen) -> None:
        """Withdraws the key that brings a version back where the chapter would refuse it."""
        text, taker = page.saved, self._desk.session.passages().taker
        place = text.chapter, text.scene or 0
        try:
            await self._desk.bridge.call(taker.would_close, *place, text.sha256)
        except StudioError as error:
            page.refused = translate(error.problem.message)
            page.show_hints()

    async def _bring_back(self, text: KeptText) -> None:
        desk = self._desk
        way = desk.session.passages().taker.take if text.passage else desk.session.bring_back
        if await try_to_do(desk, way, text.chapter, text.scene, text.sha256):
            await desk.reread(fresh=False)
            desk.studio.say(_("Brought back; the text it replaced is kept as a variation."))


_WORDS: Mapping[By, str] = {
    "hand": N_("hand"),
    "brought": N_("brought"),
    "model": N_("model"),
    "model_edited": N_("+model"),
    "hand_edited": N_("+hand"),
    "unknown": N_("?"),
}
_MEANINGS: Mapping[By, str] = {
    "hand": N_("hand: you, in the studio"),
    "brought": N_("brought: from a file or another program"),
    "model": N_("model: a model"),
    "model_edited": N_("+model: a person's, changed by a model"),
    "hand_edited": N_("+hand: a model's, changed by hand"),
    "unknown": N_("?: nothing says"),
}


def _read_authors(session: Session, chapter: int) -> tuple[Mapping[tuple[int, int], str], str]:
    """Returns the words for the margin, by scene and number of the paragraph, and what they mean;
    reads the history. Raises StudioError (exit 5) for a damaged text."""
    from studio.book.authorship import ALL_BY, Authorship
    from studio.project.author.author_text import standing_text

    text = standing_text(session.store, chapter)
    language = session.settings.novel.language
    paragraphs = Authorship(session.store, language).of(chapter).paragraphs
    places = [(p.scene, p.number) for p in text.paragraphs] if text else []
    kinds = {paragraph.by for paragraph in paragraphs}
    words = {
        place: _(_WORDS[paragraph.by]) for place, paragraph in zip(places, paragraphs, strict=False)
    }
    meanings = [_(_MEANINGS[by]) for by in ALL_BY if by in kinds]
    return words, ". ".join(meanings) + "." if meanings else ""
