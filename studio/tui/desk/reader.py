"""Rereading what the desk shows of its novel, and putting it on the screen."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from studio.errors import StudioError
from studio.i18n import _, series
from studio.project.layout import is_novel, vanished_error
from studio.story.review.directive import Directive, DirectiveSheet
from studio.tui.desk.load import (
    price_of_step,
    price_of_writing,
    publication_of,
    read_book,
    read_current,
    spent_now,
    spent_so_far,
)
from studio.tui.runtime.drawing import compute_undivided
from studio.tui.views.outline.rows import volumes_of
from studio.tui.views.review.plain_names import place

if TYPE_CHECKING:
    from studio.llm.provider import Provider
    from studio.pipeline.external_changes import Differences
    from studio.story.chapter import Paragraph
    from studio.tui.book import Book, CurrentChapter
    from studio.tui.desk.protocol import Desk


def _name_of(provider: Provider) -> str:
    """Returns the name of the model that writes; one meant only for trying the studio is
    labelled so."""
    name = provider.model_for("deep")
    return _("for trying: {name}", name=name) if provider.profile.note else name


def _paragraphs(current: CurrentChapter | None) -> Sequence[Paragraph]:
    return current.text.paragraphs if current is not None and current.text is not None else ()


class Reader:
    """Reads the novel off the event loop into immutable values, and shows them."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._taking = asyncio.Lock()
        """Held from reading the present book until it is replaced: of two concurrent reads the
        older could finish last and discard the newer one's question."""
        self._going_to: int | None = None
        """The chapter that was asked for last, from before it is read: a reading of the book that
        ends meanwhile does not lead back to the one before."""

    async def reread(self, *, fresh: bool = True, chapter: int | None = None) -> None:
        """Rereads the novel and shows a chapter: the given one, the streaming one, or the same."""
        desk, state = self._desk, self._desk.state
        if self._is_gone():
            return
        book = await desk.bridge.call(read_book, desk.session, fresh)
        async with self._taking:
            if state.book is not None:
                before = state.book
                book = book._replace(
                    differences=before.differences,  # these two are looked for once it is drawn
                    publication=before.publication,
                    notes=book.notes or before.notes,
                    marks=book.marks if fresh else before.marks,
                )
            await self._take(book)
        streamed = state.run.chapter if state.streamed else None
        number = chapter or streamed or self._going_to or state.chapter
        if number is None:
            desk.draw_rest()
        else:
            await self.show_chapter(number)
        await self.renew_spending()
        self.renew_price()

    def _is_gone(self) -> bool:
        """Says so where the folder of the novel is gone. What was read of it stays on the screen:
        a folder that is not there has no chapters, and the editor would open on an empty page."""
        folder = self._desk.session.store.layout.folder
        if is_novel(folder):
            return False
        self._desk.studio.tell(vanished_error(folder).problem)
        return True

    def renew_price(self) -> None:
        """Puts what w will cost beside it, before it is pressed, once it was looked up."""
        self._desk.state.price_known = False
        self._desk.work(self._renew_price(), "price", exclusive=True)

    async def look_up_price(self) -> None:
        """Puts what w will cost beside it as soon as it can be looked up."""
        await self._renew_price()

    async def _renew_price(self) -> None:
        """Looks up what w will cost: nothing in a run, for a chapter that asks something, or where
        no model writes."""
        desk, state = self._desk, self._desk.state
        now = desk.situation()
        if not state.model:  # its name is looked up after the first frame
            return
        is_asked = now.decision is not None and not (now.approved or state.is_for_later)
        is_due = state.has_model and not now.running and not is_asked
        read = price_of_step if now.in_steps and not now.trial_next else price_of_writing
        price = await desk.bridge.read(read, desk.session) if is_due else None
        is_first, state.price_known = not state.priced.is_set(), True
        state.priced.set()
        if (is_first or price != state.writing_price) and not state.run.running:
            state.writing_price = price
            desk.painter.directives()
            desk.painter.notice()
            desk.show_hints()

    async def take_differences(self, differences: Differences) -> bool:
        """Marks what other programs changed; returns whether anything was new."""
        async with self._taking:
            book = self._desk.state.book
            if book is None:
                return False
            publication = await self._desk.bridge.call(publication_of, self._desk.session)
            if (differences, publication) == (book.differences, book.publication):
                return False
            await self._take(book._replace(differences=differences, publication=publication))
        return True

    async def _take(self, book: Book) -> None:
        """Shows a book in the outline; work that grows with its length is done off the event
        loop."""
        state = self._desk.state
        volumes = await asyncio.to_thread(volumes_of, book, state.volumes)
        state.book, state.volumes = book, volumes
        self._desk.painter.outline()

    async def show_chapter(self, chapter: int) -> None:
        """Shows a chapter in the text pane and its directives beside it."""
        desk, state = self._desk, self._desk.state
        if state.book is None:
            return
        self._going_to = chapter
        checkpoint = state.book.checkpoint
        current = await desk.bridge.read(read_current, desk.session, chapter, checkpoint)
        if chapter != self._going_to:
            return  # another was asked for while this one was read
        if self._is_gone():
            return
        with compute_undivided():
            self._show(current)

    def _show(self, current: CurrentChapter) -> None:
        """Shows a chapter that was read."""
        desk, state, chapter = self._desk, self._desk.state, current.chapter
        before, state.current = state.current, current
        same = before is not None and before.chapter == chapter
        was_written = before is not None and before.text is not None
        text = current.text.text if current.text else ""
        is_streaming = state.run.running and state.run.chapter == chapter
        if not is_streaming or (not same and not state.streamed):
            state.streamed = ""
            self._load_text(text, same=same)
        desk.painter.outline()
        if not same or (not was_written and text):
            desk.go_to_tab(state.first_tab)
        desk.draw_rest()
        again = _words_asked_again(before.sheet if before else None, current.sheet)
        if again and same and not state.run.running:
            desk.studio.say(again)

    def _load_text(self, text: str, *, same: bool) -> None:
        """Loads a text into the text pane: of the same chapter at the same row, or at its end if
        that was followed; of another chapter at its top, or where its draft broke off."""
        state, prose = self._desk.state, self._desk.painter.prose
        if same and state.in_view == text:
            return
        top, is_following, stop = prose.scroll_offset.y, prose.follow, self._stop()
        if not same:
            prose.cursor.go_to(None, chosen=False)
        if stop is not None and (is_following or not same):
            prose.load(text, at_end=True)
            if any(paragraph.scene > stop[0] for paragraph in _paragraphs(state.current)):
                prose.go_to(*stop)
        else:
            prose.load(text, at_end=same and is_following)
        state.in_view = text
        if same and not is_following:
            prose.scroll_to(y=top, animate=False)

    def _stop(self) -> tuple[int, int] | None:
        """Returns the scene and the paragraph at which the draft of the chapter on the screen broke
        off; None if no scene of it is in progress."""
        book, current = self._desk.state.book, self._desk.state.current
        question = book.in_progress if book is not None else None
        if book is None or current is None or question is None or question.kind != "cut_off":
            return None
        if book.checkpoint.inflight_chapter != current.chapter:
            return None
        scene = int(question.data.get("scene", 1))
        own = [each.number for each in _paragraphs(current) if each.scene == scene]
        return scene, max(own, default=1)

    async def name_model(self) -> None:
        """Puts the model that would write on the bar, and what it can do into the state."""
        desk, state = self._desk, self._desk.state
        try:
            choice = await asyncio.to_thread(desk.session.choice)
        except StudioError as error:
            desk.studio.tell(error.problem)
            state.has_model = state.model_judges = state.model_summarizes = False
            state.window_known = True  # there is nothing to ask about
        else:
            state.has_model = choice.provider is not None
            profile = choice.provider.profile if choice.provider else None
            state.window_known = profile is None or profile.window_known
            state.model_judges = profile is not None and profile.judges
            state.model_summarizes = profile is not None and profile.extracts
            state.model = _name_of(choice.provider) if choice.provider else _("no model")
        if not state.has_model:
            state.model = _("no model")
        desk.painter.title()
        desk.painter.directives()

    async def recall_spending(self) -> None:
        """Puts what the chapter in progress has cost on the bar, in this sitting and before."""
        desk, state = self._desk, self._desk.state
        checkpoint = state.book.checkpoint if state.book else None
        if checkpoint is not None and checkpoint.inflight_chapter is not None:
            chapter = checkpoint.inflight_chapter
            spending = await desk.bridge.call(spent_so_far, desk.session, chapter)
            if not state.run.running:
                state.run = state.run._replace(chapter=chapter, spending=spending)
                desk.painter.stages()

    async def renew_spending(self) -> None:
        """Brings the bar up to date with calls that were no part of a run: other versions of a
        passage, a plan, a command in another terminal."""
        desk, run = self._desk, self._desk.state.run
        if run.running or run.chapter is None:
            return
        usd, is_about = await desk.bridge.call(spent_now, desk.session, run.chapter)
        now = self._desk.state.run
        if not now.running and now.chapter == run.chapter and usd != now.spending.cost:
            spending = now.spending._replace(
                cost=usd, calls=max(1, now.spending.calls), about=now.spending.about or is_about
            )
            self._desk.state.run = now._replace(spending=spending)
            desk.painter.stages()


def _words_asked_again(before: DirectiveSheet | None, now: DirectiveSheet | None) -> str:
    """Returns what is said of the decisions on a sheet that were taken `before` a change of its
    text, and are not by the sheet of `now`; empty for none."""
    doubted_before = {directive.id for directive in _doubtful(before)}
    fresh = [one for one in _doubtful(now) if one.id not in doubted_before]
    if before is None or now is None or before.chapter != now.chapter or not fresh:
        return ""
    places = series(dict.fromkeys(place(directive.location) for directive in fresh))
    if len(fresh) == 1:
        return _("{places} is to be decided again: its words were changed.", places=places)
    return _("{places} are to be decided again: their words were changed.", places=places)


def _doubtful(sheet: DirectiveSheet | None) -> list[Directive]:
    return [one for one in sheet.directives if one.is_doubtful] if sheet is not None else []
