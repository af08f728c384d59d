"""The desk and the world outside: edits made elsewhere, what follows of them, and what was."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from studio.errors import StudioError
from studio.tui.desk.export import DeskExporting
from studio.tui.views.situation import Situation

if TYPE_CHECKING:
    from studio.pipeline.external_changes import Differences, Upkeep
    from studio.project.watch.snapshot import FileChange
    from studio.tui.desk.watcher import Watcher
    from studio.tui.screens.decision import Chosen


_LOOK = 1.0
"""Seconds between two looks at how changes are noticed."""
_FIRST_LOOK = 10.0
"""Seconds the first look at a novel may take before other work begins beside it."""
_LATE = "notices changes late"


class DeskUpkeep(DeskExporting):
    """Watches the novel while it is open (DESIGN section 12: within a second)."""

    watcher: Watcher | None = None
    _behind = False
    """Whether something changed that the outline does not show yet."""
    _catching_up = False
    _polling = False
    """Whether the line at the head says so."""

    @cached_property
    def upkeep(self) -> Upkeep:
        """What was changed elsewhere, and how it is settled."""
        return self.session.upkeep()

    async def begin_watching(self) -> None:
        """When it returns, changes made elsewhere are noticed, and the plans are kept."""
        from studio.tui.desk.watcher import Watcher

        self.watcher = Watcher(self.upkeep.watch(), self._noticed)
        self.watcher.start()
        self.watch(self.app, "app_focus", self._back, init=False)
        self.set_interval(_LOOK, self._heed_polling)
        await asyncio.to_thread(self.watcher.ready.wait, _FIRST_LOOK)
        await self._keep_plans()

    def _heed_polling(self) -> None:
        """The system may stop telling of changes at any time; then the badge comes."""
        if self.watcher is not None and self.watcher.polling != self._polling:
            self._polling = self.watcher.polling
            self.draw_title()
        self.draw_waiting()
        if self.book is not None and self.book.elsewhere:
            self.run_worker(self._heed_elsewhere(), group="elsewhere", exclusive=True)

    async def _heed_elsewhere(self) -> None:
        """Whoever else writes the novel may be done with it."""
        from studio.tui.desk.load import written_elsewhere

        now = await self.bridge.read(written_elsewhere, self.session)
        if self.book is not None and now != self.book.elsewhere:
            await self.reread()

    def at_the_right(self) -> str:
        """With a badge where changes are looked for instead of told."""
        return " · ".join(filter(None, (_LATE if self._polling else "", self.model)))

    def _back(self, focused: bool) -> None:
        """The writer is back from somewhere, perhaps from another editor."""
        if focused and self.watcher is not None:
            self.watcher.look()

    async def _keep_plans(self) -> None:
        if not self.bridge.running:  # a run needs the lock, and keeps them itself
            await self.bridge.call(self.upkeep.keep_plans)

    def _noticed(self, changes: Sequence[FileChange]) -> None:
        self.run_worker(self._heed(changes), group="look")

    async def _heed(self, changes: Sequence[FileChange]) -> None:
        from studio.project.watch.plan_changes import is_plan
        from studio.tui.desk.change_messages import told_of

        if self.watcher is not None and self.watcher.gone:
            self.studio.say("The folder of this novel is gone. Put it back to go on.", "error")
            return
        shown = self.shown
        chapter = shown.chapter if shown else None
        text = shown.text.text if shown and shown.text else ""
        if chapter is not None and self._is_shown(changes) and not self.run_state.running:
            await self.show_chapter(chapter)
        for words, severity in await self.bridge.read(
            told_of, self.session, changes, chapter, text
        ):
            self.studio.say(words, severity)
        await self._catch_up(plans=any(is_plan(change.path) for change in changes))

    async def _catch_up(self, plans: bool) -> None:
        """Reads the whole novel again, once for all that changed meanwhile."""
        self._behind = True
        if self._catching_up or self.run_state.running:
            return
        self._catching_up = True
        try:
            while self._behind and not self.run_state.running:
                self._behind = False
                await self.reread()
                if plans:
                    await self._keep_plans()
        finally:
            self._catching_up = False

    def _is_shown(self, changes: Sequence[FileChange]) -> bool:
        assert self.shown is not None
        layout, chapter = self.session.store.layout, self.shown.chapter
        mine = {layout.chapter(chapter), layout.staged_chapter(chapter)}
        return any(change.path in mine for change in changes)

    async def reread(self, *, fresh: bool = True, chapter: int | None = None) -> None:
        """With what was changed elsewhere."""
        await super().reread(fresh=fresh, chapter=chapter)
        if fresh:
            await self.drawn_once()
            await self.find_edits()

    async def find_edits(self) -> None:
        """Marks the chapters that were changed by hand, moved, or planned otherwise."""
        found = await self.bridge.call(self.upkeep.differences)
        if self.book is not None and found != self.book.differences:
            await self.take(self.book._replace(differences=found))
            self.draw_notice()
            self.show_hints()

    # What she does about it

    @property
    def _differences(self) -> Differences:
        assert self.book is not None
        assert self.book.differences is not None  # the action's reason_disabled says so
        return self.book.differences

    async def do_desk_hand_edit(self) -> None:
        """Style only, or meaning changed?"""
        from studio.tui.screens.decision import DecisionScreen
        from studio.tui.views.review.decision_card import card_of

        edited = self._differences.edited
        shown = self.shown.chapter if self.shown else None
        chapter = shown if shown in edited else edited[0]
        layout = self.session.store.layout
        question = await self.bridge.call(self.upkeep.question, chapter)
        if question is None:
            await self.find_edits()
            return
        before = question.data["committed_sha256"]
        words = await self.bridge.call(self.upkeep.words, before, layout.chapter(chapter))
        told = question.model_copy(update={"data": {**question.data, "notes": [words]}})
        card = card_of(told, self.studio.keymap)

        def answered(chosen: Chosen | None) -> None:
            if chosen is not None:
                self.run_worker(self._settled(chapter, chosen.option), group="decide")

        self.app.push_screen(DecisionScreen(card), answered)

    async def _settled(self, chapter: int, option: str) -> None:
        if option == "meaning":
            self._rebuild((chapter,))
        elif option == "style" and await self.tried(self.upkeep.only_style, chapter):
            await self.reread()
            self.studio.say(f"The book takes the new text for chapter {chapter}'s own.")

    def do_desk_rebuild(self) -> None:
        """The edited chapters; without one, the chapter on the screen."""
        edited = self.book is not None and self.book.differences and self.book.differences.edited
        chapter = self.shown.chapter if self.shown else None
        self._rebuild(() if edited or chapter is None else (chapter,))

    def _rebuild(self, chapters: tuple[int, ...]) -> None:
        from studio.pipeline.rebuild.plan import RebuildOrder
        from studio.tui.screens.rebuild import RebuildScreen

        screen = RebuildScreen(self.session, RebuildOrder(chapters))
        self.app.push_screen(screen, self._read_again)

    def do_desk_history(self) -> None:
        """Every saved version."""
        from studio.tui.screens.history import HistoryScreen

        chapter = self.shown.chapter if self.shown else 1
        path = self.session.store.layout.chapter(chapter)
        self.app.push_screen(HistoryScreen(self.session, path), self._read_again)

    def _read_again(self, changed: bool | None) -> None:
        if changed:
            self.run_worker(self.reread(), group="reread")

    async def do_desk_let_stand(self) -> None:
        """The chapter shown, and the book, stand as they are."""
        shown = self.shown.chapter if self.shown else 0
        here = any(shown in c.chapters for c in self._differences.plans if not c.whole_book)
        if await self.tried(self.upkeep.let_stand, [shown] if here else None):
            await self.find_edits()

    async def do_desk_put_back(self) -> None:
        """Every chapter to its place."""
        try:
            done = await self.bridge.call(self.upkeep.put_back)
        except StudioError as error:
            self.studio.tell(error.problem)
            return
        await self.reread()
        self.studio.say(" ".join(done))

    def situation(self) -> Situation:
        """With what was changed elsewhere."""
        now = super().situation()
        found = self.book.differences if self.book else None
        if found is None:
            return now
        here = any(now.shown in change.chapters for change in found.plans)
        return now._replace(
            edited=bool(found.edited),
            marked=here or any(change.whole_book for change in found.plans),
            moved=bool(found.places.moved or found.places.missing),
        )

    def on_unmount(self) -> None:
        """Nobody looks any more."""
        if self.watcher is not None:
            self.watcher.stop()

    async def put_away(self) -> None:
        """Ends the watch; a dated copy of the novel is made when the writer leaves."""
        if self.watcher is not None:
            self.watcher.stop()
        await super().put_away()
        if self.watcher is None or self.studio.signalled is not None:
            return
        try:
            await asyncio.to_thread(self.upkeep.back_up, self.studio.environ)
        except StudioError as error:
            self.studio.tell(error.problem)
            self.session.store.keep_log(f"No backup was made: {error.problem.message}\n")
