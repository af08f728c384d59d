"""The options of a choice, as a judge writes them who was asked for a list."""

from __future__ import annotations

import pytest

from studio.story.form.as_asked import as_asked
from studio.story.review.answers import JudgedCounsel

ONE = {"kind": "decide", "issue": "Which?", "scene": None, "quote": ""}
APART = [
    (["He stays / she leaves", "Both stay"], ["He stays", "she leaves", "Both stay"]),
    (["Keep it / Cut it / Move it"], ["Keep it", "Cut it", "Move it"]),
    (["Keep it", "Cut it | Move it"], ["Keep it", "Cut it", "Move it"]),
    (["그대로 둔다 / 뺀다", "다음 장으로 미룬다"], ["그대로 둔다", "뺀다", "다음 장으로 미룬다"]),
    (["그대로 둔다／뺀다", "미룬다"], ["그대로 둔다", "뺀다", "미룬다"]),
    (["他留下／她走", "都走"], ["他留下", "她走", "都走"]),
    (["He stays. / She leaves.", "Both."], ["He stays.", "She leaves.", "Both."]),
    (["保留 / 删去", "移到下一章"], ["保留", "删去", "移到下一章"]),
]
WHOLE = [
    ["Let him and/or her go", "Nobody goes"],
    ["She reads logs/1892/03 aloud", "She burns it"],
    ["남는다 또는 떠난다", "둘 다 떠난다"],
    ["他和／或她离开", "都不走"],
    ["他／她自己说出来", "没人说"],
    ["그／그녀가 떠난다", "아무도 떠나지 않는다"],
    ["The bill is 3 / 4 paid", "The bill is paid"],
    ["It quotes “the sea / the sea again”", "It quotes nothing"],
    ["Move it (the lamp / the stove) up", "Leave it"],
]


# req: A8
@pytest.mark.parametrize(("options", "read"), APART)
def test_alternatives_with_strokes_between_them_are_several(
    options: list[str], read: list[str]
) -> None:
    """Met: `["A / B", "C"]` was a choice of two."""
    fitted = as_asked(JudgedCounsel, {**ONE, "options": options})
    assert [" ".join(one.split()) for one in JudgedCounsel.model_validate(fitted).options] == read


# req: A8
@pytest.mark.parametrize("options", WHOLE)
def test_a_stroke_within_one_thing_parts_nothing(options: list[str]) -> None:
    fitted = as_asked(JudgedCounsel, {**ONE, "options": options})
    assert JudgedCounsel.model_validate(fitted).options == options
