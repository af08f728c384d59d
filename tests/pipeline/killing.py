"""Runs that are killed: a child process that dies with SIGKILL at a named moment."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from typing import Any

from studio.fsio import fault_points
from studio.pipeline.events import Event, SceneEvent
from tests.forking import in_child
from tests.pipeline.flows import Desk


def die() -> None:
    """The end, as the kernel or a power cut makes it."""
    os.kill(os.getpid(), signal.SIGKILL)


def first_scene_done(event: Event) -> bool:
    """Whether a scene is whole: `killed_at_event` ends the run behind the first."""
    return isinstance(event, SceneEvent) and event.status == "finished"


def killed_at_event(desk: Desk, when: Callable[[Event], bool], **order: Any) -> bool:
    """Writes and dies at the first event that `when` picks; False if there was none."""

    def listen(event: Event) -> None:
        if when(event):
            die()

    code = in_child(lambda: desk.write(listen, **order))
    assert code in (0, -signal.SIGKILL)
    return code != 0


def killed_at_saved(desk: Desk, number: int, **order: Any) -> bool:
    """Dies right after the n-th `saved` event, counted from 1."""
    count = 0

    def when(event: Event) -> bool:
        nonlocal count
        count += event.type == "saved"
        return event.type == "saved" and count == number

    return killed_at_event(desk, when, **order)


def killed_at_fault(desk: Desk, fault: str, **order: Any) -> bool:
    """Dies at a named point of fsio (`commit.after_manifest:kill:1`)."""

    def work() -> None:
        fault_points.arm(fault)
        desk.write(**order)

    code = in_child(work)
    assert code in (0, -signal.SIGKILL)
    return code != 0
