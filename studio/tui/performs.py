"""Who performs an action: a method says so itself, by the id of the action."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from typing import Any, TypeVar

from studio.tui.actions import BY_ID

Deed = Callable[[], Awaitable[None] | None]
"""What performs an action, bound to whose it is."""
M = TypeVar("M", bound=Callable[[Any], Awaitable[None] | None])

_MARK = "performed_action"


def performs(action_id: str) -> Callable[[M], M]:
    """Binds a method to an action of the list; KeyError for an id that is none of them."""
    action = BY_ID[action_id]

    def bind(method: M) -> M:
        setattr(method, _MARK, action.id)
        return method

    return bind


@cache
def performers(kind: type[Any]) -> Mapping[str, str]:
    """By the id of the action, the names of the methods of a class that perform one."""
    methods = [item for base in kind.__mro__ for item in vars(base).items()]
    return {getattr(method, _MARK): name for name, method in methods if hasattr(method, _MARK)}


def performer(owner: Any, action_id: str) -> Deed | None:
    """The method of an object that performs an action; None where it has none."""
    name = performers(owner.__class__).get(action_id)
    return None if name is None else getattr(owner, name)
