"""Speech tags other than said and asked."""

from __future__ import annotations

import pytest

from studio.text.language.packs import load_pack
from studio.text.metrics.measure import measure

TAGGED = {
    "en": (
        "“Who?” he hissed. “Me,” said Tom. Then Ann muttered, “Go on.” “Come,” whispered the old"
        " man. “No,” the tall woman insisted. She called to him, “Wait!” “Really?” Nora snapped.",
        ["hissed", "muttered", "whispered", "insisted", "called", "snapped"],
    ),
    "ko": (
        "“누구세요?” 그가 속삭였다. “나야.”라고 그녀가 말했다. 그는 “가자”라고 외쳤다. “정말?”"
        " 민지가 되물었다. “그래.” 아이가 고개를 끄덕이며 중얼거렸다. 그녀가 덧붙였다. “꼭.”",
        ["속삭였다", "외쳤다", "되물었다", "중얼거렸다", "덧붙였다"],
    ),
    "zh": (
        "“走！”他喊道。“去哪儿？”她问。他低声嘟囔：“不去。”“快！”父亲催促道，“要迟到了。”他嚷嚷着："
        "“开门！”“谁？”她反问。「走吧。」他應道。",
        ["喊道", "嘟囔", "催促", "嚷嚷", "反问", "應道"],
    ),
}
PLAIN = {
    "en": "“Stop.” He snapped the lid. “Yes,” he said, and laughed. “Well,” I said, “that’s that.”"
    " “Really?” Nora snapped the lid shut. “Who?” asked Ann. The dog barked. “Ha!” Nobody laughed.",
    "ko": "“응.” 나는 소리치는 아이를 보았다. “왜?” 그가 물었다. “가자.” 형이 말했다."
    " 그는 오래 중얼거렸다.",
    "zh": "“好。”母亲叹了口气。“行了。”他笑了笑。“谁？”她问。老师说：“坐下。”他对着海喊了很久。"
    "“有人吗？”没有人回答。",
}
in_each_language = pytest.mark.parametrize("language", ["ko", "en", "zh"])


def found(text: str, language: str) -> list[str]:
    metric = measure(text, load_pack(language))["bookism_density"]
    return [place.text for place in metric.spans]


@in_each_language
def test_a_tag_that_wants_to_be_read_is_counted(language: str) -> None:
    text, verbs = TAGGED[language]
    assert found("\n\n" + text, language) == verbs


@in_each_language
def test_plain_tags_and_actions_beside_speech_are_not(language: str) -> None:
    assert found("\n\n" + PLAIN[language], language) == []


@in_each_language
def test_it_informs_and_gives_no_verdict_until_a_target_is_set(language: str) -> None:
    text = "\n\n" + "\n\n".join([TAGGED[language][0]] * 20)
    pack = load_pack(language)
    assert measure(text, pack)["bookism_density"].ok is None
    assert measure(text, pack, {"bookism_density": {"max": 5}})["bookism_density"].ok is False
