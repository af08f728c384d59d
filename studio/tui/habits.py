"""Keys that no action of ours defines: for typing and moving about, the equivalents in other
programs, and keys that mean something else here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from studio.i18n import N_
from studio.tui.actions import BY_ID
from studio.tui.views.key_names import in_a_row, keys_of, shown_key, shown_keys


class Habit(NamedTuple):
    """One command that every editor has."""

    words: str
    vi: str
    emacs: str
    windows: str
    here: str
    """The id of an action, or the keys of the text field in Textual's spelling."""


class Clash(NamedTuple):
    """A key that does something else here than in another program."""

    key: str
    """The key in Textual's spelling; `here` names what it does in the studio."""
    elsewhere: str
    here: str
    """The id of an action, or what the text field does, in words."""


HABITS: tuple[Habit, ...] = (
    Habit(N_("Undo"), "u", "C-/", "Ctrl+Z", "editor.undo"),
    Habit(N_("Redo"), "C-r", "M-_", "Ctrl+Y", "editor.redo"),
    Habit(N_("Find"), "/", "C-s", "Ctrl+F", "editor.find"),
    Habit(N_("Replace"), ":s", "M-%", "Ctrl+H", "editor.replace_all"),
    Habit(N_("Select"), "v", "C-Space", "Shift+→", "shift+left,shift+right,shift+up,shift+down"),
    Habit(N_("Select all"), "ggVG", "C-x h", "Ctrl+A", "editor.select_all"),
    Habit(N_("Copy"), "y", "M-w", "Ctrl+C", "ctrl+c,alt+w"),
    Habit(N_("Cut out"), "d", "C-w", "Ctrl+X", "ctrl+x"),
    Habit(N_("Paste"), "p", "C-y", "Ctrl+V", "ctrl+v"),
    Habit(N_("Save"), ":w", "C-x C-s", "Ctrl+S", "editor.save"),
    Habit(N_("To the beginning of the text"), "gg", "M-<", "Ctrl+Home", "ctrl+home"),
    Habit(N_("To the end of the text"), "G", "M->", "Ctrl+End", "ctrl+end"),
    Habit(N_("Back to the book"), ":q", "C-x k", "Ctrl+W", "editor.close"),
)
"""The commands of the editor; vi and Emacs keys are written as in their own manuals."""

CLASHES: tuple[Clash, ...] = (
    Clash("ctrl+a", N_("Emacs: to the beginning of the line"), "editor.select_all"),
    Clash("ctrl+d", N_("vi: half a page down; Emacs: delete a letter"), "editor.mine"),
    Clash("ctrl+f", N_("vi: a page down; Emacs: a letter forward"), "editor.find"),
    Clash("ctrl+g", N_("Emacs: cancel; Windows: go to a line"), "editor.external"),
    Clash("ctrl+r", N_("vi: redo; Emacs: find backwards"), "editor.replace_all"),
    Clash("ctrl+s", N_("Emacs: find"), "editor.save"),
    Clash("ctrl+y", N_("Emacs: paste"), "editor.redo"),
    Clash("ctrl+z", N_("Emacs: to the shell"), "editor.undo"),
    Clash("ctrl+p", N_("Emacs: a line up; Windows: print"), "app.palette"),
    Clash("ctrl+o", N_("Emacs: a new line; Windows: open a file"), "app.launcher"),
    Clash("f3", N_("Windows: find the next"), "app.theme"),
    Clash("escape", N_("vi: leave insert mode"), "editor.close"),
    Clash("ctrl+u", N_("vi: half a page up"), N_("Delete to the beginning of the line")),
    Clash("ctrl+v", N_("Emacs: a page down"), N_("Paste")),
    Clash("ctrl+w", N_("Emacs: cut; Windows: close"), N_("Delete a word")),
    Clash("ctrl+x", N_("Emacs: begins a command"), N_("Cut it, or the line")),
)
"""The keys of the editor that clash with other programs; documented keys take precedence."""

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
"""The built-in keys of the text field, wherever more than one line is typed."""


ELSEWHERE = N_("Where other programs have it")
"""The heading above the keys of other programs."""


def keys_for_moving() -> Iterator[tuple[str, str, str]]:
    """Yields the built-in keys for moving in each pane: pane, keys, what they do."""
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
        yield N_("Where you type"), in_a_row(keys), words


def habits(keymap: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """Yields the equivalents of other programs' keys: the keys here, what they do, the keys
    there."""
    for habit in HABITS:
        action = BY_ID.get(habit.here)
        keys = shown_keys(action, keymap) if action else in_a_row(habit.here)
        yield keys, habit.words, f"vi {habit.vi}, Emacs {habit.emacs}, Windows {habit.windows}"


def clashes(keymap: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """Yields the keys that mean something else here: the key, what it does here, and what
    elsewhere. Keys that the writer has rebound are left out."""
    for clash in CLASHES:
        action = BY_ID.get(clash.here)
        if action is None or clash.key in keys_of(action, keymap).split(","):
            yield shown_key(clash.key), action.title if action else clash.here, clash.elsewhere
