"""Decisions put to the writer."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.cli import keyboard, prompt
from studio.story.checkpoint import Decision
from tests.pipeline.at_the_prompt import typing

GATE = Decision(
    id="gate-003",
    kind="gate",
    recommendation="draft-again",
    options=("draft-again", "review", "keep", "edit"),
    rationale="The gate says revise: pacing is 3.1.",
    data={"options": {"keep": "Take the chapter as it is.", "draft-again": "Draft it again."}},
)


def test_a_decision_shows_its_options_and_how_to_answer(
    capsys: pytest.CaptureFixture[str],
) -> None:  # req: E5
    prompt.show(GATE, Path("my book"))
    out = capsys.readouterr().out
    assert "The gate says revise: pacing is 3.1." in out
    assert "  >  draft-again  Draft it again." in out
    assert "     keep         Take the chapter as it is." in out
    assert "`studio decide draft-again --project 'my book'`" in out


def test_open_directives_are_pointed_to(capsys: pytest.CaptureFixture[str]) -> None:
    review = GATE.model_copy(update={"data": {"pending": ["dir_cut_001"]}})
    prompt.show(review, Path("."))
    assert "`studio directives list`" in capsys.readouterr().out


def test_an_option_may_be_shortened(monkeypatch: pytest.MonkeyPatch) -> None:
    typing(monkeypatch, "K")
    assert prompt.ask(GATE) == "keep"


def test_what_is_no_option_is_asked_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typing(monkeypatch, "burn it", "review")
    assert prompt.ask(GATE) == "review"
    assert "The options are draft-again, review, keep, edit." in capsys.readouterr().out


@pytest.mark.parametrize("lines", [[""], []])
def test_enter_and_the_end_of_input_leave_the_question_open(
    lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    typing(monkeypatch, *lines)
    assert prompt.ask(GATE) is None


def test_nobody_is_asked_without_a_terminal() -> None:
    assert not keyboard.asks()
