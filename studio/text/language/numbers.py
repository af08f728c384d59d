"""Numbers in prose, by value: digits, and the numerals of the three languages before counters.

The search is conservative: a Korean or Chinese numeral is a number only before a counter (세 명,
十二年) or as a noun of its own (열둘까지, 셋이었다, 画到十一), and the article-like ones (한,
하나, 一, one) are ignored.
"""

from __future__ import annotations

import re
from functools import lru_cache

from studio.story.form.numerals import in_digits
from studio.text.language.packs import LanguagePack

_DIGITS = re.compile(r"\d+(?:[,，]\d{3})*(?:\.\d+)?")

_SMALL_WORDS = (
    *("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_SMALL = {word: number for number, word in enumerate(_SMALL_WORDS, 2)}
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_TENS = {word: number * 10 for number, word in enumerate(TENS, 2)}
_UNITS_AFTER_TENS = {"one": 1, **{word: n for word, n in _SMALL.items() if n < 10}}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000}
_ENGLISH = re.compile(
    rf"\b(?:({'|'.join(_TENS)})(?:[-\s]({'|'.join(_UNITS_AFTER_TENS)}))?|({'|'.join(_SMALL)})|"
    rf"(?:an?|one)\s+(?={'|'.join(_SCALES)}))"
    rf"(?:\s*\b({'|'.join(_SCALES)}))?\b",
    re.IGNORECASE,
)

_NATIVE = {"두": 2, "세": 3, "네": 4, "다섯": 5, "여섯": 6, "일곱": 7, "여덟": 8, "아홉": 9}
_NATIVE_TENS = {"열": 10, "스물": 20, "서른": 30, "마흔": 40, "쉰": 50, "예순": 60}
_NATIVE_TENS |= {"일흔": 70, "여든": 80, "아흔": 90}
_KOREAN = (
    rf"(?<![가-힣])(?:(?P<tens>{'|'.join(_NATIVE_TENS)}|스무)(?P<ones>{'|'.join(_NATIVE)}|한)?|"
    rf"(?P<small>{'|'.join(_NATIVE)})|"
    r"(?P<sino>[일이삼사오육칠팔구십백천만]{2,}|[백천만]|[삼오육칠팔구십](?!\s?(?:NATIVE))))"
    r"\s?(?:COUNTERS)"
)
_NATIVE_NOUNS = {"둘": 2, "셋": 3, "넷": 4, **{w: n for w, n in _NATIVE.items() if n > 4}}
_NOUN = re.compile(
    rf"(?<![가-힣])(?:(?P<tens>{'|'.join(_NATIVE_TENS)})(?P<ones>하나|{'|'.join(_NATIVE_NOUNS)})|"
    rf"(?P<small>{'|'.join(_NATIVE_NOUNS)}))"
    r"(?=(?:이|가|은|는|을|를|과|와|도|만|의|에|로|으로|까지|부터|보다|쯤|씩|뿐)(?![가-힣])"
    r"|이?(?:나|라|랑|다|고|며|면|지|야)(?![가-힣])|이었|였|이서|입니|[^가-힣]|\Z)"
)
"""A numeral with the particles of a noun, so that 둘러 and 다섯째 are none."""
_NATIVE_COUNTERS = "사람|살|마리|가지|군데|걸음|그루|송이|켤레"
"""Counters that take native numerals only: 칠 사람 is whoever will strike, never seven."""

_CHINESE = re.compile("[零〇一二三四五六七八九十百千万两]+")
_ALONE = re.compile("[二三四五六七八九]十[一二三四五六七八九]?|十[一二三四五六七八九]")
"""A numeral that is one without a counter as well: 画到十一, but not 万一 or 三三两两."""


def numbers_in(text: str, pack: LanguagePack) -> dict[str, str]:
    """Maps each value to the words of its first mention, in order of appearance."""
    mentions = [(m.start(), _digits(m[0]), m[0]) for m in _DIGITS.finditer(text)]
    mentions += _READERS[pack.language](text, pack)
    numbers: dict[str, str] = {}
    for _, value, words in sorted(mentions):
        numbers.setdefault(value, words)
    return numbers


def _digits(words: str) -> str:
    plain = re.sub("[,，]", "", words)
    return plain if "." in plain else in_digits(plain)


def _english(text: str, _: LanguagePack) -> list[tuple[int, str, str]]:
    mentions = []
    for match in _ENGLISH.finditer(text):
        tens, one, small, scale = (group.lower() if group else "" for group in match.groups())
        value = _TENS.get(tens, 0) + _UNITS_AFTER_TENS.get(one, 0) + _SMALL.get(small, 0) or 1
        mentions.append((match.start(), str(value * _SCALES.get(scale, 1)), match[0].strip()))
    return mentions


def _korean(text: str, pack: LanguagePack) -> list[tuple[int, str, str]]:
    mentions = []
    for match in _korean_pattern(pack.counters).finditer(text):
        if match["sino"]:
            value = in_digits(match["sino"])
        else:
            tens = 20 if match["tens"] == "스무" else _NATIVE_TENS.get(match["tens"] or "", 0)
            ones = match["ones"] or match["small"] or ""
            value = str(tens + (1 if ones == "한" else _NATIVE.get(ones, 0)))
        mentions.append((match.start(), value, match[0]))
    counted = {start for start, _, _ in mentions}
    for match in _NOUN.finditer(text):
        if match.start() not in counted:
            ones = match["ones"] or match["small"]
            number = _NATIVE_TENS.get(match["tens"] or "", 0) + _NATIVE_NOUNS.get(ones, 1)
            mentions.append((match.start(), str(number), match[0]))
    return mentions


@lru_cache(maxsize=4)
def _korean_pattern(counters: tuple[str, ...]) -> re.Pattern[str]:
    pattern = _KOREAN.replace("COUNTERS", "|".join(map(re.escape, counters)))
    return re.compile(pattern.replace("NATIVE", _NATIVE_COUNTERS))


def _chinese(text: str, pack: LanguagePack) -> list[tuple[int, str, str]]:
    mentions = []
    for match in _CHINESE.finditer(text):
        has_counter = text[match.end() :].startswith(pack.counters)
        if match[0] == "一" or not (has_counter or _ALONE.fullmatch(match[0])):
            continue
        words = match[0] + (text[match.end()] if has_counter else "")
        mentions.append((match.start(), in_digits(match[0]), words))
    return mentions


_READERS = {"en": _english, "ko": _korean, "zh": _chinese}
