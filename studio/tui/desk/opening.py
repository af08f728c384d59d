"""How the desk opens: a glance at the novel first, everything else after the first frame."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from textual.widgets._toast import Toast

from studio.errors import StudioError
from studio.i18n import translate
from studio.story.lengths import unit_in
from studio.tui.desk.first_frame import glance
from studio.tui.runtime.garbage import tidy
from studio.tui.runtime.warm_up import load_desk, warm_up
from studio.tui.views.outline.book import volumes_of

if TYPE_CHECKING:
    from studio.tui.desk.screen import DeskScreen

_LOOK = 1.0
"""Seconds between two checks of change detection, of a silent run, and of garbage to collect."""


class Opening:
    """Opens the desk: outline and text first, the rest after the first frame (performance P5,
    P6)."""

    def __init__(self, desk: DeskScreen) -> None:
        self._desk = desk

    def glance(self) -> None:
        """Draws what the first frame shows."""
        desk, state, painter = self._desk, self._desk.state, self._desk.painter
        for widget in (painter.prose, painter.outline_list):
            widget.ascii_only = desk.studio.ascii_only
        painter.prose.measure = desk.studio.measure
        painter.prose.window.close_up(desk.studio.look.compact)
        memory = desk.studio.memory
        place = memory.place(desk.folder)
        desk.panes.take_widths(place)
        state.book, state.current = glance(desk.folder, place.chapter, memory.novel(desk.folder))
        state.volumes = volumes_of(state.book)
        painter.outline()
        if state.current.text is not None:
            state.in_view = state.current.text.text
            painter.prose.load(state.in_view)
        painter.outline_list.go_to(state.current.chapter)
        painter.title()
        at = place.paragraph if state.current.chapter == place.chapter else None
        # The app runs this once it has drawn a frame; called earlier, it would delay the frame.
        desk.app.call_later(desk.call_after_refresh, self.after_first_frame, at)

    def after_first_frame(self, paragraph: tuple[int, int] | None) -> None:
        """Scrolls to the writer's last place, then opens the rest."""
        if paragraph is not None:
            self._desk.painter.prose.go_to(*paragraph)
        self._desk.work(self._settle(), "settle")

    async def _settle(self) -> None:
        """Opens everything the first frame did not wait for."""
        desk = self._desk
        await desk.lay_foot()
        try:
            await asyncio.to_thread(self._open)
        except StudioError as error:
            desk.studio.refuse(error.problem)
            return
        features = desk.equip()
        await desk.furnish()
        desk.painter.diff_view.ascii_only = desk.studio.ascii_only
        desk.painter.diff_view.plain = desk.studio.ascii_only or desk.studio.no_color
        desk.studio.take_novel(desk.session)
        desk.painter.prose.measure = desk.studio.measure
        desk.painter.prose.window.close_up(desk.studio.look.compact)
        desk.panes.name_count(unit_in(desk.session.settings))
        await self._finish_change()
        if desk.state.current is not None and desk.state.current.text is None:
            desk.go_to_tab("plan")
        try:
            await features.reader.reread()
        finally:
            desk.prepared.set()  # a glance knows neither questions nor a book that is being begun
            desk.show_hints()
        await desk.find_edits()
        await features.reader.recall_spending()
        # One at a time: two busy threads would starve the event loop (P6).
        await desk.wait_drawn()
        await features.reader.name_model()
        features.decisions.lead_on()
        desk.watch(desk.app, "app_focus", self._heed_focus, init=False)
        desk.set_interval(_LOOK, features.look_again)
        await features.external_changes.begin()
        await desk.wait_drawn()
        await asyncio.to_thread(warm_up)
        features.reader.renew_price()
        desk.set_interval(_LOOK, self._tidy)

    async def _finish_change(self) -> None:
        """Completes plans or texts that a crash left partly saved before they are read:
        otherwise a plan would look unplanned, and a form over it would be refused."""
        from studio.project.commit.writing import finish_change

        desk = self._desk
        try:
            sentences = await desk.bridge.call(finish_change, desk.session.store)
        except StudioError:  # no one, or someone else, can write now: her next action reports it
            return
        for sentence in sentences:
            desk.studio.say(translate(sentence))

    def _tidy(self) -> None:
        """Collects garbage while the writer is idle and no page or message is open, when live
        objects are likely to stay. Also during streaming: leaving it all to the end of a run
        would take too long."""
        desk = self._desk
        if desk.is_on_top and desk.hands_rest and not desk.query(Toast):
            tidy()

    def _open(self) -> None:
        """Opens the novel and imports the modules of the desk; runs in a thread."""
        load_desk()
        _ = self._desk.session

    def _heed_focus(self, focused: bool) -> None:
        """Checks for changes when the writer returns, perhaps from another editor."""
        if focused:
            self._desk.features.external_changes.look_soon()
