"""What the judge says of a passage is placed where a careful person would place it, and shown where
nobody could (WRITING 5)."""

from __future__ import annotations

import pytest

from studio.pipeline.judging.placement import place_proposals
from studio.story.chapter import Chapter, compose
from studio.story.form.as_asked import as_asked
from studio.story.review.answers import JudgedDirective
from tests.cli.command import studio
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import Model, directive, judged, unrefined

ENGLISH = [
    "The lamp stood on the sill, unlit; Mara counted the panes.",
    "“You are up early,” said Joss, and he did not sit down. “Did you hear the bell?”",
    "She felt that the stairs were colder than the night before, and she went down them slowly.",
]
KOREAN = [
    "마라는 유리창을 하나씩 세었다. 등잔은 꺼져 있었다.",
    "“일찍 일어났네.” 조스가 말했다. 그는 앉지 않았다. “종소리 들었어?”",
    "계단이 어젯밤보다 차갑다고 느꼈다. 그녀는 천천히 내려갔다.",
]
CHINESE = [
    "马拉数着窗玻璃，一共 9 块。灯没有点。",
    "“起得真早。”乔斯说，他没有坐下。“听见钟声了吗？”",
    "她觉得楼梯比昨夜更冷，慢慢走了下去。",
]
PLACED = [
    (ENGLISH, "“You are up early,” said Joss, and he did not sit down.", 2, 2),
    (ENGLISH, '"You are up early", said Joss, and he did not sit down', 2, 2),
    (ENGLISH, "*You are up early,* said Joss", 2, 2),
    (ENGLISH, "&ldquo;You are up early,&rdquo; said Joss", 2, 2),
    (ENGLISH, "[1.2] “You are up early,” said Joss [...] “Did you hear the bell?”", 2, 2),
    (ENGLISH, "“You are up early. Did you hear the bell?”", 2, 2),
    (ENGLISH, "She felt the stairs were colder than the night before", 3, 3),
    (ENGLISH, "She felt that the steps were colder than the night before", 3, 3),
    (ENGLISH, "SHE FELT THAT THE STAIRS WERE COLDER", 3, 3),
    (ENGLISH, "She felt that the stairs were colder", 9, 3),
    (ENGLISH, "", 1, 1),
    (KOREAN, "일찍 일어났네. 조스가 말했다.", 2, 2),
    (KOREAN, "계단이 어젯밤 보다 차갑다고 느꼈다", 3, 3),
    (KOREAN, "계단은 어젯밤보다 차갑다고 느꼈다", 3, 3),
    (KOREAN, "그녀는 천천히 내려갔다", 1, 3),
    (CHINESE, "马拉数着窗玻璃,一共9块.", 1, 1),
    (CHINESE, "起得真早,乔斯说", 2, 2),
    (CHINESE, "她觉得楼梯比昨夜还冷", 3, 3),
]
OPEN = [
    (ENGLISH, "The bell had been stolen from the church in Kettle Staithe.", 1),
    (ENGLISH, "She ran up the stairs singing", 9),
    (KOREAN, "바다가 갈라지고 배가 나타났다", 2),
    (CHINESE, "海水分开，船出现了", 2),
    (ENGLISH, "the", 9),
    (ENGLISH, "", 9),
]


def proposal(quote: str, paragraph: int, **more: object) -> JudgedDirective:
    fields = directive(1, 1, currentText=quote, **more)
    at = {"sceneNumber": 1, "paragraphStart": paragraph, "paragraphEnd": paragraph}
    said = as_asked(JudgedDirective, {**fields, "location": at}, whole=False)
    return JudgedDirective.model_validate(said)


# req: J5
@pytest.mark.parametrize(("text", "quote", "label", "paragraph"), PLACED)
def test_what_a_careful_person_would_place_is_placed(
    text: list[str], quote: str, label: int, paragraph: int
) -> None:
    chapter = Chapter(compose("T", ["\n\n".join(text)]))
    directives, unplaced = place_proposals(chapter, [proposal(quote, label)])
    assert unplaced == []
    (one,) = directives
    assert (one.location.paragraph_start, one.location.width) == (paragraph, 1)
    assert one.current_text == text[paragraph - 1]
    assert all(words in one.current_text for words in one.evidence)


# req: J5
@pytest.mark.parametrize(("text", "quote", "label"), OPEN)
def test_what_is_really_open_is_not_placed_by_guess(
    text: list[str], quote: str, label: int
) -> None:
    chapter = Chapter(compose("T", ["\n\n".join(text)]))
    directives, unplaced = place_proposals(chapter, [proposal(quote, label)])
    assert directives == []
    (one,) = unplaced
    assert (one.quote, one.instruction) == (quote, "Show it.")
    assert one.why


# req: J5
@pytest.mark.parametrize("kind", ["SHOW-NOT-TELL", "Show not tell", "show_not_tell"])
@pytest.mark.parametrize("scope", [0, 9])
def test_a_kind_in_other_letters_and_a_number_out_of_range_lose_nothing(
    kind: str, scope: int
) -> None:
    chapter = Chapter(compose("T", ["\n\n".join(ENGLISH)]))
    said = proposal("She felt that the stairs", 3, type=kind, maxScope=scope, priority=scope)
    directives, unplaced = place_proposals(chapter, [said])
    assert (len(directives), unplaced) == (1, [])


# req: J5
def test_a_proposal_without_a_place_is_listed_and_takes_the_one_she_gives_it(
    desk: OpenDesk,
) -> None:
    lost = directive(1, 1, currentText="Nobody said any of this here.")
    desk_ = desk(Model(refine=unrefined, judge=judged(directives=[lost])))
    desk_.write(review="ask")
    listed = studio("directives", "list", cwd=desk_.folder)
    assert "unplaced-001  could not be placed" in listed.out
    assert "Nobody said any of this here." in listed.out
    assert (
        studio("directives", "place", "unplaced_001", "--passage", "7.1", cwd=desk_.folder).code
        == 2
    )
    placed = studio(
        "directives", "place", "unplaced-001", "--passage", "2.3", "--json", cwd=desk_.folder
    )
    (one,) = placed.json["directives"]
    assert one["location"] == {"sceneNumber": 2, "paragraphStart": 3, "paragraphEnd": 3}
    assert one["status"] == "pending"
    sheet = studio("directives", "list", "--json", cwd=desk_.folder).json
    assert (sheet.get("unplaced", []), [d["id"] for d in sheet["directives"]]) == ([], [one["id"]])
    assert studio("directives", "accept", one["id"], cwd=desk_.folder).code == 0
