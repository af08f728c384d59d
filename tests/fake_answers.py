"""The answers of the fake model: seeded prose in three languages, and values that fit a schema.

The module knows nothing of the studio's prompts.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from typing import Any

SENTENCES = {
    "en": (
        "The rain had stopped an hour before the ferry came in.",
        "Nobody on the quay said a word about the missing boat.",
        "She counted the steps down to the cellar and lost count at nineteen.",
        "A dog barked twice behind the chandler's shed, then thought better of it.",
        "Salt had eaten the hinges until the door hung by habit alone.",
        "He folded the letter along its old creases and put it under the lamp.",
        "“You might have written,” his brother said, and poured the tea.",
        "The stove ticked as it cooled, and the window went grey, then white.",
        "Her gloves smelled of tar and oranges.",
        "By noon the whole street knew, and by evening it had three versions.",
        "The key turned with a sound like a small bone breaking.",
        "Far out, a bell rang where no buoy had been laid.",
    ),
    "ko": (
        "비가 그친 지 한 시간이 지나서야 배가 들어왔다.",
        "부두에 선 사람들은 아무도 사라진 배 이야기를 꺼내지 않았다.",
        "그녀는 지하실로 내려가는 계단을 세다가 열아홉에서 멈췄다.",
        "창고 뒤에서 개가 두 번 짖고는 조용해졌다.",
        "소금기에 삭은 경첩이 문을 겨우 붙들고 있었다.",
        "그는 편지를 접힌 자국대로 다시 접어 등잔 밑에 놓았다.",
        "“편지라도 하지 그랬어.” 형이 차를 따르며 말했다.",
        "난로가 식으며 똑딱거렸고 창이 잿빛에서 흰빛으로 바뀌었다.",
        "장갑에서는 타르와 귤 냄새가 났다.",
        "정오에는 온 골목이 알았고 저녁에는 이야기가 세 갈래로 갈렸다.",
        "열쇠가 작은 뼈 부러지는 소리를 내며 돌아갔다.",
        "부표도 없는 먼 바다에서 종이 울렸다.",
    ),
    "zh": (
        "雨停了一个时辰，渡船才靠岸。",
        "码头上没有一个人提起那条失踪的船。",
        "她数着通往地窖的台阶，数到十九便乱了。",
        "货栈后面的狗叫了两声，又安静下来。",
        "盐气蚀坏了铰链，门只是勉强挂着。",
        "他照着旧折痕把信叠好，压在灯下。",
        "“你该写封信来的。”哥哥一边倒茶一边说。",
        "炉子渐渐冷下去，窗户由灰转白。",
        "她的手套上有焦油和橘子的气味。",
        "到了中午整条街都知道了，到了傍晚已有三种说法。",
        "钥匙转动，发出细骨折断般的声响。",
        "远处没有浮标的海面上，响起了钟声。",
    ),
}


def prose(language: str, seed: int, paragraphs: int = 6) -> str:
    """Returns paragraphs of four to six sentences, separated by blank lines."""
    chance = random.Random(f"{language}-{seed}")
    joint = "" if language == "zh" else " "
    return "\n\n".join(
        joint.join(chance.sample(SENTENCES[language], chance.randint(4, 6)))
        for _ in range(paragraphs)
    )


def language_of(text: str) -> str:
    """Returns ko if the text contains Hangul, zh if it contains only Han characters, otherwise
    en."""
    if re.search(r"[가-힣]", text):
        return "ko"
    return "zh" if re.search(r"[\u4e00-\u9fff]", text) else "en"


def from_schema(schema: Mapping[str, Any], *, number: float = 4.2, items: int = 0) -> Any:
    """Returns a value that fits `schema`: the first of an enum, null wherever null is allowed."""
    return _Shape(schema.get("$defs", {}), number, items).of(schema)


class _Shape:
    def __init__(self, named: Mapping[str, Any], number: float, items: int) -> None:
        self._named = named
        self._items = items
        self._plain = {"string": "lamp", "number": number, "integer": int(number), "boolean": False}

    def of(self, node: Mapping[str, Any]) -> Any:
        while "$ref" in node:
            node = self._named[node["$ref"].rsplit("/", 1)[-1]]
        if "const" in node:
            return node["const"]
        if "enum" in node:
            return node["enum"][0]
        for union in ("anyOf", "oneOf", "allOf"):
            if union in node:
                nullable = any(branch.get("type") == "null" for branch in node[union])
                return None if nullable else self.of(node[union][0])
        return self._of_type(node)

    def _of_type(self, node: Mapping[str, Any]) -> Any:
        kind = node.get("type", "object")
        if isinstance(kind, list):
            return None if "null" in kind else self._of_type({**node, "type": kind[0]})
        if kind == "object":
            return {key: self.of(child) for key, child in node.get("properties", {}).items()}
        if kind == "array":
            return [self.of(node.get("items", {"type": "string"})) for _ in range(self._items)]
        return self._plain.get(kind)


def merged(value: Any, over: Any) -> Any:
    """Returns `value` with the keys of `over` merged in at every level."""
    if isinstance(value, dict) and isinstance(over, dict):
        return {
            key: merged(value.get(key), over[key]) if key in over else value[key]
            for key in {**value, **over}
        }
    return over
