"""Families of filter words: every form in which narration reports what a viewpoint takes in."""

from __future__ import annotations

import pytest

from studio.text.language.packs import load_pack
from studio.text.prose.parse import read

FAMILIES = {
    "en": {
        "a bare infinitive behind what lets one see": [
            "Three nets did seem a poor answer to the flood.",
            "The wind made the whole street seem unpaid for.",
            "Dorrit was surprised to see the kiln lit on a Sunday.",
            "It took the boy a week to feel that the oars were his.",
            "The smoke made her see every gatepost as a bailiff.",
        ],
        "an aside of the one who knows": [
            "The pump, he believed, would see out the mayor.",
            "Old Marl, she knew, kept the key under the goose.",
        ],
        "how a thing strikes or appears": [
            "The smell of the brine struck her afresh on the stairs.",
            "From the dyke the church appeared a mere thimble.",
            "The twins appeared taller in their dead uncle's coats.",
        ],
        "a feeling with a clause, a memory that comes of itself": [
            "He had an uncomfortable feeling that the scales were listening.",
            "Halfway over the bridge Petra suddenly remembered the oven.",
        ],
        "old verbs of seeing": [
            "He beheld a barge with one lamp, and nobody at the pole.",
            "Nora espied two goats upon the roof of the chapel.",
            "From the mast the boy descried smoke over the salt pans.",
            "Through the rain she could discern the ferry bell.",
            "At the corner he recognised the baker's coat on another man.",
        ],
        "coming to know": [
            "The clerk understood that the ledger had two endings.",
            "She fancied that the stairs counted her.",
            "Tomas conjectured that the eel man had gone inland.",
            "By the third bell he was certain that the lock was painted on.",
            "The widow well knew, and poured him the smaller cup.",
        ],
        "a thought that comes": [
            "It suddenly occurred to the ferryman that nobody had paid.",
            "A foolish rhyme went through her head all the way to the mill.",
            "The name of the boat darted across his mind.",
        ],
        "how something appears": ["The judge appeared very small behind the bread."],
    },
    "ko": {
        "발견하고 냄새 맡고 듣는 것": [
            "순례는 저울추가 하나 모자라는 것을 발견하였다.",
            "곰방은 눌은밥 냄새를 맡으며 문지방을 넘었다.",
            "뱃고동이 두 번 우는 것을 듣고 순례는 장부를 덮었다.",
        ],
        "짐작의 이은 꼴": [
            "곰방은 배가 오지 않을 것을 짐작하며 노를 말렸다.",
            "문 두드린 사람이 누구인지 짐작할 수가 있었다.",
            "도둑이 든 게 아닌가 싶어 순례는 등을 켰다.",
            "내일이면 물이 빠질 것이라고 굳게 믿었다.",
        ],
        "저절로 떠오르는 기억": [
            "소금 자루를 보자 작년 장마가 문득 떠올랐다.",
            "그때 노를 빼앗기던 일이 휙 떠오른다.",
        ],
        "-던 것이다로 맺는 서술": [
            "마당이 어제보다 좁아 보였던 것이다.",
            "순례는 제 이름이 남의 것처럼 들리는 것을 느꼈던 것이다.",
        ],
        "띄어 쓴 듯": ["강물이 문턱을 넘을 듯 하여 곰방은 짐을 올렸다."],
        "무엇을 보고": [
            "덕구는 배가 벌써 떠난 것을 보고 모자를 벗었다.",
            "불이 꺼진 것을 보자 영순은 발소리를 죽였다.",
            "그가 혼자 웃는 걸 보더니 개가 짖었다.",
            "줄이 줄어드는 것을 볼 때마다 그는 단추를 세었다.",
        ],
        "무엇을 듣고": [
            "문 닫히는 소리를 듣고 노인은 국자를 놓았다.",
            "빗장 거는 소리를 듣자 아이가 돌아섰다.",
        ],
        "무엇을 알고": [
            "열쇠가 두 개인 것을 알고 그녀는 하나를 삼켰다.",
            "덕구는 자루가 빈 것을 알자 길에 주저앉았다.",
        ],
        "믿음과 짐작": [
            "순례는 배가 돌아오리라 믿었다.",
            "영감은 손자가 다리를 건넜다고 믿고 있었다.",
            "누가 다녀갔는지 짐작할 수 있는 부엌이었다.",
        ],
        "생각할 때": ["혼자 남으리라는 것을 생각할 때 순례는 이를 물었다."],
    },
    "zh": {
        "只见、却见、又见": [
            "江无咎推开柴门，只见院里晾着两张渔网。",
            "钱三宝正要答话，却见账房把灯吹灭了。",
            "走到第三道桥，又见船家坐在石阶上。",
            "这时见桥头来了三个挑盐的。",
        ],
        "见到、眼见、惊觉、突闻": [
            "江无咎适才见到十八只空船顺流下去。",
            "账房眼见水漫过了门槛，抱起算盘就走。",
            "她惊觉灯芯已经烧到了底。",
            "夜半突闻更鼓乱响，众人都披衣起来。",
        ],
        "自己浮现的记忆": ["走到渡口，钱三宝猛地想起灶上还炖着鱼。"],
        "某人见": [
            "秀兰见船上的灯一盏一盏灭了，便收起绳子。",
            "他见桥头站着两个送炭的人，停了下来。",
            "沈二娘見院裡曬的鞋少了一隻，轉身關門。",
        ],
        "听与觉": [
            "阿福刚要吹灯，只听楼板上有人拖着箱子。",
            "走到渡口，众人均觉脚下的石头松了。",
            "他坐下来，頓覺兩手空空。",
        ],
        "断定与辨认": [
            "她确信钥匙还在米缸里。",
            "老秤手断定那条船没有装盐。",
            "掌柜一眼认出那只缺口的碗。",
            "他早料到门会开着。",
        ],
    },
}
OTHERS = {
    "en": [
        "It was believed that the mill had been sold twice.",
        "Nobody imagined that the priest could row.",
        "She hardly recognised it.",
        "She could discern in the clerk no trace of flour.",
        "He told himself many things, and he believed that.",
        "Such a price never entered his head.",
    ],
    "ko": [
        "그는 그 집의 모든 걸 알고 싶었다.",
        "무슨 소리를 들었는지 개가 일어섰다.",
        "옳다고 믿었던 길은 막혀 있었다.",
        "순례는 바다를 생각할 때면 소금을 쥐었다.",
    ],
    "zh": [
        "这种花样屡见于旧书。",
        "他没认出那只碗。",
        "两人相见时都换了衣裳。",
        "谁也不敢断定河有多深。",
    ],
}


def finds(language: str, text: str) -> list[str]:
    reading = read(text, load_pack(language))
    return [text[start:end] for start, end in reading.hits("filter")]


@pytest.mark.parametrize(
    ("language", "family", "sentences"),
    [(language, family, s) for language, kinds in FAMILIES.items() for family, s in kinds.items()],
)
def test_every_member_of_a_family_is_one(language: str, family: str, sentences: list[str]) -> None:
    assert [text for text in sentences if not finds(language, text)] == [], family


@pytest.mark.parametrize("language", OTHERS)
def test_what_only_looks_like_one_is_none(language: str) -> None:
    assert {text: words for text in OTHERS[language] if (words := finds(language, text))} == {}
