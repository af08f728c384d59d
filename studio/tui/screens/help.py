"""The help page: every key and every mark, starting with those of the previous screen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from studio.i18n import N_, _, as_label
from studio.tui.actions import PLACES, Where, of
from studio.tui.habits import ELSEWHERE, clashes, habits, keys_for_moving
from studio.tui.key_bindings import bindings_of
from studio.tui.performs import performs
from studio.tui.screens.page import PageScreen
from studio.tui.views.key_names import shown_keys
from studio.tui.views.legend import legend_lines
from studio.tui.views.situation import Situation
from studio.tui.views.words import Line, Phrase, line, pad
from studio.tui.widgets.lines_view import LinesView

_FIRST = (
    N_(
        "Your novel is a folder of plain text. The outline is on the left, the text in the middle,"
        " the directives on the right: proposals, each about one passage."
    ),
    N_(
        "w writes the next chapter and stops at each decision. Nothing is changed without your yes:"
        " take each proposal, say it otherwise or put it aside, and undo any of them alone."
    ),
    N_("Esc stops at once and loses nothing. Ctrl+P finds every action by name."),
)


_OVER: Mapping[Where, tuple[str, ...]] = {
    "decision": (
        N_(
            "A question waits for your answer; below each answer stands what happens then. The"
            " marked one is taken by Enter, and until then nothing is changed."
        ),
        N_("Esc leaves the question open. It waits on disk, and d on the desk brings it back."),
    ),
    "start": (
        N_(
            "What is proposed stands here whole, and nothing of it is saved yet. Change any of it,"
            " untick what is to be left out, and take the rest."
        ),
        N_("Esc leaves the page for later, with what you changed. F9 asks for another."),
    ),
}
"""What is said first over a question, instead of what the studio is."""


class HelpScreen(PageScreen):
    """All actions with their keys, and the meaning of the marks on the screen."""

    WHERE: ClassVar[tuple[Where, ...]] = ("help", "page")
    BINDINGS = bindings_of("help")

    def __init__(self, here: Sequence[Where]) -> None:
        super().__init__(_("Help"), ())
        self._here = here
        self._marks_at = 0

    def on_mount(self) -> None:
        """Shows the keys in force, which the writer may have rebound."""
        legend = [*legend_lines(self._here, ascii_only=self.studio.ascii_only)]
        lines = [*help_lines(self._here, self.studio.keymap, legend)]
        self._marks_at = next((at for at, row in enumerate(lines) if row == _marks_heading()), 0)
        self._lines = tuple(lines)
        super().on_mount()

    def situation(self) -> Situation:
        """Returns whether the previous screen has marks to explain."""
        return super().situation()._replace(more=bool(self._marks_at))

    @performs("help.marks")
    def go_to_marks(self) -> None:
        """Scrolls to the meaning of the marks."""
        self.query_one(LinesView).go_to_line(self._marks_at)


def _marks_heading() -> Line:
    return line(_("What the marks mean"), "heading")


def help_lines(
    here: Sequence[Where], keys: Mapping[str, str], legend: Sequence[Line] = ()
) -> Iterator[Line]:
    """Yields what the studio is in three sentences, or what is asked where a question stands, the
    keys and marks of this place, then all other keys."""
    first = here[0] if here else None
    for sentence in _OVER.get(first, _FIRST) if first else _FIRST:
        yield line(_(sentence))
        yield line()
    typing = first in ("editor", "form")
    places = [*here, *(p for p in PLACES if p not in here and p != "global"), "global"]
    for where in dict.fromkeys(places):
        yield line(_(PLACES[where]), "heading")
        for action in of(where):
            yield _row(shown_keys(action, keys) or _("palette"), action.title, _(action.help))
        yield line()
        if legend and where == first:
            yield from (_marks_heading(), *legend)
        if typing and where == first:
            yield from (*_elsewhere_lines(keys), line())
    yield line(_("Moving about"), "heading")
    for pane, keys_of_pane, words in keys_for_moving():
        yield (
            Phrase(f"  {keys_of_pane:<20} ", "accent"),
            Phrase(as_label(_(pane)) + _(words), "quiet"),
        )
    if not typing:
        yield from (line(), *_elsewhere_lines(keys))


def _elsewhere_lines(keymap: Mapping[str, str]) -> Iterator[Line]:
    """Yields the keys of other programs, each with the editor's key here."""
    yield line(_(ELSEWHERE), "heading")
    for keys, words, there in habits(keymap):
        yield _row(keys, words, there)
    yield line()
    yield line(_("These mean another thing here:"))
    for key, words, elsewhere in clashes(keymap):
        yield _row(key, words, _(elsewhere))


def _row(keys: str, words: str, rest: str) -> Line:
    return (
        Phrase(f"  {pad(keys, 12)} ", "accent"),
        Phrase(as_label(_(words)), "strong"),
        Phrase(rest, "quiet"),
    )
