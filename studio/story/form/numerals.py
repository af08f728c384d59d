"""Numbers in digits, and those that Korean and Chinese write in words: 삼백이십, 二〇二四."""

from __future__ import annotations

_DIGITS = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "兩": 2}
_DIGITS |= {c: n for n, c in enumerate("영일이삼사오육칠팔구")}
_SCALES = {"十": 10, "百": 100, "千": 1000, "십": 10, "백": 100, "천": 1000}
_MYRIADS = frozenset("万萬만")
_LONGEST = 18
"""The most digits of a number: what is longer counts nothing, and Python refuses to read or write
a number of 4,300."""


def whole_number(words: str) -> int | None:
    """Returns the number that digits of any script write, or None if it is none: `12`, `１２`."""
    return int(words) if words.isdecimal() and len(words) <= _LONGEST else None


def value_of(numeral: str) -> int | None:
    """Returns the value of a numeral, in digits or in words, or None if it is none."""
    return whole_number(numeral) if numeral.isdecimal() else numeral_value(numeral)


def in_digits(numeral: str) -> str:
    """Returns a numeral, in digits or in words, as digits write it: `320` for 삼백이십 and `0320`.
    One that is too long stays as it is."""
    value = value_of(numeral)
    return numeral if value is None else str(value)


def numeral_value(numeral: str) -> int | None:
    """Returns the value of a numeral, or None if it is none. Bare digits are read one by one."""
    if len(numeral) > _LONGEST:
        return None
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
