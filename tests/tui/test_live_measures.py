"""Numbers that follow the typing: the right ones, on one line, never in the way of a key."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest
from rich.cells import cell_len
from textual.widgets import Static, TextArea

from studio.session import Session
from studio.text.language.packs import load_pack
from studio.text.metrics import measure as metrics
from studio.text.metrics.measure import Yardstick, in_force, measure
from studio.text.prose.parse import read_paragraph
from studio.tui.screens.editing.live_figures import DayTally, LiveMeasures
from studio.tui.screens.editor import EditorScreen
from studio.tui.views import typed_numbers
from studio.tui.views.typed_numbers import TextNumbers, numbers_line, numbers_of
from tests.tui.conftest import OpenDesk
from tests.tui.pilot import StudioPilot, opened

PROSE = {
    "ko": "# 등대\n\n비가 왔다고 느꼈다. “일찍 일어났구나.” 그는 문을 닫았다. 바람이 불었다.\n\n",
    "en": "# The Lamp\n\nMara felt cold. “You are up early,” Joss said. She noticed the key.\n\n",
    "zh": "# 灯塔\n\n她觉得很冷。“你起得真早。”他关上了门。风停了，灯还亮着。\n\n",
}
TARGETS = {"filter_word_density": {"max": 5.0}, "sentence_length_cv": {"min": 0.35}}


def yardstick(language: str) -> Yardstick:
    pack = load_pack(language)
    return Yardstick(pack, in_force(pack, TARGETS))


def line_of(numbers: TextNumbers, width: int = 160) -> str:
    return "".join(said.text for said in numbers_line(numbers, width))


def at_once(done: Callable[[], None]) -> None:
    """Everything is on the screen already."""
    done()


async def until(true: Callable[[], object]) -> None:
    async with asyncio.timeout(180):
        while not true():
            await asyncio.sleep(0.005)


@pytest.mark.parametrize("language", PROSE)
async def test_the_numbers_are_those_of_the_text_as_it_stands(language: str) -> None:  # req: P9
    texts, readings = [PROSE[language] * 40], list[TextNumbers]()
    measures = LiveMeasures(
        lambda: yardstick(language), lambda: texts[-1], readings.append, at_once
    )
    following = asyncio.create_task(measures.follow())
    await until(lambda: measures.measured_text == texts[-1])
    texts.append(texts[0].replace(texts[0].split("\n\n")[1], "…", 7))
    measures.text_changed()
    await until(lambda: measures.measured_text == texts[-1])
    following.cancel()
    expected = measure(texts[-1], load_pack(language), TARGETS)
    assert readings[-1].metrics
    for name, metric in readings[-1].metrics.items():
        assert (metric.value, metric.ok) == (expected[name].value, expected[name].ok)


async def test_edits_without_a_pause_are_measured_together() -> None:
    texts, readings = [PROSE["en"]], list[TextNumbers]()
    measures = LiveMeasures(lambda: yardstick("en"), lambda: texts[-1], readings.append, at_once)
    following = asyncio.create_task(measures.follow())
    await until(lambda: readings)
    for number in range(50):
        texts.append(f"{PROSE['en']}She counted {number} steps.")
        measures.text_changed()
    await until(lambda: measures.measured_text == texts[-1])
    following.cancel()
    assert len(readings) == 2


async def test_measuring_waits_for_the_paint_and_for_nothing_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # req: P9
    texts, readings, paints = [PROSE["en"]], list[TextNumbers](), list[Callable[[], None]]()
    read_texts: list[str] = []

    def noted(text: str, by: Yardstick, unit: object = None) -> TextNumbers:
        read_texts.append(text)
        return numbers_of(text, by)

    async def never(seconds: float) -> None:
        raise AssertionError("measuring sleeps")

    monkeypatch.setattr("studio.tui.screens.editing.live_figures.numbers_of", noted)
    monkeypatch.setattr("studio.tui.screens.editing.live_figures.LONGEST", 600)
    monkeypatch.setattr("studio.tui.screens.editing.live_figures.asyncio.sleep", never)
    measures = LiveMeasures(
        lambda: yardstick("en"), lambda: texts[-1], readings.append, paints.append
    )
    following = asyncio.create_task(measures.follow())
    turns = asyncio.get_running_loop()

    async def turn_until(true: Callable[[], object]) -> None:
        while not true():
            await turns.run_in_executor(None, threading.Event().wait, 0.002)

    await turn_until(lambda: paints)
    assert not read_texts
    texts.append(PROSE["en"] * 2)  # a further key before the paint
    measures.text_changed()
    paints.pop()()
    await turn_until(lambda: readings)
    following.cancel()
    assert read_texts == [PROSE["en"] * 2]


@pytest.mark.parametrize("language", PROSE)
def test_a_key_has_its_paragraph_read_and_the_shown_metrics_counted(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:  # req: P9
    by, text = yardstick(language), PROSE[language] + _paragraphs(language, 60)
    on_screen = numbers_of(text, by).metrics
    counted: list[str] = []
    for name, count in metrics._COUNTERS.items():
        monkeypatch.setitem(metrics._COUNTERS, name, _noted(counted, name, count))
    before = read_paragraph.cache_info().misses
    again = numbers_of(f"{text}x", by).metrics
    assert read_paragraph.cache_info().misses == before + 1
    assert counted == [*typed_numbers._METRICS]
    assert [*again] == [*on_screen]


def _paragraphs(language: str, many: int) -> str:
    """So many, each another."""
    last = PROSE[language].strip().rpartition("\n\n")[2]
    return "\n\n".join(f"{number} {last}" for number in range(many))


def _noted(counted: list[str], name: str, count: Callable[..., Any]) -> Callable[..., Any]:
    def noted(case: object) -> Any:
        counted.append(name)
        return count(case)

    return noted


async def test_numbers_of_a_text_that_changed_meanwhile_are_not_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    texts, readings = [PROSE["en"]], list[TextNumbers]()
    may_go_on, measured_texts = threading.Event(), list[str]()

    def slow(text: str, by: Yardstick, unit: object = None) -> TextNumbers:
        measured_texts.append(text)
        assert may_go_on.wait(180)
        return numbers_of(text, by)

    monkeypatch.setattr("studio.tui.screens.editing.live_figures.numbers_of", slow)
    measures = LiveMeasures(lambda: yardstick("en"), lambda: texts[-1], readings.append, at_once)
    following = asyncio.create_task(measures.follow())
    await until(lambda: measured_texts)  # the loop turns although the measuring stands still
    texts.append(PROSE["en"] * 2)
    measures.text_changed()
    may_go_on.set()
    await until(lambda: readings)
    following.cancel()
    assert measured_texts == texts
    assert readings == [numbers_of(texts[-1], yardstick("en"))]


@pytest.mark.parametrize("language", PROSE)
@pytest.mark.parametrize("width", [30, 56, 76, 116])
def test_the_line_fits_and_says_the_length_first(language: str, width: int) -> None:
    numbers = numbers_of(PROSE[language] * 60, yardstick(language))
    line = line_of(numbers, width)
    assert cell_len(line) <= width
    assert line.startswith(f"{numbers.length:,} {load_pack(language).unit}")


def test_a_target_says_whether_it_holds() -> None:
    line = line_of(numbers_of(PROSE["en"] * 60, yardstick("en")))
    assert "(from 0.35) !" in line
    assert "filter words" not in line


async def test_the_editor_tells_the_numbers_and_follows_the_keys(desk: OpenDesk) -> None:
    there = desk()
    async with opened(there.folder, there.environ, (100, 30)) as studio:
        await studio.press("ctrl+e")
        await studio.until(lambda: studio.app.screen.query_one(TextArea).has_focus, "the editor")
        await studio.until(lambda: "0 of 240 words" in numbers(studio), "the numbers")
        await studio.press(*"rain fell", "full_stop")
        await studio.until(lambda: "2 of 240 words" in numbers(studio), "two words")
        assert "alike endings" not in numbers(studio), "what most chapters have is silent"
        await studio.press("space", *"she felt cold", "full_stop")
        await studio.until(lambda: "5 of 240 words" in numbers(studio), "five words")
        assert isinstance(studio.app.screen, EditorScreen)


def numbers(studio: StudioPilot) -> str:
    return str(studio.app.screen.query_one("#editor-numbers", Static).content)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("leave", ["close", "put_away"])
async def test_nothing_is_measured_any_more_when_the_editor_is_left(
    desk: OpenDesk, leave: str
) -> None:
    there = desk()
    async with opened(there.folder, there.environ) as studio:
        await studio.press("ctrl+e")
        await studio.sees(EditorScreen)
        editor = studio.app.screen
        await studio.until(lambda: editor.measures.measured_text is not None, "the first numbers")
        (measuring,) = [w for w in studio.app.workers if w.group == "measure"]
        assert not measuring.is_cancelled
        await getattr(editor, leave)()
        assert measuring.is_cancelled


@pytest.mark.parametrize("is_counted", [False, True], ids=["after a kill", "left by Esc"])
async def test_the_day_counts_from_the_chapter_on_the_disk_and_each_word_once(
    desk: OpenDesk, is_counted: bool
) -> None:
    there = desk()
    session = Session.open(there.folder, there.environ)
    on_disk, typed = "# The Lamp\n\n", "# The Lamp\n\nThe rain had stopped.\n"
    if is_counted:
        earlier = DayTally(session, 1, None)
        await earlier.begin(on_disk, on_disk)
        assert earlier.goal(4).today == 4
        await earlier.keep()
    tally = DayTally(session, 1, None)
    await tally.begin(on_disk, typed)
    assert tally.goal(4).today == 4
    assert tally.goal(6).today == 6, "words typed before the first numbers too"
