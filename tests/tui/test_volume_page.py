"""The volume at the desk: how it stands, laid out by the architect, taken piece by piece."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from studio import i18n
from studio.pipeline.volume.close import end_question
from studio.pipeline.volume.figures import ChapterStanding, VolumeStanding
from studio.project.store import ProjectStore
from studio.story.checkpoint import Checkpoint
from studio.story.checkpoint import OrchestratorState as S
from studio.tui.screens.decision import DecisionScreen
from studio.tui.screens.editing.start_page import StartPage
from studio.tui.screens.form import FormInput, FormScreen
from studio.tui.screens.page import PageScreen
from studio.tui.views.pages.volume_page import volume_lines
from studio.tui.views.signs import BADGES
from studio.tui.widgets.outline_list import OutlineList
from tests.fake_messages import FakeMessages, Rule
from tests.pipeline.flows import Desk, Model, make_novel, summarized
from tests.pipeline.volume_plan import PLAN
from tests.project.novels import put
from tests.tui.pilot import opened


# req: D2 D5
@pytest.mark.sweep
async def test_a_volume_is_planned_taken_in_part_and_looked_at(tmp_path: Path) -> None:
    folder = make_novel(tmp_path / "novel", contract=None)
    lines = [{"id": "main", "title": "Main"}, {"id": "tide", "title": "The tide"}]
    put(folder, "storylines/storylines.json", {"schema_version": 1, "storylines": lines})
    ProjectStore(folder).save_checkpoint(Checkpoint(orchestrator_state=S.VOL_PLANNING))
    with FakeMessages(answering=Model(volume=PLAN)) as server:
        environ = {"ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_API_KEY": "k"}
        async with opened(folder, {**os.environ, **environ}, painted=True) as studio:
            await studio.ask_for("desk.volume_plan")
            await studio.sees(FormScreen, "at most")
            assert not server.asked
            await studio.press(*"More sea.", "ctrl+s")
            await studio.sees(StartPage, "The lamp is lit once.")
            page = studio.app.screen
            assert isinstance(page, StartPage)
            for field in page.query(FormInput):
                if "Night 3" in field.text or "Beyond what" in field.text:
                    page.turn(field.field.key)
            await studio.press("ctrl+s")
            await studio.until(lambda: studio.desk.state.question is None, "the plan")
            assert ProjectStore(folder).checkpoint().orchestrator_state is S.WRITING
            await studio.ask_for("desk.volume")
            await studio.sees(PageScreen, "Night 2")
            assert "0 of 480 in all" in studio.screen
            assert "Who rang the bell" in studio.screen
            assert "Night 3" not in studio.screen
            assert "The lamp is lit once." in studio.screen, "what the plan said of the volume"
            await studio.press("escape")
            await studio.ask_for("desk.volume_review")
            await studio.until(lambda: "No chapter of the volume" in studio.told, "the refusal")


# req: D5
@pytest.mark.sweep
async def test_the_end_of_a_volume_says_what_comes_next_and_begins_the_next_one(
    tmp_path: Path,
) -> None:
    folder = make_novel(tmp_path / "novel")
    with FakeMessages(answering=Model()) as server:
        desk = Desk(folder, server)
        assert (await asyncio.to_thread(desk.write, review="reject")).exit_code == 0
        store = ProjectStore(folder)
        checkpoint = store.checkpoint().copy_with(planned_to=1)
        question = end_question(store, checkpoint)
        store.save_checkpoint(checkpoint.copy_with(pending_decision=question))
        async with opened(folder, desk.environ) as studio:
            await studio.ask_for("desk.decide")
            await studio.sees(DecisionScreen, "was the last one planned in volume 1")
            await studio.press("down", "enter")
            await studio.until(lambda: "looks back on it" in studio.told, "what comes next")
            volumes = studio.desk.query_one(OutlineList).model
            chapters = {v.number: [c.number for c in v.chapters] for v in volumes}
            assert (chapters[1], chapters[2][0]) == ([1], 2)
            await studio.ask_for("desk.volume_review")
            await studio.sees(PageScreen, "Pace against plan")
            assert studio.screen.count("Volume 1 in review") == 1
            assert "#" not in studio.screen


# req: E7
@pytest.mark.sweep
async def test_what_the_state_knows_nothing_of_is_read_again(tmp_path: Path) -> None:
    folder = make_novel(tmp_path / "novel")
    put(folder, "volumes/vol-01/outline.md", "## Chapter 2: Fog\n\nMara counts the steps.\n")
    unread = Rule(text="{")
    with FakeMessages(answering=Model(summary=[unread, unread, summarized])) as server:
        desk = Desk(folder, server)
        for _ in range(2):
            assert (await asyncio.to_thread(desk.write, review="reject")).exit_code == 0
        assert desk.checkpoint.state_gap == (1,)
        async with opened(folder, desk.environ) as studio:
            await studio.on_chapter(2)
            page = await studio.foresee_rebuild()
            assert page.preview is not None
            assert [c.chapter for c in page.preview.chapters] == [2]
            await studio.ask_for("rebuild.gaps")
            await studio.until(lambda: page.preview and not page.preview.gaps, "the gap")
            assert [c.chapter for c in page.preview.chapters] == [1]
            await studio.ask_for("rebuild.begin")
            await studio.until(lambda: page.report is not None, "the end of the rebuild")
        assert desk.checkpoint.state_gap == ()


@pytest.mark.parametrize("language", ["ko", "zh"])
def test_what_marks_a_chapter_is_said_in_the_writers_language(language: str) -> None:
    i18n.use(language)
    chapter = ChapterStanding(chapter=1, title="1", in_book=True, wanted=3000, marks=(*BADGES,))
    volume = VolumeStanding(volume=1, chapters=(chapter,), mean=None, promises=(), lines={})
    row = next(row for row in volume_lines(volume, {}) if row[-1].tone == "warn")
    assert not any(letter.isascii() and letter.isalpha() for letter in row[-1].text), row[-1].text
