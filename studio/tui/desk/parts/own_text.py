"""The writer's own edits to a chapter: in the studio's editor, and in her own."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from studio.errors import StudioError
from studio.i18n import _, translate
from studio.pipeline.chapter.own_text import save_own_text
from studio.pipeline.chapter.unsaved_words import set_unsaved_aside, unsaved_texts
from studio.project.author.published import to_put_there
from studio.project.history.reasons import Reason
from studio.project.unsaved import unsaved_of
from studio.session import WriteOrder
from studio.story.chapter import Chapter, sha256_of
from studio.text.diff import where_they_part
from studio.tui.desk.protocol import result_of, try_to_do
from studio.tui.performs import performs

if TYPE_CHECKING:
    from collections.abc import Callable

    from studio.pipeline.judging.measures import SavedText
    from studio.project.store import ProjectStore
    from studio.story.review.directive import Directive
    from studio.tui.desk.parts.run import RunFollower
    from studio.tui.desk.protocol import Desk
    from studio.tui.screens.editor import EditorOutcome


def _to_put_there(store: ProjectStore, number: int) -> list[str]:
    try:
        return [translate(sentence) for sentence in to_put_there(store, number)]
    except StudioError:  # a damaged file says so elsewhere
        return []


class OwnText:
    """Edits the chapter on the screen, and hands in a draft."""

    def __init__(self, desk: Desk, run: RunFollower, analysis: SavedAnalysis) -> None:
        self._desk = desk
        self._run = run
        self._analysis = analysis
        self._handed_in: EditorOutcome | None = None
        """The unsaved text that was handed in as the writer's draft and may not be deleted yet."""

    async def forget_handed_in(self) -> None:
        """Deletes the unsaved text after a run: the novel now contains it."""
        if self._handed_in is not None:
            await self._desk.bridge.call(self._forget, self._handed_in)
            self._handed_in = None

    def _forget(self, outcome: EditorOutcome) -> None:
        """Deletes the unsaved text only if the novel has it: a run may have been refused before
        saving it."""
        if outcome.unsaved and self._desk.session.store.history.has(sha256_of(outcome.text)):
            outcome.unsaved.forget()

    @performs("desk.edit")
    def edit(self) -> None:
        """Opens the editor on the current chapter."""
        from studio.tui.screens.editor import EditorScreen

        desk, current, book = self._desk, self._desk.state.current, self._desk.state.book
        if current is None or book is None:
            return
        entry = book.contents.entry(current.chapter)
        title, at = entry.title if entry else "", desk.painter.passage_at_hand
        screen = EditorScreen(desk.session, current, title, at)
        desk.studio.push_screen(screen, self._take_edit)

    def _take_edit(self, outcome: EditorOutcome | None) -> None:
        if outcome is None:
            return
        chapter = self._desk.state.chapter
        if outcome.draft is not None and chapter is not None:
            self._handed_in = outcome
            order = WriteOrder(chapter=chapter, draft=outcome.draft, typed=True)
            self._run.start("write", order, is_priced=True)
        elif outcome.goes_on:
            self._run.start("resume", is_priced=True)  # the editor has said what it costs
        else:
            self._desk.work(self._show_saved(), "reread")

    async def take_out(self, fix: Directive) -> None:
        """Takes a fix out of a chapter that is in the book, after both texts were shown: an edit of
        hers, for which no model is asked."""
        from studio.pipeline.review.undo import without_fix
        from studio.tui.screens.ask import Confirm

        desk, text, sheet = self._desk, self._desk.state.text, self._desk.state.sheet
        if text is None or sheet is None or fix.result is None:
            return
        without = partial(without_fix, text, fix, sheet.directives)
        fresh = await result_of(desk, without)
        if fresh is None:
            return
        now, old = (" ".join(t.split()) for t in (fix.result.after, fix.result.before))
        goes, comes = where_they_part(now, old)
        words = [_("This comes back:"), comes]
        if goes:
            words = [_("This goes:"), goes, *words]
        words.append(_("No model is asked. It counts as an edit of yours."))

        def on_answer(yes: bool | None) -> None:
            if yes:
                desk.work(self._put(fresh, text), "decide")

        title = _("Take it back in the book?")
        desk.studio.push_screen(Confirm(title, "\n\n".join(words)), on_answer)

    async def _put(self, fresh: Chapter, before: Chapter) -> None:
        """Puts a text of hers in the place of the one on the screen."""
        desk, novel, number = (
            self._desk,
            self._desk.session.settings.novel,
            self._desk.state.chapter,
        )
        reason = Reason.TAKEN_BACK
        order = (fresh.text, before.sha256, novel.language, reason, novel.form)
        if await try_to_do(desk, save_own_text, desk.session.store, number, *order):
            await self._show_saved()

    async def _show_saved(self) -> None:
        desk, number = self._desk, self._desk.state.chapter
        await desk.reread()
        if number is not None:
            for words in await desk.bridge.call(_to_put_there, desk.session.store, number):
                desk.studio.say(words)
        self._analysis.begin()

    @performs("desk.external")
    async def edit_outside(self) -> None:
        """Opens the writer's own editor on the current chapter."""
        from studio.tui.terminal.external_editor import handed_over

        desk, current = self._desk, self._desk.state.current
        if current is None:
            return
        unsaved = await asyncio.to_thread(unsaved_of, desk.session.store, current.chapter)
        standing, settings = current.to_edit, desk.session.settings
        text, expected = (standing.text, standing.sha256) if standing else ("", None)
        fresh = handed_over(desk.app, settings.editor, unsaved, text)
        if fresh is None:
            await asyncio.to_thread(unsaved.forget)
            return
        language, store = settings.novel.language, desk.session.store
        form = settings.novel.form
        order = (store, current.chapter, fresh, expected, language, Reason.BROUGHT, form)
        if await try_to_do(desk, save_own_text, *order):
            await asyncio.to_thread(unsaved.forget)
            await self._show_saved()


def once_hers_is_safe(desk: Desk, go: Callable[[], None]) -> None:
    """Goes on with the next chapter at once, or after asking about words that she typed into it and
    has not saved."""
    book = desk.state.book

    async def go_if_safe() -> None:
        if await _is_unsaved_decided(desk):
            go()

    if book is None or book.next_chapter not in book.unsaved:
        go()
    else:
        desk.converse(go_if_safe())


async def _is_unsaved_decided(desk: Desk) -> bool:
    """Asks what becomes of words that she typed into the next chapter and has not saved, before it
    goes on without them; returns whether it may. Her words are nowhere lost: they open in the
    editor, or are kept among the variations."""
    from studio.tui.screens.ask import Choose
    from studio.tui.screens.editor import line_of_left

    book, session = desk.state.book, desk.session
    if book is None:
        return False
    chapter, novel = book.next_chapter, session.settings.novel
    left = await desk.bridge.call(unsaved_texts, session.store, novel, chapter)
    if not left:
        return True
    title = _("Chapter {chapter}: what you typed there is not saved yet.", chapter=chapter)
    rows = [
        ("open", _("Open it in the editor: there you save it or go on typing")),
        ("aside", _("Go on without it: it is kept, in the Variations tab")),
    ]
    answer = await desk.studio.push_screen_wait(Choose(title, rows, line_of_left(left[0])))
    if answer == "open":
        await desk.show_chapter(chapter)
        await desk.studio.action_perform("desk.edit")
    if answer != "aside":
        return False
    is_done = await try_to_do(desk, set_unsaved_aside, session.store, novel, chapter)
    await desk.reread(fresh=False)
    return is_done


class SavedAnalysis:
    """The findings in the text saved last; the next save replaces them."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.seen: SavedText | None = None
        """None before the first save of this session, and while an analysis runs."""

    def begin(self) -> None:
        """Analyses the text on the screen, which has just been saved."""
        self.seen = None
        self._desk.work(self._look(), "analysis", exclusive=True)

    async def _look(self) -> None:
        current = self._desk.state.current
        if current is None or current.text is None:
            return
        try:
            self.seen = await asyncio.to_thread(
                self._desk.session.analyse, current.chapter, current.text
            )
        except StudioError:
            return  # what cannot be read is reported where it is shown, and by `studio verify`

    def of(self, sha256: str) -> SavedText | None:
        """Returns the findings for exactly this text."""
        return self.seen if self.seen is not None and self.seen.sha256 == sha256 else None
