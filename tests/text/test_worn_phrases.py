"""Worn phrases come with the counts that made them so (PROSE 4)."""

from __future__ import annotations

import json

import pytest

from studio.i18n import LANGUAGES
from studio.text.language.packs import _WORN_PHRASES_FILE, load_pack, worn_phrases
from studio.text.prose.parse import read


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_stands_three_times_as_often_in_machine_prose_with_its_counts(language: str) -> None:
    phrases = worn_phrases(language)
    assert len(phrases) >= 30
    assert all(phrase.ratio >= 3 and phrase.n >= phrase.texts >= 1 for phrase in phrases)
    assert [p.ratio for p in phrases] == sorted((p.ratio for p in phrases), reverse=True)
    assert {p.words for p in phrases} <= {*load_pack(language).lexicon.lists["cliche"]}
    about = json.loads(_WORN_PHRASES_FILE.read_text("utf-8"))[language]
    for side in ("machine", "published"):
        size = about[side].get("characters", 0) or 5 * about[side].get("words", 0)
        assert size >= 200_000


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_ratio_is_that_of_its_counts(language: str) -> None:
    about = json.loads(_WORN_PHRASES_FILE.read_text("utf-8"))[language]
    unit = "words" if language == "en" else "characters"
    sizes = [about[side][unit] for side in ("machine", "published")]
    for phrase in worn_phrases(language):
        ratio = (phrase.n / sizes[0]) / ((phrase.published + 0.5) / sizes[1])
        assert phrase.ratio == pytest.approx(ratio, abs=0.06)


def test_they_are_found_and_a_plain_sentence_has_none() -> None:
    pack = load_pack("en")
    worn = "\n\nThe air was thick with smoke, and her voice was barely above a whisper."
    plain = "\n\nThe smoke stood in the room, and she said it so low that he bent down."
    assert len(read(worn, pack).hits("cliche")) >= 2
    assert read(plain, pack).hits("cliche") == []
