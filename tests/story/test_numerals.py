"""Numerals of Korean and Chinese, as chapter headings and prose have them."""

from __future__ import annotations

import pytest

from studio.story.form.numerals import numeral_value


@pytest.mark.parametrize(
    ("numeral", "value"),
    [
        ("十", 10),
        ("十二", 12),
        ("一百零八", 108),
        ("一千零一", 1001),
        ("二〇二四", 2024),
        ("两万三千", 23_000),
        ("兩百", 200),
        ("萬", 10_000),
        ("零", 0),
        ("이십삼", 23),
        ("삼백이십", 320),
        ("만오천", 15_000),
        ("일이", 12),
    ],
)
def test_a_numeral_has_its_value(numeral: str, value: int) -> None:
    assert numeral_value(numeral) == value


@pytest.mark.parametrize("words", ["서장", "十二章", "ten", "3"])
def test_other_characters_make_it_no_numeral(words: str) -> None:
    assert numeral_value(words) is None
