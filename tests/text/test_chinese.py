"""The Chinese word lists on real sentences: what they find, and what only looks like it."""

from __future__ import annotations

import pytest

from studio.story.review.directive import DirectiveType
from studio.text.language.packs import SENSES, load_pack
from studio.text.metrics.measure import measure
from studio.text.oracle.report import check_text
from studio.text.prose.parse import read
from tests.small_novels import NOVELS
from tests.text.labelled import PASSAGES

PACK = load_pack("zh")
HEARD_AND_SEEN = {
    "sight": [
        "墙根的青苔泛着光，台阶一级比一级黑。",
        "她的影子先进了门。",
        "指头红了，粉笔断了。",
        "天边灰蒙蒙的，分不出水和岸。",
    ],
    "sound": [
        "豆腐担子敲着梆子过去了。",
        "瓦上沙沙的，下起了细雨。",
        "孩子哇的一声哭了。",
        "楼板吱呀了一下，再没有动静。",
    ],
    "smell": [
        "箱子一开，樟脑和霉味一齐扑出来。",
        "灶间飘出米香。",
        "他身上有一股煤烟和肥皂味。",
        "她嗅了嗅袖口，是鱼腥。",
    ],
    "touch": [
        "石灰墙凉得像井壁。",
        "纸湿漉漉的，一碰就破。",
        "秤砣沉甸甸地坠着手。",
        "热气冲上来，烫得她换了只手。",
    ],
    "taste": [
        "姜辣得舌根发麻。",
        "杏子酸涩，他还是咽了。",
        "水里有一点咸涩的东西。",
        "她抿了一口，回甘来得很慢。",
    ],
}
NO_SENSE = [
    "她明白了，只是没有说。",
    "这件事影响了他一辈子。",
    "那是一段艰苦的日子。",
    "热气球升到山顶上头去了。",
    "他心里不是滋味。",
    "荒凉的村子等着人回来。",
]
STOCK = [
    "他深吸一口气，推开了门。",
    "她的声音很轻。",
    "他只觉得后背发凉。",
    "两个人沉默了三秒。",
    "他松开拳头，手心全是汗。",
    "他知道一件事：船不会回来了。",
]
OF_PEOPLE = ["他倒吸一口凉气。", "她嘴角微微上扬。", "他意味深长地笑了。", "她眼中闪过一丝冷意。"]
HURRIED = ["他忽然站住。", "她不由自主地退了一步。", "门猛地开了。", "他小心翼翼地放下碗。"]


def kinds(text: str) -> set[str]:
    return {hit.kind for _, part in read(text, PACK).parts for hit in part.hits}


@pytest.mark.parametrize("sense", SENSES)
def test_each_sense_is_found_in_what_a_novelist_writes(sense: str) -> None:
    for sentence in HEARD_AND_SEEN[sense]:
        assert f"sense:{sense}" in kinds(sentence), sentence


@pytest.mark.parametrize("sentence", NO_SENSE)
def test_a_word_that_only_holds_a_sense_word_is_no_sense(sentence: str) -> None:
    assert not {kind for kind in kinds(sentence) if kind.startswith("sense:")}, sentence


@pytest.mark.parametrize("sentence", STOCK)
def test_stock_phrases_of_machines_are_found(sentence: str) -> None:
    assert "cliche" in kinds(sentence)


@pytest.mark.parametrize("sentence", OF_PEOPLE)
def test_what_people_write_more_often_than_machines_is_none(sentence: str) -> None:
    assert "cliche" not in kinds(sentence)


@pytest.mark.parametrize("sentence", HURRIED)
def test_overused_adverbs_are_found(sentence: str) -> None:
    assert "adverb" in kinds(sentence)


def test_every_list_is_found_in_traditional_characters_too() -> None:
    assert kinds("他感覺屋裡有人。") == {"filter"}
    assert "sense:sound" in kinds("遠處傳來鐘聲。")
    assert "cliche" in kinds("他的聲音很輕。")
    assert "filter" not in kinds("他沒看見那封信。")


@pytest.mark.parametrize(
    "sentence",
    [
        "我坐在岸上，護士聽見鐘聲。",
        "我坐在岸上，老師已經知道我來了。",
        "夢想，是他最不肯提的。",
    ],
)
def test_where_nothing_is_perceived_is_told_in_traditional_characters_too(sentence: str) -> None:
    assert "filter" not in kinds(sentence)


@pytest.mark.parametrize(
    "sentence",
    ["與其說那是雨，倒不如說是一種責備。", "那並非風聲，而是人聲。", "這不是雨，卻是淚。"],
)
def test_a_contrast_is_counted_in_traditional_characters_too(sentence: str) -> None:
    text = "\n\n".join([sentence, *["她把燈放在窗邊，等船回來。"] * 20])
    assert len(measure(text, PACK)["contrast_density"].spans) == 1


def test_a_look_alike_in_two_parts_holds_across_a_few_words_and_no_mark() -> None:
    assert "filter" not in kinds("信被隔壁的老太太看见，第二天全镇都谈它。")
    assert "filter" in kinds("信被风吹走了，她看见它落进井里。")
    assert "filter" not in kinds("他笑得好像孩子一样。")
    assert "filter" in kinds("好像有人。桌椅还是一样。")


@pytest.mark.parametrize(
    ("anti", "metric", "least"),
    [("destiny-counter", "cliche_density", 1), ("filtered-rain", "filter_word_density", 2)],
)
def test_prose_of_a_machine_is_measured_so(anti: str, metric: str, least: int) -> None:
    weak = (NOVELS / f"zh/style-library/anti-{anti}.md").read_text("utf-8").split("---\n")[2]
    assert len(check_text(weak).metrics[metric].spans) >= least


@pytest.mark.parametrize("number", [1, 2])
def test_good_prose_is_left_alone(number: int) -> None:
    text = (NOVELS / f"zh/chapters/chapter-00{number}.md").read_text("utf-8")
    assert check_text(text).directives == ()


def test_three_hundred_and_twenty_sentences_are_labelled_and_half_of_them_among_talk() -> None:
    counted = {True: 0, False: 0}
    for passage in PASSAGES:
        if passage.language == "zh":
            counted[len(passage.dialogue) * 5 >= len(passage.sentences) * 2] += len(
                passage.sentences
            )
    assert sum(counted.values()) >= 320
    assert counted[True] >= counted[False]


def test_words_that_adjoin_are_one_find_of_a_crowded_paragraph() -> None:
    # a sword under the light; 仿佛看见 is one look
    text = "# 剑\n\n那剑便溶在青光里，看去好像一无所有。他凝神细视，这才仿佛看见五尺多长的刃。\n"
    assert check_text(text, "zh").directives == ()
    crowded = text.replace("他凝神细视", "他觉得冷，凝神细视")
    (directive,) = check_text(crowded, "zh").directives
    assert directive.type is DirectiveType.FILTER_WORD_REMOVAL
