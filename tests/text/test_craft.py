"""A craft rule that an author's own sample breaks is none for her (WRITING 1.6)."""

from __future__ import annotations

import re

import pytest

from studio.i18n import Language
from studio.story.review.directive import DirectiveType
from studio.text.craft import craft_of, without_examples
from studio.text.language.packs import LanguagePack, for_form, load_pack
from tests.pipeline.scenes import SCENES

BREAKS: dict[Language, dict[str, str]] = {
    "en": {
        "No dash": "It was late—later than he had meant—and the boat was gone.",
        "felt": "She felt the cold of the rail. She noticed that the lamp was out.",
        "a third is there": "He was tired, hungry and afraid, and he went on up the stairs.",
        "participle": "She shut the drawer, letting the sound fill the room.",
        "quotation marks": "—Where is he? she said.\n\n—Gone, said Joss.",
        "suddenly": "It was very late and very cold.",
        "not this but that": "It was not anger, it was grief. It was not the sea but the wind.",
    },
    "ko": {
        "‘그녀’": "그녀는 문을 닫았다. 그는 오래 서 있었다.",
        "고 있었다": "노인은 비를 보고 있었다. 개가 짖고 있었다.",
        "갑자기": "갑자기 문이 열렸다. 문득 어머니가 생각났다.",
        "작은따옴표": "‘늦었구나.’ 서윤은 뛰었다. ‘뛰어야 해.’",
        "큰따옴표": "「문을 닫아라.」 노인이 말했다.",
    },
    "zh": {
        "破折号": "他来了——很晚了——门已经关上。",
        "“被”": "灯被他点亮了，门被风吹开。",
        "一长串": "他那件旧的蓝色的洗白的褂子还挂着。",
        "突然": "突然下起雨来，街上忽然空了。",
        "翻译腔：": "他的旧的灰色的破的帽子。",
    },
}
PLAIN: dict[Language, str] = {
    "en": "The boat was gone. Mara sat on the steps until the bell rang. Nobody came.",
    "ko": "배는 떠나고 없었다. 서윤은 종이 울릴 때까지 계단에 앉았다.",
    "zh": "船走了。沈禾坐在台阶上，坐到钟响。没有人来。",
}


def rule_of(pack: LanguagePack, words: str) -> str:
    """The rule that holds these words."""
    return next(rule.text for rule in pack.craft if words in rule.text)


# req: J1
@pytest.mark.parametrize(
    ("language", "words"), [(lang, words) for lang, rows in BREAKS.items() for words in rows]
)
def test_a_rule_that_the_sample_breaks_is_left_out_and_no_other(
    language: Language, words: str
) -> None:
    pack = load_pack(language)
    left = craft_of(pack, [BREAKS[language][words]]).splitlines()
    rule = rule_of(pack, words)
    assert rule not in left
    assert len(left) >= len(pack.craft) - 3, "the rest holds"
    assert craft_of(pack, [PLAIN[language]]).splitlines() == [r.text for r in pack.craft]
    assert craft_of(pack, []).splitlines() == [r.text for r in pack.craft]


def test_a_slip_in_a_long_sample_takes_no_rule_away() -> None:
    pack = load_pack("en")
    long = "\n\n".join(text for scene in SCENES.values() for text in scene)
    assert rule_of(pack, "No dash") in craft_of(pack, [f"{long} It was late—too late."])


def test_traditional_characters_break_the_same_rules() -> None:
    pack = load_pack("zh")
    assert rule_of(pack, "“被”") not in craft_of(pack, ["門被風吹開，燈被他點亮。"])
    assert rule_of(pack, "“当") not in craft_of(pack, ["當他推開門的時候，雨已經停了。"])


@pytest.mark.parametrize("language", ["en", "ko", "zh"])
def test_every_rule_with_a_pattern_finds_its_own_bad_example(language: Language) -> None:
    pack = load_pack(language)
    marks = {"en": ("Before: ", " After:"), "ko": ("전: ", " → 후:"), "zh": ("前：", "→ 后：")}
    begin, end = marks[language]
    for rule in pack.craft:
        if begin in rule.text and (rule.pattern or rule.metric):
            bad = rule.text.split(begin)[1].split(end)[0].replace(" / ", "\n\n")
            assert rule.text not in craft_of(pack, [bad]), bad


# req: J1
@pytest.mark.parametrize("language", ["en", "ko", "zh"])
@pytest.mark.parametrize("is_serial", [False, True])
def test_a_rewrite_is_told_the_rules_of_its_kind_and_no_other(
    language: Language, is_serial: bool
) -> None:
    pack = for_form(load_pack(language), is_serial)
    rules = pack.serial_craft if is_serial else pack.craft
    by_code = {"proofreading", "cut", "fact-correction"}
    for kind in DirectiveType:
        own = craft_of(pack, [], kind=kind).splitlines()
        assert own == [rule.text for rule in rules if kind in rule.types]
        assert bool(own) == (kind not in by_code), kind
        assert len(own) < 0.7 * len(rules), kind
    for rule in rules:
        assert bool(rule.types) != rule.is_of_a_chapter, rule.text


LONG_PARAGRAPHS: dict[Language, str] = {
    "en": "She came in. She put on the light. She put down her bag. She waited. Nobody came.",
    "ko": "그는 들어왔다. 불을 켰다. 가방을 내려놓았다. 기다렸다. 아무도 오지 않았다.",
    "zh": "她进了屋。开了灯。放下包。等着。没有人来。",
}
PARAGRAPHS = {"en": "One or two sentences a", "ko": "한 문단에 한두", "zh": "一段一两句"}


@pytest.mark.parametrize("language", ["en", "ko", "zh"])
def test_a_serial_told_in_long_paragraphs_is_told_nothing_against_them(language: Language) -> None:
    pack = for_form(load_pack(language), is_serial=True)
    long = LONG_PARAGRAPHS[language]
    short = re.sub(r"(?<=[.。]) ?", "\n\n", long)
    assert PARAGRAPHS[language] in craft_of(pack, [short])
    assert PARAGRAPHS[language] not in craft_of(pack, [long])


EXAMPLES: dict[Language, tuple[str, str]] = {
    "en": ("Before: ", " After: "),
    "ko": ("전: ", " → 후: "),
    "zh": ("前：", "→ 后："),
}


# req: K3
@pytest.mark.parametrize("language", ["en", "ko", "zh"])
@pytest.mark.parametrize("is_serial", [False, True])
def test_every_rule_has_a_before_and_an_after_that_breaks_no_rule_of_its_page(
    language: Language, is_serial: bool
) -> None:
    pack = for_form(load_pack(language), is_serial)
    begin, end = EXAMPLES[language]
    whole = craft_of(pack, [])
    for rule in whole.splitlines():
        assert begin in rule, rule
        before, _, after = rule.rpartition(begin)[2].partition(end)
        assert before, rule
        written = after.replace(" / ", "\n\n").replace("／", "\n\n")
        left = craft_of(pack, [written])
        assert left == whole, (after, set(whole.splitlines()) - set(left.splitlines()))


# req: K3
@pytest.mark.parametrize(
    ("language", "thought", "hooks"),
    [
        ("en", "single quotation", "last five"),
        ("ko", "작은따옴표", "절단신공"),
        ("zh", "单引号", "章末钩子"),
    ],
)
def test_a_serial_has_rules_of_its_own(language: Language, thought: str, hooks: str) -> None:
    pack = load_pack(language)
    serial, literary = (craft_of(for_form(pack, one), []).splitlines() for one in (True, False))
    assert any(hooks in rule for rule in serial)
    assert not any(hooks in rule for rule in literary)
    assert [rule for rule in serial if thought in rule and rule in literary] == []
    assert len(set(serial) & set(literary)) > 8, "what is the language's holds in both"


ABOUT: dict[Language, tuple[str, ...]] = {
    "en": (
        *("first three lines", "Never sum up", "one question open", "had to swallow"),
        *("last five lines", "status window", "A sound has a line", "in single quotation"),
    ),
    "ko": (
        *("첫 세 줄", "앞 화를 간추리지", "물음 하나를 끝까지", "고구마를 먹였으면"),
        *("마지막 다섯 줄", "상태창은", "의성어는", "속생각은 작은따옴표로 써도"),
    ),
    "zh": (
        *("开头三行", "不写前情提要", "留一个问题到底", "爽点"),
        *("最后五行", "系统面板", "拟声词", "心里话可以放进单引号"),
    ),
}
"""What a serial lives by, each the matter of one rule of its page."""


# req: K3
@pytest.mark.parametrize("language", ABOUT)
def test_a_serials_page_is_about_what_a_serial_lives_by_and_no_books_page_is(
    language: Language,
) -> None:
    pack = load_pack(language)
    serial, literary = (craft_of(for_form(pack, one), []).splitlines() for one in (True, False))
    for words in ABOUT[language]:
        assert sum(words in rule for rule in serial) == 1, words
        assert not any(words in rule for rule in literary), words


@pytest.mark.parametrize(
    ("language", "names"),
    [
        ("ko", r"도윤|도진|서준|민준|지호|하준|서연|지우|민지|수현|지훈|현우|태오|윤재"),
        ("zh", r"林[舟岸晚渊]|沈[禾舟]|苏晚|顾[沉言]|陆[沉渊]|江[临晚]|叶[辰凡]|萧炎"),
    ],
)
def test_no_example_of_a_craft_page_has_a_name_that_a_novel_may_have(
    language: Language, names: str
) -> None:
    """A name in an example that is the hero's as well brings the example's facts with it."""
    pack = load_pack(language)
    for rule in (*pack.craft, *pack.serial_craft):
        assert not re.search(names, str(rule)), rule


@pytest.mark.parametrize("language", ["en", "ko", "zh"])
@pytest.mark.parametrize("is_serial", [False, True])
def test_rules_without_examples_are_the_same_rules(language: Language, is_serial: bool) -> None:
    whole = craft_of(for_form(load_pack(language), is_serial), [])
    rules = without_examples(whole)
    begin, _ = EXAMPLES[language]
    assert begin not in rules
    for bare, rule in zip(rules.splitlines(), whole.splitlines(), strict=True):
        assert rule.startswith(bare), rule
        assert bare[-1] in ".。", bare
    assert len(rules) < 0.6 * len(whole)


HERS = {
    "en": [
        ({"sentence_rhythm": "Long paragraphs, a page each."}, "One or two sentences a paragraph"),
        ({"avoid": ("Cliffhangers.",)}, "The last five lines break off"),
        ({"dialogue": "Without quotation marks."}, "Speech stands in quotation marks"),
    ],
    "ko": [
        ({"sentence_rhythm": "긴 문단을 쓴다."}, "한 문단에 한두 문장"),
        ({"avoid": ("절단신공",)}, "마지막 다섯 줄은"),
        ({"dialogue": "따옴표 없이 줄표로 대화를 연다."}, "대화는 큰따옴표로"),
    ],
    "zh": [
        ({"sentence_rhythm": "长段落，一气到底。"}, "一段一两句"),
        ({"avoid": ("断章",)}, "最后五行停在"),
        ({"dialogue": "不用引号。"}, "对话用引号"),
    ],
}


@pytest.mark.parametrize("language", HERS)
def test_a_rule_of_a_serial_against_which_her_own_profile_speaks_is_left_out(
    language: str,
) -> None:  # req: J2
    from studio.story.novel import StyleProfile

    pack = for_form(load_pack(language), is_serial=True)
    for words, rule in HERS[language]:
        assert rule in craft_of(pack, [])
        assert rule not in craft_of(pack, [], profile=StyleProfile.model_validate(words))
    other = {"avoid": ("Long paragraphs", "긴 문단", "长段")}
    assert craft_of(pack, [], profile=StyleProfile.model_validate(other)) == craft_of(pack, [])
