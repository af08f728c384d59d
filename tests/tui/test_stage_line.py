"""The stage bar says where the chapter stands, at any width, with and without colour."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType

import pytest
from rich.cells import cell_len
from textual.app import App, ComposeResult

from studio.i18n import translate, use
from studio.story.calls import what_is_awaited
from studio.tui.views.run.moment import ChapterSpending, LookUpWords, RunState, Wait
from studio.tui.views.run.stage_line import cents, stage_line
from studio.tui.widgets.stage_bar import StageBar
from tests.tui.gallery import RUN_STATE
from tests.tui.painted import strips_of

AGENTS = Path(__file__).parents[2] / "agents"


def text(state: RunState, width: int, ascii_only: bool = False) -> str:
    return "".join(piece.text for piece in stage_line(state, width, ascii_only))


def test_a_wide_bar_names_every_step_in_a_writers_words_with_its_cost() -> None:  # req: H6
    line = text(RUN_STATE, 120)
    assert line.startswith("✓Writing · ▸Reading it · Your review · In the book")
    assert line.endswith("  this run: 4 cents")


def test_eighty_columns_name_every_step_and_the_money() -> None:
    line = text(RUN_STATE, 80)
    for name in ("Writing", "Reading it", "Your review", "In the book", "4 cents"):
        assert name in line


# req: N7
@pytest.mark.parametrize(
    ("language", "amount"),
    [
        ("en", "  chapter 12: about 42 cents"),
        ("ko", "  12장: 약 $0.42"),
        ("zh", "  第12章：约 $0.42"),
    ],
)
def test_the_amount_says_whose_it_is_in_eighty_columns(language: str, amount: str) -> None:
    """It names its chapter, so that what the last one cost is not taken for the next one's."""
    spending = ChapterSpending(calls=3, cost=0.42, about=True)
    every = ("lock", "draft", "summarize", "refine", "judge", "gate", "review", "commit")
    done = MappingProxyType(dict.fromkeys(every, "finished"))
    use(language)
    assert text(RunState(chapter=12, spending=spending, stages=done), 80).endswith(amount)
    assert text(RunState(chapter=12, stages=done), 80).endswith(" "), "nothing asked, no amount"


def test_the_amount_stays_beside_a_chapter_of_three_digits() -> None:
    spending = ChapterSpending(calls=3, cost=0.42, about=True)
    every = ("lock", "draft", "summarize", "refine", "judge", "gate", "review", "commit")
    done = MappingProxyType(dict.fromkeys(every, "finished"))
    line = text(RunState(chapter=123, spending=spending, stages=done), 80)
    assert line.startswith("✓Writing ✓Reading it ✓Your review ✓In the book")
    assert line.endswith("  chapter 123: about 42 cents")


def test_a_narrow_bar_names_the_present_step() -> None:
    assert text(RUN_STATE, 30).startswith("✓▸Reading it··")
    assert text(RUN_STATE, 14).startswith("Reading it 2/4") or text(RUN_STATE, 14).startswith(
        "✓▸Reading"
    )


def test_a_review_that_waits_is_the_step_to_come() -> None:
    read = dict.fromkeys(("lock", "draft", "summarize", "refine", "judge", "gate"), "finished")
    line = text(RunState(stages=MappingProxyType(read)), 120)
    assert line.startswith("✓Writing · ✓Reading it · Your review · In the book")


LOOKING = RUN_STATE._replace(
    look_up=LookUpWords("searches the manuscript", "a key under the last can of oil")
)


def test_what_is_looked_up_stands_in_the_bar_as_far_as_it_fits() -> None:  # req: C11
    assert text(LOOKING, 120).endswith("  searches the manuscript: a key under the last can of oil")
    assert text(LOOKING, 80).endswith("In the book       searches the manuscript")
    thinking = LOOKING._replace(waiting=12)
    assert text(thinking, 120).endswith("the last can of oil, 12 s")
    assert text(thinking, 80).endswith("  searches the manuscript")
    person = RUN_STATE._replace(look_up=LookUpWords("looks a person up", "Mara"), waiting=3)
    assert text(person, 80).endswith("  looks a person up: Mara, 3 s")
    assert text(person, 30).startswith("✓▸Reading")


@pytest.mark.parametrize(
    ("language", "wide", "narrow"),
    [
        ("en", "plans the volume · 12 s of about 40", "plans the volume · 12 s"),
        ("ko", "권을 계획하는 중 · 약 40초 중 12초", "권을 계획하는 중 · 12초"),
        ("zh", "正在规划本卷 · 约 40 秒，已过 12 秒", "正在规划本卷 · 12 秒"),
    ],
)
def test_the_bar_says_what_is_waited_for_how_long_and_about_how_long(
    language: str, wide: str, narrow: str
) -> None:
    what = what_is_awaited("plot-architect", "gen-001-ab12cd-draft-volume-01-l0-0123456789")
    state = RUN_STATE._replace(waits=Wait(what, 40), waiting=12)
    use(language)
    assert text(state, 120).endswith(f"  {wide}")
    assert text(state, 80).endswith((narrow, wide))


@pytest.mark.parametrize(
    ("language", "wide", "narrow"),
    [
        (
            "en",
            "plans the volume · longer than usual: 70 s of about 40",
            "plans the volume · 70 s",
        ),
        (
            "ko",
            "권을 계획하는 중 · 평소보다 오래 걸림: 70초째(보통 약 40초)",
            "권을 계획하는 중 · 늦어짐: 70초",
        ),
        ("zh", "正在规划本卷 · 比平时久：约 40 秒，已过 70 秒", "正在规划本卷 · 偏久：70 秒"),
    ],
)
def test_a_wait_that_is_past_its_estimate_says_that_it_is_late(
    language: str, wide: str, narrow: str
) -> None:
    what = what_is_awaited("plot-architect", "gen-001-ab12cd-draft-volume-01-l0-0123456789")
    state = RUN_STATE._replace(waits=Wait(what, 40), waiting=70)
    use(language)
    assert text(state, 120).endswith(f"  {wide}")
    assert text(state, 80).endswith((narrow, wide))
    in_time = text(state._replace(waiting=40), 120)
    assert wide.split(" · ")[1][:4] not in in_time


@pytest.mark.parametrize(
    ("language", "wide", "narrow"),
    [
        ("en", "writes the scene · longer than usual: 11 min", "writes the scene · 11 min"),
        ("ko", "장면을 쓰는 중 · 평소보다 오래 걸림: 11분", "장면을 쓰는 중 · 늦어짐: 11분"),
        ("zh", "正在写这一场 · 比平时久：11 分钟", "正在写这一场 · 偏久：11 分钟"),
    ],
)
def test_a_long_wait_says_in_a_small_window_too_what_it_is_for_and_counts_in_minutes(
    language: str, wide: str, narrow: str
) -> None:
    what = what_is_awaited("scene-drafter", "gen-001-ab12cd-draft-s01-l0-0123456789")
    state = RUN_STATE._replace(waits=Wait(what, 300), waiting=672)
    use(language)
    assert text(state, 120).endswith(wide)
    assert text(state, 80).endswith((narrow, wide))
    assert all("672" not in text(state, width) for width in (40, 60, 70, 80))


@pytest.mark.parametrize("language", ["en", "ko", "zh"])
def test_eighty_columns_say_of_every_call_what_it_does(language: str) -> None:
    every = ("lock", "draft", "summarize", "refine", "judge", "gate", "review", "commit")
    use(language)
    for agent in (page.stem for page in AGENTS.glob("*.md")):
        what = what_is_awaited(agent, "gen-001-ab12cd-draft-s01-l0-0123456789")
        state = RunState(chapter=12, stages=MappingProxyType(dict.fromkeys(every, "finished")))
        line = text(state._replace(waits=Wait(what, 40), waiting=65), 80)
        assert translate(what) in line, agent


@pytest.mark.parametrize("width", [1, 5, 11, 20, 40, 60, 80, 120, 200])
@pytest.mark.parametrize(
    "state", [RUN_STATE, RunState(), RunState(running=True), LOOKING, RunState(waiting=3)]
)
def test_the_bar_fills_its_width_exactly(state: RunState, width: int) -> None:
    assert cell_len(text(state, width)) == width


def test_ascii_only_is_ascii() -> None:
    assert text(RUN_STATE, 30, ascii_only=True).startswith("*>Reading it..")
    assert all(text(RUN_STATE, width, ascii_only=True).isascii() for width in (10, 30, 80, 120))


def test_a_failed_stage_and_a_resting_chapter() -> None:
    failed = RunState(stages=MappingProxyType({"lock": "finished", "draft": "failed"}))
    assert "✗Writing" in text(failed, 120)
    assert text(RunState(), 11) == "Writing··· "


def test_money_is_cents_not_tokens() -> None:
    assert [cents(0), cents(0.002), cents(0.0142), cents(0.0421)] == [
        "0 cents",
        "under a cent",
        "1 cent",
        "4 cents",
    ]
    assert [cents(12.5, unpriced=1), cents(0.06, unpriced=2)] == ["$12.50+", "6+ cents"]


class Desk(App[None]):
    """A stage bar and nothing else."""

    def compose(self) -> ComposeResult:
        yield StageBar()


async def test_the_bar_is_one_line_of_the_screen() -> None:
    app = Desk()
    async with app.run_test(size=(80, 5)) as pilot:
        bar = app.query_one(StageBar)
        bar.show(RUN_STATE)
        await pilot.pause()
        assert bar.size.height == 1
        assert "▸Reading it" in strips_of(app.screen)[0].text


def test_a_wait_of_a_few_seconds_is_not_late_however_short_the_one_expected_is() -> None:
    state = RUN_STATE._replace(waits=Wait("works on a passage", 1), waiting=3)
    assert text(state, 120).endswith("  works on a passage · 3 s")
    assert text(state, 80).endswith("  works on a passage · 3 s")
    assert "longer than usual" in text(state._replace(waiting=11), 120)
