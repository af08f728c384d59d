"""The only list of actions and of their keys, one module per place: footer, command palette, help,
docs/keys.md and key bindings are made from it. The ids are stable, so that `[keymap]` in the user's
config can refer to them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from studio.tui.action import PLACES, Action, Where
from studio.tui.actions import (
    app_keys,
    desk_keys,
    editor_keys,
    finding_keys,
    importing_keys,
    launcher_keys,
    memory_keys,
    pages_keys,
    plans_keys,
    review_keys,
    text_keys,
    upkeep_keys,
)

__all__ = ["ACTIONS", "BY_ID", "PLACES", "Action", "Where", "of", "unknown_ids"]

ACTIONS: tuple[Action, ...] = (
    *app_keys.ACTIONS,
    *desk_keys.ACTIONS,
    *plans_keys.ACTIONS,
    *text_keys.ACTIONS,
    *review_keys.ACTIONS,
    *editor_keys.ACTIONS,
    *launcher_keys.ACTIONS,
    *upkeep_keys.ACTIONS,
    *pages_keys.ACTIONS,
    *importing_keys.ACTIONS,
    *finding_keys.ACTIONS,
    *memory_keys.ACTIONS,
)
BY_ID: Mapping[str, Action] = {action.id: action for action in ACTIONS}


@cache
def of(*places: Where) -> tuple[Action, ...]:
    """Returns the actions of these places, in the order of the list."""
    return tuple(action for action in ACTIONS if action.where in places)


def unknown_ids(keymap: Iterable[str]) -> list[str]:
    """Returns the ids in a keymap that belong to no action."""
    return sorted(set(keymap) - set(BY_ID))
