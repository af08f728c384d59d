"""Contrasts in all their forms, filter words and senses a reader misses or refuses (P9-P11)."""

from __future__ import annotations

import pytest

from studio.text.language.packs import load_pack
from studio.text.metrics.measure import measure

CONTRASTS = {
    "en": [
        "It wasn't anger. It was grief.",
        "It's not the rain, it's the waiting.",
        "Not anger. Grief.",
        "Not crashed—froze, mid-render.",
        "She was not tired but afraid.",
        "This isn't a door; it's a promise.",
        "He wasn't lost—he was hiding.",
    ],
    "ko": [
        "그것은 분노가 아니라 슬픔이었다.",
        "그것은 비가 아니었다. 피였다.",
        "슬픔이라기보다 허기였다.",
        "사랑이 아닌 집착이었다.",
        "그건 끝이 아니다. 시작이다.",
    ],
    "zh": [
        "那不是愤怒，而是悲伤。",
        "那不是愤怒，是悲伤。",
        "不是风。是人。",
        "与其说是怕，不如说是累。",
        "他要的并非钱，而是名。",
    ],
}
NONE = {
    "en": [
        "Not a soul was there. The street was empty.",
        "Not long after, she came.",
        "She said nothing, but he knew.",
        "Not a word. She left.",
        "It was not far. They walked.",
    ],
    "ko": [
        "그는 집에 없었다. 비가 왔다.",
        "그뿐만 아니라 동생도 왔다.",
        "아니라고 그가 말했다.",
        "그것은 쉬운 일이 아니었다. 그는 갔다.",
    ],
    "zh": ["他是不是来了，是的。", "不是他就是我。", "这不是很好吗？", "不是我，也不是他。"],
}


def finds(text: str, language: str, metric: str) -> list[str]:
    return [span.text for span in measure(text, load_pack(language))[metric].spans]


@pytest.mark.parametrize(("language", "text"), [(k, t) for k, v in CONTRASTS.items() for t in v])
def test_not_this_but_that_is_heard_in_all_its_forms(language: str, text: str) -> None:
    assert len(finds(text, language, "contrast_density")) == 1


@pytest.mark.parametrize(("language", "text"), [(k, t) for k, v in NONE.items() for t in v])
def test_what_only_denies_is_no_contrast(language: str, text: str) -> None:
    assert finds(text, language, "contrast_density") == []


# req: A17
@pytest.mark.parametrize(
    ("language", "text", "wanted"),
    [
        ("zh", "我明白了他的意思。", ["明白了"]),
        ("zh", "他晓得这件事要坏。", ["晓得"]),
        ("zh", "他懂得那眼神的意思。", ["懂得"]),
        ("zh", "我站在门口，铺主知道我没有钱。", []),
        ("zh", "你说明白了没有。", []),
        ("zh", "他不晓得。", []),
        ("ko", "이렇게 생각하여도 좋다.", []),
        ("en", "Every fleeting thought hurt.", []),
        ("en", "She thought of him.", ["thought"]),
    ],
)
def test_filter_words(language: str, text: str, wanted: list[str]) -> None:
    assert finds(text, language, "filter_word_density") == wanted


@pytest.mark.parametrize(
    ("language", "text", "sense"),
    [
        ("en", "He showed me cool stuff.", ""),
        ("en", "The water was cool.", "touch"),
        ("ko", "그는 단단한 결의를 보였다.", ""),
        ("ko", "단단한 돌이었다.", "touch"),
        ("ko", "그는 산을 바라본다.", "sight"),
        ("ko", "그를 쳐다본다.", "sight"),
        ("zh", "他按着一百块钱算。", ""),
        ("zh", "他按着门。", "touch"),
    ],
)
def test_a_sense_is_a_thing_perceived_and_no_figure(language: str, text: str, sense: str) -> None:
    kinds = {hit.kind for hit in load_pack(language).lexicon.find(text)}
    assert {kind for kind in kinds if kind.startswith("sense:")} == (
        {f"sense:{sense}"} if sense else set()
    )
