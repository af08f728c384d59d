"""Every code point that is no control arrives where text is typed."""

from __future__ import annotations

from unicodedata import category

from textual import events

from studio.tui.textual_private import IS_PRINTABLE

_NO_TEXT = ("Cc", "Cs")
"""Controls, and halves of a surrogate pair, which no file could hold."""
_MODIFIERS = ("alt+", "ctrl+", "super+", "hyper+", "meta+")


def is_text(character: str) -> bool:
    """Whether a typed character belongs into a text.

    Python calls only letters, signs and U+0020 printable. A writer's keyboard sends more: U+3000
    begins each paragraph of a Chinese novel, U+00A0 and U+202F stand before French marks, U+200D
    and U+FE0F join emoji, and U+200C shapes a Persian word.
    """
    return character.isprintable() or not any(category(c) in _NO_TEXT for c in character)


def _is_printable(event: events.Key) -> bool:
    """Whether the key is text, for Textual and for all of its fields. A letter with Alt is none:
    Textual gives it the character all the same, and its fields would type it."""
    modified = event.key.startswith(_MODIFIERS)
    return event.character is not None and not modified and is_text(event.character)


def take_every_character() -> None:
    """Has Textual's key events count every code point as text that is no control.

    All fields ask the event (`Key.is_printable`), Textual's as well as ours, so this one place
    mends them all. It may be called more than once.
    """
    IS_PRINTABLE.stand_in(property(_is_printable))
