"""A plan that was proposed and paid for, and neither taken nor put aside, waits for its author."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from studio.config.paths import state_dir
from studio.tui.screens.ask import Ask
from studio.tui.screens.editing.plan_proposal import PlanProposal
from studio.tui.screens.form import FormScreen
from studio.tui.screens.launcher import standing_of
from tests.cli.conftest import Typed
from tests.cli.conftest import typed as typed
from tests.fake_messages import FakeMessages, Rule
from tests.flows.plans_for_her import (
    ANSWER,
    OTHER,
    Asks,
    answering,
    planning,
    to_its_plan,
    to_its_proposal,
)
from tests.flows.plans_for_her import asks as asks
from tests.flows.plans_for_her import book as book
from tests.pipeline.flows import Model, block
from tests.tui.terminals import Terminal


@pytest.mark.pty
def test_after_a_kill_the_plan_on_the_page_is_shown_again_and_not_paid_for_twice(
    book: Path, tmp_path: Path
) -> None:
    """Met: F9 wanted two cents again for what a killed app had shown."""
    with FakeMessages(answering=Model(plan=Rule(value=ANSWER))) as server:
        environ = {
            "ANTHROPIC_BASE_URL": server.url,
            "ANTHROPIC_API_KEY": "key-of-the-writer",
            "XDG_STATE_HOME": str(tmp_path / "state"),
            "XDG_CONFIG_HOME": str(tmp_path / "config"),
        }
        killed = Terminal(["-m", "studio", str(book)], environ, size=(120, 36))
        killed.sees("What happens")
        killed.types("p")
        killed.sees("F9")
        killed.types("\x1b[20~")
        killed.sees("Plan chapter 1 for me")
        killed.types("\r")
        killed.sees("+ Mara counts the cans.")
        os.kill(killed.child.pid, signal.SIGKILL)
        killed.child.wait()
        again = Terminal(["-m", "studio", str(book)], environ, size=(120, 36))
        again.sees("A proposed plan waits: p F9")
        assert "plans it: one sentence" not in again.shown, "it has one, which waits"
        again.types("p")
        again.sees("A proposed plan waits: F9 shows it")
        again.types("\x1b[20~")
        again.sees("+ Mara counts the cans.")
        assert len(server.asked) == 1
        os.kill(again.child.pid, signal.SIGKILL)
        again.child.wait()


async def test_the_command_line_and_the_start_list_say_that_it_waits(
    book: Path, typed: Typed
) -> None:
    async with planning(book, Model(plan=Rule(value=ANSWER))) as (_, studio):
        await to_its_proposal(studio)
    assert standing_of(book, state_dir(os.environ)).plan == 1
    sentences = typed("status", "--project", book).err
    assert "A proposed plan of chapter 1 waits; p and F9 in the app show it" in sentences


async def test_left_for_later_it_waits_until_it_is_put_aside(book: Path) -> None:
    async with planning(book, Model(plan=Rule(value=ANSWER))) as (server, studio):
        await to_its_proposal(studio)
        await studio.press("escape")
        await studio.sees(FormScreen)
        await studio.press("escape")
        await studio.until(lambda: "A proposed plan waits: p F9" in studio.screen, "it on the desk")
        await studio.press("p")
        await studio.sees(FormScreen)
        await studio.press("f9")
        await studio.sees(PlanProposal, "+ Mara counts the cans.")
        assert "it waited here; nothing was asked" in studio.screen
        assert len(server.asked) == 1
        await studio.press("x")
        await studio.sees(FormScreen)
        await studio.press("f9")
        await studio.sees(Ask, "Plan chapter 1 for me")


@pytest.mark.sweep
async def test_taken_it_waits_no_more_and_stands_in_the_form_after_a_kill(book: Path) -> None:
    async with planning(book, Model(plan=Rule(value=ANSWER))) as (_, studio):
        await to_its_proposal(studio)
        await studio.press("enter")
        await studio.sees(FormScreen, "Mara counts the cans.")
    async with planning(book, Model(plan=Rule(value=ANSWER))) as (_, studio):
        await to_its_plan(studio)
        await studio.sees(FormScreen, "Mara counts the cans.")
        await studio.press("f9")
        await studio.sees(Ask, "Plan chapter 1 for me")


async def test_made_from_another_plan_it_is_shown_all_the_same_and_that_is_said(book: Path) -> None:
    """Met: a length added to the plan, and the proposal she had paid for was shown no more, while
    the desk and the form said that it waits."""
    async with planning(book, Model(plan=Rule(value=ANSWER))) as (_, studio):
        await to_its_plan(studio)
        await studio.press("f9")
        await studio.answer(Ask, "More stairs.")
        await studio.sees(PlanProposal, "+ Mara counts the cans.")
    path = book / "volumes/vol-01/chapter-contracts/chapter-001.json"
    path.write_text(path.read_text("utf-8").replace("finds the key", "loses the key"), "utf-8")
    async with planning(book, Model(plan=Rule(value=ANSWER))) as (server, studio):
        await to_its_plan(studio)
        await studio.press("f9")
        await studio.sees(PlanProposal, "+ Mara counts the cans.")
        assert "made from an earlier plan or book; nothing was asked" in studio.screen
        assert not server.asked


@pytest.mark.sweep
async def test_the_other_one_waits_with_what_she_wanted_otherwise(book: Path) -> None:
    async with planning(book, Model(plan=answering(ANSWER, OTHER))) as (_, studio):
        await to_its_proposal(studio)
        await studio.press("f9")
        await studio.answer(Ask, "Slower.")
        await studio.sees(PlanProposal, "+ Mara counts the steps.")
    last = {**OTHER, "happens": ["Mara counts the gulls."]}
    async with planning(book, Model(plan=answering(last))) as (server, studio):
        await to_its_plan(studio)
        await studio.press("f9")
        await studio.sees(PlanProposal, "+ Mara counts the steps.")
        assert not server.asked
        await studio.press("f9")
        await studio.answer(Ask, "Gulls.")
        await studio.sees(PlanProposal, "+ Mara counts the gulls.")
        assert block(server.asked[0], "direction") == "Slower.\nGulls."
        assert "Mara counts the steps." in block(server.asked[0], "before")


@pytest.mark.sweep
async def test_a_wish_that_nothing_came_of_is_there_again(book: Path) -> None:
    async with planning(book, Model(plan=Rule(mode="slow"))) as (_, studio):
        await to_its_plan(studio)
        await studio.press("f9")
        await studio.answer(Ask, "More stairs.")
        await studio.sees(PlanProposal, "Esc stops it")
        await studio.press("escape")
        await studio.sees(FormScreen)
    async with planning(book, Model(plan=Rule(value=ANSWER))) as (_, studio):
        await to_its_plan(studio)
        await studio.press("f9")
        await studio.sees(Ask, "More stairs.")


def test_what_is_not_paid_for_twice_is_said_to_cost_nothing(
    book: Path, typed: Typed, asks: Asks
) -> None:
    server = asks(Model(plan=Rule(value=ANSWER)))
    order = ("plan", "propose", "1", "--direction", "More stairs.")
    assert "it costs nothing" not in typed(*order).err
    assert "it costs nothing" in typed(*order, "--take", "happens").err
    assert len(server.asked) == 1
