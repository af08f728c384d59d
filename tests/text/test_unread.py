from __future__ import annotations

from collections import Counter

import pytest

from studio.i18n import LANGUAGES
from studio.text.language.packs import load_pack
from studio.text.prose.parse import read
from tests.text.agreement import tally
from tests.text.unread import LOTS, Lot

each_lot = pytest.mark.parametrize("lot", LOTS, ids=lambda lot: lot.name)


# req: A17
@each_lot
def test_filter_words_of_a_lot_are_found_at_least_as_well_as_at_first(lot: Lot) -> None:
    now = tally(lot.passages, "filter")
    assert now.f1 >= lot.first.f1, now.misses
    if lot.learned:
        assert min(now.precision, now.recall) >= 0.95, now.misses


def test_every_lot_has_a_hundred_and_twenty_sentences_and_half_of_them_among_talk() -> None:
    for lot in LOTS:
        counted: Counter[bool] = Counter()
        for passage in lot.passages:
            reading = read(passage.text, load_pack(passage.language))
            spoken = sum(len(part.speech) for _, part in reading.parts)
            sentences = sum(len(part.sentences) for _, part in reading.parts)
            counted[3 * spoken >= sentences] += sentences
        assert counted.total() >= 120, lot.name
        assert 2 * counted[True] >= counted.total(), lot.name


def test_each_language_has_three_lots() -> None:
    counted = Counter(lot.language for lot in LOTS)
    assert set(counted) == set(LANGUAGES)
    assert min(counted.values()) >= 3
