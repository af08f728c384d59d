"""Worn phrases come with the counts that made them so (PROSE 4)."""

from __future__ import annotations

from studio.text.language.packs import load_pack, worn_phrases
from studio.text.prose.parse import read


def test_each_is_a_machines_twenty_times_as_often_in_two_dozen_texts_or_more() -> None:
    phrases = worn_phrases("en")
    assert len(phrases) >= 40
    assert all(phrase.ratio >= 20 and phrase.texts >= 24 for phrase in phrases)
    assert [p.ratio for p in phrases] == sorted((p.ratio for p in phrases), reverse=True)
    assert worn_phrases("ko") == worn_phrases("zh") == ()


def test_they_are_found_and_a_plain_sentence_has_none() -> None:
    pack = load_pack("en")
    worn = "\n\nThe air was thick with smoke, and her voice was barely above a whisper."
    plain = "\n\nThe smoke stood in the room, and she said it so low that he bent down."
    assert len(read(worn, pack).hits("cliche")) >= 2
    assert read(plain, pack).hits("cliche") == []
