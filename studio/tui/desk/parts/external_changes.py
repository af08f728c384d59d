"""Changes from outside at the desk: a thread watches the novel; edits are detected, said, and read
off the event loop.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from studio.book.bible import read_bible
from studio.errors import StudioError
from studio.i18n import _, as_label, one_after_another, translate
from studio.project import layout as places
from studio.project.watch.plan_changes import is_plan, planned_by
from studio.project.watch.watch import FileChange
from studio.session import Session
from studio.text.diff import changed_words
from studio.tui.desk.load import written_elsewhere
from studio.tui.desk.protocol import result_of, try_to_do
from studio.tui.performs import performs
from studio.tui.runtime.app_loop import AppLoop

if TYPE_CHECKING:
    from studio.pipeline.external_changes import Differences, Upkeep
    from studio.project.watch.watch import Watch
    from studio.tui.desk.protocol import Desk
    from studio.tui.desk.reader import Reader
    from studio.tui.screens.decision import Chosen


class Watcher:
    """Watches a novel in a thread; created, started and stopped on the app's event loop."""

    def __init__(self, watch: Watch, on_changes: Callable[[Sequence[FileChange]], None]) -> None:
        self._watch = watch
        self._heard = on_changes
        self._app = AppLoop()
        self._thread = threading.Thread(target=self._run, name="watch", daemon=True)
        self.ready = threading.Event()
        """Set once changes are noticed, or never will be."""

    @property
    def is_polling(self) -> bool:
        """Whether the files are polled because there are no change events."""
        return self._watch.polling

    @property
    def is_gone(self) -> bool:
        """Whether the novel's folder is missing."""
        return self._watch.is_gone

    def start(self) -> None:
        """Starts watching."""
        self._thread.start()

    def look(self) -> None:
        """Rescans everything soon, for instance because the writer is back."""
        self._watch.look_soon()

    def stop(self) -> None:
        """Stops watching; no callback runs afterwards."""
        self._heard = lambda changes: None
        self._watch.stop()
        self.ready.set()

    def _run(self) -> None:
        self._watch.run(self._tell, self.ready.set)

    def _tell(self, changes: Sequence[FileChange]) -> None:
        self._app.call(self._pass_on, changes)

    def _pass_on(self, changes: Sequence[FileChange]) -> None:
        self._heard(changes)


_MANY = 3
"""The number of changes above which they are only counted."""
_STAGED = f"{places.STAGING}/"


class Told(NamedTuple):
    """A message of the desk."""

    words: str
    severity: str = "information"


def told_of(
    session: Session, changes: Sequence[FileChange], chapter: int | None, text: str
) -> list[Told]:
    """Returns the messages about changes, leaving out those another process of the studio made.

    `text` is what the desk showed of `chapter`, for use if history has no earlier text.
    """
    messages = [message for change in changes if (message := _tell(session, change, chapter, text))]
    if len(messages) > _MANY:
        return [Told(_("{count} files were changed elsewhere.", count=len(messages)))]
    return messages


def _tell(session: Session, change: FileChange, chapter: int | None, text: str) -> Told | None:
    number = places.chapter_of(change.path.removeprefix(_STAGED))
    if number is not None:
        staged = change.path.startswith(_STAGED)
        before = text if number == chapter else ""
        return (
            _of_staged(session, change, number) if staged else _of(session, change, number, before)
        )
    if not is_plan(change.path):
        return None
    chapter_planned, volume = planned_by(change.path)
    if chapter_planned is not None:  # the app's form writes this file; the writer does not know it
        return Told(
            _sentence(_("The plan of chapter {chapter}", chapter=chapter_planned), change, "")
        )
    words = session.upkeep().words(change.before, change.path)
    outline = _("The outline of volume {volume}", volume=volume)
    return Told(
        _sentence(_name_of(session, change.path) if volume is None else outline, change, words)
    )


def _name_of(session: Session, path: str) -> str:
    """Returns the name of the bible entry kept in a file; the path if the file holds no entry,
    or is gone."""
    try:
        entries = read_bible(session.store).entries.values()
    except StudioError:
        return path
    stem = path.rpartition(".")[0]
    return next((e.name for e in entries if e.path.rpartition(".")[0] == stem), path)


def _of(session: Session, change: FileChange, number: int, before: str) -> Told | None:
    store = session.store
    if change.after is None:
        sentence = _(
            "Chapter {number} is missing: {path} was moved or deleted.",
            number=number,
            path=change.path,
        )
        return Told(sentence, "warning")
    if store.committed_sha(number) is not None and not store.hand_edits([number]):
        return None
    try:
        present = store.chapter(number)
    except StudioError as error:
        return Told(translate(str(error.problem)), "warning")
    words = session.upkeep().words(change.before, change.path)
    if not words and before and present is not None:
        words = changed_words(before, present.text, session.settings.novel.language)
    return Told(_sentence(_("Chapter {number}", number=number), change, words))


def _of_staged(session: Session, change: FileChange, number: int) -> Told | None:
    """Returns the message that a staged text which no record of a run produced is now the
    writer's own."""
    checkpoint = session.store.checkpoint()
    by_stages = {record.output_sha256 for record in checkpoint.stage_records}
    if change.after is None or change.before is None or change.after in by_stages:
        return None
    if checkpoint.inflight_chapter != number:
        return None
    words = session.upkeep().words(change.before, change.path)
    return Told(_sentence(_("The chapter in progress, {number},", number=number), change, words))


def _sentence(what: str, change: FileChange, words: str) -> str:
    if change.after is None:
        sentence = _("{what} was deleted.", what=what)
    elif change.before is None:
        sentence = _("{what} appeared.", what=what)
    else:
        sentence = _("{what} was changed elsewhere.", what=what)
    return as_label(sentence[:-1]) + translate(words) if words else sentence


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
        self.watcher = Watcher(self._upkeep.watch(), self._notice)
        self.watcher.start()
        await asyncio.to_thread(self.watcher.ready.wait, _FIRST_LOOK)
        await self._keep_plans()

    def look_again(self) -> None:
        """Checks at intervals whether change events have stopped, which can happen at any time,
        and whether another process has finished writing the novel."""
        state = self._state
        if self.watcher is not None and self.watcher.is_polling != state.notices_late:
            state.notices_late = self.watcher.is_polling
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
            await asyncio.to_thread(desk.session.upkeep().back_up, desk.studio.environ)
        except StudioError as error:
            desk.studio.tell(error.problem)
            words = _("No backup was made: {message}\n", message=error.problem.message)
            with suppress(StudioError):  # the folder may be gone
                desk.session.store.keep_log(words)

    async def _keep_plans(self) -> None:
        if not self._desk.bridge.is_running:  # a run needs the lock, and saves the plans itself
            await self._desk.bridge.call(self._upkeep.keep_plans)

    def _notice(self, changes: Sequence[FileChange]) -> None:
        self._desk.work(self._heed(changes), "look")

    async def _heed(self, changes: Sequence[FileChange]) -> None:
        desk, state = self._desk, self._state
        if self.watcher is not None and self.watcher.is_gone:
            desk.studio.say(_("The folder of this novel is gone. Put it back to go on."), "error")
            return
        if any(change.path == places.SETTINGS for change in changes):
            await self._take_settings()
        chapter, text = state.chapter, state.text.text if state.text else ""
        if chapter is not None and self._is_of(chapter, changes) and not state.run.running:
            await desk.show_chapter(chapter)
        for words, severity in await desk.bridge.read(
            told_of, desk.session, changes, chapter, text
        ):
            desk.studio.say(words, severity)
        await self._catch_up(plans=any(is_plan(change.path) for change in changes))

    async def _take_settings(self) -> None:
        """Uses the novel's settings as they stand now in its file, and says so. Settings that
        cannot be read are named, and the former ones stay."""
        from studio.tui.screens.settings import SettingsScreen

        desk, studio = self._desk, self._desk.studio
        try:
            present = await desk.bridge.read(
                Session.open, desk.session.store.layout.folder, studio.environ, studio.overrides
            )
        except StudioError as error:
            problem = translate(error.problem.message)
            studio.say(_("{problem} The settings read before stay.", problem=problem), "error")
            return
        settings = desk.session.settings = present.settings
        studio.take_settings(settings)
        desk.painter.prose.measure = studio.measure
        for screen in studio.screen_stack:
            if isinstance(screen, SettingsScreen):
                screen.take(settings)
        await self._reader.name_model()
        self._reader.renew_price()
        if self._state.run.running:
            studio.say(_("This novel's settings were changed elsewhere; the next run uses them."))
        else:
            studio.say(_("This novel's settings were changed elsewhere and are used from now on."))

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

        desk, edited = self._desk, self._differences.edited_chapters
        current = self._state.chapter
        chapters = (current,) if current is not None and current in edited else edited
        question = await desk.bridge.call(self._upkeep.question, *chapters)
        if question is None:
            await self.find_edits()
            return
        question = await desk.bridge.call(desk.session.previews().with_prices, question)
        notes = []
        for row in question.data["chapters"]:
            path = desk.session.store.layout.chapter(row["chapter"])
            words_of = desk.session.upkeep().words
            words = await desk.bridge.call(words_of, row["committed_sha256"], path)
            name = _("Chapter {number}", number=row["chapter"])
            notes.append(words if len(chapters) == 1 else as_label(name) + translate(words))
        noted = question.copy_with(data={**question.data, "notes": notes})

        def on_answer(answer: Chosen | None) -> None:
            if answer is not None:
                desk.work(self._settle(chapters, answer.option), "decide")

        card = card_of(noted, desk.studio.keymap)
        desk.studio.push_screen(DecisionScreen(card), on_answer)

    async def _settle(self, chapters: tuple[int, ...], option: str) -> None:
        desk = self._desk
        if option == "meaning":
            self._rebuild(chapters)
        elif option == "style" and await try_to_do(desk, self._upkeep.only_style, *chapters):
            await desk.reread()
            for chapter in chapters:
                desk.studio.say(
                    _("The book accepts the new text as chapter {chapter}.", chapter=chapter)
                )

    @performs("desk.rebuild")
    def rebuild(self) -> None:
        """Rebuilds the edited chapters; if there are none, the chapter on the screen."""
        book, chapter = self._state.book, self._state.chapter
        edited = book is not None and book.differences and book.differences.edited_chapters
        self._rebuild(() if edited or chapter is None else (chapter,))

    def _rebuild(self, chapters: tuple[int, ...]) -> None:
        from studio.pipeline.rebuild import RebuildOrder
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
        if await try_to_do(self._desk, self._upkeep.let_stand, [chapter] if here else None):
            await self.find_edits()

    @performs("desk.put_back")
    async def put_back(self) -> None:
        """Moves every chapter back to its place."""
        desk = self._desk
        if (sentences := await result_of(desk, self._upkeep.put_back)) is None:
            return
        await desk.reread()
        desk.studio.say(one_after_another(*sentences))
