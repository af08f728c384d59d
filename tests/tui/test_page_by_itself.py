"""A page of what is proposed that opens by itself takes no letter before she has gone into one of
its fields; one that she asked for by a key takes them at once."""

from __future__ import annotations

from pathlib import Path
from threading import Event

import pytest
from textual.widgets import TextArea

from studio.tui.desk.screen import DeskScreen
from studio.tui.screens.ask import Choose
from studio.tui.screens.editing.start_page import StartPage
from studio.tui.screens.help import HelpScreen
from tests.fake_messages import Asked, FakeMessages, Rule
from tests.pipeline.flows import Model
from tests.tui.environs import environ_to
from tests.tui.pilot import PATIENCE, StudioPilot, opened
from tests.tui.proposed_books import PEOPLE, new_book

QUESTION = "Who is it about?"
HOW = "go into it first"
PERSON = Rule(value=PEOPLE["en"])


def fields(studio: StudioPilot) -> list[str]:
    """What stands in the fields of the page."""
    return [field.text for field in studio.app.screen.query(TextArea)]


async def takes_letters_once_she_is_in(studio: StudioPilot, key: str) -> None:
    """Letters change nothing; after a key that goes into a field they do."""
    before = fields(studio)
    assert studio.app.focused is None
    assert HOW in studio.screen
    await studio.press("d", "D", "space", "backspace")
    assert fields(studio) == before
    await studio.press(key)
    await studio.until(lambda: studio.app.focused is not None, "a field")
    assert HOW not in studio.screen
    await studio.press("x")
    await studio.until(lambda: fields(studio) != before, "her letter")


@pytest.mark.parametrize("key", ["tab", "down", "enter"])
async def test_a_letter_typed_as_a_page_opens_stands_in_none_of_its_fields(
    tmp_path: Path, key: str
) -> None:  # req: E2 H11
    """Esc closed what she read, the page of a person opened in that moment, and her `d` stood at
    the end of the name."""
    folder, may_answer = new_book(tmp_path / "lamps", "premise", "style", "world"), Event()

    def person(_: Asked) -> Rule:
        may_answer.wait(PATIENCE)
        return PERSON

    with FakeMessages(answering=Model(person=person)) as server:
        async with opened(folder, environ_to(tmp_path, server), (120, 40)) as studio:
            await studio.press("w")
            await studio.until(lambda: len(server.asked) == 1, "the model at work")
            await studio.press("f1")
            await studio.sees(HelpScreen)
            may_answer.set()
            await studio.until(lambda: studio.desk.state.settled, "the end of the run")
            await studio.press("escape")
            await studio.sees(StartPage, QUESTION)
            await takes_letters_once_she_is_in(studio, key)


async def test_the_letter_that_would_open_the_page_stands_in_no_text_after_a_restart(
    tmp_path: Path,
) -> None:  # req: E2 H11
    folder = new_book(tmp_path / "lamps", "premise", "style", "world")
    model = Model(person=PERSON)
    with FakeMessages(answering=model) as server:
        async with opened(folder, environ_to(tmp_path, server), (120, 40)) as studio:
            await studio.press("w")
            await studio.sees(StartPage, QUESTION)
        async with opened(folder, environ_to(tmp_path, server), (120, 40)) as studio:
            await studio.sees(StartPage, QUESTION)
            await takes_letters_once_she_is_in(studio, "tab")
            await studio.press("escape")
            await studio.sees(DeskScreen, QUESTION)
            await studio.press("d")
            await studio.sees(StartPage, QUESTION)
            await studio.until(lambda: studio.app.focused is not None, "the field")
            assert HOW not in studio.screen, "a key of hers asked for this one"
            await studio.press("escape")
            await studio.sees(DeskScreen, QUESTION)
            await studio.press("T")
            await studio.answer(Choose, 0)
            await studio.sees(StartPage, QUESTION)
            await studio.until(lambda: studio.app.focused is not None, "the field")


async def test_a_page_that_opened_by_itself_is_read_on_without_going_into_a_field(
    tmp_path: Path,
) -> None:
    folder = new_book(tmp_path / "lamps", "premise", "style", "world")
    model = Model(person=PERSON)
    with FakeMessages(answering=model) as server:
        async with opened(folder, environ_to(tmp_path, server), (60, 18)) as studio:
            await studio.press("w")
            await studio.sees(StartPage, QUESTION)
            page = studio.app.screen
            assert isinstance(page, StartPage)
            await studio.until(lambda: page.fields.max_scroll_y > 0, "more than a window")
            before = fields(studio)
            await studio.press("pagedown", "d")
            assert page.fields.scroll_offset.y > 0
            assert fields(studio) == before
            await studio.press("pageup")
            assert page.fields.scroll_offset.y == 0
