"""Code's findings go before the judge by passage; it confirms, refuses or replaces each."""

from __future__ import annotations

from typing import Any

import pytest

from studio.story.review.directive import DirectiveSheet
from studio.text.oracle.report import check_text
from tests.fake_messages import Asked, Rule
from tests.pipeline.attacks import make_draft
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.drawn_rewrites import CHOICES, FRAMES
from tests.pipeline.flows import Desk, Model, block, judged

LANGUAGES = ("ko", "en", "zh")
WORDS = {name: {slot: options[0] for slot, options in CHOICES[name].items()} for name in LANGUAGES}
CROWDED = {name: FRAMES[name].format(**WORDS[name]) for name in LANGUAGES}
CALM = {
    "en": ["The boats lay in mud.", "A dog crossed the yard.", "The gate hung open."],
    "ko": ["배는 갯벌에 누웠다.", "개 한 마리가 마당을 건너갔다.", "대문이 열려 있었다."],
    "zh": ["船躺在泥里。", "一条狗穿过院子。", "院门敞着。"],
}


def text_of(language: str) -> str:
    """A chapter whose second paragraph is crowded with filter words."""
    one, two, three = CALM[language]
    return f"# T\n\n{one}\n\n{CROWDED[language]}\n\n{two}\n\n{three}\n"


def answering(answer: str, language: str, *directives: dict[str, Any]) -> Any:
    """A judge that gives one answer to the first finding."""

    def judge(asked: Asked) -> Rule:
        assert "[1.2]" in block(asked, "findings")
        assert f"[1.2] {CROWDED[language]}" in block(asked, "chapter")
        assert asked.prompt.count(CROWDED[language]) == 1
        value = judged(directives=directives).value
        assert isinstance(value, dict)
        answers = [{"finding": 1, "answer": answer, "reason": "It is her way of seeing."}]
        return Rule(value={**value, "findings": answers})

    return judge


def proposal(language: str, place: int, kind: str = "show-not-tell") -> dict[str, Any]:
    paragraphs = text_of(language).split("\n\n")[1:]
    at = {"sceneNumber": 1, "paragraphStart": place, "paragraphEnd": place}
    return {
        "type": kind,
        "priority": 2,
        "location": at,
        "issue": "It tells.",
        "currentText": paragraphs[place - 1].strip(),
        "instruction": "Show.",
        "maxScope": 1,
    }


def reviewed(desk: OpenDesk, language: str, judge: Any) -> tuple[Desk, DirectiveSheet]:
    opened = desk(Model(judge=judge))
    draft = make_draft(opened.folder, language)
    draft.write_text(text_of(language), encoding="utf-8")
    opened.write(chapter=1, draft=draft, review="ask")
    sheet = opened.session().directives()
    assert isinstance(sheet, DirectiveSheet)
    return opened, sheet


# req: A8
@pytest.mark.sampled
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_judge_confirms_stands(desk: OpenDesk, language: str) -> None:
    _, sheet = reviewed(desk, language, answering("confirm", language))
    (directive,) = sheet.directives
    assert (directive.origin, directive.confirmed) == ("code", True)
    assert directive.current_text == CROWDED[language]


# req: A8
@pytest.mark.sweep
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_judge_refuses_is_remembered_with_its_reason(
    desk: OpenDesk, language: str
) -> None:
    opened, sheet = reviewed(desk, language, [answering("refuse", language), judged()])
    assert sheet.directives == ()
    (refused,) = sheet.rejected
    assert refused.reason == "The judge: It is her way of seeing."
    opened.decide("commit")
    opened.resume(review="ask")
    opened.write(chapter=1, again=True, review="ask")
    again = opened.session().directives()
    assert again is not None
    assert again.directives == ()


# req: A10
@pytest.mark.sampled
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_replaced_gives_way_to_the_judges_own(desk: OpenDesk, language: str) -> None:
    judge = answering("replace", language, proposal(language, 2))
    _, sheet = reviewed(desk, language, judge)
    assert [(d.type.value, d.origin) for d in sheet.directives] == [("show-not-tell", "judge")]
    assert sheet.rejected == ()


def test_a_replacement_that_never_came_leaves_the_finding(desk: OpenDesk) -> None:
    _, sheet = reviewed(desk, "en", answering("replace", "en", proposal("en", 4)))
    assert {(d.type.value, d.origin) for d in sheet.directives} == {
        ("show-not-tell", "judge"),
        ("filter-word-removal", "code"),
    }


# req: A10
def test_no_unanswered_finding_takes_the_place_of_a_judges_directive(desk: OpenDesk) -> None:
    kinds = ("show-not-tell", "dialogue-subtext", "voice-consistency", "wording")
    proposals = [proposal("en", place, kind) for place, kind in enumerate(kinds, start=1)]
    proposals.append(proposal("en", 1, "transition-smoothing"))
    _, sheet = reviewed(desk, "en", judged(directives=proposals))
    assert [d.origin for d in sheet.directives] == ["judge"] * 5
    assert sheet.suppressed >= 1


def test_an_answer_to_no_finding_is_said_and_changes_nothing(desk: OpenDesk) -> None:
    def judge(asked: Asked) -> Rule:
        value = judged().value
        assert isinstance(value, dict)
        answers = [{"finding": 9, "answer": "refuse", "reason": "No."}]
        return Rule(value={**value, "findings": answers})

    _, sheet = reviewed(desk, "en", judge)
    assert [d.confirmed for d in sheet.directives] == [None]
    assert any("finding 9" in warning for warning in sheet.warnings)


# req: A10
@pytest.mark.parametrize("language", LANGUAGES)
def test_without_a_judge_at_most_three_are_shown_and_the_surest_first(language: str) -> None:
    crowded = [f"{CROWDED[language]} {n + 3}" for n in range(5)]  # no two the same
    parts = [words for one in crowded for words in (one, CALM[language][0])]
    text = "\n\n".join(["<think>", *parts])
    report = check_text(text, language)
    assert len(report.directives) == 3
    assert report.suppressed >= 2
    assert report.directives[0].type.value == "cut"
