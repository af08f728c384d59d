"""The fault tests: their summary, and files that need no syncing where no power is cut."""

from __future__ import annotations

import os
from typing import Any

import pytest

from tests.faults import tally


@pytest.fixture
def no_syncing(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests whose faults a kernel survives."""
    monkeypatch.setattr(os, "fsync", lambda fd: None)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A worker of pytest-xdist hands its counts over."""
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["faults"] = tally.figures()


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object) -> None:
    """The counts of a worker arrive."""
    tally.add(getattr(node, "workeroutput", {}).get("faults", {"tried": {}, "checked": {}}))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """What was tried."""
    if not tally.tried:
        return
    failures = sum(len(terminalreporter.stats.get(kind, ())) for kind in ("failed", "error"))
    passed = len(terminalreporter.stats.get("passed", ()))
    terminalreporter.section("faults")
    for line in tally.summary(failures, passed):
        terminalreporter.write_line(line)
