"""Look-ups that a model may ask for on the way to its answer (C11): what is offered, what it
asks, and what it is told."""

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
    """JSON Schema of its arguments: an object."""


@dataclass(frozen=True, slots=True)
class ToolUse:
    """One look-up that a model asks for."""

    id: str
    """The endpoint's own name for it; its answer goes back under the same."""
    name: str
    args: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Turn:
    """A step that ended in look-ups: what the model sent, block by block, and the answers."""

    content: tuple[dict[str, Any], ...]
    """The endpoint's own blocks, thinking and its signature included: they go back unchanged."""
    answers: tuple[tuple[str, str], ...]
    """Id of each look-up, and the text it is told."""


LookUp = Callable[[ToolUse, int], Awaitable[str]]
"""Answers a look-up in at most so many tokens; it raises nothing but what ends the run."""


def uses_in(content: tuple[dict[str, Any], ...]) -> tuple[ToolUse, ...]:
    """The look-ups that a step's blocks ask for, in their order."""
    return tuple(
        ToolUse(str(block.get("id")), str(block.get("name")), block.get("input") or {})
        for block in content
        if block.get("type") == "tool_use"
    )
