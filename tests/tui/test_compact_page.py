"""The compact text page: no blank line between paragraphs, the number of every fifth."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from studio.config.load import user_config_path
from studio.tui.views.prose.layout import Page, Spot
from tests.tui.environs import NAMED
from tests.tui.gallery import novel
from tests.tui.pilot import opened

EPISODE = (
    "# 3화\n\n" + "\n\n".join(f"{n}번째 줄이었다." for n in range(1, 12)) + "\n\n* * *\n\n끝.\n"
)


def rows(page: Page) -> list[str]:
    """The page row by row; a blank one is empty."""
    lines = []
    for y in range(page.height):
        row = page.row(y)
        assert row is not None
        lines.append("" if row.line is None else page.blocks[row.block].lines[row.line])
    return lines


def test_blank_rows_stand_only_around_titles_and_breaks() -> None:
    page = Page(40)
    page.load(EPISODE)
    wide = page.height
    page.close_up(True)
    page.wrap_rows(0, 99)
    lines = [f"{n}번째 줄이었다." for n in range(1, 12)]
    assert rows(page) == ["3화", "", *lines, "", "* * *", "", "끝."]
    assert page.cell(Spot(2, 0)) == (3, 0)
    assert page.spot(3, 0) == Spot(2, 0)
    page.close_up(False)
    assert page.height == wide == 27


def test_text_that_streams_in_leaves_no_blank_rows_either() -> None:
    page = Page(40)
    page.close_up(True)
    for piece in ("첫 줄.\n", "\n둘째 ", "줄.\n\n셋째 줄.", "\n\n***\n\n", "다음 장면.\n"):
        page.feed(piece)
    assert rows(page) == ["첫 줄.", "둘째 줄.", "셋째 줄.", "", "* * *", "", "다음 장면."]


@pytest.mark.sampled
@pytest.mark.parametrize("compact", [True, False])
async def test_the_writers_own_file_sets_the_text_page(compact: bool, tmp_path: Path) -> None:
    environ = {**os.environ, **NAMED, "XDG_CONFIG_HOME": str(tmp_path / "config")}
    config = user_config_path(environ)
    config.parent.mkdir(parents=True)
    config.write_text(f"[tui]\ncompact = {str(compact).lower()}\n", "utf-8")
    folder = novel(tmp_path / "novel", "ko").layout.folder
    (folder / "chapters/chapter-001.md").write_text(EPISODE, "utf-8")
    async with opened(folder, environ) as studio:
        studio.desk.painter.prose.load(EPISODE)
        await studio.until(lambda: "번째 줄이었다" in studio.screen, "the text")
        lines = studio.screen.splitlines()
        first = next(n for n, line in enumerate(lines) if "1번째 줄이었다" in line)
        assert ("2번째" in lines[first + 1]) == compact
        assert ("1.5" in studio.screen, "1.4" in studio.screen) == (True, not compact)


@pytest.mark.sampled
@pytest.mark.parametrize(("count", "is_said"), [("with-spaces", True), (None, False)])
async def test_the_outline_says_which_characters_its_lengths_count(
    count: str | None, is_said: bool, tmp_path: Path
) -> None:
    folder = novel(tmp_path / "novel", "ko").layout.folder
    settings = folder / "studio.toml"
    if count is not None:
        lines = settings.read_text("utf-8").replace("[targets]", f'[targets]\ncount = "{count}"')
        lines = lines if "[targets]" in lines else f'{lines}\n[targets]\ncount = "{count}"\n'
        settings.write_text(lines, "utf-8")
    async with opened(folder, {**os.environ, **NAMED}) as studio:
        await studio.desk.wait_prepared()
        await studio.until(lambda: "Outline" in studio.screen, "the outline")
        assert ("Outline (with spaces)" in studio.screen) == is_said
