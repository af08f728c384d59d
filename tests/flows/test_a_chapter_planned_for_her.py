"""The plan of one chapter proposed by the plot architect, and taken field by field."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Input, OptionList

from studio.pipeline.direction import keep_direction
from studio.project.store import ProjectStore
from studio.story.ledger import Estimate
from studio.tui.screens.ask import Ask
from studio.tui.screens.editing.plan_proposal import PlanProposal
from studio.tui.screens.form import FormScreen
from tests.cli.conftest import Typed
from tests.cli.conftest import typed as typed
from tests.fake_messages import Rule
from tests.flows.plans_for_her import (
    ANSWER,
    OTHER,
    Asks,
    answering,
    planning,
    row_of_people,
    to_its_plan,
    to_its_proposal,
)
from tests.flows.plans_for_her import asks as asks
from tests.flows.plans_for_her import book as book
from tests.pipeline.flows import Model, block, kind_of, unrefined
from tests.project.novels import put


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("wish", "scenes"),
    [
        ("One scene, about 800 words.", 1),
        ("一场，八百字", 1),
        ("장면 하나, 800자", 1),
        ("Two scenes, 800 words in all.", 2),
        ("两场，一共八百字", 2),
        ("장면은 둘, 모두 800자", 2),
    ],
)
def test_the_length_and_the_scenes_of_her_wish_are_in_the_plan(
    book: Path, typed: Typed, asks: Asks, wish: str, scenes: int
) -> None:
    settings = (book / "studio.toml").read_text("utf-8")
    language = {"O": "en", "T": "en", "一": "zh", "两": "zh"}.get(wish[0], "ko")
    put(book, "studio.toml", settings.replace('language = "en"', f'language = "{language}"'))
    asks(Model(plan=Rule(value=ANSWER)))
    ended = typed("plan", "propose", "1", "--direction", wish, "--take", "all", "--json")
    assert ended.code == 0, ended.err
    assert ended.json["proposed"]["length"] == 800
    plan = json.loads((book / "volumes/vol-01/chapter-contracts/chapter-001.json").read_text())
    assert plan["target_length"] == 800
    assert len(plan["scenes"]) == scenes
    assert "Mara counts the cans." in plan["scenes"][0]["purpose"]


WHOLE = "Mara counts the cans before Joss comes up the stairs."


@pytest.mark.parametrize(
    ("hers", "happens", "ends"),
    [
        (WHOLE, ANSWER["happens"], [WHOLE, "She has the key"]),
        ("Mara finds the key.", ["Mara finds the key.", *ANSWER["happens"]], ["She has the key"]),
    ],
)
def test_her_sentence_about_the_whole_chapter_is_no_step_of_it(
    book: Path, typed: Typed, asks: Asks, hers: str, happens: list[str], ends: list[str]
) -> None:
    """Met: it was the first step, so that the first scene was told the end of the chapter."""
    answer = {**ANSWER, "happens": [hers, *ANSWER["happens"]]}
    server = asks(Model(plan=Rule(value=answer)))
    assert typed("plan", "add", "The Lamp", "--happens", hers).code == 0
    proposed = typed("plan", "propose", "2", "--json").json["proposed"]
    assert (proposed["happens"], proposed["ends"]) == (happens, ends)
    assert "it is no step" in server.asked[0].prompt


def test_a_narrator_without_a_name_is_no_card(book: Path, typed: Typed, asks: Asks) -> None:
    """Met: “who tells it” was among the people after the plan was saved."""
    present = ["characters.narrator", "who tells it", "Old Tam"]
    answer = {**ANSWER, "characters": present, "pov": "narrator"}
    asks(Model(plan=Rule(value=answer)))
    ended = typed("plan", "propose", "1", "--json")
    assert ended.code == 0, ended.out + ended.err
    proposed = ended.json["proposed"]
    assert proposed["people"] == ["Old Tam"]
    assert proposed["seen_by"] == "Mara", "as it was planned"


# req: H1
def test_a_plan_is_proposed_and_fields_of_it_are_taken(
    book: Path, typed: Typed, asks: Asks
) -> None:
    path = book / "volumes/vol-01/chapter-contracts/chapter-001.json"
    before = path.read_bytes()
    server = asks(Model(plan=Rule(value=ANSWER)))
    order = ("plan", "propose", "1", "--direction", "More stairs.")
    ended = typed(*order)
    assert ended.code == 0, ended.err
    assert "  + Joss comes up the stairs." in ended.out
    assert "is asked for: " in ended.err
    assert path.read_bytes() == before
    assert "New in the book" in ended.out
    assert "  + The Landing: Nine rungs, the fourth missing." in ended.out
    taken = typed(*order, "--take", "happens,ends,people,place,introduces", "--json").json
    assert len(server.asked) == 1
    asked = server.asked[0]
    assert "Mara finds the key" in block(asked, "contract")
    assert block(asked, "direction") == "More stairs."
    assert taken["taken"] == ["happens", "people", "place", "ends", "introduces"]
    assert taken["proposed"]["promises"] == [
        {"action": "plant", "promise": "The bell under the water"}
    ]
    listing = typed("plan", "list", "--json")
    assert listing.code == 0
    contract = path.read_text("utf-8")
    assert "Mara counts the cans." in contract
    assert "She has the key" in contract
    assert '"target_length": 240' in contract
    cards = "".join(p.read_text() for p in (book / "characters/active").iterdir())
    assert "Old Tam" in cards
    assert "The ferryman: deaf in one ear." in cards
    texts = {
        b["id"]: b["text"] for b in typed("context", "1", "--scene", "1", "--json").json["blocks"]
    }
    assert "Nine rungs, the fourth missing." in texts["place"]
    assert "Old Tam\nThe ferryman: deaf in one ear." in texts["people"]
    assert "Place: The Landing" in texts["scene-plan"]
    assert typed("verify").code == 0
    assert typed("plan", "undo").code == 0
    assert path.read_bytes() == before
    assert typed("plan", "propose", "1", "--take", "mood").code == 2


# req: H1 J7
def test_another_plan_is_had_with_what_she_wants_otherwise(
    book: Path, typed: Typed, asks: Asks
) -> None:
    server = asks(Model(plan=answering(ANSWER, OTHER)))
    order = ("plan", "propose", "1", "--direction", "More stairs.")
    assert "  + Mara counts the cans." in typed(*order).out
    again = typed(*order, "--again", "Slower.", "--take", "happens")
    assert again.code == 0, again.err
    assert "  + Mara counts the steps." in again.out
    assert len(server.asked) == 2, "the first is not paid for twice"
    asked = server.asked[1]
    assert block(asked, "direction") == "More stairs.\nSlower."
    assert "Joss comes up the stairs." in block(asked, "before")
    assert "Mara counts the steps." in (
        book / "volumes/vol-01/chapter-contracts/chapter-001.json"
    ).read_text("utf-8")


# req: H1 J7
@pytest.mark.sweep
async def test_on_its_page_another_plan_is_had_and_what_she_left_out_stays_out(book: Path) -> None:
    async with planning(book, Model(plan=answering(ANSWER, OTHER))) as (server, studio):
        await to_its_proposal(studio)
        rows = studio.app.screen.query_one(OptionList)
        rows.highlighted = row_of_people(rows)
        await studio.press("space", "f9")
        await studio.sees(Ask, "What do you want otherwise?")
        assert "cent" in studio.screen, "what it costs is said first"
        await studio.press("enter")
        await studio.sees(Ask)
        await studio.answer(Ask, "Slower.")
        await studio.sees(PlanProposal, "+ Mara counts the steps.")
        assert "Mara counts the cans." not in studio.screen
        assert "Joss comes up the stairs." in block(server.asked[1], "before")
        assert block(server.asked[1], "direction") == "Slower."
        await studio.press("enter")
        await studio.sees(FormScreen, "Mara counts the steps.")
        form = studio.app.screen
        assert isinstance(form, FormScreen)
        await studio.until(lambda: form.values["ends"] == "Joss has the key", "the fields")
        assert form.values["people"] == "Mara, Joss"


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("wish", "again", "direction"),
    [
        ("Let the razor be frightening.", "", "Let the razor be frightening."),
        ("Mara counts the cans.", "", ""),
        ("", "Let Joss come up.", ""),
        ("", "A barber who never stops talking.", "A barber who never stops talking."),
        ("Let the razor be frightening.", "Joss comes up.", "Let the razor be frightening."),
    ],
)
def test_what_she_wants_of_the_chapter_and_a_plan_cannot_hold_reaches_who_writes_and_judges_it(
    book: Path, typed: Typed, asks: Asks, wish: str, again: str, direction: str
) -> None:
    """Met: how a chapter was to sound was told to its planner, and to nobody else."""
    server = asks(Model(plan=Rule(value=ANSWER), refine=unrefined))
    otherwise = ("--again", again) if again else ()
    ended = typed("plan", "propose", "1", "--direction", wish, *otherwise, "--take", "all")
    assert ended.code == 0, ended.err
    assert ("Told to whoever writes and judges the chapter" in ended.out) is bool(direction)
    asked = len(server.asked)
    assert typed("write", "1", "--review", "accept").code == 0
    directions = [(kind_of(a), block(a, "direction")) for a in server.asked[asked:]]
    for kind in ("draft", "judge"):
        assert {words for who, words in directions if who == kind} == {direction}, kind


@pytest.mark.sweep
def test_a_wish_for_a_chapter_that_is_not_next_stays_with_its_plan(
    book: Path, typed: Typed, asks: Asks
) -> None:
    asks(Model(plan=Rule(value=ANSWER)))
    ended = typed("plan", "propose", "2", "--direction", "Frightening.", "--take", "all")
    assert ended.code == 0, ended.err
    assert "Told to whoever" not in ended.out
    assert ProjectStore(book).checkpoint().orders == ()


# req: J1
def test_what_waits_for_a_chapter_is_told_to_its_planner(
    book: Path, typed: Typed, asks: Asks
) -> None:
    server = asks(Model(plan=Rule(value=ANSWER)))
    keep_direction(ProjectStore(book), "Let her give it back.")
    for wish in ("More stairs.", "Let her give it back."):
        assert typed("plan", "propose", "1", "--direction", wish, "--take", "title").code == 0
    first, second = (block(asked, "direction") for asked in server.asked)
    assert first == "Let her give it back.\nMore stairs."
    assert second.count("give it back") == 1


def test_without_a_model_that_plans_one_sentence_says_so(
    book: Path, typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(book)
    ended = typed("plan", "propose", "1")
    assert (ended.code, "No model is set that can plan" in ended.err) == (2, True)


# req: H1
@pytest.mark.sweep
async def test_in_the_form_it_comes_field_by_field(book: Path) -> None:
    async with planning(book, Model(plan=Rule(value=ANSWER))) as (_, studio):
        await to_its_plan(studio)
        await studio.press("f9")
        await studio.sees(Ask, "Plan chapter 1 for me")
        await studio.press(*"Frightening.", "enter")
        await studio.sees(PlanProposal)
        rows = studio.app.screen.query_one(OptionList)
        await studio.until(lambda: rows.option_count, "what is proposed")
        assert "+ Mara counts the cans." in studio.screen
        rows.highlighted = row_of_people(rows)
        await studio.press("space", "enter")
        await studio.sees(FormScreen, "Mara counts the cans.")
        form = studio.app.screen
        assert isinstance(form, FormScreen)
        await studio.until(lambda: form.values["ends"] == "She has the key", "the fields")
        assert form.values["introduces"].splitlines() == [
            "Old Tam: The ferryman: deaf in one ear.",
            "The Landing (place): Nine rungs, the fourth missing.",
        ]
        assert form.values["people"] == "Mara, Joss"
        await studio.press("ctrl+s")
        await studio.until(lambda: studio.app.screen is studio.desk, "the desk")
        await studio.until(
            lambda: "writes and judges the chapter: Frightening." in studio.told, "it"
        )
        assert studio.store.checkpoint().order_for(1).direction == "Frightening."
        contract = studio.store.contract(1)
        assert contract is not None
        assert contract.beats == tuple(ANSWER["happens"])
        assert contract.location == "the-landing"
        assert "the fourth missing" in studio.store.world_docs()["world/places/the-landing.md"]
        tam = studio.store.characters()["old-tam"].contract
        assert tam is not None
        assert tam.role == "The ferryman: deaf in one ear."


# req: H1 J7
@pytest.mark.sweep
async def test_a_row_she_left_out_stands_as_left_out_though_it_is_not_proposed_again(
    book: Path,
) -> None:
    other = {**OTHER, "characters": ["mara", "joss"], "place": "", "introduces": []}
    async with planning(book, Model(plan=answering(ANSWER, other))) as (_, studio):
        await to_its_proposal(studio)
        rows = studio.app.screen.query_one(OptionList)
        rows.highlighted = row_of_people(rows)
        await studio.press("space", "f9")
        await studio.answer(Ask, "Slower.")
        await studio.sees(PlanProposal, "+ Mara counts the steps.")
        assert "+ Mara, Old Tam" in studio.screen
        assert "✓ Who is there" not in studio.screen
        rows.highlighted = row_of_people(rows)
        await studio.press("space")
        await studio.until(lambda: "✓ Who is there" in studio.screen, "it can be ticked")
        await studio.press("up", "space", "enter")
        await studio.sees(FormScreen, "Mara counts the steps.")
        form = studio.app.screen
        assert isinstance(form, FormScreen)
        assert form.values["people"] == "Mara, Joss"


# req: H1 J7
@pytest.mark.sweep
async def test_while_another_plan_is_made_the_page_stands_as_it_was(book: Path) -> None:
    rest = [Rule(value=ANSWER), Rule(mode="slow")]
    async with planning(book, Model(plan=lambda _: rest.pop(0))) as (_, studio):
        await to_its_proposal(studio)
        await studio.press("f9")
        await studio.answer(Ask, "Slower.")
        await studio.sees(PlanProposal, "Esc stops it")
        page, before = studio.app.screen, studio.screen
        for name in ("space", "enter", "f9"):
            await studio.press(name)
            assert studio.app.screen is page
            assert "The model is still planning. Esc stops it." in studio.told
        await studio.pilot.click(OptionList, offset=(5, 0))
        await studio.pilot.resize_terminal(90, 30)
        await studio.until(lambda: "+ Mara counts the cans." in studio.screen, "the rows")
        assert studio.app.screen is page
        assert studio.screen.count("✓") == before.count("✓")
        assert "did not expect" not in studio.told
        await studio.press("escape")
        await studio.until(lambda: "Stopped; nothing was changed." in studio.told, "the end")
        await studio.press("enter")
        await studio.sees(FormScreen, "Mara counts the cans.")


@pytest.fixture
def may_price(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """The price of a proposed plan is read once this is set."""
    from studio.pipeline.book_runs.chapter_planner import ChapterPlanner

    price, may_read = ChapterPlanner.price, threading.Event()

    def late(*args: Any) -> Estimate:
        may_read.wait()
        return price(*args)

    monkeypatch.setattr(ChapterPlanner, "price", late)
    return may_read


# req: H1 K1
@pytest.mark.sweep
async def test_words_typed_before_the_box_is_there_are_in_it(
    book: Path, may_price: threading.Event
) -> None:
    """Met: half of them stood in the plan's field, and the other half was gone."""
    async with planning(book, Model(plan=Rule(value=ANSWER))) as (_, studio):
        await to_its_plan(studio)
        before = studio.app.screen.values
        try:
            await studio.press("f9", "t", "w", "o")
            assert studio.app.screen.values == before
        finally:
            may_price.set()
        await studio.sees(Ask, "Plan chapter 1 for me")
        await studio.until(lambda: studio.app.screen.query_one(Input).value == "two", "her words")
        await studio.press("escape")
        await studio.sees(FormScreen)
        await studio.press("x")
        await studio.until(lambda: studio.app.screen.values != before, "keys for the form again")


# req: H1 K1
@pytest.mark.sweep
async def test_a_key_pressed_twice_asks_once_for_her_wish(
    book: Path, may_price: threading.Event
) -> None:
    async with planning(book, Model(plan=Rule(value=ANSWER))) as (_, studio):
        await to_its_plan(studio)
        try:
            await studio.press("f9", "f9")
        finally:
            may_price.set()
        await studio.sees(Ask, "Plan chapter 1 for me")
        await studio.press("escape")
        await studio.until(lambda: not isinstance(studio.app.screen, Ask), "its end")
        await studio.pilot.pause(0.1)
        assert isinstance(studio.app.screen, FormScreen)


async def test_what_stays_of_a_field_neither_goes_nor_comes(book: Path) -> None:
    """Met: her own sentence below − and once more below +."""
    answer = {**ANSWER, "happens": ["Mara finds the key", *ANSWER["happens"]]}
    async with planning(book, Model(plan=Rule(value=answer))) as (_, studio):
        await to_its_proposal(studio)
        rows = [" ".join(row.split()) for row in studio.screen.splitlines()]
        assert "+ Joss comes up the stairs." in rows
        assert "Mara finds the key" in rows
        assert not {"− Mara finds the key", "+ Mara finds the key"} & set(rows)
