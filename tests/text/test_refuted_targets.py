"""A target of the method that published prose refutes is information, and a serial has no place
among prose of another century."""

from __future__ import annotations

import pytest

from studio import i18n
from studio.i18n import Language
from studio.story.review.evaluation import ReferenceRange
from studio.text.language.packs import for_form, load_pack
from studio.text.language.reference import load_reference
from studio.text.metrics.comparison import failing_side, is_notable
from studio.text.metrics.measure import Yardstick, in_force, measure
from studio.text.metrics.metric_kinds import metric_words
from studio.text.oracle.report import check_text, render
from studio.tui.views.pages.chapter import measured_lines
from studio.tui.views.typed_numbers import numbers_line, numbers_of

ENDINGS = (
    " ".join(f"{name}가 문을 열고 마루로 나갔다." for name in ("서아", "미라", "지호", "유나")) * 12
)
"""Fifty sentences that end alike, without speech: as Korean novels often do."""


# req: K3
def test_what_most_published_prose_misses_gets_no_exclamation_mark() -> None:
    pack = load_pack("ko")
    numbers = numbers_of(ENDINGS, Yardstick(pack, in_force(pack)))
    assert numbers.metrics["same_ending_run"].ok is False
    assert numbers.metrics["dialogue_ratio"].ok is False
    line = "".join(part.text for part in numbers_line(numbers, 200))
    assert "!" not in line.partition("alike endings")[2]
    own = numbers_of(ENDINGS, Yardstick(pack, in_force(pack, {"dialogue_ratio": {"min": 0.5}})))
    assert "!" in "".join(part.text for part in numbers_line(own, 200)).partition("dialogue")[2]


def test_a_target_of_the_seed_is_refuted_by_the_middle_of_published_prose() -> None:
    middle = ReferenceRange(p5=0.03, p50=0.15, p95=0.4, n=88)
    assert not is_notable(False, 0.99, {"min": 0.55, "max": 0.65}, middle)
    assert is_notable(False, 0.99, {"max": 0.3}, middle)
    assert is_notable(False, 0.99, None, middle), "her own target stands"


# req: K3
@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("ko", "1910-1939년 소설 35편"),
        ("en", "28 works of 1840-1929"),
        ("zh", "1870至1946年的小说 24 种"),
    ],
)
def test_the_reference_says_what_it_is(language: Language, words: str) -> None:
    text = {"ko": ENDINGS, "en": "He went out. " * 300, "zh": "他走了出去。" * 200}[language]
    pack = load_pack(language)
    assert words in render(check_text(text, pack=pack), text)
    metrics = {name: metric.measure() for name, metric in measure(text, pack).items()}
    page = "\n".join(part.text for row in measured_lines(metrics, {}, language) for part in row)
    first, last = load_reference(language).years
    assert f"works of {first}-{last}" in page


# req: K3
def test_a_serial_has_numbers_without_a_place() -> None:
    pack = for_form(load_pack("ko"), True)
    metrics = measure(ENDINGS, pack)
    assert metrics["same_ending_run"].value >= 10
    assert all(metric.reference is None and metric.place is None for metric in metrics.values())
    assert "1939" not in render(check_text(ENDINGS, pack=pack), ENDINGS)


# req: K3
@pytest.mark.parametrize("language", ["ko", "zh"])
def test_the_report_and_the_page_of_a_serial_show_the_numbers_and_no_place(
    language: Language,
) -> None:
    text = {"ko": ENDINGS, "zh": "他走了出去。\n\n" * 200}[language]
    pack = for_form(load_pack(language), True)
    i18n.use(language)
    report = check_text(text, pack=pack)
    name = pack.metric_names["same_ending_run" if language == "ko" else "same_opening_run"].label
    rows = render(report, text, is_serial=True)
    measures = {one: metric.measure() for one, metric in report.metrics.items()}
    page = "\n".join(
        "".join(part.text for part in row)
        for row in measured_lines(measures, {}, language, is_serial=True)
    )
    paragraphs = pack.metric_names["one_sentence_paragraphs"].label
    for words in (rows, page):
        assert name in words
        assert paragraphs not in words, "they are the form"
        assert pack.report["no_numbers"] not in words
        assert "%가 이보다" not in words
        assert "95%" not in words


# req: K3
@pytest.mark.parametrize("language", ["ko", "en", "zh"])
def test_a_measure_has_one_name_in_the_report_and_on_every_page(language: Language) -> None:
    i18n.use(language)
    for name, naming in load_pack(language).metric_names.items():
        assert naming.label.casefold() == i18n._(metric_words(name)).casefold()


@pytest.mark.parametrize(
    ("value", "place", "threshold", "notable"),
    [
        (7.0, 0.97, {"max": 5.0}, True),
        (7.0, 0.50, {"max": 5.0}, False),
        (7.0, 0.04, {"max": 5.0}, False),
        (0.1, 0.04, {"min": 0.3}, True),
        (0.1, 0.50, {"min": 0.3}, False),
        (0.1, 0.97, {"min": 0.3}, False),
        (0.9, 0.97, {"min": 0.3, "max": 0.6}, True),
        (0.9, 0.02, {"min": 0.3, "max": 0.6}, False),
    ],
)
def test_only_the_failing_side_is_looked_at(
    value: float, place: float, threshold: dict[str, float], notable: bool
) -> None:
    side = failing_side(value, threshold)
    assert is_notable(False, place, None, None, side=side) is notable
    assert not is_notable(True, place, None, None, side=side)
    assert is_notable(False, None, None, None, side=side), "nothing is known of published prose"
