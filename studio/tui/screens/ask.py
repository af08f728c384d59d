"""Small questions: a line, several lines, yes or no, one of a few, a path that Tab completes; and
how far a rejection reaches."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar

from textual import events
from textual.actions import SkipAction
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.content import Content
from textual.events import Resize
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.input import Selection
from textual.widgets.option_list import Option

from studio.i18n import N_, _
from studio.tui.key_bindings import bindings_of
from studio.tui.runtime.left_words import TypingPause
from studio.tui.screen import StudioScreen
from studio.tui.views.path_completion import Completion, complete_path
from studio.tui.views.words import Line, Phrase, line
from studio.tui.widgets.styled import content, contents, fill
from studio.tui.widgets.text_field import LineField, TextField
from studio.tui.widgets.words_to_read import WordsToRead

if TYPE_CHECKING:
    from studio.tui.runtime.left_words import LeftWords

Answer = TypeVar("Answer")


def one_back() -> str:
    """Returns what the keys do in a row of questions, behind the first."""
    return _("Enter takes it · Esc back")


_MARKED, _OTHER = "› ", "  "


class MarkedList(OptionList):
    """Textual's list: a colour alone does not say which row is the one that Enter takes."""

    def __init__(self, rows: Iterable[tuple[str, Content]]) -> None:
        """`rows`: the id of each answer, and its words."""
        self._words = list(rows)
        self._marked: int | None = None
        super().__init__(*(Option(Content(_OTHER) + words, id=key) for key, words in self._words))

    def watch_highlighted(self, highlighted: int | None) -> None:
        """Draws the sign before the row that is marked now."""
        super().watch_highlighted(highlighted)
        for at, head in ((self._marked, _OTHER), (highlighted, _MARKED)):
            if at is not None:
                words = Content(head) + self._words[at][1]
                self.replace_option_prompt_at_index(at, words)
        self._marked = highlighted
        self.refresh()


class CardScreen(StudioScreen, ModalScreen[Answer]):
    """A small card over the desk: its words have all the room that its other parts leave."""

    CSS_PATH = "ask.tcss"
    BINDINGS = [
        Binding("pagedown", "turn(1)", "Read on", show=False, priority=True),
        Binding("pageup", "turn(-1)", "Read back", show=False, priority=True),
    ]

    def __init__(self, title: str, words: str, keys: str = "") -> None:
        super().__init__()
        self._title = title
        self._words = words
        self._keys = keys

    def compose(self) -> ComposeResult:
        """Yields the widgets of the card."""
        with Vertical(classes="card"):
            yield Static(content(Phrase(self._title, "heading")), classes="card-title")
            if self._words:
                words = Static(content(self._words, keep_newlines=True))
                yield WordsToRead(words, classes="card-words")
            yield from self.field()
            yield Static(content(self.keys), classes="card-keys")

    def field(self) -> ComposeResult:
        """Yields the widgets that take the answer."""
        yield from ()

    @property
    def keys(self) -> Phrase | Line:
        """What the keys do."""
        return Phrase(self._keys, "quiet")

    def on_resize(self, event: Resize) -> None:
        """Gives the words all the room of the window: what she answers is not cut off."""
        self.call_after_refresh(self._fit)

    def _fit(self) -> None:
        for words in self.query(WordsToRead):
            words.fit_beside(self.query_one(".card", Vertical), self.size.height * 9 // 10)

    def action_turn(self, pages: int) -> None:
        """Turns a page of the words, where there is one to turn; else the key is the field's."""
        cut = [words for words in self.query(WordsToRead) if words.is_cut]
        if not cut:
            raise SkipAction
        cut[0].turn(pages)


class _Question(CardScreen[Answer | None]):
    """A question that Esc leaves without an answer."""

    BINDINGS = [*bindings_of("global"), Binding("escape", "leave", "Cancel", show=False)]

    async def action_leave(self) -> None:
        """Closes the card without an answer."""
        self.dismiss(None)


class _Typing(_Question[str]):
    """A question whose answer is typed: what was typed and not taken is kept, whatever ends the
    card, and is in it again when it opens the next time."""

    _pause: TypingPause | None = None
    _begun = ""
    _stays = False
    left_with = ""
    """What stood in the field when the card was left without an answer."""

    def __init__(self, title: str, words: str = "", value: str = "", keys: str = "") -> None:
        super().__init__(title, words, keys)
        self._value = value

    @property
    def field_text(self) -> str:
        """What stands in the field now."""
        raise NotImplementedError

    def put(self, words: str) -> None:
        """Puts the words of the last time into the field."""
        raise NotImplementedError

    @property
    def _kept_words(self) -> LeftWords | None:
        """Where what is typed is kept; None for what is no text of hers, such as a path."""
        return self.studio.left_words.of("|".join((self._title, self._value or self._words)))

    async def on_mount(self) -> None:
        """Brings back what was typed and not taken the last time."""
        kept_words, begun = self._kept_words, self.field_text
        words = self._begun
        if kept_words is not None:
            self._pause = TypingPause(self, self._keep)
            words = kept_words.words or await kept_words.before() or words
        if words:
            self.put(words + self.field_text.removeprefix(begun))

    def note_typing(self) -> None:
        """Has what was typed kept at the next pause."""
        if self._pause is not None and self.field_text != self._value:
            self._pause.note_typing()

    async def _keep(self) -> bool:
        kept_words, words = self._kept_words, self.field_text
        is_hers = bool(words.strip()) and words != self._value
        if kept_words is not None:
            kept_words.keep(words if is_hers else "")
        return kept_words is not None and is_hers

    def take(self, words: str) -> None:
        """Answers with what was typed."""
        self._stop()
        if (kept_words := self._kept_words) is not None:
            kept_words.keep(words if self._stays else "")
        self.dismiss(words)

    async def action_leave(self) -> None:
        """Closes the card without an answer; what was typed is kept until it is opened again."""
        self._stop()
        self.left_with = self.field_text
        if await self._keep():
            self.studio.say(_("What you typed is kept; it is here when you open this again."))
        self.dismiss(None)

    def _stop(self) -> None:
        if self._pause is not None:
            self._pause.stop()
            self._pause = None

    async def keep_typed(self) -> None:
        """Keeps what was typed when the app is left, which writes it."""
        await self._keep()


class Ask(_Typing):
    """A question for a line of text."""

    BINDINGS = [Binding("ctrl+s", "submit", "Take it", show=False, priority=True)]

    def __init__(
        self,
        title: str,
        words: str = "",
        value: str = "",
        empty: bool = True,
        secret: bool = False,
        is_folder: bool = False,
        keys: str = "",
        begun: str = "",
        stays: bool = False,
    ) -> None:
        """`is_folder`: the value is a folder that is offered. Its name alone is selected, so that
        typing gives another name in the same place; a whole path typed instead begins anew.
        `keys`: what the keys do in a row of questions. `begun`: what she typed here before.
        `stays`: as for several lines of text."""
        as_it_is = _("Enter takes it, or Ctrl+S · Esc leaves everything as it is")
        super().__init__(title, words, value, keys or as_it_is)
        self._in_a_row = bool(keys)
        self._begun = begun
        self._stays = stays
        self._empty = empty
        self._secret = secret
        self._is_folder = is_folder

    @property
    def field_text(self) -> str:
        """What stands in the line."""
        return self.query_one(Input).value

    def put(self, words: str) -> None:
        """Puts words into the line, with the cursor behind them."""
        line = self.query_one(Input)
        line.value = words
        line.cursor_position = len(words)

    @property
    def _kept_words(self) -> LeftWords | None:
        """Kept are words that she began herself: no secret, and no other name for a thing."""
        return None if self._secret or self._value else super()._kept_words

    def field(self) -> ComposeResult:
        """Yields an input line; a secret is masked."""
        select = not self._is_folder
        yield LineField(self._value, id="answer", password=self._secret, select_on_focus=select)

    async def on_mount(self) -> None:
        """Selects the name of an offered folder."""
        if self._is_folder:
            place = self._value.rstrip("/").rfind("/") + 1
            self.query_one(Input).selection = Selection(place, len(self._value))

    async def action_submit(self) -> None:
        """Answers by the key that takes several lines."""
        await self.query_one(Input).action_submit()

    def on_input_submitted(self, message: Input.Submitted) -> None:
        """Answers with the line, or says what it still needs."""
        if self._is_answer(message.value):
            self.take(message.value)  # more may have been typed since the message
        else:
            self._say(Phrase(self._what_is_missing(), "warn"))

    def _is_answer(self, words: str) -> bool:
        """Whether the line may be taken."""
        return self._empty or bool(words.strip())

    def _what_is_missing(self) -> str:
        """Returns what the line still needs."""
        if self._in_a_row:
            return _("A few words first. {keys}", keys=self._keys)
        return _("A few words first, then Enter · Esc leaves everything as it is")

    def on_input_changed(self, message: Input.Changed) -> None:
        """Replaces a warning with the keys once the writer types; begins anew where a whole path
        was typed behind the place of an offered folder."""
        self._say(self.keys)
        self.note_typing()
        line = message.input  # its words of now: more may have been typed since the message
        whole = max(line.value.rfind("//"), line.value.rfind("/~")) + 1
        if self._is_folder and whole:
            line.value = line.value[whole:]
            line.cursor_position = len(line.value)

    def _say(self, words: Phrase | Line) -> None:
        fill(self.query_one(".card-keys", Static), words)


class AskText(_Typing):
    """A question for several lines of text."""

    BINDINGS = [Binding("ctrl+s", "take", "Take it", show=False, priority=True)]

    def __init__(
        self,
        title: str,
        words: str = "",
        value: str = "",
        *,
        empty: bool = True,
        stays: bool = False,
        is_offered: bool = False,
        is_in_a_row: bool = False,
    ) -> None:
        """`empty`: whether it may be taken without a word. `stays`: what is taken is kept too,
        until whoever asked for it has it saved and forgets it (`AllLeftWords.forget`).
        `is_offered`: the value is somebody else's words; what she types first replaces them.
        `is_in_a_row`: Esc leads back to the question before."""
        as_it_is = _("Ctrl+S takes it · Esc leaves everything as it is")
        keys = _("Ctrl+S takes it · Esc back") if is_in_a_row else as_it_is
        super().__init__(title, words, value, keys)
        self._empty = empty
        self._stays = stays
        self._is_offered = is_offered

    @property
    def field_text(self) -> str:
        """What stands in the field."""
        return self.query_one(TextField).text

    def put(self, words: str) -> None:
        """Puts words into the field, with the cursor behind them."""
        field = self.query_one(TextField)
        field.load_text(words)
        field.move_cursor(field.document.end)

    def field(self) -> ComposeResult:
        """Yields a small editor."""
        yield TextField(self._value, id="answer", soft_wrap=True, show_line_numbers=False)

    async def on_mount(self) -> None:
        """Moves the cursor behind the words, so that typing goes on from them; selects what is only
        offered, which an arrow keeps."""
        field = self.query_one(TextField)
        field.move_cursor(field.document.end)
        if self._is_offered:
            field.select_all()

    def on_text_area_changed(self) -> None:
        """Has what was typed kept at the next pause; replaces a warning with the keys."""
        fill(self.query_one(".card-keys", Static), self.keys)
        self.note_typing()

    def action_take(self) -> None:
        """Answers with the text, or says that it needs one."""
        if self._empty or self.field_text.strip():
            self.take(self.field_text)
            return
        words = _("A few words first. {keys}", keys=self._keys)
        fill(self.query_one(".card-keys", Static), Phrase(words, "warn"))


class Choose(_Question[str]):
    """A question with a few choices."""

    def __init__(
        self,
        title: str,
        choices: Sequence[tuple[str, str]],
        words: str = "",
        keys: str = "",
        marked: str | None = None,
    ) -> None:
        """`keys`: what the keys do in a row of questions; `marked`: the choice she made before."""
        as_it_is = _("Enter takes it · Esc leaves everything as it is")
        super().__init__(title, words, keys or as_it_is)
        self._choices = choices
        self._marked = marked

    def field(self) -> ComposeResult:
        """Yields the list of choices."""
        yield MarkedList((key, content(name)) for key, name in self._choices)

    def on_mount(self) -> None:
        """Puts the cursor on the choice she made before."""
        keys = [key for key, _name in self._choices]
        if self._marked in keys:
            self.query_one(OptionList).highlighted = keys.index(self._marked)

    def on_option_list_option_selected(self, message: OptionList.OptionSelected) -> None:
        """Answers with the selected choice."""
        self.dismiss(message.option.id)


class Confirm(CardScreen[bool]):
    """A question for yes or no; only `y` means yes."""

    BINDINGS = [
        Binding("y", "answer(True)", "Yes", show=False),
        Binding("n,escape,q", "answer(False)", "No", show=False),
        Binding("down,j", "scroll_words(1)", "Read on", show=False),
        Binding("up,k", "scroll_words(-1)", "Read back", show=False),
    ]

    @property
    def keys(self) -> Line:
        """The two answers."""
        yes, no = Phrase("y", "accent"), Phrase("n", "accent")
        return (yes, Phrase(f" {_('yes')}    "), no, Phrase(f" {_('no')}"))

    def asks(self, title: str) -> bool:
        """Whether this is the question with the title."""
        return self._title == title

    def action_scroll_words(self, rows: int) -> None:
        """Scrolls the words, where the window has no room for all."""
        self.query_one(WordsToRead).scroll_on(rows)

    def action_answer(self, yes: bool) -> None:
        """Answers yes or no."""
        self.dismiss(yes)


_SHOWN = 6


class AskPath(Ask):
    """An input line for a path, with its completions below."""

    CSS_PATH = "ask.tcss"
    BINDINGS = [Binding("tab", "complete", "Complete", show=False, priority=True)]

    def __init__(self, title: str, words: str = "", value: str = "") -> None:
        super().__init__(title, words, value, empty=False)
        self._keys = _("Tab completes · Enter takes it · Esc leaves everything as it is")

    @property
    def _kept_words(self) -> None:
        """A path is found again by Tab."""
        return None

    def _what_is_missing(self) -> str:
        """Returns what the line still needs."""
        return _("A path first, then Enter · Esc leaves everything as it is")

    def field(self) -> ComposeResult:
        """Yields an input line above the matches."""
        yield LineField(self._value, id="answer", select_on_focus=False)
        yield Static(id="matches")

    def on_input_changed(self, message: Input.Changed) -> None:
        """Looks for completions, off the event loop."""
        self.run_worker(self._look(message.value), group="matches", exclusive=True)

    async def _look(self, text: str) -> None:
        self._show(await asyncio.to_thread(complete_path, text))

    async def action_complete(self) -> None:
        """Completes the typed path."""
        field = self.query_one("#answer", Input)
        text, completion = None, Completion("")
        while text != field.value:  # keys typed before Tab may still be pending
            text = field.value
            completion = await asyncio.to_thread(complete_path, text)
        field.value = completion.text
        field.cursor_position = len(completion.text)
        self._show(completion)

    def _show(self, completion: Completion) -> None:
        lines = [line(name, "quiet") for name in completion.names[:_SHOWN]]
        more = len(completion.names) - _SHOWN
        if more > 0:
            lines.append((Phrase(_("and {more} more", more=more), "quiet"),))
        self.query_one("#matches", Static).update(contents(lines))


RejectionReach = Literal["once", "here", "words", "chapter", "book"]
REACHES: tuple[tuple[RejectionReach, str], ...] = (
    ("once", N_("Only this once")),
    ("here", N_("Here from now on, while these paragraphs stand as they are")),
    ("words", N_("This one thing in the whole book, known by words you name")),
    ("chapter", N_("Everything of this kind in this chapter, whatever it is about")),
    ("book", N_("Everything of this kind in the whole book, whatever it is about")),
)
"""What is silenced grows from row to row; `words` is about what this directive is about, and the
last two about its kind."""


class NotThisAnswer(NamedTuple):
    """The reach, and the reason, which may be empty."""

    reach: RejectionReach
    reason: str


class NotThis(_Question[NotThisAnswer]):
    """The rejection card: Enter accepts the marked reach, from list or reason; Esc cancels."""

    AUTO_FOCUS = "#answer"

    def __init__(self, what: str, proposed: RejectionReach = "once") -> None:
        keys = _("↑ ↓ how far · Enter takes it · Esc leaves everything as it is")
        super().__init__(_("Not this"), what, keys)
        self._proposed = proposed

    def field(self) -> ComposeResult:
        """Yields the five reaches, and a line for the reason."""
        yield MarkedList((reach, content(_(name))) for reach, name in REACHES)
        yield LineField(placeholder=_("A reason, if you like"), id="answer", select_on_focus=False)

    def on_mount(self) -> None:
        """Marks the proposed reach; the focus stays on the reason."""
        rows = self.query_one(OptionList)
        rows.highlighted = [reach for reach, _ in REACHES].index(self._proposed)

    def on_key(self, event: events.Key) -> None:
        """Moves the mark with the arrows while a reason is typed; what is typed where the list has
        the focus is the reason too."""
        rows = self.query_one(OptionList)
        if rows.has_focus and event.is_printable and event.character:
            line = self.query_one(LineField)
            line.focus()
            line.insert_text_at_cursor(event.character)
            event.stop()
        if event.key in ("up", "down") and not rows.has_focus:
            rows.action_cursor_up() if event.key == "up" else rows.action_cursor_down()
            event.stop()

    def on_option_list_option_selected(self) -> None:
        """Accepts the reach chosen by Enter or a click."""
        self._take()

    def on_input_submitted(self) -> None:
        """Accepts the marked reach on Enter in the reason."""
        self._take()

    def _take(self) -> None:
        at = self.query_one(OptionList).highlighted or 0
        reason = self.query_one(Input).value.strip()
        self.dismiss(NotThisAnswer(REACHES[at][0], reason))
