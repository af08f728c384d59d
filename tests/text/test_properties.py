"""What holds for any text at all."""

from __future__ import annotations

import itertools
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.i18n import LANGUAGES
from studio.story.chapter import Chapter
from studio.text.language.packs import load_pack
from studio.text.metrics.measure import measure
from studio.text.oracle.report import check_text, render
from studio.text.prose.dialogue import dialogue_spans
from studio.text.prose.parse import read
from studio.text.prose.segmentation import sentences
from tests.text.labelled import PASSAGES

PIECES = [
    *("그녀는 추위를 느꼈다. ", "“가자.” ", "왜? ", "그는… ", "她感到冷。", "“走吧。”", "……"),
    *("She felt cold. ", "“Go,” he said. ", "Mr. ", "3.14 ", "Scene 2\n\n", "<think>"),
    *("‘", "’", "“", "”", '"', "「", "」", "『", "《", "》", "— ", ".", "!", "?", "# ", " "),
    *(
        "\n",
        "\n\n",
        "\n\n* * *\n\n",
        "\r\n",
        "\u3000",
        "e\u0301",
        "\u1112\u1161\u11ab",
        "\U0001f469",
    ),
]
prose = st.lists(st.sampled_from(PIECES) | st.text(max_size=6), max_size=25).map("".join)
languages = st.sampled_from(sorted(LANGUAGES))


@given(prose, languages)
def test_sentences_cover_a_paragraph_in_order(text: str, language: str) -> None:
    for paragraph in Chapter(text).paragraphs:
        spans = sentences(paragraph.text, load_pack(language))
        covered = "".join(span.of(paragraph.text) for span in spans)
        assert "".join(covered.split()) == "".join(paragraph.text.split())
        assert all(a.end <= b.start for a, b in itertools.pairwise(spans))
        assert all(span.of(paragraph.text) == span.of(paragraph.text).strip() for span in spans)


@given(prose, languages)
def test_speech_stays_inside_paragraphs_and_never_overlaps(text: str, language: str) -> None:
    spans = dialogue_spans(text, load_pack(language))
    held = [(p.start, p.end) for p in Chapter(text).paragraphs]
    assert all(any(a <= s.start < s.end <= b for a, b in held) for s in spans)
    assert all(a.end <= b.start for a, b in itertools.pairwise(spans))


@given(prose, languages)
def test_every_span_of_every_metric_slices_to_its_words(text: str, language: str) -> None:
    normal = unicodedata.normalize("NFC", text)
    for name, metric in measure(text, load_pack(language)).items():
        for span in metric.spans:
            assert normal[span.start : span.end] == span.text, name
            assert span.text, name


@pytest.mark.sweep
@given(prose, languages)
def test_the_same_text_gives_the_same_report_byte_for_byte(text: str, language: str) -> None:
    targets = {"repetition": {"max": 1.0}, "adverb_density": {"max": 1.0}}
    first = check_text(text, language, targets)
    read.cache_clear()
    again = check_text(text, language, targets)
    assert first.model_dump_json(by_alias=True) == again.model_dump_json(by_alias=True)
    assert render(first, text) == render(again, text)


@given(prose, languages)
def test_directives_name_only_paragraphs_that_hold_what_they_mean(text: str, language: str) -> None:
    report = check_text(text, language)
    chapter, normal = Chapter(text), Chapter(unicodedata.normalize("NFC", text))
    for directive in report.directives:
        place = directive.location
        numbers = (place.scene_number, place.paragraph_start, place.paragraph_end)
        assert chapter.passage(*numbers), "the place exists"
        assert directive.metric is not None
        spans = report.metrics[directive.metric].spans
        for paragraph in normal.passage(*numbers):
            assert any(s.start < paragraph.end and paragraph.start < s.end for s in spans)


@pytest.mark.sweep
@pytest.mark.parametrize("passage", PASSAGES, ids=str)
def test_white_space_between_words_moves_no_sentence(passage: object) -> None:
    from tests.text.labelled import Passage

    assert isinstance(passage, Passage)
    pack = load_pack(passage.language)
    for paragraph in passage.text.split("\n\n"):
        plain = [span.of(paragraph) for span in sentences(paragraph, pack)]
        wide = paragraph.replace(" ", " \n ")
        assert [" ".join(s.of(wide).split()) for s in sentences(wide, pack)] == plain
