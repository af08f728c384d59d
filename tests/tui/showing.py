"""The table of every screen and page of the app: the novel it is displayed with, and the way to it.

One app walks through all the screens of a sitting, at each size and in each theme. The languages
rotate in a Latin square, so four pictures of a screen show it in all three languages. From 120
columns on screens only grow; four of them are also displayed at 200x60, where the part that grows
is next to something else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, product
from typing import Any, NamedTuple

import pytest
from textual.screen import Screen

from studio.i18n import Language
from studio.tui.board import BoardScreen
from studio.tui.desk.screen import DeskScreen
from studio.tui.palette import ActionPalette
from studio.tui.screens.ask import Ask, AskPath, AskText, Choose, Confirm, NotThis
from studio.tui.screens.cost import CostScreen
from studio.tui.screens.decision import DecisionScreen
from studio.tui.screens.editing.start_page import StartPage
from studio.tui.screens.editor import EditorScreen
from studio.tui.screens.find import FindScreen, ReplacementScreen
from studio.tui.screens.form import FormScreen
from studio.tui.screens.go_to_chapter import GoToChapter
from studio.tui.screens.help import HelpScreen
from studio.tui.screens.history import HistoryScreen
from studio.tui.screens.importing import ImportFilesScreen, ImportScreen
from studio.tui.screens.launcher import LauncherScreen
from studio.tui.screens.memory import MemoryScreen
from studio.tui.screens.page import PageScreen, ReplayScreen
from studio.tui.screens.reading import ReadingScreen
from studio.tui.screens.rebuild import RebuildScreen
from studio.tui.screens.saved_text import KeptScreen
from studio.tui.screens.settings import SettingsScreen
from studio.tui.screens.versions import VersionsScreen
from tests.sweeps import swept
from tests.tui import ways, ways_to_texts
from tests.tui.pilot import StudioPilot
from tests.tui.proposed_books import begun, with_a_plan
from tests.tui.three_novels import (
    CUT,
    FILTERED,
    LANGUAGES,
    SHOWN,
    Novel,
    at_rest,
    edited,
    in_review,
    interrupted,
    with_proposals,
)
from tests.tui.ways import Bring


class Window(NamedTuple):
    """A terminal size and a theme."""

    columns: int
    rows: int
    theme: str

    def __str__(self) -> str:
        return f"{self.columns}x{self.rows}-{self.theme}"


SIZES = ((80, 24), (120, 36))
WIDEST = (200, 60)
THEMES = ("night", "paper")
EVERY = tuple(Window(*size, theme) for size, theme in product(SIZES, THEMES))
UP_TO_WIDEST = tuple(Window(*size, theme) for size, theme in product((*SIZES, WIDEST), THEMES))


@dataclass(frozen=True)
class Showing:
    """A row of the table."""

    name: str
    kind: type[Screen[Any]]
    bring: Bring
    everywhere: bool = False
    """Whether the screen is displayed in every language at every size."""
    windows: tuple[Window, ...] = EVERY
    goes_on: bool = False
    """Whether the screen is reached from that of the previous row, and not from the desk."""

    def languages(self, number: int, window: Window) -> tuple[Language, ...]:
        """Returns the languages in which row `number` of the table is displayed in a window."""
        size, theme = divmod(self.windows.index(window), len(THEMES))
        if self.everywhere:
            return tuple(x for i, x in enumerate(LANGUAGES) if (size + i) % 2 == theme)
        return (LANGUAGES[(number + size + theme) % 3],)


class Sitting(NamedTuple):
    """An app on a novel. The effects of an act last, so each act has its screens before the
    next."""

    name: str
    novel: Novel | None
    acts: tuple[tuple[Showing, ...], ...]

    def __str__(self) -> str:
        return self.name

    def shots(self, language: Language) -> Iterator[list[tuple[Window, list[Showing]]]]:
        """Yields, for each act, its windows with the rows to display in them."""
        for act in self.acts:
            windows = dict.fromkeys(w for row in act for w in row.windows)
            here = ((w, [r for r in act if _shown(r, w, language)]) for w in windows)
            yield [(window, rows) for window, rows in here if rows]


def _shown(row: Showing, window: Window, language: Language) -> bool:
    return window in row.windows and language in row.languages(NUMBER[row.name], window)


LAUNCHER = (
    Showing("launcher-first-time", LauncherScreen, ways.first_time),
    Showing("launcher", LauncherScreen, ways.known),
    Showing("new-novel-title", Ask, ways.new_title),
    Showing("new-novel-language", Choose, ways.new_language, goes_on=True),
    Showing("new-novel-form", Choose, ways.new_form, goes_on=True),
    Showing("new-novel-folder", Ask, ways.new_folder, goes_on=True),
    Showing("import-place", AskPath, ways.import_place),
    Showing("import", ImportScreen, ways.import_page, goes_on=True),
    Showing("import-chapter", PageScreen, ways.importing("import.read", PageScreen), goes_on=True),
    Showing("import-split", Choose, ways.importing("import.split", Choose), goes_on=True),
    Showing("import-encoding", Choose, ways.importing("import.encoding", Choose), goes_on=True),
    Showing(
        "import-files",
        ImportFilesScreen,
        ways.importing("import.files", ImportFilesScreen),
        goes_on=True,
    ),
    Showing("import-where", AskPath, ways.importing("import.bring", AskPath), goes_on=True),
    Showing("import-how", Choose, ways.import_how, goes_on=True),
    Showing("import-leave", Confirm, ways.import_leave, goes_on=True),
)
REST = (
    Showing("desk", DeskScreen, ways.desk, everywhere=True, windows=UP_TO_WIDEST),
    Showing("desk-plan", DeskScreen, ways.plan),
    Showing("plan-form", FormScreen, ways.plan_form),
    Showing("note-list", Choose, ways.note_list),
    Showing("note-form", FormScreen, ways.note_form, goes_on=True),
    Showing("desk-direction", DeskScreen, ways.direction),
    Showing("summary", PageScreen, ways.asking("desk.summary", PageScreen)),
    Showing("evaluation", PageScreen, ways.asking("desk.evaluation", PageScreen)),
    Showing("state", PageScreen, ways.asking("desk.state", PageScreen)),
    Showing("volume", PageScreen, ways.asking("desk.volume", PageScreen)),
    Showing("history", HistoryScreen, ways.history, windows=UP_TO_WIDEST),
    Showing("history-files", Choose, ways.history_files, goes_on=True),
    Showing("editor", EditorScreen, ways.editor),
    Showing("export-form", Choose, ways.asking("desk.export", Choose)),
    Showing("export-chapters", Choose, ways.export_chapters, goes_on=True),
    Showing("export-place", AskPath, ways.export_place, goes_on=True),
    Showing("settings", SettingsScreen, ways.settings),
    Showing("setting-home", Choose, ways.setting_home, goes_on=True),
    Showing("setting-value", Ask, ways.setting_value, goes_on=True),
    Showing("find", FindScreen, ways.find),
    Showing("replacement", ReplacementScreen, ways.replacement, goes_on=True),
    Showing("reading", ReadingScreen, ways.asking("desk.read", ReadingScreen)),
    Showing("memory", MemoryScreen, ways.asking("desk.bible", MemoryScreen)),
    Showing("board", BoardScreen, ways.asking("desk.board", BoardScreen)),
    Showing("go-to-chapter", GoToChapter, ways.asking("desk.go", GoToChapter)),
    Showing("help", HelpScreen, ways.asking("app.help", HelpScreen)),
    Showing("palette", ActionPalette, ways.palette),
    Showing("palette-search", ActionPalette, ways.palette_search, goes_on=True),
    Showing(
        "too-small",
        DeskScreen,
        ways.desk,
        windows=tuple(Window(*s, t) for s, t in product(((58, 14), (60, 15), (70, 20)), THEMES)),
    ),
)
RUNNING = (
    Showing("desk-stream", DeskScreen, ways.stream, everywhere=True),
    Showing("quit", Confirm, ways.leaving),
    Showing("log", CostScreen, ways.asking("desk.log", CostScreen, 3)),
)
REVIEW = (
    Showing("review", DeskScreen, ways.on(FILTERED), everywhere=True, windows=UP_TO_WIDEST),
    Showing(
        "review-other-colours",
        DeskScreen,
        ways.on(FILTERED),
        windows=tuple(Window(120, 36, theme) for theme in ("contrast", "dusk", "terminal")),
    ),
    Showing("directive", DeskScreen, ways.on(FILTERED, "enter")),
    Showing("rewrite", DeskScreen, ways.on(SHOWN)),
    Showing("edit-instruction", AskText, ways.on(FILTERED, "e", kind=AskText)),
    Showing("edit-result", AskText, ways.on(FILTERED, "E", kind=AskText)),
    Showing("reject", NotThis, ways.reject),
    Showing("try-again", Ask, ways.on(SHOWN, "t", kind=Ask)),
    Showing("accept-rest", Confirm, ways.on(CUT, "A", kind=Confirm)),
    Showing("desk-diff", DeskScreen, ways.tab("diff", "Diff"), windows=UP_TO_WIDEST),
    Showing("desk-context", DeskScreen, ways.tab("context", "quiet-room-02")),
    Showing("replay", ReplayScreen, ways_to_texts.replay),
    Showing("desk-variations", DeskScreen, ways.tab("variations", "09:30")),
    Showing("kept", KeptScreen, ways_to_texts.kept),
    Showing("versions", VersionsScreen, ways_to_texts.versions),
    Showing(
        "decision", DecisionScreen, ways.asking("desk.decide", DecisionScreen, 3), everywhere=True
    ),
    Showing("decision-gate", DecisionScreen, ways.gate),
    Showing("discard", Confirm, ways.asking("desk.discard", Confirm, 3)),
)
ONE_EACH = (Window(80, 24, "night"), Window(120, 36, "paper"))
PROPOSALS = (
    Showing("proposal", DeskScreen, ways.on("prop_0001"), windows=ONE_EACH),
    Showing("still-asked", DeskScreen, ways.on(CUT), windows=ONE_EACH),
    Showing("unplaced", DeskScreen, ways.unplaced, windows=ONE_EACH),
    Showing("unplaced-where", Ask, ways.unplaced_where, windows=ONE_EACH, goes_on=True),
)
BEGINNING = (Showing("beginning", StartPage, ways.proposed_page),)
VOLUME = (Showing("volume-plan", StartPage, ways.proposed_page),)
ORDER = (Showing("volume-order", FormScreen, ways.volume_order),)
SURGERY = (Showing("desk-surgeon", DeskScreen, ways.surgeon),)
EDITED = (
    Showing("edited", DeskScreen, ways.changed_elsewhere),
    Showing("hand-edit", DecisionScreen, ways.hand_edit),
    Showing("rebuild", RebuildScreen, ways.rebuild),
)
STOPPED = (Showing("interrupted", DeskScreen, ways.asking("desk.look", DeskScreen, 3)),)
SITTINGS = (
    Sitting("launcher", None, (LAUNCHER,)),
    Sitting("rest", at_rest, (REST, RUNNING)),
    Sitting("review", in_review, (REVIEW, SURGERY)),
    Sitting("edited", edited, (EDITED,)),
    Sitting("interrupted", interrupted, (STOPPED,)),
    Sitting("proposals", with_proposals, (PROPOSALS,)),
    Sitting("beginning", begun, (BEGINNING,)),
    Sitting("volume-plan", with_a_plan, (VOLUME,)),
    Sitting("volume-order", at_rest, (ORDER,)),
)
WALKS = [(swept if len(s.acts) > 1 else pytest.param)(s, id=str(s)) for s in SITTINGS]
"""Every sitting, for a walk over all screens; those with more than one act are left to the
sweep."""

TABLE = tuple(row for sitting in SITTINGS for act in sitting.acts for row in act)
NUMBER = dict(
    zip((row.name for row in TABLE), accumulate(not r.goes_on for r in TABLE), strict=True)
)
"""The position of each screen in the table; screens reached in one go share a position."""


async def ready(studio: StudioPilot) -> None:
    """Waits until the desk is complete: external changes and the model's name are known."""
    if isinstance(studio.app.screen, DeskScreen):
        await studio.until(
            lambda: studio.desk.features.external_changes.watcher.ready.is_set(), "the watch"
        )
        await studio.until(
            lambda: studio.desk.state.book.differences is not None, "the differences"
        )
        await studio.until(lambda: studio.desk.state.price_known, "what w costs")
