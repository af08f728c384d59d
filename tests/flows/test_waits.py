"""How long a run waits before it asks a model again: it says so, and can be stopped meanwhile."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from tests.cli.command import PROGRAM
from tests.fake_messages import FakeMessages, Rule

OVERLOADED = Rule(mode="status", status=529)
SILENT = Rule(mode="slow")
FAILING = Rule(mode="status", status=503)


def lose_patience(home: Path) -> None:
    """From now on a model that shows no sign of life for 3 seconds has timed out."""
    config = home / "config/studio/config.toml"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text("[timeouts]\nfirst_byte = 3\n", "utf-8")


@pytest.mark.sweep
@pytest.mark.parametrize("rule", [OVERLOADED, SILENT], ids=["overloaded", "silent"])
def test_a_service_without_time_is_left_alone_for_half_a_minute(
    rule: Rule, book: Path, own_home: Path
) -> None:
    if rule is SILENT:
        lose_patience(own_home)
    assert "trying again in 30 s" in first_wait(rule, book)


@pytest.mark.sweep
def test_a_server_that_fails_is_soon_asked_again(book: Path) -> None:
    assert "trying again in 1 s" in first_wait(FAILING, book)


def first_wait(rule: Rule, book: Path) -> str:
    """What `studio write` says when it waits for the first time, where a signal ends it."""
    with FakeMessages(rule) as server:
        process = subprocess.Popen(
            [PROGRAM, "write", "--events", "--project", book],
            env={**os.environ, "ANTHROPIC_BASE_URL": server.url},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        warning = ""
        for line in process.stdout:
            event = json.loads(line)
            if event["type"] == "warning" and "trying again" in event["message"]:
                warning = event["message"]
                process.send_signal(signal.SIGTERM)
                break
        process.communicate(timeout=60)
    assert process.returncode == 143
    assert len(server.asked) <= 1
    return warning
