"""The desk's pages to read, and the ways to change the text by hand."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from studio.config.recent import forget_unsaved, unsaved_text
from studio.errors import StudioError
from studio.story.chapter import sha256_of
from studio.tui.desk.tabs import DeskMaterial

if TYPE_CHECKING:
    from pathlib import Path

    from studio.pipeline.outcome import Outcome as Ended
    from studio.project.staging import StagedChapter
    from studio.tui.screens.editor import Outcome


class DeskPages(DeskMaterial):
    """Summary, evaluation, state, log; the editor and $EDITOR."""

    _handed_in: int | None = None
    """The chapter whose unsaved text was taken as the writer's draft and may lie there still."""

    async def outcome(self, outcome: Ended) -> None:
        """What was handed in lies in the novel now, and nowhere else."""
        if self._handed_in is not None:
            folder, chapter = self.session.store.layout.folder, self._handed_in
            await self.bridge.call(self._forget_handed_in, folder, chapter)
            self._handed_in = None
        await super().outcome(outcome)

    def _forget_handed_in(self, folder: Path, chapter: int) -> None:
        """Only once the novel has it: a run may have been refused before that."""
        text = unsaved_text(self.studio.environ, folder, chapter)
        if text and self.session.store.history.has(sha256_of(text)):
            forget_unsaved(self.studio.environ, folder, chapter)

    async def do_desk_summary(self) -> None:
        """The summary of the chapter shown."""
        await self._page("Summary", self._summary)

    async def do_desk_evaluation(self) -> None:
        """Its evaluation."""
        await self._page("Evaluation", self._evaluation)

    async def do_desk_state(self) -> None:
        """The story's state."""
        from studio.tui.views.pages import chapter as chapter_pages

        await self._page(
            "Story state", lambda: tuple(chapter_pages.state_lines(self.session.store.state()))
        )

    async def do_desk_log(self) -> None:
        """What happened, and what it cost."""
        from studio.tui.views.pages import chapter as chapter_pages

        def lines() -> Any:
            costs = self.session.costs()
            return tuple(chapter_pages.log_lines(self.run_state, self._journal, costs))

        await self._page("Log and cost", lines)

    async def _page(self, title: str, read: Any) -> None:
        from studio.tui.screens.page import PageScreen

        try:
            lines = await asyncio.to_thread(read)
        except StudioError as error:
            self.studio.tell(error.problem)
            return
        chapter = f" of chapter {self.shown.chapter}" if self.shown else ""
        about = chapter if title in ("Summary", "Evaluation") else ""
        self.app.push_screen(PageScreen(title + about, lines))

    def _staged(self) -> StagedChapter | None:
        from studio.project.staging import StagedChapter

        shown = self.shown
        if shown is None or not self.situation().directives_here:
            return None
        return StagedChapter(self.session.store.layout, shown.chapter)

    def _summary(self) -> Any:
        from studio.tui.views.pages import chapter as chapter_pages

        staged, shown = self._staged(), self.shown
        text = staged.summary() if staged else None
        if not text and shown is not None:
            text = self.session.store.summary(shown.chapter)
        return tuple(chapter_pages.summary_lines(text))

    def _evaluation(self) -> Any:
        from studio.tui.views.pages import chapter as chapter_pages

        staged, shown = self._staged(), self.shown
        found = staged.evaluation() if staged else None
        if found is None and shown is not None:
            found = self.session.store.evaluation(shown.chapter)
        return tuple(chapter_pages.evaluation_lines(found))

    # By hand

    def do_desk_edit(self) -> None:
        """The editor on the chapter shown."""
        from studio.tui.screens.editor import EditorScreen

        if self.shown is None or self.book is None:
            return
        entry = self.book.contents.entry(self.shown.chapter)
        title = entry.title if entry else ""
        screen = EditorScreen(self.session, self.shown, title)
        self.app.push_screen(screen, self._edited)

    def _edited(self, outcome: Outcome | None) -> None:
        from studio.session import WriteOrder

        if outcome is None:
            return
        if outcome.draft is not None and self.shown is not None:
            order = WriteOrder(chapter=self.shown.chapter, draft=outcome.draft)
            self._handed_in = self.shown.chapter
            self.start("write", order)
        else:
            self.run_worker(self.reread(), group="reread")

    async def do_desk_external(self) -> None:
        """The writer's own editor on the chapter shown."""
        from studio.project.author.author_text import save_own_text
        from studio.tui.terminal.external_editor import handed_over

        shown = self.shown
        if shown is None:
            return
        text = shown.text.text if shown.text else ""
        named, folder = self.session.settings.editor, self.session.store.layout.folder
        fresh = handed_over(self.studio, named, folder, shown.chapter, text)
        if fresh is None:
            return
        expected = shown.text.sha256 if shown.text else None
        if await self.tried(save_own_text, self.session.store, shown.chapter, fresh, expected):
            await asyncio.to_thread(forget_unsaved, self.studio.environ, folder, shown.chapter)
            await self.reread()
