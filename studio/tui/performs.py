"""The link from an action to its performer: a decorator that marks a method with the action's
id."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Mapping
from functools import cache, partial
from typing import Any, TypeVar

from studio.tui.actions import BY_ID

Performer = Callable[[], Awaitable[None] | None]
"""A bound method that performs an action, with its arguments."""
M = TypeVar("M", bound=Callable[..., Awaitable[None] | None])
Q = TypeVar("Q", bound=Callable[..., Coroutine[Any, Any, None]])

_MARK = "performed_actions"
_ASKS = "asks"


def performs(action_id: str, *arguments: object) -> Callable[[M], M]:
    """Marks a method as the performer of an action, which is done with these arguments; KeyError if
    the id is not in the list."""
    action = BY_ID[action_id]

    def bind(method: M) -> M:
        vars(method).setdefault(_MARK, {})[action.id] = arguments
        return method

    return bind


def asks(action_id: str, *arguments: object) -> Callable[[Q], Q]:
    """Marks a performer that asks the writer something: one at a time (`StudioScreen.converse`)."""

    def bind(method: Q) -> Q:
        setattr(method, _ASKS, True)
        return performs(action_id, *arguments)(method)

    return bind


def is_asking(perform: Performer) -> bool:
    """Whether a performer asks the writer something."""
    return isinstance(perform, partial) and hasattr(perform.func, _ASKS)


@cache
def performers(kind: type[Any]) -> Mapping[str, tuple[str, tuple[object, ...]]]:
    """Maps the id of each action that a class performs to the name of its method and the
    arguments."""
    methods = [item for base in kind.__mro__ for item in vars(base).items()]
    return {
        action_id: (name, arguments)
        for name, method in methods
        for action_id, arguments in getattr(method, _MARK, {}).items()
    }


def performer(owner: Any, action_id: str) -> Performer | None:
    """Returns the method of an object that performs an action; None if it has none."""
    if (marked := performers(owner.__class__).get(action_id)) is None:
        return None
    name, arguments = marked
    return partial(getattr(owner, name), *arguments)
