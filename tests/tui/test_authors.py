"""Who wrote each paragraph, in the margin on demand, and as a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.tui.screens.ask import AskPath
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import Model
from tests.tui.pilot import opened


@pytest.mark.sweep
async def test_the_margin_says_who_wrote_each_paragraph(
    desk: OpenDesk, tmp_path: Path
) -> None:  # req: G15
    there = desk(Model())
    async with opened(there.folder, there.environ, (80, 24)) as studio:
        await studio.to_review()
        await studio.home()
        await studio.press("2")
        await studio.press("W")
        await studio.until(lambda: "2.1 model" in studio.screen, "the margin")
        assert "model: a model." in studio.told
        await studio.press("W")
        await studio.until(lambda: "2.1 model" not in studio.screen, "the numbers alone")
        await studio.app.action_perform("desk.statement")
        await studio.answer(AskPath, str(tmp_path / "who.md"))
        await studio.until(lambda: "The statement is in" in studio.told, "the file")
    assert "who wrote it" in (tmp_path / "who.md").read_text("utf-8")
