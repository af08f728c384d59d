from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.errors import StudioError
from studio.i18n import LANGUAGES
from studio.text.language.lexicon import Lexicon
from studio.text.language.packs import SENSES, load_pack
from studio.text.metrics.metric_kinds import METRIC_NAMES, METRICS


def words(text: str, language: str, kind: str = "") -> list[str]:
    hits = load_pack(language).lexicon.find(text)
    return [text[h.start : h.end] for h in hits if h.kind.startswith(kind)]


# req: A18
@pytest.mark.parametrize(
    ("text", "language", "senses"),
    [
        ("불빛이 흔들렸다.", "ko", {"sight"}),
        ("발소리가 멎고 비린내가 끼쳤다.", "ko", {"sound", "smell"}),
        ("차가운 손끝으로 쓰디쓴 약을 집었다.", "ko", {"touch", "taste"}),
        ("The bell rang and the salt stung his tongue.", "en", {"sound", "taste", "touch"}),
        ("A reek of paraffin; the dim lamp.", "en", {"smell", "sight"}),
        ("灯光下有脚步声，空气里是血腥味。", "zh", {"sight", "sound", "smell"}),
        ("铁栏冰凉，嘴里有苦味。", "zh", {"touch", "taste"}),
    ],
)
def test_each_sense_is_known_by_its_words(text: str, language: str, senses: set[str]) -> None:
    hits = load_pack(language).lexicon.find(text)
    assert {h.kind.removeprefix("sense:") for h in hits if h.kind.startswith("sense:")} == senses


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("보통 사람들은 손님을 입장시키고 말을 아꼈다.", "ko"),  # 보, 들, 손, 입, 말
        ("그의 눈빛이 달라졌고, 진실이 밝혀졌다.", "ko"),
        ("또 헛소리와 잔소리를 했다.", "ko"),
        ("손에 들려 있던 가방을 내려놓았다.", "ko"),
        ("She spelled it out; the highlight was a scoldin’ from Redmond.", "en"),
        ("The Cold War was in the dark about nothing; keep in touch.", "en"),
        ("A number of patterns whirled in the scrapbook; he glowered.", "en"),
        (
            "시리아에서 온 사각형 상자가 비치된 방에서 그는 달달 떨었지만 색다른 파란만장이었다.",
            "ko",
        ),
        ("这事不是滋味，热气球也没来。", "zh"),
    ],
)
def test_lookalikes_touch_no_sense(text: str, language: str) -> None:
    assert words(text, language, "sense:") == []


@pytest.mark.parametrize("noun", ["냄새가", "냄새를", "냄새였다", "냄새까지도", "냄새", "술냄새가"])
def test_korean_nouns_take_particles(noun: str) -> None:
    assert len(words(f"방에 {noun} 남았다.", "ko", "sense:smell")) == 1


@pytest.mark.parametrize("other", ["색시", "빛바랜", "맛소금"])
def test_a_korean_noun_inside_a_longer_word_is_another_word(other: str) -> None:
    assert words(f"{other} 하나.", "ko", "sense:") == []


def test_the_longest_of_overlapping_words_counts_once() -> None:
    assert words("He could hear it.", "en", "filter") == ["could hear"]
    assert words("她感觉到冷。", "zh", "filter") == ["感觉到"]


def test_case_apostrophes_and_line_breaks_do_not_hide_a_word() -> None:
    lexicon = Lexicon({"x": ["couldn't help"]}, "en")
    assert [h[:2] for h in lexicon.find("COULDN’T\n  HELP it")] == [(0, 15)]
    assert [h[:2] for h in lexicon.find("İİ couldn't help")] == [(3, 16)]


@given(st.text("가느꼈다 보였어빛A b.’\n感 到", max_size=40), st.sampled_from(sorted(LANGUAGES)))
def test_hits_lie_in_the_text_in_order(text: str, language: str) -> None:
    hits = load_pack(language).lexicon.find(text)
    assert all(0 <= h.start < h.end <= len(text) for h in hits)
    assert [h.start for h in hits] == sorted(h.start for h in hits)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_pack_names_every_metric_and_sense_and_words_every_issue(language: str) -> None:

    pack = load_pack(language)
    assert set(pack.metric_names) == set(METRIC_NAMES)
    assert set(pack.wordings) == {name for name, kind in METRICS.items() if kind.directive}
    assert set(pack.sense_names) == set(SENSES)
    assert set(pack.report) == set(load_pack("en").report)
    assert len(pack.lexicon.lists["cliche"]) >= 30


def test_an_unknown_language_is_named() -> None:
    with pytest.raises(StudioError, match="'fr'"):
        load_pack("fr")


def test_a_pack_is_loaded_once_and_a_blacklist_leaves_it_alone() -> None:
    pack = load_pack("ko")
    assert load_pack("ko") is pack
    assert pack.with_phrases([]) is pack
    longer = pack.with_phrases(["운명처럼"])
    assert longer is pack.with_phrases(["운명처럼"])
    assert "blacklist" not in pack.lexicon.lists
