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


def titles(plan: ImportPlan) -> list[str]:
    """Titles of the chapters that are taken."""
    return [chapter.title for chapter in plan.included]


def prose(plan: ImportPlan) -> list[list[str]]:
    """The paragraphs of each chapter that is taken."""
    return [[p.text for p in chapter.paragraphs] for chapter in plan.included]


def all_lines(plan: ImportPlan) -> list[str]:
    """Every line of the source that is in the plan, in the order of the source."""
    passages = [p for row in plan.chapters for p in (*row.heading, *row.body) if not p.parts]
    ordered = sorted(passages, key=lambda p: p.line)
    return [line.strip() for p in ordered for line in p.text.split("\n") if line.strip()]
