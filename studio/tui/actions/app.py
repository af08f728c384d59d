"""What works everywhere."""

from __future__ import annotations

from studio.tui.action import Action

ACTIONS: tuple[Action, ...] = (
    Action(
        "app.quit",
        "ctrl+q",
        "Quit",
        "Leaves the studio; asks first while something runs.",
        hint=True,
        priority=True,
    ),
    Action(
        "app.palette",
        "ctrl+p",
        "All actions",
        "Opens the list of all actions, to search by name.",
        hint=True,
        priority=True,
    ),
    Action(
        "app.help",
        "f1,question_mark",
        "Help",
        "Shows every key, those of this place first.",
        hint=True,
    ),
    Action(
        "app.settings", "f2", "Settings", "Shows every setting and which file or variable set it."
    ),
    Action("app.theme", "f3", "Next theme", "Changes to the next colour theme and remembers it."),
    Action(
        "app.launcher",
        "ctrl+o",
        "Open another novel",
        "Goes to the launcher: recent novels, a new one, the sample.",
    ),
    Action(
        "app.suspend",
        "ctrl+z",
        "To the shell",
        "Rests the studio and goes to the shell; `fg` comes back. Not while you type.",
    ),
)
