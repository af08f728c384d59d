"""The writer's own edits to a chapter: in the studio's editor, and in her own."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from studio.config.recent import forget_unsaved, unsaved_text
from studio.pipeline.chapter.own_text import save_own_text
from studio.project.history.reasons import BROUGHT
from studio.session import WriteOrder
from studio.story.chapter import sha256_of
from studio.tui.desk.protocol import tried
from studio.tui.performs import performs

if TYPE_CHECKING:
    from pathlib import Path

    from studio.tui.desk.parts.run import Run
    from studio.tui.desk.protocol import Desk
    from studio.tui.desk.saved_analysis import SavedAnalysis
    from studio.tui.screens.editor import Outcome


class OwnText:
    """Edits the chapter on the screen, and hands in a draft."""

    def __init__(self, desk: Desk, run: Run, analysis: SavedAnalysis) -> None:
        self._desk = desk
        self._run = run
        self._analysis = analysis
        self._handed_in: int | None = None
        """The chapter whose unsaved text was handed in as the writer's draft and may not be
        deleted yet."""

    async def forget_handed_in(self) -> None:
        """Deletes the unsaved text after a run: the novel now contains it."""
        if self._handed_in is not None:
            await self._desk.bridge.call(self._forget, self._folder, self._handed_in)
            self._handed_in = None

    def _forget(self, folder: Path, chapter: int) -> None:
        """Deletes the unsaved text only if the novel has it: a run may have been refused before
        saving it."""
        environ = self._desk.studio.environ
        text = unsaved_text(environ, folder, chapter)
        if text and self._desk.session.store.history.has(sha256_of(text)):
            forget_unsaved(environ, folder, chapter)

    @property
    def _folder(self) -> Path:
        return self._desk.session.store.layout.folder

    @performs("desk.edit")
    def edit(self) -> None:
        """Opens the editor on the current chapter."""
        from studio.tui.screens.editor import EditorScreen

        desk, current, book = self._desk, self._desk.state.current, self._desk.state.book
        if current is None or book is None:
            return
        entry = book.contents.entry(current.chapter)
        screen = EditorScreen(desk.session, current, entry.title if entry else "")
        desk.studio.push_screen(screen, self._edited)

    def _edited(self, outcome: Outcome | None) -> None:
        if outcome is None:
            return
        chapter = self._desk.state.chapter
        if outcome.draft is not None and chapter is not None:
            self._handed_in = chapter
            self._run.start("write", WriteOrder(chapter=chapter, draft=outcome.draft, typed=True))
        else:
            self._desk.work(self._show_saved(), "reread")

    async def _show_saved(self) -> None:
        await self._desk.reread()
        self._analysis.begin()

    @performs("desk.external")
    async def edit_outside(self) -> None:
        """Opens the writer's own editor on the current chapter."""
        from studio.tui.terminal.external_editor import handed_over

        desk, current, folder = self._desk, self._desk.state.current, self._folder
        if current is None:
            return
        standing, settings = current.to_edit, desk.session.settings
        text, expected = (standing.text, standing.sha256) if standing else ("", None)
        fresh = handed_over(desk.app, settings.editor, folder, current.chapter, text)
        if fresh is None:
            return
        language, store = settings.novel.language, desk.session.store
        order = (store, current.chapter, fresh, expected, language, BROUGHT)
        if await tried(desk, save_own_text, *order):
            await asyncio.to_thread(forget_unsaved, desk.studio.environ, folder, current.chapter)
            await self._show_saved()
