"""Words that a chapter is overgrown with though each is one alone: a body that answers everything,
a word that makes everything more than it is, the verb of a speech tag."""

from __future__ import annotations

import pytest

from studio.i18n import Language
from studio.text.language.packs import load_pack
from studio.text.oracle.patterns import Pattern, patterns
from studio.text.prose.parse import read
from tests.text.tics import chapter

THINGS_ZH = ("船桨", "门槛", "灯罩", "算盘", "茶壶", "雨伞", "药柜", "账本", "铁钩", "木箱",
             "麻绳", "瓦罐", "竹篮", "水缸")  # fmt: skip
QUALITIES_ZH = ("沉重", "光滑", "陈旧", "笨拙", "精巧", "干净", "简陋", "结实")
HEARTS = (
    "老会计的心脏猛地一跳。",
    "她的心跳快得像算盘。",
    "伙计心口发紧。",
    "船工的心脏几乎停住。",
    "他听见自己的心跳。",
    "那人心口一热。",
    "账房先生的心脏缩成一团。",
    "寡妇的心跳乱了。",
)
NOUNS = ("kettle", "gate", "choir", "bread", "horse", "tide", "crown", "stair", "bell", "rope")
VERBS = (
    "creaked",
    "sank",
    "rusted",
    "rang",
    "burned",
    "spilled",
    "rotted",
    "tilted",
    "shrank",
    "broke",
)
WHO_KO = ("사공이", "약사가", "노파가", "목수가", "점원이", "반장이", "차장이", "화가가", "기사가",
          "이장이", "역장이", "선장이", "서기가", "교장이")  # fmt: skip
EXACTLY = (
    "정확히 못을 박았다",
    "배를 정확하게 댔다",
    "정확한 값을 불렀다",
    "정확히 멈췄다",
    "꽤 정확했다",
    "정확하게 반을 잘랐다",
    "정확히 다 맞췄다",
    "정확한 줄을 그었다",
)
HABITS: list[tuple[Language, str, tuple[str, ...]]] = [
    ("zh", "极其", tuple(f"{t}极其{q}。" for t, q in zip(THINGS_ZH, QUALITIES_ZH, strict=False))),
    ("zh", "心", HEARTS),
    ("zh", "一丝", tuple(f"{thing}上有一丝凉意。" for thing in THINGS_ZH)),
    ("zh", "感受到", tuple(f"她感受到{thing}的分量。" for thing in THINGS_ZH[:8])),
    ("zh", "有人", tuple(f"有人搬走{thing}。" for thing in THINGS_ZH)),
    ("zh", "彻底", tuple(f"{thing}彻底坏了，也完全没人要。" for thing in THINGS_ZH)),
    ("zh", "眼神", tuple(f"{thing}旁的老人眼神一暗，孩子眼底一亮。" for thing in THINGS_ZH)),
    ("zh", "想起", tuple(f"她想起{thing}。" for thing in THINGS_ZH)),
    ("zh", "骤然", tuple(f"{thing}骤然倒下。" for thing in THINGS_ZH[:8])),
    (
        "en",
        "utterly",
        tuple(
            f"The {noun} {VERBS[n - turn]} {word}."
            for turn, word in enumerate(("utterly", "completely", "totally"))
            for n, noun in enumerate(NOUNS)
        ),
    ),
    ("en", "immediately", tuple(f"The {noun} fell immediately." for noun in NOUNS)),
    (
        "en",
        "rather",
        tuple(
            f"“The {noun} rather than that.” He took a {noun} rather than {NOUNS[n - by]}s."
            for by in (1, 3)
            for n, noun in enumerate(NOUNS)
        ),
    ),
    ("en", "fiery", tuple(f"She looked at the fiery {noun}." for noun in NOUNS)),
    ("ko", "정확", tuple(f"{who} {did}." for who, did in zip(WHO_KO, EXACTLY, strict=False))),
]


def gestures(language: Language, sentences: tuple[str, ...]) -> list[Pattern]:
    reading = read(chapter(language, sentences), load_pack(language))
    return [tic for tic in patterns(reading) if tic.is_word]


@pytest.mark.parametrize(("language", "word", "sentences"), HABITS)
def test_a_word_that_everything_is_hung_with_is_found(
    language: Language, word: str, sentences: tuple[str, ...]
) -> None:
    assert [tic for tic in gestures(language, sentences) if word in tic.words]


def test_several_words_of_one_gesture_are_all_named() -> None:
    [sentences] = [row[2] for row in HABITS if row[1] == "utterly"]
    [tic] = gestures("en", sentences)
    assert {*tic.words.split(", ")} == {"utterly", "completely", "totally"}
    assert len(tic.places) == len(sentences)


def test_the_silence_that_a_korean_chapter_is_of_is_no_gesture() -> None:
    assert gestures("ko", tuple(f"{who} 침묵을 지켰다." for who in WHO_KO)) == []


def test_a_word_that_every_writer_needs_is_a_habit_only_where_it_is_everywhere() -> None:
    [sentences] = [row[2] for row in HABITS if row[1] == "有人"]
    assert gestures("zh", sentences[:7]) == []


def test_one_chinese_gesture_is_counted_once_though_two_of_its_words_are_in_it() -> None:
    who = ("老板", "伙计", "船工", "账房先生", "寡妇", "门房", "裁缝", "药师", "木匠", "更夫",
           "挑夫", "店主", "石匠", "渔夫")  # fmt: skip
    did = ("点了点头", "点头", "连连点头", "只管点头", "点头称是")
    nods = tuple(f"{one}{did[n % len(did)]}。" for n, one in enumerate(who))
    [nod] = gestures("zh", nods)
    text = chapter("zh", nods)
    assert len(nod.places) == text.count("点头")
