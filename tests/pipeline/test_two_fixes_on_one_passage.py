"""Two fixes that were accepted for one passage: what the program changed on her own order is no
change by another hand, and nothing is asked twice (WRITING 4)."""

from __future__ import annotations

from typing import Any

import pytest

from studio.pipeline.stages.operate import WORDS_GONE
from tests.fake_messages import Asked, Rule
from tests.pipeline.at_a_decision import SHOW, SUBTEXT, sheet_of, type_into
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import SCENES, Desk, Model, ask, block, directive, judged, unrefined

PASSAGE = SCENES[1][1]
"""Two proposals are about it."""
TWICE = [directive(1, 2), directive(1, 2, type="dialogue-subtext", priority=3)]


def at_two(desk: OpenDesk, proposals: list[dict[str, Any]], **answers: Any) -> Desk:
    desk_ = desk(Model(**{"refine": unrefined, "judge": judged(directives=proposals), **answers}))
    assert desk_.write(review="ask").decision.kind == "review"
    return desk_


def accept(desk_: Desk) -> None:
    for fix in (SHOW, SUBTEXT):
        desk_.session().change_directives("accept", [fix])


def say(asked: Asked) -> Rule:
    """The passage with one sentence more each time."""
    passage = block(asked, "passage").partition("] ")[2]
    return Rule(text=passage + (" It held on." if "held there" in passage else " It held there."))


def test_the_second_is_made_in_the_words_of_the_first_and_nothing_is_asked_again(
    desk: OpenDesk,
) -> None:
    desk_ = at_two(desk, TWICE, surgery=say)
    accept(desk_)
    decision = ask(desk_).decision
    assert decision.data["still"] == []
    assert "Still?" not in decision.rationale
    sheet = sheet_of(desk_)
    assert [sheet[fix].status.value for fix in (SHOW, SUBTEXT)] == ["applied", "applied"]
    passages = [block(a, "passage") for a in desk_.server.asked if block(a, "passage")]
    assert passages[-1].endswith(f"{PASSAGE} It held there.")
    assert f"{PASSAGE} It held there. It held on." in desk_.staged().read_text("utf-8")


def test_each_of_both_is_taken_back_alone_the_later_one_first(desk: OpenDesk) -> None:
    desk_ = at_two(desk, TWICE, surgery=say)
    accept(desk_)
    ask(desk_)
    desk_.session().change_directives("undo", [SUBTEXT])
    assert f"{PASSAGE} It held there.\n" in desk_.staged().read_text("utf-8")
    desk_.session().change_directives("undo", [SHOW])
    text = desk_.staged().read_text("utf-8")
    assert PASSAGE in text
    assert "It held there." not in text


def test_it_is_asked_again_where_she_typed_into_it_besides(desk: OpenDesk) -> None:
    desk_ = at_two(desk, TWICE, surgery=say)
    desk_.session().change_directives("accept", [SHOW])
    ask(desk_)
    desk_.session().change_directives("accept", [SUBTEXT])
    type_into(desk_, "It held there.", "It held there all night.")
    decision = ask(desk_).decision
    assert decision.data["still"] == [SUBTEXT]
    assert sheet_of(desk_)[SUBTEXT].status.value == "accepted"


def test_it_is_asked_again_where_she_gave_the_words_herself(desk: OpenDesk) -> None:
    desk_ = at_two(desk, TWICE, surgery=say)
    desk_.session().change_directives("accept", [SUBTEXT])
    desk_.session().change_directives("edit", [SHOW], text=f"{PASSAGE} She let it.")
    decision = ask(desk_).decision
    assert decision.data["still"] == [SUBTEXT]
    assert f"{PASSAGE} She let it." in desk_.staged().read_text("utf-8")


@pytest.mark.sweep
def test_words_that_went_with_the_first_are_said_once_and_not_asked_about(desk: OpenDesk) -> None:
    words = SCENES[2][2].partition(" The stove")[0]
    quoted = directive(2, 3, type="dialogue-subtext", priority=3, currentText=words)
    both = [directive(2, 3), quoted]

    def without(asked: Asked) -> Rule:
        passage = block(asked, "passage").partition("] ")[2]
        return Rule(text=passage.replace(words, "The lamp was lit."))

    desk_ = at_two(desk, both, surgery=without)
    accept(desk_)
    ran = ask(desk_)
    sheet = sheet_of(desk_)
    assert sheet[SHOW].status.value == "applied"
    assert (sheet[SUBTEXT].status.value, sheet[SUBTEXT].is_open) == ("failed", False)
    assert sheet[SUBTEXT].failures == (WORDS_GONE,)
    assert ran.decision.data["still"] == []
    assert desk_.calls().count("surgery") == 1
    assert "words that it speaks of" not in ask(desk_).warnings
