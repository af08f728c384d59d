"""Chapters of a serial in three languages: three planned scenes that join without a break."""

from __future__ import annotations

from typing import Any

from tests.fake_messages import Asked, Rule
from tests.pipeline.flows import CONTRACT, SCENES, SETTINGS, block, scene_number
from tests.pipeline.scene_plans import planning, scene

SERIAL = SETTINGS.replace("[targets]", 'form = "serial"\n[targets]')
BARE = {k: v for k, v in CONTRACT.items() if k != "scenes"} | {
    "beats": ["Mara searches the lamp room, and Joss comes up the stairs"]
}
"""A plan of one unit for a chapter of two scenes."""
GOOD = planning(scene("Mara finds the key", units=[1]), scene("Joss comes", units=[1]))
PLANS = {
    "en": ("Mara searches the lamp room", "Joss comes up the stairs", "The kettle boils dry"),
    "ko": (
        "마라가 등대 방을 뒤진다",
        "조스가 계단을 올라온다",
        "주전자가 바닥까지 졸아붙는다",
    ),
    "zh": ("玛拉翻找灯室", "乔斯走上楼梯", "水壶烧干了"),
}
TEXTS = {
    "en": tuple("\n\n".join(SCENES[n]) for n in (1, 2, 3)),
    "ko": (
        "마라는 기름통을 하나씩 들어 창턱에 올려놓았다.\n\n마지막 통 밑의 널은 희끄무레했고, "
        "그 자국은 이가 빠진 열쇠 모양이었다.\n\n“일찍 일어났구나.” 바람구멍이 그렇게 말하는 "
        "것 같았다. 마라는 손바닥을 자국 위에 대고 찬 기운이 올라올 때까지 그대로 있었다.",
        "조스가 장화를 손에 들고 계단을 올라왔다.\n\n“이 집에서는 아무도 안 자네.” 그는 맨 위 "
        "단에 앉아 끈을 묶었다. 등은 마라와 등불과 잿빛 바다를 향해 있었다.\n\n난로가 식으며 "
        "똑딱거렸고, 그 사이로 조스가 수를 세다가 잊고 다시 하나부터 세는 소리가 들렸다.",
        "여섯 시가 되기 전에 주전자는 바닥까지 졸아붙어 홍합 껍데기처럼 푸르렀다.\n\n이쪽 "
        "해협에서는 이제 아무도 주전자를 때우지 않는다. 마라는 탄 쪽을 벽으로 돌려 못에 "
        "걸었다.\n\n“사다리 줘.” 아래에서 조스가 불렀고, 대답도 듣지 않고 자갈 위로 끌고 갔다.",
    ),
    "zh": (
        "玛拉把油罐一只一只提起来，搁到窗台上。\n\n最后一只底下的木板颜色发白，像有东西在那儿"
        "躺了许多年，形状是一把断了齿的钥匙。\n\n“你起得早。”通风口里的风好像这么说。她把手掌"
        "平按在印子上，直到凉气透上来。",
        "乔斯提着靴子走上楼梯。\n\n“这屋里没人睡觉。”他说着坐在最上一级系鞋带，背对着她，"
        "背对着灯和整片灰色的海。\n\n炉子凉下去，滴答作响，中间听得见他数数，数丢了，又从一"
        "数起。",
        "不到六点，水壶就烧干了，壶底青得像贻贝壳。\n\n海峡这边早没有人补壶了。玛拉把烧坏的"
        "一面转向墙，挂在那根钉子上。\n\n“把梯子给我。”乔斯在下面喊，不等回答就把它拖过了"
        "石子地。",
    ),
}
AGAIN = {
    "en": "The stair creaked before he was to be seen, and Joss had no boots on.\n\n"
    "He counted the steps aloud, and at the eleventh he sat down and said nothing more.",
    "ko": "보이기도 전에 계단이 먼저 삐걱거렸고, 조스는 맨발이었다.\n\n그는 소리 내어 단을 "
    "세다가 열한 번째에 주저앉아 더는 말하지 않았다.",
    "zh": "人还没露面，楼梯先响了，乔斯光着脚。\n\n他出声数着级数，数到第十一级坐了下来，"
    "再没有说话。",
}
"""The second scene, told another way."""


def serial(language: str) -> dict[str, Any]:
    """What a desk is opened with for a serial in this language."""
    scenes = [{"number": n, "purpose": words} for n, words in enumerate(PLANS[language], start=1)]
    return {
        "settings": SERIAL.replace('language = "en"', f'language = "{language}"'),
        "contract": {**CONTRACT, "scenes": scenes},
    }


def drafting(language: str) -> Any:
    """Answers of a drafter: each scene, and the second in other words where notes are given."""

    def answer(asked: Asked) -> Rule:
        number = scene_number(asked)
        is_again = number == 2 and block(asked, "notes")
        return Rule(text=AGAIN[language] if is_again else TEXTS[language][number - 1])

    return answer
