"""A novel whose first chapter a model plans, at the command line and in the app."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path

import pytest
from textual.widgets import OptionList

from studio.tui.screens.ask import Ask
from studio.tui.screens.editing.plan_proposal import PlanProposal
from studio.tui.screens.form import FormScreen
from tests.cli.conftest import Typed
from tests.fake_messages import Asked, FakeMessages, Rule
from tests.pipeline.flows import CONTRACT, Model, make_novel
from tests.project.novels import put
from tests.tui.pilot import StudioPilot, opened

Asks = Callable[[Model], FakeMessages]
ANSWER = {
    "title": "The Lamp Room",
    "happens": ["Mara counts the cans.", "Joss comes up the stairs."],
    "characters": ["mara", "Old Tam"],
    "pov": "mara",
    "must_not": ["Joss learns of the letter"],
    "ends": ["She has the key"],
    "promises": [{"promise": "drowned_bell", "action": "plant"}],
    "storyline_id": "main",
    "place": "The Landing",
    "introduces": [
        {"kind": "person", "name": "Old Tam", "line": "The ferryman: deaf in one ear."},
        {"kind": "place", "name": "The Landing", "line": "Nine rungs, the fourth missing."},
    ],
}


@pytest.fixture
def asks(book: Path, typed: Typed, monkeypatch: pytest.MonkeyPatch) -> Iterator[Asks]:
    """The program in the novel's folder, before a model that answers so."""
    monkeypatch.chdir(book)
    with ExitStack() as running:

        def begin(model: Model) -> FakeMessages:
            server = running.enter_context(FakeMessages(answering=model))
            monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
            monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
            return server

        yield begin


@asynccontextmanager
async def planning(book: Path, model: Model) -> AsyncIterator[tuple[FakeMessages, StudioPilot]]:
    """The app over the novel, before a model that answers so."""
    with FakeMessages(answering=model) as server:
        environ = {**os.environ, "ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_API_KEY": "k"}
        async with opened(book, environ, notifications=True) as studio:
            yield server, studio


def row_of_people(rows: OptionList) -> int:
    """The row of the proposal that says who is there."""
    return next(n for n, o in enumerate(rows.options) if "Who is there" in str(o.prompt))


async def to_its_plan(studio: StudioPilot) -> None:
    await studio.on_chapter(1)
    await studio.press("p")
    await studio.sees(FormScreen)


async def to_its_proposal(studio: StudioPilot) -> None:
    await to_its_plan(studio)
    await studio.press("f9")
    await studio.answer(Ask)
    await studio.sees(PlanProposal, "+ Mara counts the cans.")


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A novel whose first chapter is planned in one sentence."""
    contract = {**CONTRACT, "objectives": ["Mara finds the key"], "target_length": 240}
    contract.pop("scenes")
    folder = make_novel(tmp_path / "novel", contract=contract)
    owed = [{"id": "drowned_bell", "description": "The bell under the water"}]
    put(folder, "foreshadowing/global.json", {"schema_version": 1, "promises": owed})
    return folder


OTHER = {**ANSWER, "happens": ["Mara counts the steps."], "ends": ["Joss has the key"]}


def answering(*answers: dict[str, object]) -> Callable[[Asked], Rule]:
    """One answer after the other."""
    rest = list(answers)
    return lambda asked: Rule(value=rest.pop(0))
