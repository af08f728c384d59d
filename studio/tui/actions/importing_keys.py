"""The actions of the preview of an import, with the keys of each."""

from __future__ import annotations

from studio.i18n import N_
from studio.tui.action import Action
from studio.tui.views import situation as can

ACTIONS: tuple[Action, ...] = (
    Action(
        "import.bring",
        "b",
        N_("Bring in"),
        N_("Asks for novel, title and language, then puts the chapters there."),
        can.correctable,
        hint=True,
    ),
    Action(
        "import.merge",
        "m",
        N_("Merge"),
        N_("Joins it to the chapter before."),
        can.correctable,
        hint=True,
    ),
    Action(
        "import.split",
        "s",
        N_("Split"),
        N_("Begins a chapter inside it."),
        can.correctable,
        hint=True,
    ),
    Action(
        "import.rename",
        "r",
        N_("Rename"),
        N_("Gives the chapter another title."),
        can.correctable,
        hint=True,
    ),
    Action(
        "import.drop",
        "x,space",
        N_("Leave out"),
        N_("Leaves the chapter out, or takes it back in."),
        can.correctable,
        hint=True,
    ),
    Action(
        "import.encoding",
        "e",
        N_("Encoding"),
        N_("Reads a file, or all of them, in another encoding."),
        can.correctable,
        hint=True,
    ),
    Action(
        "import.headings",
        "h",
        N_("Headings"),
        N_("Takes other lines for the headings, and finds the chapters again."),
        can.correctable,
    ),
    Action(
        "import.files",
        "f",
        N_("Files"),
        N_("Adds files, takes one out, puts them in another order."),
        can.correctable,
        hint=True,
    ),
    Action("import.undo", "u", N_("Undo"), N_("Takes back the last correction."), can.correctable),
    Action(
        "import.read",
        "enter",
        N_("Read"),
        N_("Shows the whole chapter as a page."),
        can.correctable,
    ),
    Action(
        "import.close",
        "escape",
        N_("Back"),
        N_("Leaves the import; nothing was written anywhere."),
        hint=True,
    ),
    Action("files.add", "a", N_("Add"), N_("Adds a file, or the texts of a folder."), hint=True),
    Action(
        "files.remove",
        "x,delete",
        N_("Take out"),
        N_("Takes the file out of the import."),
        hint=True,
    ),
    Action("files.up", "K,shift+up", N_("Up"), N_("Moves the file up."), hint=True),
    Action("files.down", "J,shift+down", N_("Down"), N_("Moves the file down."), hint=True),
    Action(
        "files.encoding", "e", N_("Encoding"), N_("Reads the file in another encoding."), hint=True
    ),
    Action(
        "files.close",
        "escape,q",
        N_("To the chapters"),
        N_("Goes back to the chapters, found anew where the files changed."),
        hint=True,
    ),
)
