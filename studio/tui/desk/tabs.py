"""The desk's tabs on what lies behind a text: what the model was given, and what was kept."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from studio.errors import StudioError
from studio.tui.desk.waive_promote import DeskCraft
from studio.tui.views.situation import Situation

if TYPE_CHECKING:
    from textual.widgets import OptionList

    from studio.pipeline.variations import KeptText
    from studio.story.records import CallRecord
    from studio.tui.desk.call_records import CallsRead
    from studio.tui.views.words import Line


class DeskMaterial(DeskCraft):
    """Context and Variations. Read when they are turned to, and again when the desk is."""

    _calls: tuple[CallRecord, ...] = ()
    _call: str | None = None
    """Id of the call shown; None follows the newest."""
    _drawn = False
    """Whether the Context tab shows `_calls`."""

    def go_to_tab(self, tab: str) -> None:
        """Turns the text pane, and reads what the tab shows."""
        super().go_to_tab(tab)
        self._read_tab()

    def draw_rest(self) -> None:
        """With the tab in sight."""
        super().draw_rest()
        self._read_tab()

    def _read_tab(self) -> None:
        if self.shown is None:
            return
        if self.tab == "context":
            self.run_worker(self._show_context(self.shown.chapter), group="tab", exclusive=True)
        elif self.tab == "variations":
            self.run_worker(self._show_kept(self.shown.chapter), group="tab", exclusive=True)

    # Context

    @cached_property
    def _read(self) -> CallsRead:
        from studio.tui.desk.call_records import CallsRead

        return CallsRead()

    async def _show_context(self, chapter: int) -> None:
        calls = await self.bridge.call(self._read.of, self.session, chapter)
        if not calls:
            self._calls, self._drawn = (), False
            self.page("context").show(await self.bridge.read(self._ahead, chapter), keep_place=True)
            self.show_hints()
        elif calls != self._calls or not self._drawn:
            self._calls = calls
            await self._draw_call(keep_place=True)

    def _ahead(self, chapter: int) -> tuple[Line, ...]:
        """The drafter's first call for a chapter nobody was asked about yet."""
        from studio.tui.views.pages.context import preview_lines

        known = self.session.store.checkpoint()
        own = known.inflight_chapter == chapter and known.own_text
        if own or chapter <= known.last_completed_chapter:
            return tuple(preview_lines(None))
        try:
            return tuple(preview_lines(self.session.preview(chapter)))
        except StudioError as error:
            return tuple(preview_lines(error.problem))

    async def _draw_call(self, *, keep_place: bool = False) -> None:
        from studio.tui.views.pages.context import context_lines

        calls, at = self._calls, self._at()
        lines = await self.bridge.read(lambda: tuple(context_lines(calls, at)))
        self._drawn = True
        self.page("context").show(lines, keep_place=keep_place)
        self.show_hints()

    def _at(self) -> int:
        """Which call is shown: the chosen one, else the newest."""
        ids = [record.id for record in self._calls]
        return ids.index(self._call) if self._call in ids else len(ids) - 1

    async def do_text_next_call(self) -> None:
        """The call after, round the end."""
        await self._turn(1)

    async def do_text_previous_call(self) -> None:
        """The call before."""
        await self._turn(-1)

    async def _turn(self, step: int) -> None:
        at = (self._at() + step) % len(self._calls)
        self._call = self._calls[at].id if at < len(self._calls) - 1 else None
        await self._draw_call()

    # Variations

    async def _show_kept(self, chapter: int) -> None:
        try:
            kept = await self.bridge.call(self.session.kept_texts, chapter)
        except StudioError as error:
            self.studio.tell(error.problem)
            return
        self.kept.show(kept, self.book.language if self.book else "en")
        self.show_hints()

    def on_option_list_option_selected(self, message: OptionList.OptionSelected) -> None:
        """Enter or a click on a kept text."""
        self.do_text_compare()

    def do_text_compare(self) -> None:
        """The kept text under the cursor against the present one."""
        from studio.tui.screens.saved_text import KeptScreen
        from studio.tui.views.pages.saved_texts import counterpart

        kept = self.kept.chosen
        if kept is None or self.book is None:
            return
        present = counterpart(kept, self.shown.text if self.shown else None)

        def answered(wanted: bool | None) -> None:
            if wanted:
                self.run_worker(self._bring_back(kept), group="decide")

        screen = KeptScreen(kept, present, self.book.language)
        self.app.push_screen(screen, answered)

    async def _bring_back(self, kept: KeptText) -> None:
        if await self.tried(self.session.bring_back, kept.chapter, kept.scene, kept.sha256):
            await self.reread(fresh=False)
            self.studio.say("Brought back; the text it replaced is kept as a variation.")

    def situation(self) -> Situation:
        """With what these tabs show."""
        now = super().situation()
        if self.tab == "context":
            return now._replace(calls=len(self._calls))
        if self.tab == "variations":
            return now._replace(kept=self.kept.chosen is not None)
        return now
