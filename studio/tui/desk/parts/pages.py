"""The pages that are opened from the desk: summary, evaluation, state, log, what the book
remembers, what it will remember of the chapter in work, and the board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from studio.i18n import N_, _, ngettext
from studio.project.staging import Staging
from studio.story.state_words import change_in_words
from studio.tui.actions import BY_ID
from studio.tui.desk.protocol import try_to_do
from studio.tui.performs import performs
from studio.tui.screens.page import PageLines, open_page
from studio.tui.views.key_names import first_key
from studio.tui.views.pages import chapter as chapter_pages

if TYPE_CHECKING:
    from studio.pipeline.costs import Costs
    from studio.pipeline.review.to_remember import Remembered
    from studio.project.store import ProjectStore
    from studio.story.chapter import Chapter
    from studio.story.review.evaluation import Evaluation
    from studio.tui.desk.parts.own_text import SavedAnalysis
    from studio.tui.desk.protocol import Desk
    from studio.tui.views.pages.memory_rows import Tab


def names_in(store: ProjectStore) -> dict[str, str]:
    """Returns the names of a novel's people, places, things, storylines and promises, by the ids
    in its state."""
    from studio.book import state_names
    from studio.book.bible import read_bible

    promises = {p.id: p.description for p in store.foreshadowing().promises if p.description}
    lines = {line.id: line.title for line in store.storylines().storylines}
    by_state = {
        id_: name for (_kind, id_), name in state_names.names_in(store.state().tree).items()
    }
    entries = {slug: entry.name for slug, entry in read_bible(store).entries.items()}
    return promises | lines | by_state | entries


class ChapterPages:
    """Opens the reading pages over the desk; each is read off the event loop."""

    def __init__(self, desk: Desk, analysis: SavedAnalysis) -> None:
        self._desk = desk
        self._analysis = analysis

    @performs("desk.summary")
    async def summary(self) -> None:
        """Opens the summary of the current chapter."""
        await open_page(
            self._desk.studio,
            self._title(_("Summary"), _("Summary of chapter {chapter}")),
            self._summary,
        )

    @performs("desk.evaluation")
    async def evaluation(self) -> None:
        """Opens the evaluation of the current chapter."""
        await open_page(
            self._desk.studio,
            self._title(_("Evaluation"), _("Evaluation of chapter {chapter}")),
            self._evaluation,
        )

    @performs("desk.state")
    async def story_state(self) -> None:
        """Opens the state of the story."""
        store = self._desk.session.store

        def lines() -> PageLines:
            return tuple(chapter_pages.state_lines(store.state(), names_in(store)))

        await open_page(self._desk.studio, _("Story state"), lines)

    @performs("desk.log")
    async def log(self) -> None:
        """Opens the log of what happened and what it cost."""
        from studio.tui.screens.cost import CostReader, CostScreen

        state = self._desk.state

        def lines(costs: Costs) -> PageLines:
            earlier = (*state.journal, *self._desk.studio.toasts.unseen)
            return tuple(chapter_pages.log_lines(state.run, earlier, costs))

        reader = CostReader(self._desk.session, lines)
        page = partial(CostScreen, reader=reader)
        await open_page(self._desk.studio, _("Log and cost"), reader.read, page)

    def _title(self, plain: str, numbered: str) -> str:
        chapter = self._desk.state.chapter
        return plain if chapter is None else numbered.format(chapter=chapter)

    def _staging(self) -> Staging | None:
        chapter = self._desk.state.chapter
        if chapter is None or not self._desk.situation().directives_here:
            return None
        return self._desk.session.store.staging_of(chapter)

    def _summary(self) -> PageLines:
        files, chapter = self._staging(), self._desk.state.chapter
        text = files.summary() if files else None
        if not text and chapter is not None:
            text = self._desk.session.store.summary(chapter)
        return tuple(chapter_pages.summary_lines(text))

    def _evaluation(self) -> PageLines:
        files, chapter = self._staging(), self._desk.state.chapter
        evaluation = files.evaluation() if files else None
        if evaluation is None and chapter is not None:
            evaluation = self._desk.session.store.evaluation(chapter)
        from studio.text.language.packs import load_pack

        novel = self._desk.session.settings.novel
        language, is_serial = novel.language, novel.is_serial
        seed = load_pack(language).thresholds
        text = self._desk.state.text
        saved = None
        if text is not None and chapter is not None and not _is_of(evaluation, text):
            saved = self._analysis.of(text.sha256) or self._desk.session.analyse(chapter, text)
        return (
            *(
                chapter_pages.saved_lines(saved, seed, language, evaluation is not None, is_serial)
                if saved
                else ()
            ),
            *(
                chapter_pages.evaluation_lines(evaluation, seed, language, is_serial)
                if evaluation or not saved
                else ()
            ),
        )


def _is_of(evaluation: Evaluation | None, text: Chapter) -> bool:
    """Whether an evaluation was made of exactly this text."""
    return evaluation is not None and evaluation.source_sha256 == text.sha256


class MemoryPages:
    """Opens each page as of the end of the book."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    @performs("desk.bible", "bible")
    @performs("desk.promises", "promises")
    @performs("desk.knowledge", "knowledge")
    @performs("desk.continuity", "continuity")
    @performs("desk.lines", "lines")
    def open_page_of(self, tab: Tab) -> None:
        """Opens a page of what the book remembers."""
        from studio.tui.screens.memory import MemoryScreen

        session = self._desk.session
        checkpoint = session.store.checkpoint()
        chapter = checkpoint.inflight_chapter or checkpoint.last_completed_chapter + 1
        self._desk.studio.push_screen(MemoryScreen(session, chapter, tab))


class BookBoard:
    """Opens the board: the whole book in figures."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    @performs("desk.board")
    def show(self) -> None:
        """Opens the board; the chapter chosen there opens at the desk."""
        from studio.tui.board import BoardScreen

        desk = self._desk
        desk.studio.push_screen(BoardScreen(desk.session, desk.state.chapter), self._choose)

    def _choose(self, chapter: int | None) -> None:
        if chapter is not None:
            self._desk.work(self._go(chapter), "browse", exclusive=True)

    async def _go(self, chapter: int) -> None:
        await self._desk.show_chapter(chapter)
        self._desk.painter.outline_list.go_to(chapter)
        self._desk.go_to_pane("text")


_MOST = 3
"""The most promises that are named on a card."""
_WAYS = {
    "words": N_("In other words"),
    "leave": N_("The book does not remember it"),
}


class RememberedPages:
    """Lists what a chapter adds to what the book remembers, and changes it one by one."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    @performs("desk.remembered")
    async def list_remembered(self) -> None:
        """Opens the list; of a chapter in the book, the page of what is remembered of it."""
        desk = self._desk
        chapter = desk.state.chapter
        if chapter is None or desk.situation().directives_here:
            desk.work(self._change(), "decide")
            return
        title = _("What the book remembers of chapter {chapter}", chapter=chapter)
        await open_page(desk.studio, title, partial(self._in_book, chapter))

    def _in_book(self, chapter: int) -> PageLines:
        from studio.pipeline.review.to_remember import remembered_in_book

        store, current = self._desk.session.store, self._desk.state.current
        names = current.names if current is not None else {}
        rows = [words_of(one, names) for one in remembered_in_book(store, chapter)]
        key = first_key(BY_ID["desk.bible"], self._desk.studio.keymap)
        return tuple(chapter_pages.remembered_lines(store.summary(chapter), rows, key))

    async def _change(self) -> None:
        from studio.pipeline.review.to_remember import leave_out, say_otherwise
        from studio.tui.screens.ask import Ask, Choose

        desk, current = self._desk, self._desk.state.current
        rows = current.remembered if current is not None else ()
        if current is None or not rows:
            desk.studio.say(_("There is nothing that the book would remember of this chapter."))
            return
        entries = [(str(one.number), words_of(one, current.names)) for one in rows]
        title = _("The book will remember of it")
        about = _("Enter on a row says it otherwise, or leaves it out.")
        picked = await desk.studio.push_screen_wait(Choose(title, entries, about))
        if picked is None:
            return
        one = rows[int(picked) - 1]
        words = words_of(one, current.names)
        ways = [(way, _(name)) for way, name in _WAYS.items()]
        way = await desk.studio.push_screen_wait(Choose(title, ways, words))
        done = False
        if way == "leave":
            done = await try_to_do(desk, leave_out, desk.session.store, one.number)
        elif way == "words":
            now = one.words if one.is_promise else str(one.change.value)
            ask = Ask(_("In other words"), words, now, empty=False)
            if (hers := await desk.studio.push_screen_wait(ask)) is None:
                return
            done = await try_to_do(desk, say_otherwise, desk.session.store, one.number, hers)
        if done:
            await desk.reread(fresh=False)
            desk.studio.say(_("Left out.") if way == "leave" else _("Kept in your words."))
            await self._change()


def words_of(one: Remembered, names: Mapping[str, str]) -> str:
    """Returns one thing that the book will remember, in a reader's words."""
    return change_in_words(one.change, one.words, {**names, **one.names})


def new_promises(rows: Sequence[Remembered]) -> tuple[str, ...]:
    """Returns a sentence that names the promises that nobody planned; empty without one."""
    new = [one for one in rows if one.is_new]
    if not new:
        return ()
    head = ngettext(
        "{n} promise that nobody planned comes into the book with it:",
        "{n} promises that nobody planned come into the book with it:",
        len(new),
    )
    return ("\n".join([head, *(f"  {one.words}" for one in new[: 2 * _MOST])]),)


def on_the_card(
    rows: Sequence[Remembered], names: Mapping[str, str], keymap: Mapping[str, str]
) -> tuple[str, ...]:
    """Returns what the card of a review says of it: its promises, and how many facts."""
    if not rows:
        return ()
    promises = [words_of(one, names).rstrip(".。") for one in rows if one.is_promise][:_MOST]
    more = len(rows) - len(promises)
    rest = ngettext("{n} more thing", "{n} more things", more) if more else ""
    words = _("; ").join(filter(None, (*promises, rest)))
    key = first_key(BY_ID["desk.remembered"], keymap)
    return (
        _("The book will remember: {words}. {key} shows and changes it.", words=words, key=key),
    )
