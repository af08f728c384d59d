"""Every saved version of a chapter or file, read in a thread: when and why, its differences, and
restoring it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import events
from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from studio.errors import StudioError
from studio.i18n import _, ngettext, translate
from studio.project.clock import local_time
from studio.project.history.reasons import reason_words
from studio.tui.performs import asks, performs
from studio.tui.screen import StudioScreen
from studio.tui.screens.ask import Choose
from studio.tui.views.situation import Situation
from studio.tui.views.terms import term
from studio.tui.views.words import Line, Phrase
from studio.tui.widgets.action_line import ActionLine
from studio.tui.widgets.diff_view import DiffView
from studio.tui.widgets.styled import content

if TYPE_CHECKING:
    from studio.project.history.blobs import Version
    from studio.session import Session


_STEPS = {"down": 1, "j": 1, "up": -1, "k": -1}
"""The keys that go to another version, and by how many rows."""


@dataclass(frozen=True, slots=True)
class Past:
    """The present text of a file and its versions."""

    path: str
    present: str
    present_sha256: str | None
    versions: tuple[Version, ...]
    """The versions, the newest first."""
    texts: dict[str, str]
    """The readable texts, by sha256."""


def read_past(session: Session, path: str) -> Past:
    """Reads every version of a file; call it in a thread."""
    versions = session.versions()
    newest_first = tuple(reversed(versions.of(path)))
    sha = session.store.root.sha(path)
    return Past(path, versions.present(path), sha, newest_first, versions.readable(newest_first))


def files_with_past(session: Session) -> list[tuple[str, str]]:
    """Returns the path and name of every file whose versions the writer can restore."""
    from studio.project.commit.versions import may_be_restored

    files = session.versions().files()
    return [(f.path, f"{f.path}  ({f.versions})") for f in files if may_be_restored(f.path)]


def version_line(past: Past, version: Version) -> Line:
    """Returns the time and reason of a version, and whether it is the present text."""
    when = local_time(version.ts, seconds=True)
    in_work = version.path != past.path and version.reason == "staged"
    words = [
        Phrase(f"{when}  ", "quiet"),
        Phrase(_("in progress") if in_work else translate(term(reason_words(version.reason)))),
    ]
    if version.sha == past.present_sha256:
        words.append(Phrase("  " + _("as it is now"), "good"))
    if version.sha not in past.texts:
        words.append(Phrase("  " + _("cannot be read"), "bad"))
    return tuple(words)


def head(past: Past) -> Line:
    """Returns the chapter or the file, and the number of its versions."""
    from studio.project.layout import chapter_of

    number = chapter_of(past.path)
    what = _("chapter {number}", number=number) if number is not None else past.path
    count = len(past.versions)
    words = ngettext("{n} version", "{n} versions", count)
    return (Phrase(_("History of {what}", what=what), "heading"), Phrase(f"  {words}", "quiet"))


class HistoryScreen(StudioScreen, Screen[bool]):
    """The versions of one file; returns True if one was restored."""

    CSS_PATH = "history.tcss"
    WHERE = ("history",)

    def __init__(self, session: Session, path: str) -> None:
        super().__init__()
        self._session = session
        self._path = path
        self.past: Past | None = None
        self.changed = False
        self._steps = 0
        """How many rows down she has gone before the versions were read."""

    def compose(self) -> ComposeResult:
        """Yields the title, the versions, the differences and the hints."""
        reading = _("Reading {name} …", name=self._path)
        yield Static(content(Phrase(reading, "heading")), id="history-title")
        yield OptionList(id="history-list", compact=True)
        words = _("− the present text, + the version marked above.")
        yield Static(content(Phrase(words, "quiet")), id="history-legend")
        yield DiffView(id="history-diff")
        yield ActionLine(id="hints")

    def on_mount(self) -> None:
        """Reads the versions."""
        view = self.query_one(DiffView)
        view.ascii_only = self.studio.ascii_only
        self.query_one(OptionList).focus()
        self.show_hints()
        self.run_worker(self._read())

    async def _read(self) -> None:
        try:
            past = await asyncio.to_thread(read_past, self._session, self._path)
        except StudioError as error:
            self.studio.tell(error.problem)
            return
        self.past = past
        self.query_one("#history-title", Static).update(content(head(past)))
        versions = self.query_one(OptionList)
        versions.clear_options()
        if not past.versions:
            words = Phrase(_("History has no version of it yet."), "quiet")
            versions.add_option(Option(content(words), disabled=True))
        versions.add_options(Option(content(version_line(past, v))) for v in past.versions)
        shas = [version.sha for version in past.versions]
        others = [at for at, sha in enumerate(shas) if sha != past.present_sha256]
        at, self._steps = (others or [0])[0] + self._steps, 0
        versions.highlighted = max(0, min(at, len(shas) - 1)) if shas else None
        self._compare()

    def on_key(self, event: events.Key) -> None:
        """Keeps the steps that are taken before there is a row to go to."""
        if self.past is None and event.key in _STEPS:
            self._steps += _STEPS[event.key]
            event.stop()
            event.prevent_default()

    def on_option_list_option_highlighted(self, message: OptionList.OptionHighlighted) -> None:
        """Compares the version the cursor has moved to."""
        self._compare()

    def _compare(self) -> None:
        chosen, past = self.version_under_cursor, self.past
        text = past.texts.get(chosen.sha) if past and chosen else None
        if past is not None:
            before = past.present
            language = self._session.settings.novel.language
            self.query_one(DiffView).show(before, before if text is None else text, language)
        self.show_hints()

    @property
    def version_under_cursor(self) -> Version | None:
        """The version under the cursor."""
        at = self.query_one(OptionList).highlighted
        versions = self.past.versions if self.past else ()
        return versions[at] if at is not None and at < len(versions) else None

    def situation(self) -> Situation:
        """Returns whether there is a version to restore."""
        chosen, past = self.version_under_cursor, self.past
        if past is None or chosen is None:
            return Situation(novel=True)
        other = chosen.sha != past.present_sha256
        return Situation(novel=True, result=other and chosen.sha in past.texts)

    @performs("history.next")
    def next(self) -> None:
        """Moves the cursor to the next version."""
        self.query_one(OptionList).action_cursor_down()

    @performs("history.previous")
    def previous(self) -> None:
        """Moves the cursor to the previous version."""
        self.query_one(OptionList).action_cursor_up()

    @performs("history.restore")
    async def restore(self) -> None:
        """Restores the version; the present text is saved first."""
        chosen = self.version_under_cursor
        assert chosen is not None  # the action's reason_disabled ensures it
        await asyncio.to_thread(self._session.versions().restore, self._path, chosen.sha)
        self.changed = True
        self.studio.say(_("Brought back; what stood there is kept."))
        await self._read()

    @asks("history.file")
    async def choose_file(self) -> None:
        """Shows the versions of another file."""
        files = await asyncio.to_thread(files_with_past, self._session)
        path = await self.app.push_screen_wait(Choose(_("Which file?"), files))
        if path is not None:
            self._path = path
            await self._read()

    @performs("history.close")
    def close(self) -> None:
        """Closes the page."""
        self.dismiss(self.changed)
