"""What a directive itself asks for is no fault of the rewrite that does it (PROSE 0.6, WRITING
5.6)."""

from __future__ import annotations

import pytest

from studio.story.review.directive import DirectiveType
from studio.story.review.operations import OPERATIONS
from studio.text.guard import surgery_guard
from studio.text.language.packs import load_pack

# type, passage, rewrite, instruction, words quoted from the passage
DEMANDED = {
    "en": [
        (
            "wording",
            "The bell rang twice. “I was afraid of you all along,” said Joss. He put his boots"
            " down.",
            "The bell rang twice. Joss put his boots down.",
            "Take out “I was afraid of you all along”; the boots say it.",
            "",
        ),
        (
            "rhythm-variation",
            "Joss put his boots down. He was tired, and he was cold, and he was late, and he knew"
            " it. The bell rang.",
            "Joss put his boots down. The bell rang.",
            "Cut “He was tired, and he was cold, and he was late, and he knew it.”",
            "",
        ),
        (
            "show-not-tell",
            "“I am very angry with you, Joss,” said Mara, and she shut the door.",
            "“You have left your boots on the stair,” said Mara, and she shut the door.",
            "Let her talk about something else than her anger.",
            "“I am very angry with you, Joss,”",
        ),
        (
            "wording",
            "Wilfred came up the stairs with his boots in his hand, two at a time.",
            "Joss came up the stairs with his boots in his hand, three at a time.",
            "It is Joss who comes up, and three at a time, as the chapter has it before.",
            "Wilfred came up the stairs with his boots in his hand, two",
        ),
    ],
    "ko": [
        (
            "wording",
            "종이 두 번 울렸다. “처음부터 자네가 무서웠네.” 국장이 말했다. 그는 장화를 내려놓았다.",
            "종이 두 번 울렸다. 국장은 장화를 내려놓았다.",
            "“처음부터 자네가 무서웠네”를 뺀다. 장화가 대신 말한다.",
            "",
        ),
        (
            "show-not-tell",
            "“나는 자네한테 무척 화가 났네.” 국장이 말하고 문을 닫았다.",
            "“장화를 계단에 두었더군.” 국장이 말하고 문을 닫았다.",
            "화났다는 말 대신 딴소리를 하게 한다.",
            "“나는 자네한테 무척 화가 났네.”",
        ),
    ],
    "zh": [
        (
            "wording",
            "钟响了两下。“我从一开始就怕你，”师傅说。他把靴子放下。",
            "钟响了两下。师傅把靴子放下。",
            "删去“我从一开始就怕你”，靴子已经说了。",
            "",
        ),
        (
            "show-not-tell",
            "“我很生你的气，”师傅说，关上了门。",
            "“你的靴子还在楼梯上，”师傅说，关上了门。",
            "不要让他直说生气，让他说别的。",
            "“我很生你的气，”",
        ),
    ],
}


def faults(
    language: str, kind: str, before: str, after: str, instruction: str, quote: str
) -> list[str]:
    from studio.story.review.demand import Demand

    demand = Demand(instruction, (quote,) if quote else ())
    row = OPERATIONS[DirectiveType(kind)]
    return surgery_guard([before], [after], row, (), load_pack(language), before, demand=demand)


# req: A13 J5
@pytest.mark.parametrize("language", DEMANDED)
def test_what_the_directive_names_may_go_and_nothing_else(language: str) -> None:
    for kind, before, after, instruction, quote in DEMANDED[language]:
        assert faults(language, kind, before, after, instruction, quote) == [], instruction
        assert faults(language, kind, before, after, "Say it better.", "") != [], instruction


# req: A13
@pytest.mark.parametrize(
    ("language", "instruction"),
    [
        ("en", "Make it plainer, and keep “I was afraid of you all along” as it is."),
        ("en", "“I was afraid of you all along” has to stay; the rest is too long."),
        ("ko", "“처음부터 자네가 무서웠네”는 그대로 두고 나머지를 줄인다."),
        ("zh", "保留“我从一开始就怕你”，其余写短。"),
    ],
)
def test_what_the_instruction_says_is_to_stay_is_guarded(language: str, instruction: str) -> None:
    kind, before, after, *_ = DEMANDED[language][0]
    assert faults(language, kind, before, after, instruction, "") != []


# req: A13
def test_a_quote_of_the_whole_passage_names_nothing_in_it() -> None:
    before = "“The harbour sleeps,” said Joss."
    after = "“The harbour eats,” said Joss."
    assert faults("en", "wording", before, after, "Say it more plainly.", before) != []


# req: A13
@pytest.mark.parametrize(
    ("kind", "before", "after", "instruction", "is_change"),
    [
        ("proofreading", "He  counted them.", "He counted them.", "A space too many.", True),
        ("proofreading", "He counted them", "He counted them.", "A full stop is missing.", True),
        ("proofreading", "他走了,没有回头.", "他走了，没有回头。", "半角标点。", True),
        ("proofreading", "그는 갔다 .", "그는 갔다.", "마침표 앞 공백.", True),
        ("wording", "그는 못간다.", "그는 못 간다.", "띄어쓰기를 바로잡는다.", True),
        ("proofreading", "그는 못간다.", "그는 못 간다.", "틀린 곳이 있다.", True),
        ("wording", "He  counted them.", "He counted them.", "Take the double space out.", True),
        ("wording", "He  counted them.", "He counted them.", "Say it better.", False),
        ("proofreading", "He counted them.", "He counted them.", "A space too many.", False),
    ],
)
def test_a_space_or_a_mark_is_a_change_where_it_was_asked_for(
    kind: str, before: str, after: str, instruction: str, is_change: bool
) -> None:
    language = "zh" if "他" in before else "ko" if "그" in before else "en"
    for attended in (False, True):
        from studio.story.review.demand import Demand

        row, demand = OPERATIONS[DirectiveType(kind)], Demand(instruction)
        pack = load_pack(language)
        said = surgery_guard([before], [after], row, (), pack, demand=demand, attended=attended)
        assert (said == []) == is_change, said
