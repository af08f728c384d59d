from __future__ import annotations

import random
import unicodedata
from dataclasses import replace

import pytest

from studio.errors import StudioError
from studio.text.language.packs import LANGUAGES, load_pack
from studio.text.live import LiveMetrics
from studio.text.metrics.metrics import METRIC_NAMES, Metric, measure
from studio.text.metrics.prior_chapters import Earlier
from tests.text.edits import edit
from tests.text.labelled import PASSAGES

each_language = pytest.mark.parametrize("language", LANGUAGES)


def prose(language: str) -> str:
    found = "\n\n".join(p.text for p in PASSAGES if p.language == language)
    return f"# 1\n\n{found[:5000]}"


def bare(metrics: dict[str, Metric]) -> dict[str, Metric]:
    return {name: replace(metric, spans=()) for name, metric in metrics.items()}


@each_language
def test_after_any_edit_the_numbers_are_those_of_the_whole_text(language: str) -> None:
    pack, source, chance = load_pack(language), prose(language), random.Random(language)
    earlier = Earlier.of([source[400:2400]], pack)
    live = LiveMetrics(source, pack, earlier=earlier, before=source)
    text = unicodedata.normalize("NFC", source)
    for number in range(120):
        start, end, words = edit(text, source, chance)
        live.replace(start, end, words)
        text = unicodedata.normalize("NFC", text[:start] + words + text[end:])
        whole = measure(text, pack, earlier=earlier, before=source)
        assert live.text == text
        assert live.values() == bare(whole), (number, start, end, words)
        if number % 10 == 0:
            assert live.metrics() == whole


@each_language
def test_a_text_can_be_emptied_and_written_anew(language: str) -> None:
    pack, source = load_pack(language), prose(language)
    live = LiveMetrics("", pack)
    assert live.values() == bare(measure("", pack))
    live.replace(0, 0, source)
    assert live.metrics() == measure(source, pack)
    live.replace(0, len(live.text), "")
    assert live.values() == bare(measure("", pack))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", "Rain."),
        ("Rain.", ""),
        ("Rain. Rain.", "Rain. Rain. Rain."),
        ("Rain fell.\n\nShe felt it.", "Rain fell.\n\nHe felt it."),
        ("가나다", "가나다"),
        ("e\u0301te\u0301", "e\u0301t\u00e9s"),
    ],
)
def test_the_text_of_an_editor_is_taken_whole(old: str, new: str) -> None:
    pack = load_pack("en")
    live = LiveMetrics(old, pack)
    live.become(new)
    assert live.text == unicodedata.normalize("NFC", new)
    assert live.metrics() == measure(new, pack)


def test_the_writers_targets_hold_while_she_types() -> None:
    pack, targets = load_pack("en"), {"filter_word_density": {"max": 5.0}}
    live = LiveMetrics("The river bends here. " * 40, pack, targets)
    assert live.values()["filter_word_density"].ok is True
    live.replace(0, 0, "She felt cold. ")
    assert live.values()["filter_word_density"].ok is False
    assert live.metrics()["filter_word_density"].spans[0].text == "felt"
    assert tuple(live.values()) == METRIC_NAMES


def test_a_target_nobody_knows_is_named() -> None:
    with pytest.raises(StudioError, match="speed"):
        LiveMetrics("Rain.", load_pack("en"), {"speed": {"max": 1}})
