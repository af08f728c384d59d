"""Changes from outside at the desk: detecting edits, resolving their consequences, and history."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from studio.errors import StudioError
from studio.i18n import _, as_label, translate
from studio.project.watch.plan_changes import is_plan
from studio.tui.desk.load import written_elsewhere
from studio.tui.desk.parts.outside.change_messages import told_of
from studio.tui.desk.parts.outside.watcher import Watcher
from studio.tui.desk.protocol import tried
from studio.tui.performs import performs

if TYPE_CHECKING:
    from studio.pipeline.external_changes import Differences, Upkeep
    from studio.project.watch.watch import FileChange
    from studio.tui.desk.protocol import Desk
    from studio.tui.desk.reader import Reader
    from studio.tui.screens.decision import Chosen

_FIRST_LOOK = 10.0
"""Seconds to wait for the first scan of a novel before other work starts beside it."""


class ExternalChanges:
    """Watches the novel while it is open (DESIGN section 12: within a second)."""

    def __init__(self, desk: Desk, reader: Reader) -> None:
        self._desk = desk
        self._state = desk.state
        self._reader = reader
        self._upkeep: Upkeep = desk.session.upkeep()
        self.watcher: Watcher | None = None
        self._behind = False
        """Whether a change is not yet shown in the outline."""
        self._catching_up = False

    async def begin(self) -> None:
        """Starts the watcher; on return, outside changes are noticed and the plans are saved."""
        self.watcher = Watcher(self._upkeep.watch(), self._noticed)
        self.watcher.start()
        await asyncio.to_thread(self.watcher.ready.wait, _FIRST_LOOK)
        await self._keep_plans()

    def look_again(self) -> None:
        """Checks at intervals whether change events have stopped, which can happen at any time,
        and whether another process has finished writing the novel."""
        state = self._state
        if self.watcher is not None and self.watcher.polling != state.notices_late:
            state.notices_late = self.watcher.polling
            self._desk.painter.title()
        if state.book is not None and state.book.elsewhere:
            self._desk.work(self._heed_elsewhere(), "elsewhere", exclusive=True)

    async def _heed_elsewhere(self) -> None:
        sentence = await self._desk.bridge.read(written_elsewhere, self._desk.session)
        if self._state.book is not None and sentence != self._state.book.elsewhere:
            await self._desk.reread()

    def look_soon(self) -> None:
        """Checks for changes when the writer returns, perhaps from another editor."""
        if self.watcher is not None:
            self.watcher.look()

    def stop(self) -> None:
        """Stops watching the novel."""
        if self.watcher is not None:
            self.watcher.stop()

    async def back_up(self) -> None:
        """Makes the dated backup of a watched novel when the writer leaves."""
        desk = self._desk
        if self.watcher is None or desk.studio.signalled is not None:
            return
        try:
            await asyncio.to_thread(self._upkeep.back_up, desk.studio.environ)
        except StudioError as error:
            desk.studio.tell(error.problem)
            words = _("No backup was made: {message}\n", message=error.problem.message)
            with suppress(StudioError):  # the folder may be gone
                desk.session.store.keep_log(words)

    async def _keep_plans(self) -> None:
        if not self._desk.bridge.running:  # a run needs the lock, and saves the plans itself
            await self._desk.bridge.call(self._upkeep.keep_plans)

    def _noticed(self, changes: Sequence[FileChange]) -> None:
        self._desk.work(self._heed(changes), "look")

    async def _heed(self, changes: Sequence[FileChange]) -> None:
        desk, state = self._desk, self._state
        if self.watcher is not None and self.watcher.gone:
            desk.studio.say(_("The folder of this novel is gone. Put it back to go on."), "error")
            return
        chapter, text = state.chapter, state.text.text if state.text else ""
        if chapter is not None and self._is_of(chapter, changes) and not state.run.running:
            await desk.show_chapter(chapter)
        for words, severity in await desk.bridge.read(
            told_of, desk.session, changes, chapter, text
        ):
            desk.studio.say(words, severity)
        await self._catch_up(plans=any(is_plan(change.path) for change in changes))

    async def _catch_up(self, plans: bool) -> None:
        """Rereads the whole novel, once for all changes that have accumulated."""
        self._behind = True
        if self._catching_up or self._state.run.running:
            return
        self._catching_up = True
        try:
            while self._behind and not self._state.run.running:
                self._behind = False
                await self._desk.reread()
                if plans:
                    await self._keep_plans()
        finally:
            self._catching_up = False

    def _is_of(self, chapter: int, changes: Sequence[FileChange]) -> bool:
        layout = self._desk.session.store.layout
        mine = {layout.chapter(chapter), layout.staged_chapter(chapter)}
        return any(change.path in mine for change in changes)

    async def find_edits(self) -> None:
        """Marks the chapters that were edited by hand, moved, or replanned."""
        differences = await self._desk.bridge.call(self._upkeep.differences)
        if await self._reader.take_differences(differences):
            self._desk.painter.notice()
            self._desk.show_hints()

    # The writer's response

    @property
    def _differences(self) -> Differences:
        assert self._state.book is not None
        assert self._state.book.differences is not None  # the action's reason_disabled ensures it
        return self._state.book.differences

    @performs("desk.hand_edit")
    async def ask_meaning(self) -> None:
        """Asks whether an edit changed only the style or also the meaning: of the chapter shown if
        it was edited, else of all that were, in one question."""
        from studio.tui.screens.decision import DecisionScreen
        from studio.tui.views.review.decision_card import card_of

        desk, edited = self._desk, self._differences.edited
        current = self._state.chapter
        chapters = (current,) if current is not None and current in edited else edited
        question = await desk.bridge.call(self._upkeep.question, *chapters)
        if question is None:
            await self.find_edits()
            return
        notes = []
        for row in question.data["chapters"]:
            path = desk.session.store.layout.chapter(row["chapter"])
            words = await desk.bridge.call(self._upkeep.words, row["committed_sha256"], path)
            name = _("Chapter {number}", number=row["chapter"])
            notes.append(words if len(chapters) == 1 else as_label(name) + translate(words))
        noted = question.model_copy(update={"data": {**question.data, "notes": notes}})

        def on_answer(answer: Chosen | None) -> None:
            if answer is not None:
                desk.work(self._settled(chapters, answer.option), "decide")

        card = card_of(noted, desk.studio.keymap)
        desk.studio.push_screen(DecisionScreen(card), on_answer)

    async def _settled(self, chapters: tuple[int, ...], option: str) -> None:
        desk = self._desk
        if option == "meaning":
            self._rebuild(chapters)
        elif option == "style" and await tried(desk, self._upkeep.only_style, *chapters):
            await desk.reread()
            for chapter in chapters:
                desk.studio.say(
                    _("The book accepts the new text as chapter {chapter}.", chapter=chapter)
                )

    @performs("desk.rebuild")
    def rebuild(self) -> None:
        """Rebuilds the edited chapters; if there are none, the chapter on the screen."""
        book, chapter = self._state.book, self._state.chapter
        edited = book is not None and book.differences and book.differences.edited
        self._rebuild(() if edited or chapter is None else (chapter,))

    def _rebuild(self, chapters: tuple[int, ...]) -> None:
        from studio.pipeline.rebuild.plan import RebuildOrder
        from studio.tui.screens.rebuild import RebuildScreen

        screen = RebuildScreen(self._desk.session, RebuildOrder(chapters))
        self._desk.studio.push_screen(screen, self._read_again)

    @performs("desk.history")
    def history(self) -> None:
        """Opens the saved versions of the chapter on the screen."""
        from studio.tui.screens.history import HistoryScreen

        path = self._desk.session.store.layout.chapter(self._state.chapter or 1)
        self._desk.studio.push_screen(HistoryScreen(self._desk.session, path), self._read_again)

    def _read_again(self, has_changed: bool | None) -> None:
        if has_changed:
            self._desk.work(self._desk.reread(), "reread")

    @performs("desk.let_stand")
    async def let_stand(self) -> None:
        """Accepts the changed plans of this chapter, or else of the whole book, as they are."""
        chapter = self._state.chapter or 0
        here = any(chapter in c.chapters for c in self._differences.plans if not c.whole_book)
        if await tried(self._desk, self._upkeep.let_stand, [chapter] if here else None):
            await self.find_edits()

    @performs("desk.put_back")
    async def put_back(self) -> None:
        """Moves every chapter back to its place."""
        desk = self._desk
        try:
            sentences = await desk.bridge.call(self._upkeep.put_back)
        except StudioError as error:
            desk.studio.tell(error.problem)
            return
        await desk.reread()
        desk.studio.say(" ".join(sentences))
