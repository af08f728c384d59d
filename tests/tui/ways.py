"""The way to each screen from the desk or from the launcher."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

from textual.screen import Screen
from textual.widgets import Input, OptionList, TextArea

from studio.config.recent import RecentNovels
from studio.i18n import _
from studio.messages import said
from studio.pipeline.events import Event, RewriteText, SceneEvent, StageEvent, Text, UsageEvent
from studio.story.checkpoint import Decision
from studio.tui.actions import BY_ID
from studio.tui.desk.screen import DeskScreen
from studio.tui.palette import ActionPalette
from studio.tui.screens.ask import Ask, AskPath, Choose, Confirm, NotThis
from studio.tui.screens.decision import DecisionScreen
from studio.tui.screens.editing.start_page import StartPage
from studio.tui.screens.editor import EditorScreen
from studio.tui.screens.find import FindScreen, ReplacementScreen
from studio.tui.screens.form import FormScreen
from studio.tui.screens.importing import ImportScreen
from studio.tui.screens.launcher import LauncherScreen
from studio.tui.views.review.decision_card import card_of
from studio.tui.views.run.moment import begin_run
from studio.tui.widgets.outline_list import OutlineList
from tests.tui.painted import strips_of
from tests.tui.pilot import StudioPilot
from tests.tui.third_chapters import ThirdChapter
from tests.tui.three_novels import (
    CUT,
    FILTERED,
)

Bring = Callable[[StudioPilot, ThirdChapter], Awaitable[Any]]
"""Goes from the desk or the launcher to a screen."""


# The launcher.


async def first_time(studio: StudioPilot, _: ThirdChapter) -> None:
    studio.app.memory = RecentNovels()
    await studio.app.open_folder(None)
    await studio.until(lambda: "claude" in studio.screen, "the model")


async def known(studio: StudioPilot, _: ThirdChapter) -> None:
    memory = RecentNovels()
    for name, title in (("returns", "The Returns Book"), ("inju", "인주가 마르기 전에")):
        memory = memory.with_novel(Path(f"/home/mara/{name}"), title, "en")
    studio.app.memory = memory.with_novel(Path("/home/mara/dang"), "当字", "zh")
    await studio.app.open_folder(None)
    await studio.until(lambda: "claude" in studio.screen, "the model")


async def new_title(studio: StudioPilot, third: ThirdChapter) -> None:
    await studio.ask_for("launcher.new")
    await studio.sees(Ask)
    await studio.type(third.title)


async def new_language(studio: StudioPilot, _: ThirdChapter) -> None:
    await studio.answer(Ask)
    await studio.sees(Choose)


async def new_form(studio: StudioPilot, _: ThirdChapter) -> None:
    await studio.answer(Choose)
    await studio.sees(Choose)


async def new_folder(studio: StudioPilot, _: ThirdChapter) -> None:
    await studio.answer(Choose)
    await studio.sees(Ask)


async def import_place(studio: StudioPilot, _: ThirdChapter) -> None:
    await studio.ask_for("launcher.import")
    await studio.sees(AskPath)
    await studio.type("writing/")
    await studio.until(lambda: "manuscript.txt" in studio.screen, "the matches")


async def import_page(studio: StudioPilot, _: ThirdChapter) -> None:
    if type(studio.app.screen) is LauncherScreen:
        await studio.ask_for("launcher.import")
    await studio.answer(AskPath, "writing/manuscript.txt")
    rows = studio.app.screen.query_one("#import-rows", OptionList)
    await studio.until(lambda: rows.option_count, "the rows")
    await studio.press("down")


def importing(action: str, kind: type[Screen[Any]]) -> Bring:
    async def bring(studio: StudioPilot, _: ThirdChapter) -> None:
        await at_import(studio)
        await studio.ask_for(action)
        await studio.sees(kind)

    return bring


async def at_import(studio: StudioPilot) -> None:
    if type(studio.app.screen) is not ImportScreen:
        await studio.press("escape")
    await studio.sees(ImportScreen)


async def import_how(studio: StudioPilot, _: ThirdChapter) -> None:
    await studio.answer(AskPath)
    await studio.answer(Ask)
    await studio.answer(Choose)
    await studio.sees(Choose)


async def import_leave(studio: StudioPilot, _: ThirdChapter) -> None:
    await at_import(studio)
    await studio.ask_for("import.drop")
    await studio.until(lambda: "left out" in studio.screen, "the row left out")
    await studio.press("escape")
    await studio.sees(Confirm)


# The desk.


def asking(action: str, kind: type[Screen[Any]], chapter: int = 2) -> Bring:
    """Returns a way that selects a chapter and performs an action of the desk."""

    async def bring(studio: StudioPilot, _: ThirdChapter) -> None:
        await studio.on_chapter(chapter)
        await studio.ask_for(action)
        await studio.sees(kind)

    return bring


async def desk(studio: StudioPilot, _: ThirdChapter) -> None:
    await studio.on_chapter(2)
    studio.desk.go_to_tab("draft")


async def plan_form(studio: StudioPilot, _: ThirdChapter) -> None:
    await studio.press("1")
    rows = studio.desk.query_one(OutlineList)
    rows.go_to(studio.desk.state.book.next_chapter if studio.desk.state.book else 1)
    await studio.desk.show_chapter(rows.place.chapter if rows.place else 1)
    await studio.ask_for("desk.plan")
    await studio.sees(FormScreen)


async def proposed_page(studio: StudioPilot, _: ThirdChapter) -> None:
    await studio.ask_for("desk.decide")
    await studio.sees(StartPage)


async def volume_order(studio: StudioPilot, _: ThirdChapter) -> None:
    await studio.ask_for("desk.volume_plan")
    await studio.sees(FormScreen)


async def note_list(studio: StudioPilot, _: ThirdChapter) -> None:
    await studio.press("1", "end", "up", "up", "up", "up", "up", "enter")
    await studio.sees(Choose)


async def note_form(studio: StudioPilot, _: ThirdChapter) -> None:
    await studio.press("enter")
    await studio.sees(FormScreen)


async def plan(studio: StudioPilot, _: ThirdChapter) -> None:
    await studio.on_chapter(3)
    await studio.turn_to("plan")


async def direction(studio: StudioPilot, third: ThirdChapter) -> None:
    await studio.on_chapter(3)
    await studio.ask_for("desk.direction")
    studio.desk.query_one("#direction", Input).value = third.direction


async def editor(studio: StudioPilot, third: ThirdChapter) -> None:
    await studio.on_chapter(3)
    await studio.ask_for("desk.edit")
    await studio.sees(EditorScreen)
    page = studio.app.screen.query_one(TextArea)
    await studio.until(lambda: page.has_focus, "the editor")
    page.load_text(third.text)
    page.move_cursor(page.document.end)
    await studio.until(lambda: "not saved" in studio.screen, "the note")
    await studio.until(lambda: "+0" not in studio.screen, "what was typed to be counted")


async def history(studio: StudioPilot, _: ThirdChapter) -> None:
    await studio.on_chapter(2)
    await studio.look_back()


async def history_files(studio: StudioPilot, _: ThirdChapter) -> None:
    await studio.ask_for("history.file")
    await studio.sees(Choose)


async def export_chapters(studio: StudioPilot, _: ThirdChapter) -> None:
    await studio.answer(Choose)
    await studio.sees(Choose, "Which chapters?")


async def export_place(studio: StudioPilot, _: ThirdChapter) -> None:
    await studio.answer(Choose)
    await studio.sees(AskPath)


async def settings(studio: StudioPilot, _: ThirdChapter) -> None:
    await studio.on_setting("targets.scene_length")


async def setting_home(studio: StudioPilot, _: ThirdChapter) -> None:
    await studio.press("enter")
    await studio.sees(Choose)


async def setting_value(studio: StudioPilot, _: ThirdChapter) -> None:
    await studio.answer(Choose, 0)
    await studio.answer(Ask, "ninety")
    await studio.sees(Ask, "ninety")


async def find(studio: StudioPilot, _: ThirdChapter) -> None:
    await studio.ask_for("desk.find")
    await studio.sees(FindScreen)
    title = studio.outline_titles[0]
    await studio.type(title[:2])
    page = studio.app.screen
    assert isinstance(page, FindScreen)
    await studio.until(lambda: page.findings is not None and page.findings.hits, "the places")


async def replacement(studio: StudioPilot, _: ThirdChapter) -> None:
    await studio.press("ctrl+r")
    await studio.answer(Ask, "—")
    await studio.sees(ReplacementScreen)


async def palette(studio: StudioPilot, _: ThirdChapter) -> None:
    await studio.ask_for("app.palette")
    await studio.sees(ActionPalette, "Write")


async def palette_search(studio: StudioPilot, _third: ThirdChapter) -> None:
    title = _(BY_ID["desk.history"].title)
    await studio.type(title[:4].lower())
    await studio.until(lambda: title in studio.screen, "the hit")


# While something runs.


def heard(studio: StudioPilot, *events: Event) -> None:
    """Feeds events to the desk as if they came from the engine."""
    studio.desk.features.run.follow([event.model_copy(update={"chapter": 3}) for event in events])


def stages(*names: str) -> Iterator[Event]:
    for name in names:
        yield StageEvent.model_validate({"name": name, "status": "started"})
        yield StageEvent.model_validate({"name": name, "status": "finished"})


async def stream(studio: StudioPilot, third: ThirdChapter) -> None:
    if studio.desk.state.run.running:
        await studio.press("2")
        return
    studio.desk.state.run = begin_run(3)
    first, second = ("\n\n".join(scene) for scene in third.scenes[:2])
    said = {"stage": "draft", "agent": "scene-drafter"}
    tokens: dict[str, int | None] = {"input": 4210, "output": 1180}
    heard(
        studio,
        *stages("lock"),
        StageEvent(name="draft", status="started"),
        SceneEvent(number=1, status="started"),
        Text.model_validate({**said, "scene": 1, "text": first}),
        UsageEvent(call="draft-1", model="claude-opus-5-5", tokens=tokens, cost=0.05),
        SceneEvent(number=1, status="finished"),
        SceneEvent(number=2, status="started"),
        Text.model_validate({**said, "scene": 2, "text": second[: len(second) // 2]}),
    )
    await studio.until(lambda: _shown_chapter(studio) == 3, "the chapter")
    await studio.press("2")


def _shown_chapter(studio: StudioPilot) -> int | None:
    return studio.desk.state.current.chapter if studio.desk.state.current else None


async def leaving(studio: StudioPilot, third: ThirdChapter) -> None:
    await stream(studio, third)
    await studio.ask_for("app.quit")
    await studio.sees(Confirm)


async def surgeon(studio: StudioPilot, third: ThirdChapter) -> None:
    if studio.desk.state.run.running:
        return
    studio.desk.state.run = begin_run(3)
    written = third.filtered.after[: 3 * len(third.filtered.after) // 4]
    said = {"stage": "review", "agent": "prose-surgeon", "directive": FILTERED}
    heard(
        studio,
        *stages("lock", "draft", "summarize", "refine", "judge", "gate"),
        StageEvent(name="review", status="started"),
        RewriteText.model_validate({**said, "text": written}),
    )
    await studio.until(lambda: studio.desk.panes.tab == "diff", "the diff")
    # The hints are drawn once what the stages left is read.
    await studio.until(lambda: "Esc" in _hints(studio), "the way out")


def _hints(studio: StudioPilot) -> str:
    """The last row as drawn: a reader of screens may say more below it."""
    return "".join(segment.text for segment in strips_of(studio.app.screen)[-1]).strip()


# The review.


def on(directive: str, *keys: str, kind: type[Screen[Any]] = DeskScreen) -> Bring:
    """Returns a way that moves the cursor to a directive and presses keys."""

    async def bring(studio: StudioPilot, _: ThirdChapter) -> None:
        studio.directives.expanded = False
        await studio.on_directive(directive)
        studio.desk.painter.reveal()
        await studio.press(*keys)
        await studio.sees(kind)

    return bring


async def unplaced(studio: StudioPilot, _: ThirdChapter) -> None:
    await studio.press("3")
    while studio.directives.unplaced_under_cursor is None:
        await studio.press("j")


async def unplaced_where(studio: StudioPilot, _: ThirdChapter) -> None:
    await studio.press("enter")
    await studio.sees(Ask)


async def reject(studio: StudioPilot, third: ThirdChapter) -> None:
    await on(CUT, "r", kind=NotThis)(studio, third)
    await studio.type(third.reason)


def tab(name: str, words: str) -> Bring:
    """Returns a way that turns to a tab of the text pane and waits for its text."""

    async def bring(studio: StudioPilot, _: ThirdChapter) -> None:
        await studio.turn_to(name)
        await studio.until(lambda: words in studio.screen, words)

    return bring


async def gate(studio: StudioPilot, third: ThirdChapter) -> None:
    options = {
        "review": said("Go on to the review with the text as it is."),
        "keep": said("{parts}.", parts=said("Take the chapter into the book as it stands")),
        "edit": said("Change the text yourself, then resume."),
    }
    question = Decision(
        id="gate-003",
        kind="gate",
        recommendation="review",
        options=tuple(options),
        rationale=said(
            "Some of it could be told better: {reasons}.",
            reasons=said("overall {overall}", overall="3.20"),
        ),
        data={"overall": 3.2, "notes": [third.fix.issue, third.cut.issue], "options": options},
    )
    studio.app.push_screen(DecisionScreen(card_of(question)))
    await studio.sees(DecisionScreen)


# Changes made elsewhere.


async def changed_elsewhere(studio: StudioPilot, _: ThirdChapter) -> None:
    await studio.on_chapter(2)
    await studio.until(lambda: "changed by hand" in studio.screen, "the notice")


async def hand_edit(studio: StudioPilot, third: ThirdChapter) -> None:
    await changed_elsewhere(studio, third)
    await studio.ask_for("desk.hand_edit")
    await studio.sees(DecisionScreen)


async def rebuild(studio: StudioPilot, third: ThirdChapter) -> None:
    await changed_elsewhere(studio, third)
    await studio.foresee_rebuild()


async def on_desk(studio: StudioPilot) -> None:
    """Waits until the novel chosen in the launcher is open on the desk."""
    await studio.until(lambda: isinstance(studio.app.screen, DeskScreen), "the desk")
    await studio.settled()
