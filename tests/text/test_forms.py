"""Windows, chat, letters, verse, notes and markup are of no metric and no speech (PROSE 0.8)."""

from __future__ import annotations

import pytest

from studio.text.language.packs import load_pack
from studio.text.metrics.measure import measure
from studio.text.prose.parse import read

PLAIN = {
    "en": "The river bent round the village.",
    "ko": "강이 마을을 돌아 흘렀다.",
    "zh": "河水绕着村子流过去。",
}
FORMS = [
    ("ko", "document", "- 퀘스트, [고블린 열 마리를 처치하라]"),
    ("ko", "document", "[레벨이 올랐습니다.]"),
    ("ko", "document", "【시스템】 힘이 1 올랐습니다."),
    ("ko", "document", "이름: 강윤재\n레벨: 12\n힘: 15\n민첩: 9"),
    ("ko", "document", "힘 15 / 민첩 9 / 체력 12"),
    ("ko", "document", "┌────────┐\n│ 상태창 │\n└────────┘"),
    ("ko", "document", "▶ 힘: 12"),
    ("ko", "chat", "[길드] 강윤재: “다들 어디야?”"),
    ("ko", "chat", "강윤재: 다들 어디야?\n\n미라: ㅋㅋㅋ 던전 앞"),
    ("ko", "note", "【작가의 말】 선작과 추천 부탁드립니다!"),
    ("ko", "leftover", "&nbsp;"),
    ("ko", "note", "![그림](a.png)"),
    ("zh", "document", "【系统】恭喜宿主获得新手礼包！"),
    ("zh", "document", "［任务：击杀十只哥布林］"),
    ("zh", "document", "姓名：林渊\n等级：12\n力量：15"),
    ("zh", "document", "叮！系统激活成功。"),
    ("zh", "chat", "【世界】张三：有人吗？"),
    ("zh", "chat", "群主：人都到了吗？\n张三：到了。\n李四：到了。"),
    ("zh", "letter", "母亲大人膝下：\n\n儿一切安好。\n\n儿 渊 叩上"),
    ("zh", "letter", "見字如晤。\n\n一別三年。\n\n淵　民國二十年三月"),
    ("zh", "letter", "爱妻见字如面：\n\n“一别三年”，我常这样说。\n\n夫 手书 三月初五"),
    ("zh", "verse", "床前明月光，\n疑是地上霜。\n举头望明月，\n低头思故乡。"),
    ("zh", "note", "【作者有话说】求收藏，求推荐票！"),
    ("en", "document", "[System] Strength increased by 1."),
    ("en", "document", "Name: Kael\nLevel: 12\nSTR: 15\nDEX: 9"),
    ("en", "document", "[Quest: Slay ten goblins]\n[Reward: 100 XP]"),
    ("en", "chat", "[10:42] Joss: where are you"),
    ("en", "letter", "Dear Mara,\n\n“It rains,” they say.\n\nYours, Joss"),
    (
        "en",
        "verse",
        "Rain on the roof,\nrain on the sill,\nrain on the lamp\nand the lamp is still.",
    ),
    ("en", "note", "Note to AI: make this longer"),
    ("en", "leftover", "[link](http://example.org)"),
]
PROSE = [
    ("ko", "- 그는 웃었다."),
    ("ko", "그는 말했다: 아무도 오지 않는다고."),
    ("ko", "비가 왔다.\n그는 갔다.\n아무도 오지 않았다."),
    ("ko", "힘: 그에게 없는 것은 그것뿐이라고 사람들은 오래도록 말했다. 그는 웃었고, 문을 닫았다."),
    ("zh", "他说：没有人来。"),
    ("zh", "“上”字写得很大。"),
    ("zh", "叮，电梯到了。"),
    ("en", "It was 10:42 when Joss came in."),
    ("en", "She had one rule: never look down."),
    ("en", "(He never came back.)"),
    ("en", "Mara_s hat was gone, and so was the boat."),
]


def of_what(language: str, passage: str) -> tuple[set[str], str]:
    """The forms of a passage between two plain paragraphs, and the text that is measured."""
    text = f"# 1\n\n{PLAIN[language]}\n\n{passage}\n\n{PLAIN[language]}"
    reading = read(text, load_pack(language))
    inner = reading.chapter.paragraphs[1:-1]
    measured = "\n\n".join(part.text for _, part in reading.prose[1:-1])
    return {reading.forms[p.scene, p.number] for p in inner}, measured


@pytest.mark.parametrize(("language", "form", "passage"), FORMS)
def test_it_is_known_by_its_form_and_measured_nowhere(
    language: str, form: str, passage: str
) -> None:
    # req: A16
    kinds, measured = of_what(language, passage)
    assert (kinds, measured) == ({form}, "")
    pack = load_pack(language)
    plain = measure(f"# 1\n\n{PLAIN[language]}\n\n{PLAIN[language]}", pack)
    beside = measure(f"# 1\n\n{PLAIN[language]}\n\n{passage}\n\n{PLAIN[language]}", pack)
    if form != "note":
        assert {n: m.value for n, m in beside.items()} == {n: m.value for n, m in plain.items()}
    assert beside["dialogue_ratio"].value == 0
    assert beside["leaked_meta"].value == (form == "note")


@pytest.mark.parametrize(("language", "passage"), PROSE)
def test_prose_with_a_colon_a_bracket_or_a_number_is_prose(language: str, passage: str) -> None:
    assert of_what(language, passage) == ({"prose"}, passage)
