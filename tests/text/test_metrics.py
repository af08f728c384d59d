from __future__ import annotations

import unicodedata

import pytest

from studio.errors import Exit, StudioError
from studio.i18n import LANGUAGES
from studio.text.language.packs import load_pack
from studio.text.metrics.measure import Metric, measure
from studio.text.metrics.metric_kinds import METRIC_NAMES
from tests.text.prose import FILL, FILTERED, PLAIN, filled_to, with_filter_words

each_language = pytest.mark.parametrize("language", LANGUAGES)
SEED = {
    "sensory_grounding": {"min": 2},
    "filter_word_density": {"max": 5},
    "same_ending_run": {"max": 5},
    "dialogue_ratio": {"min": 0.55, "max": 0.65},
}


def metric(name: str, text: str, language: str) -> Metric:
    return measure(text, load_pack(language), SEED)[name]


# req: A16
# req: A18
@each_language
def test_filter_density_below_five_passes_and_five_fails(language: str) -> None:
    just_below = metric("filter_word_density", with_filter_words(5, 1002, language), language)
    at_five = metric("filter_word_density", with_filter_words(5, 1000, language), language)
    assert (round(just_below.value, 2), just_below.ok) == (4.99, True)
    assert (at_five.value, at_five.ok, at_five.n) == (5.0, False, 1000)
    assert len(at_five.spans) == 5


@each_language
def test_no_filter_words_is_zero(language: str) -> None:
    density = metric("filter_word_density", PLAIN[language] * 130, language)
    assert (density.value, density.ok, density.spans) == (0.0, True, ())


# req: A17
@each_language
def test_a_text_of_speech_alone_has_no_hits_in_narration(language: str) -> None:
    text = "\n\n".join(f"“{FILTERED[language].strip()}”" for _ in range(200))
    metrics = measure(text, load_pack(language), SEED)
    for name in ("filter_word_density", "adverb_density", "cliche_density", "same_ending_run"):
        assert (metrics[name].value, metrics[name].spans) == (0.0, ()), name
    assert metrics["dialogue_ratio"].value == 1.0
    assert metrics["filter_word_density"].ok is None, "no narration, no verdict"


@each_language
def test_densities_give_no_verdict_below_their_minimum(language: str) -> None:
    least = load_pack(language).minimum
    enough = metric("filter_word_density", with_filter_words(0, least, language), language)
    short = metric("filter_word_density", with_filter_words(3, least - 1, language), language)
    assert enough.ok is True
    assert short.ok is None
    assert short.value > 5, "the number is there all the same"


CLOSING_ALIKE = {
    "ko": [
        "비가 왔다.",
        "문이 닫혔다.",
        "그는 갔다.",
        "불이 꺼졌다.",
        "개가 짖었다.",
        "달이 떴다.",
    ],
    "en": [
        "He sold it.",
        "She took it.",
        "They hid it.",
        "We ate it.",
        "I lost it.",
        "You had it.",
    ],
    "zh": ["雨停了。", "门关了。", "他走了。", "灯灭了。", "狗叫了。", "月亮出来了。"],
}


def endings(language: str, count: int) -> str:
    return " ".join(CLOSING_ALIKE[language][:count])


OTHER = {"ko": "누가 왔을까?", "en": "Nobody spoke.", "zh": "谁也没说话。"}


# req: A16
# req: A18
@each_language
@pytest.mark.parametrize(("count", "ok"), [(1, True), (4, True), (5, False), (6, False)])
def test_five_sentences_that_close_alike_are_too_many(language: str, count: int, ok: bool) -> None:
    run = metric("same_ending_run", f"{endings(language, count)} {OTHER[language]}", language)
    assert (run.value, run.ok) == (float(count), ok)
    assert len(run.spans) == (0 if ok else count)


@each_language
@pytest.mark.parametrize("between", ["\n\n“{}”\n\n", "\n\n* * *\n\n"])
def test_speech_and_a_new_scene_end_a_run_but_a_paragraph_does_not(
    language: str, between: str
) -> None:
    three = endings(language, 3)
    broken = three + between.format(OTHER[language]) + three
    assert metric("same_ending_run", broken, language).value == 3
    assert metric("same_ending_run", f"{three}\n\n{three}", language).value == 6


def test_a_run_is_counted_by_syllable_word_or_particle() -> None:
    mixed = "비가 왔다. 문이 닫혔지. 그가 가네. 누굴까? 몰라요."
    assert metric("same_ending_run", mixed, "ko").value == 1
    assert metric("same_ending_run", "He ran home. She came home. They sat.", "en").value == 2
    assert (
        metric("same_ending_run", "他来过。她走过。天黑。人静。夜深。雨大。风急。", "zh").value == 2
    )


SPEECH = {"ko": "말" * 98, "en": "a" * 98, "zh": "话" * 98}
TOLD = {"ko": "글" * 99 + ".", "en": "b" * 99 + ".", "zh": "字" * 99 + "。"}


# req: A16
@each_language
@pytest.mark.parametrize(
    ("spoken", "narrated", "ok"), [(10, 10, False), (11, 9, True), (12, 8, True), (13, 7, False)]
)
def test_dialogue_has_a_band(language: str, spoken: int, narrated: int, ok: bool) -> None:
    lines = [f"“{SPEECH[language]}”"] * spoken + [TOLD[language]] * narrated
    pack = load_pack(language)
    ratio = measure("\n\n".join(lines), pack, SEED)["dialogue_ratio"]
    assert ratio.value == spoken / (spoken + narrated)
    if language == "en":  # too few words for a verdict
        assert ratio.ok is None
    else:
        assert ratio.ok is ok


SENSED = {
    "ko": {"sight": "불빛이 보얗다.", "sound": "종소리가 난다.", "smell": "비린내가 난다."},
    "en": {"sight": "It gleams.", "sound": "It creaks.", "smell": "It stinks."},
    "zh": {"sight": "灯光下。", "sound": "有脚步声。", "smell": "有腥味。"},
}


# req: A16
# req: A18
@each_language
def test_each_window_needs_two_senses(language: str) -> None:
    size = load_pack(language).window
    words = SENSED[language]
    both = filled_to(f"{words['sight']} {words['sound']}", size, language)
    one = filled_to(f"{words['sight']} {words['sight']}", size, language)
    none = filled_to("", size, language)
    assert [metric("sensory_grounding", t, language).value for t in (both, one, none)] == [2, 1, 0]
    assert [metric("sensory_grounding", t, language).ok for t in (both, one, none)] == [
        True,
        False,
        False,
    ]


@each_language
def test_the_poorest_window_counts_and_is_shown(language: str) -> None:
    size, words = load_pack(language).window, SENSED[language]
    rich = filled_to(" ".join(words.values()), size, language)
    poor = filled_to(words["smell"], size, language)
    grounding = metric("sensory_grounding", f"{rich}\n\n{poor}", language)
    assert (grounding.value, grounding.n, len(grounding.spans)) == (1.0, 2, 1)
    assert grounding.spans[0].text == poor
    assert metric("sensory_grounding", poor[:-20], language).ok is None, "shorter than a window"


@pytest.mark.parametrize("language", ["ko", "zh"])
@pytest.mark.parametrize("space", ["  ", "\n", "\u3000", " \t "])
def test_white_space_does_not_change_densities(language: str, space: str) -> None:
    words = {
        "ko": "그는 추위를 느꼈다. 문득 돌아봤다. 누가 있는 것 같았다. 짧은 침묵이 있었다. ",
        "zh": "他 感到 冷。突然 回头。好像 有人。他 深吸 一口气。 ",
    }[language]
    plain = measure(words * 20, load_pack(language))
    spaced = measure((words * 20).replace(" ", space), load_pack(language))
    for name in ("filter_word_density", "adverb_density", "cliche_density"):
        assert plain[name].value > 0
        assert (plain[name].value, plain[name].n) == (spaced[name].value, spaced[name].n), name


def test_spaces_inside_chinese_words_change_nothing() -> None:
    close = measure("他感到冷。突然灯光灭了。" * 30, load_pack("zh"))
    loose = measure("他 感 到 冷。突 然 灯 光 灭 了。" * 30, load_pack("zh"))
    for name in ("filter_word_density", "adverb_density", "sensory_grounding"):
        assert close[name].value == loose[name].value


@each_language
def test_title_and_scene_breaks_are_in_no_metric(language: str) -> None:
    body = with_filter_words(3, 600, language).removeprefix("# 0\n\n")
    bare = measure(body, load_pack(language))
    titled = measure(f"# {FILTERED[language]}\n\n{body}", load_pack(language))
    split = measure(body.replace("\n\n", "\n\n* * *\n\n"), load_pack(language))
    for name in ("filter_word_density", "dialogue_ratio", "adverb_density"):
        assert (bare[name].value, bare[name].n) == (titled[name].value, titled[name].n)
        assert (bare[name].value, bare[name].n) == (split[name].value, split[name].n)


@each_language
def test_spans_slice_the_normal_form_of_the_whole_file(language: str) -> None:
    text = unicodedata.normalize(
        "NFD", f"# 제목 é\n\n{FILTERED[language] * 8}\n\n“{PLAIN[language]}”"
    )
    normal = unicodedata.normalize("NFC", text)
    metrics = measure(text, load_pack(language))
    assert metrics == measure(normal, load_pack(language))
    spans = [span for m in metrics.values() for span in m.spans]
    assert spans
    assert all(normal[s.start : s.end] == s.text for s in spans)


@pytest.mark.parametrize(("language", "chapter_wide"), [("ko", True), ("en", False), ("zh", False)])
def test_the_seeds_thresholds_are_korean_and_inform_elsewhere(
    language: str, chapter_wide: bool
) -> None:
    metrics = measure(with_filter_words(40, 1000, language), load_pack(language))
    for name, threshold in SEED.items():
        assert metrics[name].threshold == (threshold if chapter_wide else None), name
    assert metrics["filter_word_density"].ok is (False if chapter_wide else None)


def test_a_target_replaces_the_default_and_an_empty_one_switches_it_off() -> None:
    text, pack = with_filter_words(20, 1000, "ko"), load_pack("ko")
    assert measure(text, pack)["filter_word_density"].ok is False
    assert measure(text, pack, {"filter_word_density": {"max": 21}})["filter_word_density"].ok
    off = measure(text, pack, {"filter_word_density": {}})["filter_word_density"]
    assert (off.value, off.threshold, off.ok) == (20.0, None, None)


@pytest.mark.parametrize(
    ("targets", "named"),
    [({"filter_words": {"max": 5}}, "filter_words"), ({"repetition": {"most": 5}}, "most")],
)
def test_a_target_nobody_knows_is_named(targets: dict[str, dict[str, float]], named: str) -> None:
    with pytest.raises(StudioError) as caught:
        measure("Rain.", load_pack("en"), targets)
    assert caught.value.problem.exit_code is Exit.USAGE
    assert named in caught.value.problem.message


@each_language
@pytest.mark.parametrize("text", ["", "\n", "# Title\n", "* * *", "…", "“"])
def test_nothing_to_measure_is_not_an_error(language: str, text: str) -> None:
    metrics = measure(text, load_pack(language), SEED)
    assert tuple(metrics) == METRIC_NAMES
    assert all(isinstance(m.value, float) for m in metrics.values())
    assert metrics["filter_word_density"].ok is None
    assert metrics["same_ending_run"].ok is True


def test_overused_adverbs_and_cliches_are_counted() -> None:
    ko = measure("문득 그는 심장이 내려앉았다. 갑자기 비가 왔다.", load_pack("ko"))
    en = measure("Suddenly her blood ran cold. Her breath caught.", load_pack("en"))
    zh = measure("他突然微微一笑，深吸一口气，后背发凉。", load_pack("zh"))
    assert [len(m["adverb_density"].spans) for m in (ko, en, zh)] == [2, 1, 2]
    assert [len(m["cliche_density"].spans) for m in (ko, en, zh)] == [1, 2, 2]


def test_the_writers_blacklist_counts_as_cliches() -> None:
    pack = load_pack("en").with_phrases(["the weight of", "couldn’t  help but"])
    text = "She bore the weight of it. He couldn't help but smile at the weights."
    spans = measure(text, pack)["cliche_density"].spans
    assert [span.text for span in spans] == ["the weight of", "couldn't help but"]


@pytest.mark.parametrize(
    ("language", "once", "again"),
    [
        ("en", "The iron lamp swung slowly.", "Then the iron lamp swung slowly back."),
        ("ko", "낡은 철제 등불이 흔들렸다.", "밤새 낡은 철제 등불이 흔들렸다."),
        ("zh", "生锈的铁灯在风里摇。", "夜里生锈的铁灯在风里摇。"),
    ],
)
def test_a_phrase_that_comes_back_is_repetition(language: str, once: str, again: str) -> None:
    pack = load_pack(language)
    assert measure(once, pack)["repetition"].spans == ()
    spans = measure(f"{once}\n\n{again}", pack)["repetition"].spans
    assert len(spans) == 1
    assert spans[0].start > len(once)


def test_variety_of_lengths_is_a_ratio() -> None:
    flat = measure(
        "One two three. Four five six. Seven eight nine. Ten is more. It is so.", load_pack("en")
    )
    varied = measure(
        "No. He went down to the harbour and stood a long while. Rain. Yes. Done.", load_pack("en")
    )
    assert flat["sentence_length_cv"].value == 0.0
    assert len(flat["sentence_length_cv"].spans) == 1
    assert varied["sentence_length_cv"].value > 0.9
    assert varied["sentence_length_cv"].spans == ()


LEAKS = {
    "en": [
        "Scene 2: The Lamp Room",
        "## Prose",
        "<think>",
        "Here is the revised passage:",
        "Chapter 3",
    ],
    "ko": ["씬 2: 등대", "## 본문", "<think>", "수정된 문단은 다음과 같습니다:", "제3화"],
    "zh": ["场景二：灯塔", "## 正文", "<think>", "以下是修改后的段落：", "第三章 灯塔"],
}


@pytest.mark.parametrize(("language", "leak"), [(k, leak) for k, v in LEAKS.items() for leak in v])
def test_working_notes_in_the_prose_are_found(language: str, leak: str) -> None:
    notes = metric(
        "leaked_meta", f"# 1\n\n{PLAIN[language]}\n\n{leak}\n\n{PLAIN[language]}", language
    )
    assert (notes.value, notes.ok) == (1.0, False)
    assert leak.startswith(notes.spans[0].text[:4])


@pytest.mark.parametrize(
    ("language", "innocent"),
    [
        ("en", "The scene was set for two. Here is the new house, said the agent."),
        (
            "en",
            "Chapter and verse, he knew it all. “Sure, here is the revised text,” said the clerk.",
        ),
        ("en", "Chapter 1"),
        ("ko", "그 장면은 두 번 나왔다. 3장의 사진이 있었다. 본문을 읽던 그가 웃었다."),
        ("zh", "第三章他没有读完。场景一变，人都散了。以下是我父亲的话。"),
    ],
)
def test_a_story_that_speaks_of_chapters_and_scenes_is_no_leak(
    language: str, innocent: str
) -> None:
    assert metric("leaked_meta", innocent, language).value == 0


@each_language
def test_the_fill_of_these_tests_is_on_no_list(language: str) -> None:
    reading = load_pack(language).lexicon.find(FILL[language] * 3 + PLAIN[language])
    assert reading == []
