"""Small questions: a line, several lines, yes or no, one of a few."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.input import Selection
from textual.widgets.option_list import Option

from studio.i18n import _
from studio.tui.screen import Place, keys_for
from studio.tui.views.words import Phrase
from studio.tui.widgets.line_field import LineField
from studio.tui.widgets.styled import content, fill
from studio.tui.widgets.text_field import TextField


class _Question(Place, ModalScreen[str | None]):
    """A card with a title, an explanation and a field; Esc cancels it."""

    CSS_PATH = "ask.tcss"
    BINDINGS = [*keys_for("global"), Binding("escape", "leave", "Cancel", show=False)]

    def __init__(self, title: str, words: str = "", value: str = "", keys: str = "") -> None:
        super().__init__()
        self._title = title
        self._words = words
        self._value = value
        self._keys = keys

    def compose(self) -> ComposeResult:
        """Yields the widgets of the card."""
        with Vertical(classes="card"):
            yield Static(content(Phrase(self._title, "heading")), classes="card-title")
            if self._words:
                yield Static(content(self._words, keep_newlines=True), classes="card-words")
            yield from self.field()
            yield Static(content(Phrase(self._keys, "quiet")), classes="card-keys")

    def field(self) -> ComposeResult:
        """Yields the widget that takes the answer."""
        raise NotImplementedError

    def action_leave(self) -> None:
        """Closes the card without an answer."""
        self.dismiss(None)


class Ask(_Question):
    """A question for a line of text."""

    def __init__(
        self,
        title: str,
        words: str = "",
        value: str = "",
        empty: bool = True,
        secret: bool = False,
        is_folder: bool = False,
    ) -> None:
        """`is_folder`: the value is a folder that is offered. Its name alone is selected, so that
        typing gives another name in the same place; a whole path typed instead begins anew."""
        super().__init__(title, words, value, _("Enter takes it · Esc leaves everything as it is"))
        self._empty = empty
        self._secret = secret
        self._is_folder = is_folder

    def field(self) -> ComposeResult:
        """Yields an input line; a secret is masked."""
        select = not self._is_folder
        yield LineField(self._value, id="answer", password=self._secret, select_on_focus=select)

    def on_mount(self) -> None:
        """Selects the name of an offered folder."""
        if self._is_folder:
            place = self._value.rstrip("/").rfind("/") + 1
            self.query_one(Input).selection = Selection(place, len(self._value))

    def on_input_submitted(self, message: Input.Submitted) -> None:
        """Answers with the line, or asks for a few words if it may not be empty."""
        if message.value.strip() or self._empty:
            self.dismiss(message.value)
        else:
            self._say(Phrase(self._wanted(), "warn"))

    def _wanted(self) -> str:
        """Returns what the line still needs."""
        return _("A few words first, then Enter · Esc leaves everything as it is")

    def on_input_changed(self, message: Input.Changed) -> None:
        """Replaces a warning with the keys once the writer types; begins anew where a whole path
        was typed behind the place of an offered folder."""
        self._say(Phrase(self._keys, "quiet"))
        line = message.input  # its words of now: more may have been typed since the message
        whole = max(line.value.rfind("//"), line.value.rfind("/~")) + 1
        if self._is_folder and whole:
            line.value = line.value[whole:]
            line.cursor_position = len(line.value)

    def _say(self, words: Phrase) -> None:
        fill(self.query_one(".card-keys", Static), words)


class AskText(_Question):
    """A question for several lines of text."""

    BINDINGS = [Binding("ctrl+s", "take", "Take it", show=False, priority=True)]

    def __init__(self, title: str, words: str = "", value: str = "") -> None:
        super().__init__(title, words, value, _("Ctrl+S takes it · Esc leaves everything as it is"))

    def field(self) -> ComposeResult:
        """Yields a small editor with what was typed into this card when it was left before."""
        begun = self.studio.left_texts.get(self._card, self._value)
        yield TextField(begun, id="answer", soft_wrap=True, show_line_numbers=False)

    def on_mount(self) -> None:
        """Moves the cursor behind the words, so that typing goes on from them."""
        field = self.query_one(TextField)
        field.move_cursor(field.document.end)

    def action_take(self) -> None:
        """Answers with the text."""
        self.studio.left_texts.pop(self._card, None)
        self.dismiss(self.query_one(TextField).text)

    def action_leave(self) -> None:
        """Closes the card without an answer; what was typed is kept until it is opened again."""
        text = self.query_one(TextField).text
        if text.strip() and text != self._value:
            self.studio.left_texts[self._card] = text
            self.studio.say(_("What you typed is kept; it is here when you open this again."))
        else:
            self.studio.left_texts.pop(self._card, None)
        self.dismiss(None)

    @property
    def _card(self) -> tuple[str, str]:
        """What tells this card from others."""
        return self._title, self._value or self._words


class Choose(_Question):
    """A question with a few choices."""

    def __init__(self, title: str, choices: Sequence[tuple[str, str]], words: str = "") -> None:
        super().__init__(title, words, keys=_("Enter takes it · Esc leaves everything as it is"))
        self._choices = choices

    def field(self) -> ComposeResult:
        """Yields the list of choices."""
        yield OptionList(*(Option(content(name), id=key) for key, name in self._choices))

    def on_option_list_option_selected(self, message: OptionList.OptionSelected) -> None:
        """Answers with the selected choice."""
        self.dismiss(message.option.id)


class Confirm(Place, ModalScreen[bool]):
    """A question for yes or no; only `y` means yes."""

    CSS_PATH = "ask.tcss"
    BINDINGS = [
        Binding("y", "answer(True)", "Yes", show=False),
        Binding("n,escape,q", "answer(False)", "No", show=False),
    ]

    def __init__(self, title: str, words: str) -> None:
        super().__init__()
        self._title = title
        self._words = words

    def compose(self) -> ComposeResult:
        """Yields the widgets of the card."""
        with Vertical(classes="card"):
            yield Static(content(Phrase(self._title, "heading")), classes="card-title")
            yield Static(content(self._words, keep_newlines=True), classes="card-words")
            keys = (
                Phrase("y", "accent"),
                Phrase(f" {_('yes')}    "),
                Phrase("n", "accent"),
                Phrase(f" {_('no')}"),
            )
            yield Static(content(keys), classes="card-keys")

    def action_answer(self, yes: bool) -> None:
        """Answers yes or no."""
        self.dismiss(yes)
