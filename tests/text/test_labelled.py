from __future__ import annotations

from collections import Counter

import pytest

from studio.i18n import LANGUAGES
from studio.text.language.packs import load_pack
from studio.text.prose.parse import read
from tests.text.agreement import found, tally
from tests.text.labelled import KINDS, PASSAGES, Passage

LEAST = {"sentences": 0.98, "dialogue": 0.98, "filter": 0.95}
in_each_language = pytest.mark.parametrize("language", LANGUAGES)
of_each_kind = pytest.mark.parametrize("kind", KINDS)


# req: A17
# req: A18
@pytest.mark.sweep
@of_each_kind
@pytest.mark.parametrize("passage", PASSAGES, ids=str)
def test_a_passage_is_read_as_its_labels_say(passage: Passage, kind: str) -> None:
    reading, places = found(passage, kind)
    words = [reading.text[start:end] for start, end in places]
    if kind in passage.hard:
        assert words != list(getattr(passage, kind)), "take it off the passage's list of hard ones"
    else:
        assert words == list(getattr(passage, kind))


@of_each_kind
@in_each_language
def test_the_program_and_a_reader_agree(language: str, kind: str) -> None:
    counted = tally([p for p in PASSAGES if p.language == language], kind)
    if kind == "filter":
        assert min(counted.precision, counted.recall) >= LEAST[kind], counted.misses
    else:
        assert counted.f1 >= LEAST[kind], counted.misses


def test_each_language_has_sixty_labelled_sentences() -> None:
    counted: Counter[str] = Counter(dict.fromkeys(LANGUAGES, 0))
    for passage in PASSAGES:
        counted[passage.language] += len(passage.sentences)
        assert len(passage.endings) in {0, len(passage.sentences)}, passage
    assert min(counted.values()) >= 60, counted


def test_korean_has_five_hundred_sentences_and_nearly_half_of_them_among_talk() -> None:
    korean = [p for p in PASSAGES if p.language == "ko"]
    total = sum(len(p.sentences) for p in korean)
    talk = sum(len(p.sentences) for p in korean if 3 * len(p.dialogue) >= len(p.sentences))
    assert total >= 520
    assert 2.1 * talk >= total


CLASSES = "다요까지죠네"


def test_korean_endings_are_of_the_class_a_reader_gives_them() -> None:
    pack = load_pack("ko")
    labels = [
        (words, label)
        for p in PASSAGES
        if p.language == "ko"
        for words, label in zip(p.sentences, p.endings, strict=True)
    ]
    wrong = []
    for words, label in labels:
        sentence = words.translate(dict.fromkeys(map(ord, "“”‘’「」『』《》\"'"), " "))
        narrated = read(f"\n\n등대. {sentence.lstrip(' -—―')}", pack).narrated_sentences
        closing = narrated[-1].closing if len(narrated) > 1 else ""
        if (closing if closing in set(CLASSES) else "") != (label if label in CLASSES else ""):
            wrong.append((words, closing, label))
    assert len(wrong) <= 0.01 * len(labels), wrong
