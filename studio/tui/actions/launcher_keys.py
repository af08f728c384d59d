"""The actions of the launcher, with the keys of each."""

from __future__ import annotations

from studio.i18n import N_
from studio.tui.action import Action

ACTIONS: tuple[Action, ...] = (
    Action("launcher.open", "enter", N_("Open"), N_("Opens the marked novel."), hint=True),
    Action(
        "launcher.import",
        "i",
        N_("Import"),
        N_("Brings in a manuscript, an e-book or a vault, after a look at its chapters."),
        hint=True,
    ),
    Action("launcher.path", "o", N_("Open folder"), N_("Opens a novel by its folder."), hint=True),
    Action(
        "launcher.new",
        "n",
        N_("New novel"),
        N_("Makes a new novel in a folder of yours."),
        hint=True,
    ),
    Action(
        "launcher.begin",
        "b",
        N_("Begin a book"),
        N_("Makes a new novel and leads you from its premise to the first chapters."),
        hint=True,
    ),
    Action(
        "launcher.sample",
        "s",
        N_("Sample"),
        N_("Copies the sample novel to a folder of yours and opens it."),
        hint=True,
    ),
)
