"""The stage bar says where the chapter stands, at any width, with and without colour."""

from __future__ import annotations

from types import MappingProxyType

import pytest
from rich.cells import cell_len
from textual.app import App, ComposeResult

from studio.tui.views.run.moment import RunState, Spending
from studio.tui.views.run.stage_line import money, stage_line, tokens
from studio.tui.widgets.stage_bar import StageBar

STATE = RunState(
    running=True,
    stage="refine",
    stages=MappingProxyType(
        {"lock": "finished", "draft": "finished", "summarize": "skipped", "refine": "started"}
    ),
    spending=Spending(calls=3, input=12_345, output=850, cost=0.0421),
)


def text(state: RunState, width: int, ascii_only: bool = False) -> str:
    return "".join(piece.text for piece in stage_line(state, width, ascii_only))


def test_a_wide_bar_names_every_stage_with_tokens_and_money() -> None:
    shown = text(STATE, 120)
    assert shown.startswith(
        "✓lock > ✓draft > –summarize > ▸refine > judge > gate > review > commit"
    )
    assert shown.endswith("12.3k in 850 out  $0.042")


def test_eighty_columns_name_every_stage_and_the_money() -> None:
    shown = text(STATE, 80)
    for name in ("lock", "draft", "summarize", "refine", "judge", "gate", "review", "commit"):
        assert name in shown
    assert shown.endswith("$0.042")


def test_a_narrow_bar_names_the_present_stage() -> None:
    assert text(STATE, 30).startswith("✓✓–▸refine····")
    assert text(STATE, 10).startswith("refine 4/8")


@pytest.mark.parametrize("width", [1, 5, 11, 20, 40, 60, 80, 120, 200])
@pytest.mark.parametrize("state", [STATE, RunState(), RunState(running=True)])
def test_the_bar_fills_its_width_exactly(state: RunState, width: int) -> None:
    assert cell_len(text(state, width)) == width


def test_ascii_only_is_ascii() -> None:
    assert text(STATE, 30, ascii_only=True).startswith("**->refine....")
    assert all(text(STATE, width, ascii_only=True).isascii() for width in (10, 30, 80, 120))


def test_a_failed_stage_and_a_resting_chapter() -> None:
    failed = RunState(stages=MappingProxyType({"lock": "finished", "draft": "failed"}))
    assert "✗draft" in text(failed, 120)
    assert text(RunState(), 10) == "lock 1/8  "


def test_numbers_are_short() -> None:
    assert [tokens(n) for n in (850, 12_345, 1_234_567)] == ["850", "12.3k", "1.2M"]
    assert [money(0), money(0.0421), money(12.5, unpriced=1)] == ["$0.00", "$0.042", "$12.50+"]


class Desk(App[None]):
    """A stage bar and nothing else."""

    def compose(self) -> ComposeResult:
        yield StageBar()


async def test_the_bar_is_one_line_of_the_screen() -> None:
    app = Desk()
    async with app.run_test(size=(80, 5)) as pilot:
        bar = app.query_one(StageBar)
        bar.show(STATE)
        await pilot.pause()
        assert bar.size.height == 1
        assert "▸refine" in app.screen._compositor.render_strips()[0].text
