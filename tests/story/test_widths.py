"""A directive may change so many paragraphs, or as many as 300 characters hold."""

from __future__ import annotations

import pytest

from studio.story.review.directive import DirectiveType
from studio.story.review.operations import OPERATIONS


# req: K3
@pytest.mark.parametrize(
    ("lengths", "fits"),
    [([40] * 10, 7), ([200, 200, 200], 2), ([400, 400, 400], 2), ([20, 30], 2), ([], 0)],
)
def test_short_paragraphs_do_not_narrow_a_directive(lengths: list[int], fits: int) -> None:
    assert OPERATIONS[DirectiveType.CUT].count_fitting(lengths, 2) == fits
