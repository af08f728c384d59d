"""Values out of what models really send, and one repair."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.llm.errors import ModelError
from studio.llm.structured import NOT_JSON, AnswerReader, find_values, form_of, storable
from studio.story.review.answers import JudgeAnswer, SummaryAnswer
from tests.fake_answers import from_schema
from tests.fake_messages import Rule
from tests.llm.asking import LOCAL, MemoryJournal, asked, gateway_at
from tests.llm.conftest import Serve

SUMMARY = {"summary": "마라가 열쇠를 찾는다.", "ops": [], "crossref": [], "memory": ""}
PLAIN = json.dumps(SUMMARY, ensure_ascii=False)


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        f"\ufeff  {PLAIN}\n",
        f"```json\n{PLAIN}\n```",
        f"Here is the summary you asked for {{short}}:\n\n{PLAIN}\n\nI hope it helps.",
        f'{PLAIN}\n{{"summary": "a second one"}}',
        f'{{"thoughts": "none"}} {PLAIN}',
        PLAIN.replace('"', "“", 1).replace('"', "”", 1),
        json.dumps({**SUMMARY, "mood": "grim"}, ensure_ascii=False),
    ],
    ids=["plain", "bom", "fenced", "prose around", "two", "second fits", "curly", "extra key"],
)
def test_the_object_is_found_in_what_is_around_it(text: str) -> None:  # req: M4
    value, faults = AnswerReader(SummaryAnswer).read(text)
    assert faults == []
    assert value is not None
    assert value.summary == "마라가 열쇠를 찾는다."


@pytest.mark.parametrize(
    "text", ["", "I am sorry.", "[1, 2]", PLAIN[:-4], "{" * 5000, '{"a":' * 3000, '"{}"']
)
def test_no_object_is_said_to_be_none(text: str) -> None:
    value, faults = AnswerReader(SummaryAnswer).read(text)
    assert value is None
    assert faults


def test_a_missing_answer_is_named_as_such() -> None:
    assert AnswerReader(SummaryAnswer).read("I am sorry.")[1] == [NOT_JSON]


def judged(score: Any = 4.0, **over: Any) -> str:
    value = from_schema(JudgeAnswer.model_json_schema(), number=4.0)
    value["scores"]["pacing"]["score"] = score
    return json.dumps({**value, **over})


@pytest.mark.parametrize("score", [float("nan"), float("inf"), "4,2", "high", None])
def test_a_score_that_is_no_number_is_refused(score: Any) -> None:  # req: M13
    value, faults = AnswerReader(JudgeAnswer).read(judged(score))
    assert value is None
    assert "scores.pacing.score" in faults[0]


def test_an_unknown_enum_is_refused_by_name() -> None:
    violation = dict.fromkeys(["rule", "quote", "explanation"], "x")
    text = judged(violations=[{**violation, "layer": "L9", "confidence": "high", "scene": None}])
    assert "violations.0.layer" in AnswerReader(JudgeAnswer).read(text)[1][0]


def test_half_a_surrogate_pair_costs_one_character_and_not_the_answer() -> None:
    text = '{"summary": "a \\ud83d lamp", "\\ude00": [{"x": "\\ud83d\\ude00"}]}'
    value, _ = next(iter(find_values(text)))
    assert storable(value) == {"summary": "a \ufffd lamp", "\ufffd": [{"x": "\U0001f600"}]}


@pytest.mark.sweep
@given(st.text(alphabet='{}[]":,\\“”ab1 \n`', max_size=200))
def test_no_text_makes_the_reader_fall(text: str) -> None:
    assert all(isinstance(whole, bool) for _, whole in find_values(text))
    assert AnswerReader(JudgeAnswer).read(text)[0] is None


def in_range(answer: JudgeAnswer) -> list[str]:
    score = answer.scores.pacing.score
    return [] if 1 <= score <= 5 else [f"scores.pacing.score: {score} is not from 1 to 5"]


async def test_a_structured_call_returns_its_value_and_record(
    serve: Serve, journal: MemoryJournal
) -> None:
    server = serve(Rule(wrap="```json\n{}\n```"))
    value, record = await gateway_at(server.url, journal).structure(asked(), JudgeAnswer)
    assert value.scores.immersion.score == 4.2
    assert record.answer["scores"]["immersion"]["score"] == 4.2
    assert record.generated_text.startswith("```json")
    assert server.asked[0].schema is not None


async def test_an_unusable_answer_is_sent_back_once_with_its_faults(  # req: M4 E3
    serve: Serve, journal: MemoryJournal
) -> None:
    server = serve(Rule(index=0, number=9.0), Rule())
    value, record = await gateway_at(server.url, journal).structure(
        asked(), JudgeAnswer, accept=in_range
    )
    assert value.scores.pacing.score == 4.2
    assert "9.0 is not from 1 to 5" in server.asked[1].blocks[-1]["text"]
    assert server.asked[1].blocks[:-1] == server.asked[0].blocks
    assert record.id == asked(schema=form_of(JudgeAnswer)).generation_id
    assert [old.finish_reason for old in journal.aside()] == ["unusable"]
    assert any("-repair-" in name for name in journal.records)


async def test_a_mended_answer_is_not_asked_for_again(serve: Serve, journal: MemoryJournal) -> None:
    server = serve(Rule(index=0, text="no JSON"), Rule())
    gateway = gateway_at(server.url, journal)
    first = await gateway.structure(asked(), JudgeAnswer)
    assert await gateway.structure(asked(), JudgeAnswer) == first
    assert len(server.asked) == 2


async def test_two_unusable_answers_are_an_error_and_both_are_kept(  # req: M4 M14
    serve: Serve, journal: MemoryJournal
) -> None:
    server = serve(Rule(text="The chapter is very good."))
    gateway = gateway_at(server.url, journal, models=LOCAL)
    with pytest.raises(ModelError, match="no complete JSON object") as caught:
        await gateway.structure(asked(), JudgeAnswer)
    assert (caught.value.error_kind, len(server.asked)) == ("unusable", 2)
    assert [record.generated_text for record in journal.aside()] == [
        "The chapter is very good."
    ] * 2


async def test_a_structured_answer_that_was_cut_is_not_repaired(
    serve: Serve, journal: MemoryJournal
) -> None:
    server = serve(Rule(stop_reason="max_tokens", text=PLAIN[:-4]))
    with pytest.raises(ModelError) as caught:
        await gateway_at(server.url, journal).structure(asked(), SummaryAnswer)
    assert (caught.value.error_kind, len(server.asked)) == ("cut", 1)


OPS = [
    {"op": "set", "path": "characters.mara.location", "value": "lamp-room"},
    {"op": "explode", "path": "characters.mara.mood", "value": 1},
    {"op": "set", "path": "items.key.holders", "value": ["mara", "joss"]},
    {"op": "remove", "path": "items.lamp"},
    "mara has the key",
]


# req: E6
def test_an_op_of_the_wrong_form_is_left_out_and_the_others_stay() -> None:
    value, left_out = AnswerReader(SummaryAnswer).read(json.dumps({**SUMMARY, "ops": OPS}))
    assert value is not None
    assert [op.path for op in value.ops] == ["characters.mara.location", "items.lamp"]
    assert [fault.split(":")[0] for fault in left_out] == [
        "ops.1.op",
        "ops.2.value",
        "ops.4",
    ]


def test_ops_that_are_no_list_are_a_faulty_answer() -> None:
    value, faults = AnswerReader(SummaryAnswer).read(json.dumps({**SUMMARY, "ops": "several"}))
    assert value is None
    assert faults


def test_a_violation_of_the_wrong_form_is_not_passed_over() -> None:
    value, faults = AnswerReader(JudgeAnswer).read(judged(violations=[{"layer": "L9"}]))
    assert value is None
    assert faults


def test_a_directive_of_an_unknown_type_keeps_the_models_word_for_it() -> None:
    value, left_out = AnswerReader(JudgeAnswer).read(judged(directives=[{"type": "more-adverbs"}]))
    assert value is not None
    assert [one.other_type for one in value.directives] == ["more-adverbs"]
    assert left_out == []


async def test_what_is_left_out_is_said_and_not_asked_for_again(
    serve: Serve, journal: MemoryJournal
) -> None:
    server = serve(Rule(text=json.dumps({**SUMMARY, "ops": OPS})))
    said: list[str] = []
    gateway = gateway_at(server.url, journal, on_warning=said.append)
    await gateway.structure(asked(agent="summarizer"), SummaryAnswer)
    assert len(server.asked) == 1
    assert len(said) == 3
    assert all(warning.startswith("Left out of the answer of summarizer: ops.") for warning in said)


def test_a_number_without_end_costs_its_own_directive_and_not_the_judgement() -> None:
    fine = {
        "type": "cut",
        "priority": 3,
        "location": {"sceneNumber": 1, "paragraphStart": 1, "paragraphEnd": 1},
        "issue": "It says the same twice.",
        "currentText": "He went. He went.",
        "instruction": "Cut it.",
        "maxScope": 1,
    }
    for digits in (30, 5000):
        endless = {**fine, "maxScope": "DIGITS"}
        answer = judged(directives=[fine, endless]).replace('"DIGITS"', "9" * digits)
        value, left_out = AnswerReader(JudgeAnswer).read(answer)
        assert value is not None
        assert [d.issue for d in value.directives] == [fine["issue"]]
        assert [fault.split(":")[0] for fault in left_out] == ["directives.1.maxScope"]


def test_of_an_answer_that_was_cut_no_inner_object_is_blamed() -> None:
    value, faults = AnswerReader(JudgeAnswer).read(judged()[:400])
    assert value is None
    assert faults == [NOT_JSON]
