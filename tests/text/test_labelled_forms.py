"""Forms are recognised as somebody labelled them who had not seen the code."""

from __future__ import annotations

from collections import Counter

import pytest

from studio.i18n import LANGUAGES
from tests.text.labelled_forms import FORMS, Half, Labels, tally_forms, texts_of

HALVES: tuple[Half, ...] = ("learned", "held back")
SETS: tuple[Labels, ...] = ("first", "second")
in_each_language = pytest.mark.parametrize("language", LANGUAGES)
TAKEN_FOR_A_FORM = {("second", "held back", "ko"): 1}
"""Plain paragraphs that the program takes for a form: of a half held back, so no rule is made."""


# req: A16
@in_each_language
@pytest.mark.parametrize("half", HALVES)
@pytest.mark.parametrize("labels", SETS)
def test_no_plain_paragraph_is_taken_for_a_form(language: str, half: Half, labels: Labels) -> None:
    tally = tally_forms(language, half, labels)
    assert tally.reader["prose"] > 50
    wrong = [miss for miss in tally.misses if miss[0] == "prose"]
    assert len(wrong) == TAKEN_FOR_A_FORM.get((labels, half, language), 0), wrong


LEARNED = {"system": 0.98, "letter": 0.98, "chat": 0.98, "leak": 0.98}
LEAST = {
    ("learned", "ko"): {"system": 0.98, "letter": 0.95, "chat": 0.98, "leak": 0.98},
    ("learned", "en"): {"system": 0.94, "letter": 0.95, "chat": 0.98, "leak": 0.98},
    ("learned", "zh"): {"system": 0.92, "letter": 0.91, "chat": 0.97, "leak": 0.98},
    ("held back", "ko"): {"system": 0.76, "letter": 0.60, "chat": 0.96, "leak": 0.76},
    ("held back", "en"): {"system": 0.74, "letter": 0.50, "chat": 0.88, "leak": 0.80},
    ("held back", "zh"): {"system": 0.81, "letter": 0.77, "chat": 0.90, "leak": 0.71},
}
"""F1 in the second set, rounded down: of the half that rules were learned from, and of the one that
was measured once; no rule is made from that."""


# req: A16
@pytest.mark.sweep
@in_each_language
@pytest.mark.parametrize("half", HALVES)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("labels", SETS)
def test_a_form_is_found_where_a_reader_found_it(
    language: str, half: Half, form: str, labels: Labels
) -> None:
    least = LEARNED if labels == "first" else LEAST[half, language]
    assert tally_forms(language, half, labels).f1(form) >= least[form]


@in_each_language
@pytest.mark.parametrize("labels", SETS)
def test_half_of_the_labelled_texts_is_held_back_and_each_has_every_form(
    language: str, labels: Labels
) -> None:
    learned, held = (texts_of(language, half, labels) for half in HALVES)
    assert abs(len(learned) - len(held)) <= 1
    for texts in (learned, held):
        counted = Counter(label for _, forms in texts for label in forms)
        assert min(counted[form] for form in FORMS) > 10
