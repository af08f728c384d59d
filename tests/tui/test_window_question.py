"""A model whose window nobody knows: the app asks once, in the command line's words."""

from __future__ import annotations

import pytest

from studio.config.load import load_settings
from studio.tui.screens.ask import Ask
from tests.pipeline.flows import Desk
from tests.tui.conftest import OpenDesk
from tests.tui.pilot import StudioPilot, opened

LOCAL = {f"models.{role}": "qwen3-8b" for role in ("deep", "standard", "fast")}
ASKED = "does not say how much qwen3-8b can read at once"


def window_kept(there: Desk) -> int | None:
    facts = load_settings(None, there.environ).provider.endpoints.get(there.server.url)
    return None if facts is None else facts.window


async def asked_or_run(studio: StudioPilot) -> bool:
    """Presses w; whether a question came before anything was asked of a model."""
    await studio.settled()
    before = studio.desk.state.run
    await studio.press("w")

    def came() -> bool:
        is_asked = isinstance(studio.app.screen, Ask)
        return is_asked or studio.desk.state.run is not before

    await studio.until(came, "the run or a question")
    return isinstance(studio.app.screen, Ask)


# req: A3
@pytest.mark.sweep
@pytest.mark.repairs("S15")
async def test_the_app_asks_for_an_unknown_window_before_the_first_call_and_only_once(
    desk: OpenDesk,
) -> None:
    there = desk()
    async with opened(there.folder, there.environ, **LOCAL) as studio:
        assert await asked_or_run(studio), "a chapter was begun with an assumed window"
        await studio.until(lambda: ASKED in studio.screen, "the command line's words")
        assert "Its window in tokens, or Enter for 8,192:" in studio.screen
        await studio.type("plenty")
        await studio.press("enter")
        await studio.until(lambda: "whole number of tokens" in studio.screen, "the refusal")
        assert not there.server.asked
        await studio.press(*["backspace"] * len("plenty"))
        await studio.type("32,768")
        await studio.press("enter")
        await studio.until(lambda: studio.desk.state.run.outcome is not None, "the outcome")
        assert studio.desk.session.preview().window == 32_768
        assert not [words for words in studio.desk.state.run.warnings if "assumed" in words]
    assert window_kept(there) == 32_768
    async with opened(there.folder, there.environ, **LOCAL) as studio:
        assert studio.desk.state.window_known


@pytest.mark.sweep
async def test_leaving_the_question_begins_nothing(desk: OpenDesk) -> None:
    there = desk()
    async with opened(there.folder, there.environ, **LOCAL) as studio:
        assert await asked_or_run(studio)
        await studio.press("escape")
        await studio.until(lambda: studio.app.screen is studio.desk, "the desk")
        assert not there.server.asked
        assert await asked_or_run(studio), "the question comes again at the next try"
        await studio.press("enter")
        await studio.until(lambda: studio.desk.state.run.outcome is not None, "the outcome")
    assert window_kept(there) == 8192


async def test_a_server_that_says_it_is_not_asked_after(desk: OpenDesk) -> None:
    there = desk()
    there.server.pages["/v1/models"] = {"data": [{"id": "qwen3-8b", "max_model_len": 48_000}]}
    async with opened(there.folder, there.environ, **LOCAL) as studio:
        assert not await asked_or_run(studio)
        await studio.until(lambda: studio.desk.state.run.outcome is not None, "the outcome")
    assert window_kept(there) == 48_000
