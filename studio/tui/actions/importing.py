"""What the preview of an import can do."""

from __future__ import annotations

from studio.tui.action import Action
from studio.tui.views import situation as can

ACTIONS: tuple[Action, ...] = (
    Action(
        "import.bring",
        "b",
        "Bring in",
        "Asks for novel, title and language, then puts the chapters there.",
        can.correctable,
        hint=True,
    ),
    Action(
        "import.merge", "m", "Merge", "Joins it to the chapter before.", can.correctable, hint=True
    ),
    Action("import.split", "s", "Split", "Begins a chapter inside it.", can.correctable, hint=True),
    Action(
        "import.rename",
        "r",
        "Rename",
        "Gives the chapter another title.",
        can.correctable,
        hint=True,
    ),
    Action(
        "import.drop",
        "x,space",
        "Leave out",
        "Leaves the chapter out, or takes it back in.",
        can.correctable,
        hint=True,
    ),
    Action(
        "import.encoding",
        "e",
        "Encoding",
        "Reads a file, or all of them, in another encoding.",
        can.correctable,
        hint=True,
    ),
    Action(
        "import.files",
        "f",
        "Files",
        "Adds files, takes one out, puts them in another order.",
        can.correctable,
        hint=True,
    ),
    Action("import.undo", "u", "Undo", "Takes the last correction back.", can.correctable),
    Action("import.read", "enter", "Read", "Shows the whole chapter as a page.", can.correctable),
    Action(
        "import.close",
        "escape",
        "Back",
        "Leaves the import; nothing was written anywhere.",
        hint=True,
    ),
    Action("files.add", "a", "Add", "Adds a file, or the texts of a folder.", hint=True),
    Action("files.remove", "x,delete", "Take out", "Takes the file out of the import.", hint=True),
    Action("files.up", "K,shift+up", "Up", "Moves the file up.", hint=True),
    Action("files.down", "J,shift+down", "Down", "Moves the file down.", hint=True),
    Action("files.encoding", "e", "Encoding", "Reads the file in another encoding.", hint=True),
    Action(
        "files.close",
        "escape,q",
        "To the chapters",
        "Goes back to the chapters, found anew where the files changed.",
        hint=True,
    ),
)
