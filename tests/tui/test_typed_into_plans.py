"""What somebody types into the form of a plan or a scene, as people write it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from studio.errors import StudioError
from studio.project.planning.chapter_plan import ChapterPlan, ScenePlan, save_scene, scenes_of
from studio.project.planning.plan_change import last_change
from studio.story.lengths import Unit
from studio.tui.screens.form import FormInput, FormScreen
from studio.tui.views.forms.form_fields import length_of
from studio.tui.views.forms.plan_forms import (
    form_of_scene,
    plan_of_form,
    scene_of_form,
    values_of_plan,
)
from tests.project.plans import planned_book
from tests.tui.environs import NAMED
from tests.tui.gallery import novel
from tests.tui.pilot import opened
from tests.tui.ways import on_desk


@pytest.mark.parametrize(
    ("words", "unit", "length"),
    [
        ("1000 words", "words", 1000),
        ("1,000", "words", 1000),
        ("about 2400 words", "words", 2400),
        ("two thousand words", "words", 2000),
        ("1.2k", "words", 1200),
        ("약 3000자", "characters", 3000),
        ("한 3천 자쯤", "characters", 3000),
        ("천이백 자", "characters", 1200),
        ("3000字", "characters", 3000),
        ("３０００字左右", "characters", 3000),
        ("约三千字", "characters", 3000),
        ("三千", "characters", 3000),
        ("", "words", None),
    ],
)
def test_a_length_is_read_as_people_write_it(words: str, unit: Unit, length: int | None) -> None:
    assert length_of(words, unit) == length


@pytest.mark.parametrize(
    ("words", "unit"),
    [
        ("long", "words"),
        ("a", "words"),
        ("0", "words"),
        ("3000자", "words"),
        ("900 words", "characters"),
    ],
)
def test_what_is_no_length_in_the_unit_of_the_novel_is_refused(words: str, unit: Unit) -> None:
    with pytest.raises(StudioError, match="is not a length"):
        length_of(words, unit)


SEVERAL_PLACES = ["the weighing room; the kitchen in Tanner Street", "灯房、盐仓", "램프실；부엌"]


@pytest.mark.parametrize("words", SEVERAL_PLACES)
def test_several_places_do_not_become_one_of_all_their_names(words: str) -> None:
    plan = {**values_of_plan(ChapterPlan(happens=("It rains.",))), "place": words}
    with pytest.raises(StudioError, match="are more than one"):
        plan_of_form(plan)
    scene = form_of_scene(1, 1, ScenePlan(purpose="It rains."), people=(), places=(), unit="words")
    with pytest.raises(StudioError, match="are more than one"):
        scene_of_form({**scene.values, "place": words})


@pytest.mark.parametrize("words", ["Mara, Joss", "마라、조스", "玛拉；乔斯"])
def test_a_chapter_is_not_seen_by_one_who_has_two_names(words: str) -> None:
    plan = {**values_of_plan(ChapterPlan(happens=("It rains.",))), "seen_by": words}
    with pytest.raises(StudioError, match="are more than one"):
        plan_of_form(plan)


def test_a_place_may_have_a_comma_in_it() -> None:
    plan = {**values_of_plan(ChapterPlan()), "place": "the kitchen, Tanner Street"}
    assert plan_of_form(plan).place == "the kitchen, Tanner Street"


def test_a_scene_is_not_put_where_there_is_no_place_in_silence(tmp_path: Path) -> None:
    store = planned_book(tmp_path / "n")
    save_scene(store, "en", 3, None, ScenePlan(purpose="Mara hears it."))
    before, change = scenes_of(store, 3), last_change(store)
    with pytest.raises(StudioError, match="no place 500") as caught:
        save_scene(store, "en", 3, 1, ScenePlan(purpose="Mara hears it."), 500, before[0])
    assert "from 1 to " in caught.value.problem.hint
    assert (scenes_of(store, 3), last_change(store)) == (before, change)


@pytest.mark.sweep
async def test_the_arrows_stay_at_the_ends_of_a_form(own_home: Path) -> None:
    folder = novel(own_home / "novel", "en").layout.folder
    async with opened(folder, {**os.environ, **NAMED}) as studio:
        await on_desk(studio)
        await studio.press("down")
        await studio.until(lambda: "w drafts the chapter" in studio.screen, "chapter 3")
        await studio.press("p")
        await studio.sees(FormScreen)
        fields = list(studio.app.screen.query(FormInput))
        await studio.press(*["down"] * (len(fields) * 6))
        await studio.until(lambda: studio.app.focused is fields[-1], "the last field")
        await studio.press("down", "down")
        assert studio.app.focused is fields[-1]
        await studio.press(*["up"] * (len(fields) * 6))
        await studio.until(lambda: studio.app.focused is fields[0], "the first field")
