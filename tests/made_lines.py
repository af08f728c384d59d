"""Texts made of real sentences, laid out as people lay theirs out, in three languages."""

from __future__ import annotations

import random
from unicodedata import east_asian_width

SENTENCES = {
    "en": [
        "Mara climbed the stairs of the lamp room with the key in her hand.",
        "Nobody had been up there since the winter, and the oil had dried on every step.",
        "“Are you coming?” Joss called from below.",
        "She did not answer him.",
        "The bell rang twice, the way it did when a boat was late, and the gulls rose all at once.",
        "Rain.",
        "It had rained for nine days, and the road lay under water as far as the chapel wall.",
        "“I said I would,” she told the wall.",
        "The key did not turn.",
        "Below, somebody laughed, and then the kitchen door fell shut and it was quiet again.",
    ],
    "ko": [
        "마라는 열쇠를 쥐고 등대의 계단을 천천히 올랐다.",
        "겨울이 지난 뒤로 아무도 그 위에 올라가지 않았고, 기름은 계단마다 말라붙어 있었다.",
        "“올 거야?” 조스가 아래에서 불렀다.",
        "그녀는 대답하지 않았다.",
        "배가 늦을 때면 그랬듯이 종이 두 번 울렸고, 갈매기들이 지붕에서 한꺼번에 날아올랐다.",
        "비.",
        "아흐레째 비가 내렸고, 항구로 가는 길은 예배당 담까지 물에 잠겨 있었다.",
        "“간다고 했잖아.” 그녀는 벽을 보고 말했다.",
        "열쇠는 돌아가지 않았다.",
        "아래에서 누군가 웃었고, 부엌문이 쾅 닫히더니 다시 조용해졌다.",
    ],
    "zh": [
        "玛拉握着钥匙，慢慢爬上灯塔的楼梯。",
        "自从冬天以后就没有人上去过，每一级台阶上的油都已经干了。",
        "“你来不来？”乔斯在下面喊。",
        "她没有回答。",
        "钟响了两声，就像船晚归时那样，海鸥一下子全从屋顶上飞了起来。",
        "雨。",
        "雨已经下了九天，通往港口的路一直淹到了教堂的墙边，谁也没有出门。",
        "“我说过我会去的。”她对着墙说。",
        "钥匙转不动。",
        "楼下有人笑了一声，接着厨房的门关上了，一切又安静下来。",
    ],
}
WINDOWS = {
    "en": ["[System: quest accepted]", "HP 120/150", "[Level 3]", "[A door has opened.]"],
    "ko": ["[퀘스트를 수락했습니다]", "체력 120/150", "[레벨 3]", "[문이 열렸습니다.]"],
    "zh": ["【系统】任务已接受", "体力 120/150", "【等级 3】", "【门已打开】"],
}
VERSE = {
    "en": ["the lamp went out upon the hill,", "and nobody came up to see", "the water rise,"],
    "ko": ["등불은 언덕 위에서 꺼지고", "아무도 올라와 보지 않았네", "물이 차오르는 것을"],
    "zh": ["灯在山上熄了", "没有人上来看", "水慢慢地涨"],
}
LANGUAGES = sorted(SENTENCES)
_NO_BEGINNING = "，。？！”、"


def lines_of(language: str, count: int, seed: int = 1) -> list[str]:
    """So many sentences, in an order of their own."""
    chance = random.Random(seed)
    return [chance.choice(SENTENCES[language]) for _ in range(count)]


def with_windows(language: str, lines: list[str]) -> list[str]:
    """The lines with a message of a system for every fifth of them."""
    windows = WINDOWS[language]
    return [windows[n % len(windows)] if n % 5 == 3 else line for n, line in enumerate(lines)]


def paragraphs_of(language: str, count: int, seed: int = 1) -> list[str]:
    """So many paragraphs of three to nine sentences."""
    chance = random.Random(seed)
    joint = "" if language == "zh" else " "
    return [
        joint.join(lines_of(language, chance.randint(3, 9), seed * 100 + n)) for n in range(count)
    ]


def wrapped(paragraph: str, width: int, first: str = "") -> list[str]:
    """A paragraph in lines of at most `width` columns, as an editor fills them; `first` is the
    indent of its first line."""
    words = paragraph.split(" ") if " " in paragraph else list(paragraph)
    joint = " " if " " in paragraph else ""
    lines = [first + words[0]]
    for word in words[1:]:
        longer = lines[-1] + joint + word
        if columns(longer) > width and word not in _NO_BEGINNING:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def columns(text: str) -> int:
    """The columns a text takes where a full-width character takes two."""
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in text)


def with_gaps(lines: list[str], gaps: int) -> str:
    """The lines with so many blank lines evenly between them."""
    places = {round(len(lines) * (n + 1) / (gaps + 1)) for n in range(gaps)}
    return "".join("\n" * (n in places) + line + "\n" for n, line in enumerate(lines))
