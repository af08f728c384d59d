"""The app while a plugin blocks: keys are answered, and the plugin is named afterwards."""

from __future__ import annotations

import pytest

from studio.plugins import plugins as plugins_module
from studio.project.plugin_trust import trust
from studio.session import Session
from tests.project.novels import put
from tests.tui.conftest import OpenDesk
from tests.tui.pilot import opened

BLOCKING = """import ctypes
import pluggy

hookimpl = pluggy.HookimplMarker("studio")


@hookimpl
def before_generation(context, messages):
    ctypes.PyDLL(None).sleep(60)
"""


# req: C3
@pytest.mark.sweep
async def test_keys_are_answered_while_a_plugin_blocks(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plugins_module, "PATIENCE", 12.0)  # longer than a page takes anywhere
    there = desk()
    put(there.folder, "plugins/blocking.py", BLOCKING)
    store = Session.open(there.folder, there.environ).store
    assert store.state_folder is not None
    trust(store.root, store.state_folder)
    async with opened(there.folder, there.environ) as studio:
        await studio.press("w")
        await studio.until(lambda: studio.desk.state.run.running, "the run")
        await studio.press("l")
        await studio.until(lambda: "Log and cost" in studio.screen, "the page")
        assert not studio.desk.state.run.warnings
        await studio.press("q")
        await studio.until(
            lambda: any("blocking is off" in w for w in studio.desk.state.run.warnings),
            "the plugin's name",
        )
