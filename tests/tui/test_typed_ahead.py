"""Keys that come before the page they are for: each lands where the writer means it, once."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path
from threading import Event

import pytest
from textual.events import Key
from textual.keys import _character_to_key
from textual.widgets import Input

from studio.project.create import create_novel
from studio.tui.app import StudioApp
from studio.tui.desk.screen import DeskScreen, Opening
from studio.tui.screens.ask import Ask
from studio.tui.screens.decision import DecisionScreen
from studio.tui.screens.form import FormScreen
from studio.tui.screens.launcher import LauncherScreen
from tests.tui.environs import environ_of
from tests.tui.pilot import PATIENCE, StudioPilot, opened


def type_ahead(app: StudioApp, keys: Iterable[str]) -> None:
    """The keys lie in the app's queue before any of them has done anything."""
    for key in keys:
        name = key if len(key) > 1 else _character_to_key(key)
        app.post_message(Key(name, key if len(key) == 1 else None))


async def form_with_keys(app: StudioApp) -> FormScreen:
    """As soon as one of its fields has the keys; what was typed the last time may still be read."""
    async with asyncio.timeout(PATIENCE):
        while not (isinstance(app.screen, FormScreen) and app.screen.focused):
            await asyncio.sleep(0.01)
    return app.screen


def cards(studio: StudioPilot) -> list[Ask | FormScreen]:
    """What stands over the launcher or the desk."""
    return [screen for screen in studio.app.screen_stack if isinstance(screen, Ask | FormScreen)]


@pytest.mark.sampled
@pytest.mark.parametrize("keys", ["nn", "nis", "sn"])
async def test_one_way_in_at_a_time_is_begun_from_the_launcher(tmp_path: Path, keys: str) -> None:
    async with opened(None, environ_of(tmp_path), (80, 24)) as studio:
        type_ahead(studio.app, keys)
        await studio.until(lambda: cards(studio), "the first question")
        await studio.pilot.pause(0.2)
        assert len(cards(studio)) == 1
        await studio.press("escape")
        await studio.until(lambda: not cards(studio), "the launcher")
        await studio.press("n")
        await studio.until(lambda: cards(studio), "the question, asked anew")


@pytest.mark.sweep
@pytest.mark.parametrize("before", ["", "The gate."])
async def test_what_is_typed_as_a_form_opens_stands_in_its_own_field(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: str
) -> None:
    read = Event()

    def late(_form: object, *, to_look: bool = False) -> dict[str, str]:
        if to_look:  # whether a plan waits, which the desk asks too
            return {}
        read.wait(30)
        return {"happens": before} if before else {}

    monkeypatch.setattr("studio.project.unsaved.UnsavedForm.before", late)
    create_novel(tmp_path / "salt", "Salt", "en")
    async with opened(tmp_path / "salt", environ_of(tmp_path)) as studio:
        type_ahead(studio.app, "p")
        form = await form_with_keys(studio.app)
        type_ahead(studio.app, "mara")
        await asyncio.sleep(0.1)
        read.set()
        await studio.until(lambda: form.values.get("happens") == f"{before}mara", "the words")
        type_ahead(studio.app, "s")
        await studio.until(lambda: form.values.get("happens") == f"{before}maras", "one more")
        assert not form.values["title"]


def opened_late(monkeypatch: pytest.MonkeyPatch) -> Event:
    """The novel is opened when the event is set, as on a slow machine."""
    may_open = Event()
    opens = Opening._open

    def late(opening: Opening) -> None:
        may_open.wait(PATIENCE)
        opens(opening)

    monkeypatch.setattr(Opening, "_open", late)
    return may_open


@pytest.mark.sweep
async def test_what_is_typed_before_the_desk_is_prepared_is_done_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sentence = "Linda says HELP, SO LONG."
    may_open = opened_late(monkeypatch)
    create_novel(tmp_path / "salt", "Salt", "en")
    app = StudioApp(tmp_path / "salt", {}, environ_of(tmp_path))
    async with app.run_test(size=(120, 36)) as pilot:
        desk = app.screen
        assert isinstance(desk, DeskScreen)
        type_ahead(app, ["p", *sentence[:9]])
        await pilot.pause(0.1)
        type_ahead(app, sentence[9:])
        await pilot.pause(0.1)
        assert app.screen is desk
        may_open.set()
        form = await form_with_keys(app)
        studio = StudioPilot(app, pilot)
        await studio.until(lambda: form.values["happens"] == sentence, "the sentence")
        assert len(app.screen_stack) == 2


@pytest.mark.sweep
async def test_what_is_typed_at_once_after_a_key_goes_to_the_form_it_opens(tmp_path: Path) -> None:
    create_novel(tmp_path / "salt", "Salt", "en")
    async with opened(tmp_path / "salt", environ_of(tmp_path)) as studio:
        type_ahead(studio.app, "pLASHED gate")
        form = await form_with_keys(studio.app)
        await studio.until(lambda: form.values["happens"] == "LASHED gate", "the words")
        assert len(studio.app.screen_stack) == 2


async def test_esc_leaves_a_novel_that_is_not_open_yet_and_takes_what_waits_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_open = opened_late(monkeypatch)
    create_novel(tmp_path / "salt", "Salt", "en")
    app = StudioApp(tmp_path / "salt", {}, environ_of(tmp_path))
    try:
        async with app.run_test(size=(120, 36)) as pilot:
            studio = StudioPilot(app, pilot)
            type_ahead(app, ["p", "n", "escape"])
            await studio.sees(LauncherScreen)
            may_open.set()
            await studio.press("n")
            await studio.until(lambda: len(cards(studio)) == 1, "the question, asked once")
    finally:
        may_open.set()


@pytest.mark.sweep
@pytest.mark.repairs("W20")
async def test_keys_typed_behind_enter_do_not_land_in_the_direction(tmp_path: Path) -> None:
    create_novel(tmp_path / "salt", "Salt", "en")
    async with opened(tmp_path / "salt", environ_of(tmp_path)) as studio:
        await studio.press("i")
        type_ahead(studio.app, [*"slower", "enter", "w"])
        await studio.until(lambda: studio.desk.state.direction, "the direction")
        assert studio.desk.state.direction == "slower"
        assert not studio.desk.state.run.running


@pytest.mark.sweep
async def test_keys_typed_behind_enter_do_not_land_in_the_answer_of_a_card(tmp_path: Path) -> None:
    create_novel(tmp_path / "salt", "Salt", "en")
    async with opened(tmp_path / "salt", environ_of(tmp_path)) as studio:
        answers: list[str | None] = []
        studio.app.push_screen(Ask("What is it called?"), answers.append)
        await studio.until(lambda: isinstance(studio.app.focused, Input), "the line")
        type_ahead(studio.app, [*"Tide", "enter", *"u+"])
        await studio.until(lambda: answers, "the answer")
        assert answers == ["Tide"]


@pytest.mark.sweep
async def test_text_behind_the_key_that_opens_its_line_is_in_it_and_enter_is_not_taken(
    tmp_path: Path,
) -> None:  # req: K1
    create_novel(tmp_path / "salt", "Salt", "en")
    async with opened(tmp_path / "salt", environ_of(tmp_path)) as studio:
        type_ahead(studio.app, [*"islower", "enter"])
        await studio.until(lambda: isinstance(studio.app.focused, Input), "the line")
        line = studio.desk.query_one("#direction", Input)
        await studio.until(lambda: line.value == "slower", "the words")
        await studio.pilot.pause()
        assert line.display
        await studio.press("enter")
        await studio.until(lambda: studio.desk.state.direction == "slower", "the direction")


# req: E2 H1
@pytest.mark.sweep
async def test_what_is_typed_while_the_first_question_comes_does_nothing_at_the_desk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from studio.pipeline.beginning.steps import open_beginning
    from studio.tui.desk.parts.decisions import Decisions

    late: list[Decisions] = []
    lead_on = Decisions.lead_on
    monkeypatch.setattr(Decisions, "lead_on", lambda decisions: late.append(decisions))
    create_novel(tmp_path / "salt", "Salt", "en")
    open_beginning(tmp_path / "salt")
    async with opened(tmp_path / "salt", environ_of(tmp_path)) as studio:
        await studio.until(lambda: late, "the desk")
        type_ahead(studio.app, "pni")
        await studio.pilot.pause(0.2)
        assert studio.app.screen is studio.desk
        assert not studio.desk.features.direction.is_open
        lead_on(late[0])
        await studio.sees(DecisionScreen, "What is the book?")
        await studio.press("escape")
        await studio.sees(DeskScreen)
        await studio.press("p")
        await studio.sees(FormScreen)


# req: E2 H1
@pytest.mark.sweep
async def test_who_does_not_wait_for_the_first_question_leads_out_to_the_desk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from studio.pipeline.beginning.steps import open_beginning
    from studio.tui.desk.parts.decisions import Decisions

    monkeypatch.setattr(Decisions, "lead_on", lambda _: None)
    create_novel(tmp_path / "salt", "Salt", "en")
    open_beginning(tmp_path / "salt")
    async with opened(tmp_path / "salt", environ_of(tmp_path)) as studio:
        await studio.until(lambda: studio.desk.is_prepared, "the desk")
        await studio.press("escape", "p")
        await studio.sees(FormScreen)
