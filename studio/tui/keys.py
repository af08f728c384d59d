"""Keys as a person reads them, and the page of them in docs/."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from studio.i18n import N_
from studio.tui.actions import PLACES, Action, of

_KEY_NAMES = {
    "question_mark": "?",
    "less_than_sign": "<",
    "greater_than_sign": ">",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
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
    "down": "Down",
    "up": "Up",
}


TYPING: tuple[tuple[str, str], ...] = (
    ("ctrl+c", N_("Copy what is selected")),
    ("ctrl+x", N_("Cut it, or the line")),
    ("ctrl+v", N_("Paste")),
    ("shift+left,shift+right,shift+up,shift+down", N_("Select")),
    ("ctrl+shift+left,ctrl+shift+right", N_("Select a word")),
    ("ctrl+left,ctrl+right", N_("A word back, a word on")),
    ("home,end,ctrl+e", N_("To an end of the line")),
    ("ctrl+w,ctrl+u,ctrl+k", N_("Delete a word, to the beginning, to the end of the line")),
)
"""Keys Textual's text area has of its own, wherever something is typed."""


def keys_of(action: Action, keymap: Mapping[str, str]) -> str:
    """The keys in force."""
    return keymap.get(action.id, action.keys)


def shown_key(key: str) -> str:
    """A key as it stands on a keyboard: `ctrl+q` is `Ctrl+Q`, `question_mark` is `?`."""
    if key in _KEY_NAMES:
        return _KEY_NAMES[key]
    *modifiers, last = key.split("+")
    if modifiers:
        return "+".join([*(part.capitalize() for part in modifiers), last.upper()])
    return key.upper() if key[:1] == "f" and key[1:].isdigit() else key


def shown_keys(action: Action, keymap: Mapping[str, str] | None = None) -> str:
    """All keys of an action as they are shown."""
    keys = keys_of(action, keymap or {})
    return " ".join(shown_key(key.strip()) for key in keys.split(",") if key.strip())


def first_key(action: Action, keymap: Mapping[str, str] | None = None) -> str:
    """The key that hints name."""
    return shown_key(keys_of(action, keymap or {}).split(",")[0].strip())


def moving() -> Iterator[tuple[str, str, str]]:
    """The keys the panes have of their own for moving about: pane, keys, what they do."""
    from studio.tui.widgets.outline_list import OutlineList
    from studio.tui.widgets.prose_view import ProseView

    for pane, view in ((N_("Outline"), OutlineList), (N_("Text"), ProseView)):
        ours = [kind for kind in view.__mro__ if kind.__module__.startswith("studio.")]
        keys_of: dict[str, list[str]] = {}
        used_keys: set[str] = set()
        for binding in (b for kind in ours for b in vars(kind).get("BINDINGS", ())):
            for key in sorted(set(binding.key.split(",")) - used_keys, key=binding.key.index):
                keys_of.setdefault(binding.description, []).append(shown_key(key))
                used_keys.add(key)
        yield from ((pane, " ".join(keys), words) for words, keys in keys_of.items())
    for keys, words in TYPING:
        yield N_("Where you type"), " ".join(map(shown_key, keys.split(","))), words


def keys_page() -> str:
    """docs/keys.md."""
    lines = [
        "# Keys",
        "",
        "Made from `studio/tui/actions/` by `python -m studio.tui.keys`; do not edit.",
        "Every action is also in the command palette (Ctrl+P). Other keys are set in your own",
        "`config.toml`, by id:",
        "",
        "```toml",
        "[keymap]",
        '"desk.write" = "f5"',
        "```",
    ]
    for where, heading in PLACES.items():
        lines += ["", f"## {heading}", ""]
        lines += ["| Key | Action | What it does | Id |", "|---|---|---|---|"]
        for action in of(where):
            keys = " ".join(f"`{key}`" for key in shown_keys(action).split()) or "palette"
            lines.append(f"| {keys} | {action.title} | {action.help} | `{action.id}` |")
    lines += ["", "## Moving about", "", "| Where | Key | What it does |", "|---|---|---|"]
    lines += [f"| {pane} | `{keys}` | {words} |" for pane, keys, words in moving()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(keys_page(), end="")
