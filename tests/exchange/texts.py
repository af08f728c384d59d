"""Manuscripts as writers keep them, in three languages."""

from __future__ import annotations

from studio.exchange.import_.plan import ImportPlan

KOREAN = """소금길

제1장 등대

비가 그치자 마라는 등대의 계단을 올랐다.

“아직 불이 켜져 있어.” 조스가 말했다.

* * *

아침이 되어서야 그는 배가 없어진 것을 알았다.

제2장 열쇠

열쇠는 기름통 밑에 없었다.

에필로그

아무도 그 이야기를 다시 하지 않았다.
"""
KOREAN_WEB = """1화. 등대
비가 그치자 마라는 등대의 계단을 올랐다.
“아직 불이 켜져 있어.”
조스가 말했다.
◇
아침이 되어서야 그는 배가 없어진 것을 알았다.
2화. 열쇠
열쇠는 기름통 밑에 없었다.
“그럼 누가 가져간 거야?”
3화. 종
종이 울렸다.
"""
CHINESE = """第一卷 海

第一章 灯塔

　　雨停了，玛拉爬上灯塔的楼梯。
　　“灯还亮着。”乔斯说。

第二章 钥匙

　　油桶下面没有钥匙。
　　他看着门，没有说话。

尾声

　　后来谁也没有再提起这件事。
"""
ENGLISH = """# The Salt Road

## Chapter 1: The Weighing House

Ines opened the house before dawn and found the seal broken.
She did not touch it.

* * *

“It was whole when I left,” Bo said.

## Chapter 2

She weighed it twice.

## Afterword

The salt road exists. I have walked a third of it.
"""
WRAPPED = """CHAPTER THREE

The Lamp Room

Mara lifted the oil cans one after another and set them
on the sill, where the light of the morning came in grey
and late.

Under the last of them the boards were pale, as if
something had lain there for years.

CHAPTER FOUR

The Stairs

Joss came up with his boots in his hand and sat down on
the top step to lace them.

He did not look round.
"""
MARKED = (
    "# “Low” & <Tide>\n\nShe read the *Harriet*’s log.[^log] **Nobody** had.\n"
    "<!-- ask Ana: too early? -->\n\n> Come at once.\n\n* * *\n\n"
    "2 * 3 * 4, snake_case_name, \\*not this\\* %%cut?%% and a\nwrapped line.\n\n"
    "[^log]: Kept since *1904*.\n",
    "# 등대\n\n그는 *“간다.”*라고 했다.\n\n* * *\n\n비가 왔다.[^1]\n\n[^1]: 이틀 동안.\n",
    "# 灯塔\n\n她说：“**走**。”\n那盏灯\n灭了。\n",
)
"""A chapter with every mark a text may have, and one in Korean and one in Chinese with some."""
NAMES = {
    "en": """# One

The rain held. “You are late,” said Mara Stobbs, and Joss nodded. They went to Fenwick together.
Nothing moved in Fenwick but the gulls. Mara looked at the water.

When he saw it, Joss laughed. On Monday the boat from Fenwick came with Mara aboard.

# Two

By then Joss knew. He told Mara so. The Captain said nothing, and so did Mara.
""",
    "ko": """# 하나

서연은 조용히 고개를 저었다. 도현이 물었다. “어디 갔다 왔어?” 서연은 말했다. “바다.”

사람들이 모였다. 그는 말했다. 도현은 서연에게 등불을 주었다. 서연이 웃었다. 도현에게 편지가 왔다.
""",
    "zh": """# 一

雨停了。林晓说：“走吧。”他们说好了。陈默笑了笑。林晓看着海。

“你听。”陈默说。林晓问：“什么？”陈默低声说：“钟。”自己说给自己听。
""",
}
"""Chapters whose people and places no entry knows."""


def titles(plan: ImportPlan) -> list[str]:
    """Titles of the chapters that are taken."""
    return [chapter.title for chapter in plan.chapters_to_import]


def prose(plan: ImportPlan) -> list[list[str]]:
    """The paragraphs of each chapter that is taken."""
    return [[p.text for p in chapter.paragraphs] for chapter in plan.chapters_to_import]


def all_lines(plan: ImportPlan) -> list[str]:
    """Every line of the source that is in the plan, in the order of the source."""
    passages = [p for row in plan.chapters for p in (*row.heading, *row.body) if not p.parts]
    ordered = sorted(passages, key=lambda p: p.line)
    return [line.strip() for p in ordered for line in p.text.split("\n") if line.strip()]
