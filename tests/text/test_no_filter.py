"""Words of older prose that look like filters and report no perception, by kind."""

from __future__ import annotations

import re
import tomllib

import pytest

from studio.text.language import packs
from studio.text.language.packs import load_pack
from studio.text.prose.parse import read

NONE = {
    "en": {
        "hearing of, watching over, thinking as one likes": [
            "Tilda heard a good deal about the new lock and none of it twice.",
            "She had watched all night beside the calf.",
            "He thought as his grandfather had, slowly and about sheep.",
        ],
        "a thought that is a thing": ["A singular thought confronted the clerk at the gate."],
        "an aside of the one who tells": ["Of the four, I think the goose was the honest one."],
        "as far as somebody knew": ["As far as he knew, the mill had no owner."],
        "a relative clause": [
            "The boy cursed every boat he saw and went home.",
            "There was nothing that she noticed in the shed, and nothing that she took.",
            "He salted everything she saw and half of what she ate.",
        ],
        "what was not perceived": [
            "They were not aware of the tide until it had the bench.",
            "He went over the dyke and she saw him no more.",
            "Never did I see so many herrings in one street.",
            "She heard no bell, because there was none.",
            "The bailiff saw nothing to weigh and went home.",
            "He could not believe what he heard from the ferry.",
        ],
        "to regard": [
            "He saw it as a debt and paid it in eggs.",
            "They thought well of the priest and badly of his dog.",
            "She had thought him clever, and lent him the boat.",
        ],
        "to be somewhere": [
            "By noon she had found herself in a better trade.",
            "He found himself among cousins, all of them tall.",
        ],
        "a participle without what is perceived": [
            "The cows stood at the gate, wondering, with wet chins.",
            "He was quite incapable of hearing the truth about eels.",
            "On hearing the price the widow sat down.",
            "The clerk lit his pipe and thought.",
        ],
        "what would have been": ["To a stranger the yard would have seemed a wreck."],
        "what somebody else may perceive": ["She asked if her mother sensed the frost coming."],
        "an idea": ["Ten years sounded like a long time to a child of ten."],
        "a rumour": ["The cook had heard it said that the well was deep."],
        "a rumour told": ["He had heard dreadful stories of the weir."],
        "what is known": ["The ferryman knew what women were.", "She knew where the key hung."],
        "looking on purpose": ["Still the dog watched him, with its chin on the step."],
        "the noun": ["He coloured at the mere thought of herrings.", "A town of wonders and mud."],
        "meeting": ["I saw a great deal of the miller that year."],
        "what was perceived before": ["The stain that she had noticed was only tar."],
        "who perceived is not said": ["Not one who saw the barge go down would swear to it."],
        "before one knows": ["The letter had told all before she was conscious of reading it."],
        "a memory": ["The pear tree was white when she last saw the house."],
    },
    "ko": {
        "to show a face": [
            "무열은 눈웃음을 지어보였다.",
            "사공은 그래도 웃어보였다.",
        ],
        "what somebody had thought, of a noun": ["다 갚았다고 생각한 빚이 남아 있었다."],
        "보여 주다": [
            "주모는 싫은 눈치를 뻔히 보였다.",
            "곰방은 종이에 값을 써서 보였다.",
        ],
        "물음으로 된 생각": [
            "배가 오지 않는가? 하는 생각이 불쑥 들었다.",
            "그가 먼저 갔는가 하는 생각이 들었다.",
        ],
        "궁리와 다짐과 바람": [
            "순례는 무엇을 깊이 생각하였다.",
            "장에 나가고 싶은 생각이 났다.",
        ],
        "사람이 아니라 물건이 떠오르다": [
            "둑 너머로 달이 천천히 떠올랐다.",
            "주모의 얼굴에 웃음이 떠올랐다.",
            "새 나루터를 발견한 사람은 곰방이다.",
        ],
        "deliberation": [
            "무열은 암만 생각하여도 배를 파는 편이 옳았다.",
            "기백은 다시 생각하고 상자를 내려놓았다.",
            "그는 이튿날 떠나려고 생각하였다.",
            "기백은 곰곰이 생각하고 나서 빚을 갚았다.",
            "그는 무엇을 먼저 팔까 생각하였다.",
        ],
        "a thing": ["무열은 저녁을 생각하니까 걸음이 빨라졌다.", "그는 제 꼴을 생각하고 웃었다."],
        "a judgement": ["무열은 그 말을 옳게 생각하였으나 대꾸하지 않았다."],
        "what was not perceived": [
            "종소리가 들리지도 않는 듯 그는 노를 저었다.",
            "발소리는 들리지 아니하고 물만 흘렀다.",
            "그는 배가 기운 것을 깨닫지 못하였다.",
            "안개에 싸여 등대는 아니 보였다.",
            "내일을 걱정하겠다는 생각은 나지 않았다.",
        ],
        "a quoted thought": ["‘배가 떠났나?’ 하는 생각을 하니 무열은 다리가 풀렸다."],
        "a question": [
            "비가 오지나 않을까, 하고 무열은 문을 닫았다.",
            "물이 새나, 하고 생각하였다.",
        ],
        "a likeness": ["그 꼴은 마치 닻을 삼킨 듯하였다.", "그는 재미를 느끼는 듯이 웃었다."],
        "a guess": ["기백도 그것을 짐작했는지 모른다.", "아우는 벌써 알아차렸을 텐데 말이 없었다."],
        "a condition": ["무열이 그것을 알았더면 배를 팔지 않았다."],
        "to show": ["그는 불편한 내색을 여러 번 보였다."],
        "to call at": ["아침에 좀 들렸더니 아무도 없었다."],
        "to hand over": ["기백은 등불을 아우에게 들리고 앞장을 섰다."],
        "what was believed": ["다 말랐으리라 생각했던 그물에서 물이 흘렀다."],
    },
    "zh": {
        "意见": [
            "他们认为渡船该归村里。",
            "在她看来，盐比米要紧。",
            "我想，应该把船卖掉。",
            "试想，一只船怎么载得动三头牛。",
        ],
        "被人察觉、无从察觉": [
            "这道裂缝不为任何人发现。",
            "水涨了半寸，船家亦无能觉察。",
        ],
        "见到也不算的": ["他没见到账房，把米放在门口。", "多亏他见多识广，没有上当。"],
        "a question": ["江无咎怎么会发现这口井？", "她如何知道账本在灶台里？"],
        "a condition": ["假如江无咎看到这只箱子，一定会退回去。", "如果他听见更鼓，就该走了。"],
        "a thing": ["她想到了一个省油的法子。", "钱三宝会下棋，也能发现问题。"],
        "an opinion of others": ["江无咎被大家认为是个呆子。", "也有人认为桥早该拆了。"],
        "what is said to the reader": ["读者一定知道这口井。", "由这件事可以知道，井是空的。"],
        "what points back": ["想到这里，他把灯芯拨短了。", "他听到这里，把灯放下了。"],
        "a quoted thought": [
            "江无咎心想：“这船怕是不来了。”",
            "江无咎心想，我把灯留给他。",
            "钱三宝想：这是哪一年的账？",
        ],
        "what it led to": ["她听得笑了出来。"],
        "when it was": ["他发现账本后，一定会去报官。"],
        "what others may not hear": ["这话不能叫外人听到。"],
        "what few perceive": ["没有多少人知道码头下面是空的。"],
        "what was not perceived": ["他只晓得潮水，却不晓得月亮。"],
        "a likeness": ["老艄公点点头，似乎嫌他多话似的。", "绳子垂下来，好像老牛的尾巴。"],
        "who it is": ["灯一亮，他已知道来人是谁。"],
        "meeting": [
            "他想去见他的师父。",
            "两人约在码头，见面再谈。",
            "江无咎拒绝见那个商人。",
            "她带着孩子来见他。",
            "老艄公让她见一见那只猫。",
        ],
        "what may be seen in a book": ["这口井的来历，见《县志》第三卷。", "初闻此名，未见此人。"],
        "another word": [
            "一见倾心的事他不信。",
            "此人四十來歲，見在後院住著。",
            "对此他们意见有分歧。",
        ],
    },
}
STILL = {
    "en": [
        "She wondered if the boat would hold.",
        "He found himself counting the stairs.",
        "He was aware of a smell of tar.",
        "She saw the gate open.",
        "It sounded like a chain in the hold.",
        "It seemed a long way to the dyke.",
        "She watched the gate open.",
        "She heard the miller come in.",
        "He was mad, she thought.",
    ],
    "ko": [
        "무열은 배가 떠났다고 생각했다.",
        "그는 등이 젖는 것을 느꼈다.",
        "멀리서 종소리가 들렸다.",
        "새벽 종소리가 들려 온다.",
        "무열은 형편이 불리함을 알았다.",
        "그는 배가 뜨는가 싶더니 주저앉았다.",
    ],
    "zh": [
        "江无咎发现门是开着的。",
        "她听见铁链响。",
        "他知道船不会来了。",
        "他似乎累了。",
        "他好像很累的样子。",
        "母亲认为他说谎。",
        "江无咎循声望去，见墙下走上来一个女子。",
        "船家站在一旁，見眾人不作聲，把槳放下了。",
        "江无咎见她不作声，放下了灯。",
        "钱三宝一见这阵势，退到门外。",
    ],
}
ROWS = [(language, *row) for language, kinds in NONE.items() for row in kinds.items()]


def _filters(text: str, language: str) -> list[str]:
    reading = read("\n\n" + text, load_pack(language))
    return [reading.text[slice(*place)] for place in reading.hits("filter")]


@pytest.mark.parametrize(("language", "kind", "sentences"), ROWS)
def test_it_is_no_filter(language: str, kind: str, sentences: list[str]) -> None:
    counted = {s: _filters(s, language) for s in sentences}
    assert counted == {s: [] for s in sentences}, kind


@pytest.mark.parametrize("language", sorted(STILL))
def test_its_neighbours_still_are(language: str) -> None:
    for sentence in STILL[language]:
        assert len(_filters(sentence, language)) == 1, sentence


def test_no_pattern_would_begin_where_the_pack_tries_none() -> None:
    """`begins` only spares time: a pattern that starts inside a word would never match."""
    rule = tomllib.loads((packs._FOLDER / "en.toml").read_text("utf-8"))["perception"]
    starts = re.compile(r"(?:\(\?i:)?(?:\\b[\w(]|\(\?<=\\w\)(?:\(\?<![^)]*\))* ¦|\^\\s\*¦)")
    assert [source for source in rule["behind"] if not starts.match(source)] == []
    assert re.search(f"(?:{rule['begins']})ing", "seeing") is None
