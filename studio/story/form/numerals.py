"""Numerals that Korean and Chinese write in words: 삼백이십, 一千零一, 二〇二四."""

from __future__ import annotations

_DIGITS = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "兩": 2}
_DIGITS |= {c: n for n, c in enumerate("영일이삼사오육칠팔구")}
_SCALES = {"十": 10, "百": 100, "千": 1000, "십": 10, "백": 100, "천": 1000}
_MYRIADS = frozenset("万萬만")


def numeral_value(numeral: str) -> int | None:
    """Returns the value of a numeral, or None if it is none. Bare digits are read one by one."""
    total = section = digit = 0
    for char in numeral:
        if char in _DIGITS:
            digit = digit * 10 + _DIGITS[char]
        elif char in _SCALES:
            section, digit = section + (digit or 1) * _SCALES[char], 0
        elif char in _MYRIADS:
            total, section, digit = (total + section + digit or 1) * 10_000, 0, 0
        else:
            return None
    return total + section + digit


def chinese_numeral(number: int) -> str:
    """Returns 1 to 9999 as a Chinese heading writes it: 十二, 一百零三."""
    digits, words, gap = str(number), "", False
    for at, digit in enumerate(digits):
        scale = ("", "十", "百", "千")[len(digits) - at - 1]
        if digit == "0":
            gap = bool(words)
            continue
        words += ("零" if gap else "") + "零一二三四五六七八九"[int(digit)] + scale
        gap = False
    return words.removeprefix("一") if words.startswith("一十") else words


_HANGUL = str.maketrans("一二三四五六七八九十百千", "일이삼사오육칠팔구십백천", "零")


def korean_numeral(number: int) -> str:
    """Returns 1 to 9999 as a Korean heading writes it: 십이, 백삼."""
    words = chinese_numeral(number).translate(_HANGUL)
    for scale in "십백천":
        words = words.replace(f"일{scale}", scale)
    return words
