"""The desk: outline, text, directives. Opens a novel, and puts it away again."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from textual.timer import Timer

from studio.config import recent
from studio.errors import StudioError
from studio.tui.desk.external_changes import DeskUpkeep
from studio.tui.desk.first_frame import glance
from studio.tui.runtime.warm_up import load_desk, warm_up
from studio.tui.screen import keys_for
from studio.tui.views.outline.book import volumes_of
from studio.tui.views.outline.rows import Place
from studio.tui.widgets.outline_list import OutlineList
from studio.tui.widgets.prose_view import ProseView
from studio.tui.widgets.stage_bar import StageBar

if TYPE_CHECKING:
    from studio.llm.provider import Provider
    from studio.pipeline.outcome import Outcome

_REST = 0.12
"""Seconds the cursor rests on a chapter before it is shown."""


def _name_of(provider: Provider) -> str:
    """The model that writes; one that is only for trying the studio is called that."""
    name = provider.model_for("deep")
    return f"for trying: {name}" if provider.profile.note else name


class DeskScreen(DeskUpkeep):
    """One novel."""

    BINDINGS = keys_for("desk")  # here, or every class above would gather them anew
    _browsing: Timer | None = None

    def on_mount(self) -> None:
        """Outline and text first, everything else after the first frame (performance P5, P6)."""
        for widget in (self.query_one(ProseView), self.query_one(OutlineList)):
            widget.ascii_only = self.studio.ascii_only
        self.query_one(StageBar).ascii_only = self.studio.ascii_only
        place = self.studio.memory.place(self.folder)
        for name, width in (
            ("outline", place.outline_width),
            ("directives", place.directives_width),
        ):
            if width:
                self.query_one(f"#{name}-pane").styles.width = width
        self.set_class(True, "-on-outline")
        self.book, self.shown = glance(self.folder, place.chapter)
        self._volumes = volumes_of(self.book)
        self.draw_outline()
        if self.shown.text is not None:
            self._in_view = self.shown.text.text
            self.query_one(ProseView).load(self._in_view)
        self.query_one(OutlineList).go_to(self.shown.chapter)
        self.draw_title()
        self.show_hints()
        at = place.paragraph if self.shown.chapter == place.chapter else None
        # The app turns to this once it has drawn a frame; before, it would delay it.
        self.app.call_later(self.call_after_refresh, self._after_first_frame, at)

    def _after_first_frame(self, paragraph: tuple[int, int] | None) -> None:
        if paragraph is not None:
            self.query_one(ProseView).go_to(*paragraph)
        self.run_worker(self._settle(), group="settle")

    async def _settle(self) -> None:
        """What the first frame did not wait for."""
        try:
            await asyncio.to_thread(self._open)
        except StudioError as error:
            self.studio.refuse(error.problem)
            return
        from studio.tui.runtime.bridge import Bridge

        self.bridge = Bridge(self.session, self.heard, self._over)
        await self.furnish()
        self.diff.plain = self.studio.ascii_only or self.studio.no_color
        self.studio.take_novel(self.session)
        self.prepared.set()
        if self.shown is not None and self.shown.text is None:
            self.go_to_tab("plan")
        await self.reread()
        await self._recall_spending()
        # One after the other: two threads at work would leave the loop too little (P6).
        await self._name_model()
        await self.begin_watching()
        await asyncio.to_thread(warm_up)

    async def _recall_spending(self) -> None:
        """What the chapter in work cost in earlier sittings counts in this one."""
        from studio.tui.desk.load import spent_so_far

        checkpoint = self.book.checkpoint if self.book else None
        if checkpoint is not None and checkpoint.inflight_chapter is not None:
            spent = await self.bridge.call(spent_so_far, self.session, checkpoint)
            if not self.run_state.running:
                chapter = checkpoint.inflight_chapter
                self.run_state = self.run_state._replace(chapter=chapter, spending=spent)
                self.draw_stages()

    def _open(self) -> None:
        """Opens the novel, and loads what the desk is made of; in a thread."""
        load_desk()
        _ = self.session

    async def _name_model(self) -> None:
        try:
            choice = await asyncio.to_thread(self.session.choice)
        except StudioError as error:
            self.studio.tell(error.problem)
            self.has_model = False
        else:
            self.has_model = choice.provider is not None
            self.model = _name_of(choice.provider) if choice.provider else "no model"
        if not self.has_model:
            self.model = "no model"
        self.draw_title()
        self.draw_directives()

    def _over(self, outcome: Outcome) -> None:
        self.run_worker(self.outcome(outcome), group="outcome")

    def on_outline_list_selected(self, message: OutlineList.Selected) -> None:
        """Enter in the outline goes to the chapter, or to its scene."""
        if message.place.chapter:
            self.run_worker(self._go_there(message.place), group="browse", exclusive=True)

    async def _go_there(self, place: Place) -> None:
        await self._show_place(place)
        self.go_to_pane("text")

    def on_outline_list_highlighted(self, message: OutlineList.Highlighted) -> None:
        """The text follows the cursor, when it rests."""
        if self._browsing is not None:
            self._browsing.stop()
        here = self.shown.chapter if self.shown else None
        place = message.place
        if place.chapter and (place.chapter != here or place.scene) and not self.run_state.running:
            self._browsing = self.set_timer(_REST, lambda: self._browse(place))

    def _browse(self, place: Place) -> None:
        self.run_worker(self._show_place(place), group="browse", exclusive=True)

    async def _show_place(self, place: Place) -> None:
        await self.prepared.wait()
        if self.shown is None or place.chapter != self.shown.chapter:
            await self.show_chapter(place.chapter)
        if place.scene:
            self.query_one(ProseView).go_to(place.scene, 1)

    def halt(self) -> None:
        """Stops the run where it stands; what it has is kept by the engine."""
        if "bridge" in vars(self):
            self.bridge.halt()

    async def put_away(self) -> None:
        """Stops what runs, and remembers the place."""
        if "bridge" in vars(self):
            await self.bridge.close()
        memory = self.studio.memory.with_place(self.folder, self.where_now())
        self.studio.memory = memory
        await asyncio.to_thread(recent.keep, self.studio.environ, memory)
        await super().put_away()
