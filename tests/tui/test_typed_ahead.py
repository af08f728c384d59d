"""Keys that come before the page they are for: each lands where the writer means it, once."""

from __future__ import annotations

import asyncio
from pathlib import Path
from threading import Event

import pytest
from textual.events import Key

from studio.project.create import create_novel
from studio.tui.app import StudioApp
from studio.tui.screens.ask import Ask
from studio.tui.screens.form import FormScreen
from tests.tui.environs import environ_of
from tests.tui.pilot import PATIENCE, StudioPilot, opened


def type_ahead(app: StudioApp, keys: str) -> None:
    """The keys lie in the app's queue before any of them has done anything."""
    for key in keys:
        app.post_message(Key(key, key))


async def form_with_keys(app: StudioApp) -> FormScreen:
    """As soon as one of its fields has the keys; what was typed the last time may still be read."""
    async with asyncio.timeout(PATIENCE):
        while not (isinstance(app.screen, FormScreen) and app.screen.focused):
            await asyncio.sleep(0.01)
    return app.screen


def cards(studio: StudioPilot) -> list[Ask | FormScreen]:
    """What stands over the launcher or the desk."""
    return [screen for screen in studio.app.screen_stack if isinstance(screen, Ask | FormScreen)]


@pytest.mark.parametrize("keys", ["nn", "nis", "sn"])
async def test_one_way_in_at_a_time_is_begun_from_the_launcher(tmp_path: Path, keys: str) -> None:
    async with opened(None, environ_of(tmp_path), (80, 24)) as studio:
        type_ahead(studio.app, keys)
        await studio.until(lambda: cards(studio), "the first question")
        await studio.pilot.pause(0.2)
        assert len(cards(studio)) == 1
        await studio.press("escape")
        await studio.until(lambda: not cards(studio), "the launcher")
        await studio.press("n")
        await studio.until(lambda: cards(studio), "the question, asked anew")


@pytest.mark.parametrize("before", ["", "The gate."])
async def test_what_is_typed_as_a_form_opens_stands_in_its_own_field(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: str
) -> None:
    read = Event()

    def late(*_: object) -> dict[str, str]:
        read.wait(30)
        return {"happens": before} if before else {}

    monkeypatch.setattr("studio.tui.screens.form.typed_before", late)
    create_novel(tmp_path / "salt", "Salt", "en")
    async with opened(tmp_path / "salt", environ_of(tmp_path)) as studio:
        type_ahead(studio.app, "p")
        form = await form_with_keys(studio.app)
        type_ahead(studio.app, "mara")
        await asyncio.sleep(0.1)
        read.set()
        await studio.until(lambda: form.values.get("happens") == f"{before}mara", "the words")
        type_ahead(studio.app, "s")
        await studio.until(lambda: form.values.get("happens") == f"{before}maras", "one more")
        assert not form.values["title"]
