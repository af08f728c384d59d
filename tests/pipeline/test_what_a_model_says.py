"""What a model says is not lost for its form (found.md W7, W8, W21)."""

from __future__ import annotations

import json

import pytest

from studio.llm.structured import AnswerReader
from studio.story.review.answers import JudgeAnswer
from studio.story.review.directive import DirectiveType
from studio.story.review.operations import OPERATIONS
from studio.text.guard import surgery_guard
from studio.text.language.packs import load_pack
from studio.text.prose.answer import split_sections
from tests.fake_messages import Rule
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import SCENES, Model, directive, judged, unrefined

SAID = [
    {"currentText": "Mara lifted the oil cans, one after another, and set them on the sill"},
    {"currentText": "Mara lifted the oil can, one after another and set them on a sill."},
    {"currentText": "**Mara lifted the oil cans** [...] set them on the sill."},
    {"type": "SHOW-NOT-TELL"},
    {"type": "Show, don't tell"},
    {"maxScope": "1", "priority": "high"},
    {"currentText": ""},
]


# req: J5
@pytest.mark.sampled
@pytest.mark.parametrize("other", SAID)
def test_a_proposal_is_not_dropped_for_its_form(desk: OpenDesk, other: dict[str, str]) -> None:
    opened = desk(Model(refine=unrefined, judge=judged(directives=[directive(1, 1, **other)])))
    opened.write(review="ask")
    sheet = opened.session().directives()
    assert sheet is not None
    by_judge = [d.current_text for d in sheet.directives if d.origin == "judge"]
    assert by_judge == [SCENES[1][0]]


LEAD_INS = [
    "Certainly! Here is Chapter 1 of your novel:",
    "Sure, I've kept to the plan and to her voice:",
    "好的，以下是为您撰写的第一章：",
    "네, 모자 이야기만 살려서 다시 써 보았습니다:",
]


# req: A4
@pytest.mark.sampled
@pytest.mark.parametrize("line", LEAD_INS)
def test_a_first_line_that_speaks_of_the_text_is_none_of_the_prose(
    desk: OpenDesk, line: str
) -> None:
    def drafted(asked: object) -> Rule:
        return Rule(text=f"{line}\n\n" + "\n\n".join(SCENES[1]))

    opened = desk(Model(refine=unrefined, draft=drafted))
    opened.write(review="ask")
    assert line not in opened.staged().read_text("utf-8")
    assert SCENES[1][0] in opened.staged().read_text("utf-8")


# req: J5
@pytest.mark.repairs("W7")
@pytest.mark.parametrize("kind", ["SHOW-NOT-TELL", "Show, don't tell", "show_not_tell"])
def test_a_kind_of_change_in_other_letters_is_that_kind(kind: str) -> None:
    answer = judged(directives=[directive(1, 1, type=kind)]).value
    value, _ = AnswerReader(JudgeAnswer).read(json.dumps(answer))
    assert value is not None
    assert [one.type.value for one in value.directives] == ["show-not-tell"]


# req: A4
@pytest.mark.repairs("W21")
@pytest.mark.parametrize("line", LEAD_INS)
def test_a_first_line_that_speaks_of_the_text_stays_out_of_the_prose(line: str) -> None:
    assert split_sections(f"{line}\n\n{SCENES[1][0]}").prose == SCENES[1][0]


# req: J5
@pytest.mark.repairs("W8")
@pytest.mark.parametrize(
    ("kind", "before", "after"),
    [
        ("voice-consistency", SCENES[2][0], "Boots in hand, he came up."),
        ("show-not-tell", "Joss was angry.", "Joss shut the ledger on the pen."),
        ("filter-word-removal", "Joss felt the cold come up.", "The cold came up."),
    ],
)
def test_a_pronoun_for_a_name_and_a_gesture_for_a_statement_are_not_refused_by_code(
    kind: str, before: str, after: str
) -> None:
    row = OPERATIONS[DirectiveType(kind)]
    assert surgery_guard([before], [after], row, ["Joss"], load_pack("en")) == []
