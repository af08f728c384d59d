"""A plan is corrected by functions that return another plan."""

from __future__ import annotations

import pytest

from studio.errors import Exit, StudioError
from studio.exchange.import_.detect import detect
from studio.exchange.import_.plan import (
    ImportPlan,
    as_json,
    leave_out,
    merge,
    rename,
    split_row,
    take_back,
)
from tests.exchange.texts import KOREAN, prose, titles


@pytest.fixture
def plan() -> ImportPlan:
    """Row 1 is the title page, rows 2 to 4 are chapters."""
    return detect(KOREAN)


def test_a_chapter_gets_another_title(plan: ImportPlan) -> None:
    assert titles(rename(plan, 2, "  등대의\n밤 ")) == ["등대의 밤", "열쇠", "에필로그"]
    assert titles(plan)[0] == "등대", "the plan itself is as it was"


def test_a_row_is_left_out_and_taken_back(plan: ImportPlan) -> None:
    without = leave_out(plan, 4)
    assert titles(without) == ["등대", "열쇠"]
    assert take_back(without, 4) == plan


def test_the_title_page_can_become_a_chapter(plan: ImportPlan) -> None:
    assert titles(take_back(plan, 1)) == ["여는 글", "등대", "열쇠", "에필로그"]


def test_a_heading_that_was_none_becomes_a_paragraph_of_the_chapter_before(
    plan: ImportPlan,
) -> None:
    merged = merge(plan, 3)
    assert titles(merged) == ["등대", "에필로그"]
    assert prose(merged)[0][-2:] == ["제2장 열쇠", "열쇠는 기름통 밑에 없었다."]
    assert len(merged.chapters_to_import[0].scenes) == 2


def test_two_chapters_become_one_with_a_scene_break_between(plan: ImportPlan) -> None:
    merged = merge(plan, 3, "break")
    assert [len(scene) for scene in merged.chapters_to_import[0].scenes] == [2, 1, 2]


def test_a_title_page_that_is_merged_stands_at_the_head_of_the_chapter(plan: ImportPlan) -> None:
    merged = merge(plan, 2)
    assert titles(merged)[0] == "등대"
    assert prose(merged)[0][0] == "소금길"


def test_a_chapter_is_split_at_a_paragraph_with_a_title_or_at_its_heading(
    plan: ImportPlan,
) -> None:
    titled = split_row(plan, 2, 3, "아침")
    assert titles(titled)[:2] == ["등대", "아침"]
    assert prose(titled)[1] == ["아침이 되어서야 그는 배가 없어진 것을 알았다."]
    headed = split_row(plan, 2, 2)
    assert titles(headed)[:2] == ["등대", "“아직 불이 켜져 있어.” 조스가 말했다."]
    assert prose(headed)[1] == ["아침이 되어서야 그는 배가 없어진 것을 알았다."]


def test_a_split_that_is_merged_again_is_what_it_was(plan: ImportPlan) -> None:
    assert prose(merge(split_row(plan, 2, 2), 3)) == prose(plan)


@pytest.mark.parametrize(
    "correction",
    [
        lambda plan: rename(plan, 2, " "),
        lambda plan: rename(plan, 9, "x"),
        lambda plan: leave_out(plan, 0),
        lambda plan: merge(plan, 1),
        lambda plan: split_row(plan, 2, 1),
        lambda plan: split_row(plan, 2, 4),
        lambda plan: split_row(plan, 2, 3),
    ],
)
def test_what_cannot_be_corrected_is_said(plan: ImportPlan, correction: object) -> None:
    with pytest.raises(StudioError) as caught:
        correction(plan)  # type: ignore[operator]
    assert caught.value.problem.exit_code == Exit.USAGE


def test_programs_read_a_plan_row_by_row(plan: ImportPlan) -> None:
    data = as_json(plan)
    assert {"schema_version", "language", "title", "unit", "files", "chapters", "notes"} <= set(
        data
    )
    assert [(row["row"], row["chapter"], row["title"]) for row in data["chapters"]] == [
        (1, None, "여는 글"),
        (2, 1, "등대"),
        (3, 2, "열쇠"),
        (4, 3, "에필로그"),
    ]
    first = data["chapters"][1]
    assert (first["first_line"], first["last_line"], first["scenes"]) == (3, 11, 2)
    assert first["length"] == sum(len("".join(p.split())) for p in prose(plan)[0])
