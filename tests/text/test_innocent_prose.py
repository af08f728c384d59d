"""No paragraph of plain prose is taken for a form by what stands beside it (PROSE 0.8): sentences
like those that published prose has where the rules for letters, windows and chats look."""

from __future__ import annotations

import pytest

from studio.text.language.packs import load_pack
from studio.text.prose.parse import read

PAGES = {
    "en": [
        [
            "There was a note on the fridge.",
            "I didn't want to read it, but you know how that goes.",
        ],
        [
            "She turned the letter over.",
            "Yes, a long letter, and you could tell he had been tired.",
        ],
        ["A card lay on the mat.", "Anna, who never hurried, stepped over it and took your coat."],
        ["He kept the diary shut.", "Gone were the days when anybody asked him what was in it."],
        ["The phone buzzed twice.", "Nobody moved.", "Outside, a dog barked."],
        ["The card said nothing new.", "Oh, Beth, he had thought, and what a year it had been."],
        ["She had gained a level of trust she did not want, and a title nobody used."],
        ["The vessel was due in ten minutes. All the passengers had gone below."],
        ["They kept sending notes to each other across the class, and nobody was caught."],
    ],
    "ko": [
        ["책상 위에 쪽지가 있었다.", "나는 그것을 집어 들고 창가로 갔다."],
        ["그는 편지를 접었다.", "정숙아, 하고 부르는 소리가 들렸다."],
        ["편지에는 날짜가 없었다.", "하지만 어쩔 수 없잖아. 그렇게 생각했다."],
        ["휴대폰이 울렸다.", "아무도 받지 않았다.", "창밖에서 개가 짖었다."],
        ["일기장이 펼쳐져 있었다.", "그것이 나를 위한 것임을 알면서도 읽지 못했다."],
        ["승객 여러분 가운데 의사가 계시느냐고 승무원이 물었다."],
        ["그는 친구들에게 늘 고맙다고 했다. 하하 웃었다."],
        ["다음 화요일에 그는 돌아왔다."],
    ],
    "zh": [
        ["桌上有一张纸条。", "我拿起来看了看，又放下了。"],
        ["他拆开信封。", "阿宁站在门口，没有说话。"],
        ["信纸展开了。", "这和普通的信没什么区别，他想了很久。"],
        ["手机震了一下。", "没有人动。", "窗外有狗在叫。"],
        ["他把信递过去。", "鸿渐对辛楣道：“你也写几首出来，让我们开开眼界。”"],
        ["那封信很短。", "分别的时候，她没有回头，记忆里只剩下雪。"],
        ["日本舰队已经到达距目标一百海里的海域，这简直是不可思议的。"],
        ["她没有说话，看着铜板，「你现在什么境界？」"],
    ],
}


# req: A16
@pytest.mark.parametrize(
    ("language", "page"), [(language, page) for language, pages in PAGES.items() for page in pages]
)
def test_a_plain_paragraph_stays_prose_beside_a_letter_or_a_screen(
    language: str, page: list[str]
) -> None:
    reading = read("# T\n\n" + "\n\n".join(page) + "\n", load_pack(language))
    assert set(reading.forms.values()) == {"prose"}
