"""A fix that was taken back goes into the text again as it was made, without a call."""

from __future__ import annotations

import pytest

from studio.errors import StudioError
from studio.story.status import DirectiveStatus
from tests.fake_messages import Rule
from tests.pipeline.at_a_decision import SHOW, at_review_of_two, sheet_of, type_into
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import SCENES, ask, directive, judged


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
