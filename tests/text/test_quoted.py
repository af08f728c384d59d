"""Quoted words without a closing mark of their own are speech where somebody says them."""

from __future__ import annotations

import pytest

from studio.text.language.packs import load_pack
from studio.text.prose.dialogue import dialogue_spans


def speech(text: str, language: str) -> list[str]:
    return [span.of(text) for span in dialogue_spans(text, load_pack(language))]


# req: A17
@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ("“我感到冷”他说。", "“我感到冷”"),
        ("「我感到冷」她低声说道，没有抬头。", "「我感到冷」"),
        ("《我感到冷。》他说。", "《我感到冷。》"),
        ("他的“影子”说不出话。", ""),
        ("他在“影子”里说道，天冷了。", ""),
        ("那个“家”他不说。", ""),
        ("他读《你是谁？》这本书。", ""),
    ],
)
def test_chinese_speech_is_told_by_who_says_it(text: str, spoken: str) -> None:
    assert speech(text, "zh") == ([spoken] if spoken else [])


# req: A17
@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ("「나는 추위를 느꼈다」 그가 말했다.", "「나는 추위를 느꼈다」"),
        ("『춥다』라고 그녀가 속삭였다.", "『춥다』"),
        ("「춥다」고 말했다.", "「춥다」"),
        ("그는 「운수 좋은 날」을 읽었다고 말했다.", ""),
        ("그는 「운수 좋은 날」 이야기를 오래 했다.", ""),
    ],
)
def test_korean_speech_is_told_by_who_says_it(text: str, spoken: str) -> None:
    assert speech(text, "ko") == ([spoken] if spoken else [])
