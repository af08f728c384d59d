"""A fix that was taken back goes into the text again as it was made, without a call."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from studio.errors import StudioError
from studio.project.author.passage_locks import keep_passage
from studio.project.history.reasons import Reason
from studio.project.staging import Staging
from studio.story.review.passage import PassagePlace
from studio.story.status import DirectiveStatus
from tests.fake_messages import Asked, Rule
from tests.pipeline.at_a_decision import (
    SHOW,
    at_review_of_two,
    growing,
    sheet_of,
    statuses,
    type_into,
)
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import SCENES, Desk, ask, block, directive, judged

CUT = "dir_cut_001"


def test_what_u_took_back_by_mistake_is_put_in_again_without_a_call(desk: OpenDesk) -> None:
    desk_ = at_review_of_two(desk)
    desk_.session().change_directives("accept", [SHOW])
    ask(desk_)
    text, calls = desk_.staged().read_text("utf-8"), len(desk_.server.asked)
    desk_.session().change_directives("undo", [SHOW])
    assert desk_.staged().read_text("utf-8") != text
    (fix,) = desk_.session().change_directives("accept", [SHOW])
    assert (fix.status, fix.accepted_by) == (DirectiveStatus.KEPT, "name")
    assert desk_.staged().read_text("utf-8") == text
    desk_.session().change_directives("undo", [SHOW])
    assert SCENES[1][1] in desk_.staged().read_text("utf-8")
    desk_.session().change_directives("accept", [SHOW])
    assert "surgery" not in desk_.calls()[calls:]
    assert len(desk_.server.asked) == calls


def test_taken_back_it_stays_in_the_review_of_a_chapter_that_is_opened_again(
    desk: OpenDesk,
) -> None:
    """Met: after Ctrl+R it was gone from the list, and proposed once more beside her no."""
    desk_ = at_review_of_two(desk)
    desk_.session().change_directives("accept", [SHOW])
    ask(desk_)
    desk_.session().change_directives("undo", [SHOW])
    desk_.decide("commit")
    ask(desk_)
    desk_.write(review="ask", chapter=1, again=True)
    assert [d.type.value for d in sheet_of(desk_).values()].count("show-not-tell") == 1
    assert statuses(desk_)[SHOW] == "undone"
    calls = len(desk_.server.asked)
    desk_.session().change_directives("accept", [SHOW])
    assert "It held there." in desk_.staged().read_text("utf-8")
    assert len(desk_.server.asked) == calls


def test_it_is_not_put_over_words_that_she_typed_since(desk: OpenDesk) -> None:
    desk_ = at_review_of_two(desk)
    desk_.session().change_directives("accept", [SHOW])
    ask(desk_)
    desk_.session().change_directives("undo", [SHOW])
    type_into(desk_, SCENES[1][1], f"{SCENES[1][1]} The wind had gone round.")
    with pytest.raises(StudioError, match="cannot be accepted now"):
        desk_.session().change_directives("accept", [SHOW])
    assert sheet_of(desk_)[SHOW].status is DirectiveStatus.UNDONE


def test_a_cut_is_taken_again_too(desk: OpenDesk) -> None:
    cut = directive(2, 1, type="cut")
    desk_ = at_review_of_two(desk, judge=judged(directives=[cut]), surgery=Rule(text="NONE"))
    desk_.session().change_directives("accept", ["dir_cut_001"])
    ask(desk_)
    text = desk_.staged().read_text("utf-8")
    assert SCENES[2][0] not in text
    for _ in range(2):
        desk_.session().change_directives("undo", ["dir_cut_001"])
        assert SCENES[2][0] in desk_.staged().read_text("utf-8")
        desk_.session().change_directives("accept", ["dir_cut_001"])
        assert desk_.staged().read_text("utf-8") == text


def at_two_taken_back(desk: OpenDesk) -> Desk:
    """A cut of the second paragraph and a rewrite of the fourth, both made and both taken back."""
    two = [directive(1, 2, type="cut"), directive(1, 4)]
    desk_ = at_review_of_two(desk, judge=judged(directives=two), surgery=cut_or_grown)
    desk_.session().change_directives("accept", [CUT, SHOW])
    ask(desk_)
    desk_.session().change_directives("undo", [CUT, SHOW])
    assert set(statuses(desk_).values()) == {"undone"}
    return desk_


def cut_or_grown(asked: Asked) -> Rule:
    return Rule(text="NONE") if SCENES[1][1] in block(asked, "passage") else growing(asked)


def test_two_are_taken_again_though_the_first_moves_the_second(desk: OpenDesk) -> None:
    desk_ = at_two_taken_back(desk)
    desk_.session().change_directives("accept", [CUT, SHOW])
    text = desk_.staged().read_text("utf-8")
    assert SCENES[1][1] not in text
    assert f"{SCENES[1][3]} It held there." in text
    assert statuses(desk_) == {CUT: "kept", SHOW: "kept"}


def test_what_was_put_in_before_another_was_refused_is_kept_and_can_be_undone(
    desk: OpenDesk,
) -> None:
    desk_ = at_two_taken_back(desk)
    keep_passage(desk_.store, 1, PassagePlace(1, 4, 4))
    with pytest.raises(StudioError, match="You keep the passage"):
        desk_.session().change_directives("accept", [CUT, SHOW])
    assert statuses(desk_) == {CUT: "kept", SHOW: "undone"}
    text = desk_.staged().read_text("utf-8")
    assert SCENES[1][1] not in text
    assert SCENES[1][3] in text
    assert "It held there." not in text
    desk_.session().change_directives("undo", [CUT])
    assert SCENES[1][1] in desk_.staged().read_text("utf-8")


def test_killed_between_its_two_files_it_can_be_taken_again_still(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk_ = at_two_taken_back(desk)
    written: list[str] = []

    def killed_at_the_second(name: str, write: Callable[..., Any]) -> Callable[..., Any]:
        def put(*args: Any) -> Any:
            if written:
                raise KeyboardInterrupt
            written.append(name)
            return write(*args)

        return put

    with monkeypatch.context() as patch:
        for name in ("put_text", "put_sheet"):
            patch.setattr(Staging, name, killed_at_the_second(name, getattr(Staging, name)))
        with pytest.raises(KeyboardInterrupt):
            desk_.session().change_directives("accept", [CUT])
    assert SCENES[1][1] in desk_.staged().read_text("utf-8")
    assert statuses(desk_)[CUT] == "undone"
    desk_.session().change_directives("accept", [CUT])
    assert SCENES[1][1] not in desk_.staged().read_text("utf-8")


NOTE, LATER = "<!-- ask Minji -->", "<!-- which key? -->"


@pytest.mark.parametrize("surgery", [growing, Rule(text="NONE")])
def test_notes_to_people_stay_those_typed_since_too(desk: OpenDesk, surgery: Any) -> None:
    cut = directive(1, 2, type="show-not-tell" if callable(surgery) else "cut")
    desk_ = at_review_of_two(desk, judge=judged(directives=[cut]), surgery=surgery)
    id_ = SHOW if callable(surgery) else CUT
    type_into(desk_, "the boards were pale,", f"the boards {NOTE} were pale,")
    desk_.session().change_directives("accept", [id_])
    ask(desk_)
    text = desk_.staged().read_text("utf-8")
    assert NOTE in text
    desk_.session().change_directives("undo", [id_])
    desk_.session().change_directives("accept", [id_])
    assert desk_.staged().read_text("utf-8") == text
    desk_.session().change_directives("undo", [id_])
    type_into(desk_, "the shape of a key", f"the shape {LATER} of a key")
    before = desk_.staged().read_text("utf-8")
    desk_.session().change_directives("accept", [id_])
    now = desk_.staged().read_text("utf-8")
    assert NOTE in now
    assert LATER in now
    desk_.session().change_directives("undo", [id_])
    assert desk_.staged().read_text("utf-8") == before


def test_a_cut_put_in_beside_changed_neighbours_can_be_undone_again(desk: OpenDesk) -> None:
    desk_ = at_two_taken_back(desk)
    type_into(desk_, SCENES[1][0], "Mara came in.")
    type_into(desk_, SCENES[1][2], "The wind spoke.")
    before = desk_.staged().read_text("utf-8")
    desk_.session().change_directives("accept", [CUT])
    desk_.session().change_directives("undo", [CUT])
    assert desk_.staged().read_text("utf-8") == before


def test_a_locked_passage_is_left_as_it_is(desk: OpenDesk) -> None:
    desk_ = at_two_taken_back(desk)
    keep_passage(desk_.store, 1, PassagePlace(1, 2, 2))
    before = desk_.staged().read_text("utf-8")
    with pytest.raises(StudioError, match="You keep the passage"):
        desk_.session().change_directives("accept", [CUT])
    assert desk_.staged().read_text("utf-8") == before


def test_history_says_of_a_cut_without_a_call_that_it_was_cut_on_her_word(desk: OpenDesk) -> None:
    desk_ = at_review_of_two(desk)
    desk_.session().change_directives("edit", [SHOW], text="")
    ask(desk_)
    desk_.session().change_directives("undo", [SHOW])
    desk_.session().change_directives("accept", [SHOW])
    last = (desk_.folder / "history/log.jsonl").read_text("utf-8").splitlines()
    reasons = [row["reason"] for row in map(json.loads, last) if row["path"].endswith(".md")]
    assert reasons[-1] == Reason.CUT
