"""What counts as an instance of a chapter's habit, and what only looks like one."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from studio.i18n import LANGUAGES, Language
from studio.text.language.packs import for_form, load_pack
from studio.text.metrics.habits import FORMS
from studio.text.metrics.measure import measure
from studio.text.oracle.instances import FORMS_OF_A_SERIAL, instances
from studio.text.oracle.issues import issues
from studio.text.oracle.patterns import (
    book_patterns,
    in_words,
    patterns,
)
from studio.text.oracle.report import check_text
from studio.text.prose.parse import read
from tests.sweeps import swept
from tests.text.tics import CLIPPED, chapter, paragraphs, spread


def found(form: str, text: str, language: str = "en") -> list[str]:
    reading = read(text, load_pack(language))
    return [" ".join(reading.text[start:end].split()) for start, end in FORMS[form](reading)]


def turns(sentences: tuple[str, ...], language: str) -> list[str]:
    reading = read(chapter(language, sentences), load_pack(language))
    return [tic.words for tic in patterns(reading) if not tic.is_form]


@pytest.mark.parametrize(
    "line",
    [
        "**Harbour, 1911**",
        "# Low water",
        "*Rope, coiled: two pence",
        "- Lamp oil, a gill.",
        "[Gate unlocked.]",
        "Thunk",
        "Huh?",
        "Bang!",
        "……that would be theft.",
        "...and then nothing.",
        "Orsolo & Daughters",
        "*I should have stayed.*",
    ],
)
def test_headings_lists_sounds_and_broken_lines_are_no_paragraph_of_one_sentence(line: str) -> None:
    beside = "The ferry leaned on its ropes and nobody came down to it that whole long evening."
    assert found("short-paragraph", f"{beside}\n\n{line}\n\nThe gulls left.\n\n{beside}") == [
        "The gulls left."
    ]


def test_the_beats_of_a_dialogue_are_no_habit_of_paragraphs() -> None:
    talk = [
        f"“The {thing} was empty when I got there,” she said, “and so was the shed beside it.”"
        for thing in ("boat", "yard", "kiln", "safe", "loft", "mill", "dock", "jar", "pit", "inn")
    ]
    beats = [
        f"He {did}."
        for did in (
            "sat",
            "rose",
            "coughed",
            "paid",
            "bowed",
            "waited",
            "left",
            "slept",
            "ate",
            "ran",
        )
    ]
    opening = chapter("en").split("\n\n")[:7]
    text = "\n\n".join([*opening, *(p for pair in zip(talk, beats, strict=True) for p in pair)])
    assert len(found("short-paragraph", text)) == 10
    tics = patterns(read(text, load_pack("en")))
    assert "short-paragraph" not in [tic.words for tic in tics]


@pytest.mark.parametrize(
    ("sentence", "is_tail"),
    [
        ("He folded the map, pressing the crease flat with his thumb.", True),
        ("She ran for the tram, laughing at her own shoes.", True),
        ("They went on, slowly lifting the stones one by one.", True),
        ("He gave her a long, searching look.", False),
        ("The drawer held letters, disturbing photographs and a tooth.", False),
        ("Her voice was low, unwavering.", False),
        ("The judge was old, unbending and deaf.", False),
        ("I nodded, understanding.", False),
        ("He was a prince, even in exile, darling of the docks.", False),
    ],
)
def test_a_tail_is_a_participle_that_governs_something(sentence: str, is_tail: bool) -> None:
    assert bool(found("participle", sentence)) is is_tail


def test_a_tag_counts_where_a_manner_hangs_on_it() -> None:
    assert found("tag", "“Go,” she said, her mouth small. “Now,” he said. “No,” I asked, waiting.")
    assert found("tag", "“去吧。”船长说。\n\n“我不去。”老人冷冷地说。", "zh") == []
    tag = next(
        tic
        for tic in patterns(
            read(
                chapter("en", tuple(f"“I {v},” he said, his voice low." for v in "abcdefghijkl")),
                load_pack("en"),
            )
        )
        if tic.words == "tag"
    )
    assert str(in_words(tag)).startswith("A manner hung on the speech tag")


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("zh", "不是水冷了，是炉子灭了。"),
        ("zh", "她不是嫌路远，她嫌路上没有人说话。"),
        ("zh", "不是没有人敲过门。\n\n是敲门的人，都走了。"),
        ("ko", "창고가 아니었다.\n\n무덤이었다."),
        ("en", "It wasn't a lamp.\n\nIt was a window."),
    ],
)
def test_not_this_but_that_in_further_forms(language: str, text: str) -> None:
    assert len(found("contrast", text, language)) == 1


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("zh", "他头一次觉得这笔账可能不是假的，是在一个雨夜。"),
        ("zh", "他不是本地人。\n\n是夜，雨停了。"),
        ("ko", "문지기가 아닌 것을 알았다. 길이 아닌 줄 몰랐다."),
        ("ko", "아무도 내 쪽을 보지 않았다.\n\n돌아섰다."),
        ("ko", "종이에 적힌 말은 여전했다. *길은 밖이 아니라 안으로 난다.* 그는 접어 넣었다."),
    ],
)
def test_what_is_not_denied_for_something_else_is_no_contrast(language: str, text: str) -> None:
    assert found("contrast", text, language) == []


PLACES = {
    "ko": (
        "부두 노동자들",
        ("은 말이 없었다", "이 모였다", "을 불렀다", "은 돌아갔다", "이 웃었다"),
    ),
    "zh": ("那老头", ("走了过来", "笑了一声", "不肯坐下", "把门关上", "又咳嗽起来")),
}


@pytest.mark.parametrize("language", ["ko", "zh"])
def test_who_a_chapter_is_about_is_no_turn_of_phrase(language: str) -> None:
    who, does = PLACES[language]
    stop = "." if language == "ko" else "。"
    sentences = tuple(f"{who}{what}{stop}" for what in does) * 2
    assert not [words for words in turns(sentences, language) if who[:2] in words]


def test_a_run_cut_through_a_word_is_no_turn_of_phrase() -> None:
    sentences = (
        "他望了我一阵。",
        "店主骂了我一句。",
        "风推了我一把。",
        "谁踩了我一脚。",
        "她写了我一页。",
        "他欠了我一年。",
        "老人拦了我一回。",
    )
    assert [words for words in turns(sentences, "zh") if "了我" in words] == []


def test_a_refrain_is_no_habit_and_its_denial_no_instance() -> None:
    text = chapter(
        "ko", tuple(f"{when} 등대가 꺼져 있었다." for when in ("밤마다", "오늘도", "그때", "어제"))
    )
    twice = (
        text
        + "\n\n등대가 꺼져 있었다.\n\n"
        + chapter("ko").split("\n\n")[0]
        + "\n\n"
        + "등대가 꺼져 있었다."
    )
    reading = read(twice, load_pack("ko"))
    assert "등대가 꺼져 있었다" not in [tic.words for tic in patterns(reading)]
    denied = tuple(
        f"{who} 바다를 내다보{how}."
        for who, how in (
            ("노인은", "았다"),
            ("소년은", "았다"),
            ("선장은", "지 않았다"),
            ("아내는", "았다"),
            ("그날은", "았다"),
        )
    )
    assert [words for words in turns(denied, "ko") if "내다보" in words] == []


def test_copied_lines_count_once() -> None:
    line = "He kept a spare key under the pot and let out a breath."
    text = chapter("en").split("\n\n")
    for number in range(6):
        text.insert(1 + number * 3, line)
    assert [
        t.words for t in patterns(read("\n\n".join(text), load_pack("en"))) if not t.is_form
    ] == []


WHO = ("The clerk", "She", "His aunt", "A porter", "Nobody", "I", "They", "We", "The cook", "Ann")
GESTURES = {
    "en": tuple(f"{who} winced." for who in WHO),
    "ko": tuple(
        f"{what} 떨{end}."
        for what, end in (
            ("손이", "렸다"), ("목소리는", "리고 있었다"), ("입술이", "렸다"), ("유리창이", "렸다"),
            ("무릎이", "리는 것 같았다"), ("잔이", "렸다"), ("등불이", "렸다"), ("끈이", "렸다"),
            ("불빛도", "렸다"), ("지붕이", "렸다"), ("어깨가", "렸다"), ("발끝이", "렸다"),
            ("책장이", "렸다"), ("수염이", "렸다"), ("물낯이", "렸다"), ("깃발이", "렸다"),
        )
    ),
    "zh": tuple(f"{who}下意识地退后。" for who in (*"他她它我", "老板", "伙计", "那人", "船工")),
}  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_gesture_again_and_again_is_found(language: Language) -> None:
    tics = patterns(read(chapter(language, GESTURES[language]), load_pack(language)))
    key = {"en": "winced", "ko": "떨렸다", "zh": "下意识"}[language]
    assert [tic for tic in tics if key in tic.words]


SPEAKERS = {
    "en": (
        "“Go back,” said the whisper.", "The whisper came nearer.", "The whisper said no more.",
        "“Wait,” the whisper continued.", "He ran from the whisper.", "It was a whispering reed.",
        "“Here,” said the old whisper.", "He asked it in.", "She whispered too.", "Whisper.",
    ),
    "ko": tuple(
        f"{how} {what}."
        for how, what in zip(
            ("밤마다", "다시", "오늘은", "문득", "끝내", "아직", "어김없이", "거기서") * 2,
            (
                "그 목소리가 말했다", "목소리가 물었다", "그 목소리는 조용히 대답했다",
                "벽 속의 목소리는 웃지 않았다", "그 목소리가 되물었다", "목소리는 가 버렸다",
                "목소리를 따라갔다", "목소리에게 등을 돌렸다",
            ) * 2,
            strict=True,
        )
    ),
    "zh": (
        "那颗心脏说：“走吧。”", "他把心脏放下。", "那颗心脏又问：“你是谁？”", "心脏还在箱子里。",
        "那颗心脏低声说：“不。”", "没人看那颗心脏。", "这颗心脏说：“好。”", "心脏不再开口。",
    ),
}  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_speaks_in_a_chapter_is_no_gesture(language: Language) -> None:
    key = {"en": "whisper", "ko": "목소", "zh": "心脏"}[language]
    tics = patterns(read(chapter(language, SPEAKERS[language]), load_pack(language)))
    assert not [tic for tic in tics if key in tic.words.lower()]


def test_a_quality_hung_on_everything_is_found_and_what_a_chapter_is_of_is_not() -> None:
    nouns = ("light", "gate", "choir", "bread", "horse", "tide", "crown", "stair", "bell", "dust")
    hung = tuple(f"She looked at the spectral {noun}." for noun in nouns)
    tics = patterns(read(chapter("en", hung), load_pack("en")))
    assert "spectral" in [tic.words for tic in tics]
    like_a_thing = tuple(words.replace("spectral", "silvery") for words in hung)
    tics = patterns(read(chapter("en", like_a_thing), load_pack("en")))
    assert "silvery" in [tic.words for tic in tics]
    subject = tuple(f"She came to the hospital {when}." for when in nouns[:1]) + tuple(
        f"The hospital {did}." for did in ("was full", "had burned", "closed", "was poor", "stood")
    )
    tics = patterns(read(chapter("en", subject * 2), load_pack("en")))
    assert [tic for tic in tics if "hospital" in tic.words] == []


LOOP = {
    "en": "The barge had no crew. The barge had no lamp. It came on against the stream at noon.",
    "ko": "배에는 사공이 없었다. 등불도 보이지 않았다. 그런데도 한낮에 물을 거슬러 올라왔다.",
    "zh": "那条船上没有船夫，也没有人点灯。它逆着水，正午时分自己开了上来。岸上的人谁都没有出声。",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_passage_that_stands_again_word_for_word_is_counsel(language: Language) -> None:
    paragraphs = chapter(language).split("\n\n")
    joint = "" if language == "zh" else " "
    paragraphs[1] += joint + LOOP[language]
    once = check_text("\n\n".join(paragraphs), language)
    assert once.advice == ()
    paragraphs[-1] += joint + LOOP[language]
    report = check_text("\n\n".join(paragraphs), language)
    assert [counsel.kind for counsel in report.advice] == ["advice"]
    assert LOOP[language][:8] in str(report.advice[0].issue)
    assert report.directives == once.directives


def test_a_serial_has_no_filter_words_pointed_out_where_nobody_judges() -> None:
    text = (
        "그는 비가 온다고 느꼈다. 문이 닫히는 소리가 들렸다. 누군가 서 있는 것이 보였다."
        " 춥다고 생각했다."
    )
    pack = for_form(load_pack("ko"), True)
    reading, measures = read(text, pack), measure(text, pack)
    assert [i.metric for i in issues(reading, measures, judged=True)] == ["filter_word_density"]
    assert issues(reading, measures, judged=False) == []


def test_how_rare_a_turn_is_is_said_by_the_chapter_that_has_most() -> None:
    sentences = tuple(
        f"{who} 고개를 끄덕였다."
        for who in ("노인은", "그는", "선장이", "아이가", "점원이", "아내는")
    )
    tic = next(
        t for t in patterns(read(chapter("ko", sentences), load_pack("ko"))) if "고개" in t.words
    )
    assert "no chapter of the published prose it is compared with has more than" in str(
        in_words(tic)
    )


CONTRASTS = {
    "en": (
        "It was not a road, but the bed of a road.",
        "It wasn't hunger. It was habit.",
        "The lamp was not out; it was shaded.",
        "She came not to stay, but to count the chairs.",
    ),
    "ko": (
        "그것은 길이 아니라 길의 바닥이었다.",
        "배고픔이 아니었다. 버릇이었다.",
        "등불이 아니라 유리였다.",
        "대답이 아니었다. 기침이었다.",
    ),
    "zh": (
        "那不是路，而是路基。",
        "不是饿，是习惯。",
        "那不是灯，而是玻璃。",
        "不是回答，是咳嗽。",
    ),
}


@pytest.mark.parametrize("language", ["ko", swept("en"), swept("zh")])
def test_four_contrasts_are_a_form_in_a_chapter_that_is_mostly_speech(language: Language) -> None:
    few = chapter(language).split("\n\n")[: {"en": 38, "ko": 82, "zh": 72}[language]]
    short = "\n\n".join([*few[:20], *CONTRASTS[language], *few[20:]])
    reading = read(short, load_pack(language))
    assert reading.units < {"en": 600, "ko": 1500, "zh": 1500}[language]
    assert "contrast" in [tic.words for tic in patterns(reading)]
    three = read("\n\n".join([*few, *CONTRASTS[language][:3]]), load_pack(language))
    assert "contrast" not in [tic.words for tic in patterns(three)]


def test_short_paragraphs_are_a_form_of_english_fiction_and_no_habit() -> None:
    things = ("boat", "yard", "kiln", "safe", "loft")
    beats = [
        f"The {thing} was {how}."
        for thing in things
        for how in ("wet", "shut", "low", "ours", "gone")
    ]
    prose = chapter("en").split("\n\n")
    text = "\n\n".join(
        [*(p for pair in zip(prose, beats, strict=False) for p in pair), *prose[25:70]]
    )
    assert len(found("short-paragraph", text)) >= 25
    assert "short-paragraph" not in [tic.words for tic in patterns(read(text, load_pack("en")))]


def test_the_third_of_a_row_is_a_thing_and_no_turn_of_phrase() -> None:
    things = (
        "원을 보았다",
        "줄에 섰다",
        "집이 탔다",
        "잔은 비었다",
        "문을 열었다",
        "배가 떴다",
        "칸에 탔다",
        "별이 졌다",
        "줄은 끊겼다",
        "날에 떠났다",
    )
    third = tuple(f"세 번째 {thing}." for thing in things)
    assert not [words for words in turns(third, "ko") if "번째" in words]


def test_what_somebody_thinks_in_quotation_marks_is_what_the_chapter_is_of() -> None:
    prose = tuple(
        f"{when} 불을 놓았다." for when in ("그날", "밤에", "혼자", "끝내", "또다시", "새벽에")
    )
    assert [words for words in turns(prose, "ko") if "놓았다" in words]
    thought = ("‘내가 불을 놓았다고?’", "‘정말 불을 놓았어.’", "‘불을 놓았구나.’")
    assert not [words for words in turns((*prose, *thought), "ko") if "놓았다" in words]


def test_a_doubled_word_that_opens_the_clauses_is_whom_they_are_about() -> None:
    does = ("笑了", "走到窗前", "没说话", "接过伞", "看了看表", "又坐下") * 2
    called = patterns(read(chapter("zh", tuple(f"微微{w}。" for w in does)), load_pack("zh")))
    assert not [tic for tic in called if "微微" in tic.words]
    manner = tuple(
        f"{who}微微{w}。"
        for who in ("肩膀", "船身")
        for w in ("一动", "发抖", "一沉", "斜着", "颤着", "隆起")
    )
    tics = patterns(read(chapter("zh", manner), load_pack("zh")))
    assert [tic for tic in tics if "微微" in tic.words]


def test_a_reflex_that_stands_as_a_paragraph_each_time_is_no_refrain() -> None:
    nods = ["도윤은 고개를 끄덕였다.", "민서가 고개를 끄덕였다."] * 4
    tics = patterns(read(spread("ko", nods), load_pack("ko")))
    assert [tic for tic in tics if "끄덕" in tic.words]


def test_the_voices_and_halts_of_a_korean_chapter_are_what_happens() -> None:
    kinds = ["낮은", "마른", "젖은", "늙은", "먼", "굵은", "작은", "쉰", "찬", "흰", "검은", "푸른"]
    voices = tuple(f"{kind} 목소리였다." for kind in kinds)
    whose = ["발이", "손이", "말이", "수레가", "비가", "시계가", "숨이", "노가", "물이", "차가"]
    halts = tuple(f"{one} 멈추었다." for one in whose)
    for sentences, word in ((voices, "목소"), (halts, "멈추")):
        tics = patterns(read(chapter("ko", sentences), load_pack("ko")))
        assert not any(word in tic.words for tic in tics)


def test_a_korean_ending_of_two_words_is_no_turn_of_phrase() -> None:
    what = ("열", "닫을", "볼", "살", "팔", "쓸", "잴", "걸", "맬", "풀", "셀", "낚을")
    able = tuple(f"{one} 수 있었다." for one in what)
    assert turns(able, "ko") == []


def test_a_quality_need_not_look_like_one() -> None:
    nouns = ("light", "gate", "choir", "bread", "horse", "tide", "crown", "stair", "bell", "dust")
    hung = tuple(f"She looked at the quantum {noun}." for noun in nouns)
    tics = patterns(read(chapter("en", hung), load_pack("en")))
    assert "quantum" in [tic.words for tic in tics]


SITES = ("boat", "yard", "kiln", "safe", "loft", "barn", "quay", "mill", "shed", "well")
SAID_OF_WHAT_IS_NOT = {
    "en": tuple(f"No lamp in the {site}." for site in SITES),
    "ko": tuple(
        f"{site}에는 불빛이 없었다."
        for site in [
            "배",
            "뜰",
            "가마",
            "금고",
            "다락",
            "헛간",
            "부두",
            "방앗간",
            "광",
            "우물",
            "창고",
            "마루",
            "선실",
            "종루",
            "골목",
            "다리",
            "시장",
            "등대",
        ]
    ),
    "zh": tuple(
        f"没有人{verb}{site}。"
        for verb in ("去", "看", "问")
        for site in ("船上", "院里", "窑边", "阁楼", "码头", "磨坊")
    ),
}
KINDS = tuple(
    f"She counted the {site}s the way people count a loan, and wrote them in the harbour's book."
    for site in SITES
)
WHY = (
    "hens walked in",
    "who would look",
    "a year of debts",
    "keys were for others",
    "moths got the rest",
    "grain to the beams",
    "his mother's rule",
    "coal was dear",
    "after the bells",
    "the tide had been",
)
COLONS = tuple(f"He left the {site}: {why}." for site, why in zip(SITES, WHY, strict=True)) * 2
GOING_ON = tuple(
    f"{who} {what} 한참 동안 들여다보고 있었다."
    for who in ("노인은", "아이는", "선장은", "점원은", "어부는", "하인은")
    for what in ("장부를", "그물을", "거울을")
)
LIKE = (
    "lay like a dropped hat",
    "groaned as if struck",
    "shone like the sea",
    "sank like a tooth",
    "smelled like an inn",
    "hung as though asleep",
    "rang like a coin",
    "waited like a dog",
    "leaned as if drunk",
    "steamed like a horse",
)
MORE_LIKE = (
    "bent like a reed",
    "sat like an egg",
    "burned like a wick",
    "closed like a fist",
    "swayed as though sung to",
    "dozed like a clerk",
    "gaped like a fish",
    "hummed as if pleased",
    "shook like a leaf",
    "stood like a bill",
)
LIKENESSES = tuple(
    f"The {site} {like}." for site, like in zip(SITES * 2, LIKE + MORE_LIKE, strict=True)
)

HUNG = ("its lamp burning", "its ropes tied in knots", "their hands folded", "its door wide")
PLACES_KO = ("부두에서", "골목에서", "시장에서", "다락에서", "우물가에서", "종루에서")
THINGS_KO = ("장부", "그물", "거울", "등잔")
THINGS_ZH = ("船桨", "门槛", "灯罩", "算盘", "茶壶", "雨伞", "药柜", "账本", "铁钩", "木箱")
DID = ("sang", "slept", "ate", "rowed", "wept", "knelt", "swore", "wrote", "prayed", "drank")
NOT_DONE = ("did not enter", "had not seen", "could not find")
EXACT = ("had one particular smell", "hung at a precise angle", "was named in a specific law")
ECHOED_KO = (*THINGS_KO, "우산", "열쇠", "편지")
HOW_KO = ("짧게", "낮게", "길게")
BODY_ZH = ("喉咙", "指尖", "胸口", "后背", "掌心", "眼眶", "心口", "嘴角", "瞳孔", "指节")
UTTERLY_ZH = ("彻底", "瞬间", "疯狂")
OF_TODAY: list[tuple[Language, str, tuple[str, ...]]] = [
    ("en", "hung-on", tuple(f"They passed the {a}, {h}." for a in SITES[:6] for h in HUNG[:3])),
    ("en", "way", tuple(f"A {SITES[n]} fell the way she {did}." for n, did in enumerate(DID))),
    ("en", "did-not", tuple(f"He {v} the {a}." for a in SITES for v in NOT_DONE)),
    ("en", "something", tuple(f"Something {v} in a {a}." for a in SITES for v in ("fell", "sang"))),
    ("en", "exactly", tuple(f"The {a} {had}." for a in SITES for had in EXACT)),
    ("ko", "likened", tuple(f"노인은 {p} {t}처럼 늙었다." for p in PLACES_KO for t in THINGS_KO)),
    ("ko", "manner", tuple(f"문이 {p} {how} 울었다." for p in PLACES_KO for how in HOW_KO)),
    ("ko", "echo", tuple(f"“{t}는 두게.”\n\n“{t}요?”" for t in ECHOED_KO)),
    ("zh", "voice", tuple(f"“{t}坏了。”老人的声音很轻。" for t in THINGS_ZH)),
    ("zh", "body", tuple(f"他的{b}发紧。" for b in BODY_ZH)),
    ("zh", "suddenly", tuple(f"{t}{how}倒了。" for t in THINGS_ZH[:5] for how in ("忽然", "突然"))),
    ("zh", "utterly", tuple(f"{t}{u}坏了。" for t in THINGS_ZH[:6] for u in UTTERLY_ZH)),
    ("zh", "gloss", tuple(f"这意味着{t}要换。" for t in THINGS_ZH)),
    ("zh", "echo", tuple(f"“把{t}拿来。”\n\n“{t}？”" for t in THINGS_ZH)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("language", "form", "sentences"),
    [
        *OF_TODAY,
        ("en", "negation", SAID_OF_WHAT_IS_NOT["en"]),
        ("ko", "negation", SAID_OF_WHAT_IS_NOT["ko"]),
        ("zh", "negation", SAID_OF_WHAT_IS_NOT["zh"]),
        ("en", "kind", KINDS),
        ("en", "likeness", LIKENESSES),
        ("ko", "going-on", GOING_ON),
    ],
)
def test_forms_that_run_through_a_chapter_are_named(
    language: Language, form: str, sentences: tuple[str, ...]
) -> None:
    assert form not in forms_of(chapter(language), language)
    assert form in forms_of(chapter(language, sentences), language)


@pytest.mark.parametrize(
    ("language", "form", "text"),
    [
        ("en", "hung-on", "He rose, his coat was wet, and the lamp, my aunt said, had gone out."),
        ("en", "way", "She sang all the way home, and on the way there, and by the way she rang."),
        ("ko", "echo", "“등잔을 두고 가게.”\n\n“왜?”\n\n“비가 오니까.”\n\n“그물은?”"),
        ("zh", "echo", "“把灯罩拿来。”\n\n“为什么？”\n\n“天黑了。”\n\n“是吗？”"),
        ("zh", "voice", "远处有钟的声音。\n\n“谁？”她问。"),
        ("zh", "voice", "“谁？”一个沙哑的声音问。\n\n“我。”声音从楼下传来。"),
        ("zh", "body", "她听着孩子的心跳声，把脸贴在他的后背上。"),
        ("zh", "gloss", "那一年雨多。这条路不好走。"),
    ],
)
def test_what_only_looks_like_a_form_of_today(language: str, form: str, text: str) -> None:
    assert found(form, text, language) == []


def test_a_form_and_a_word_that_is_most_of_it_are_named_once() -> None:
    lines = tuple(f"{t}彻底坏了，也彻底没人要。" for t in THINGS_ZH)
    tics = patterns(read(chapter("zh", lines), load_pack("zh")))
    assert [tic.words for tic in tics if tic.is_word or tic.words == "utterly"] == ["彻底"]


def test_the_likenesses_of_whoever_tells_a_korean_chapter_are_a_voice() -> None:
    [lines] = [row[2] for row in OF_TODAY if row[1] == "likened"]
    text = "\n\n".join(
        f"나는 늙었다. {line.replace('노인은', '나는')} 나는 앉았다." for line in lines * 3
    )
    assert "likened" not in forms_of(text, "ko")
    assert "likened" in forms_of(text.replace("나는", "그는"), "ko")


def test_a_camera_and_a_statue_are_no_likeness() -> None:
    text = "摄像头亮着。塑像前有灯。他的手像一把旧伞。"
    assert found("likeness", text, "zh") == ["像"]
    assert found("likeness", "这孩子不像他爹。", "zh") == []


@pytest.mark.parametrize(("who", "is_shown"), [("我", False), ("她", True)])
def test_the_likenesses_of_whoever_tells_a_chinese_chapter_are_a_voice(
    who: str, is_shown: bool
) -> None:
    what = "船墙灯门雨狗绳碗钟桥"
    lines = tuple(f"{who}{did}那{one}像{two}。" for did in "看摸闻" for one, two in zip(
        what, what[3:] + what[:3], strict=True))  # fmt: skip
    text = "\n\n".join(
        f"{line}{who}把账本放下，{who}又去关窗，街上没有一个人走过。" for line in lines * 2
    )
    tics = patterns(read(text, load_pack("zh")))
    assert ("likeness" in [tic.words for tic in tics]) is is_shown


def test_colons_and_two_denials_are_measured_and_no_reader_has_asked_for_fewer() -> None:
    pairs = tuple(f"No lamp in the {site}, no fire in the grate." for site in SITES) * 2
    for form, sentences in (("colon", COLONS), ("denial", pairs)):
        text = chapter("en", sentences)
        assert len(found(form, text)) >= 10
        assert form not in forms_of(text, "en")


def test_what_is_left_to_do_is_no_denial() -> None:
    who = ("노인은", "아이는", "선장은", "점원은", "아내는", "의사는")
    only = tuple(f"{one} {what} 수밖에 없었다." for one in who for what in ("갈", "설"))
    assert "negation" not in forms_of(chapter("ko", only), "ko")


def forms_of(text: str, language: Language, **more: Collection[str]) -> list[str]:
    return [tic.words for tic in patterns(read(text, load_pack(language)), **more)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_of_a_few_words_are_named_and_are_none_beside_speech(language: Language) -> None:
    chopped = spread(language, [*CLIPPED[language]])
    assert "clipped" in forms_of(chopped, language)
    spoken = [f"“…” {words}" for words in CLIPPED[language]]
    assert "clipped" not in forms_of(spread(language, spoken), language)
    assert "clipped" not in forms_of(chopped, language, leave_out=("clipped",))


OF_ITS = ("last", "first", "next", "old", "young", "poor", "dead", "rich", "lame", "deaf")


@pytest.mark.parametrize("is_broken", [True, False])
def test_the_end_of_a_line_that_was_broken_is_no_sentence_of_a_few_words(is_broken: bool) -> None:
    lines = [
        words
        for noun in ("owner", "clerk", "pilot", "nurse")
        for site, its in zip(SITES, OF_ITS, strict=True)
        for words in (
            f"He looked for a long time at the {site} and its",
            f"{its if is_broken else its.title()} {noun}. Then the rain came down hard.",
        )
    ]
    is_clipped = "clipped" in forms_of("\n\n".join([chapter("en"), *lines]), "en")
    assert is_clipped != is_broken


def test_clipped_sentences_that_are_short_paragraphs_are_said_once() -> None:
    beats = [
        f"{who}{what}。"
        for who in "灯门风雨船狗猫鸟马牛羊鸡鼓钟"
        for what in ("停了", "来了", "响了", "远了")
    ]
    line = "老人放下了最后一块银元。风从河上来，吹灭了灯。"
    words = forms_of("\n\n".join(text for beat in beats for text in (beat, line)), "zh")
    assert "short-paragraph" in words
    assert "clipped" not in words


def test_a_colon_in_code_is_a_machines() -> None:
    lines = tuple(f"The screen said `route: {site}, open: no`, and he read it." for site in SITES)
    assert "colon" not in forms_of(chapter("en", lines), "en")


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("zh", "（第十二章完）"),
        ("zh", "**下一章预告：《第八章 收获》**"),
        ("en", "*End of Chapter 12.*"),
        ("ko", "*계속...*"),
        ("ko", "(12화 끝)"),
        ("zh", "*未完待续*"),
        ("zh", "【第四卷·完】"),
        ("zh", "（全文完）"),
        ("ko", "선작,추천 감사합니다."),
        ("en", "TLN: The word means a bell and a tree."),
        ("zh", "求月票，求收藏！"),
    ],
)
def test_a_bare_closing_line_or_a_word_to_readers_is_named_in_the_report_and_no_cut_is_proposed(
    language: Language, line: str
) -> None:
    text = chapter(language) + "\n\n" + line
    report = check_text(text, pack=load_pack(language))
    assert report.metrics["leaked_meta"].value == 1
    assert "cut" not in [directive.type.value for directive in report.directives]


def test_a_comment_in_code_that_the_story_shows_is_no_note() -> None:
    code = "const value = readLamp();\n\n// the lamp is always lit\n\nreturn value;"
    report = check_text(chapter("en") + "\n\n" + code, pack=load_pack("en"))
    assert "cut" not in [directive.type.value for directive in report.directives]


def test_lines_of_comments_alone_in_code_that_the_story_shows_are_no_notes() -> None:
    code = "```\nreturn value;\n\n// every lamp can fail\n\n// so nothing is lit\n\n```"
    report = check_text(f"{chapter('en')}\n\n{code}\n\nShe laughed.", pack=load_pack("en"))
    assert "cut" not in [directive.type.value for directive in report.directives]


LITANY = "No lamp. No clerk. No cat.\n\nNo bell. No smoke. No key. No ship. No tide. No rope."
ANSWERS_EN = ("No.", "Not now.", "Not many at first.", "Neither of them looked up.")
FACTS_KO = (
    "하지만 {0} 없었다.",
    "비가 와서 {0} 없었다.",
    "{0} 보이지 않았다.",
    "{0} 셀 수 없었다.",
)


@pytest.mark.parametrize(
    ("language", "denials"),
    [
        ("en", (*LITANY.split("\n\n"), *ANSWERS_EN)),
        (
            "ko",
            tuple(fact.format(f"{one}이") for fact in FACTS_KO for one in ("돈", "집", "말", "힘")),
        ),
    ],
)
def test_a_litany_an_answer_and_a_fact_are_no_habit_of_denying(
    language: Language, denials: tuple[str, ...]
) -> None:
    places = found("negation", "\n\n".join(denials), language)
    assert len(places) > 8
    reading = read("\n\n".join(denials), load_pack(language))
    assert len(instances("negation", FORMS["negation"](reading), reading)) == (language == "en")


@pytest.mark.parametrize(
    ("language", "line"),
    [("ko", "가장 오래된 {} 무너졌다."), ("en", "They {}, for the ship had room.")],
)
def test_what_names_the_thing_a_chapter_is_of_is_no_turn_of_phrase(
    language: Language, line: str
) -> None:
    things = {"ko": ("등대가", "다리가", "창고가", "종루가", "성벽이", "우물이"), "en": DID}[
        language
    ]
    turn = "가장 오래된" if language == "ko" else "the ship had"
    named = turns(tuple(line.format(thing) for thing in things * 2), language)
    assert not [words for words in named if turn.startswith(words) or words.startswith(turn)]


def test_denials_in_a_row_are_one_figure() -> None:
    plain = [words for words in paragraphs("en") if not found("negation", words)][:40]
    denials = [
        "No lamp.",
        "No clerk.",
        "No cat.",
        "No bell.",
        "No smoke.",
        "No key.",
        "No ship.",
        "Nothing moved.",
    ]
    alone = list(plain)
    for number, denial in enumerate(denials):
        alone.insert(6 * number, denial)
    for blocks, is_there in (([*plain, " ".join(denials)], False), (alone, True)):
        tics = patterns(read("\n\n".join(blocks), load_pack("en")))
        assert ("negation" in [tic.words for tic in tics]) is is_there


@pytest.mark.parametrize(
    ("sentence", "is_shown"),
    [("He saw the {}.", True), ("The gulls knew the {}.", False), ("He kept the {}.", False)],
)
def test_sentences_that_open_alike_are_shown_where_somebody_acts(
    sentence: str, is_shown: bool
) -> None:
    acts = ("took his hat", "found the lamp", "went down", "lit the stove", "shut the door")
    rows = [
        " ".join(
            f"He {act} at {hour}." if is_shown else sentence.format(f"{act.split()[-1]} at {hour}")
            for act in acts
        )
        for hour in ("six", "seven", "eight", "nine", "ten", "noon", "dusk", "dawn", "one")
    ]
    text = chapter("en", tuple(rows))
    assert ("openings" in [tic.words for tic in patterns(read(text, load_pack("en")))]) is is_shown


def test_an_act_in_two_words_and_whose_a_thing_is_are_no_turns() -> None:
    things = ("lid", "box", "gate", "book", "jar", "trunk", "desk", "note")
    when = ("At six", "Later", "Once", "Twice", "By noon", "At dusk", "Again", "Last")
    acts = tuple(f"{hour} I opened {thing}s." for hour, thing in zip(when, things, strict=True))
    assert not [t for t in patterns(read(chapter("en", acts), load_pack("en"))) if not t.is_form]
    what = ("왔다", "갔다", "울었다", "보았다", "웃었다", "섰다", "졌다", "살았다")
    people = tuple(f"그날 슬럼가의 사람들이 {did}." for did in what)
    tics = patterns(read(chapter("ko", people), load_pack("ko")))
    assert not [tic for tic in tics if "슬럼가" in tic.words]


def test_what_did_not_happen_and_what_it_was_is_no_contrast() -> None:
    plain = tuple(
        f"He did not {what} that day. It was Sunday, and the {thing} slept."
        for what, thing in (("write", "cat"), ("eat", "dog"), ("row", "town"), ("pay", "clerk"),
                            ("sing", "cook"), ("shave", "mate"))
    )  # fmt: skip
    tics = patterns(read(chapter("en", plain), load_pack("en")))
    assert "contrast" not in [tic.words for tic in tics]


def test_a_korean_correction_within_a_sentence_is_a_contrast_where_there_are_seven() -> None:
    plain = tuple(
        f"그것은 {one}이 아니라 {two}이었다."
        for one, two in zip("문봄밥숲산곰돈달", "벽꿈술논섬범쌀별", strict=True)
    )
    for sentences, is_shown in ((plain[:5], False), (plain, True)):
        tics = patterns(read(chapter("ko", sentences), load_pack("ko")))
        assert ("contrast" in [tic.words for tic in tics]) is is_shown


def test_a_chinese_chapter_told_in_lines_has_no_short_paragraphs_too_many() -> None:
    beats = [
        f"{who}{what}。" for who in "灯门风雨船狗" for what in ("停了", "来了", "响了", "旧了")
    ]
    line = "老人放下了最后一块银元。"
    for lines, is_shown in (([line] * 90, False), ([line * 2] * 40, True)):
        blocks = [text for pair in zip(beats, lines, strict=False) for text in pair] + lines[24:]
        tics = patterns(read("\n\n".join(blocks), load_pack("zh")))
        assert ("short-paragraph" in [tic.words for tic in tics]) is is_shown


def test_a_korean_chapter_told_in_lines_has_no_short_ones_too_many() -> None:
    beats = [f"{who} {did}." for who in ("배가", "불이", "문이", "길이", "비가", "별이", "물이")
             for did in ("왔다", "갔다", "울었다", "멎었다", "떴다", "들었다")]  # fmt: skip
    line = "늙은 사공은 평생 나르던 마대를 내려놓고 마지막 은화를 창구에 올렸다."
    for rest, is_shown in ((line, False), (f"{line} {line}", True)):
        blocks = [text for beat in beats for text in (beat, rest)]
        tics = {tic.words for tic in patterns(read("\n\n".join(blocks), load_pack("ko")))}
        assert bool({"short-paragraph", "clipped"} & tics) is is_shown


@pytest.mark.parametrize(
    ("behind", "is_shown"),
    [("{} walked to the pier.", False), ("The ferry turned round.", False), ("Wet rope.", True)],
)
def test_somebodys_act_behind_a_denial_is_not_what_a_thing_is(behind: str, is_shown: bool) -> None:
    things = ("fog", "oil", "ash", "wine", "tar", "salt", "rust", "chalk")
    people = ("Orsolo", "Mabel", "Tobias", "Agnes", "Cuthbert", "Ines", "Ada", "Ruth")
    lines = [
        f"Not the {one}.\n\n{behind.format(who)}" for one, who in zip(things, people, strict=True)
    ]
    text = spread("en", lines)
    assert len(found("contrast", text)) >= len(lines)
    tics = patterns(read(text, load_pack("en")))
    assert ("contrast" in [tic.words for tic in tics]) is is_shown


def test_dashes_are_counted_in_prose_alone() -> None:
    assert not found("dash", "He sat.\n\n—\n\nShe rose.\n\n**Day 3 — Noon**\n\nRain fell.")
    assert found("dash", "He sat—for once—and was still.") == ["—", "—"]


def test_a_chapter_of_dashes_is_told_so_by_what_fiction_of_today_has() -> None:
    plain = [words for words in paragraphs("en") if not found("dash", words)][:30]
    few, many = (
        [f"{words} The {n} tide—or so he said—was late." if n < most else words
         for n, words in enumerate(plain)]
        for most in (2, 20)
    )  # fmt: skip
    for blocks, is_there in ((few, False), (many, True)):
        tics = patterns(read("\n\n".join(blocks), load_pack("en")))
        assert ("dash" in [tic.words for tic in tics]) is is_there


@pytest.mark.parametrize(
    ("word", "is_there"),
    [("spectral", True), *((w, False) for w in ("elvish", "royal", "golden", "digital", "border"))],
)
def test_what_a_thing_is_made_of_or_whose_it_is_is_no_quality(word: str, is_there: bool) -> None:
    nouns = ("king", "camp", "gate", "wall", "sword", "song", "bread", "road", "boat", "coat")
    hung = tuple(f"He looked at the {word} {noun}." for noun in nouns)
    tics = patterns(read(chapter("en", hung), load_pack("en")))
    assert any(tic.is_word and word in tic.words for tic in tics) is is_there


def test_a_name_that_begins_with_not_is_no_denial() -> None:
    assert not found("denial", "不二说话了，不二笑了。山风很大。", "zh")
    assert found("denial", "他不说话，不动，不看。", "zh")
    assert found("denial", "没有风，没有鸟。", "zh")


def test_two_turns_that_take_turns_are_a_form_that_is_meant() -> None:
    who = ("첫째", "둘째", "셋째", "넷째", "다섯째", "여섯째", "일곱째", "여덟째")
    whose = ("형", "딸", "벗", "왕", "종", "배", "절", "마을")
    one = [
        f"{name} 집은 {what} 때문에 막기 위해 찬성했다."
        for name, what in zip(who, whose, strict=True)
    ]
    two = [
        f"{what} 서명은 {name} 도장을 대신하지 못했다."
        for name, what in zip(who, whose, strict=True)
    ]
    both = tuple(words for pair in zip(one, two, strict=True) for words in pair)
    for sentences, is_there in ((tuple(two), True), (both, False)):
        tics = patterns(read(chapter("ko", sentences), load_pack("ko")))
        assert any("대신하지" in tic.words for tic in tics) is is_there


def test_a_phrase_longer_than_four_words_is_one_turn_and_no_form_that_is_meant() -> None:
    who = ("The mechanic", "Her aunt", "Nobody", "The old dog", "A clerk", "The porter", "Ada")
    when = ("and left", "again", "at six", "before supper", "for luck", "once more", "at noon")
    sentences = tuple(
        f"{name} let out a breath and looked down at the floor {hour}."
        for name, hour in zip(who, when, strict=True)
    )
    tics = patterns(read(chapter("en", sentences), load_pack("en")))
    assert ["let out a breath and looked down" in tic.words for tic in tics] == [True]


def test_a_quality_of_one_figure_is_whom_the_chapter_is_of() -> None:
    what = [
        "figure",
        "figures",
        "figure",
        "figure",
        "mane",
        "skin",
        "shape",
        "beast",
        "god",
        "haze",
    ]
    whose = ["a", "some", "one", "the", "that", "his", "her", "my", "their", "its"]
    did = ["rose", "sat", "went", "turned", "fell", "burned", "held", "slept", "stood", "spread"]
    of = tuple(
        f"Once more, {one} spectral {noun} {act}."
        for one, noun, act in zip(whose, what, did, strict=True)
    )
    tics = patterns(read(chapter("en", of), load_pack("en")))
    assert "spectral" not in [tic.words for tic in tics]


def test_what_one_is_called_and_acts_as_is_who_a_chapter_is_about() -> None:
    forms = ["로서", "는", "라는", "로서의", "와", "는", "라는", "라는"]
    ends = [
        "서있었다",
        "살았다",
        "말이었다",
        "몫이었다",
        "걸었다",
        "웃었다",
        "자리였다",
        "이름이었다",
    ]
    when = ["낮", "밤", "봄", "가을", "겨울", "새벽", "장날", "보름"]
    of = tuple(
        f"{day}에 그 시간의 수호자{form} {end}."
        for day, form, end in zip(when, forms, ends, strict=True)
    )
    assert not [words for words in turns(of, "ko") if "수호자" in words]


def test_messages_under_labels_are_not_told_in_short_sentences() -> None:
    lines = "지금 열어.\n\n여긴 춥다.\n\n빨리 와.\n\n문이 없어."
    talk = [f"[{who}]\n\n{lines}" for who in ("JIA", "MINA", "CLAIRE", "GROK") * 6]
    bare = [block.partition("\n\n")[2] for block in talk]
    for blocks, is_there in ((talk, False), (bare, True)):
        tics = patterns(read(spread("ko", blocks), load_pack("ko")))
        assert bool({"clipped", "short-paragraph"} & {tic.words for tic in tics}) is is_there


def test_a_book_is_held_to_what_fiction_of_today_has_as_a_chapter_is() -> None:
    clipped = "A lamp burned. Cold. He sat."
    few, many = [
        {
            n: read("\n\n".join([chapter("en"), *[clipped] * times]), load_pack("en"))
            for n in (1, 2, 3)
        }
        for times in (5, 40)
    ]
    assert "clipped" not in [tic.words for tic in book_patterns(few)]
    assert "clipped" in [tic.words for tic in book_patterns(many)]


# req: K3
def test_no_paragraph_of_a_few_words_counts_against_a_whole_serial() -> None:
    beats = [f"{who}{what}。" for who in "灯门风雨船狗" for what in ("停了", "来了", "响了")]
    episode = "\n\n".join([chapter("zh"), *beats * 2])

    def forms_of_book(is_serial: bool) -> set[str]:
        pack = for_form(load_pack("zh"), is_serial)
        tics = book_patterns({number: read(episode, pack) for number in (1, 2, 3)})
        return {tic.words for tic in tics} & FORMS_OF_A_SERIAL

    assert forms_of_book(is_serial=False)
    assert not forms_of_book(is_serial=True)
