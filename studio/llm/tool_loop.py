"""Runs a generation in steps, in which the model looks things up until it answers (C6, C11).

Each step is a separate call that is reserved, retried and kept individually, so that a killed run
continues from the last step. The last step may only answer. One record, that of the generation,
holds the cost of all steps.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from studio.llm.provider import AnswerDelta, Listen, LookUp, Request, ToolUse, Turn, uses_in
from studio.story.records import CallRecord, Usage

LOOKING_UP = "tool_use"
"""The finish reason of a step that asks for look-ups."""
MOST_AT_ONCE = 8
"""The maximum number of look-ups in one step; further ones are not answered."""
_TOO_MANY = "Too many look-ups at once; this one was not made."

AskStep = Callable[[Request, Listen], Awaitable[CallRecord]]
"""Returns the record of one step, from the journal if it finished before."""
Room = Callable[[Request], int]
"""Returns the tokens of the model's window that a request leaves for answers to look-ups."""


async def generate(
    request: Request, listen: Listen, ask: AskStep, look_up: LookUp, room: Room
) -> CallRecord:
    """Returns the generation's own record. A delta marked `again` means that the text before a
    look-up is not part of the answer. Raises whatever `ask` raises."""
    turns: list[Turn] = []
    steps: list[CallRecord] = []
    tool_calls: list[dict[str, Any]] = []
    for number in range(1, request.steps + 1):
        step = replace(
            request,
            call=f"{request.call}-step{number}",
            turns=tuple(turns),
            must_answer=number == request.steps,
            conclude=lambda record: _conclude(request, record, steps, tool_calls),
        )
        record = await ask(step, listen)
        if record.finish_reason != LOOKING_UP:
            return record
        listen(AnswerDelta("again", ""))
        steps.append(record)
        content = record.content or ()
        uses = uses_in(content)
        left = room(step) // max(1, min(len(uses), MOST_AT_ONCE))
        answers = []
        for index, use in enumerate(uses):
            answer = await look_up(use, left) if index < MOST_AT_ONCE else _TOO_MANY
            answers.append((use.id, answer))
            tool_calls.append(_entry_for_log(use, answer))
        turns.append(Turn(content, tuple(answers)))
    raise AssertionError("the last step can only answer")


def _entry_for_log(use: ToolUse, answer: str) -> dict[str, Any]:
    return {"id": use.id, "toolName": use.name, "args": use.args, "result": answer}


def _conclude(
    request: Request,
    last: CallRecord,
    before: list[CallRecord],
    tool_calls: list[dict[str, Any]],
) -> CallRecord:
    """Turns the last step's record into that of the generation: under its id,
    with the usage of all steps."""
    every = (*before, last)
    usages = [record.total_usage for record in every]
    costs = [record.cost_usd for record in every]
    return last.copy_with(
        id=request.generation_id,
        request_sha256=request.sha256,
        created_at=every[0].created_at,
        tool_calls=tuple(tool_calls),
        step_count=len(every),
        steps_exceeded=len(every) >= request.steps,
        total_usage=_sum(usages),
        cost_usd=None if None in costs else sum(cost or 0.0 for cost in costs),
        duration_ms=sum(record.duration_ms for record in every),
        attempts=sum(record.attempts for record in every),
        reasoning="\n\n".join(r.reasoning for r in every if r.reasoning) or None,
    )


def _sum(usages: list[Usage | None]) -> Usage | None:
    """Sums the token counts of these steps; a count that one step does not report is unknown."""
    if None in usages:
        return None
    totals: dict[str, int | None] = {}
    for name in Usage.model_fields:
        counts = [getattr(usage, name) for usage in usages]
        totals[name] = None if None in counts else sum(counts)
    return Usage(**totals)
