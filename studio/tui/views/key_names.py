"""How keys are written for people to read."""

from __future__ import annotations

from collections.abc import Mapping

from studio.i18n import language_in_force
from studio.tui.actions import Action

_KEY_NAMES = {
    "question_mark": "?",
    "less_than_sign": "<",
    "greater_than_sign": ">",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "left_curly_bracket": "{",
    "right_curly_bracket": "}",
    "escape": "Esc",
    "enter": "Enter",
    "tab": "Tab",
    "shift+tab": "Shift+Tab",
    "slash": "/",
    "colon": ":",
    "plus": "+",
    "vertical_line": "|",
    "delete": "Del",
    "pageup": "PageUp",
    "pagedown": "PageDown",
    "shift+up": "Shift+Up",
    "shift+down": "Shift+Down",
    "shift+left": "Shift+Left",
    "shift+right": "Shift+Right",
    "home": "Home",
    "end": "End",
    "left": "Left",
    "right": "Right",
    "space": "Space",
    "underscore": "_",
    "down": "Down",
    "up": "Up",
}


def keys_of(action: Action, keymap: Mapping[str, str]) -> str:
    """Returns the keys in force for an action."""
    return keymap.get(action.id, action.keys)


def shown_key(key: str) -> str:
    """Returns a key as printed on a keyboard: `ctrl+q` is `Ctrl+Q`, `question_mark` is `?`."""
    if key in _KEY_NAMES:
        return _KEY_NAMES[key]
    *modifiers, last = key.split("+")
    if modifiers:
        named = _KEY_NAMES.get(last, last.upper())
        return "+".join([*(part.capitalize() for part in modifiers), named])
    return key.upper() if key[:1] == "f" and key[1:].isdigit() else key


def shown_keys(action: Action, keymap: Mapping[str, str] | None = None) -> str:
    """Returns all keys of an action in readable form."""
    return in_a_row(keys_of(action, keymap or {}))


def in_a_row(keys: str) -> str:
    """Returns the keys of a binding in readable form: `ctrl+q,f10` is `Ctrl+Q F10`."""
    return " ".join(shown_key(key.strip()) for key in keys.split(",") if key.strip())


def first_key(action: Action, keymap: Mapping[str, str] | None = None) -> str:
    """Returns the key that hints show for an action: to a Korean or Chinese writer, whose
    input method may take a capital for its own, the one that can be typed in every input mode."""
    first, *others = (key.strip() for key in keys_of(action, keymap or {}).split(","))
    if others and len(first) == 1 and first.isupper() and language_in_force() in ("ko", "zh"):
        return shown_key(others[0])
    return shown_key(first)
