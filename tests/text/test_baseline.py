"""The author's own range: what is in it, what is outside, and how it vouches for itself."""

from __future__ import annotations

import random

import pytest

from studio.errors import StudioError
from studio.story.baseline import Baseline
from studio.text.language.packs import load_pack
from studio.text.metrics.baseline import FEWEST_SAMPLES, learn
from studio.text.metrics.metrics import measure

PLAIN = {
    "en": (
        "The ferry came in at six with its one lamp lit.",
        "Nobody on the quay had slept, and the dog least of all.",
        "She counted the crates twice.",
        "Rope lay over the stones in wet loops, and a boy stepped through them barefoot.",
        "The clerk wrote the weight down and blew on the ink.",
    ),
    "ko": (
        "여섯 시에 나룻배가 등불 하나를 켜고 들어왔다.",
        "부두에서는 아무도 자지 못했고, 개는 더 못 잤다.",
        "그녀는 궤짝을 두 번 세었다.",
        "젖은 밧줄이 돌 위에 둥글게 놓여 있었고 맨발의 아이가 그 사이를 건너갔다.",
        "서기는 무게를 적고 잉크를 불어 말렸다.",
    ),
    "zh": (
        "六点钟，渡船亮着一盏灯靠了岸。",
        "码头上没有人睡过，那条狗更没有。",
        "她把箱子数了两遍。",
        "湿缆绳一圈一圈摊在石头上，一个光脚的孩子从中间走过去。",
        "书记员写下重量，朝墨迹吹了口气。",
    ),
}
FILTERED = {"en": "She felt the cold.", "ko": "그녀는 추위를 느꼈다.", "zh": "她感到一阵冷。"}


def prose(language: str, paragraphs: int, seed: int, filtered: float = 0.0) -> str:
    """Paragraphs of plain sentences; a share of them ends in a filter word."""
    drawn = random.Random(seed)
    written = []
    for _ in range(paragraphs):
        sentences = drawn.choices(PLAIN[language], k=drawn.randint(3, 9))
        if drawn.random() < filtered:
            sentences.append(FILTERED[language])
        written.append(" ".join(sentences))
    return "# One\n\n" + "\n\n".join(written) + "\n"


def learned(language: str, filtered: float = 0.3) -> Baseline:
    texts = [(f"{n}.md", prose(language, 90, n, filtered)) for n in range(3)]
    return learn(texts, load_pack(language))


@pytest.mark.parametrize("language", ["ko", "en", "zh"])
def test_prose_of_the_same_hand_lies_in_the_band_and_a_worse_one_does_not(language: str) -> None:
    baseline, pack = learned(language), load_pack(language)
    same = measure(prose(language, 60, 99, 0.3), pack, baseline.targets)
    worse = measure(prose(language, 60, 99, 1.0), pack, baseline.targets)
    assert same["filter_word_density"].ok is True
    assert worse["filter_word_density"].ok is False
    assert worse["filter_word_density"].threshold == baseline.targets["filter_word_density"]


def test_the_same_prose_teaches_the_same_bytes() -> None:
    assert learned("ko").model_dump_json() == learned("ko").model_dump_json()


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


def test_dashes_and_contrasts_are_an_author_s_own_measure_too() -> None:
    texts = [(f"{n}.md", prose("en", 90, n).replace(" and ", " — and — ")) for n in range(3)]
    hers, pack = learn(texts, load_pack("en")), load_pack("en")
    dashed = measure(texts[0][1], pack, hers.targets)["dash_density"]
    assert (dashed.ok, dashed.value > 5) == (True, True)
    assert measure(texts[0][1], pack, learned("en").targets)["dash_density"].ok is False
