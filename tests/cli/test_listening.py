"""Events as lines for programs."""

from __future__ import annotations

import json
from typing import Any

import pytest

from studio.cli.event_stream import EventLines, refusal
from studio.errors import Problem
from studio.pipeline.events import ErrorEvent, Event, Text


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_each_event_is_one_line_with_its_own_words(capsys: pytest.CaptureFixture[str]) -> None:
    listener = EventLines()
    listener(Text(seq=1, ts="t", chapter=3, stage="draft", agent="scene-drafter", text="등대\n불"))
    (line,) = lines(capsys)
    assert (line["type"], line["seq"], line["chapter"], line["text"]) == ("text", 1, 3, "등대\n불")


def test_a_failure_the_engine_has_not_said_follows_the_last_event(
    capsys: pytest.CaptureFixture[str],
) -> None:
    listener = EventLines()
    listener(Event(type="stage", seq=7))
    listener.fail(Problem("The disk is full.", "Make room.", kind="disk", retryable=True))
    line = lines(capsys)[-1]
    assert (line["type"], line["seq"], line["kind"]) == ("error", 8, "disk")
    assert (line["hint"], line["retryable"]) == ("Make room.", True)


def test_a_failure_the_engine_has_said_is_not_said_twice(
    capsys: pytest.CaptureFixture[str],
) -> None:
    listener = EventLines()
    listener(ErrorEvent(seq=2, kind="model", message="The model declined to write this."))
    listener.fail(Problem("The model declined to write this."))
    assert len(lines(capsys)) == 1


def test_a_refusal_is_the_first_event_of_a_run_that_never_began() -> None:
    event = refusal(Problem("The novel is locked.", kind="locked"))
    assert (event.seq, event.kind) == (1, "locked")
    assert event.ts.endswith("Z")
