"""Texts in three languages for the metrics: of exact size for their boundaries, or drawn."""

from __future__ import annotations

import random

from studio.text.language.packs import load_pack
from studio.text.prose.parse import units_in

FILTERED = {"ko": "추위를 느꼈다. ", "en": "She felt cold. ", "zh": "她感到冷。"}
"""One sentence with exactly one filter word."""
PLAIN = {"ko": "강이 굽이쳐 흐른다. ", "en": "The river bends here. ", "zh": "河水拐弯。"}
"""One sentence with no listed word."""
FILL = {"ko": "강", "en": " mud", "zh": "河"}
"""One unit that is on no list."""
SPOKEN = {"ko": "“{}”", "en": "“{}”", "zh": "“{}”"}
ON_THE_QUAY = {
    "en": (
        "The ferry came in at six with its one lamp lit.",
        "Nobody on the quay had slept, and the dog least of all.",
        "She counted the crates twice.",
        "Rope lay over the stones in wet loops, and a boy stepped through them barefoot.",
        "The clerk wrote the weight down and blew on the ink.",
    ),
    "ko": (
        "여섯 시에 나룻배가 등불 하나를 켜고 들어왔다.",
        "부두에서는 아무도 자지 못했고, 개는 더 못 잤다.",
        "그녀는 궤짝을 두 번 세었다.",
        "젖은 밧줄이 돌 위에 둥글게 놓여 있었고 맨발의 아이가 그 사이를 건너갔다.",
        "서기는 무게를 적고 잉크를 불어 말렸다.",
    ),
    "zh": (
        "六点钟，渡船亮着一盏灯靠了岸。",
        "码头上没有人睡过，那条狗更没有。",
        "她把箱子数了两遍。",
        "湿缆绳一圈一圈摊在石头上，一个光脚的孩子从中间走过去。",
        "书记员写下重量，朝墨迹吹了口气。",
    ),
}
COLD = {"en": "She felt the cold.", "ko": "그녀는 추위를 느꼈다.", "zh": "她感到一阵冷。"}
RIVER = {
    "ko": "강은 마을을 돌아 흘렀다. 배가 닻을 내렸고 둑에서는 개가 짖었다. "
    "누가 등을 들고 나와 물을 내려다보았다.",
    "en": "The river bent round the village. A boat dropped its anchor while a dog barked on "
    "the dyke, and somebody came out with a lamp to look at the water.",
    "zh": "河水绕着村子流过去。船下了锚，堤上有狗在叫。有人提着灯出来，低头看着水。",
}


def units(text: str, language: str) -> int:
    """Length in the language's units."""
    return units_in(text, load_pack(language))


def filled_to(text: str, total: int, language: str) -> str:
    """The text made exactly `total` units long with words on no list, one paragraph a hundred."""
    paragraphs = [text.strip()]
    while (missing := total - units("".join(paragraphs), language)) > 0:
        paragraphs.append("\n\n" + FILL[language] * min(missing, 100))
    assert units("".join(paragraphs), language) == total
    return "".join(paragraphs)


def with_filter_words(count: int, total: int, language: str) -> str:
    """A chapter of `total` units of narration that holds `count` filter words."""
    return "# 0\n\n" + filled_to(FILTERED[language] * count, total, language) + "\n"


def prose(language: str, paragraphs: int, seed: int, filtered: float = 0.0) -> str:
    """Paragraphs of plain sentences; a share of them ends in a filter word."""
    drawn = random.Random(seed)
    written = []
    for _ in range(paragraphs):
        sentences = drawn.choices(ON_THE_QUAY[language], k=drawn.randint(3, 9))
        if drawn.random() < filtered:
            sentences.append(COLD[language])
        written.append(" ".join(sentences))
    return "# One\n\n" + "\n\n".join(written) + "\n"
