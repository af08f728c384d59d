"""Generates prose of any length, deterministic for each language and length."""

from __future__ import annotations

import random
from collections.abc import Iterator

_WORDS = {
    "ko": "등불 계단을 바람이 천천히 그녀는 바다가 문틈으로 조스의 손이 흔들렸고 종소리는 멀리",
    "en": "lamp the stairs slowly wind under door her hand sea net bell morning wet rope and quiet",
}
_ENDS = {
    "ko": ["올랐다.", "멈췄다.", "꺼졌다.", "기억했다."],
    "en": ["rose.", "stopped.", "went out.", "remembered."],
}


def paragraphs(language: str, length: int) -> str:
    """Returns paragraphs of about that many characters in total, a third of them dialogue."""
    chance = random.Random(f"{language} {length}")
    made: list[str] = []
    size = 0
    while size < length:
        text = " ".join(_sentence(chance, language) for _ in range(chance.randint(1, 6)))
        made.append(f"“{text}”" if chance.random() < 0.35 else text)
        size += len(made[-1]) + 2
    return "\n\n".join(made)


def deltas(language: str) -> Iterator[str]:
    """Yields pieces of 1 to 6 characters without end, with occasional new paragraphs."""
    chance = random.Random(language)
    while True:
        text = paragraphs(language, 4000) + "\n\n"
        while text:
            cut = chance.randint(1, 6)
            yield text[:cut]
            text = text[cut:]


def _sentence(chance: random.Random, language: str) -> str:
    words = chance.choices(_WORDS[language].split(), k=chance.randint(3, 14))
    return " ".join([*words, chance.choice(_ENDS[language])])
