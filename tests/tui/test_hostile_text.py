"""Escape sequences and markup in titles, directives and errors are shown, never obeyed."""

from __future__ import annotations

from pathlib import Path

from textual.widgets import Static

from studio.errors import Problem
from studio.story.checkpoint import Decision
from studio.tui.screens.ask import Ask
from studio.tui.screens.decision import DecisionScreen
from studio.tui.views.decision_card import card_of
from tests.pipeline.flows import CONTRACT, Model, directive, judged
from tests.project.novels import put
from tests.tui.conftest import OpenDesk
from tests.tui.pilot import StudioPilot, opened

ESC = "\x1b]52;c;aGFja2Vk\x07"
MARKUP = "[/b][@click=app.quit]press[/]"


def shown(studio: StudioPilot) -> str:
    text = studio.screen
    assert not set(text) & set("\x1b\x07\x9b\u202e"), "a control reached the screen"
    return text


async def test_titles_are_shown_literally(tmp_path: Path, desk: OpenDesk) -> None:  # req: S7, S8
    there = desk()
    contract = {**CONTRACT, "title": f"{MARKUP} {ESC}Lamp"}
    put(there.folder, "volumes/vol-01/chapter-contracts/chapter-001.json", contract)
    async with opened(there.folder, there.environ, (160, 40)) as studio:
        text = shown(studio)
        assert "[@click=app.quit]press[/]" in text
        assert "␛]52" in text


async def test_directives_are_shown_literally(desk: OpenDesk) -> None:
    issue = f"{MARKUP} {ESC}"
    there = desk(Model(judge=judged(directives=[directive(1, 1, issue=issue)])))
    async with opened(there.folder, there.environ, (160, 40)) as studio:
        await studio.write_next()
        await studio.decide("keep")
        assert "[/b][@click=app.quit]" in shown(studio)
        assert "␛]52" in shown(studio)


async def test_errors_questions_and_decisions_are_shown_literally(desk: OpenDesk) -> None:
    there = desk()
    async with opened(there.folder, there.environ, notifications=True) as studio:
        studio.app.tell(Problem(f"{MARKUP} {ESC}", MARKUP))
        await studio.until(lambda: "@click" in studio.screen, "the message")
        assert "[@click=app.quit]" in shown(studio)
        studio.app.push_screen(Ask(MARKUP, ESC))
        await studio.pilot.pause()
        assert "[/b]" in shown(studio)
        await studio.press("escape")
        decision = Decision(
            id="d", kind="gate", recommendation=MARKUP, options=(MARKUP,), rationale=ESC
        )
        studio.app.push_screen(DecisionScreen(card_of(decision)))
        await studio.pilot.pause()
        assert "␛]52" in shown(studio)


async def test_a_folder_with_a_hostile_name_is_shown_literally(tmp_path: Path) -> None:
    folder = tmp_path / "[b]x[@click=app.quit]"
    folder.mkdir()
    async with opened(None, {"XDG_STATE_HOME": str(tmp_path), "HOME": str(tmp_path)}) as studio:
        await studio.app.open_folder(folder)
        await studio.pilot.pause()
        assert "[@click=app.quit]" in str(studio.app.screen.query_one("#greeting", Static).visual)
