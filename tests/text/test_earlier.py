from __future__ import annotations

import pytest

from studio.i18n import LANGUAGES
from studio.text.language.packs import load_pack
from studio.text.metrics.measure import measure
from studio.text.metrics.repetition import NOTHING_EARLIER, Earlier
from tests.text.prose import FILL, filled_to

each_language = pytest.mark.parametrize("language", LANGUAGES)
SAID = {
    "en": "The iron lamp swung slowly over the black water all night.",
    "ko": "낡은 철제 등불이 검은 물 위에서 밤새 흔들렸다.",
    "zh": "生锈的铁灯整夜在漆黑的水面上慢慢地摇晃着。",
}
SHORTER = {
    "en": "The iron lamp swung slowly.",
    "ko": "낡은 철제 등불이 떨어졌다.",
    "zh": "生锈的铁灯整夜没有亮。",
}
EXACT = {
    "en": ("one two three four five six seven eight", "one two three four five six seven nine"),
    "ko": ("하나 둘 셋 넷 다섯 여섯", "하나 둘 셋 넷 다섯 일곱"),
    "zh": ("一二三四五六七八九十甲乙丙丁", "一二三四五六七八九十甲乙丙戊"),
}


@each_language
def test_words_of_an_earlier_chapter_are_an_echo(language: str) -> None:
    pack = load_pack(language)
    earlier = Earlier.of([f"# 1\n\n{SAID[language]}"], pack)
    text = f"# 2\n\n{FILL[language] * 9}.\n\n{SAID[language]}"
    echoes = measure(text, pack, earlier=earlier)["echoes"]
    assert (echoes.value, echoes.n, echoes.ok) == (1.0, 1, None)
    assert len(echoes.spans[0].text) > 12
    assert echoes.spans[0].text in SAID[language]


@each_language
def test_a_shorter_run_is_a_phrase_and_no_echo(language: str) -> None:
    pack = load_pack(language)
    metrics = measure(SHORTER[language], pack, earlier=Earlier.of([SAID[language]], pack))
    assert metrics["echoes"].value == 0.0
    assert len(metrics["repetition_across"].spans) == 1
    assert metrics["repetition"].spans == ()


@each_language
def test_an_echo_has_an_exact_length(language: str) -> None:
    pack, (same, other) = load_pack(language), EXACT[language]
    earlier = Earlier.of([f"{same}."], pack)
    targets = {"echoes": {"max": 1}}
    assert measure(f"{same}!", pack, targets, earlier=earlier)["echoes"].ok is False
    assert measure(f"{other}!", pack, targets, earlier=earlier)["echoes"].ok is True


@each_language
def test_speech_echoes_nothing(language: str) -> None:
    pack = load_pack(language)
    earlier = Earlier.of([SAID[language]], pack)
    assert measure(f"“{SAID[language]}”", pack, earlier=earlier)["echoes"].value == 0.0
    spoken = Earlier.of([f"“{SAID[language]}”"], pack)
    assert measure(SAID[language], pack, earlier=spoken)["echoes"].value == 0.0


@each_language
def test_phrases_across_chapters_are_a_density(language: str) -> None:
    pack = load_pack(language)
    earlier = Earlier.of([SHORTER[language]], pack)
    limit = {"repetition_across": {"max": 1}}

    def judged(total: int) -> tuple[float, bool | None]:
        text = filled_to(SHORTER[language], total, language)
        metric = measure(text, pack, limit, earlier=earlier)["repetition_across"]
        return metric.value, metric.ok

    assert judged(1000) == (1.0, False)
    assert judged(1001)[1] is True
    assert judged(pack.minimum - 1)[1] is None


@each_language
def test_with_nothing_earlier_there_is_no_verdict(language: str) -> None:
    limits = {"echoes": {"max": 1}, "repetition_across": {"max": 1}}
    metrics = measure(filled_to(SAID[language], 1000, language), load_pack(language), limits)
    assert (metrics["echoes"].value, metrics["echoes"].ok) == (0.0, None)
    assert (metrics["repetition_across"].value, metrics["repetition_across"].ok) == (0.0, None)
    assert NOTHING_EARLIER.chapters == 0


def test_case_and_marks_hide_no_echo_and_several_chapters_are_one_memory() -> None:
    pack = load_pack("en")
    earlier = Earlier.of(["Rain fell.", SAID["en"]], pack)
    text = "the IRON lamp, swung slowly — over the black water all night"
    assert earlier.chapters == 2
    assert len(measure(text, pack, earlier=earlier)["echoes"].spans) == 1
