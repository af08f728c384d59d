"""A model that looks things up before it answers, and the record that its calls leave."""

from __future__ import annotations

import json
from typing import Any

from tests.fake_messages import Asked, Rule
from tests.pipeline.flows import SETTINGS, Answer, Desk

BRIEF = "The key lay under the last can."
PREWRITING = SETTINGS + '[generation]\nmode = "prewriter"\n'
ALL = SETTINGS + '[generation]\ntools = "all"\n'
PREWRITER_FIELDS: dict[str, type | tuple[type, ...]] = {
    "prewriterBrief": str,
    "prewriterReasoning": (str, type(None)),
    "prewriterMessages": list,
    "prewriterDurationMs": int,
    "prewriterModel": str,
    "prewriterUsage": dict,
}
"""Seed 002, Prewriter-Specific Fields."""


def looking_up(*uses: tuple[str, dict[str, Any]], then: Answer, times: int = 1) -> Answer:
    """Asks for look-ups in its first `times` steps, as far as it may, and answers after them."""

    def answer(asked: Asked) -> Rule:
        steps = sum(message["role"] == "assistant" for message in asked.body["messages"])
        if steps < times and asked.tools:
            return Rule(uses=uses, text="Let me see. ")
        return then if isinstance(then, Rule) else then(asked)

    return answer


def record_of(desk_: Desk, agent: str) -> dict[str, Any]:
    """The record of the finished call of an agent for the first scene."""
    folder = desk_.folder / "logs/generations"
    records = [json.loads(path.read_bytes()) for path in sorted(folder.glob("gen-*.json"))]
    (record,) = [
        r for r in records if (r["agent"], r["scene"]) == (agent, 1) and r["finishReason"] == "end"
    ]
    return record  # type: ignore[no-any-return]
