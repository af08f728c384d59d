"""The flows told as a writer would tell them: in, on, back and out again."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from textual.widgets import OptionList

from studio.story.status import DirectiveStatus
from studio.tui.screens.launcher import LauncherScreen
from studio.tui.screens.settings import SettingsScreen
from tests.fake_messages import Rule
from tests.pipeline.flows import SCENES, Desk, Model, directive, drafted, judged
from tests.pipeline.korean_book import OWN, make_book
from tests.tui.conftest import OpenDesk
from tests.tui.environs import NAMED
from tests.tui.pilot import opened

SHOW = "dir_show_not_tell_001"


def held_once() -> list[Rule | object]:
    """A draft that stands still after some words, and the next ones whole."""
    return [Rule(mode="hold", after=4, text="\n\n".join(SCENES[1])), drafted]


# req: U2 U3
@pytest.mark.sweep
async def test_write_stop_resume_review_commit_export(desk: OpenDesk, tmp_path: Path) -> None:
    there = desk(Model(draft=held_once(), judge=judged(directives=[directive(1, 1)])))
    async with opened(there.folder, there.environ) as studio:
        await studio.start_writing("oil cans")
        await studio.stop()
        await studio.resume()
        await studio.accept(SHOW)
        await studio.write_next()
        assert studio.status_of(SHOW) is DirectiveStatus.APPLIED
        await studio.accept(SHOW)
        await studio.commit()
        await studio.export(1, tmp_path / "book.txt")
    assert "It held there." in (tmp_path / "book.txt").read_text("utf-8")


@pytest.mark.sweep
async def test_import_set_and_leave(own_home: Path) -> None:
    file = own_home / "manuscript.txt"
    file.write_bytes("第一章 平潮\n\n雨停了。\n\n第二章 灯房\n\n灯还是温的。\n".encode("gb18030"))
    async with opened(None, {**os.environ, **NAMED}) as studio:
        screen = await studio.look_into(file)
        assert screen.query_one(OptionList).option_count == 2
        await studio.bring_in(own_home / "night", "灯塔之夜", kind=1)
        assert studio.outline_titles == ["平潮", "灯房"]
        await studio.set("targets.scene_length", "900")
        assert studio.desk.session.settings.targets.scene_length == 900
        await studio.on_setting("targets.scene_length")
        await studio.sees(SettingsScreen, "900")
        await studio.home()
        await studio.ask_for("app.launcher")
        await studio.sees(LauncherScreen, "灯塔之夜")


@pytest.fixture
def book(desk: OpenDesk, tmp_path: Path) -> Desk:
    """A Korean book of three chapters."""
    return make_book(desk, tmp_path)


# req: U5 E10
@pytest.mark.sweep
async def test_rebuild_look_back_and_bring_back(book: Desk) -> None:
    first = book.folder / "chapters/chapter-001.md"
    first.write_text(OWN[1].replace("열쇠를 찾았다", "빈 상자를 보았다. 열쇠는 없었다"), "utf-8")
    async with opened(book.folder, book.environ) as studio:
        await studio.until(lambda: "changed by hand" in studio.screen, "the notice")
        page = await studio.rebuild()
        assert page.changed
        await studio.home()
        await studio.on_chapter(1)
        await studio.bring_back()
    assert first.read_text("utf-8") == OWN[1]
