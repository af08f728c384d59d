"""Converts text with a tone to Textual's content. All text that reaches a screen passes through
here: a message is said in the writer's language, and text from outside is made harmless and never
parsed as markup (reliability S7, S8)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import accumulate

from rich._wrap import divide_line
from rich.style import Style
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from studio.i18n import translate
from studio.text.safe import safe_text
from studio.tui.textual_private import LINE_BREAKS
from studio.tui.views.prose.wrapping import wrap
from studio.tui.views.words import Line, Phrase, Tone


def _divide(text: str, width: int, fold: bool = True) -> list[int]:
    """Returns where the lines of a text begin, but the first. Where all is ASCII, or no word may be
    broken, Textual's own rule does."""
    if not fold or text.isascii():
        return divide_line(text, width, fold)
    return list(accumulate(map(len, wrap(text, width))))[:-1]


def break_lines_as_prose() -> None:
    """Has Textual break what is not ASCII by the rule of the reading view. Its own knows no mark
    that may not begin a line, as `；` and `）`. It may be called more than once."""
    LINE_BREAKS.stand_in(_divide)


STYLES: Mapping[Tone, str] = {
    "plain": "",
    "quiet": "$quiet",
    "strong": "bold",
    "accent": "$accent",
    "good": "$success",
    "warn": "$warning",
    "bad": "$error",
    "quote": "italic",
    "heading": "bold $primary",
}


break_lines_as_prose()


def content(words: str | Phrase | Line, keep_newlines: bool = False) -> Content:
    """Returns the content for one line of text."""
    if isinstance(words, str):
        return Content(_show(words, keep_newlines))
    pieces = (words,) if isinstance(words, Phrase) else words
    return Content("").join(
        Content.styled(_show(p.text, keep_newlines), STYLES[p.tone]) for p in pieces if p.text
    )


def _show(words: str, keep_newlines: bool) -> str:
    return safe_text(translate(words), keep_newlines=keep_newlines)


def contents(lines: Iterable[Line]) -> Content:
    """Returns the content for several lines, one under another."""
    return Content("\n").join(content(one) for one in lines)


def fill(row: Static, words: str | Phrase | Line) -> None:
    """Puts text into a row of fixed size without a layout; draws nothing if the text is the same.

    A layout of the screen takes longer than a frame and would change nothing here (P18).
    """
    fresh, before = content(words), row.content
    if not (isinstance(before, Content) and fresh.is_same(before)):
        row.update(fresh, layout=False)


class ComponentStyles:
    """The styles of a widget's component classes, looked up once after each change of colours."""

    def __init__(
        self, view: Widget, prefix: str, kinds: Collection[str], over: Collection[str] = ()
    ) -> None:
        self._view = view
        self._prefix = prefix
        self._kinds = kinds
        self._over = over
        """The kinds drawn over other kinds: they set only what their own class sets."""
        self._styles: dict[str, Style] = {}

    def by_kind(self) -> Mapping[str, Style]:
        """Returns the style of each kind, and the style of the widget itself under `text`."""
        if not self._styles:
            for kind in self._kinds:
                self._styles[kind] = self._view.get_component_rich_style(
                    f"{self._prefix}--{kind}", partial=kind in self._over
                )
            self._styles["text"] = self._view.rich_style
        return self._styles

    def forget(self) -> None:
        """Drops the cached styles; called when colours change."""
        self._styles.clear()
