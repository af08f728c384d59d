from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.i18n import LANGUAGES
from studio.text.language.packs import LanguagePack, load_pack
from studio.text.metrics import senses
from studio.text.metrics.senses import place_of_unit, places_of_units, sense_windows
from studio.text.prose.parse import ParagraphReading, read, unit_starts
from studio.text.spans import Span

TOLD = {
    "ko": "강은 밤새 불었고 다리는 소리 없이 떠내려갔다. “가자.” 그가 말했다. ",
    "en": "The ferry came in at dusk — no lamp, no bell. “Mind the rope,” she said. ",
    "zh": "渡船在黄昏靠了岸，没有灯，也没有铃。“小心绳子。”她说。",
}


def paragraph(text: str, pack: LanguagePack) -> ParagraphReading:
    return read("\n\n" + text, pack).parts[0][1]


@given(
    st.sampled_from(sorted(LANGUAGES)), st.integers(1, 12), st.sets(st.integers(0, 60), max_size=12)
)
def test_units_found_in_one_walk_are_those_found_one_by_one(
    language: str, times: int, some: set[int]
) -> None:
    pack = load_pack(language)
    part = paragraph(TOLD[language] * times, pack)
    numbers = sorted(number for number in some if number < part.units)
    one_by_one = [place_of_unit(part, number, pack) for number in numbers]
    assert places_of_units(part, numbers, pack) == one_by_one


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_huge_paragraph_is_walked_once(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: Counter[str] = Counter()
    plain = unit_starts

    def counted(text: str, span: Span, pack: LanguagePack) -> Iterator[int]:
        for place in plain(text, span, pack):
            seen["steps"] += 1
            yield place

    def never(*_: object) -> int:
        raise AssertionError("a unit was looked for by itself")

    monkeypatch.setattr(senses, "unit_starts", counted)
    monkeypatch.setattr(senses, "place_of_unit", never)
    reading = read("\n\n" + TOLD[language] * 1200, load_pack(language))
    assert len(sense_windows(reading)) > 20
    assert 0 < seen["steps"] <= reading.units
