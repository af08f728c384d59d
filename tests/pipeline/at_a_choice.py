"""A chapter in review with a choice that only its writer can make."""

from __future__ import annotations

from tests.fake_messages import Rule
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import Desk, Model, directive, judged, unrefined

CHOICE = {
    "kind": "decide",
    "issue": "그녀는 열쇠가 누구의 것인지 아는가?",
    "options": ["안다, 그리고 숨긴다.", "여기서 처음 안다."],
    "scene": 1,
    "quote": "the shape of a key",
}


def in_review(desk: OpenDesk, *choices: dict[str, object]) -> Desk:
    rule = judged(directives=[directive(2, 1)])
    answer = Rule(value={**rule.value, "counsel": list(choices or (CHOICE,))})
    desk_ = desk(Model(refine=unrefined, judge=answer))
    desk_.write(review="ask")
    return desk_
