"""The app while a plugin does not come back, at each of the five points and in both ways: no turn
of the event loop waits for it, keys are answered, and the plugin is named afterwards.

The other ways to misbehave come back at once; `tests/pipeline/test_plugins.py` has all of them at
each point, and `python -m bench plugins` the time of a key."""

from __future__ import annotations

import asyncio

import pytest

from studio.plugins import active_plugins as plugins_module
from studio.project.trust import trust
from studio.session import Session
from tests.project.novels import put
from tests.tui.conftest import OpenDesk
from tests.tui.pilot import opened

PLUGIN = """import ctypes
from pathlib import Path

import pluggy

hookimpl = pluggy.HookimplMarker("studio")


@hookimpl
def {point}(context):
    folder = Path(context["folder"])
    (folder / "asked.txt").touch()
    while not (folder / "enough.txt").exists():
        {waits}
    raise RuntimeError("at last")
"""
"""Waits until a key was answered, however long that takes here; the process that is killed after
five seconds is another test's."""
WAYS = {"in C": "ctypes.PyDLL(None).usleep(300_000)", "for ever": "pass"}
"""Holding the interpreter's lock, and without a pause."""
TURNS = 500
"""Turns of the event loop that have to come about before the plugin is let go: a turn that waited
for it would wait until it is killed, and it would be named for that."""
POINTS = ("before_generation", "before_context", "before_blocks", "after_generation", "after_save")


# req: C3
@pytest.mark.sweep
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("point", POINTS)
async def test_keys_are_answered_while_a_plugin_does_not_come_back(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch, point: str, way: str
) -> None:
    monkeypatch.setattr(plugins_module, "PATIENCE", 25.0)  # longer than a page takes anywhere
    there = desk()
    put(there.folder, "plugins/waiting.py", PLUGIN.format(point=point, waits=WAYS[way]))
    store = Session.open(there.folder, there.environ).store
    assert store.state_folder is not None
    trust(store.root, store.state_folder)
    async with opened(there.folder, there.environ) as studio:
        await studio.press("w")
        await studio.until((there.folder / "asked.txt").exists, "the plugin")
        assert studio.desk.state.run.running
        await studio.press("l")
        await studio.until(lambda: "Log and cost" in studio.screen, "the page")
        for _ in range(TURNS):
            await asyncio.sleep(0)
        assert not studio.desk.state.run.warnings
        (there.folder / "enough.txt").touch()
        await studio.press("q")
        await studio.until(
            lambda: any("at last" in warning for warning in studio.desk.state.run.warnings),
            "the plugin's name, and that it was let go and not killed",
        )
