"""Chapters divided into scenes by a model where their plan has too few units, and what each drafted
scene reports."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.pipeline.chapter.division import moved_shares
from studio.pipeline.drafting.scene_plans import shared_out
from studio.pipeline.events import Event, SceneEvent
from studio.tui.desk.load import read_current
from studio.tui.desk.text import plan_lines
from tests.fake_messages import Asked, Rule
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import (
    CONTRACT,
    SCENES,
    SETTINGS,
    Desk,
    Model,
    asked_for,
    block,
    scene_number,
)
from tests.pipeline.killing import first_scene_done, killed_at_event
from tests.pipeline.scene_plans import planning, scene
from tests.project.novels import put

BARE = {k: v for k, v in CONTRACT.items() if k != "scenes"} | {
    "beats": ["Mara searches the lamp room, and Joss comes up the stairs"]
}
"""A plan of one unit for a chapter of two scenes."""
GOOD = planning(
    scene("Mara finds the mark of the key", units=[1], exit_emotion="uneasy"),
    scene("Joss nearly sees her", units=[1], characters=["Mara", "joss"], location="Lamp Room!"),
)


def plans(desk_: Desk) -> list[str]:
    return [block(asked, "scene-plan") for asked in asked_for(desk_, "draft")]


# req: A1 J2
@pytest.mark.sweep
def test_a_model_divides_a_chapter_that_needs_more_scenes_than_its_plan_has_units(
    desk: OpenDesk,
) -> None:
    desk_ = desk(Model(scenes=GOOD), contract=BARE)
    assert desk_.write().exit_code == 0
    (planning_,) = asked_for(desk_, "scenes")
    assert block(planning_, "plan-units") == f"1. {BARE['beats'][0]}"
    first, second = plans(desk_)
    assert "What happens: Mara finds the mark of the key" in first
    assert "smell: lamp oil" in first
    assert "Present: Mara, Joss" in second
    hers = "The author's plan of the chapter, of which this scene tells its own part"
    assert f"{hers}: {BARE['beats'][0]}" in second, "they are in every scene that shares them"
    assert "Also in the plan" not in second
    assert "So you may invent steps" in planning_.prompt, "one unit is to be two scenes"
    assert "`exemplar_tags`: `climax` for the scene" in planning_.prompt
    assert "quiet exception" not in planning_.prompt, "nothing is fixed yet"
    assert "\n\n\n" not in planning_.prompt
    assert not re.search(r"(?m)^ +$", planning_.prompt)


# req: J2
def test_one_sentence_about_the_whole_chapter_is_no_scenes_alone(desk: OpenDesk) -> None:
    """Met: the model gave it to the first scene, whose writer was told the end of the chapter."""
    answer = planning(scene("Mara finds the mark", units=[1]), scene("Joss nearly sees her"))
    desk_ = desk(Model(scenes=answer), contract=BARE)
    assert desk_.write().exit_code == 0
    first, second = plans(desk_)
    assert "What happens: Mara finds the mark" in first
    assert "Joss nearly sees her" in first.partition("and not yet")[2]
    assert "What happens: Joss nearly sees her" in second
    (asked,) = asked_for(desk_, "scenes")
    assert "Number 1 is about the whole chapter" in asked.prompt


# req: J2
@pytest.mark.sweep
def test_a_model_divides_a_plan_in_one_paragraph_however_long_its_chapter(desk: OpenDesk) -> None:
    """Its sentences are no scenes: one says what Nessa did until then."""
    sentences = "Mara hears oars. Joss calls. Until then Joss had only kept quiet. She lights the"
    words = f"{sentences} lamp. He climbs. The door gives. Nobody speaks."
    paragraph = {**BARE, "beats": [words], "target_length": 800}
    desk_ = desk(Model(scenes=GOOD), contract=paragraph)
    assert desk_.write().exit_code == 0
    (asked,) = asked_for(desk_, "scenes")
    assert "You do not add to what she wants told" in asked.prompt, "she has words enough"
    assert "invent steps" not in asked.prompt
    assert all("Scene " in words and " of 2." in words for words in plans(desk_))


# req: J2
@pytest.mark.sampled
@pytest.mark.parametrize(
    ("contract", "settings"),
    [
        (CONTRACT, SETTINGS),
        ({**BARE, "beats": ["Mara searches", "Joss comes"]}, SETTINGS),
        ({**BARE, "target_length": 150}, SETTINGS),
        (BARE, SETTINGS + '[generation]\nscenes = "plan"\n'),
        (BARE, SETTINGS + '[generation]\ndecompose = "contract"\n'),
    ],
)
def test_nobody_is_asked_where_the_plan_has_a_unit_for_each_scene_or_alone_counts(
    desk: OpenDesk, contract: dict[str, Any], settings: str
) -> None:
    desk_ = desk(Model(scenes=GOOD), contract=contract, settings=settings)
    assert desk_.write().exit_code == 0
    assert "scenes" not in desk_.calls()


# req: A1
@pytest.mark.sweep
@pytest.mark.parametrize(
    ("plan", "reason"),
    [
        (planning(), "it has 0 scenes"),
        (planning(*[scene(f"Step {n}", units=[1]) for n in range(9)]), "it has 9 scenes"),
        (Rule(text="I would rather not."), "JSON"),
    ],
)
def test_a_plan_that_cannot_be_used_gives_way_to_the_authors_own(
    desk: OpenDesk, plan: Rule, reason: str
) -> None:
    desk_ = desk(Model(scenes=plan), contract=BARE)
    ran = desk_.write()
    assert ran.exit_code == 0
    assert "The plan of scenes was not used" in ran.warnings
    assert reason in ran.warnings
    assert BARE["beats"][0] in plans(desk_)[0]


# req: J5
@pytest.mark.sweep
@pytest.mark.parametrize(
    "plan",
    [
        planning(scene("A", units=[1], characters=["the old stranger", "Mara"])),
        planning(scene("A", units=[1]), scene("a ", units=[1])),
        planning(scene("A", units=[1], pov="Mara!")),
        planning(scene("A", units=[1], sensory_anchors=["sight"])),
        planning(scene("A", units=[1], entry_emotion="calm", exit_emotion="calm")),
        planning(scene("A", units=[7])),
        planning(scene("A", units=[1]), scene("", units=[2]), scene(" ", units=[0, 9])),
        planning(scene(" ", units=[1])),
    ],
)
def test_what_a_careful_person_would_use_is_used(desk: OpenDesk, plan: Rule) -> None:
    desk_ = desk(Model(scenes=plan, draft=any_scene), contract=BARE)
    ran = desk_.write()
    assert ran.exit_code == 0
    assert "was not used" not in ran.warnings
    assert all(BARE["beats"][0] in words for words in plans(desk_))


@given(st.integers(1, 9), st.lists(st.lists(st.integers(-2, 12), max_size=4), min_size=1))
def test_no_unit_of_the_plan_is_lost(units: int, wanted: list[list[int]]) -> None:
    shares = shared_out(units, wanted)
    assert len(shares) == len(wanted)
    assert {unit for share in shares for unit in share} == set(range(1, units + 1))
    for share, named in zip(shares, wanted, strict=True):
        assert {n for n in named if 1 <= n <= units} <= set(share)


@pytest.mark.sweep
def test_the_plan_is_made_once_and_stands_through_a_kill(desk: OpenDesk) -> None:
    desk_ = desk(Model(scenes=[GOOD, planning(scene("Something else"))]), contract=BARE)
    assert killed_at_event(desk_, first_scene_done)
    assert desk_.resume().exit_code == 0
    assert desk_.calls().count("scenes") == 1
    assert "Joss nearly sees her" in plans(desk_)[-1]


TWO_UNITS = {k: v for k, v in CONTRACT.items() if k != "scenes"} | {
    "beats": ["Mara finds the key", "Joss comes up the stairs and sits"],
    "target_length": 360,
}
THREE = planning(
    scene("She lifts the cans", units=[1]),
    scene("He comes up", units=[2], peak_moment="the third stair"),
    scene("He sits and counts", units=[2]),
)


# req: J2
@pytest.mark.sweep
@pytest.mark.parametrize(
    ("beats", "second", "third", "gone"),
    [
        (
            ["Mara finds a letter", "Joss rows out instead"],
            "Joss rows out instead",
            "Joss rows out instead",
            ["the third stair", "Joss comes up the stairs"],
        ),
        (
            ["Mara finds the key", "A gull looks in", "Joss comes up the stairs and sits"],
            "A gull looks in\nJoss comes up the stairs and sits",
            "He sits and counts",
            ["the third stair"],
        ),
    ],
)
def test_scenes_that_are_not_begun_follow_an_edit_of_the_plan(
    desk: OpenDesk, beats: list[str], second: str, third: str, gone: list[str]
) -> None:
    desk_ = desk(Model(scenes=THREE), contract=TWO_UNITS)
    assert killed_at_event(desk_, first_scene_done)
    path = "volumes/vol-01/chapter-contracts/chapter-001.json"
    put(desk_.folder, path, TWO_UNITS | {"beats": beats})
    before = len(plans(desk_))
    assert desk_.resume().exit_code == 0
    assert desk_.calls().count("scenes") == 1, "what is drafted is not divided again"
    later_plans = plans(desk_)[before:]
    assert len(later_plans) == 2, "the scene that stands is not drafted again"
    for words, plan in zip((second, third), later_plans, strict=True):
        assert " ".join(words.split()) in " ".join(plan.split())
    for words in gone:
        assert words not in "\n".join(later_plans)


@pytest.mark.sweep
def test_a_plan_that_is_edited_before_its_first_scene_is_divided_again(desk: OpenDesk) -> None:
    def begun(event: Event) -> bool:
        return isinstance(event, SceneEvent) and event.status == "started"

    anew = planning(scene("Joss alone", units=[1]), scene("And Mara", units=[1]))
    desk_ = desk(Model(scenes=[GOOD, anew]), contract=BARE)
    assert killed_at_event(desk_, begun)
    contract = BARE | {"beats": ["Joss searches the lamp room, and Mara comes up the stairs"]}
    put(desk_.folder, "volumes/vol-01/chapter-contracts/chapter-001.json", contract)
    before = len(plans(desk_))
    assert desk_.resume().exit_code == 0
    assert "Joss alone" in plans(desk_)[before]
    assert "Mara finds the mark" not in "".join(plans(desk_)[before:])


@given(
    st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=6, unique=True),
    st.lists(st.sampled_from("abcdefghxyz"), min_size=1, max_size=7, unique=True),
    st.data(),
)
def test_an_edit_loses_no_unit_and_moves_none_that_stands(
    old: list[str], new: list[str], data: st.DataObject
) -> None:
    many = st.lists(st.integers(1, len(old)), max_size=len(old), unique=True).map(sorted)
    shares = shared_out(len(old), data.draw(st.lists(many, min_size=1, max_size=4)))
    waiting = [n for n in range(1, len(shares) + 1) if data.draw(st.booleans())]
    moved = moved_shares(old, new, shares, waiting)
    assert len(moved) == len(shares)
    numbers = {n for share in moved for n in share}
    assert numbers <= set(range(1, len(new) + 1))
    if waiting:
        assert numbers == set(range(1, len(new) + 1))
    if old == new:
        assert moved == shares


# req: J2
@pytest.mark.sweep
def test_what_the_architect_added_is_marked_in_the_plan_tab(desk: OpenDesk) -> None:
    desk_ = desk(Model(scenes=THREE), contract=TWO_UNITS)
    assert killed_at_event(desk_, first_scene_done)
    session = desk_.session()
    current = read_current(session, 1, session.store.checkpoint())
    rows = ["".join(phrase.text for phrase in row) for row in plan_lines(current)]
    assert "Mara finds the key" in rows, "her own words bear no mark"
    for words in ("He comes up", "the third stair", "He sits and counts"):
        (row,) = [row for row in rows if words in row]
        assert row.endswith("  added"), row
    assert not any("She lifts the cans" in row for row in rows), "what is not sent is not shown"


# What a scene reports


def thoughtful(asked: Asked) -> Rule:
    prose = "\n\n".join(SCENES[scene_number(asked)])
    return Rule(text=f"## Pre-Writing\n\n먼저 냄새.\n\n## Prose\n\n{prose}\n\n## Hints\n\n")


# req: A7
@pytest.mark.sweep
def test_every_drafted_scene_reports_what_it_was_made_with(desk: OpenDesk) -> None:
    desk_ = desk(Model(draft=thoughtful))
    library = desk_.folder / "style-library"
    library.mkdir()
    front = "---\nkind: {}\nscene_type: dialogue\nsource: mine\n---\n“Nobody sleeps,” he said.\n"
    (library / "talk-01.md").write_text(front.format("good"))
    (library / "stale-01.md").write_text(front.format("anti"))
    ran = desk_.write()
    done = [e for e in ran.of("scene") if e.status == "finished"]
    assert [e.number for e in done] == [1, 2]
    for event in done:
        record = desk_.store.journal.recall(event.generation)
        assert record is not None
        assert (record.scene, record.pre_writing) == (event.number, "먼저 냄새.")
        assert SCENES[event.number][0] in record.generated_text
        assert record.exemplars == event.exemplars == ("talk-01", "stale-01")
        assert 50 < event.estimated_tokens < 1000
    log = (desk_.folder / "logs/pipeline.log").read_text()
    assert f"scene 1 finished: about {done[0].estimated_tokens} tokens, exemplars talk-01" in log


# Bridges


def gappy(count: int) -> dict[str, Any]:
    scenes = [
        {
            "number": n,
            "purpose": f"Step {n}",
            "location": f"room-{n}",
            "entry_emotion": f"a{n}",
            "exit_emotion": f"b{n}",
        }
        for n in range(1, count + 1)
    ]
    return {**CONTRACT, "scenes": scenes}


def any_scene(asked: Asked) -> Rule:
    return Rule(text="\n\n".join(SCENES[1 + scene_number(asked) % 2]))


# req: A6
@pytest.mark.sweep
@pytest.mark.parametrize(("bridge", "warned"), [("That night the wind turned.", 1), ("NONE", 0)])
def test_a_chapter_bridged_at_every_transition_is_a_warning(
    desk: OpenDesk, bridge: str, warned: int
) -> None:
    desk_ = desk(Model(draft=any_scene, bridge=Rule(text=bridge)), contract=gappy(3))
    ran = desk_.write(review="ask")
    assert desk_.calls().count("bridge") == 2
    assert ran.warnings.count("Every transition of this chapter would be bridged") == warned


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("who", "where", "beside"),
    [
        ("阿顺", "当铺柜台", "来人"),
        ("최기영", "세신대", "서병국"),
        ("The pawnbroker", "the counter", "a man"),
    ],
)
def test_whom_the_book_has_no_page_about_is_planned_by_name(
    desk: OpenDesk, who: str, where: str, beside: str
) -> None:
    """Until they have one: whose a scene is does not get lost on the way to its drafter."""
    mine = scene(
        "Something is pawned", units=[1], pov=who, location=where, characters=["Mara", beside]
    )
    desk_ = desk(Model(scenes=planning(mine, mine | {"purpose": "It is fetched"})), contract=BARE)
    assert desk_.write().exit_code == 0
    for plan in plans(desk_):
        assert f"Point of view: {who}\n" in plan
        assert f"Place: {where}\n" in plan
        assert f"Present: Mara, {beside}\n" in plan
