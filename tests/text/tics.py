"""Chapters of made prose in three languages, with one turn of phrase put in again and again."""

from __future__ import annotations

import re

from tests.text.unread import passages_of

TICS = {
    "ko": (
        "대답은 한 박자 뒤에 돌아왔다.",
        "문이 한 박자 늦게 닫혔다.",
        "그녀는 한 박자 쉬고 잔을 내려놓았다.",
        "엔진이 한 박자 망설이다 걸렸다.",
        "기침이 나오려다 한 박자 만에 멎었다.",
        "종소리는 언제나 한 박자 빨랐다.",
        "두 사람의 걸음이 한 박자 어긋났다.",
        "촛불이 한 박자 먼저 꺼졌다.",
    ),
    "en": (
        "He let out a breath and put the cup down.",
        "The mechanic let out a breath that smelled of onions.",
        "She let out a breath before the kettle did.",
        "Somebody in the next room let out a breath.",
        "I let out a breath and counted the coins again.",
        "At last the old dog let out a breath and slept.",
        "The clerk let out a breath over the wet ink.",
        "They let out a breath together, like divers.",
    ),
    "zh": (
        "他停顿了一下，把杯子放回桌上。",
        "水龙头停顿了一下，又滴起来。",
        "她停顿了一下才去拿钥匙。",
        "老会计停顿了一下，重新数那叠钱。",
        "电梯在四楼停顿了一下。",
        "狗停顿了一下，绕过那摊水。",
        "脚步声在门外停顿了一下。",
        "缝纫机停顿了一下，针断了。",
    ),
}
"""Sentences of one turn, each otherwise its own."""
_CHOPPED = re.compile(r"[^.!?\n“”\"]{1,12}\.$|(?s:.*)(?:없|않|아니)(?:었|았)?다\.")
"""What the made prose has too much of in Korean: paragraphs of a few words, and denials."""
CLIPPED = {
    "en": ("The lamp burned. Nothing else. He waited.", "He sat. A chair. Cold.") * 14,
    "ko": ("불이 꺼졌다. 바람. 그가 멈췄다.", "문이 닫혔다. 발소리. 비가 왔다.") * 10,
    "zh": ("灯灭了。有风。他停下。", "门关了。下雨了。她坐下。") * 10,
}
"""Sentences of a few words."""
TURNS = {"ko": "한 박자", "en": "let out a breath", "zh": "停顿了一下"}


def paragraphs(language: str) -> list[str]:
    """Prose without a tic, of a chapter's length."""
    lots = [passages_of(f"{language}-{number}") for number in (1, 2, 3)]
    return [
        paragraph
        for lot in lots
        for passage in lot
        for paragraph in passage.text.split("\n\n")
        if paragraph.strip() and (language != "ko" or not _CHOPPED.match(paragraph))
    ]


def chapter(language: str, sentences: tuple[str, ...] = ()) -> str:
    """A chapter of that prose with the sentences spread over it, each a paragraph's last."""
    plain = paragraphs(language)
    step = len(plain) // max(1, len(sentences))
    for number, sentence in enumerate(sentences):
        joint = "" if language == "zh" else " "
        plain[number * step] += joint + sentence
    return "\n\n".join(plain)


def spread(language: str, blocks: list[str]) -> str:
    """A chapter of that prose with the blocks spread over it, each on lines of its own."""
    plain = paragraphs(language)
    step = len(plain) // len(blocks)
    for number in reversed(range(len(blocks))):
        plain.insert(number * step + 1, blocks[number])
    return "\n\n".join(plain)
