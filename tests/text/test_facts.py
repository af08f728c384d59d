from __future__ import annotations

import pytest

from studio.text.guard import facts_changed
from studio.text.language.names import mentions
from studio.text.language.numbers import numbers_in
from studio.text.language.packs import load_pack


def changed(before: str, after: str, language: str, *names: str) -> tuple[str, ...]:
    return facts_changed(before, after, names, load_pack(language))


@pytest.mark.parametrize(
    ("language", "before", "after"),
    [
        ("en", "Mara felt that Joss was cold. “Go.” He left.", "Joss shook; Mara saw it. “Go.”"),
        ("en", "Three men and 1,000 boats.", "There were 3 men, a thousand boats."),
        ("ko", "민수는 추웠다. “가자.” 세 명이 왔다.", "“가자.” 3명이 왔고 민수는 곱은 손을 폈다."),
        ("zh", "小梅感到冷。“走吧。”来了三个人。", "来了3个人。“走 吧。”小梅的手僵了。"),
    ],
)
def test_the_same_facts_in_other_words_have_not_changed(
    language: str, before: str, after: str
) -> None:
    assert changed(before, after, language, "Mara", "Joss", "민수", "小梅") == ()


@pytest.mark.parametrize(
    ("language", "before", "after", "says"),
    [
        ("en", "Mara came.", "She came.", "the name Mara is gone"),
        ("en", "She came.", "She came with Joss.", "the name Joss is new"),
        ("en", "It was 1962.", "It was 1963.", "the number 1962 is gone"),
        ("en", "Twenty-one men.", "Twenty-two men.", "the number Twenty-two is new"),
        ("en", "“Go,” she said.", "“Run,” she said.", "the speech “Go,” is gone"),
        ("ko", "민수가 왔다.", "그가 왔다.", "the name 민수 is gone"),
        ("ko", "열두 명이었다.", "열세 명이었다.", "the number 열두 명 is gone"),
        ("ko", "“가자.”", "“가지 마.”", "the speech “가지 마.” is new"),
        ("zh", "小梅来了。", "她来了。", "the name 小梅 is gone"),
        ("zh", "过了十二年。", "过了十三年。", "the number 十二年 is gone"),
        ("ko", "열하나까지 긋고 왔다.", "열둘까지 긋고 왔다.", "the number 열둘 is new"),
        ("ko", "방은 셋이었다.", "방은 넷이었다.", "the number 셋 is gone"),
        ("zh", "线画到十一就停了。", "线画到十二就停了。", "the number 十二 is new"),
        ("zh", "“走吧。”", "“等等。”", "the speech “走吧。” is gone"),
    ],
)
def test_what_changed_is_said_in_words(language: str, before: str, after: str, says: str) -> None:
    assert says in changed(before, after, language, "Mara", "Joss", "민수", "小梅")


def test_a_speech_said_twice_must_be_said_twice() -> None:
    assert changed("“No.” “No.”", "“No.”", "en") == ("the speech “No.” is gone",)


@pytest.mark.parametrize(
    ("text", "name", "there"),
    [
        ("Mara’s hat", "Mara", True),
        ("Marathon runners", "Mara", False),
        ("the will of will", "Will", False),
        ("Mother\nTull came", "Mother Tull", True),
        ("김민수는 웃었다", "민수", True),
        ("민수네 집", "민수", True),
        ("민수르가 왔다", "민수", False),
        ("해솔이 자랐다", "솔", False),
        ("솔이 왔다", "솔", True),
        ("老王说", "老王", True),
        ("anything", "", False),
    ],
)
def test_names_are_whole_words_with_their_particles(text: str, name: str, there: bool) -> None:
    assert mentions(text, name) is there


@pytest.mark.parametrize(
    ("language", "text", "values"),
    [
        ("en", "One day a hundred men, two-thirds of 40, at 3.15, often.", "100 2 40 3.15"),
        ("en", "ninety-one thousand and a million", "91000 1000000"),
        (
            "ko",
            "스물두 살, 스무 살, 열한 시, 열세 명, 이십 세, 삼백이십 년, 만 원",
            "22 20 11 13 320 10000",
        ),
        ("ko", "네 마음, 이 년은, 한 사람, 세상이, 두고 갔다, 장난을 칠 사람", ""),
        ("ko", "둘러보았다, 둘레를, 둘째 아들, 셋방에, 하나가 남았다", ""),
        ("ko", "스물셋이었다, 넷이나, 서른둘. 열다섯 살, 다섯이서", "23 4 32 15 5"),
        ("zh", "三个人，二十五岁，一千零一夜，两点，万一，一个，三三两两", "3 25 2"),
    ],
)
def test_numbers_are_read_by_value_where_they_count(language: str, text: str, values: str) -> None:
    assert list(numbers_in(text, load_pack(language))) == values.split()


@pytest.mark.parametrize(
    ("language", "short", "long", "more"),
    [
        ("en", "“I sold it here.”", "“I sold it here. Forty years.”", "Forty years."),
        ("ko", "“내 표를 봤어. 사십 년이야.”", "“내 표를 봤어. 다 봤지. 사십 년이야.”", "다 봤지."),
        ("zh", "“我见过。四十年了。”", "“我见过。都见过。四十年了。”", "都见过。"),
    ],
)
def test_of_a_speech_that_has_one_sentence_more_only_this_is_told(
    language: str, short: str, long: str, more: str
) -> None:
    """Met: the whole old speech was called gone and the whole new one new."""
    assert [one for one in changed(short, long, language) if "speech" in one] == [
        f"the speech “{more}” is new"
    ]
    assert [one for one in changed(long, short, language) if "speech" in one] == [
        f"the speech “{more}” is gone"
    ]
