"""The actions that work everywhere, with the keys of each."""

from __future__ import annotations

from studio.i18n import N_
from studio.tui.action import Action
from studio.tui.views import situation as can

ACTIONS: tuple[Action, ...] = (
    Action(
        "app.quit",
        "ctrl+q",
        N_("Quit"),
        N_(
            "Leaves the studio; asks first while something runs, or where what you typed cannot be"
            " kept."
        ),
        hint=True,
        priority=True,
    ),
    Action(
        "app.palette",
        "ctrl+p",
        N_("All actions"),
        N_("Opens the list of all actions, to search by name."),
        hint=True,
        hinted_as=can.as_more,
        priority=True,
    ),
    Action(
        "app.help",
        "f1,question_mark",
        N_("Help"),
        N_("Shows every key, those of this place first."),
        hint=True,
    ),
    Action(
        "app.settings",
        "f2",
        N_("Settings"),
        N_("Shows every setting and which file or variable set it."),
    ),
    Action(
        "app.language",
        "",
        N_("Language of the screens"),
        N_("Opens the setting for the language in which the studio speaks."),
    ),
    Action(
        "app.theme",
        "f3",
        N_("Next theme"),
        N_("Changes to the next colour theme and remembers it."),
    ),
    Action(
        "app.launcher",
        "ctrl+o",
        N_("Open another novel"),
        N_("Goes to the launcher: recent novels, a new one, the sample."),
    ),
    # Without a key: one that undoes elsewhere would throw her out of the program by a slip.
    Action(
        "app.suspend",
        "",
        N_("To the shell"),
        N_("Suspends the studio and goes to the shell; `fg` comes back."),
    ),
)
