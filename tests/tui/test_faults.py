"""Faults nobody foresaw: a sentence with the place of the log, and a clean end (reliability T6)."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from studio.story.checkpoint import Decision
from studio.tui.desk.panes import Panes
from studio.tui.performs import performs
from studio.tui.screens.decision import DecisionScreen
from studio.tui.screens.page import PageScreen
from studio.tui.views.review.decision_card import card_of
from studio.tui.widgets.action_line import ActionLine
from studio.tui.widgets.lines_view import LinesView
from studio.tui.widgets.outline_list import OutlineList
from studio.tui.widgets.stage_bar import StageBar
from tests.fake_messages import Rule
from tests.pipeline.flows import SCENES, Model
from tests.tui.conftest import OpenDesk
from tests.tui.pilot import StudioPilot, opened

HELD = Model(draft=Rule(mode="hold", after=4, text="\n\n".join(SCENES[1])))


class Unforeseen(Exception):
    """A fault of ours."""


def fail() -> None:
    raise Unforeseen("the lamp went out")


def log_named_in(sentence: str) -> str:
    """The text of the log a sentence names."""
    match = re.search(r"(/\S+fault\.txt)", sentence)
    assert match is not None, sentence
    return Path(match[1]).read_text("utf-8")


@pytest.mark.sweep
async def test_a_fault_beside_the_screen_is_told_and_the_app_goes_on(  # req: T6
    desk: OpenDesk,
) -> None:
    there = desk()

    async def work() -> None:
        fail()

    async with opened(there.folder, there.environ, faults=True) as studio:
        studio.desk.run_worker(work())
        await studio.until(lambda: "Something went wrong" in studio.told, "the sentence")
        assert "the lamp went out" in log_named_in(studio.told)
        await studio.press("2")
        assert studio.desk.state.pane == "text"
        await studio.press("ctrl+q")
    assert studio.app.return_code == 0


async def fault_of(where: str, studio: StudioPilot, patch: pytest.MonkeyPatch) -> None:
    """Lets something fail that a key, the mouse or a message sets off."""
    desk = type(studio.desk)
    if where == "key":
        patch.setattr(Panes, "zoom", performs("desk.zoom")(lambda self: fail()))
        await studio.press("z")
    elif where == "key of a pane":
        patch.setattr(OutlineList, "action_move", lambda self, by: fail())
        await studio.press("1", "k")
    elif where == "click":
        patch.setattr(ActionLine, "on_click", lambda self, event: fail())
        await studio.pilot.click("#hints", offset=(4, 0))
    elif where == "page":
        patch.setattr(PageScreen, "on_mount", lambda self: fail())
        await studio.press("f1")
    elif where == "question":
        patch.setattr(DecisionScreen, "on_mount", lambda self: fail())
        question = Decision(
            id="q", kind="gate", recommendation="keep", options=("keep",), rationale="It holds."
        )
        studio.app.push_screen(DecisionScreen(card_of(question)))
    elif where == "message":
        patch.setattr(desk, "on_outline_list_highlighted", lambda self, message: fail())
        await studio.press("1", "k")
    else:
        asyncio.get_running_loop().call_soon(fail)


@pytest.mark.sweep
@pytest.mark.parametrize(
    "where", ["key", "key of a pane", "click", "message", "loop", "page", "question"]
)
async def test_a_fault_of_what_was_asked_for_is_told_and_the_stream_goes_on(  # req: T6
    desk: OpenDesk,
    where: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    there = desk(HELD)
    async with opened(there.folder, there.environ, faults=True) as studio:
        await studio.press("w")
        await studio.until(lambda: "oil cans" in studio.desk.state.run.prose, "the stream")
        await fault_of(where, studio, monkeypatch)
        await studio.until(lambda: "Something went wrong" in studio.told, "the sentence")
        assert "the lamp went out" in log_named_in(studio.told)
        await studio.until(lambda: studio.app.screen is studio.desk, "the desk")
        assert studio.desk.state.run.running
        await studio.press("2", "3")
        assert studio.desk.state.pane == "directives"
        await studio.press("escape")
        await studio.until(lambda: not studio.desk.state.run.running, "the end of the run")
        await studio.press("ctrl+q")
    assert studio.app.return_code == 0
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.sweep
async def test_a_fault_that_comes_again_is_said_once_while_it_is_on_the_screen(  # req: T6
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = desk()
    async with opened(there.folder, there.environ, faults=True) as studio:
        monkeypatch.setattr(Panes, "zoom", performs("desk.zoom")(lambda self: fail()))
        await studio.press("z", "z", "z")
        assert studio.told.count("Something went wrong") == 1


async def part_that_fails(where: str, studio: StudioPilot, patch: pytest.MonkeyPatch) -> None:
    """Lets something fail that draws, fills or wakes a part of the screen."""
    desk = studio.desk
    if where == "render":
        patch.setattr(StageBar, "render_line", lambda self, y: fail())
        desk.query_one(StageBar).refresh()
    elif where == "rows":
        patch.setattr(OutlineList, "row_strip", lambda self, y, width: fail())
        desk.query_one(OutlineList).refresh()
    elif where == "timer":
        desk.set_timer(0.001, fail)
    elif where == "interval":
        desk.query_one(OutlineList).set_interval(0.001, fail)
    elif where == "later":
        desk.call_later(fail)
    elif where == "after refresh":
        desk.call_after_refresh(fail)
    elif where == "widget":
        patch.setattr(LinesView, "on_mount", lambda self: fail(), raising=False)
        await studio.press("f1")
    else:
        patch.setattr(PageScreen, "compose", lambda self: fail())
        await studio.press("f1")


@pytest.mark.sweep
@pytest.mark.parametrize(
    "where", ["render", "rows", "timer", "interval", "later", "after refresh", "widget", "compose"]
)
async def test_a_part_that_fails_leaves_the_others_at_work(  # req: T6
    desk: OpenDesk,
    where: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    there = desk(HELD)
    async with opened(there.folder, there.environ, faults=True) as studio:
        await studio.press("w")
        await studio.until(lambda: "oil cans" in studio.desk.state.run.prose, "the stream")
        await part_that_fails(where, studio, monkeypatch)
        await studio.until(lambda: "Something went wrong" in studio.told, "the sentence")
        assert "the lamp went out" in log_named_in(studio.told)
        assert studio.told.count("Something went wrong") == 1
        if where in ("render", "rows"):
            assert "This part cannot be drawn." in studio.screen
        else:
            assert "cannot be drawn" not in studio.screen
        await studio.home()
        assert studio.desk.state.run.running
        await studio.press("2", "3")
        assert studio.desk.state.pane == "directives"
        await studio.stop()
        monkeypatch.undo()
        await studio.press("ctrl+q")
    assert studio.app.return_code == 0


@pytest.mark.sweep
async def test_a_fault_of_the_screen_ends_the_app_and_keeps_the_text(  # req: T6
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    there = desk(HELD)
    with pytest.raises(Unforeseen):  # noqa: PT012
        async with opened(there.folder, there.environ, faults=True) as studio:
            await studio.press("w")
            await studio.until(lambda: "oil cans" in studio.desk.state.run.prose, "the stream")
            monkeypatch.setattr(StageBar, "get_content_height", lambda self, *_: fail())
            studio.desk.query_one(StageBar).styles.height = "auto"
            await studio.until(lambda: studio.app.faults.newest is not None, "the fault")
    assert studio.app.return_code == 1
    assert studio.app.faults.newest is not None
    assert "the lamp went out" in log_named_in(studio.app.faults.newest.hint)
    output = capsys.readouterr().err
    assert "Something went wrong inside the studio (Unforeseen)." in output
    assert "Traceback" not in output
    assert not (there.folder / ".novel.lock").exists()
    scene = there.folder / "staging/scenes/chapter-001/scene-01.md"
    assert "oil cans" in scene.read_text("utf-8")


@pytest.mark.sweep
async def test_a_machine_without_memory_is_a_fault_like_any_other(  # req: T8
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = desk()

    def full(self: object) -> None:
        raise MemoryError

    async with opened(there.folder, there.environ, faults=True) as studio:
        monkeypatch.setattr(Panes, "zoom", performs("desk.zoom")(full))
        await studio.press("z")
        await studio.until(lambda: "(MemoryError)" in studio.told, "the sentence")
        await studio.press("2")
        assert studio.desk.state.pane == "text"


async def test_a_novel_touched_by_a_newer_version_meanwhile_is_named_and_left_alone(  # req: T10
    desk: OpenDesk,
) -> None:
    there = desk()
    checkpoint = there.folder / ".checkpoint.json"
    async with opened(there.folder, there.environ) as studio:
        newer = '{"schema_version": 99, "what_is_new": true}\n'
        checkpoint.write_text(newer, "utf-8")
        await studio.press("w")
        await studio.until(lambda: "newer version of the studio" in studio.told, "the sentence")
    assert checkpoint.read_text("utf-8") == newer
