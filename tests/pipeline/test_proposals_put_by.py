"""What is proposed for a volume waits in the checkpoint until something of it is taken."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.errors import StudioError
from studio.pipeline.beginning.files import ProposedFiles
from studio.pipeline.beginning.steps import (
    BY_ITSELF,
    OPENED,
    as_it_stood,
    left_out_of,
    question_of,
)
from studio.pipeline.events import Emitter
from studio.pipeline.volume.left_out import (
    after_answer,
    other_put_by,
    put_by,
    with_its_volume,
)
from studio.pipeline.volume.milestones import between_chapters
from studio.pipeline.volume.proposed import opened_again
from studio.project.store import ProjectStore
from studio.story.checkpoint import Beginning, Checkpoint, Decision, DecisionKind
from studio.text.language.packs import load_pack
from tests.pipeline.flows import make_novel


def question(kind: DecisionKind, volume: int = 1, **data: object) -> Decision:
    """An open question about the book."""
    options = ("accept", "leave")
    more = {"outline": "## Chapter 1: Fog\n"} if kind == "outline" else {}
    data = {"volume": volume, **more, **data}
    return Decision(id=f"{kind}-{volume}", kind=kind, recommendation="", options=options, data=data)


PLAN, OTHER, TIDY = question("outline"), question("outline", 2), question("clean_up")


@pytest.mark.parametrize(
    ("option", "waits"), [("leave", True), ("edit", True), ("accept", False), ("choose", False)]
)
def test_a_proposal_waits_until_something_of_it_is_taken(option: str, waits: bool) -> None:
    left = after_answer(after_answer(Checkpoint(), PLAN, "leave"), PLAN, option)
    assert left.left_out == ({"volume-1": PLAN} if waits else {})
    assert Checkpoint.model_validate(left.model_dump(mode="json")).left_out == left.left_out


def test_each_volume_has_a_place_of_its_own_for_what_was_left_out() -> None:
    left = after_answer(Checkpoint(), PLAN, "leave")
    assert after_answer(left, OTHER, "leave").left_out == {"volume-1": PLAN, "volume-2": OTHER}
    assert after_answer(left, OTHER, "accept").left_out == {"volume-1": PLAN}
    both = after_answer(after_answer(left, OTHER, "leave"), TIDY, "leave")
    assert [with_its_volume(both, n) for n in ("volume", "clean-up", "volume-1")] == [
        "volume-2",
        "clean-up-1",
        "volume-1",
    ]
    assert "left_out" not in Checkpoint().model_dump(mode="json"), "older files have no such key"


def test_what_is_open_waits_where_something_else_is_asked_in_its_place() -> None:
    open_plan = Checkpoint(pending_decision=PLAN)
    for instead in ("clean-up-1", "volume-2"):
        assert other_put_by(open_plan, instead).left_out == {"volume-1": PLAN}
        assert put_by(open_plan, instead).left_out == {"volume-1": PLAN}
    assert other_put_by(open_plan, "volume-1") == open_plan, "she asked for another plan of it"


def test_what_an_earlier_studio_left_out_has_its_volume_in_its_name() -> None:
    data = Checkpoint(left_out={"volume-2": OTHER}).model_dump(mode="json")
    earlier = {**data, "left_out": {"volume": data["left_out"]["volume-2"]}}
    assert Checkpoint.model_validate(earlier).left_out == {"volume-2": OTHER}


@pytest.mark.parametrize("by_itself", [False, True])
def test_a_step_that_is_open_when_a_chapter_is_written_waits(
    tmp_path: Path, by_itself: bool
) -> None:
    """A proposal that was paid for was gone with the next `studio write`."""
    store = ProjectStore(make_novel(tmp_path / "lamps"))
    proposed = ProposedFiles({"style/profile.json": "{}"})
    style = question_of("style", proposed, by_itself=by_itself)
    if by_itself:
        style = style.model_copy(update={"data": {**style.data, BY_ITSELF: True}})
    begun = None if by_itself else Beginning(steps={"premise": "done"})
    checkpoint = store.checkpoint().copy_with(pending_decision=style, beginning=begun)
    store.save_checkpoint(checkpoint)
    pack, emit = load_pack("en"), Emitter(lambda event: None)
    assert between_chapters(store, pack, "ask", emit) is None
    after = store.checkpoint()
    assert after.pending_decision is None
    if by_itself:
        again = opened_again(store, after, "sample")
        assert again.data["files"] == style.data["files"]
    else:
        assert left_out_of(after) == ("style",)
        assert as_it_stood(store, after.beginning or Beginning(), "style") == style


@pytest.mark.parametrize("pending", [PLAN, question("brief")])
def test_a_question_that_cannot_be_put_by_is_answered_first(pending: Decision) -> None:
    with pytest.raises(StudioError, match="Another question is open"):
        put_by(Checkpoint(pending_decision=pending), "volume-1")
    again = PLAN.model_copy(update={"data": {**PLAN.data, OPENED: True}})
    there = Checkpoint(pending_decision=again, left_out={"volume-1": PLAN})
    assert put_by(there, "volume-1") == there
