"""Answers in forms that a strong model gives now and then: none as a word, lists as objects,
numbers as words, marks of another keyboard, paragraphs as a list. Nothing of them is lost
(WRITING 5)."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from studio.llm.structured import AnswerReader
from studio.pipeline.review.surgeon import _paragraphs
from studio.story.review.answers import (
    JudgeAnswer,
    LineEditsAnswer,
    QuestionsAnswer,
    ScenesAnswer,
    SummaryAnswer,
)
from studio.story.review.evaluation import SCORE_NAMES

SUMMARY: dict[str, Any] = {
    "summary": "Mara finds it.",
    "ops": [],
    "crossref": [],
    "memory": "A key.",
    "names": [],
}
SCORE = {"score": 4, "reason": "It holds.", "scene": None}
DIRECTIVE = {
    "type": "cut",
    "priority": 1,
    "location": {"sceneNumber": 2, "paragraphStart": 3, "paragraphEnd": 3},
    "issue": "Twice.",
    "currentText": "It was dark.",
    "instruction": "Cut it.",
    "maxScope": 1,
}


def read(kind: type[Any], data: Any) -> Any:
    text = data if isinstance(data, str) else orjson.dumps(data).decode()
    value, faults = AnswerReader(kind).read(text)
    assert value is not None, faults
    return value


def judged(**other: Any) -> Any:
    scores = dict.fromkeys(SCORE_NAMES, SCORE)
    rest = {"violations": [], "directives": [], "reader_experience": "I read on."}
    return read(JudgeAnswer, {"scores": scores, **rest, **other})


# req: J5
@pytest.mark.parametrize("none", ["none", "None.", "없음", "无", None, ["none"], ["없음"], [None]])
def test_a_list_of_nothing_is_an_empty_list(none: Any) -> None:
    summary = read(SummaryAnswer, {**SUMMARY, "ops": none, "crossref": none, "names": none})
    assert (summary.ops, summary.crossref, summary.names) == ([], [], [])
    assert read(LineEditsAnswer, {"edits": none}).edits == []
    assert judged(directives=none).directives == []
    if none is not None:  # where something has to be said, null says nothing
        assert read(QuestionsAnswer, {"questions": none}).questions == []
        assert judged(violations=none).violations == []


@pytest.mark.parametrize(
    "names",
    [
        {"jiu-hao": "九号铺"},
        {"jiu-hao": {"name": "九号铺"}},
        [{"id": "jiu-hao", "name": "九号铺"}],
    ],
)
def test_names_by_their_ids_are_names(names: Any) -> None:
    (one,) = read(SummaryAnswer, {**SUMMARY, "names": names}).names
    assert (one.id, one.name) == ("jiu-hao", "九号铺")


@pytest.mark.parametrize(
    "ops",
    [
        {"set": [{"path": "characters.mara.mood", "value": "wary"}]},
        {"set": {"characters.mara.mood": "wary"}},
        {"characters.mara.mood": "wary"},
    ],
)
def test_changes_by_kind_or_by_path_are_changes(ops: Any) -> None:
    (one,) = read(SummaryAnswer, {**SUMMARY, "ops": ops}).ops
    assert (one.op, one.path, one.value) == ("set", "characters.mara.mood", "wary")


def test_a_memory_under_headings_is_the_memory() -> None:
    memory = {"debts": "아흔 원", "secrets": ["편지", "열쇠"]}
    assert read(SummaryAnswer, {**SUMMARY, "memory": memory}).memory == "아흔 원\n편지 열쇠"


def test_json_with_the_marks_of_a_chinese_keyboard_is_read() -> None:
    text = (
        "好的，以下是结果：\n```json\n{“summary”：“她找到了，没有说。”，“ops”：[]，“crossref”：[]，"
        "“memory”：“钥匙”，“names”：[]}\n```"
    )
    assert read(SummaryAnswer, text).summary == "她找到了，没有说。"


@pytest.mark.parametrize("score", [4, "four", "넷", "四", "4/5", "4점", "４分"])
def test_a_score_in_any_words_is_a_score(score: Any) -> None:
    answer = judged(scores={key: {**SCORE, "score": score} for key in SCORE_NAMES})
    assert answer.scores.pacing.score == 4


@pytest.mark.parametrize(
    "scores",
    [
        dict.fromkeys(SCORE_NAMES, 4),
        dict.fromkeys(SCORE_NAMES, "4: It holds."),
        [{"name": name, "score": 4, "reason": "It holds."} for name in SCORE_NAMES],
    ],
)
def test_scores_alone_or_in_a_list_are_scores(scores: Any) -> None:
    assert judged(scores=scores).scores.pacing.score == 4


@pytest.mark.parametrize(
    "location",
    [
        {"sceneNumber": "scene 2", "paragraphStart": "2.3", "paragraphEnd": "[2.3]"},
        {"sceneNumber": 2, "paragraphStart": "three"},
        "第2场第3段",
    ],
)
def test_a_place_by_its_label_is_a_place(location: Any) -> None:
    (one,) = judged(directives=[{**DIRECTIVE, "location": location}]).directives
    place = one.location
    assert (place.sceneNumber, place.paragraphStart, place.paragraphEnd) == (2, 3, 3)


@pytest.mark.parametrize(("words", "number"), [("high", 1), ("높음", 1), ("中", 3), ("low", 5)])
def test_urgency_in_words_is_a_number(words: str, number: int) -> None:
    (one,) = judged(directives=[{**DIRECTIVE, "priority": words}]).directives
    assert one.priority == number


def test_an_end_in_a_sentence_does_not_cost_the_whole_judgement() -> None:
    assert judged(chapter_end="It pulls.").chapter_end is None


def test_edits_by_their_labels_and_scenes_by_their_numbers_are_lists() -> None:
    (edit,) = read(LineEditsAnswer, {"edits": {"1.3": {"before_words": "a", "after": "b"}}}).edits
    assert (edit.label, edit.after) == ("1.3", "b")
    scenes = {"1": {"purpose": "x", "units": [1]}, "2": {"purpose": "y", "units": "2-3"}}
    answer = read(ScenesAnswer, {"scenes": scenes})
    assert [one.units for one in answer.scenes] == [[1], [2, 3]]


KOREAN = "셋째 칸에서 물이 떨어졌다. 서윤은 서랍을 열었다."


# req: J5
@pytest.mark.parametrize(
    "answer",
    [
        "1. {0}",
        "0. {0}",
        "- {0}",
        "> {0}",
        "1.3: {0}",
        "문단 1:\n{0}",
        "**Paragraph 1:** {0}",
        "第一段：{0}",
    ],
)
def test_a_paragraph_given_as_an_entry_of_a_list_comes_without_its_mark(answer: str) -> None:
    before = "셋째 칸에서 물이 떨어졌다. 서윤은 지고 있다고 느꼈고, 서랍을 열었다."
    assert _paragraphs(answer.format(KOREAN), [before]) == [KOREAN]


def test_what_is_no_mark_stays() -> None:
    dashes = ["- Where is he?", "- Gone."]
    assert _paragraphs("- Where was he?\n\n- Gone.", dashes) == ["- Where was he?", "- Gone."]
    litres = "1.5 litres were left."
    assert _paragraphs(litres, ["She had one litre and a half left."]) == [litres]
    listed = ["The first.", "The second."]
    assert _paragraphs("1. One.\n2. Two.", listed) == ["One.", "Two."]
    assert _paragraphs("1890 was wet.\n\nNobody came.", listed)[0] == "1890 was wet."


@pytest.mark.parametrize("nothing", ["없음", "无", "没有", "nothing"])
def test_of_somebody_who_has_none_that_is_a_value(nothing: str) -> None:
    """It was read as no value: that she has no brother was told to nobody."""
    change = {"op": "set", "path": "characters.seo.brothers", "value": nothing}
    (one,) = read(SummaryAnswer, {**SUMMARY, "ops": [change]}).ops
    assert one.value == nothing


def test_a_decimal_is_no_label_where_no_paragraph_is_asked_for() -> None:
    """`"1.0"` became priority 0, before all others, and `"2.0"` no scene at all."""
    place = {"sceneNumber": "2.0", "paragraphStart": "2.3", "paragraphEnd": "2.3"}
    given = {**DIRECTIVE, "priority": "1.0", "maxScope": "1.0", "location": place}
    (one,) = judged(directives=[given]).directives
    assert (one.priority, one.maxScope) == (1, 1)
    assert (one.location.sceneNumber, one.location.paragraphStart) == (2, 3)


def test_a_score_of_ten_is_one_of_five() -> None:
    scores = {**dict.fromkeys(SCORE_NAMES, SCORE), "pacing": "8/10: it moves"}
    pacing = judged(scores=scores).scores.pacing
    assert (pacing.score, pacing.reason) == (4.0, "it moves")


# req: J5
@pytest.mark.parametrize(
    ("options", "each"),
    [
        ("He knows / he does not / she tells him", ["He knows", "he does not", "she tells him"]),
        ("1. He knows.\n2. He does not, yet.\n3. She tells.",
         ["He knows.", "He does not, yet.", "She tells."]),
        ("Two ways:\n- he knows\n- he does not", ["he knows", "he does not"]),
        ("A) He knows; B) he does not", ["He knows", "he does not"]),
        ("(1) 그는 안다. (2) 모른다.", ["그는 안다.", "모른다."]),
        ("그는 안다 / 모른다", ["그는 안다", "모른다"]),
        ("①知道 ②不知道", ["知道", "不知道"]),
        ("他知道／他不知道", ["他知道", "他不知道"]),
        (["he knows / he does not"], ["he knows", "he does not"]),
        ("She is 41. He knows it.", ["She is 41. He knows it."]),
        ("One way and/or the other", ["One way and/or the other"]),
        (["He knows.", "He asks / she tells."], ["He knows.", "He asks / she tells."]),
        ("Tell it as Dr. A. Brown heard it, or as D. Miller did",
         ["Tell it as Dr. A. Brown heard it, or as D. Miller did"]),
        ("He goes at 6. She waits until 7. He is late.",
         ["He goes at 6. She waits until 7. He is late."]),
        ("A. Brown hears it. B. Miller does not.", ["A. Brown hears it. B. Miller does not."]),
        ("1. He goes at 2. He comes back.\n2. He stays.",
         ["He goes at 2. He comes back.", "He stays."]),
        ("1. He knows.\nHe tells nobody.\n2. He does not.",
         ["He knows. He tells nobody.", "He does not."]),
        ("- he knows\n  and tells nobody\n- he does not",
         ["he knows and tells nobody", "he does not"]),
        ("1. He knows. 2. He does not.", ["He knows.", "He does not."]),
        ("가. 그는 안다.\n나. 모른다.", ["그는 안다.", "모른다."]),
    ],
)  # fmt: skip
def test_options_in_one_text_are_options(options: Any, each: list[str]) -> None:
    """Met: three ways in one text, of which the author could take all or none."""
    counsel = {"kind": "decide", "issue": "Who?", "scene": None, "quote": "", "options": options}
    (one,) = judged(counsel=[counsel]).counsel
    assert one.options == each


# req: J5
@pytest.mark.parametrize(
    ("text", "edits"),
    [
        ("[1.2] The rain had stopped.", [("1.2", "The rain had stopped.")]),
        ("I would change one paragraph\n\n[1.2]\nThe rain had stopped.",
         [("1.2", "The rain had stopped.")]),
        ("**[1.2]** 비가 그쳤다.\n\n**[1.5]** 불을 껐다.",
         [("1.2", "비가 그쳤다."), ("1.5", "불을 껐다.")]),
        ("1.2：雨停了。", [("1.2", "雨停了。")]),
    ],
)  # fmt: skip
def test_line_edits_in_prose_are_line_edits(text: str, edits: list[tuple[str, str]]) -> None:
    """Met: the one paragraph that is better so, with its label, and no object."""
    answer = read(LineEditsAnswer, text)
    assert [(edit.label, edit.after) for edit in answer.edits] == edits


# req: J5
def test_prose_without_a_label_is_no_line_edit() -> None:
    for text in ("The rain had stopped.", "In 1.2 she waits.", "1.2 metres of rope."):
        assert AnswerReader(LineEditsAnswer).value(text) is None, text


# req: J5
def test_a_rewrite_in_json_may_have_a_sentence_before_it() -> None:
    for text in (
        'I kept the clerk\'s verb\n{"paragraphs": ["The rain had stopped."]}',
        'I kept the clerk\'s verb\n\n```json\n["The rain had stopped."]\n```',
    ):
        assert _paragraphs(text, ["The rain stopped."]) == ["The rain had stopped."], text
