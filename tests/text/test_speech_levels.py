from __future__ import annotations

import pytest

from studio.text.language.packs import load_pack
from studio.text.oracle.report import check_text, render
from studio.text.oracle.speech_levels import level_of, speech_levels
from studio.text.prose.parse import read

KO = load_pack("ko")
SPOKEN = {
    "합쇼": [
        "문을 닫겠습니다.",
        "어디 가십니까?",
        "들어오십시오.",
        "제 탓입니다.",
        "앉으시지요, 합니다.",
    ],
    "해요": ["문 닫을게요.", "어디 가세요?", "선물이죠.", "그렇군요!", "저만요."],
    "하오": ["값은 삼천 원이오.", "나는 모르오.", "그만 돌아가소.", "이제 갑시다.", "늦었구려."],
    "하게": ["이리 와서 앉게.", "자네 어디 가는가?", "내일 보세.", "벌써 손재수가 들었구먼."],
    "해라": [
        "배를 돌려라.",
        "어디 있었느냐?",
        "밥은 먹었니?",
        "가자.",
        "그만 가거라.",
        "많이 컸구나!",
    ],
    "해": ["나 먼저 가.", "어디 있어?", "그건 내 거야.", "몰라도 돼.", "졌지 뭐, 졌지.", "춥거든."],
    "": ["“바다.”", "모레.", "아버지.", "……", "48번"],
}


@pytest.mark.parametrize(
    ("level", "words"), [(level, words) for level, said in SPOKEN.items() for words in said]
)
def test_a_spoken_sentence_has_the_level_of_its_ending(level: str, words: str) -> None:
    assert level_of(words, KO) == level


def test_only_speech_is_counted_and_only_where_the_language_has_levels() -> None:
    text = "\n\n“어디 가십니까?” 그가 물었다. “집에 갑니다.”\n\n“나도 가.” 그녀가 웃었다."
    assert speech_levels(read(text, KO)) == {"합쇼": 2, "해": 1}
    assert speech_levels(read("\n\n“Where to?” he said.", load_pack("en"))) == {}


def test_the_korean_report_tells_how_the_people_speak() -> None:
    text = "# 길\n\n“어디 가십니까?” 그가 물었다.\n\n“집에 가오.”\n\n“멀군요.”\n"
    assert "대화의 말높이: 하오 1 · 합쇼 1 · 해요 1" in render(check_text(text), text)
    plain = "# 길\n\n그는 길을 걸었다.\n"
    assert "말높이" not in render(check_text(plain), plain)
