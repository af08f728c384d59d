"""The only list of actions, one module per place: footer, command palette, help, docs/keys.md
and key bindings are made from it. The ids are stable, so that `[keymap]` in the user's config
can refer to them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from studio.tui.action import PLACES, Action, Where
from studio.tui.actions import (
    app,
    desk,
    editor,
    finding,
    importing,
    launcher,
    memory,
    pages,
    passages,
    plans,
    review,
    text,
    upkeep,
)

__all__ = ["ACTIONS", "BY_ID", "PLACES", "Action", "Where", "of", "unknown_ids"]

ACTIONS: tuple[Action, ...] = (
    *app.ACTIONS,
    *desk.ACTIONS,
    *plans.ACTIONS,
    *text.ACTIONS,
    *review.ACTIONS,
    *editor.ACTIONS,
    *launcher.ACTIONS,
    *upkeep.ACTIONS,
    *pages.ACTIONS,
    *passages.ACTIONS,
    *importing.ACTIONS,
    *finding.ACTIONS,
    *memory.ACTIONS,
)
BY_ID: Mapping[str, Action] = {action.id: action for action in ACTIONS}


@cache
def of(*places: Where) -> tuple[Action, ...]:
    """Returns the actions of these places, in the order of the list."""
    return tuple(action for action in ACTIONS if action.where in places)


def unknown_ids(keymap: Iterable[str]) -> list[str]:
    """Returns the ids in a keymap that belong to no action."""
    return sorted(set(keymap) - set(BY_ID))
