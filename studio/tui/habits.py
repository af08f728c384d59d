"""What writers press elsewhere: where it is here, and the keys that mean another thing here."""

from __future__ import annotations

from typing import NamedTuple

from studio.i18n import N_


class Habit(NamedTuple):
    """One thing every editor can do."""

    words: str
    vi: str
    emacs: str
    windows: str
    here: str
    """The id of an action, or keys of the field one types in, in Textual's spelling."""


class Clash(NamedTuple):
    """A key that another program has taught and that does something else here."""

    key: str
    """In Textual's spelling; `here` names what does it."""
    elsewhere: str
    here: str
    """The id of an action, or what the field one types in does, in words."""


HABITS: tuple[Habit, ...] = (
    Habit(N_("Undo"), "u", "C-/", "Ctrl+Z", "editor.undo"),
    Habit(N_("Redo"), "C-r", "M-_", "Ctrl+Y", "editor.redo"),
    Habit(N_("Find"), "/", "C-s", "Ctrl+F", "editor.find"),
    Habit(N_("Replace"), ":s", "M-%", "Ctrl+H", "editor.replace_all"),
    Habit(N_("Select"), "v", "C-Space", "Shift+→", "shift+left,shift+right,shift+up,shift+down"),
    Habit(N_("Select all"), "ggVG", "C-x h", "Ctrl+A", "editor.select_all"),
    Habit(N_("Copy"), "y", "M-w", "Ctrl+C", "ctrl+c,alt+w"),
    Habit(N_("Cut"), "d", "C-w", "Ctrl+X", "ctrl+x"),
    Habit(N_("Paste"), "p", "C-y", "Ctrl+V", "ctrl+v"),
    Habit(N_("Save"), ":w", "C-x C-s", "Ctrl+S", "editor.save"),
    Habit(N_("To the beginning of the text"), "gg", "M-<", "Ctrl+Home", "ctrl+home"),
    Habit(N_("To the end of the text"), "G", "M->", "Ctrl+End", "ctrl+end"),
    Habit(N_("Back to the book"), ":q", "C-x k", "Ctrl+W", "editor.close"),
)
"""In the editor; vi and Emacs as their own books write keys."""

CLASHES: tuple[Clash, ...] = (
    Clash("ctrl+a", N_("Emacs: to the beginning of the line"), "editor.select_all"),
    Clash("ctrl+d", N_("vi: half a page on; Emacs: delete a letter"), "editor.mine"),
    Clash("ctrl+f", N_("vi: a page on; Emacs: a letter on"), "editor.find"),
    Clash("ctrl+g", N_("Emacs: never mind; Windows: go to a line"), "editor.external"),
    Clash("ctrl+r", N_("vi: redo; Emacs: find backwards"), "editor.replace_all"),
    Clash("ctrl+s", N_("Emacs: find"), "editor.save"),
    Clash("ctrl+y", N_("Emacs: paste"), "editor.redo"),
    Clash("ctrl+z", N_("Emacs: to the shell"), "editor.undo"),
    Clash("ctrl+p", N_("Emacs: a line up; Windows: print"), "app.palette"),
    Clash("ctrl+o", N_("Emacs: a new line; Windows: open a file"), "app.launcher"),
    Clash("f3", N_("Windows: find the next"), "app.theme"),
    Clash("escape", N_("vi: no longer insert"), "editor.close"),
    Clash("ctrl+u", N_("vi: half a page back"), N_("Delete to the beginning of the line")),
    Clash("ctrl+v", N_("Emacs: a page on"), N_("Paste")),
    Clash("ctrl+w", N_("Emacs: cut; Windows: close"), N_("Delete a word")),
    Clash("ctrl+x", N_("Emacs: begins an order"), N_("Cut it, or the line")),
)
"""In the editor too; what is documented here keeps its key."""
