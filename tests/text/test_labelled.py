from __future__ import annotations

from collections import Counter

import pytest

from studio.text.dialogue import dialogue_spans
from studio.text.language import LANGUAGES, load_pack
from studio.text.reading import read
from tests.text.labelled import PASSAGES, Passage

every_passage = pytest.mark.parametrize("passage", PASSAGES, ids=str)


@every_passage
def test_sentences_end_where_a_reader_ends_them(passage: Passage) -> None:
    reading = read("\n\n" + passage.text, load_pack(passage.language))
    found = [s.span.of(part.text) for _, part in reading.parts for s in part.sentences]
    assert found == list(passage.sentences)


@every_passage
def test_speech_is_what_a_reader_hears(passage: Passage) -> None:
    spans = dialogue_spans("\n\n" + passage.text, load_pack(passage.language))
    assert [span.of("\n\n" + passage.text) for span in spans] == list(passage.dialogue)


# req: A17
# req: A18
@every_passage
def test_filter_words_are_what_an_editor_marks(passage: Passage) -> None:
    reading = read("\n\n" + passage.text, load_pack(passage.language))
    found = [reading.text[start:end] for start, end in reading.hits("filter")]
    assert found == list(passage.filter)


def test_each_language_has_sixty_labelled_sentences() -> None:
    counted = Counter(dict.fromkeys(LANGUAGES, 0))
    for passage in PASSAGES:
        counted[passage.language] += len(passage.sentences)
    assert min(counted.values()) >= 60, counted
