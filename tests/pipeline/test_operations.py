"""Approved directives in a real run: refused, done in order, killed half way, taken back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from studio.config.load import user_config_path
from studio.fsio import fault_points
from studio.pipeline.chapter.targets import earlier
from studio.pipeline.events import DirectiveEvent, Event
from studio.pipeline.outcome import Committed
from studio.story.review.directive import DirectiveSheet
from studio.story.review.operations import OPERATIONS, Operation
from studio.text.metrics.repetition import Earlier
from tests.fake_messages import Asked, Rule
from tests.forking import in_child
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import (
    SCENES,
    Answer,
    Desk,
    Model,
    block,
    directive,
    judged,
    kind_of,
    unrefined,
)
from tests.pipeline.killing import killed_at_event, killed_at_fault


def statuses(desk_: Desk) -> dict[str, str]:
    sheet: DirectiveSheet | None = desk_.store.directives(1)
    assert sheet is not None
    return {d.id: d.status.value for d in sheet.directives}


BAD: dict[str, Answer] = {
    "too many": lambda asked: Rule(text=block(asked, "passage") + "\n\nAnd one more."),
    "the same": lambda asked: Rule(text=block(asked, "passage")),
    "an apology": Rule(text="I'm sorry, I cannot do that."),
    "a refusal": Rule(stop_reason="refusal", text="No."),
    "a number": lambda asked: Rule(text=block(asked, "passage") + " Mara counted to nine."),
    "nothing": Rule(text="  \n"),
}


# req: A13
@pytest.mark.sweep
@pytest.mark.parametrize("how", BAD)
def test_three_refusals_fail_the_directive_and_never_the_commit(desk: OpenDesk, how: str) -> None:
    desk_ = desk(Model(judge=judged(directives=[directive(1, 2)]), surgery=BAD[how]))
    ran = desk_.write()
    assert isinstance(ran.outcome, Committed)
    assert statuses(desk_) == {"dir_show_not_tell_001": "failed"}
    assert SCENES[1][1] in desk_.text()
    assert "The surgeon could not do Show, don't tell in scene" in ran.warnings
    sheet = desk_.store.directives(1)
    assert sheet is not None
    assert len(sheet.directives[0].failures) == 3
    asked = [a for a in desk_.server.asked if "Return the one paragraph" in a.prompt]
    if how == "too many":
        assert len(asked) == 3
        assert "Refused before: it has 2 paragraphs where 1 were asked for" in asked[1].prompt


# req: A14
@pytest.mark.sweep
def test_directives_are_done_one_at_a_time_by_priority_and_placed_anew(desk: OpenDesk) -> None:
    proposals = [
        directive(2, 3, type="transition-smoothing", priority=9),
        directive(2, 2, type="dialogue-subtext", priority=3),
        directive(2, 1, type="cut", priority=1, maxScope=1),
    ]
    desk_ = desk(Model(judge=judged(directives=proposals), surgery=cutting, refine=unrefined))
    desk_.write(review="ask")
    desk_.session().change_directives("accept", [], all_=True)
    ran = desk_.resume(review="ask")
    first: dict[str, dict[str, Any]] = {}  # told of again where a later fix moves it
    for event in ran.of("directive"):
        if event.directive["status"] == "applied":
            first.setdefault(event.directive["id"], event.directive)
    assert list(first) == [
        "dir_cut_001",
        "dir_dialogue_subtext_001",
        "dir_transition_smoothing_001",
    ]
    text = desk_.staged().read_text()
    assert text.count("Joss came up.") == 1
    for line in SCENES[2][1:3]:
        assert f"{line} It held there." in text
    places = [directive["location"]["paragraphStart"] for directive in first.values()]
    assert places == [1, 2, 3]


def cutting(asked: Asked) -> Rule:
    passage = block(asked, "passage")
    if SCENES[2][0] in passage:
        return Rule(text="Joss came up.")
    return Rule(text=passage.partition("] ")[2] + " It held there.")


# req: A14 F12
@pytest.mark.sweep
def test_a_passage_that_another_fix_changed_is_left_alone_and_says_so(desk: OpenDesk) -> None:
    proposals = [directive(1, 2), directive(1, 2, type="dialogue-subtext", priority=3)]
    desk_ = desk(Model(judge=judged(directives=proposals)))
    ran = desk_.write()
    assert isinstance(ran.outcome, Committed)
    assert statuses(desk_) == {
        "dir_show_not_tell_001": "kept",
        "dir_dialogue_subtext_001": "accepted",
    }
    sheet = desk_.session().directives()
    assert sheet is not None
    assert [d.id for d in sheet.directives if d.stands == "changed"] == ["dir_dialogue_subtext_001"]
    assert desk_.text().count("It held there.") == 1


def endpoint(desk_: Desk, setting: str) -> None:
    config = user_config_path(desk_.environ)
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text(f'[provider.endpoints."{desk_.server.url}"]\n{setting}\n')


def test_a_cut_needs_no_model_and_the_rest_says_that_it_does(desk: OpenDesk) -> None:
    proposals = [directive(2, 1, type="cut", priority=1), directive(1, 2)]
    desk_ = desk(Model(judge=judged(directives=proposals)))
    endpoint(desk_, 'rewrites = "no"')
    desk_.write(review="ask")
    desk_.session().change_directives("accept", [], all_=True)
    desk_.resume(review="ask")
    sheet = desk_.session().directives()
    assert sheet is not None
    assert {d.id: d.status.value for d in sheet.directives} == {
        "dir_cut_001": "applied",
        "dir_show_not_tell_001": "failed",
    }
    assert "surgery" not in desk_.calls()
    assert SCENES[2][0] not in desk_.staged().read_text()
    desk_.session().change_directives("undo", ["dir_cut_001"])
    assert SCENES[2][0] + "\n\n" + SCENES[2][1] in desk_.staged().read_text()


@pytest.mark.sweep
def test_a_small_model_is_sampled_and_its_best_answer_is_taken(desk: OpenDesk) -> None:
    worse = Rule(text="The boards were pale, and there was nothing on them that she could see.")
    desk_ = desk(Model(judge=judged(directives=[directive(1, 2)]), surgery=worse))
    endpoint(desk_, 'rewrites = "sampling"')
    ran = desk_.write()
    assert isinstance(ran.outcome, Committed)
    assert len([k for k in desk_.calls() if k == "surgery"]) == 8
    assert statuses(desk_)["dir_show_not_tell_001"] in ("failed", "kept")


# Kills


def kept(event: Event) -> bool:
    return isinstance(event, DirectiveEvent) and event.directive["status"] == "kept"


@pytest.mark.sweep
def test_a_fix_cut_off_between_sheet_and_text_is_finished_and_not_done_twice(
    desk: OpenDesk,
) -> None:
    desk_ = desk(Model(judge=judged(directives=[directive(1, 2), directive(2, 3)])))
    assert killed_at_event(desk_, kept)
    assert "It held there." not in desk_.staged().read_text()
    asked = desk_.calls().count("surgery")
    assert isinstance(desk_.resume().outcome, Committed)
    assert desk_.calls().count("surgery") == asked + 1
    assert desk_.text().count("It held there.") == 2


@pytest.mark.sweep
@pytest.mark.parametrize("change", range(2, 30, 3))
def test_an_undo_cut_off_anywhere_is_done_or_not_done(desk: OpenDesk, change: int) -> None:
    proposals = [directive(1, 2), directive(2, 3, type="dialogue-subtext")]
    desk_ = desk(Model(judge=judged(directives=proposals), refine=unrefined))
    desk_.write(review="ask")
    desk_.session().change_directives("accept", [], all_=True)
    desk_.resume(review="ask")
    assert desk_.staged().read_text().count("It held there.") == 2

    def undo() -> None:
        fault_points.arm(f"fsio.any:kill:{change}")
        desk_.session().change_directives("undo", ["dir_show_not_tell_001"])

    in_child(undo)
    ran = desk_.resume(review="ask")
    assert ran.decision.kind == "review"
    sheet = desk_.session().directives()
    assert sheet is not None
    states = {d.id: d.status.value for d in sheet.directives}
    there = f"{SCENES[1][1]} It held there." in desk_.staged().read_text()
    assert there == (states["dir_show_not_tell_001"] == "applied"), states
    assert f"{SCENES[2][2]} It held there." in desk_.staged().read_text()
    assert not desk_.checkpoint.own_text
    assert desk_.calls().count("judge") == 1


@pytest.mark.sweep
def test_a_kill_at_every_change_of_a_fix_leaves_whole_texts(desk: OpenDesk) -> None:
    """The staged chapter is always one of the two texts, never a mixture."""
    desk_ = desk(Model(judge=judged(directives=[directive(1, 2)])))
    whole = desk(Model(judge=judged(directives=[directive(1, 2)])), novel="whole")
    whole.write()
    assert killed_at_fault(desk_, "commit.before_manifest:kill")
    assert desk_.staged().read_text() == whole.text()


# req: A20
@pytest.mark.sampled
@pytest.mark.parametrize("newer", ["sheet", "directive"])
def test_a_directive_of_an_unknown_format_is_refused_and_left_as_it_is(
    desk: OpenDesk, newer: str
) -> None:
    novel = desk(Model(judge=judged(directives=[directive(1, 2)])))
    assert novel.write(review="ask").decision.kind == "review"
    path = novel.folder / "staging/evaluations/chapter-001-directives.json"
    sheet = json.loads(path.read_text())
    sheet["directives"][0].update(status="accepted")
    (sheet if newer == "sheet" else sheet["directives"][0]).update(schemaVersion=2)
    path.write_text(json.dumps(sheet))
    before, asked = path.read_bytes(), len(novel.server.asked)
    ran = novel.resume(review="accept")
    assert ran.exit_code == 5
    assert "newer version" in ran.of("error")[0].message
    assert (path.read_bytes(), len(novel.server.asked)) == (before, asked)


@pytest.mark.sweep
def test_the_chapters_before_are_read_once_in_a_run(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = []

    def reading(*of: Any) -> Earlier:
        counted.append(of)
        return earlier(*of)

    monkeypatch.setattr("studio.pipeline.chapter.view.earlier", reading)
    desk_ = desk(Model(judge=judged(directives=[directive(1, 2), directive(2, 1)])))
    assert isinstance(desk_.write().outcome, Committed)
    assert set(statuses(desk_).values()) == {"kept"}
    assert len(counted) == 1


PAGE = (Path(__file__).parents[2] / "docs/models-and-cost.md").read_text("utf-8")


@pytest.mark.parametrize("row", OPERATIONS.values(), ids=lambda row: row.type.value)
def test_a_fix_is_thought_about_as_the_documents_say(row: Operation) -> None:
    rows = [r for r in PAGE.splitlines() if r.startswith("| a fix") and f"`{row.type.value}`" in r]
    assert len(rows) == 1
    cells = [cell.strip() for cell in rows[0].split("|")[2:4]]
    assert cells == [row.effort, f"{row.temperature:g}"]


# req: A12
@pytest.mark.sampled
@pytest.mark.parametrize(("kind", "effort"), [("proofreading", "low"), ("show-not-tell", "high")])
def test_a_careful_fix_is_asked_for_with_less_effort_than_an_inventive_one(
    desk: OpenDesk, kind: str, effort: str
) -> None:
    desk_ = desk(Model(judge=judged(directives=[directive(1, 1, type=kind)])))
    desk_.write()
    asked = [asked for asked in desk_.server.asked if kind_of(asked) == "surgery"]
    assert {a.body["output_config"]["effort"] for a in asked} == {effort}
