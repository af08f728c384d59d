from __future__ import annotations

import pytest

from studio.i18n import LANGUAGES
from studio.text.language.packs import load_pack
from studio.text.metrics.measure import Metric, measure
from tests.text.prose import PLAIN, filled_to, units

each_language = pytest.mark.parametrize("language", LANGUAGES)


def metric(name: str, text: str, language: str, **target: float) -> Metric:
    return measure(text, load_pack(language), {name: target} if target else None)[name]


def found(name: str, text: str, language: str) -> list[str]:
    return [span.text for span in metric(name, text, language).spans]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "It was not anger but grief that kept her at the gate."),
        ("en", "The house smelled not of smoke, but of oranges."),
        ("en", "It wasn't a warning. It was an invitation."),
        ("en", "It didn’t end in tears; it was over by noon."),
        ("ko", "그것은 분노가 아니라 슬픔이었다."),
        ("ko", "그를 붙든 것은 미련이 아닌 습관이었다."),
        ("zh", "留住她的不是愤怒，而是悲伤。"),
        ("zh", "那并非警告，却是邀请。"),
    ],
)
def test_not_this_but_that_is_a_contrast(language: str, text: str) -> None:
    assert len(found("contrast_density", text, language)) == 1


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "He did not go, but she stayed until the lamps were out."),
        ("en", "Nothing but rain. The knot was tight, but it held."),
        ("en", "She was not there. The door stood open all the same."),
        ("en", "They were not in boots. He was, and slipped."),
        ("en", "“It was not anger but grief,” she said."),
        ("ko", "그는 범인이 아니라고 말했다. 사실이 아니라면 떠나야 했다."),
        ("ko", "“분노가 아니라 슬픔이야.”"),
        ("zh", "他不是本地人。而且是个哑巴。"),
        ("zh", "“不是愤怒，而是悲伤。”她说。"),
    ],
)
def test_two_clauses_and_speech_are_no_contrast(language: str, text: str) -> None:
    assert found("contrast_density", text, language) == []


CONTRAST = {
    "en": "It was not anger but grief. ",
    "ko": "그것은 분노가 아니라 슬픔이다. ",
    "zh": "那不是愤怒，而是悲伤。",
}
DASH = {
    "en": "The river — brown — bends here. ",
    "ko": "강이 — 느리게 — 굽이친다. ",
    "zh": "河水——浑浊——拐弯。",
}


@each_language
@pytest.mark.parametrize(("name", "sentence"), [("contrast_density", CONTRAST)])
def test_densities_of_habits_have_exact_bounds(
    name: str, sentence: dict[str, str], language: str
) -> None:
    text = sentence[language] * 5
    below = metric(name, filled_to(text, 1002, language), language, max=5)
    at = metric(name, filled_to(text, 1000, language), language, max=5)
    assert (round(below.value, 2), below.ok) == (4.99, True)
    assert (at.value, at.ok, at.n) == (5.0, False, 1000)
    least = load_pack(language).minimum
    assert metric(name, filled_to(sentence[language], least - 1, language), language, max=5).ok is (
        None
    )


@each_language
def test_dashes_have_exact_bounds(language: str) -> None:
    text = DASH[language] * 5
    below = metric("dash_density", filled_to(text, 1002, language), language, max=10)
    at = metric("dash_density", filled_to(text, 1000, language), language, max=10)
    assert (round(below.value, 2), below.ok) == (9.98, True)
    assert (at.value, at.ok, len(at.spans)) == (10.0, False, 10)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "A well-known, half-open door. Pages 3–5. “Wait — no,” he said."),
        ("en", "— Wait — no, he said."),
        ("ko", "서울-부산 열차. “잠깐 — 아니.”"),
        ("zh", "“等等——不。”他说。"),
    ],
)
def test_hyphens_ranges_and_speech_have_no_dashes(language: str, text: str) -> None:
    assert found("dash_density", text, language) == []


def test_every_kind_of_dash_counts_once() -> None:
    text = "One—two. One – two. One -- two. One--two. One - two."
    assert found("dash_density", text, "en") == ["—", "–", "--", "--", "-"]


SUBJECTS = {
    "en": ["He sat.", "His hands shook.", "He looked up.", "He rose.", "His coat fell.", "He ran."],
    "ko": [
        "그는 앉았다.",
        "그가 웃었지.",
        "그는 보네.",
        "그가 일어났다.",
        "그는 뛰었지.",
        "그가 섰네.",
    ],
    "zh": ["他坐下了。", "他笑着。", "他抬头。", "他站起来了。", "他跑着。", "他停下。"],
}
OTHER = {"en": "Rain fell.", "ko": "비가 왔다.", "zh": "雨停了。"}


@each_language
@pytest.mark.parametrize(("count", "ok"), [(1, True), (4, True), (5, False), (6, False)])
def test_five_sentences_about_one_subject_are_a_run(language: str, count: int, ok: bool) -> None:
    text = " ".join([OTHER[language], *SUBJECTS[language][:count], OTHER[language]])
    result = metric("same_subject_run", text, language, max=5)
    assert (result.value, result.ok) == (float(count), ok)
    assert len(result.spans) == (0 if ok else count)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "The rain fell. The wind rose. The door shut. The lamp died. The dog slept."),
        ("en", "He sat. She sat. He rose. She rose. He left."),
        ("ko", "천천히 걸었다. 멀리 보였다. 조용히 웃었다. 다시 앉았다. 그는 갔다."),
        ("ko", "그는 앉았다. 그녀는 앉았다. 그는 섰다. 그녀는 섰다."),
        ("zh", "这是雨。这是风。这是门。他走了。她来了。"),
    ],
)
def test_articles_adverbs_and_turns_are_no_run_of_one_subject(language: str, text: str) -> None:
    assert metric("same_subject_run", text, language).value <= 1.0


OPENINGS = {
    "en": ("Then it {}.", "Some{} fell."),
    "ko": ("그때 {}가 왔다.", "말{} 하나."),
    "zh": ("他{}。", "{}。"),
}
WORDS = "abcdefghijklmnopqrstuvwxyz"


def opening(language: str, alike: int, others: int) -> str:
    same, other = OPENINGS[language]
    return " ".join(
        [same.format(c) for c in WORDS[:alike]] + [other.format(c * 2) for c in WORDS[:others]]
    )


@each_language
def test_a_favourite_opening_is_a_share_of_the_sentences(language: str) -> None:
    at = metric("opening_share", opening(language, 8, 12), language, max=0.4)
    below = metric("opening_share", opening(language, 7, 13), language, max=0.4)
    assert (at.value, at.ok, at.n, len(at.spans)) == (0.4, False, 20, 8)
    assert (below.value, below.ok, below.spans) == (0.35, True, ())
    assert metric("opening_share", opening(language, 8, 11), language, max=0.4).ok is None


@each_language
def test_openings_that_differ_are_no_habit(language: str) -> None:
    result = metric("opening_share", opening(language, 1, 20), language)
    assert (result.value < 0.1, result.spans) == (True, ())


@each_language
def test_lone_sentences_are_a_share_of_told_paragraphs(language: str) -> None:
    one, spoken = PLAIN[language].strip(), f"“{PLAIN[language].strip()}”"
    pair = f"{one} {one}"
    at = metric("one_sentence_paragraphs", "\n\n".join([one] * 2 + [pair] * 3), language, max=0.4)
    below = metric("one_sentence_paragraphs", "\n\n".join([one] + [pair] * 4), language, max=0.4)
    few = metric(
        "one_sentence_paragraphs", "\n\n".join([one] * 4 + [spoken] * 9), language, max=0.4
    )
    assert (at.value, at.ok, len(at.spans)) == (0.4, False, 2)
    assert (below.value, below.ok) == (0.2, True)
    assert (few.value, few.n, few.ok) == (1.0, 4, None), "speech is not counted"


@each_language
def test_growth_is_measured_beside_the_version_before(language: str) -> None:
    pack, before = load_pack(language), filled_to("", 200, language)

    def growth(total: int, beside: str) -> Metric:
        text = filled_to("", total, language)
        targets = {"length_growth": {"max": 0.1}}
        return measure(text, pack, targets, before=beside)["length_growth"]

    assert units(before, language) == 200
    assert (growth(219, before).value, growth(219, before).ok) == (0.095, True)
    assert (growth(220, before).value, growth(220, before).ok) == (0.1, False)
    assert (growth(180, before).value, growth(180, before).ok) == (-0.1, True)
    assert (growth(220, "").value, growth(220, "").n, growth(220, "").ok) == (0.0, 0, None)


@each_language
def test_habits_are_for_information_until_a_target_is_set(language: str) -> None:
    metrics = measure(
        filled_to(CONTRAST[language] * 9 + DASH[language] * 9, 1000, language), load_pack(language)
    )
    for name in ("contrast_density", "dash_density", "opening_share", "one_sentence_paragraphs"):
        assert (metrics[name].threshold, metrics[name].ok) == (None, None)
