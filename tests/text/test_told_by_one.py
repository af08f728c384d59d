"""A story told in the first person is told so in the paragraphs that do not say I, too (A17)."""

from __future__ import annotations

import pytest

from studio.text.language.packs import load_pack
from studio.text.prose.parse import read

TELLING_I = {
    "en": [
        "I took the oars and pulled for the weir.",
        "My hands were raw before the bend.",
        "I shipped them under the willow and let the boat turn.",
    ],
    "ko": [
        "나는 노를 잡고 보 쪽으로 저었다.",
        "내 손바닥은 굽이를 돌기도 전에 벗겨졌다.",
        "버드나무 아래에서 나는 노를 거두었다.",
    ],
    "zh": [
        "我抓起桨，朝水坝划去。",
        "还没到河湾，我的手就磨破了。",
        "到了柳树底下，我把桨收了起来。",
    ],
}
TELLING_HE = {
    "en": ["He took the oars.", "The weir was loud that year.", "Nobody spoke in the boat."],
    "ko": ["그는 노를 잡았다.", "그해 보는 물소리가 컸다.", "배에서는 아무도 말하지 않았다."],
    "zh": ["他抓起桨。", "那年水坝的声音很响。", "船上谁也不说话。"],
}
ANOTHERS = {
    "en": "Nan felt the cold. She noticed the rope.",
    "ko": "아이는 추위를 느꼈다. 그는 밧줄이 풀린 것을 깨달았다.",
    "zh": "她感到冷。她发现绳子松了。",
}
NARRATORS = {
    "en": "The water seemed to stand still.",
    "ko": "물이 멈춘 것 같았다.",
    "zh": "水似乎停住了。",
}


def filters(language: str, paragraphs: list[str]) -> list[str]:
    reading = read("\n\n".join(["# 1", *paragraphs]), load_pack(language))
    return [reading.text[start:end] for start, end in reading.hits("filter")]


# req: A17
@pytest.mark.parametrize("language", ["en", "ko", "zh"])
def test_what_others_perceive_is_no_filter_where_the_chapter_says_i(language: str) -> None:
    assert filters(language, [*TELLING_I[language], ANOTHERS[language]]) == []
    assert len(filters(language, [*TELLING_I[language], NARRATORS[language]])) == 1


@pytest.mark.parametrize("language", ["en", "ko", "zh"])
def test_in_the_third_person_it_is_one(language: str) -> None:
    assert len(filters(language, [*TELLING_HE[language], ANOTHERS[language]])) == 2
    assert len(filters(language, [*TELLING_HE[language], NARRATORS[language]])) == 1


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "“I took it, and I kept it.”"), ("ko", "“나는 가져갔어.”"), ("zh", "“我拿走了。”")],
)
def test_i_in_speech_makes_no_narrator(language: str, said: str) -> None:
    spoken = [f"{line} {said}" for line in TELLING_HE[language]]
    assert len(filters(language, [*spoken, ANOTHERS[language]])) == 2
