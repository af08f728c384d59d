"""At the command line: what was decided stands when the text is changed, a changed chapter says
that it was, and a breach is mended where it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.pipeline.outcome import Committed
from tests.cli.command import Ended, studio
from tests.fake_messages import Asked, Rule
from tests.pipeline.at_a_decision import BELL
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import (
    SCENES,
    Desk,
    Model,
    ask,
    block,
    directive,
    judged,
    unrefined,
)

SHOW, SUBTEXT = "dir_show_not_tell_001", "dir_dialogue_subtext_001"


def at(desk_: Desk, *arguments: str) -> Ended:
    return studio(*arguments, "--project", desk_.folder, environ=desk_.environ)


def changed_elsewhere(desk_: Desk) -> Path:
    path = desk_.staged()
    text = path.read_text("utf-8")
    path.write_text(text.replace(SCENES[2][0], f"{SCENES[2][0]} 바람이 돌았다."), "utf-8")
    return path


# req: J4
@pytest.mark.sweep
def test_a_changed_chapter_says_so_and_keeps_what_was_decided(desk: OpenDesk) -> None:
    proposals = [directive(1, 2), directive(2, 3, type="dialogue-subtext")]
    desk_ = desk(Model(refine=unrefined, judge=[judged(directives=proposals), judged()]))
    assert desk_.write(review="ask").decision.kind == "review"
    assert at(desk_, "directives", "reject", SUBTEXT, "--reason", "일부러 그랬다").code == 0
    changed_elsewhere(desk_)
    status = at(desk_, "status")
    assert "Chapter 1 was changed since it was judged" in status.err
    assert "The summary of chapter 1 is out of date." in status.err
    assert at(desk_, "status", "1", "--json").json["badges"] == ["changed since it was judged"]
    ended = at(desk_, "resume")
    assert ended.code == 4
    assert desk_.calls().count("judge") == 1
    rows = at(desk_, "directives", "list", "--json").json["directives"]
    assert {row["id"]: (row["status"], row["stands"]) for row in rows} == {
        SHOW: ("pending", "same"),
        SUBTEXT: ("rejected", "same"),
    }
    question = at(desk_, "decide", "--json").json["decision"]
    assert question["data"]["changed"] == ["2.1"]
    assert "look-again" in question["options"]
    assert at(desk_, "decide", "look-again").code == 0
    assert at(desk_, "resume").code == 4
    assert desk_.calls().count("judge") == 2
    assert at(desk_, "status", "1", "--json").json["badges"] == []


# req: J6
@pytest.mark.sweep
def test_a_breach_is_mended_from_the_command_line(desk: OpenDesk) -> None:
    def mended(asked: Asked) -> Rule:
        words = block(asked, "passage").partition("] ")[2]
        return Rule(text=words.replace("Far out a bell rang", "Far out nothing rang"))

    verdicts = [judged(4.2, violations=[BELL]), judged()]
    desk_ = desk(Model(refine=unrefined, judge=verdicts, surgery=mended))
    assert at(desk_, "write").code == 4
    question = at(desk_, "decide", "--json").json["decision"]
    assert (question["kind"], question["recommendation"]) == ("gate", "mend")
    assert question["rationale"].startswith("It breaks what was agreed: L1: ")
    assert at(desk_, "decide", "mend").code == 0
    assert at(desk_, "resume").code == 4
    assert "Far out nothing rang" in desk_.staged().read_text("utf-8")
    assert at(desk_, "decide", "commit").code == 0
    assert at(desk_, "resume").code == 0
    assert desk_.checkpoint.violations_open == ()


def test_nothing_is_to_decide_is_not_said_while_a_chapter_waits(desk: OpenDesk) -> None:
    desk_ = desk(Model(refine=unrefined))
    assert desk_.write(review="ask").decision.kind == "review"
    desk_.decide("commit")
    question = at(desk_, "decide")
    assert "Chapter 1 waits" in question.out
    refused = at(desk_, "decide", "commit")
    assert refused.code == 2
    assert "nothing to decide" not in refused.err
    assert isinstance(ask(desk_).outcome, Committed)
    assert "No decision is waiting." in at(desk_, "decide").out
