"""The link from an action to its performer: a decorator that marks a method with the action's
id."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from typing import Any, TypeVar

from studio.tui.actions import BY_ID

Performer = Callable[[], Awaitable[None] | None]
"""A bound method that performs an action."""
M = TypeVar("M", bound=Callable[[Any], Awaitable[None] | None])

_MARK = "performed_action"


def performs(action_id: str) -> Callable[[M], M]:
    """Marks a method as the performer of an action; KeyError if the id is not in the list."""
    action = BY_ID[action_id]

    def bind(method: M) -> M:
        setattr(method, _MARK, action.id)
        return method

    return bind


@cache
def performers(kind: type[Any]) -> Mapping[str, str]:
    """Maps the id of each action that a class performs to the name of its method."""
    methods = [item for base in kind.__mro__ for item in vars(base).items()]
    return {getattr(method, _MARK): name for name, method in methods if hasattr(method, _MARK)}


def performer(owner: Any, action_id: str) -> Performer | None:
    """Returns the method of an object that performs an action; None if it has none."""
    name = performers(owner.__class__).get(action_id)
    return None if name is None else getattr(owner, name)
