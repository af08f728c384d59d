"""What published prose has on purpose, which nobody is asked to change: a voice, a figure, a form
of the genre, one scene, a spelling."""

from __future__ import annotations

from itertools import cycle, islice

import pytest

from studio.i18n import Language
from studio.text.language.packs import load_pack
from studio.text.metrics.habits import FORMS
from studio.text.oracle.patterns import patterns
from studio.text.oracle.report import check_text
from studio.text.prose.parse import read
from tests.text.tics import chapter, paragraphs, spread


def tics_of(text: str, language: Language) -> list[str]:
    return [tic.words for tic in patterns(read(text, load_pack(language)))]


SITES = ("boat", "yard", "kiln", "safe", "loft", "barn", "quay", "mill", "shed", "well")


def test_how_a_teller_talks_to_whoever_reads_is_a_voice() -> None:
    whats = ("leaked", "was sold", "smoked", "stood open", "smelled", "burned down", "sank",
             "never ground", "was let", "ran dry")  # fmt: skip
    asides = tuple(
        f"The {site} {what}, if you ask me." for site, what in zip(SITES, whats, strict=True)
    )
    theirs = chapter("en", asides)
    mine = "\n\n".join(
        f"{words} So I told my mother that very evening." for words in theirs.split("\n\n")
    )
    for text, by_one in ((theirs, False), (mine, True)):
        assert read(text, load_pack("en")).is_told_by_one is by_one
        assert any("if you ask" in words for words in tics_of(text, "en")) is not by_one


def test_how_a_korean_teller_ends_a_sentence_is_a_voice() -> None:
    days = ["봄", "여름", "가을", "겨울", "새벽", "아침", "점심", "저녁", "한밤", "장날"]
    did = [
        "띄웠다",
        "팔았다",
        "고쳤다",
        "묶었다",
        "칠했다",
        "잃었다",
        "샀다",
        "지켰다",
        "씻었다",
        "비웠다",
    ]
    lines = [f"나는 {day} 배를 {what} 이런 말이다." for day, what in zip(days, did, strict=True)]
    walk = "나는 둑을 따라 걸으며 물가로 내려가는 계단을 세고 또 세었다."
    text = "\n\n".join(f"{line}\n\n" + "\n\n".join([walk] * 4) for line in lines)
    assert not any("말이다" in words for words in tics_of(text, "ko"))
    other = text.replace("나는 ", "노인은 ")
    assert any("말이다" in words for words in tics_of(other, "ko"))


BEATS = {
    "en": ("He swung.", "She ducked.", "Steel rang.", "Blood fell.", "Horses ran.", "Nobody won."),
    "ko": ("칼이 울었다.", "그가 피했다.", "피가 튀었다.", "말이 뛰었다.", "비가 왔다."),
    "zh": ("刀响了。", "他躲开。", "血溅起。", "马跑了。", "雨来了。"),
}


@pytest.mark.parametrize("language", ["en", "ko", "zh"])
def test_the_beats_of_one_fight_are_no_habit_of_the_chapter(language: Language) -> None:
    joint = "" if language == "zh" else " "
    beats = list(islice(cycle(BEATS[language]), 90))
    rounds = [joint.join(beats[n : n + 6]) for n in range(0, len(beats), 6)]
    pack = load_pack(language)
    plain = [words for words in paragraphs(language) if not FORMS["clipped"](read(words, pack))]
    fight = "\n\n".join([*plain[:80], *rounds, *plain[80:]])
    assert "clipped" not in tics_of(fight, language)
    assert "clipped" in tics_of(spread(language, rounds), language)


def test_a_row_that_opens_with_one_word_is_a_figure() -> None:
    whose = [f"Made him {one}. Made him {two}. Made him {three}." for one, two, three in [
        ("small", "safe", "poor"), ("old", "deaf", "slow"), ("kind", "soft", "late"),
        ("thin", "sad", "wise"), ("tall", "grey", "mild"), ("loud", "bold", "rich"),
        ("young", "quick", "fair"), ("dull", "plain", "still"), ("lame", "blind", "dumb"),
        ("proud", "cold", "hard"), ("weak", "mean", "low"), ("free", "light", "gay"),
        ("dark", "dry", "dim"), ("ill", "pale", "lost"), ("good", "true", "just"),
    ]]  # fmt: skip
    assert "clipped" not in tics_of(spread("en", whose), "en")
    others = [words.replace("Made", "Left", 1) for words in whose]
    assert "clipped" in tics_of(spread("en", others), "en")


def test_what_a_screen_says_in_capitals_is_no_sentence_of_a_few_words() -> None:
    orders = [f"{word} {site.upper()}. HOLD. REPORT STATUS." for site in SITES for word in
              ("SEAL", "CLEAR")]  # fmt: skip
    assert "clipped" not in tics_of(spread("en", orders), "en")
    sentences = [words.capitalize().replace(". h", ". H").replace(". r", ". R") for words in orders]
    assert "clipped" in tics_of(spread("en", sentences), "en")


@pytest.mark.parametrize(("labels", "is_there"), [(("MINA", "JIA"), False), ((), True)])
def test_messages_under_bare_labels_are_no_short_paragraphs(
    labels: tuple[str, ...], is_there: bool
) -> None:
    verbs = ("온다", "간다", "산다", "운다", "멎는다", "진다", "뜬다", "든다")
    whats = ("배가", "불이", "문이", "길이", "비가", "별이", "물이")
    said = [f"{what} {verb}." for what in whats for verb in verbs]
    names = cycle(labels or ("",))
    blocks = [f"{next(names)}\n\n{line}".strip() for line in said]
    assert ("short-paragraph" in tics_of(spread("ko", blocks), "ko")) is is_there


@pytest.mark.parametrize(
    ("language", "head"),
    [
        ("en", "Day {}"),
        ("en", "{} March"),
        ("ko", "3월 {}일"),
        ("zh", "三月{}日"),
        ("zh", "第{}天"),
    ],
)
def test_a_diary_is_told_in_notes(language: Language, head: str) -> None:
    notes = {
        "en": "Rain again. No wind. I mended the sail. Cold hands. Nothing moved on the water.",
        "ko": "비가 왔다. 바람 없음. 나는 돛을 기웠다. 손이 시렸다. 물 위에는 아무것도 없었다.",
        "zh": "下雨。没有风。我补帆。手冷。没有人来。",
    }[language]
    days = [f"{head.format(day)}\n\n{notes} {day}." for day in range(1, 29)]
    diary = "\n\n".join(days * (3 if language == "zh" else 2))
    assert not {"clipped", "negation", "short-paragraph"} & {*tics_of(diary, language)}
    undated = "\n\n".join(p for p in diary.split("\n\n") if not p[-1].isalnum())
    assert "clipped" in tics_of(undated, language)


def test_korean_as_it_was_spelled_before_1933_has_no_turns_that_a_table_could_know() -> None:
    who = ["노인은", "아이는", "선장은", "점원은", "어부는", "하인은", "의사는", "스님은"]
    old = tuple(f"{one} 가만히 안젓스니 물이 햇다 하엿다." for one in who)
    assert not tics_of(chapter("ko", old), "ko")
    assert tics_of(chapter("ko", tuple(f"{one} 가만히 안즌 채 잇다." for one in who)), "ko")


def test_to_whom_a_thing_is_done_makes_no_chinese_turn() -> None:
    who = ("老板", "伙计", "船工", "房东", "木匠", "厨子", "账房", "门房")
    assert not tics_of(chapter("zh", tuple(f"{one}只是看着他。" for one in who)), "zh")
    assert tics_of(chapter("zh", tuple(f"{one}只是看着船。" for one in who)), "zh")


@pytest.mark.parametrize(
    "words",
    [
        "The {}, never opened but always swept, was his.",
        "It was not quite the {} but it was near it.",
    ],
)
def test_what_is_so_and_what_is_not_of_one_thing_is_no_contrast(words: str) -> None:
    assert "contrast" not in tics_of(chapter("en", tuple(words.format(s) for s in SITES)), "en")
    plain = tuple(f"It was not the {site} but the road behind it." for site in SITES)
    assert "contrast" in tics_of(chapter("en", plain), "en")


@pytest.mark.parametrize(
    ("words", "is_one"),
    [
        ("The {} was not open yet. It was market day.", False),
        ("The {} was not locked. That was odd.", False),
        ("It was not the {}. It was the road.", True),
        ("That was not the {}. That was the road.", True),
    ],
)
def test_a_plain_denial_and_what_is_said_of_it_are_no_contrast(words: str, is_one: bool) -> None:
    tics = tics_of(chapter("en", tuple(words.format(site) for site in SITES)), "en")
    assert ("contrast" in tics) is is_one


@pytest.mark.parametrize(
    ("language", "line"),
    [("ko", "[작성 완료]"), ("ko", "**작성 완료**")],
)
def test_the_mark_of_a_draft_done_is_named_and_no_more(language: Language, line: str) -> None:
    report = check_text(f"{chapter(language)}\n\n{line}", pack=load_pack(language))
    assert report.metrics["leaked_meta"].value == 1
    assert "cut" not in [directive.type.value for directive in report.directives]


def test_a_page_of_a_patron_is_left_alone() -> None:
    page = f"{chapter('en')}\n\nEarly chapters on my Patreon: ferry"
    report = check_text(page, pack=load_pack("en"))
    assert "cut" not in [directive.type.value for directive in report.directives]


def test_flat_paragraphs_are_proposed_for_a_limit_of_her_own_alone() -> None:
    flat = " ".join(["The boat came in from the sea.", "The man tied it to the post."] * 4)
    text, pack = "\n\n".join([flat] * 40), load_pack("en")
    hers = {"sentence_length_cv": {"min": 0.4}}
    for targets, is_proposed in ((None, False), (hers, True)):
        report = check_text(text, pack=pack, targets=targets)
        assert ("sentence_length_cv" in [d.metric for d in report.directives]) is is_proposed
