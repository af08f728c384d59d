"""Forms are recognised as somebody labelled them who had not seen the code."""

from __future__ import annotations

import pytest

from studio.i18n import LANGUAGES
from tests.text.labelled_forms import Half, tally_forms

in_each_language = pytest.mark.parametrize("language", LANGUAGES)


# req: A16
@in_each_language
@pytest.mark.parametrize("half", ["learned", "held back"])
def test_no_plain_paragraph_is_taken_for_a_form(language: str, half: Half) -> None:
    tally = tally_forms(language, half)
    assert tally.reader["prose"] > 50
    assert [miss for miss in tally.misses if miss[0] == "prose"] == []
