"""The record of a generation, field by field of the seed's two tables, and played again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from studio.pipeline.outcome import Committed
from studio.pipeline.prompting.answer_stream import replay
from studio.story.chapter import sha256_of
from studio.tui.desk.parts.material import in_order
from tests.fake_messages import Rule
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import Desk, Model, drafted, kind_of
from tests.pipeline.look_ups import ALL, BRIEF, PREWRITER_FIELDS, PREWRITING, looking_up, record_of

STANDARD: dict[str, type | tuple[type, ...]] = {
    "id": str,
    "createdAt": str,
    "input": str,
    "messages": list,
    "toolCalls": list,
    "generatedText": str,
    "fragmentId": str,
    "model": str,
    "durationMs": int,
    "stepCount": int,
    "finishReason": str,
    "stepsExceeded": bool,
    "totalUsage": dict,
    "reasoning": (str, type(None)),
}
"""Seed 002, Standard Fields."""


def written(desk: OpenDesk) -> Desk:
    look = looking_up(("find_character", {"name": "Mara"}), then=Rule(text=BRIEF))
    draft = looking_up(("find_state", {}), then=drafted)
    desk_ = desk(Model(brief=look, draft=draft), settings=f'{PREWRITING}tools = "all"\n')
    assert isinstance(desk_.write(direction="Let it rain.").outcome, Committed)
    return desk_


def text_of(desk_: Desk) -> str:
    """What the model wrote for the first scene."""
    return drafted(next(a for a in desk_.server.asked if kind_of(a) == "draft")).text or ""


# req: C8
@pytest.mark.sweep
def test_every_field_of_the_two_tables_is_there_and_real(desk: OpenDesk) -> None:
    desk_ = written(desk)
    record: dict[str, Any] = record_of(desk_, "scene-drafter")
    for name, kind in {**STANDARD, **PREWRITER_FIELDS}.items():
        assert isinstance(record[name], kind), name
    assert record["id"].startswith("gen-")
    age = datetime.now(UTC) - datetime.fromisoformat(record["createdAt"])
    assert timedelta(seconds=-2) < age < timedelta(minutes=30)
    assert record["generatedText"] == text_of(desk_)
    models = (record["model"], record["prewriterModel"])
    assert models == ("claude-opus-5-5", "claude-sonnet-5-5")
    assert record["totalUsage"]["outputTokens"] > 0
    brief = record_of(desk_, "prewriter")
    assert record["prewriterUsage"] == brief["totalUsage"]
    assert record["prewriterMessages"] == brief["messages"]
    assert record["prewriterDurationMs"] == brief["durationMs"]
    assert brief["fragmentId"] is None, "a brief is saved as no text"
    assert record["input"] == "Let it rain."
    assert [m["role"] for m in record["messages"]] == ["system", "user"]
    (call,) = record["toolCalls"]
    assert (call["toolName"], call["args"]) == ("find_state", {})
    assert "Nothing is on record" in call["result"]
    assert record["fragmentId"] == f"chapter-001/scene-01/{sha256_of(text_of(desk_))}"
    assert (record["stepCount"], record["stepsExceeded"]) == (2, False)
    assert record["finishReason"] == "end"
    assert record["reasoning"] == "I do not know yet."
    assert record["prewriterReasoning"] == "I do not know yet."
    assert record["prewriterBrief"] == BRIEF


# req: G12
def test_a_call_is_played_again_as_it_was_heard(desk: OpenDesk) -> None:
    desk_ = written(desk)
    record = desk_.store.journal.recall(record_of(desk_, "scene-drafter")["id"])
    assert record is not None
    events = replay(record)
    kinds = list(dict.fromkeys(event.type for event in events))
    assert kinds == [
        "phase",
        "reasoning",
        "prewriter-text",
        "tool-call",
        "tool-result",
        "text",
        "finish",
        "usage",
    ]
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert [event.ts for event in events] == sorted(event.ts for event in events)
    assert "".join(e.text for e in events if e.type == "text") == record.generated_text  # type: ignore[attr-defined]
    assert "".join(e.text for e in events if e.type == "prewriter-text") == BRIEF  # type: ignore[attr-defined]
    assert all(event.chapter == 1 for event in events)


# req: G12
@pytest.mark.sweep
def test_the_steps_of_a_call_stand_before_it_and_name_what_they_asked_for(desk: OpenDesk) -> None:
    look = looking_up(("find_state", {"about": "mara"}), then=drafted, times=2)
    desk_ = desk(Model(draft=look), settings=ALL)
    assert isinstance(desk_.write().outcome, Committed)
    journal = desk_.store.journal
    records = [record for id_ in journal.generation_ids(1) if (record := journal.recall(id_))]
    steps = [r for r in in_order(records) if (r.agent, r.scene) == ("scene-drafter", 1)]
    assert [r.finish_reason for r in steps] == ["tool_use", "tool_use", "end"]
    assert [len(r.tool_calls) for r in steps] == [0, 0, 2]
    (asked,) = [event for event in replay(steps[0]) if event.type == "tool-call"]
    assert (asked.toolName, asked.args) == ("find_state", {"about": "mara"})  # type: ignore[attr-defined]
