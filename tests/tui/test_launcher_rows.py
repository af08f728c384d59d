"""The launcher names each novel with its state, and keeps the other ways in reach."""

from __future__ import annotations

import os
from pathlib import Path

from studio.config import recent
from studio.config.recent import RecentNovels
from studio.tui.screens.launcher import LauncherScreen
from tests.small_novels import copied_sample
from tests.tui.pilot import opened


async def test_a_novel_has_its_state_beside_it_and_new_import_sample_follow(
    tmp_path: Path,
) -> None:
    environ = {**os.environ, "XDG_STATE_HOME": str(tmp_path / "state")}
    novel = copied_sample(tmp_path / "sample")
    async with opened(novel, environ):
        pass  # the outline as it was last is kept
    recent.keep(environ, RecentNovels().with_novel(novel, "The Returns Book", "en"))
    async with opened(None, environ, (80, 24)) as studio:
        await studio.sees(LauncherScreen, "2 of 8 chapters")
        for words in ("The Returns Book", "Begin a new novel", "Try the sample", "Bring in a text"):
            assert words in studio.screen
