"""A chapter's plan with its beats, and scenes as a model plans them from it."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from studio.story.contract import ChapterContract
from tests.fake_messages import Rule

BEATS = st.lists(
    st.text("abc 가나다 灯塔", min_size=1, max_size=12).filter(str.strip), min_size=1, max_size=20
)


def contract(**more: Any) -> ChapterContract:
    """The plan of a chapter that has no scenes yet."""
    plan = {
        "chapter": 3,
        "volume": 1,
        "title": "The Lamp Room",
        "storyline_id": "main",
        "objectives": ("Mara finds the key",),
    }
    return ChapterContract(**{**plan, **more})


def scene(purpose: str, **more: Any) -> dict[str, Any]:
    """A scene with everything that is asked of its plan."""
    plan = {
        "purpose": purpose,
        "units": [],
        "pov": "mara",
        "location": "lamp-room",
        "characters": ["mara"],
        "entry_emotion": "",
        "exit_emotion": "",
        "peak_moment": "her hand stops",
        "sensory_anchors": ["smell: lamp oil", "touch: cold iron"],
        "dialogue_goals": [],
        "transition_from": "",
        "transition_to": "",
        "exemplar_tags": ["dialogue"],
        "emotional_tone": "tense",
    }
    return {**plan, **more}


def scene_of_the_plan() -> dict[str, Any]:
    """A scene to whose plan the model adds nothing."""
    nothing = {name: type(value)() for name, value in scene("").items()}
    return {**nothing, "units": [1], "pov": None, "location": None}


def planning(*scenes: dict[str, Any]) -> Rule:
    """The answer that plans these scenes."""
    return Rule(value={"scenes": list(scenes)})
