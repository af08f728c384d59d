"""Every screen and page of the app: which novel it is shown with, and how a writer gets there.

One app is walked through all the screens of a sitting, at each size and in
each theme. The languages change places in a Latin square, so that six
pictures of a screen show it in all three of them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from itertools import accumulate, product
from pathlib import Path
from typing import Any, NamedTuple

from textual.command import CommandPalette
from textual.screen import Screen
from textual.widgets import Input, OptionList, TextArea

from studio.pipeline.events import Event, RewriteText, SceneEvent, StageEvent, Text, UsageEvent
from studio.remembered import Memory
from studio.story.checkpoint import Decision
from studio.story.novel import Language
from studio.tui.screens.ask import Ask, AskText, Choose, Confirm
from studio.tui.screens.ask_path import AskPath
from studio.tui.screens.decision import DecisionScreen
from studio.tui.screens.desk import DeskScreen
from studio.tui.screens.editor import EditorScreen
from studio.tui.screens.help import HelpScreen
from studio.tui.screens.history import HistoryScreen
from studio.tui.screens.import_files import ImportFilesScreen
from studio.tui.screens.importing import ImportScreen
from studio.tui.screens.kept import KeptScreen
from studio.tui.screens.launcher import LauncherScreen
from studio.tui.screens.page import PageScreen
from studio.tui.screens.rebuilding import RebuildScreen
from studio.tui.screens.settings import SettingsScreen
from studio.tui.views.decision_card import card_of
from studio.tui.views.running import begun
from tests.tui.pilot import StudioPilot
from tests.tui.third_chapters import ThirdChapter
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
)

Bring = Callable[[StudioPilot, ThirdChapter], Awaitable[Any]]
"""Goes from the desk or the launcher to a screen."""


class Window(NamedTuple):
    """A size, and a theme."""

    columns: int
    rows: int
    theme: str

    def __str__(self) -> str:
        return f"{self.columns}x{self.rows}-{self.theme}"


SIZES = ((80, 24), (120, 36), (200, 60))
THEMES = ("night", "paper")
EVERY = tuple(Window(*size, theme) for size, theme in product(SIZES, THEMES))


@dataclass(frozen=True)
class Showing:
    """A row of the table."""

    name: str
    kind: type[Screen[Any]]
    bring: Bring
    everywhere: bool = False
    """Whether it is shown in every language at every size."""
    windows: tuple[Window, ...] = EVERY
    goes_on: bool = False
    """Whether it is reached from the screen of the row before, and not from the desk."""

    def languages(self, number: int, window: Window) -> tuple[Language, ...]:
        """In which languages row `number` of the table is shown in a window."""
        size, theme = divmod(self.windows.index(window), len(THEMES))
        if self.everywhere:
            return tuple(x for i, x in enumerate(LANGUAGES) if (size + i) % 2 == theme)
        return (LANGUAGES[(number + size + theme) % 3],)


class Sitting(NamedTuple):
    """An app on a novel. What an act does to it stays, so each has its screens to the end."""

    name: str
    novel: Novel | None
    acts: tuple[tuple[Showing, ...], ...]

    def __str__(self) -> str:
        return self.name

    def shots(self, language: Language) -> Iterator[list[tuple[Window, list[Showing]]]]:
        """For each act the windows, each with what is to be shown in it."""
        for act in self.acts:
            windows = dict.fromkeys(w for row in act for w in row.windows)
            here = ((w, [r for r in act if _shown(r, w, language)]) for w in windows)
            yield [(window, rows) for window, rows in here if rows]


def _shown(row: Showing, window: Window, language: Language) -> bool:
    return window in row.windows and language in row.languages(NUMBER[row.name], window)


# The launcher


async def _first_time(studio: StudioPilot, _: ThirdChapter) -> None:
    studio.app.memory = Memory()
    await studio.app.open_folder(None)
    await studio.until(lambda: "claude" in studio.screen, "the model")


async def _known(studio: StudioPilot, _: ThirdChapter) -> None:
    memory = Memory()
    for name, title in (("returns", "The Returns Book"), ("inju", "인주가 마르기 전에")):
        memory = memory.opened(Path(f"/home/mara/{name}"), title, "en")
    studio.app.memory = memory.opened(Path("/home/mara/dang"), "当字", "zh")
    await studio.app.open_folder(None)
    await studio.until(lambda: "claude" in studio.screen, "the model")


async def _new_title(studio: StudioPilot, third: ThirdChapter) -> None:
    await studio.ask_for("launcher.new")
    await studio.sees(Ask)
    await studio.type(third.title)


async def _new_language(studio: StudioPilot, _: ThirdChapter) -> None:
    await studio.answer(Ask)
    await studio.sees(Choose)


async def _new_folder(studio: StudioPilot, _: ThirdChapter) -> None:
    await studio.answer(Choose)
    await studio.sees(Ask)


async def _import_place(studio: StudioPilot, _: ThirdChapter) -> None:
    await studio.ask_for("launcher.import")
    await studio.sees(AskPath)
    await studio.type("writing/")
    await studio.until(lambda: "manuscript.txt" in studio.screen, "the matches")


async def _import(studio: StudioPilot, _: ThirdChapter) -> None:
    await studio.answer(AskPath, "writing/manuscript.txt")
    rows = studio.app.screen.query_one("#import-rows", OptionList)
    await studio.until(lambda: rows.option_count, "the rows")
    await studio.press("down")


def _importing(action: str, kind: type[Screen[Any]]) -> Bring:
    async def bring(studio: StudioPilot, _: ThirdChapter) -> None:
        await _at_import(studio)
        await studio.ask_for(action)
        await studio.sees(kind)

    return bring


async def _at_import(studio: StudioPilot) -> None:
    if type(studio.app.screen) is not ImportScreen:
        await studio.press("escape")
    await studio.sees(ImportScreen)


async def _import_how(studio: StudioPilot, _: ThirdChapter) -> None:
    await studio.answer(AskPath)
    await studio.answer(Ask)
    await studio.answer(Choose)
    await studio.sees(Choose)


async def _import_leave(studio: StudioPilot, _: ThirdChapter) -> None:
    await _at_import(studio)
    await studio.ask_for("import.drop")
    await studio.until(lambda: "left out" in studio.screen, "the row left out")
    await studio.press("escape")
    await studio.sees(Confirm)


# The desk


def asking(action: str, kind: type[Screen[Any]], chapter: int = 2) -> Bring:
    """On a chapter of the book, by an action of the desk."""

    async def bring(studio: StudioPilot, _: ThirdChapter) -> None:
        await studio.on_chapter(chapter)
        await studio.ask_for(action)
        await studio.sees(kind)

    return bring


async def _desk(studio: StudioPilot, _: ThirdChapter) -> None:
    await studio.on_chapter(2)
    studio.desk.go_to_tab("draft")


async def _plan(studio: StudioPilot, _: ThirdChapter) -> None:
    await studio.on_chapter(3)
    await studio.turn_to("plan")


async def _direction(studio: StudioPilot, third: ThirdChapter) -> None:
    await studio.on_chapter(3)
    await studio.ask_for("desk.direction")
    studio.desk.query_one("#direction", Input).value = third.direction


async def _editor(studio: StudioPilot, third: ThirdChapter) -> None:
    await studio.on_chapter(3)
    await studio.ask_for("desk.edit")
    await studio.sees(EditorScreen)
    page = studio.app.screen.query_one(TextArea)
    await studio.until(lambda: page.has_focus, "the editor")
    page.load_text(third.text)
    page.move_cursor(page.document.end)
    await studio.until(lambda: "not saved" in studio.screen, "the note")


async def _history(studio: StudioPilot, _: ThirdChapter) -> None:
    await studio.on_chapter(2)
    await studio.look_back()


async def _history_files(studio: StudioPilot, _: ThirdChapter) -> None:
    await studio.ask_for("history.file")
    await studio.sees(Choose)


async def _export_chapters(studio: StudioPilot, _: ThirdChapter) -> None:
    await studio.answer(Choose)
    await studio.sees(Choose, "Which chapters?")


async def _export_place(studio: StudioPilot, _: ThirdChapter) -> None:
    await studio.answer(Choose)
    await studio.sees(AskPath)


async def _settings(studio: StudioPilot, _: ThirdChapter) -> None:
    await studio.on_setting("targets.scene_length")


async def _setting_home(studio: StudioPilot, _: ThirdChapter) -> None:
    await studio.press("enter")
    await studio.sees(Choose)


async def _setting_value(studio: StudioPilot, _: ThirdChapter) -> None:
    await studio.answer(Choose, 0)
    await studio.answer(Ask, "ninety")
    await studio.sees(Ask, "ninety")


async def _palette(studio: StudioPilot, _: ThirdChapter) -> None:
    await studio.ask_for("app.palette")
    await studio.sees(CommandPalette, "Write")


async def _palette_search(studio: StudioPilot, _: ThirdChapter) -> None:
    await studio.type("hist")
    await studio.until(lambda: "History" in studio.screen, "the hit")


# While something runs


def _heard(studio: StudioPilot, *events: Event) -> None:
    """What the engine would say."""
    studio.desk.heard([event.model_copy(update={"chapter": 3}) for event in events])


def _stages(*names: str) -> Iterator[Event]:
    for name in names:
        yield StageEvent.model_validate({"name": name, "status": "started"})
        yield StageEvent.model_validate({"name": name, "status": "finished"})


async def _stream(studio: StudioPilot, third: ThirdChapter) -> None:
    if studio.desk.run_state.running:
        await studio.press("2")
        return
    studio.desk.run_state = begun(3)
    first, second = ("\n\n".join(scene) for scene in third.scenes[:2])
    said = {"stage": "draft", "agent": "scene-drafter"}
    tokens: dict[str, int | None] = {"input": 4210, "output": 1180}
    _heard(
        studio,
        *_stages("lock"),
        StageEvent(name="draft", status="started"),
        SceneEvent(number=1, status="started"),
        Text.model_validate({**said, "scene": 1, "text": first}),
        UsageEvent(call="draft-1", model="claude-opus-5-5", tokens=tokens, cost=0.05),
        SceneEvent(number=1, status="finished"),
        SceneEvent(number=2, status="started"),
        Text.model_validate({**said, "scene": 2, "text": second[: len(second) // 2]}),
    )
    await studio.until(lambda: studio.desk.shown.chapter == 3, "the chapter")
    await studio.press("2")


async def _quit(studio: StudioPilot, third: ThirdChapter) -> None:
    await _stream(studio, third)
    await studio.ask_for("app.quit")
    await studio.sees(Confirm)


async def _surgeon(studio: StudioPilot, third: ThirdChapter) -> None:
    if studio.desk.run_state.running:
        return
    studio.desk.run_state = begun(3)
    written = third.filtered.after[: 3 * len(third.filtered.after) // 4]
    said = {"stage": "review", "agent": "prose-surgeon", "directive": FILTERED}
    _heard(
        studio,
        *_stages("lock", "draft", "summarize", "refine", "judge", "gate"),
        StageEvent(name="review", status="started"),
        RewriteText.model_validate({**said, "text": written}),
    )
    await studio.until(lambda: studio.desk.tab == "diff", "the diff")


# The review


def on(directive: str, *keys: str, kind: type[Screen[Any]] = DeskScreen) -> Bring:
    """The cursor on a directive, then keys."""

    async def bring(studio: StudioPilot, _: ThirdChapter) -> None:
        studio.directives.expanded = False
        await studio.on_directive(directive)
        studio.desk.reveal(studio.directives.selected)
        await studio.press(*keys)
        await studio.sees(kind)

    return bring


async def _reject(studio: StudioPilot, third: ThirdChapter) -> None:
    await on(CUT, "r", kind=Ask)(studio, third)
    await studio.type(third.reason)


def tab(name: str, words: str) -> Bring:
    """A tab of the text pane, read."""

    async def bring(studio: StudioPilot, _: ThirdChapter) -> None:
        await studio.turn_to(name)
        await studio.until(lambda: words in studio.screen, words)

    return bring


async def _kept(studio: StudioPilot, third: ThirdChapter) -> None:
    await tab("variations", "09:30")(studio, third)
    await studio.ask_for("text.compare")
    await studio.sees(KeptScreen)


async def _gate(studio: StudioPilot, third: ThirdChapter) -> None:
    told = {
        "review": "Decide on the directives first, then see.",
        "keep": "It goes on to the commit with this score.",
        "edit": "Change the staged text yourself, then resume.",
    }
    question = Decision(
        id="gate-003",
        kind="gate",
        recommendation="review",
        options=tuple(told),
        rationale="The judge gives 3.2 of 5: two scenes would be drafted again.",
        data={"overall": 3.2, "notes": [third.shown.issue, third.cut.issue], "options": told},
    )
    studio.app.push_screen(DecisionScreen(card_of(question)))
    await studio.sees(DecisionScreen)


# Changes made elsewhere


async def _edited(studio: StudioPilot, _: ThirdChapter) -> None:
    await studio.on_chapter(2)
    await studio.until(lambda: "changed by hand" in studio.screen, "the notice")


async def _hand_edit(studio: StudioPilot, third: ThirdChapter) -> None:
    await _edited(studio, third)
    await studio.ask_for("desk.hand_edit")
    await studio.sees(DecisionScreen)


async def _rebuild(studio: StudioPilot, third: ThirdChapter) -> None:
    await _edited(studio, third)
    await studio.foresee_rebuild()


LAUNCHER = (
    Showing("launcher-first-time", LauncherScreen, _first_time),
    Showing("launcher", LauncherScreen, _known),
    Showing("new-novel-title", Ask, _new_title),
    Showing("new-novel-language", Choose, _new_language, goes_on=True),
    Showing("new-novel-folder", Ask, _new_folder, goes_on=True),
    Showing("import-place", AskPath, _import_place),
    Showing("import", ImportScreen, _import, goes_on=True),
    Showing("import-chapter", PageScreen, _importing("import.read", PageScreen), goes_on=True),
    Showing("import-split", Choose, _importing("import.split", Choose), goes_on=True),
    Showing("import-encoding", Choose, _importing("import.encoding", Choose), goes_on=True),
    Showing(
        "import-files",
        ImportFilesScreen,
        _importing("import.files", ImportFilesScreen),
        goes_on=True,
    ),
    Showing("import-where", AskPath, _importing("import.bring", AskPath), goes_on=True),
    Showing("import-how", Choose, _import_how, goes_on=True),
    Showing("import-leave", Confirm, _import_leave, goes_on=True),
)
REST = (
    Showing("desk", DeskScreen, _desk, everywhere=True),
    Showing("desk-plan", DeskScreen, _plan),
    Showing("desk-direction", DeskScreen, _direction),
    Showing("summary", PageScreen, asking("desk.summary", PageScreen)),
    Showing("evaluation", PageScreen, asking("desk.evaluation", PageScreen)),
    Showing("state", PageScreen, asking("desk.state", PageScreen)),
    Showing("history", HistoryScreen, _history),
    Showing("history-files", Choose, _history_files, goes_on=True),
    Showing("editor", EditorScreen, _editor),
    Showing("export-form", Choose, asking("desk.export", Choose)),
    Showing("export-chapters", Choose, _export_chapters, goes_on=True),
    Showing("export-place", AskPath, _export_place, goes_on=True),
    Showing("settings", SettingsScreen, _settings),
    Showing("setting-home", Choose, _setting_home, goes_on=True),
    Showing("setting-value", Ask, _setting_value, goes_on=True),
    Showing("help", HelpScreen, asking("app.help", HelpScreen)),
    Showing("palette", CommandPalette, _palette),
    Showing("palette-search", CommandPalette, _palette_search, goes_on=True),
    Showing(
        "too-small",
        DeskScreen,
        _desk,
        windows=tuple(Window(*s, t) for s, t in product(((58, 14), (60, 15), (70, 20)), THEMES)),
    ),
)
RUNNING = (
    Showing("desk-stream", DeskScreen, _stream, everywhere=True),
    Showing("quit", Confirm, _quit),
    Showing("log", PageScreen, asking("desk.log", PageScreen, 3)),
)
REVIEW = (
    Showing("review", DeskScreen, on(FILTERED), everywhere=True),
    Showing(
        "review-other-colours",
        DeskScreen,
        on(FILTERED),
        windows=tuple(Window(120, 36, theme) for theme in ("contrast", "dusk", "terminal")),
    ),
    Showing("directive", DeskScreen, on(FILTERED, "enter")),
    Showing("rewrite", DeskScreen, on(SHOWN)),
    Showing("edit-instruction", AskText, on(FILTERED, "e", kind=AskText)),
    Showing("edit-result", AskText, on(FILTERED, "E", kind=AskText)),
    Showing("reject", Ask, _reject),
    Showing("try-again", Ask, on(SHOWN, "t", kind=Ask)),
    Showing("accept-rest", Confirm, on(CUT, "A", kind=Confirm)),
    Showing("desk-diff", DeskScreen, tab("diff", "Diff")),
    Showing("desk-context", DeskScreen, tab("context", "claude-opus-5-5 (deep)")),
    Showing("desk-variations", DeskScreen, tab("variations", "09:30")),
    Showing("kept", KeptScreen, _kept),
    Showing("decision", DecisionScreen, asking("desk.decide", DecisionScreen, 3), everywhere=True),
    Showing("decision-gate", DecisionScreen, _gate),
    Showing("discard", Confirm, asking("desk.discard", Confirm, 3)),
)
SURGERY = (Showing("desk-surgeon", DeskScreen, _surgeon),)
EDITED = (
    Showing("edited", DeskScreen, _edited),
    Showing("hand-edit", DecisionScreen, _hand_edit),
    Showing("rebuild", RebuildScreen, _rebuild),
)
STOPPED = (Showing("interrupted", DeskScreen, asking("desk.look", DeskScreen, 3)),)
SITTINGS = (
    Sitting("launcher", None, (LAUNCHER,)),
    Sitting("rest", at_rest, (REST, RUNNING)),
    Sitting("review", in_review, (REVIEW, SURGERY)),
    Sitting("edited", edited, (EDITED,)),
    Sitting("interrupted", interrupted, (STOPPED,)),
)
TABLE = tuple(row for sitting in SITTINGS for act in sitting.acts for row in act)
NUMBER = dict(
    zip((row.name for row in TABLE), accumulate(not r.goes_on for r in TABLE), strict=True)
)
"""Where a screen stands in the table; those reached in one go stand together."""
