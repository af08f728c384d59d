"""A small model's sentences, judged one by one (PROSE 5)."""

from __future__ import annotations

import pytest

from studio.text.draft_sieve import (
    ASIDE,
    FOREIGN,
    FORM,
    OPENING,
    REPEATED,
    DraftSieve,
    is_told_in_another_language,
)
from studio.text.language.packs import load_pack
from tests.fake_answers import prose

BEFORE = {
    "en": "Mara climbed the stairs to the lamp room. The glass was cold under her hand.",
    "ko": "서윤은 등대 계단을 올라갔다. 손바닥에 닿은 유리가 찼다.",
    "zh": "沈秋爬上灯塔的楼梯。手底下的玻璃很凉。",
}
PLAN = {
    "en": (
        ("Mara", "Joss Tolley", "lamp room"),
        "Mara finds the key in the lamp room at Saltreach.",
    ),
    "ko": (("서윤", "한두식", "등대"), "서윤이 등대에서 열쇠를 찾는다."),
    "zh": (("沈秋", "老周", "灯塔"), "沈秋在灯塔里找到钥匙。"),
}


def sieve(language: str = "en", earlier: str = "") -> DraftSieve:
    names, plan = PLAN[language]
    return DraftSieve(load_pack(language), names, plan, earlier)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Joss had left his boots by the door, and the key was in the left one."),
        ("en", "“You took your time,” Tolley said."),
        ("en", "Beyond the window Saltreach lay dark."),
        ("ko", "한두식은 문가에 장화를 벗어 두었고, 열쇠는 왼쪽에 들어 있었다."),
        ("zh", "老周把靴子放在门边，钥匙就在左脚那只里。"),
    ],
)
def test_what_the_plan_has_may_stand(language: str, sentence: str) -> None:
    assert sieve(language).objection(BEFORE[language], sentence) == ""


@pytest.mark.parametrize(
    ("language", "sentence", "name"),
    [
        ("en", "Behind her stood Captain Elias with a lantern.", "Captain"),
        ("en", "Timothy laughed and shut the window.", "Timothy"),
        ("ko", "계단 밑에서 박순철 씨가 등불을 들고 웃었다.", "박순철"),
    ],
)
def test_nobody_comes_whom_no_one_planned(language: str, sentence: str, name: str) -> None:
    assert name in sieve(language).objection(BEFORE[language], sentence)


@pytest.mark.parametrize(
    ("language", "sentence", "reason"),
    [
        ("en", "I have no idea what you mean.", ASIDE),
        ("en", "Sure, here is the next paragraph of the scene.", ASIDE),
        ("en", "The story takes place in a lamp room by the sea.", ASIDE),
        ("en", "As we continue, Mara becomes one of the main characters.", ASIDE),
        ("en", "“The story begins with a key,” Joss said.", ""),
        ("ko", "요청하신 대로 장면을 이어 썼습니다.", ASIDE),
        ("zh", "根据您的要求，我继续写下去。", ASIDE),
        ("en", "2. She turned the wick down.", FORM),
        ("en", "Scene 2: the cellar", FORM),
        ("en", "Mara climbed the stairs to the lamp room.", REPEATED),
        ("en", "The glass was so cold under her hand.", REPEATED),
        ("en", "She ran from wall to wall and from wall to wall and from wall to wall.", REPEATED),
        ("ko", "서윤은 다시 등대 계단을 올라갔다.", ""),
        ("ko", "서윤은 그 등대 계단을 천천히 올라갔다. 손바닥에 닿은 유리가 찼다.", REPEATED),
        ("zh", "沈秋爬上灯塔的楼梯。", REPEATED),
    ],
)
def test_asides_lists_and_circles_are_refused(language: str, sentence: str, reason: str) -> None:
    assert sieve(language).objection(BEFORE[language], sentence) == reason


def test_the_words_before_the_scene_are_not_said_again() -> None:
    earlier = "The tide had gone out and left the boats in the mud."
    assert sieve(earlier=earlier).objection("", earlier) == REPEATED
    assert sieve().objection("", earlier) == ""


def test_the_third_sentence_with_one_opening_is_refused() -> None:
    before = "She set the lamp down. She wiped the glass."
    third = "She listened to the wind in the shutters."
    assert sieve().objection(before, third) == OPENING
    assert sieve().objection(before.replace("She wiped", "Then she wiped"), third) == ""


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("The lamp went out. N", len("The lamp went out.")),
        ("The lamp went out.", 0),
        ("The lamp went out.\n", len("The lamp went out.")),
        (" Mr. Tolley sat", 0),
        ("\n\nThe lamp went", 0),
    ],
)
def test_a_sentence_is_whole_when_the_next_begins(text: str, end: int) -> None:
    assert sieve().sentence_end(text) == end


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("ko", "The rain had stopped an hour before the ferry came in."),
        ("ko", "她数着通往地窖的台阶，数到十九便乱了。"),
        ("ko", "“늦었네.” She put the key under the lamp."),
        ("zh", "She put the key under the lamp."),
        ("zh", "彼女は鍵を灯台の下に置いて、何も言わなかった。"),
        ("zh", "서윤은 등대 계단을 올라갔다."),
        ("en", "서윤은 등대 계단을 올라갔다."),
        ("en", "Elle a posé la clé sous la lampe et elle ne dit plus rien."),
        ("en", "El hombre dejó la llave en la mesa y no dijo nada más."),
        ("en", "Sie legte den Schlüssel auf das Brett und sagte nichts mehr."),
    ],
)
def test_a_sentence_in_another_language_is_refused(language: str, sentence: str) -> None:
    assert sieve(language).objection("", sentence) == FOREIGN


@pytest.mark.parametrize(
    ("language", "before", "sentence"),
    [
        ("ko", "", "“I told you so,” 한두식이 말했다."),
        ("ko", "한두식이 웃었다.", "“You never listen to anybody.”"),
        ("ko", "서윤은 편지를 펼쳤다.\n\nDear Seoyun,", "The rain has not stopped since Sunday."),
        ("ko", "", "상자에는 SALTREACH LIGHT COMPANY라고 찍혀 있었다."),
        ("zh", "", "“Come in,”老周说。"),
        ("zh", "", "箱子上印着OK两个字母。"),
        ("en", "", "“Viens ici, et ne dis plus rien,” said Tolley."),
        ("en", "", "Non."),
    ],
)
def test_speech_a_letter_and_a_word_in_another_language_may_stand(
    language: str, before: str, sentence: str
) -> None:
    assert sieve(language).objection(before, sentence) == ""


@pytest.mark.parametrize("language", ["en", "ko", "zh"])
def test_a_draft_is_told_in_the_language_of_its_novel(language: str) -> None:
    for other in ("en", "ko", "zh"):
        is_foreign = is_told_in_another_language(prose(other, 3), load_pack(language))
        assert is_foreign == (other != language)
