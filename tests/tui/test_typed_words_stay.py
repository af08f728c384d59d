"""What she types is hers from the first letter: it stays until she takes it or deletes it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from textual.widgets import Input

from studio.tui.screens.ask import Ask, AskText
from tests.tui.environs import environ_of
from tests.tui.pilot import opened

WISHES = {"en": "Let it rain.", "ko": "빗소리가 먼저 들리게.", "zh": "让雨先下。"}


@pytest.mark.sampled
@pytest.mark.parametrize("language", WISHES)
async def test_a_direction_is_there_after_the_app_was_left_and_stays_until_it_is_deleted(
    language: str, salt: Path, tmp_path: Path
) -> None:
    wish = WISHES[language]
    async with opened(salt, environ_of(tmp_path)) as studio:
        await studio.press("i")
        await studio.type(wish)
        await studio.press("enter")
        await studio.app.leave(0)
    async with opened(salt, environ_of(tmp_path)) as studio:
        await studio.until(lambda: wish in studio.screen, "the direction on the desk")
        await studio.press("i")
        assert studio.desk.query_one("#direction", Input).value == wish
        await studio.press("ctrl+z")
        await studio.until(lambda: wish not in studio.screen, "the direction gone")
        await studio.until(lambda: studio.store.checkpoint().orders == (), "it deleted")


@pytest.mark.sweep
async def test_words_typed_into_the_line_for_a_direction_outlive_a_kill_and_esc(
    salt: Path, tmp_path: Path
) -> None:
    async with opened(salt, environ_of(tmp_path)) as studio:
        await studio.press("i")
        await studio.type("Let it ra")
        await studio.until(lambda: on_disk(tmp_path, "Let it ra"), "the words on the disk")
    async with opened(salt, environ_of(tmp_path)) as studio:  # nobody left the app before
        await studio.settled()
        await studio.press("i")
        line = studio.desk.query_one("#direction", Input)
        await studio.until(lambda: line.value == "Let it ra", "the words")
        await studio.press("escape", "i")
        await studio.until(lambda: line.value == "Let it ra", "the words after Esc")
        await studio.press("i", "n", "enter")
        await studio.until(
            lambda: studio.store.checkpoint().order_for(1).words == "Let it rain",
            "the direction with its chapter",
        )
        await studio.until(lambda: not on_disk(tmp_path, "Let it ra"), "nothing left over")


@pytest.mark.sweep
async def test_words_typed_into_a_card_outlive_a_kill_and_are_gone_once_they_are_taken(
    salt: Path, tmp_path: Path
) -> None:
    async with opened(salt, environ_of(tmp_path)) as studio:
        card = AskText("Say it otherwise", "What should stand there?")
        studio.app.push_screen(card)
        await studio.press(*"Rain")
        await studio.until(lambda: on_disk(tmp_path, "Rain"), "the words on the disk")
    async with opened(salt, environ_of(tmp_path)) as studio:
        answers: list[str | None] = []
        studio.app.push_screen(
            AskText("Say it otherwise", "What should stand there?"), answers.append
        )
        await studio.until(lambda: "Rain" in studio.screen, "the words again")
        await studio.press(*"s.", "ctrl+s")
        assert answers == ["Rains."]
        await studio.until(lambda: not on_disk(tmp_path, "Rain"), "nothing left over")


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("keys", "answer"), [("Rain.", "Rain."), (("right", *" Rain."), "Cut it. Rain.")]
)
async def test_what_is_typed_replaces_words_that_are_only_offered(
    salt: Path, tmp_path: Path, keys: Sequence[str], answer: str
) -> None:
    """Met: an instruction of the judge with her own words glued to its end."""
    async with opened(salt, environ_of(tmp_path)) as studio:
        await studio.settled()
        answers: list[str | None] = []
        card = AskText("Say it otherwise", "What?", "Cut it.", is_offered=True)
        studio.app.push_screen(card, answers.append)
        await studio.sees(AskText, "Cut it.")
        await studio.press(*keys, "ctrl+s")
        assert answers == [answer]


@pytest.mark.sweep
async def test_a_line_typed_into_a_card_is_there_when_the_app_is_left_with_it_open(
    salt: Path, tmp_path: Path
) -> None:
    async with opened(salt, environ_of(tmp_path)) as studio:
        await studio.press("+")
        await studio.sees(Ask)
        await studio.type("Low Tide")
        await studio.app.leave(0)
    async with opened(salt, environ_of(tmp_path)) as studio:
        await studio.press("+")
        await studio.sees(Ask, "Low Tide")


def on_disk(home: Path, words: str) -> bool:
    """Whether words stand in a file of unsaved text."""
    files = [path for path in home.rglob("unsaved/*.json") if path.is_file()]
    return any(words in path.read_text("utf-8") for path in files)


async def test_the_key_that_takes_several_lines_takes_one(salt: Path, tmp_path: Path) -> None:
    answers: list[str | None] = []
    async with opened(salt, environ_of(tmp_path)) as studio:
        studio.app.push_screen(Ask("A question"), answers.append)
        await studio.sees(Ask, "Enter takes it, or Ctrl+S")
        await studio.type("Salt.")
        await studio.press("ctrl+s")
        await studio.until(lambda: answers == ["Salt."], "the answer")
