"""A committed chapter changed by hand, and files in the way: both texts are kept, she decides."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.pipeline.outcome import Committed
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import CONTRACT, DRAFT, Desk, Model, ask, judged, unrefined
from tests.project.novels import put

# Hand edits of a committed chapter


def committed(desk: OpenDesk) -> Desk:
    desk_ = desk(Model(refine=unrefined, judge=judged()))
    desk_.write()
    contract = {**CONTRACT, "chapter": 2, "title": "The Bell", "foreshadowing": []}
    put(desk_.folder, "volumes/vol-01/chapter-contracts/chapter-002.json", contract)
    edited = desk_.text().replace("boots", "clogs")
    (desk_.folder / "chapters/chapter-001.md").write_text(edited)
    desk_.server.asked.clear()
    return desk_


# req: U5
@pytest.mark.sweep
def test_an_edit_that_changed_no_events_is_taken_as_it_is(desk: OpenDesk) -> None:
    desk_ = committed(desk)
    decision = desk_.write(review="ask").decision
    assert decision.kind == "hand_edit"
    assert decision.options == ("style", "meaning", "later")
    assert desk_.server.asked == []
    desk_.decide("style")
    assert ask(desk_).decision.kind == "review"
    assert desk_.checkpoint.inflight_chapter == 2
    assert desk_.store.hand_edits() == []
    assert desk_.calls()[0] == "draft"
    assert "clogs" in desk_.text()


@pytest.mark.sweep
def test_an_edit_that_changed_events_is_read_again_first(desk: OpenDesk) -> None:
    desk_ = committed(desk)
    first = desk_.write(review="ask").decision
    session = desk_.session()
    for question in (first, session.pending(), session.status().pending_decision):
        assert question is not None
        words = question.data["options"]
        assert words["meaning"].count("It costs ") == 1, words
        assert "cost" not in words["style"]
    assert desk_.server.asked == []
    desk_.decide("meaning")
    assert ask(desk_).decision.kind == "review"
    assert desk_.checkpoint.inflight_chapter == 2
    assert desk_.calls()[:2] == ["summary", "draft"]
    assert "clogs" in desk_.text()
    assert desk_.store.hand_edits() == []
    assert desk_.checkpoint.last_completed_chapter == 1


@pytest.mark.sweep
def test_a_draft_for_the_next_chapter_never_lands_in_the_edited_one(
    desk: OpenDesk, tmp_path: Path
) -> None:
    desk_ = committed(desk)
    mine = tmp_path / "two.md"
    mine.write_text("# The Bell\n\nIt rang twice.\n")
    desk_.write(chapter=2, draft=mine, review="ask")
    desk_.decide("meaning")
    ran = desk_.write(chapter=2, draft=mine, review="ask")
    assert ran.decision.kind == "review"
    assert desk_.checkpoint.inflight_chapter == 2
    assert "clogs" in desk_.text(1)
    assert desk_.store.hand_edits() == []
    assert desk_.staged(2).read_text() == mine.read_text()


@pytest.mark.sweep
def test_an_edit_can_wait(desk: OpenDesk) -> None:
    desk_ = committed(desk)
    desk_.write(review="ask")
    desk_.decide("later")
    assert ask(desk_).decision.kind == "review"
    assert desk_.checkpoint.inflight_chapter == 2
    assert [e.chapter for e in desk_.store.hand_edits()] == [1]


# req: F13
def test_a_committed_chapter_that_is_gone_is_damage(desk: OpenDesk) -> None:
    desk_ = committed(desk)
    (desk_.folder / "chapters/chapter-001.md").unlink()
    ended = desk_.write(review="ask")
    assert ended.exit_code == 5
    assert "but the file is gone" in str(ended.outcome)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("left", ["", "# The Lamp Room\n"])
def test_an_emptied_chapter_is_no_question_of_style(desk: OpenDesk, left: str) -> None:
    desk_ = committed(desk)
    put(desk_.folder, "chapters/chapter-001.md", left)
    ended = desk_.write(review="ask")
    assert ended.exit_code == 5
    assert "no longer holds any prose" in str(ended.outcome)
    assert "`studio history restore 1`" in str(ended.outcome)
    own = desk_.folder.parent / "own.md"
    own.write_text("# The Stairs\n\nJoss came down again, and said nothing of the bell.\n")
    assert desk_.write(chapter=1, again=True, draft=own, review="accept").exit_code == 0


# Conflicts


@pytest.mark.sweep
def test_a_file_in_the_way_is_mine_or_goes_aside(desk: OpenDesk) -> None:
    for option, words in (("mine", "I wrote this."), ("aside", "Mara lifted")):
        desk_ = desk(Model(refine=unrefined), novel=option)
        put(desk_.folder, "chapters/chapter-001.md", "# Mine\n\nI wrote this.\n")
        put(desk_.folder, ".checkpoint.json", {"schema_version": 1})
        decision = desk_.write(review="accept").decision
        assert (decision.kind, decision.options) == ("conflict", ("mine", "aside"))
        assert desk_.server.asked == []
        desk_.decide(option)
        assert isinstance(desk_.resume().outcome, Committed)
        assert words in desk_.text()
        assert b"# Mine\n\nI wrote this.\n" in texts_of_history(desk_)
        assert ("draft" in desk_.calls()) == (option == "aside")


def test_a_draft_of_ones_own_takes_the_place_of_a_file_put_aside(
    desk: OpenDesk, tmp_path: Path
) -> None:
    desk_ = desk()
    put(desk_.folder, "chapters/chapter-001.md", "# Old\n\nAn old try.\n")
    put(desk_.folder, ".checkpoint.json", {"schema_version": 1})
    mine = tmp_path / "mine.md"
    mine.write_text("# New\n\nThe new one.\n")
    assert desk_.write(draft=mine).decision.kind == "conflict"
    desk_.decide("aside")
    assert isinstance(desk_.write(draft=mine).outcome, Committed)
    assert desk_.text() == "# New\n\nThe new one.\n"
    assert "draft" not in desk_.calls()


def texts_of_history(desk_: Desk) -> set[bytes]:
    lines = desk_.store.history.log()
    return {desk_.store.history.blob(line.sha) for line in lines}


# req: F11
@pytest.mark.sweep
@pytest.mark.parametrize("option", ["mine", "staged"])
def test_a_chapter_changed_before_the_commit_is_the_writers_choice(
    desk: OpenDesk, option: str
) -> None:
    """`write N --again`, and the book's file is changed while the review is open."""
    desk_ = desk(Model(refine=unrefined))
    desk_.write()
    assert desk_.write(review="ask", again=True).decision.kind == "review"
    theirs = desk_.text().replace("boots", "clogs")
    (desk_.folder / "chapters/chapter-001.md").write_text(theirs)
    desk_.decide("commit")
    decision = ask(desk_).decision
    assert (decision.kind, decision.options) == ("conflict", ("mine", "staged"))
    assert desk_.text() == theirs
    desk_.decide(option)
    ran = ask(desk_)
    if option == "mine":
        assert ran.decision.kind == "review"
        desk_.decide("commit")
        ran = ask(desk_)
    assert isinstance(ran.outcome, Committed)
    assert desk_.text() == (theirs if option == "mine" else DRAFT)
    assert {theirs.encode(), DRAFT.encode()} <= texts_of_history(desk_)


@pytest.mark.sweep
def test_a_new_chapter_that_appears_before_the_commit_is_not_overwritten(desk: OpenDesk) -> None:
    desk_ = desk(Model(refine=unrefined))
    desk_.write(review="ask")
    put(desk_.folder, "chapters/chapter-001.md", "# Mine\n\nWritten on the train.\n")
    desk_.decide("commit")
    assert ask(desk_).decision.kind == "conflict"
    assert desk_.text() == "# Mine\n\nWritten on the train.\n"
    desk_.decide("staged")
    assert isinstance(ask(desk_).outcome, Committed)
    assert desk_.text() == DRAFT
