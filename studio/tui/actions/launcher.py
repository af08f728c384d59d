"""What the launcher can do."""

from __future__ import annotations

from studio.tui.action import Action

ACTIONS: tuple[Action, ...] = (
    Action("launcher.open", "enter", "Open", "Opens the marked novel.", hint=True),
    Action(
        "launcher.import",
        "i",
        "Import",
        "Brings in Markdown or plain text, after a look at the chapters found in it.",
        hint=True,
    ),
    Action("launcher.path", "o", "Open folder", "Opens a novel by its folder.", hint=True),
    Action("launcher.new", "n", "New novel", "Makes a new novel in a folder of yours.", hint=True),
    Action(
        "launcher.sample",
        "s",
        "Sample",
        "Copies the sample novel to a folder of yours and opens it.",
        hint=True,
    ),
)
