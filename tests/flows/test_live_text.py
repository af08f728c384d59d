"""While a scene streams: what comes is seen at once, whatever keys are pressed meanwhile."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.command import PROGRAM
from tests.fake_messages import Asked, FakeMessages, Rule
from tests.tui.terminals import Terminal

pytestmark = pytest.mark.pty
ROUNDS = int(os.environ.get("STUDIO_TEST_ROUNDS", "3"))
OPENING, DELTAS = 3, 12
"""Deltas until a first line is long enough to be told from a heading, and those after it."""
SEEN_WITHIN = 10
"""Seconds; the next delta is sent when this one is on the screen, so none helps another."""
BEAT = 0.02
"""Seconds between two keys: shorter than a frame, so that one falls into each."""
UNBOUND = "0"


def words_of(request: int, number: int) -> str:
    """The words of one delta, of the length in which the fake server cuts its answer."""
    return f"{first_word(request, number)} hung on a wire "


def first_word(request: int, number: int) -> str:
    """What no other delta has."""
    return f"L{request:03d}x{number:03d}"


def is_draft(asked: Asked) -> bool:
    return asked.schema is None and asked.body.get("stream") is True


@pytest.fixture
def server() -> Iterator[FakeMessages]:
    def stepwise(asked: Asked) -> Rule | None:
        text = "".join(words_of(asked.index, number) for number in range(100))
        return Rule(mode="step", text=text) if is_draft(asked) else None

    with FakeMessages(answering=stepwise) as server:
        yield server


@pytest.fixture
def app(server: FakeMessages, project: Path) -> Iterator[Terminal]:
    environ = {"ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_API_KEY": "key-of-the-writer"}
    there = Terminal([str(project)], environ, program=str(PROGRAM), size=(120, 36))
    there.sees("The Lamp Room")
    there.sees("claude")  # the model's name is read last: everything is there
    yield there
    there.drop()


def drafts(server: FakeMessages) -> list[Asked]:
    return [asked for asked in server.asked if is_draft(asked)]


def stream(app: Terminal, server: FakeMessages, asked: Asked) -> None:
    """Sends a few deltas, each when the one before is on the screen, while keys are pressed."""
    for _ in range(OPENING):
        server.step(asked)
    app.sees(first_word(asked.index, 0))
    for _ in range(DELTAS):
        wanted = first_word(asked.index, asked.allowed)
        server.step(asked)
        app.until(
            lambda wanted=wanted: wanted in app.shown,  # type: ignore[misc]
            f"{wanted} on screen",
            patience=SEEN_WITHIN,
            beat=BEAT,
            each_beat=lambda: app.types(UNBOUND),
        )


@pytest.mark.sweep
def test_text_goes_on_coming_after_esc_and_w_and_leaving_ends_with_0(
    app: Terminal, server: FakeMessages
) -> None:
    for number in range(ROUNDS):
        app.types("w")
        app.until(lambda number=number: len(drafts(server)) > number, "request for a draft")  # type: ignore[misc]
        stream(app, server, drafts(server)[-1])
        if number < ROUNDS - 1:
            app.types("\x1b")
            app.sees("w Go on", gone="Esc Stop")
    app.child.sendcontrol("q")
    app.sees("Leave the studio?")
    app.types("y")
    assert app.ends() == 0
    assert "LookupError" not in app.bytes
