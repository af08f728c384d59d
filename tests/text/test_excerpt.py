from __future__ import annotations

import pytest

from studio.text.prose.answer import excerpt


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("The lamp.", "The lamp."),
        ("The lamp\n  burned.", "The lamp …"),
        ("등대의 불이 꺼졌다.", "등대의 불이 꺼졌…"),
        ("灯灭了。\n\n没有人说话。", "灯灭了。 没有人说…"),
        ("0123456789", "0123456789"),
        ("", ""),
    ],
)
def test_a_passage_fits_on_a_line_of_ten(text: str, shown: str) -> None:
    assert excerpt(text, 10) == shown
