"""Help: every key, those of the place one comes from first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from studio.i18n import N_, _
from studio.tui.actions import PLACES, Where, of
from studio.tui.keys import moving, shown_keys
from studio.tui.screens.page import PageScreen
from studio.tui.views.words import Line, Said, line
from studio.tui.widgets.prose.strips import LOCK_BARS

_FIRST = (
    N_(
        "Your novel is a folder of plain text. The outline is on the left, the text in the middle,"
        " the directives on the right."
    ),
    N_(
        "w writes the next chapter and stops at each decision. Nothing is changed without your yes:"
        " accept, reject or edit each directive, and undo any of them alone."
    ),
    N_("Esc stops at once and loses nothing. Ctrl+P finds every action by name."),
)

_LOCKED = N_(
    "  {mark} in the margin: a paragraph that stays as it is, whoever works on the chapter."
)


class HelpScreen(PageScreen):
    """All actions, with their keys."""

    def __init__(self, here: Sequence[Where]) -> None:
        super().__init__(_("Help"), ())
        self._here = here

    def on_mount(self) -> None:
        """The keys in force, which the writer may have changed."""
        self._lines = tuple(
            help_lines(self._here, self.studio.keymap, ascii_only=self.studio.ascii_only)
        )
        super().on_mount()


def help_lines(
    here: Sequence[Where], keys: Mapping[str, str], *, ascii_only: bool = False
) -> Iterator[Line]:
    """What the studio is in three sentences, then the keys."""
    for sentence in _FIRST:
        yield line(_(sentence))
        yield line()
    places = [*here, *(p for p in PLACES if p not in here and p != "global"), "global"]
    for where in dict.fromkeys(places):
        yield line(_(PLACES[where]), "heading")
        for action in of(where):
            key_words = shown_keys(action, keys) or _("palette")
            yield (
                Said(f"  {key_words:<12} ", "accent"),
                Said(f"{_(action.title)}: ", "strong"),
                Said(_(action.help), "quiet"),
            )
        if where == "text":
            yield line(_(_LOCKED, mark=LOCK_BARS[ascii_only]), "quiet")
        yield line()
    yield line(_("Moving about"), "heading")
    for pane, keys_of_pane, words in moving():
        yield (Said(f"  {keys_of_pane:<20} ", "accent"), Said(f"{_(pane)}: {_(words)}", "quiet"))
