"""The keys typed as the history opens go on from the row it opens with."""

from __future__ import annotations

from pathlib import Path
from threading import Event
from typing import Any

import pytest

from studio.project.create import create_novel
from studio.project.history.reasons import Reason
from studio.project.store import ProjectStore
from studio.tui.screens import history
from studio.tui.screens.history import HistoryScreen
from tests.tui.environs import environ_of
from tests.tui.pilot import PATIENCE, opened


@pytest.mark.parametrize("down", ["down", "j"])
async def test_steps_taken_before_the_versions_are_read_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, down: str
) -> None:
    may_read, read_past = Event(), history.read_past

    def late(*what: Any) -> history.Past:
        may_read.wait(PATIENCE)
        return read_past(*what)

    monkeypatch.setattr(history, "read_past", late)
    create_novel(tmp_path / "salt", "Salt", "en")
    store = ProjectStore(tmp_path / "salt")
    for number in range(6):
        store.history.keep("brief.md", f"Text {number}.\n".encode(), Reason.WRITTEN)
    async with opened(tmp_path / "salt", environ_of(tmp_path)) as studio:
        page = HistoryScreen(studio.desk.session, "brief.md")
        studio.app.push_screen(page)
        await studio.sees(HistoryScreen)
        up = "up" if down == "down" else "k"
        await studio.press(down, down, down, up)
        may_read.set()
        await studio.until(lambda: page.version_under_cursor is not None, "the versions")
        version = page.version_under_cursor
        assert version is not None
        assert page.past is not None
        assert page.past.texts[version.sha] == "Text 3.\n"
