"""Texts of exact size for the metrics' boundaries, in three languages."""

from __future__ import annotations

from studio.text.language.packs import load_pack
from studio.text.prose.parse import units_in

FILTERED = {"ko": "추위를 느꼈다. ", "en": "She felt cold. ", "zh": "她感到冷。"}
"""One sentence with exactly one filter word."""
PLAIN = {"ko": "강이 굽이쳐 흐른다. ", "en": "The river bends here. ", "zh": "河水拐弯。"}
"""One sentence with no listed word."""
FILL = {"ko": "강", "en": " mud", "zh": "河"}
"""One unit that is on no list."""
SPOKEN = {"ko": "“{}”", "en": "“{}”", "zh": "“{}”"}


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
