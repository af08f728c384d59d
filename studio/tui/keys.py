"""Keys as a person reads them, and the page of them in docs/."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from studio.i18n import N_
from studio.tui.actions import BY_ID, PLACES, Action, of
from studio.tui.habits import CLASHES, HABITS

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
    "underscore": "_",
    "down": "Down",
    "up": "Up",
}


TYPING: tuple[tuple[str, str], ...] = (
    ("ctrl+c,alt+w", N_("Copy what is selected")),
    ("ctrl+x", N_("Cut it, or the line")),
    ("ctrl+v", N_("Paste")),
    ("ctrl+z,ctrl+underscore,ctrl+slash", N_("Undo")),
    ("ctrl+y", N_("Redo")),
    ("shift+left,shift+right,shift+up,shift+down", N_("Select")),
    ("ctrl+shift+left,ctrl+shift+right", N_("Select a word")),
    ("ctrl+left,ctrl+right", N_("A word back, a word on")),
    ("ctrl+shift+home,ctrl+shift+end", N_("Select to an end of the text")),
    ("home,end,ctrl+e", N_("To an end of the line")),
    ("ctrl+home,ctrl+end", N_("To an end of the text")),
    ("ctrl+w,ctrl+u,ctrl+k", N_("Delete a word, to the beginning, to the end of the line")),
)
"""Keys the field for text has of its own, wherever more than a line is typed."""


ELSEWHERE = N_("Where other programs have it")
"""Heading of the keys of other programs."""


def keys_of(action: Action, keymap: Mapping[str, str]) -> str:
    """The keys in force."""
    return keymap.get(action.id, action.keys)


def shown_key(key: str) -> str:
    """A key as it stands on a keyboard: `ctrl+q` is `Ctrl+Q`, `question_mark` is `?`."""
    if key in _KEY_NAMES:
        return _KEY_NAMES[key]
    *modifiers, last = key.split("+")
    if modifiers:
        named = _KEY_NAMES.get(last, last.upper())
        return "+".join([*(part.capitalize() for part in modifiers), named])
    return key.upper() if key[:1] == "f" and key[1:].isdigit() else key


def shown_keys(action: Action, keymap: Mapping[str, str] | None = None) -> str:
    """All keys of an action as they are shown."""
    return _in_a_row(keys_of(action, keymap or {}))


def _in_a_row(keys: str) -> str:
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
        yield N_("Where you type"), _in_a_row(keys), words


def habits(keymap: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """Where other programs have it: the keys here, what they do, and the keys there."""
    for habit in HABITS:
        action = BY_ID.get(habit.here)
        keys = shown_keys(action, keymap) if action else _in_a_row(habit.here)
        yield keys, habit.words, f"vi {habit.vi}, Emacs {habit.emacs}, Windows {habit.windows}"


def clashes(keymap: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """Keys that mean another thing here: the key, what it does here, and what elsewhere; none
    that the writer has given to something else."""
    for clash in CLASHES:
        action = BY_ID.get(clash.here)
        if action is None or clash.key in keys_of(action, keymap).split(","):
            yield shown_key(clash.key), action.title if action else clash.here, clash.elsewhere


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
            keys = keys.replace("|", "\\|")
            lines.append(f"| {keys} | {action.title} | {action.help} | `{action.id}` |")
    lines += ["", "## Moving about", "", "| Where | Key | What it does |", "|---|---|---|"]
    lines += [f"| {pane} | `{keys}` | {words} |" for pane, keys, words in moving()]
    lines += ["", f"## {ELSEWHERE}", "", "In the editor.", ""]
    lines += ["| What | vi | Emacs | Windows | Here |", "|---|---|---|---|---|"]
    for habit, (keys, _words, _there) in zip(HABITS, habits({}), strict=True):
        there = " | ".join(f"`{key}`" for key in (habit.vi, habit.emacs, habit.windows))
        lines.append(f"| {habit.words} | {there} | `{keys}` |")
    lines += ["", "These mean another thing here:", ""]
    lines += ["| Key | Elsewhere | Here |", "|---|---|---|"]
    lines += [f"| `{key}` | {there} | {words} |" for key, words, there in clashes({})]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(keys_page(), end="")
