"""A volume laid out by the plot architect: what it is told, and its plans taken piece by piece."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from studio.project.store import ProjectStore
from studio.story.checkpoint import WaitingOrder
from tests.cli.conftest import Typed, reserved
from tests.cli.conftest import server as server
from tests.cli.conftest import typed as typed
from tests.fake_messages import FakeMessages, Rule
from tests.pipeline.flows import Model, block, make_novel
from tests.pipeline.volume_plan import PLAN, chapter
from tests.project.novels import put

DRAFTER = ("--agent", "scene-drafter")


def read(folder: Path, path: str) -> Any:
    return json.loads((folder / path).read_text("utf-8"))


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = make_novel(tmp_path / "novel", contract=None)
    lines = [{"id": "main", "title": "Main"}, {"id": "tide", "title": "The tide", "summary": "Up."}]
    put(folder, "storylines/storylines.json", {"schema_version": 1, "storylines": lines})
    put(folder, "world/places/tower.md", "# Tower\n\nNinety-one steps of slate.\n")
    put(folder, "characters/active/joss.md", "# Joss\n\nRows to the wreck at slack water.\n")
    owed = [{"id": "drowned_bell", "description": "The bell under the water"}]
    put(folder, "foreshadowing/global.json", {"schema_version": 1, "promises": owed})
    put(folder, ".checkpoint.json", {"schema_version": 1, "orchestrator_state": "VOL_PLANNING"})
    monkeypatch.chdir(folder)
    return folder


# req: D5 N7
def test_what_a_plan_of_the_architect_can_cost_is_said_before_it_is_asked(
    book: Path, typed: Typed, server: FakeMessages
) -> None:
    server.answering = Model(volume=PLAN)
    assert typed("config", "set", "budget.day_usd", "0.001").code == 0
    refused = typed("volume", "plan")
    assert (refused.code, server.asked) == (7, [])
    assert "The plan of volume 1 is asked for: about " in refused.err
    assert typed("config", "unset", "budget.day_usd").code == 0
    ended = typed("volume", "plan", "--json")
    assert ended.code == 4, ended.err
    assert "is asked for" not in ended.err
    assert reserved(book) == pytest.approx(ended.json["worst_usd"], rel=0.01)


@pytest.mark.sweep
def test_the_planner_of_a_serial_hears_what_an_episode_is_and_where_it_appears(
    book: Path, typed: Typed, server: FakeMessages
) -> None:
    server.answering = Model(volume=PLAN)
    assert typed("volume", "plan", "--direction", "More sea.").code == 4
    assert "episode" not in server.asked[-1].prompt
    assert typed("decide", "leave").code == 0
    settings = (book / "studio.toml").read_text("utf-8")
    put(book, "studio.toml", settings.replace("[targets]", 'form = "serial"\n[targets]'))
    mark = {"platform": "문피아", "at": "2026-11-01", "sha256": "0" * 64, "chapter": "c0ffee1"}
    put(book, "published.json", {"schema_version": 1, "marks": [mark]})
    assert typed("volume", "plan", "--direction", "More sea.").code == 4
    page = server.asked[-1].prompt
    assert "breaks off one step before an answer" in page
    assert page.count("about 240 words long") == 1, "once: in the task"
    assert "each is about 240 words long" in page
    assert "문피아" in page
    assert block(server.asked[-1], "foreshadowing") == (
        "- planned drowned_bell: The bell under the water"
    )


# req: J1
def test_what_waits_for_a_chapter_is_told_to_whoever_plans_it(
    book: Path, typed: Typed, server: FakeMessages
) -> None:
    store = ProjectStore(book)
    orders = (WaitingOrder(chapter=2, direction="Let her give it back."),)
    store.save_checkpoint(store.checkpoint().copy_with(orders=orders))
    server.answering = Model(volume=PLAN)
    wish = ("volume", "plan", "--chapters", "3", "--direction", "More sea.")
    assert typed(*wish).code == 4
    assert block(server.asked[-1], "direction") == "More sea.\n\nChapter 2: Let her give it back."
    assert typed("decide", "leave").code == 0
    assert typed(*wish[:2], "--chapters", "1").code == 4
    assert block(server.asked[-1], "direction") == "", "it is for none of these"


# req: D5 D6
def test_a_plan_of_the_architect_is_taken_piece_by_piece(
    book: Path, typed: Typed, server: FakeMessages
) -> None:
    server.answering = Model(volume=PLAN)
    ended = typed("volume", "plan", "--chapters", "3", "--direction", "More sea.", "--json")
    assert ended.code == 4, ended.err
    (asked,) = server.asked
    assert "Ninety-one steps" in block(asked, "world")
    assert "wreck at slack water" in block(asked, "people")
    assert "The bell under the water" in block(asked, "foreshadowing")
    assert "The tide" in block(asked, "storyline")
    assert "bell under the water" in block(asked, "brief")
    assert block(asked, "direction") == "More sea."
    proposal = ended.json
    assert [(c["chapter"], c["change"]) for c in proposal["chapters"]] == [
        (1, "new"),
        (2, "new"),
        (3, "new"),
    ]
    assert [promise["id"] for promise in proposal["promises"]] == ["bell", "key"]
    output = typed("decide").out
    assert "The lamp is lit once." in output
    assert "What the key opens" in output
    assert not (book / "volumes/vol-01/chapter-contracts").exists(), "nothing before the answer"

    refused = typed("decide", "accept", "--note", "7")
    assert (refused.code, "Chapter 7 is not among" in refused.err) == (2, True)
    assert typed("decide", "accept", "--note", "1 2").code == 0
    outline = (book / "volumes/vol-01/outline.md").read_text("utf-8")
    assert "Night 2" in outline
    assert "Night 3" not in outline
    plan = read(book, "volumes/vol-01/chapter-contracts/chapter-002.json")
    assert (plan["storyline_id"], plan["pov"], plan["characters"]) == ("main", None, ["mara"])
    rows = read(book, "volumes/vol-01/storyline-schedule.json")["chapters"]
    assert [(row["chapter"], row["concurrent"]) for row in rows] == [(1, []), (2, ["tide"])]
    promises = read(book, "volumes/vol-01/foreshadowing.json")["promises"]
    assert [promise["id"] for promise in promises] == ["bell"], "with the chapter that plants it"
    assert promises[0]["characters"] == ["mara"]
    assert read(book, ".checkpoint.json")["orchestrator_state"] == "WRITING"
    assert typed("verify").code == 0
    standing = typed("volume", "show", "--json").json
    assert [(c["title"], c["in_book"], c["wanted"]) for c in standing["chapters"]] == [
        ("Night 1", False, 240),
        ("Night 2", False, 240),
    ]
    assert [(p["id"], p["due"]) for p in standing["promises"] if p["id"] == "bell"] == [("bell", 3)]
    assert "Night 2" in typed("volume", "show").out
    assert typed("plan", "undo").code == 0
    assert not (book / "volumes/vol-01/chapter-contracts/chapter-002.json").exists()


# req: D5
@pytest.mark.sweep
def test_a_promise_can_be_taken_without_any_chapter(
    book: Path, typed: Typed, server: FakeMessages
) -> None:
    server.answering = Model(volume=PLAN)
    assert typed("volume", "plan", "--chapters", "3").code == 4
    assert typed("decide", "accept", "--note", "key").code == 0
    assert not (book / "volumes/vol-01/outline.md").exists()
    promises = read(book, "volumes/vol-01/foreshadowing.json")["promises"]
    assert [promise["id"] for promise in promises] == ["key"]
    assert typed("plan", "undo").code == 0
    assert typed("volume", "plan", "--chapters", "3").code == 4
    assert typed("decide", "accept").code == 0
    promises = read(book, "volumes/vol-01/foreshadowing.json")["promises"]
    assert [promise["id"] for promise in promises] == ["bell", "key"], "all of it is all of it"
    assert "Night 3" in (book / "volumes/vol-01/outline.md").read_text("utf-8")


# req: D5
@pytest.mark.sweep
@pytest.mark.repairs("W3")
def test_people_and_places_that_a_plan_introduces_are_proposed_with_it_and_made_on_her_yes(
    book: Path, typed: Typed, server: FakeMessages
) -> None:
    """Each with a name and a line; one whom the book has by another name is not made again."""
    introduces = [
        {"kind": "person", "name": "Old Tam", "line": "The ferryman, deaf in one ear."},
        {"kind": "person", "name": "Miss Wren", "line": "The pilot's girl."},
        {"kind": "place", "name": "The Landing", "line": "Nine rungs, the fourth missing."},
        {"kind": "person", "name": "Joss", "line": "Her brother."},
        {"kind": "tune", "name": "A malformed one", "line": ""},
    ]
    chapters = [
        chapter(1, characters=["mara", "Old Tam", "nobody"], place="The Landing"),
        chapter(2, characters=["miss-wren"], pov="old-tam"),
    ]
    plan = {"about": "# Who keeps the light", "chapters": chapters, "promises": []}
    server.answering = Model(volume=Rule(value=plan | {"introduces": introduces}))
    assert typed("volume", "plan", "--chapters", "2").code == 4
    output = typed("decide").out
    for words in ("Old Tam", "deaf in one ear", "Miss Wren", "The Landing", "the fourth missing"):
        assert words in output, words
    assert "Her brother" not in output
    assert not list((book / "characters/active").glob("*tam*")), "nothing before the answer"
    assert typed("decide", "accept", "--note", "1").code == 0
    tam = read(book, "characters/active/old-tam.json")
    assert (tam["name"], tam["role"]) == ("Old Tam", "The ferryman, deaf in one ear.")
    assert not list((book / "characters/active").glob("*wren*")), "with the chapter that has her"
    (landing,) = (book / "world/places").glob("*landing*")
    assert "Nine rungs" in landing.read_text("utf-8")
    contract = read(book, "volumes/vol-01/chapter-contracts/chapter-001.json")
    assert contract["characters"] == ["mara", "old-tam"]
    assert contract["location"] == landing.stem
    outline = (book / "volumes/vol-01/outline.md").read_text("utf-8")
    assert outline.startswith("Who keeps the light\n\n## Chapter 1")
    assert typed("verify").code == 0
    assert "which the book does not have" not in typed("verify").out
    drafter = typed("context", "1", "--scene", "1", *DRAFTER, "--json").json
    texts = {each["id"]: each["text"] for each in drafter["blocks"]}
    assert "Who keeps the light" in texts["volume-outline"]
    assert "deaf in one ear" in texts["people"]
    assert "Nine rungs" in texts["place"]
    assert typed("plan", "undo").code == 0
    assert not (book / "characters/active/old-tam.json").exists()


@pytest.mark.sweep
def test_the_head_of_her_own_outline_stays_when_a_volume_is_planned(
    book: Path, typed: Typed, server: FakeMessages
) -> None:
    put(book, "volumes/vol-01/outline.md", "# One\n\nMy own words.\n\n## Chapter 1\n")
    server.answering = Model(volume=PLAN)
    assert typed("volume", "plan", "--chapters", "3").code == 4
    assert typed("decide", "accept").code == 0
    outline = (book / "volumes/vol-01/outline.md").read_text("utf-8")
    assert outline.startswith("# One\n\nMy own words.\n\n## Chapter 1")
    assert "The lamp is lit once." not in outline
    put(book, "volumes/vol-01/outline.md", "# One\n\n<!-- a note -->\n\n## Chapter 1\n")
    assert typed("volume", "plan", "--chapters", "3").code == 4
    assert typed("decide", "accept").code == 0
    outline = (book / "volumes/vol-01/outline.md").read_text("utf-8")
    assert outline.startswith("# One\n\n<!-- a note -->\n\nThe lamp is lit once.\n\n## Chapter 1")


# req: D5
def test_without_a_model_that_plans_the_writer_is_shown_her_own_ways(
    book: Path, typed: Typed
) -> None:
    refused = typed("volume", "plan", "--provider", "embedded")
    assert (refused.code, "--from FILE" in refused.err) == (2, True)
    assert "is asked for" not in refused.err, "no price of what nobody can be asked for"
    refused = typed("volume", "plan", "--from", book / "brief.md", "--chapters", "3")
    assert refused.code == 2
