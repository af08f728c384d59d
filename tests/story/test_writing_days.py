"""How much was written on a day is what the chapters became longer by, whatever was saved when."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.story.writing_days import WritingDays, per_day

DAY = date(2027, 3, 1)


# req: H2
@given(st.lists(st.integers(0, 5000), min_size=2, max_size=9))
def test_a_day_counts_from_where_it_began(lengths: list[int]) -> None:
    days = WritingDays()
    for before, now in pairwise(lengths):
        days = days.with_length(DAY, 4, before, now)
    assert days.growth_on(DAY) == lengths[-1] - lengths[0]
    assert days.growth_on(DAY + timedelta(1)) == 0


def test_chapters_of_a_day_are_added_and_old_days_make_room() -> None:
    days = WritingDays()
    for offset in range(410):
        days = days.with_length(DAY + timedelta(offset), 1, 0, 10)
    last = DAY + timedelta(409)
    days = days.with_length(last, 2, 600, 500)
    assert days.growth_on(last) == -90
    assert len(days.days) == 400


@pytest.mark.parametrize(
    ("length", "goal", "due", "expected"),
    [
        (5000, 19000, DAY + timedelta(13), 1000),
        (5000, 5000, DAY + timedelta(13), None),
        (0, 10, DAY, 10),
        (0, 10, DAY - timedelta(1), None),
    ],
)
def test_what_a_day_asks_for_until_the_book_is_due(
    length: int, goal: int, due: date, expected: int | None
) -> None:
    assert per_day(length, goal, DAY, due) == expected


def test_what_a_model_wrote_between_two_sittings_is_no_part_of_her_day() -> None:
    days = WritingDays().with_length(DAY, 1, 0, 40)
    days = days.with_length(DAY, 1, 2565, 2565)  # drafted by a model since
    assert days.growth_on(DAY) == 40
    days = days.with_length(DAY, 1, 2565, 2580)
    assert days.growth_on(DAY) == 55
    days = days.with_length(DAY, 1, 2100, 2110)  # the surgeon has shortened it
    assert days.growth_on(DAY) == 65
