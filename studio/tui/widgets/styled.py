"""From words with a tone to what Textual paints. Every foreign word on a screen of ours passes
here: made harmless, and never read as markup (reliability S7, S8)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from textual.content import Content
from textual.widgets import Static

from studio.text.safe import safe_text
from studio.tui.views.words import Line, Said, Tone

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


def content(words: str | Said | Line, keep_newlines: bool = False) -> Content:
    """One line of words."""
    if isinstance(words, str):
        return Content(safe_text(words, keep_newlines=keep_newlines))
    pieces = (words,) if isinstance(words, Said) else words
    return Content("").join(
        Content.styled(safe_text(p.text, keep_newlines=keep_newlines), STYLES[p.tone])
        for p in pieces
        if p.text
    )


def contents(lines: Iterable[Line]) -> Content:
    """Lines under one another."""
    return Content("\n").join(content(one) for one in lines)


def fill(row: Static, words: str | Said | Line) -> None:
    """Words into a row of fixed size: no layout, and nothing is drawn where it reads the same.

    A layout of a screen takes longer than a frame, and nothing else would have come of it (P18).
    """
    fresh, before = content(words), row.content
    if not (isinstance(before, Content) and fresh.is_same(before)):
        row.update(fresh, layout=False)
