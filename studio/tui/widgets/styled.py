"""Converts text with a tone to Textual's content. All text that reaches a screen passes through
here: a message is said in the writer's language, and text from outside is made harmless and never
parsed as markup (reliability S7, S8)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from textual.content import Content
from textual.widgets import Static

from studio.i18n import translate
from studio.text.safe import safe_text
from studio.tui.terminal.line_breaks import break_lines_as_prose
from studio.tui.views.words import Line, Phrase, Tone

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
