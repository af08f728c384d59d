"""What the writer asked for is kept while a question about an earlier chapter comes first."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.pipeline.outcome import Committed
from tests.fake_messages import Rule
from tests.pipeline.at_a_decision import with_directives
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import CONTRACT, DRAFT, Desk, Model, block, unrefined
from tests.project.novels import put

REFUSED = Rule(stop_reason="refusal")
WISH = "종소리로 시작해 줘."


def with_an_edited_first_chapter(desk: OpenDesk) -> Desk:
    desk_ = desk(Model(refine=unrefined))
    assert isinstance(desk_.write().outcome, Committed)
    second = {**CONTRACT, "chapter": 2, "title": "The Bell"}
    put(desk_.folder, "volumes/vol-01/chapter-contracts/chapter-002.json", second)
    chapter = desk_.folder / "chapters/chapter-001.md"
    chapter.write_text(chapter.read_text().replace("wet where he had sat", "damp"))
    return desk_


@pytest.mark.sweep
@pytest.mark.parametrize("answer", ["style", "meaning"])
def test_a_direction_is_not_forgotten_behind_a_question(desk: OpenDesk, answer: str) -> None:
    desk_ = with_an_edited_first_chapter(desk)
    assert desk_.write(direction=WISH).decision.kind == "hand_edit"
    desk_.decide(answer)
    asked = len(desk_.server.asked) + (answer == "meaning")
    assert isinstance(desk_.resume().outcome, Committed)
    assert WISH in block(desk_.server.asked[asked], "direction")
    assert desk_.checkpoint.orders == ()


@pytest.mark.sweep
def test_a_draft_waits_and_is_taken_when_the_chapter_begins(desk: OpenDesk, tmp_path: Path) -> None:
    own = tmp_path / "mine.md"
    own.write_text(DRAFT.replace("Mara", "마라"))
    desk_ = with_an_edited_first_chapter(desk)
    ran = desk_.write(draft=own)
    assert ran.decision.kind == "hand_edit"
    assert "Your draft waits in imports/chapter-002.md" in ran.warnings
    drafts = desk_.calls().count("draft")
    desk_.decide("style")
    assert isinstance(desk_.resume().outcome, Committed)
    assert desk_.text(2) == own.read_text()
    assert desk_.calls().count("draft") == drafts
    assert not (desk_.folder / "imports").exists()


def test_a_draft_that_waits_already_is_not_written_over(desk: OpenDesk, tmp_path: Path) -> None:
    own = tmp_path / "mine.md"
    own.write_text(DRAFT.replace("Mara", "마라"))
    desk_ = with_an_edited_first_chapter(desk)
    put(desk_.folder, "imports/chapter-002.md", "# 다른 글\n\n먼저 들여온 글이다.\n")
    ran = desk_.write(draft=own)
    assert "Give your draft again with --draft" in ran.warnings
    assert "먼저 들여온" in (desk_.folder / "imports/chapter-002.md").read_text()


@pytest.mark.sweep
def test_an_order_for_the_next_chapter_waits_behind_an_edited_one(
    desk: OpenDesk, tmp_path: Path
) -> None:
    own = tmp_path / "mine.md"
    own.write_text(DRAFT.replace("Mara", "마라"))
    desk_ = with_an_edited_first_chapter(desk)
    desk_.write()
    desk_.decide("meaning")
    whole, desk_.server.answering = desk_.server.answering, lambda asked: REFUSED
    ran = desk_.write(chapter=2, draft=own, direction=WISH)
    assert ran.exit_code == 6
    desk_.server.answering = whole
    assert "Your draft waits in imports/chapter-002.md" in ran.warnings
    assert desk_.checkpoint.order_for(2).words == WISH
    assert desk_.write().committed.chapter == 2
    assert desk_.text(2) == own.read_text()


@pytest.mark.sweep
def test_a_damaged_evaluation_of_an_earlier_chapter_does_not_stop_the_next(
    desk: OpenDesk,
) -> None:
    """It is read by nothing that writes on; `verify` names it (docs/decisions.md)."""
    desk_ = desk(Model(refine=unrefined))
    desk_.write()
    second = {**CONTRACT, "chapter": 2, "title": "The Bell"}
    put(desk_.folder, "volumes/vol-01/chapter-contracts/chapter-002.json", second)
    put(desk_.folder, "evaluations/chapter-001-eval.json", "{}")
    assert isinstance(desk_.write().outcome, Committed)


def test_the_review_is_one_stage_however_often_the_surgeon_works(desk: OpenDesk) -> None:
    ran = desk(with_directives()).write()
    stages = [s for s in ran.stages if s.startswith("review")]
    assert stages == ["review started", "review finished"]
    assert ran.stages.index("review finished") < ran.stages.index("commit started")
