"""The author's own range: what is in it, what is outside, and how it vouches for itself."""

from __future__ import annotations

import pytest

from studio.errors import StudioError
from studio.story.baseline import Baseline
from studio.text.language.packs import load_pack
from studio.text.metrics.baseline import FEWEST_SAMPLES, learn
from studio.text.metrics.measure import measure
from tests.text.prose import prose


def learned(language: str, filtered: float = 0.3) -> Baseline:
    texts = [(f"{n}.md", prose(language, 90, n, filtered)) for n in range(3)]
    return learn(texts, load_pack(language))


@pytest.mark.sweep
@pytest.mark.parametrize("language", ["ko", "en", "zh"])
def test_prose_of_the_same_hand_lies_in_the_band_and_a_worse_one_does_not(language: str) -> None:
    baseline, pack = learned(language), load_pack(language)
    same = measure(prose(language, 60, 99, 0.3), pack, baseline.targets)
    worse = measure(prose(language, 60, 99, 1.0), pack, baseline.targets)
    assert same["filter_word_density"].ok is True
    assert worse["filter_word_density"].ok is False
    assert worse["filter_word_density"].threshold == baseline.targets["filter_word_density"]


@pytest.mark.sweep
def test_the_same_prose_teaches_the_same_bytes() -> None:
    assert learned("ko").model_dump_json() == learned("ko").model_dump_json()


@pytest.mark.sweep
def test_an_author_who_filters_much_is_not_scolded_for_it() -> None:
    pack = load_pack("ko")
    hers = prose("ko", 60, 7, 0.9)
    assert measure(hers, pack)["filter_word_density"].ok is False
    assert measure(hers, pack, learned("ko", 0.9).targets)["filter_word_density"].ok is True


def test_held_out_alarms_are_few_for_an_even_hand_and_shown() -> None:
    band = learned("en").bands["filter_word_density"]
    assert band.samples >= 20
    assert band.false_alarms <= 0.12
    assert band.max is not None
    assert band.typical < band.max


def test_a_copy_does_not_vouch_for_itself() -> None:
    texts = [("a", prose("en", 90, 1)), ("b", prose("en", 90, 2))]
    once = learn(texts, load_pack("en"))
    assert learn([*texts, ("copy", texts[0][1])], load_pack("en")) == once


@pytest.mark.sweep
def test_what_grows_with_the_text_is_learned_from_whole_texts_alone() -> None:
    few = learned("en")
    many = learn([(f"{n}.md", prose("en", 30, n)) for n in range(FEWEST_SAMPLES)], load_pack("en"))
    assert "repetition" not in few.bands
    assert many.bands["repetition"].samples == FEWEST_SAMPLES


def test_too_little_prose_is_refused_with_what_is_missing() -> None:
    with pytest.raises(StudioError) as refused:
        learn([("short.md", prose("en", 3, 1))], load_pack("en"))
    assert refused.value.problem.exit_code == 2
    assert "about 2400" in refused.value.problem.message


@pytest.mark.sweep
def test_dashes_and_contrasts_are_an_author_s_own_measure_too() -> None:
    texts = [(f"{n}.md", prose("en", 90, n).replace(" and ", " — and — ")) for n in range(3)]
    hers, pack = learn(texts, load_pack("en")), load_pack("en")
    dashed = measure(texts[0][1], pack, hers.targets)["dash_density"]
    assert (dashed.ok, dashed.value > 5) == (True, True)
    assert measure(texts[0][1], pack, learned("en").targets)["dash_density"].ok is False
