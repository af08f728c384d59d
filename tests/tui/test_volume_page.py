"""The volume at the desk: how it stands, laid out by the architect, taken piece by piece."""

from __future__ import annotations

import os
from pathlib import Path

from studio.tui.screens.ask import Ask
from studio.tui.screens.decision import DecisionScreen
from studio.tui.screens.page import PageScreen
from tests.fake_messages import FakeMessages
from tests.flows.test_volume_architect import PLAN
from tests.pipeline.flows import Model, make_novel
from tests.project.novels import put
from tests.tui.pilot import opened


# req: D5
async def test_a_volume_is_planned_taken_in_part_and_looked_at(tmp_path: Path) -> None:
    folder = make_novel(tmp_path / "novel", contract=None)
    lines = [{"id": "main", "title": "Main"}, {"id": "tide", "title": "The tide"}]
    put(folder, "storylines/storylines.json", {"schema_version": 1, "storylines": lines})
    with FakeMessages(answering=Model(volume=PLAN)) as server:
        environ = {"ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_API_KEY": "k"}
        async with opened(folder, {**os.environ, **environ}, painted=True) as studio:
            await studio.settled()
            await studio.ask_for("desk.volume_plan")
            await studio.answer(Ask, "More sea.")
            await studio.sees(DecisionScreen, "The lamp is lit once.")
            await studio.press("enter")
            await studio.answer(Ask, "1 2")
            await studio.until(lambda: studio.desk.state.question is None, "the plan")
            await studio.ask_for("desk.volume")
            await studio.sees(PageScreen, "Night 2")
            assert "0 of 480 in all" in studio.screen
            assert "Who rang the bell" in studio.screen
            assert "Night 3" not in studio.screen
            await studio.press("escape")
            await studio.ask_for("desk.volume_review")
            await studio.until(lambda: "No chapter of the volume" in studio.told, "the refusal")
