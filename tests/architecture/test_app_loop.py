"""Nothing reaches the app's loop from outside but through one door."""

from __future__ import annotations

import ast

import pytest

from tests.architecture import modules, relative, syntax

DOOR = "studio/tui/runtime/app_loop.py"
PAST_THE_DOOR = {
    "call_soon",
    "call_soon_threadsafe",
    "call_at",
    "call_from_thread",
    "run_coroutine_threadsafe",
    "run_in_executor",
    "add_signal_handler",
    "add_reader",
    "add_done_callback",
    "set_exception_handler",
    "get_running_loop",
    "get_event_loop",
    "get_loop",
}
"""Whoever holds the loop can have it call back outside the app's context."""


def names_in(path: str, code: ast.AST) -> list[str]:
    return [
        f"{path}:{node.lineno} {node.attr if isinstance(node, ast.Attribute) else node.id}"
        for node in ast.walk(code)
        if (isinstance(node, ast.Attribute) and node.attr in PAST_THE_DOOR)
        or (isinstance(node, ast.Name) and node.id in PAST_THE_DOOR)
    ]


@pytest.mark.sweep
def test_the_loop_of_the_app_is_reached_through_one_door() -> None:
    strangers = [
        name
        for path in modules("studio/tui")
        if relative(path) != DOOR
        for name in names_in(relative(path), syntax(path))
    ]
    assert strangers == [], f"only {DOOR} calls back in the context of the app"


@pytest.mark.parametrize(
    "code",
    ["loop.call_soon_threadsafe(work)", "from asyncio import x\nget_running_loop().call_later(1)"],
)
def test_a_way_past_the_door_is_seen(code: str) -> None:
    assert names_in("here", ast.parse(code)) != []
