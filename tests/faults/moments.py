"""The faults at every call of a step: a kill, a full disk, a broken one."""

from __future__ import annotations

import signal
from collections.abc import Callable
from typing import NamedTuple

from tests.faults import tally
from tests.faults.invariants import assert_harmless
from tests.faults.tracing import CHANGES, Ended, traced

LOOKS = ("openat", "read", "close", "getdents64", "newfstatat")
"""Calls that change nothing, and can fail all the same."""
FAULTS = ("signal=KILL", "error=ENOSPC", "error=EIO")


class Moment(NamedTuple):
    """A fault at one call."""

    call: str
    number: int
    fault: str

    def hit(self, step: Callable[[], object], begin: Callable[[], object]) -> Ended:
        """The step with this fault in it: done, refused in words, or killed. `begin` makes what the
        step works on as it is before."""
        tally.fault("faults at every call of a step")
        ended = traced(step, self.call, f"{self.fault}:when={self.number}", begin)
        assert ended.code in (0, 1, -signal.SIGKILL), (self, ended.said)
        assert_harmless(ended.said.encode())
        return ended


def moments(step: Callable[[], object], share: int, variants: int = 1) -> list[Moment]:
    """The faults this share of the run tries: of all there are, or of a part of them."""
    ended = traced(step, ",".join((*CHANGES, *LOOKS)))
    assert ended.code == 0, ended.said
    every = [
        Moment(call, number, fault)
        for call in sorted(ended.calls)
        for number in range(1, ended.calls[call] + 1)
        for fault in (FAULTS if call in CHANGES else FAULTS[2:])
    ]
    chosen = tally.points(len(every), 8, variants)[share :: len(tally.SHARES)]
    return [every[point - 1] for point in chosen]
