"""What nobody has checked of promises is said in runs of chapters."""

from __future__ import annotations

from studio.book.promise_standing import _in_runs


def test_chapters_that_follow_one_another_are_said_as_a_run() -> None:
    assert list(_in_runs([1, 2, 4, 5, 6, *range(9, 2001)])) == [1, 2, "4-6", "9-2000"]
    assert list(_in_runs([7])) == [7]
