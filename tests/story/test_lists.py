"""A list as a writer types it: the commas of her keyboard, blanks, and ranges."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from studio.cli.commands import baseline, find, plan, variations
from studio.exchange.export import numbers_in
from studio.story.chapter_list import ChapterList
from studio.story.form.lists import items_of, names_of

HITS: Any = tuple(SimpleNamespace(words=f"비 {n}") for n in range(9))


def meant(typed: str) -> int | None:
    return ChapterList().meant_by(typed, ())


@pytest.mark.parametrize("typed", ["1,3-5", "1、3~5", "1，3～5", "1；3 - 5", "1 3-5", " 1, 3–5 ,"])
def test_numbers_are_told_apart_by_the_commas_of_any_keyboard_and_by_blanks(typed: str) -> None:
    assert items_of(typed) == ("1", "3-5")
    assert baseline._numbers(typed) == [1, 3, 4, 5]
    assert find.numbers_of((typed,), HITS) == {1, 3, 4, 5}
    assert numbers_in(typed, [1, 2, 3, 4, 5], meant) == [1, 3, 4, 5]


@pytest.mark.parametrize("comma", [",", "、", "，", "；", " "])
def test_every_option_that_takes_a_list_takes_it_so(comma: str) -> None:
    assert variations._numbers(f"1{comma}3") == {1, 3}
    assert variations._sentence_numbers(f"1.2{comma}3.1") == {(1, 2), (3, 1)}
    assert plan._fields_to_take(f"title{comma}people") == ("title", "people")


def test_a_name_may_hold_a_blank() -> None:
    assert names_of("구 여사、 최 노인；마 실장") == ("구 여사", "최 노인", "마 실장")


@pytest.mark.parametrize(
    "typed",
    [
        "~5",
        "5화까지",
        "5까지",
        "到第5章",
        "至5",
        "up to 5",
        "3화부터 5화까지",
        "3-5화",
        "第3章到第5章",
    ],
)
def test_up_to_an_episode_begins_with_the_first_that_counts(typed: str) -> None:
    assert numbers_in(typed, [1, 2, 3, 4, 5, 6], meant, 3) == [3, 4, 5]
