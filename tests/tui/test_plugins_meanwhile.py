"""The app while a plugin does not come back, at each of the five points: keys are answered, and
the plugin is named afterwards."""

from __future__ import annotations

import pytest

from studio.plugins import plugins as plugins_module
from studio.project.plugin_trust import trust
from studio.session import Session
from tests.project.novels import put
from tests.sweeps import swept
from tests.tui.conftest import OpenDesk
from tests.tui.pilot import opened

PLUGIN = """import ctypes
from pathlib import Path

import pluggy

hookimpl = pluggy.HookimplMarker("studio")


@hookimpl
def {point}(context):
    (Path(context["folder"]) / "asked.txt").touch()
    {waits}
"""
IN_C = "ctypes.PyDLL(None).sleep(60)"
FOR_EVER = "while True: pass"


# req: C3
@pytest.mark.sweep
@pytest.mark.parametrize(
    ("point", "waits"),
    [
        ("before_generation", IN_C),
        swept("before_context", FOR_EVER),
        swept("before_blocks", IN_C),
        swept("after_generation", FOR_EVER),
        swept("after_save", IN_C),
    ],
)
async def test_keys_are_answered_while_a_plugin_does_not_come_back(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch, point: str, waits: str
) -> None:
    monkeypatch.setattr(plugins_module, "PATIENCE", 20.0)  # longer than a page takes anywhere
    there = desk()
    put(there.folder, "plugins/waiting.py", PLUGIN.format(point=point, waits=waits))
    store = Session.open(there.folder, there.environ).store
    assert store.state_folder is not None
    trust(store.root, store.state_folder)
    async with opened(there.folder, there.environ) as studio:
        await studio.press("w")
        await studio.until((there.folder / "asked.txt").exists, "the plugin")
        assert studio.desk.state.run.running
        await studio.press("l")
        await studio.until(lambda: "Log and cost" in studio.screen, "the page")
        assert not studio.desk.state.run.warnings
        await studio.press("q")
        await studio.until(
            lambda: any("waiting is off" in w for w in studio.desk.state.run.warnings),
            "the plugin's name",
        )
