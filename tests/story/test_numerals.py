"""Numerals of Korean and Chinese, as chapter headings and prose have them."""

from __future__ import annotations

import pytest

from studio.story.form.numerals import in_digits, numeral_value, value_of, whole_number


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


def test_a_number_is_read_from_digits_of_any_script_up_to_a_length() -> None:
    assert [whole_number(words) for words in ("12", "１２", "012", "", "-1", "1.5", "½")] == [
        12, 12, 12, None, None, None, None,
    ]  # fmt: skip
    assert whole_number("9" * 18) == 10**18 - 1
    assert whole_number("9" * 5000) is None


def test_a_numeral_in_digits_or_in_words_has_its_value() -> None:
    assert [value_of(words) for words in ("0", "12", "십이", "十二", "x")] == [0, 12, 12, 12, None]
    assert value_of("9" * 5000) is None


def test_a_number_is_written_in_digits_and_one_too_long_stays() -> None:
    assert [in_digits(words) for words in ("0320", "삼백이십", "一千零一")] == [
        "320",
        "320",
        "1001",
    ]
    for endless in ("9" * 5000, "九" * 5000, "만" * 5000):
        assert in_digits(endless) == endless
