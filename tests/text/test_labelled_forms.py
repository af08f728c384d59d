"""Forms are recognised as somebody labelled them who had not seen the code."""

from __future__ import annotations

from collections import Counter

import pytest

from studio.i18n import LANGUAGES
from tests.text.labelled_forms import FORMS, Half, tally_forms, texts_of

HALVES: tuple[Half, ...] = ("learned", "held back")
in_each_language = pytest.mark.parametrize("language", LANGUAGES)


# req: A16
@in_each_language
@pytest.mark.parametrize("half", HALVES)
def test_no_plain_paragraph_is_taken_for_a_form(language: str, half: Half) -> None:
    tally = tally_forms(language, half)
    assert tally.reader["prose"] > 50
    assert [miss for miss in tally.misses if miss[0] == "prose"] == []


LEAST = {
    ("learned", "ko"): {"system": 0.98, "letter": 0.98, "chat": 0.98, "leak": 0.98},
    ("learned", "en"): {"system": 0.98, "letter": 0.98, "chat": 0.98, "leak": 0.98},
    ("learned", "zh"): {"system": 0.98, "letter": 0.98, "chat": 0.98, "leak": 0.98},
    ("held back", "ko"): {"system": 0.98, "letter": 0.98, "chat": 0.98, "leak": 0.98},
    ("held back", "en"): {"system": 0.98, "letter": 0.98, "chat": 0.98, "leak": 0.98},
    ("held back", "zh"): {"system": 0.98, "letter": 0.98, "chat": 0.98, "leak": 0.98},
}
"""F1, rounded down: of the half that rules were learned from, and of the one they were measured on
once; no rule is made from the second."""


# req: A16
@in_each_language
@pytest.mark.parametrize("half", HALVES)
@pytest.mark.parametrize("form", FORMS)
def test_a_form_is_found_where_a_reader_found_it(language: str, half: Half, form: str) -> None:
    tally = tally_forms(language, half)
    assert tally.f1(form) >= LEAST[half, language][form]


@in_each_language
def test_half_of_the_labelled_texts_is_held_back_and_each_has_every_form(language: str) -> None:
    learned, held = (texts_of(language, half) for half in HALVES)
    assert abs(len(learned) - len(held)) <= 1
    for texts in (learned, held):
        counted = Counter(label for _, labels in texts for label in labels)
        assert min(counted[form] for form in FORMS) > 10
