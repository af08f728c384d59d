"""A volume as the plot architect lays it out: three chapters, and one more than was asked for."""

from __future__ import annotations

from typing import Any

from tests.fake_messages import Rule


def chapter(number: int, **more: Any) -> dict[str, Any]:
    """The plan of a chapter, with a person in it whom nobody knows."""
    plain: dict[str, Any] = {
        "chapter": number,
        "title": f"Night {number}",
        "happens": f"Mara climbs on night {number}.",
        "storyline_id": "main",
        "concurrent": [],
        "pov": "mara",
        "characters": ["mara", "nobody"],
        "objectives": ["She counts the steps"],
        "must_not": [],
        "promises": [],
    }
    return {**plain, **more}


BELL: dict[str, Any] = {
    "id": "bell",
    "description": "Who rang the bell",
    "scope": "long",
    "due": 3,
    "characters": ["mara", "a stranger"],
}
KEY: dict[str, Any] = {
    "id": "key",
    "description": "What the key opens",
    "scope": "short",
    "due": None,
    "characters": [],
}
PLAN = Rule(
    value={
        "about": "The lamp is lit once.",
        "chapters": [
            chapter(1, promises=[{"id": "bell", "action": "plant"}]),
            chapter(2, storyline_id="invented", concurrent=["tide"], pov="a stranger"),
            chapter(3, storyline_id="tide", promises=[{"id": "bell", "action": "resolve"}]),
            chapter(9, title="Beyond what was asked"),
        ],
        "promises": [BELL, KEY],
    }
)
