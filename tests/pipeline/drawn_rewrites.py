"""Rewrites drawn by a script: a sentence of ours with one thing in it changed that no fix may
change. Thirty a language, the same ones every time."""

from __future__ import annotations

import random
from typing import NamedTuple

from studio.story.review.surgery import DifferenceKind

DRAWN = 30
FRAMES = {
    "en": (
        "Harriet Vane saw that {who} set {number} crates {place} {time}. She could hear the"
        " chain, and she felt that {witness} {denied} the lamp go out."
    ),
    "ko": (
        "강무열은 {time} {who} 상자 {number} 개를 {place} 내려놓는 것을 보았다. 쇠사슬 소리가"
        " 들렸고, {witness} 등불이 꺼지는 것을 {denied} 것을 느꼈다."
    ),
    "zh": (
        "江无咎看见{who}{time}把{number}只箱子搬到{place}。他听见铁链响，又感到{witness}{denied}那盏灯灭掉。"
    ),
}
"""A passage with filter words; `CLEAN` is the same without them."""
CLEAN = {
    "en": (
        "{who} set {number} crates {place} {time}. Harriet Vane stood by. The chain rang, and"
        " {witness} {denied} the lamp go out."
    ),
    "ko": (
        "{time} {who} 상자 {number} 개를 {place} 내려놓았다. 강무열 앞에서 쇠사슬 소리가 났고,"
        " {witness} 등불이 꺼지는 것을 {denied} 터였다."
    ),
    "zh": (
        "{who}{time}把{number}只箱子搬到{place}，江无咎站着没动。铁链在响，{witness}{denied}那盏灯灭掉。"
    ),
}
CHOICES: dict[str, dict[str, tuple[str, ...]]] = {
    "en": {
        "who": ("Osric", "Maud", "Tibbs"),
        "number": ("three", "five", "nine", "twelve"),
        "place": ("on the jetty", "in the loft", "behind the chapel", "under the stairs"),
        "time": ("at dawn", "at dusk", "on Sunday", "after midnight"),
        "witness": ("nobody on the bank", "the boy on the bank", "the widow upstairs"),
        "denied": ("noticed", "did not notice"),
    },
    "ko": {
        "who": ("기백이", "순님이", "두칠이"),
        "number": ("세", "다섯", "아홉", "열두"),
        "place": ("선창에", "다락에", "예배당 뒤에", "계단 밑에"),
        "time": ("새벽에", "저녁에", "일요일에", "자정이 지나"),
        "witness": ("아무도", "둑 위의 소년도", "위층 과부도"),
        "denied": ("알아챈", "알아채지 못한"),
    },
    "zh": {
        "who": ("钱三宝", "孙桂芳", "马六指"),
        "number": ("三", "五", "九", "十二"),
        "place": ("码头上", "阁楼里", "教堂后面", "楼梯底下"),
        "time": ("清晨", "傍晚", "星期天", "半夜"),
        "witness": ("没有人", "岸上的男孩", "楼上的寡妇"),
        "denied": ("注意到", "没注意到"),
    },
}
KINDS: dict[str, DifferenceKind] = {
    "who": "person",
    "number": "number",
    "place": "place",
    "time": "time",
    "witness": "person",
    "denied": "denial",
}


class Drawn(NamedTuple):
    """A passage, its rewrite, and what is not as it was."""

    before: str
    after: str
    kind: DifferenceKind
    old: str
    new: str


def drawn(language: str) -> list[Drawn]:
    """Thirty rewrites, each kind five times: without the filter words, with one thing changed."""
    chance = random.Random(f"rewrites-{language}")
    rewrites = []
    for number in range(DRAWN):
        slot = list(KINDS)[number % len(KINDS)]
        words = {name: chance.choice(options) for name, options in CHOICES[language].items()}
        others = [option for option in CHOICES[language][slot] if option != words[slot]]
        changed = {**words, slot: chance.choice(others)}
        before, after = FRAMES[language].format(**words), CLEAN[language].format(**changed)
        rewrites.append(Drawn(before, after, KINDS[slot], words[slot], changed[slot]))
    return rewrites
