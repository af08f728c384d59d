"""The editor: a chapter as plain text, saved on demand, with unsaved text kept on closing."""

from __future__ import annotations

import asyncio
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from textual.app import ComposeResult
from textual.containers import Container
from textual.events import Resize
from textual.screen import Screen
from textual.widgets import Input, Static

from studio.chapter_names import label_of, numbered_title, numbered_titles
from studio.errors import StudioError, usage
from studio.i18n import _, aside, one_after_another, translate
from studio.messages import said
from studio.pipeline.chapter.own_text import save_own_text
from studio.project.unsaved import LeftText, Unsaved, unsaved_of
from studio.session import Session
from studio.story.lengths import unit_in
from studio.tui.actions import BY_ID
from studio.tui.book import CurrentChapter
from studio.tui.performs import performs
from studio.tui.runtime.left_words import TypingPause
from studio.tui.screen import StudioScreen
from studio.tui.screens.editing.editor_search import EditorSearch, SearchBar
from studio.tui.screens.editing.going_on import goes_on
from studio.tui.screens.editing.live_figures import DayTally
from studio.tui.screens.editing.spelling_marks import SpellingMarks
from studio.tui.terminal.external_editor import handed_over
from studio.tui.views.key_names import first_key
from studio.tui.views.typed_numbers import TextNumbers, numbers_line
from studio.tui.views.words import Phrase
from studio.tui.widgets.action_line import ActionLine
from studio.tui.widgets.styled import content, fill
from studio.tui.widgets.text_field import TextField

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.events import Resize

    from studio.errors import Problem
    from studio.pipeline.judging.measures import SavedText
    from studio.story.chapter import Chapter
    from studio.tui.screens.editing.live_figures import LiveMeasures
    from studio.tui.views.prose.marks import ParagraphRange
    from studio.tui.views.situation import Situation

_BESIDE = 5
"""Cells beside the lines of the field: two of padding on each side, one for the scrollbar."""


_SHOWN = 32
"""The number of characters shown of the end of an unsaved text."""


class EditorOutcome(NamedTuple):
    """The result of the editor."""

    saved: bool
    draft: Path | None = None
    """The file to take as the author's own chapter."""
    text: str = ""
    """The text of that file."""
    unsaved: Unsaved | None = None
    """The unsaved text that the file is."""
    goes_on: bool = False
    """Whether a model is to go on in the chapter."""


class EditorScreen(StudioScreen, Screen[EditorOutcome]):
    """The editor on one chapter."""

    CSS_PATH = "editor.tcss"
    WHERE = ("editor",)

    def __init__(
        self,
        session: Session,
        current: CurrentChapter,
        title: str,
        at: ParagraphRange | None = None,
    ) -> None:
        """`at` is the passage that the text is opened at, instead of its last word."""
        super().__init__()
        self._at = at
        self._session = session
        self._chapter = current.chapter
        self._standing = current.to_edit
        label, language = label_of(current.chapter), session.settings.novel.language
        untitled = numbered_title(label, language)
        self._planned = "" if title in numbered_titles(label) else title
        self._saved = False
        self._offered = ""
        """What was left unsaved before and is offered here, until she saves a text: to look at the
        chapter as it is decides nothing of it."""
        self._offer_is_left = False
        """Whether she went back from it to the chapter as it is: what she types then is another
        text, and is kept beside it."""
        self._unsaved: Unsaved | None = None
        """Where unsaved text is kept; known once the chapter's id was read."""
        self._pause = TypingPause(self, self._keep)
        self._is_aside = False
        """Whether unsaved text of this editor, or of the last, is stored outside the novel."""
        self._note = ""
        self._numbers: TextNumbers | None = None
        self.measures: LiveMeasures | None = None
        self._search = EditorSearch(self, lambda words: self.studio.say(words))
        target = current.contract.target_length if current.contract else None
        self._spelling = SpellingMarks(self, session, lambda words: self.studio.say(words))
        self._tally = DayTally(session, current.chapter, target)
        self._original = self._standing.text if self._standing else f"# {title or untitled}\n\n"

    def compose(self) -> ComposeResult:
        """Yields the title, the text and the hints."""
        yield Static(id="editor-title")
        with Container(id="editor-room"):
            field = TextField(self._original, id="editor", soft_wrap=True, show_line_numbers=False)
            field.styles.max_width = self._session.settings.tui.measure + _BESIDE
            yield field
        yield Static(id="editor-numbers")
        yield ActionLine(id="hints")

    async def on_mount(self) -> None:
        """Restores text left unsaved the last time."""
        self.show_hints()
        self._draw("")
        left = await self._left_texts()
        earlier = [text for text in left if not text.elsewhere]
        area = self.query_one(TextField)
        is_asked = len(earlier) > 1 or any(left.perhaps_of_another for left in earlier)
        if earlier and not is_asked:
            await self._take(earlier[0])
        area.move_cursor(area.last_word if self._standing else area.document.end)
        area.focus()
        if self._at is not None and not earlier:
            self._search.go_to(self._at.scene, self._at.first)
        if is_asked:
            self.converse(self._choose(earlier))
        if len(left) > len(earlier):
            self.studio.say(
                _("Another window has unsaved text of this chapter; it is kept apart from yours.")
            )
        await self._tally.begin(self._original, self.text)
        self.run_worker(self._measure(), group="measure")
        self.run_worker(self._spelling.follow(dict(self.studio.environ)), group="spelling")

    async def _unsaved_text(self) -> Unsaved:
        if self._unsaved is None:
            self._unsaved = await asyncio.to_thread(unsaved_of, self._session.store, self._chapter)
        return self._unsaved

    async def _left_texts(self) -> list[LeftText]:
        """Returns the texts of this chapter that were left unsaved, without those it has now."""
        try:
            texts = await asyncio.to_thread((await self._unsaved_text()).left_texts)
        except StudioError as error:
            self.studio.tell(error.problem)
            return []
        by_text = {left.text: left for left in reversed(texts) if left.text.strip()}
        return [left for left in reversed(by_text.values()) if left.text != self._original]

    async def _take(self, left: LeftText) -> None:
        """Goes on with a text that was left unsaved."""
        await asyncio.to_thread((await self._unsaved_text()).take_over, left)
        self._is_aside, self._offered = True, left.text
        area = self.query_one(TextField)
        area.put_anew(left.text)
        area.move_cursor(area.last_word)
        if self._standing is not None:
            key = first_key(BY_ID["editor.undo"], self.studio.keymap)
            words = _("This is what you left unsaved; {key} shows the chapter as it is.", key=key)
            self.studio.say(words)

    async def _choose(self, texts: Sequence[LeftText]) -> None:
        """Asks which of several unsaved texts to go on with, or whether with one that may be of
        another novel; the others are kept."""
        from studio.tui.screens.ask import Choose

        rows = [(str(number), line_of_left(left)) for number, left in enumerate(texts)]
        title = _("Several unsaved texts of this chapter")
        words = _("Windows were closed before they saved. What you do not take now is kept.")
        if any(left.perhaps_of_another for left in texts):
            title = _("Unsaved text was left in this folder")
            words = _(
                "Since then the folder lost its .studio: it may be of this novel, or of another "
                "that was here before. What you do not take now is kept."
            )
        answer = await self.studio.push_screen_wait(Choose(title, rows, words))
        if answer is not None:
            await self._take(texts[int(answer)])

    async def _measure(self) -> None:
        """Shows the numbers below the text for as long as it is open."""
        from studio.tui.screens.editing.live_figures import LiveMeasures

        self.measures = LiveMeasures(
            lambda: self._session.craft().yardstick(),
            lambda: self.text,
            self._show_numbers,
            self.call_after_refresh,
            unit_in(self._session.settings),
        )
        try:
            await self.measures.follow()
        except StudioError as error:
            self.studio.tell(error.problem)

    def _show_numbers(self, numbers: TextNumbers) -> None:
        self._numbers = numbers
        line = self.query_one("#editor-numbers", Static)
        goal = self._tally.goal(numbers.length)
        words = content(numbers_line(numbers, line.content_size.width, goal))
        line.update(words, layout=False)  # the line is always one row high

    def on_resize(self, event: Resize) -> None:
        """Shows as many numbers as fit."""
        if self._numbers is not None:
            self.call_after_refresh(self._show_numbers, self._numbers)

    @property
    def text(self) -> str:
        """The text in the editor."""
        return self.query_one(TextField).text

    def _draw(self, note: str) -> None:
        self._note = note
        words = (
            Phrase(_("Chapter {chapter}", chapter=self._chapter), "strong"),
            Phrase(f"  {self._planned}"),
            Phrase(f"   {note}", "accent"),
        )
        fill(self.query_one("#editor-title", Static), words)

    def on_text_area_changed(self) -> None:
        """Stores the unsaved text when the writer pauses."""
        self._pause.note_typing()
        if self.measures is not None:
            self.measures.text_changed()
        self._spelling.text_changed()
        if self._offered and self.text in (self._original, self._offered):
            self._offer_is_left = self.text == self._original
        if self._note != _("not saved"):  # the pause checks whether it equals the saved text
            self._draw(_("not saved"))

    async def _keep(self) -> Path | None:
        if self.text == self._original:
            if self._note == _("not saved"):
                self._draw("")
            if self._offered:
                return await asyncio.to_thread((await self._unsaved_text()).keep, self._offered)
            if self._is_aside:  # else the edit would return after the writer undid it
                await self._forget()
            return None
        self._is_aside = True
        if self._offered and self._offer_is_left:
            await asyncio.to_thread((await self._unsaved_text()).keep, self._offered)
            (await self._unsaved_text()).leave()
            self._offered = ""
        return await asyncio.to_thread((await self._unsaved_text()).keep, self.text)

    async def _forget(self) -> None:
        self._is_aside = False
        await asyncio.to_thread((await self._unsaved_text()).forget)

    async def _follow_chapter(self) -> None:
        """Finds the chapter's present number: its plan may have been moved in another window.

        Raises StudioError (exit 2) if it was taken out.
        """
        store, name = self._session.store, (await self._unsaved_text()).chapter
        number = (await asyncio.to_thread(store.chapter_list)).number_of(name)
        if number is None:
            raise usage(
                _("Chapter {chapter} is no longer planned.", chapter=self._chapter),
                _("What you typed is kept. Take the change of the plans back to save it."),
            )
        self._chapter = number

    @performs("editor.save")
    async def save(self) -> None:
        """Saves the text into the novel."""
        text = self.text
        expected = self._standing.sha256 if self._standing else None
        try:
            await self._follow_chapter()
            novel = self._session.settings.novel
            save = partial(save_own_text, form=novel.form)
            self._standing = await asyncio.to_thread(
                save, self._session.store, self._chapter, text, expected, novel.language
            )
        except StudioError as error:
            await self._keep()
            self.studio.tell(error.problem)
            return
        self._original, self._saved, self._offered = text, True, ""
        await self._forget()
        await self._tally.keep()
        self._draw(_("saved"))
        self.run_worker(self._look_through(self._standing), group="analysis", exclusive=True)

    async def _look_through(self, saved: Chapter) -> None:
        """Shows what code finds in the saved text; the next save replaces it."""
        try:
            seen = await asyncio.to_thread(self._session.analyse, self._chapter, saved)
        except StudioError:
            return  # the desk reports what cannot be read
        if self._note == _("saved") and (first := _first_to_look_at(seen)):
            more = len(seen.directives) + len(seen.continuity) - 1
            others = f" +{more}" if more else ""
            self._draw(_("saved; worth a look: {first}{others}", first=first, others=others))

    @performs("editor.go_on")
    async def go_on_from_here(self) -> None:
        """Saves the text, and has a model go on behind the cursor."""
        if self.situation().inflight != self._chapter:
            self.studio.say(_("A model goes on only in the chapter that is in progress."))
            return
        await self.save()
        if self.text == self._original:
            self.converse(self._go_on_if_agreed())

    async def _go_on_if_agreed(self) -> None:
        field = self.query_one(TextField)
        if await goes_on(self.studio, self._session, self._chapter, field):
            self._leave(EditorOutcome(saved=True, goes_on=True))

    @performs("editor.find")
    async def find(self) -> None:
        """Opens the search bar of this text."""
        await self._search.open()

    @performs("editor.replace_all")
    async def replace_all(self) -> None:
        """Replaces every match of the search bar."""
        await self._search.replace_all()

    def on_search_bar_sought(self, message: SearchBar.Sought) -> None:
        """Selects the match as the search bar changes."""
        self._search.seek(message.words, further=message.further)

    def on_search_bar_replaced(self, message: SearchBar.Replaced) -> None:
        """Replaces one match."""
        self._search.replace_one(message.old, message.new)

    @performs("editor.select_all")
    def select_all(self) -> None:
        """Selects the whole text, or the whole line in an input line."""
        focused = self.focused
        if isinstance(focused, TextField | Input):
            focused.action_select_all()

    @performs("editor.paragraph")
    def jump_to_paragraph(self) -> None:
        """Jumps to a paragraph by its numbers."""
        self.converse(self._search.jump())

    @performs("editor.next_paragraph")
    def to_next_paragraph(self) -> None:
        """Moves the cursor to the next paragraph."""
        self._search.step(1)

    @performs("editor.previous_paragraph")
    def to_previous_paragraph(self) -> None:
        """Moves the cursor to the previous paragraph."""
        self._search.step(-1)

    @performs("editor.spelling")
    def put_spelling_right(self) -> None:
        """Corrects the spelling word by word."""
        self.converse(self._spelling.put_right())

    @performs("editor.focus")
    def focus_text(self) -> None:
        """Toggles between the text alone and the whole screen."""
        self.toggle_class("-only-text")

    @performs("editor.undo")
    def undo(self) -> None:
        """Undoes the last change of the text."""
        self.query_one(TextField).undo()

    @performs("editor.redo")
    def redo(self) -> None:
        """Redoes the change undone last."""
        self.query_one(TextField).redo()

    @performs("editor.mine")
    async def hand_in(self) -> None:
        """Hands the text in as the author's own chapter, for review; asks first, since it
        replaces a text and pays for readers."""
        from studio.tui.screens.ask import Confirm

        now = self.situation()
        if now.inflight not in (None, self._chapter):
            self.studio.say(
                _("Chapter {inflight} is in progress; finish it first.", inflight=now.inflight)
            )
            return
        if now.current_is_committed:
            # A draft of a committed chapter would be refused after the editor had closed.
            key = first_key(BY_ID["editor.save"], self.studio.keymap)
            self.studio.say(
                _("This chapter is in the book; {key} saves what you change in it.", key=key)
            )
            return

        refusal = await asyncio.to_thread(_refusal_of, self._session, self._chapter, self.text)
        if refusal is not None:
            self.studio.tell(refusal)
            return

        def on_answer(yes: bool | None) -> None:
            if yes:
                self.run_worker(self._hand_in(), group="mine")

        price = await asyncio.to_thread(_price_of_draft, self._session, self._chapter, self.text)
        words = _draft_words(self._chapter, now, price)
        self.app.push_screen(Confirm(_("Take this as your draft?"), words), on_answer)

    async def _hand_in(self) -> None:
        unsaved, text = await self._unsaved_text(), self.text
        path = await asyncio.to_thread(unsaved.keep, text)
        await self._tally.keep()
        self._leave(EditorOutcome(saved=True, draft=path, text=text, unsaved=unsaved))

    @performs("editor.external")
    async def edit_outside(self) -> None:
        """Opens the text in the writer's own editor; the result is saved only on demand."""
        command, unsaved = self._session.settings.editor, await self._unsaved_text()
        fresh = handed_over(self.app, command, unsaved, self.text)
        if fresh is not None:
            self.query_one(TextField).put_anew(fresh)

    @performs("editor.close")
    async def close(self) -> None:
        """Closes the search bar if it is open, or else the editor; unsaved text is kept for the
        next time."""
        if self._search.is_open:
            self._search.close()
            return
        is_safe = await self._keep()
        if is_safe is not None:
            self.studio.say(_("Unsaved text is kept; it is here when you open the editor again."))
        await self._tally.keep()
        self._leave(EditorOutcome(saved=self._saved))

    def _leave(self, outcome: EditorOutcome) -> None:
        self._end_measuring()
        self.dismiss(outcome)

    def _end_measuring(self) -> None:
        """Stops the measurements before the fields they read and update are removed."""
        self.workers.cancel_group(self, "measure")
        self.workers.cancel_group(self, "spelling")
        self.workers.cancel_group(self, "analysis")

    async def keep_typed(self) -> None:
        """Keeps the typed text when the app exits."""
        await self._keep()

    async def put_away(self) -> None:
        """Keeps the count when the app exits."""
        self._end_measuring()
        await self._tally.keep()


def line_of_left(left: LeftText) -> str:
    """Returns a line about an unsaved text: when it was typed, its length, and how it ends."""
    when = datetime.fromtimestamp(left.saved_at).strftime("%Y-%m-%d %H:%M")
    end = " ".join(left.text.split())[-_SHOWN:]
    return _("{when} · {n} characters · “…{end}”", when=when, n=len(left.text), end=end)


def _refusal_of(session: Session, chapter: int, text: str) -> Problem | None:
    """Returns why the engine would refuse this text as the writer's own draft, None if it would
    not: the card promises nothing that cannot be done."""
    from studio.pipeline.opening import must_take_draft

    try:
        must_take_draft(session.store, chapter, session.settings.novel.language, text)
    except StudioError as error:
        return error.problem
    return None


def _price_of_draft(session: Session, chapter: int, text: str) -> str:
    """Returns what it costs to have a text read as the writer's own draft, in words; empty where
    that cannot be known."""
    try:
        price = session.previews().price_of_draft(chapter, text)
    except StudioError:
        return ""
    return translate(said("It costs {price}.", price=price.words))


def _draft_words(chapter: int, now: Situation, price: str) -> str:
    """Returns the warning about what follows when a text becomes the writer's own draft."""
    place = (
        _(
            "It replaces chapter {chapter} as it is now, which stays in history.",
            chapter=chapter,
        )
        if now.current_is_written
        else _("It becomes chapter {chapter}, and no model rewrites it.", chapter=chapter)
    )
    if now.model_judges:
        reads = _("A model then reads it for a summary and a judgement.")
        cost = one_after_another(reads, price)
    elif now.model_summarizes:
        reads = _("A model then reads it for a summary. No model judges it.")
        cost = one_after_another(reads, price)
    else:
        cost = _("It is measured; no model is asked.")
    return _(
        "{place} {cost} Nothing goes into the book before your review.", place=place, cost=cost
    )


def _first_to_look_at(seen: SavedText) -> str:
    """Returns what code found first in a saved text: the passage, its first words and what it is,
    or the contradiction; empty where it found nothing."""
    from studio.story.review.directive import kind_name
    from studio.text.prose.answer import first_words
    from studio.tui.views.review.plain_names import in_reading_order, place

    for finding in in_reading_order(seen.directives):
        words = first_words(finding.current_text)
        return f"{place(finding.location)} {words}{aside(kind_name(finding.type))}"
    return next((translate(one.message) for one in seen.continuity), "")
