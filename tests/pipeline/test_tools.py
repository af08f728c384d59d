"""Look-ups on the way to an answer: the loop, its budget, its events, its record, and what it
never tells."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.pipeline.drafting.prewriter import StepBudget
from studio.pipeline.outcome import Committed, Failed
from studio.pipeline.prompting.tools.look_ups import look_ups
from tests.fake_messages import Rule
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import (
    CONTRACT,
    SETTINGS,
    Model,
    asked_for,
    drafted,
    kind_of,
)
from tests.pipeline.killing import killed_at_event
from tests.pipeline.look_ups import ALL, BRIEF, PREWRITING, looking_up, record_of
from tests.project.novels import put


# req: C11 C5
@pytest.mark.sweep
def test_a_prewriter_looks_things_up_and_its_events_and_record_say_so(desk: OpenDesk) -> None:
    uses = (("find_character", {"name": "Mara"}), ("search_manuscript", {"text": "oil"}))
    desk_ = desk(Model(brief=looking_up(*uses, then=Rule(text=BRIEF))), settings=PREWRITING)
    put(desk_.folder, "characters/active/mara.md", "# Mara\n\nShe counts\x1b[2J the stairs.\n")
    ran = desk_.write()
    assert isinstance(ran.outcome, Committed)

    first, second = asked_for(desk_, "brief")[:2]
    assert first.tools[:2] == ["find_character", "find_world"]
    assert not first.results
    person, search = second.results
    assert "She counts␛[2J the stairs." in person
    assert "no earlier chapter" in search.lower()
    assert 'name="find_character"' in person
    thinking = second.body["messages"][1]["content"][0]
    assert thinking == {
        "type": "thinking",
        "thinking": "I do not know yet.",
        "signature": "sig0",
    }

    kinds = [e.type for e in ran.events if getattr(e, "scene", None) == 1]
    order = list(dict.fromkeys(kinds))
    wanted = ["reasoning", "tool-call", "tool-result", "text", "finish"]
    assert [kind for kind in order if kind in wanted] == wanted
    assert order.index("again") < order.index("tool-call"), "its words before are taken back"
    call, result = ran.of("tool-call")[0], ran.of("tool-result")[0]
    assert (call.toolName, call.args, call.id) == ("find_character", {"name": "Mara"}, result.id)
    assert "She counts␛[2J the stairs." in result.result
    assert json.loads(call.line())["toolName"] == "find_character"

    brief = record_of(desk_, "prewriter")
    assert [c["toolName"] for c in brief["toolCalls"]] == ["find_character", "search_manuscript"]
    assert (brief["stepCount"], brief["stepsExceeded"]) == (2, False)
    assert brief["generatedText"] == BRIEF
    assert "find_character" in brief["toolsOffered"]
    assert brief["totalUsage"]["outputTokens"] > 0
    assert record_of(desk_, "scene-drafter")["prewriterBrief"] == BRIEF


# req: C6
@pytest.mark.sweep
@pytest.mark.parametrize(
    ("whole", "briefs", "writers"),
    [(10, 5, 5), (3, 1, 2), (2, 1, 1), (1, 1, 1), (5, 2, 3)],
)
def test_the_budget_is_shared_and_the_last_step_offers_no_look_up(
    desk: OpenDesk, whole: int, briefs: int, writers: int
) -> None:
    settings = f'{PREWRITING}tools = "all"\nmax_steps = {whole}\n'
    endless = {"times": 1000}
    model = Model(
        brief=looking_up(("find_state", {}), then=Rule(text=BRIEF), **endless),
        draft=looking_up(("find_state", {}), then=drafted, **endless),
    )
    desk_ = desk(model, settings=settings)
    ran = desk_.write()
    assert isinstance(ran.outcome, Committed)
    brief, draft = record_of(desk_, "prewriter"), record_of(desk_, "scene-drafter")
    assert (brief["stepCount"], draft["stepCount"]) == (briefs, writers)
    assert brief["stepsExceeded"]
    assert draft["stepsExceeded"]
    finish = next(e for e in ran.of("finish") if e.scene == 1 and e.stage == "draft")
    assert finish.stepCount == writers
    last = next(asked for asked in asked_for(desk_, "draft") if not asked.tools)
    assert len(last.results) == writers - 1
    assert "Let me see" not in desk_.text()


# req: C6
@pytest.mark.sweep
def test_steps_that_the_prewriter_leaves_are_the_writers(desk: OpenDesk) -> None:
    model = Model(
        brief=looking_up(("find_state", {}), then=Rule(text=BRIEF)),
        draft=looking_up(("find_state", {}), then=drafted, times=1000),
    )
    desk_ = desk(model, settings=f'{PREWRITING}tools = "all"\n')
    desk_.write()
    assert record_of(desk_, "prewriter")["stepCount"] == 2
    assert record_of(desk_, "scene-drafter")["stepCount"] == 8


# req: C11
@pytest.mark.sweep
def test_look_ups_are_off_or_on_by_setting_and_by_agent(desk: OpenDesk) -> None:
    offered = {}
    for name, generation, tools in (
        ("off", 'mode = "prewriter"\ntools = "off"', None),
        ("default", 'mode = "prewriter"', None),
        ("all", 'tools = "all"', None),
        ("one", 'tools = "all"', "---\ntools: [find_state]\n---\n"),
    ):
        desk_ = desk(novel=name, settings=f"{SETTINGS}[generation]\n{generation}\n")
        if tools:
            put(desk_.folder, "agents/scene-drafter.md", tools)
        assert isinstance(desk_.write().outcome, Committed)
        asked = desk_.server.asked
        offered[name] = {
            kind: len(a.tools) for a in asked if (kind := kind_of(a)) in ("brief", "draft")
        }
    assert offered["off"] == {"brief": 0, "draft": 0}
    assert offered["default"] == {"brief": 6, "draft": 0}
    assert offered["all"] == {"draft": 6}
    assert offered["one"] == {"draft": 1}


# req: C11
def test_a_server_without_tools_gets_the_blocks_and_the_record_says_so(desk: OpenDesk) -> None:
    desk_ = desk(settings=PREWRITING)
    desk_.overrides["provider.endpoints"] = {desk_.server.url: {"tools": False}}
    assert isinstance(desk_.write().outcome, Committed)
    assert all("tools" not in asked.body for asked in desk_.server.asked)
    assert record_of(desk_, "prewriter")["toolsWithheld"] == "server"
    assert record_of(desk_, "prewriter")["toolsOffered"] == []
    assert record_of(desk_, "scene-drafter")["toolsWithheld"] is None


# req: C11
@pytest.mark.sweep
def test_nothing_of_a_later_chapter_can_be_looked_up(desk: OpenDesk) -> None:
    desk_ = desk()
    plan = "volumes/vol-01/chapter-contracts/chapter-002.json"
    put(desk_.folder, plan, {**CONTRACT, "chapter": 2})
    profile = "# Mara\n\nShe counts.\n\n## From chapter 2\n\nSENTINEL she drowns.\n"
    put(desk_.folder, "characters/active/mara.md", profile)
    for chapter in (1, 2):
        assert isinstance(desk_.write(chapter=chapter).outcome, Committed)

    def answers(chapter: int) -> dict[str, str]:
        store = desk_.store
        tools = look_ups(store, store.staging_of(chapter), chapter, 1)
        args = {
            "find_character": {"name": "Mara"},
            "find_summary": {"chapter": "2"},
            "find_state": {"about": "mara"},
            "search_manuscript": {"text": "Joss came up"},
        }
        return {name: tools[name].answer(a) for name, a in args.items()}

    first, third = answers(1), answers(3)
    assert "SENTINEL" not in first["find_character"]
    assert "True now" not in first["find_character"]
    assert first["find_summary"] == "Chapter 2 does not come before this one."
    assert first["find_state"] == "Nothing is on record of 'mara'."
    assert first["search_manuscript"] == "No earlier chapter holds these words."
    assert "SENTINEL she drowns" in third["find_character"]
    assert "searches" in third["find_summary"]
    assert "text " in third["find_state"]
    assert "Chapter 2, scene 2, paragraph 1" in third["search_manuscript"]


# req: C11
@pytest.mark.sweep
def test_a_step_that_is_finished_is_not_asked_for_again_after_a_kill(desk: OpenDesk) -> None:
    model = Model(draft=looking_up(("find_state", {}), then=drafted, times=2))
    desk_ = desk(model, settings=ALL)
    assert killed_at_event(desk_, lambda event: event.type == "tool-result")
    assert len(asked_for(desk_, "draft")) == 1
    assert isinstance(desk_.resume().outcome, Committed)
    first_scene = [a for a in asked_for(desk_, "draft") if "Write scene 1" in a.prompt]
    assert [len(a.results) for a in first_scene] == [0, 1, 2]
    assert record_of(desk_, "scene-drafter")["stepCount"] == 3


# req: C11
@pytest.mark.sweep
def test_each_step_is_reserved_by_itself_against_the_cap(desk: OpenDesk) -> None:
    def model() -> Model:
        return Model(draft=looking_up(("find_state", {}), then=drafted, times=2))

    free = desk(model(), settings=ALL, novel="free")
    free.write()
    entries = free.store.journal.usage_entries()
    reserves = [e for e in entries if e.event == "reserve" and "-draft-s01-" in e.call]
    assert len(reserves) == len({e.call for e in reserves}) == 3
    first = reserves[0].reserved_usd
    assert first

    capped = desk(model(), settings=f"{ALL}[budget]\nchapter_usd = {first + 0.001}\n")
    ran = capped.write()
    assert isinstance(ran.outcome, Failed)
    assert ran.exit_code == 7
    assert len(asked_for(capped, "draft")) == 1


def test_a_look_up_that_does_not_exist_or_makes_no_sense_is_answered_in_words(
    desk: OpenDesk,
) -> None:
    uses = (
        ("delete_chapter", {"n": 1}),
        ("find_character", {"name": 7}),
        ("find_fragment", {"name": "../x"}),
    )
    desk_ = desk(Model(draft=looking_up(*uses, then=drafted)), settings=ALL)
    assert isinstance(desk_.write().outcome, Committed)
    missing, people, note = asked_for(desk_, "draft")[1].results
    assert "There is no look-up 'delete_chapter'" in missing
    assert "Mara (mara)" in people
    assert "There is no guideline" in note


# req: C6
@given(steps=st.integers(1, 100), data=st.data())
def test_steps_are_shared_out_and_what_is_not_used_comes_back(
    steps: int, data: st.DataObject
) -> None:
    budget = StepBudget(steps)
    assert budget.prewriter == max(1, steps // 2)
    used = data.draw(st.integers(1, budget.prewriter))
    assert budget.writer(used) == max(1, steps - used)
    assert budget.writer() == steps


def test_the_seeds_own_example_of_a_step_budget() -> None:
    assert StepBudget(10).prewriter == 5
    assert StepBudget(10).writer(2) == 8
