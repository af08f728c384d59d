"""Chapter 3 of the Chinese novel as a model drafts it, and the fix of its weak paragraph."""

from __future__ import annotations

from pathlib import Path

from studio.story.chapter import Chapter
from tests.fake_messages import Asked, Rule
from tests.pipeline.flows import block, scene_number

DRAFT = (
    Path(__file__).parent.parent.joinpath("data/novel-drafts/zh-chapter-003.md").read_text("utf-8")
)
FILTERED = (
    "温穗感到门环上的锈落了一手。她推开门，看见里头是一间空屋，"
    "觉得屋里比外头还冷，似乎从来没有人在这儿烧过火。"
)
PLAIN = (
    "门环上的锈落了温穗一手。门里是一间空屋，比外头还冷，"
    "灶膛里没有灰，砖缝里没有烟，从来没有人在这儿烧过火。"
)


def drafted(asked: Asked) -> Rule:
    """The scene that is asked for."""
    scene = Chapter(DRAFT).scenes[scene_number(asked) - 1]
    return Rule(text="\n\n".join(paragraph.text for paragraph in scene.paragraphs))


def operated(asked: Asked) -> Rule:
    """The passage with its filter words gone, and every other passage as it was."""
    return Rule(text=block(asked, "passage").replace(FILTERED, PLAIN))


def renamed(asked: Asked) -> Rule:
    """What a careless surgeon sends: the same fix with another woman in it."""
    return Rule(text=operated(asked).text.replace("温穗", "文慧"))


def summarized(asked: Asked) -> Rule:
    """A summary whose words and ops follow from the chapter."""
    ops = [
        {"op": "foreshadow", "path": "child-thumb", "value": "advance"},
        {"op": "set", "path": "characters.wen-sui.location", "value": "灶间"},
    ]
    value = {
        "summary": f"温穗去镇东，门后是空屋。（{len(block(asked, 'chapter'))}字）",
        "ops": ops,
        "crossref": [],
        "memory": "祝伯年教她把字念回去。",
    }
    return Rule(value=value)
