"""Lines fit their cells, lose nothing, and grow as if the text had come at once."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from studio.text.safe import safe_text
from studio.tui.views.prose.wrapping import cells, extend, roughly, wrap

ALPHABET = (
    "ab de,.!\"'(-—“”‘’가나다라、。「」中文，。？！（）　\n é\u0301"
    "\u1100\u1161\u11a8👩\u200d👧❤\ufe0f🏽…"
)
texts = st.text(alphabet=ALPHABET, max_size=120).map(safe_text)
widths = st.integers(2, 30)


@given(texts, widths)
def test_lines_together_are_the_text_and_each_fits(text: str, width: int) -> None:
    lines = wrap(text, width)
    assert "".join(lines) == text
    assert [line for line in lines if cell_len(line.rstrip(" \n\u3000")) > width] == []
    assert all(lines[:-1])


@given(texts, st.lists(st.integers(0, 120), max_size=12), widths)
def test_growing_piece_by_piece_wraps_as_the_whole_does(
    text: str, cuts: list[int], width: int
) -> None:
    lines = [""]
    for start, end in pairwise([0, *sorted(cuts), 120]):
        extend(lines, text[start:end], width)
    assert lines == wrap(text, width)


@given(texts)
def test_cells_are_those_of_the_painter(text: str) -> None:
    assert cells(text)[-1] == cell_len(text)


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        (
            "The lamp room smelled of oil, and nobody answered.",
            20,
            ["The lamp room ", "smelled of oil, and ", "nobody answered."],
        ),
        (
            "계단은 백서른두 개였다. 발이 기억했다.",
            20,
            ["계단은 백서른두 ", "개였다. 발이 ", "기억했다."],
        ),
        ("그는 웃었다.", 11, ["그는 ", "웃었다."]),
        ("등대지기였다.", 8, ["등대지기", "였다."]),
        ("방 CCTV를 보았다", 8, ["방 ", "CCTV를 ", "보았다"]),
        ("她提着灯走上楼梯。没有人。", 16, ["她提着灯走上楼", "梯。没有人。"]),
        ("他说：“没有人吗？”", 8, ["他说：", "“没有人", "吗？”"]),
        ('그는 "아니" 하고', 8, ["그는 ", '"아니" ', "하고"]),
        ('그는 "아니" 하고', 6, ["그는 ", '"아니" ', "하고"]),
        ("lighthouse-keeper", 12, ["lighthouse-", "keeper"]),
        ("aaaaaaaaaa bb", 4, ["aaaa", "aaaa", "aa ", "bb"]),
        ("one\ntwo", 20, ["one\n", "two"]),
        ("", 20, [""]),
    ],
)
def test_lines_end_where_a_typesetter_would_end_them(
    text: str, width: int, lines: list[str]
) -> None:
    assert wrap(text, width) == lines


def test_a_picture_of_several_characters_is_never_cut() -> None:
    family = "👩\u200d👧"
    assert wrap(family * 5, 5) == [family * 2, family * 2, family]


def test_a_decomposed_syllable_is_never_cut() -> None:
    syllable = "\u1112\u1161\u11ab"
    assert wrap(syllable * 3, 4) == [syllable * 2, syllable]


@pytest.mark.parametrize("words", ["등불을 들고 올랐다", "up the stairs ", "提着灯走上楼梯"])
def test_the_rough_width_is_near_the_true_one(words: str) -> None:
    text = words * 9
    assert roughly(text) == pytest.approx(cell_len(text), rel=0.05)
