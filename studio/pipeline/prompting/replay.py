"""Replays a generation: rebuilds the events of a call from its record (G12).

The record holds the answer and its duration, not when each word came: the pieces are sentences,
spread evenly over the time of the call. Calls no model and changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, get_args

from studio.llm.provider import uses_in
from studio.pipeline.events import (
    DRAFTER,
    PREWRITER,
    Event,
    Finish,
    Phase,
    PrewriterText,
    Reasoning,
    RewriteText,
    StageName,
    Text,
    ToolCall,
    ToolResult,
    usage_of_call,
)
from studio.pipeline.prompting.answer_stream import LiveProse
from studio.story.records import CallRecord

_PIECES = re.compile(r".+?(?:[.!?…。！？]+[”’」』\"']*\s*|\n+|$)", re.DOTALL)
"""A sentence with the space after it, or a line."""


def replay(record: CallRecord) -> list[Event]:
    """Returns the events of a call in order, numbered from 1 and dated within its time.

    A structured answer was never shown as it streamed: only its reasoning is replayed.
    """
    events = list(_events(record))
    times = _times(record, len(events))
    return [
        event.model_copy(update={"seq": number, "ts": ts, "chapter": record.chapter})
        for number, (event, ts) in enumerate(zip(events, times, strict=True), start=1)
    ]


def _events(record: CallRecord) -> Iterator[Event]:
    whose: dict[str, Any] = {"stage": _stage(record), "scene": record.scene}
    if record.prewriter_brief is not None:
        brief = {**whose, "agent": PREWRITER}
        yield Phase(phase="prewriting")
        for piece in _pieces(record.prewriter_reasoning or ""):
            yield Reasoning(**brief, text=piece)
        for piece in _pieces(record.prewriter_brief):
            yield PrewriterText(**brief, text=piece)
        yield Phase(phase="writing")
    whose["agent"] = record.agent
    for piece in _pieces(record.reasoning or ""):
        yield Reasoning(**whose, text=piece)
    for call in record.tool_calls:
        use = {"id": str(call.get("id")), "toolName": str(call.get("toolName"))}
        yield ToolCall(**whose, **use, args=call.get("args") or {})
        yield ToolResult(**whose, **use, result=call.get("result"))
    if record.answer is None:
        yield from _text(record, whose)
        if not record.tool_calls:
            # The record of a step holds its look-ups without results: the next step has those.
            for asked in uses_in(record.content or ()):
                yield ToolCall(**whose, id=asked.id, toolName=asked.name, args=asked.args)
        if record.agent != PREWRITER:
            yield Finish(
                **whose,
                finishReason=record.finish_reason,
                stepCount=record.step_count,
                stopped=record.finish_reason == "stopped",
            )
    yield usage_of_call(record.id, record.model, record.total_usage, record.cost_usd)


def _text(record: CallRecord, whose: dict[str, Any]) -> Iterator[Event]:
    if record.agent == PREWRITER:
        for piece in _pieces(record.generated_text):
            yield PrewriterText(**whose, text=piece)
        return
    kind = Text if record.agent == DRAFTER else RewriteText
    live = LiveProse()
    stories = [live.take(piece) for piece in _pieces(record.generated_text)]
    for story in (*stories, live.end()):
        if story:
            yield kind(**whose, text=story)


def _pieces(text: str) -> list[str]:
    return [piece for piece in _PIECES.findall(text) if piece]


def _stage(record: CallRecord) -> str:
    """Returns the stage of the record; for a call outside a chapter's line, the draft stage."""
    return record.stage if record.stage in get_args(StageName) else "draft"


def _times(record: CallRecord, count: int) -> list[str]:
    """Returns times spread over the duration of the call, or the recorded start itself if it is
    not a valid date."""
    try:
        begin = datetime.fromisoformat(record.created_at)
    except ValueError:
        return [record.created_at] * count
    step = timedelta(milliseconds=record.duration_ms / max(1, count - 1))
    moments = (begin + step * number for number in range(count))
    return [m.isoformat(timespec="milliseconds").replace("+00:00", "Z") for m in moments]
