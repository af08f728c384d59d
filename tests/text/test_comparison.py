"""Where a number stands among those of published prose (PROSE 1)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.i18n import LANGUAGES
from studio.text.language.packs import load_pack
from studio.text.language.reference import load_reference
from studio.text.metrics.comparison import Comparison, comparison, how_it_stands, is_notable
from studio.text.metrics.measure import measure
from studio.text.metrics.metric_kinds import METRICS
from studio.text.oracle.report import check_text, render
from tests.text.prose import RIVER

LONG = {language: "\n\n".join([text] * 60) for language, text in RIVER.items()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_published_prose_to_compare_with(language: str) -> None:  # req: A16
    reference = load_reference(language)
    assert len({work.author for work in reference.works}) >= 10
    assert len(reference.works) >= 24
    assert all(work.title and work.source and work.windows for work in reference.works)
    assert all(work.year and 1700 < work.year < 2026 for work in reference.works)
    assert {name for name, kind in METRICS.items() if kind.learned} >= set(reference.values)
    for name in ("filter_word_density", "same_ending_run", "sensory_grounding", "dialogue_ratio"):
        values = reference.values[name]
        assert len(values) >= 36
        assert list(values) == sorted(values)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_metric_says_what_published_prose_has_and_where_it_stands(language: str) -> None:
    for name, metric in measure(LONG[language], load_pack(language)).items():
        if name != "filter_word_density":
            assert (metric.reference is None) == (metric.place is None), name
        if metric.reference is not None and metric.place is not None:
            assert metric.reference.p5 <= metric.reference.p50 <= metric.reference.p95
            assert metric.reference.n >= 36
            assert 0 <= metric.place <= 1
    metrics = measure(LONG[language], load_pack(language))
    assert metrics["filter_word_density"].reference is not None
    assert metrics["filter_word_density"].place is None, "two readers do not agree on it"
    for name in ("leaked_meta", "length_growth", "echoes", "repetition_across"):
        assert metrics[name].reference is None


def test_what_is_too_short_for_a_verdict_has_no_place() -> None:
    metrics = measure(RIVER["ko"], load_pack("ko"))
    assert metrics["filter_word_density"].place is None
    assert measure("", load_pack("ko"))["same_ending_run"].place is None


def test_equals_count_by_half() -> None:
    one_to_four = Comparison((1.0, 2.0, 2.0, 3.0), None, 1.0)
    assert one_to_four.place(2.0) == 0.5
    assert one_to_four.place(0.5) == 0.0
    assert one_to_four.place(9.0) == 1.0
    assert one_to_four.below(2.0) == 0.25
    assert one_to_four.above(2.0) == 0.25


def test_a_longer_text_may_have_a_longer_run() -> None:
    values = tuple(float(n) for n in range(1, 101))
    short, long = (Comparison(values, "max", ratio) for ratio in (1.0, 4.0))
    assert long.place(80.0) < short.place(80.0)
    assert long.range().p50 > short.range().p50
    poorest = Comparison(values, "min", 4.0)
    assert poorest.place(20.0) > Comparison(values, "min", 1.0).place(20.0)
    assert poorest.range().p50 < 50


def test_what_grows_in_another_way_is_compared_in_texts_of_like_length_alone() -> None:
    pack, window = load_pack("en"), load_reference("en").window
    kind = METRICS["repetition"]
    assert comparison(kind, window, pack) is not None
    assert comparison(kind, window * 3, pack) is None
    assert comparison(METRICS["filter_word_density"], window * 30, pack) is not None


@given(
    st.lists(st.floats(0, 100), min_size=36, max_size=60),
    st.floats(0, 100),
    st.floats(0, 100),
    st.sampled_from([None, "min", "max"]),
    st.floats(0.2, 20),
)
def test_more_never_stands_lower(values, one, other, extreme, ratio) -> None:  # type: ignore[no-untyped-def]
    published = Comparison(sorted(values), extreme, ratio)
    low, high = sorted((one, other))
    assert 0 <= published.place(low) <= published.place(high) <= 1
    reach = published.range()
    assert reach.p5 <= reach.p50 <= reach.p95


def test_no_look_here_where_more_than_one_published_chapter_in_ten_would_get_it() -> None:
    assert is_notable(False, 0.95)
    assert is_notable(False, 0.05)
    assert is_notable(False, None)
    assert not is_notable(False, 0.6)
    assert not is_notable(True, 0.99)


# req: A16
def test_the_report_says_both_the_seeds_target_and_what_is_published() -> None:
    text = "\n\n".join([RIVER["ko"], RIVER["ko"], RIVER["ko"], "그랬던가?"] * 12)
    page = render(check_text(text, "ko"), text)
    endings = page.split("같은 끝맺음:")[1].split("\n")
    assert "작법 기준 5 미만" in endings[0]
    assert "기준 밖" in endings[0]
    assert "살펴볼 것" not in endings[0]
    assert "출간작" in endings[2]
    own = render(check_text(text, "ko", {"same_ending_run": {"max": 3.0}}), text)
    assert "목표 3 미만" in own
    english = render(check_text(LONG["en"], "en"), LONG["en"])
    assert "published chapter" in english


@pytest.mark.parametrize(
    ("value", "place", "sentence"),
    [
        (9.0, 0.99, ("most", 0)),
        (0.5, 0.01, ("least", 0)),
        (4.0, 0.5, ("middle", 5)),
        (4.2, 0.52, ("half", 5)),
        (6.0, 0.8, ("more", 2)),
        (2.0, 0.2, ("less", 2)),
    ],
)
def test_a_sentence_for_every_place(value: float, place: float, sentence: tuple[str, int]) -> None:
    from studio.story.review.evaluation import ReferenceRange

    assert how_it_stands(value, place, ReferenceRange(p5=1, p50=4, p95=8, n=80)) == sentence


def test_fewer_than_ten_authors_are_compared_with_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    pack, kind = load_pack("en"), METRICS["dialogue_ratio"]
    whole = load_reference("en")
    assert comparison(kind, whole.window, pack) is not None
    poor = replace(whole, works=whole.works[:9])
    monkeypatch.setattr("studio.text.metrics.comparison.load_reference", lambda _: poor)
    assert comparison(kind, whole.window, pack) is None
