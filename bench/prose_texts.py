"""Generates prose of any length from the labelled passages' words, and lexicons of any size."""

from __future__ import annotations

import random
import re
from functools import cache

from studio.text.language.packs import LanguagePack, load_pack
from tests.text.labelled import PASSAGES

_MARKS = "“”‘’\"'「」『』《》—()[].!?…,。，！？；：、"
_STOP = {"en": ".", "ko": ".", "zh": "。"}
_ASKS = {"en": "?", "ko": "?", "zh": "？"}
_COMMA = {"en": ",", "ko": ",", "zh": "，"}
_WORDS = {"en": (4, 24), "ko": (4, 15), "zh": (5, 20)}
"""The range of words per sentence, roughly as in novels."""


@cache
def vocabulary(language: str) -> tuple[str, ...]:
    """Returns every word of the passages, filter words excluded, as often as it occurs."""
    text = " ".join(p.text for p in PASSAGES if p.language == language and not p.filter)
    if language == "zh":
        return tuple(re.findall("[\u3400-\u9fff]{2}", text))
    return tuple(word for token in text.split() if (word := token.strip(_MARKS)))


def prose(language: str, length: int, seed: int = 0) -> str:
    """Returns paragraphs of exactly that many characters in total, a third of them dialogue."""
    chance = random.Random(f"{language} {length} {seed}")
    made: list[str] = []
    size = 0
    while size < length:
        text = _paragraph(language, chance)
        made.append(f"“{text}”" if chance.random() < 0.35 else text)
        size += len(made[-1]) + 2
    return "\n\n".join(made)[:length]


def _paragraph(language: str, chance: random.Random) -> str:
    joiner = "" if language == "zh" else " "
    return joiner.join(_sentence(language, chance, joiner) for _ in range(chance.randint(1, 6)))


def _sentence(language: str, chance: random.Random, joiner: str) -> str:
    words = chance.choices(vocabulary(language), k=chance.randint(*_WORDS[language]))
    if language == "en":
        words[0] = words[0].capitalize()
    if len(words) > 8:
        words[len(words) // 2] += _COMMA[language]
    stop = _ASKS if chance.random() < 0.15 else _STOP
    return joiner.join(words) + stop[language]


def pack_of(language: str, entries: int) -> LanguagePack:
    """Returns the language pack with at least that many listed words; half
    of the added ones can occur."""
    pack = load_pack(language)
    missing = entries - sum(map(len, pack.lexicon.lists.values()))
    chance = random.Random(language)
    words, joiner = vocabulary(language), "" if language == "zh" else " "
    letters = sorted(set("".join(words)))
    added = [
        joiner.join(chance.choices(words, k=2))
        if number % 2
        else "".join(chance.choices(letters, k=6))
        for number in range(max(0, missing))
    ]
    return pack.with_phrases(added)
