"""Books with a word of its own in everything that has to arrive with a model, and what no prompt
may be like (WRITING 1)."""

from __future__ import annotations

import random
import re
from typing import Any

WORDS = {
    "en": (
        "the rope",
        "a wet step",
        "her father's lamp",
        "nobody",
        "the long bill",
        "salt",
        "Tuesday",
    ),
    "ko": (
        "젖은 밧줄이",
        "아버지의 등잔이",
        "계산서를",
        "화요일에",
        "소금이",
        "아무도",
        "계단에서",
    ),
    "zh": ("湿绳子", "父亲的灯", "账单", "星期二", "盐", "没有人", "台阶上"),
}
STOP = {"en": ".", "ko": ".", "zh": "。"}
JOINT = {"en": " ", "ko": " ", "zh": ""}


class Book:
    """A random plan of two chapters, with a word of its own in everything that has to arrive."""

    def __init__(self, seed: int, language: str) -> None:
        self.pick = random.Random(f"{seed} {language}")
        self.language = language
        self.count = 0
        self.mode = self.pick.choice(("standard", "prewriter"))
        self.scenes = self.pick.randint(1, 4)
        self.in_beats = self.pick.random() < 0.5

    def sentence(self, sentinel: str = "") -> str:
        """A sentence nobody else says, with its sentinel."""
        self.count += 1
        words = self.pick.sample(WORDS[self.language], 4)
        return (
            JOINT[self.language].join([*words, f"{sentinel}n{self.count:04d}"])
            + STOP[self.language]
        )

    def prose(self, first: str, last: str, paragraphs: int = 9) -> str:
        """A scene that begins and ends with a word of its own, long enough to be taken."""
        inner = [" ".join(self.sentence() for _ in range(4)) for _ in range(paragraphs)]
        return "\n\n".join([self.sentence(first), *inner, self.sentence(last)])

    def contract(self, chapter: int) -> dict[str, Any]:
        """The plan of a chapter whose objectives, beats and outline say much the same."""
        beats = [self.sentence(f"beat{chapter}x{n}x") for n in range(1, self.scenes + 1)]
        plan: dict[str, Any] = {
            "schema_version": 1,
            "chapter": chapter,
            "volume": 1,
            "title": f"T{chapter}",
            "storyline_id": "main",
            "pov": "mara",
            "objectives": [beats[0], self.sentence("goal")],
            "must_not": [self.sentence("never")],
            "target_length": 240 * self.scenes,
        }
        if self.in_beats:
            return plan | {"beats": beats}
        return plan | {
            "scenes": [
                {"number": n, "purpose": beat, "location": "quay", "characters": ["mara", "joss"]}
                for n, beat in enumerate(beats, start=1)
            ]
        }


def empty_or_bare(prompt: str) -> None:
    """No block without words, and none of a single heading or label."""
    for name, words in re.findall(r'<m[0-9a-f]{6,} name="([^"]+)">\n(.*?)\n</m', prompt, re.DOTALL):
        lines = [line for line in words.splitlines() if line.strip()]
        assert lines, name
        assert not all(line.startswith("#") or line.endswith(":") for line in lines), name
