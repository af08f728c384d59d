"""Describes the look-ups a model may use before it answers (C11): what is offered, what the model
asks for, and what it gets back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """One look-up as it is offered to a model."""

    name: str
    description: str
    schema: dict[str, Any]
    """The JSON Schema of its arguments, an object."""


@dataclass(frozen=True, slots=True)
class ToolUse:
    """One look-up that a model asks for."""

    id: str
    """The endpoint's id for the look-up; the answer is sent back under the same id."""
    name: str
    args: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Turn:
    """A step that ended in look-ups: the model's blocks, and the answers to its look-ups."""

    content: tuple[dict[str, Any], ...]
    """The endpoint's own blocks, thinking and its signature included, sent back unchanged."""
    answers: tuple[tuple[str, str], ...]
    """The id of each look-up, and the text of its answer."""


LookUp = Callable[[ToolUse, int], Awaitable[str]]
"""Answers a look-up within a token limit; any exception it raises ends the run."""


def uses_in(content: tuple[dict[str, Any], ...]) -> tuple[ToolUse, ...]:
    """Returns the look-ups that a step's blocks ask for, in order."""
    return tuple(
        ToolUse(str(block.get("id")), str(block.get("name")), block.get("input") or {})
        for block in content
        if block.get("type") == "tool_use"
    )
