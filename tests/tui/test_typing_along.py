"""Numbers that follow the typing: the right ones, on one line, never in the way of a key."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

import pytest
from rich.cells import cell_len
from textual.widgets import Static, TextArea

from studio.text.language.packs import load_pack
from studio.text.live import LiveMetrics
from studio.text.metrics.metrics import measure
from studio.tui.screens.editor import EditorScreen
from studio.tui.screens.live_measures import SLICE, TypingAlong
from studio.tui.views.typed_numbers import Typed, numbers_line, typed
from tests.tui.conftest import OpenDesk
from tests.tui.pilot import StudioPilot, opened

PROSE = {
    "ko": "# 등대\n\n비가 왔다고 느꼈다. “일찍 일어났구나.” 그는 문을 닫았다. 바람이 불었다.\n\n",
    "en": "# The Lamp\n\nMara felt cold. “You are up early,” Joss said. She noticed the key.\n\n",
    "zh": "# 灯塔\n\n她觉得很冷。“你起得真早。”他关上了门。风停了，灯还亮着。\n\n",
}
TARGETS = {"filter_word_density": {"max": 5.0}, "sentence_length_cv": {"min": 0.35}}


def live(language: str) -> LiveMetrics:
    return LiveMetrics("", load_pack(language), TARGETS)


def shown(now: Typed, width: int = 160) -> str:
    return "".join(said.text for said in numbers_line(now, width))


async def follows(text: Callable[[], str], language: str = "en") -> tuple[TypingAlong, list[Typed]]:
    told: list[Typed] = []
    return TypingAlong(lambda: live(language), text, told.append), told


async def until(true: Callable[[], object]) -> None:
    async with asyncio.timeout(180):
        while not true():
            await asyncio.sleep(0.005)


@pytest.mark.parametrize("language", PROSE)
async def test_the_numbers_are_those_of_the_text_as_it_stands(language: str) -> None:  # req: P9
    texts = [PROSE[language] * 40]
    along, told = await follows(lambda: texts[-1], language)
    following = asyncio.create_task(along.follow())
    await until(lambda: along.measured == texts[-1])
    texts.append(texts[0].replace(texts[0].split("\n\n")[1], "…", 7))
    along.heed()
    await until(lambda: along.measured == texts[-1])
    following.cancel()
    expected = measure(texts[-1], load_pack(language), TARGETS)
    assert told[-1].metrics
    for name, metric in told[-1].metrics.items():
        assert (metric.value, metric.ok) == (expected[name].value, expected[name].ok)


async def test_edits_that_come_while_it_measures_are_measured_together() -> None:
    texts = [PROSE["en"]]
    along, told = await follows(lambda: texts[-1])
    following = asyncio.create_task(along.follow())
    await until(lambda: told)
    for number in range(50):
        texts.append(f"{PROSE['en']}She counted {number} steps.")
        along.heed()
    await until(lambda: along.measured == texts[-1])
    following.cancel()
    assert len(told) <= 3


async def test_the_loop_goes_on_while_a_long_text_is_read_for_the_first_time() -> None:
    may_go_on, began = threading.Event(), threading.Event()

    def begin() -> LiveMetrics:
        began.set()
        assert may_go_on.wait(180)
        return live("en")

    text = PROSE["en"] * (3 * SLICE // len(PROSE["en"]))
    told: list[Typed] = []
    along = TypingAlong(begin, lambda: text, told.append)
    following = asyncio.create_task(along.follow())
    await until(began.is_set)  # the loop turns although the measuring stands still
    assert not told
    may_go_on.set()
    await until(lambda: along.measured == text)
    following.cancel()
    assert len([now for now in told if now.done < 1]) >= 2
    assert "measuring" in shown(told[0])


@pytest.mark.parametrize("language", PROSE)
@pytest.mark.parametrize("width", [30, 56, 76, 116])
def test_the_line_fits_and_says_the_length_first(language: str, width: int) -> None:
    measured = live(language)
    measured.become(PROSE[language] * 60)
    line = shown(typed(measured), width)
    assert cell_len(line) <= width
    assert line.startswith(f"{measured.length:,} {load_pack(language).unit}")


def test_a_target_says_whether_it_holds() -> None:
    measured = live("en")
    measured.become(PROSE["en"] * 60)
    line = shown(typed(measured))
    assert "(under 5) !" in line
    assert "filter words" in line
    assert "(from 0.35)" in line


async def test_the_editor_tells_the_numbers_and_follows_the_keys(desk: OpenDesk) -> None:
    there = desk()
    async with opened(there.folder, there.environ, (100, 30)) as studio:
        await studio.press("ctrl+e")
        await studio.until(lambda: studio.app.screen.query_one(TextArea).has_focus, "the editor")
        await studio.until(lambda: "0 words" in numbers(studio), "the numbers")
        await studio.press(*"rain fell", "full_stop")
        await studio.until(lambda: "2 words" in numbers(studio), "two words")
        assert "alike endings" in numbers(studio)
        await studio.press("space", *"she felt cold", "full_stop")
        await studio.until(lambda: "5 words" in numbers(studio), "five words")
        assert isinstance(studio.app.screen, EditorScreen)


def numbers(studio: StudioPilot) -> str:
    return str(studio.app.screen.query_one("#editor-numbers", Static).content)


@pytest.mark.parametrize("leave", ["do_editor_close", "put_away"])
async def test_nothing_is_measured_any_more_when_the_editor_is_left(
    desk: OpenDesk, leave: str
) -> None:
    there = desk()
    async with opened(there.folder, there.environ) as studio:
        await studio.press("ctrl+e")
        await studio.sees(EditorScreen)
        editor = studio.app.screen
        await studio.until(lambda: editor.along.measured is not None, "the first numbers")
        (measuring,) = [w for w in studio.app.workers if w.group == "measure"]
        assert not measuring.is_cancelled
        await getattr(editor, leave)()
        assert measuring.is_cancelled
