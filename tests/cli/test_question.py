"""Decisions put to the writer."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from studio.cli import keyboard, prompt
from studio.cli.program import catch, command_line
from studio.project.lock.holder import process_start
from studio.session import Session
from studio.story.checkpoint import Decision
from tests.pipeline.at_the_prompt import typing
from tests.project.locks import info_of, leave_lock
from tests.project.novels import make_novel

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


def test_a_scene_that_another_window_is_writing_did_not_break_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = make_novel(tmp_path / "novel").layout.folder
    question = GATE.model_copy(
        update={"kind": "cut_off", "rationale": "Scene 2 broke off.", "id": "scene-002"}
    )
    monkeypatch.setattr(Session, "pending", lambda session: question)

    def printed(*words: str) -> str:
        catch(command_line, ["decide", *words, "--project", str(folder)])
        return capsys.readouterr().out

    assert "broke off" in printed()
    other = os.getppid()
    leave_lock(folder, info_of(folder, pid=other, process_start=process_start(other)))
    out = printed()
    assert "broke off" not in out
    assert "being written in another window since" in out
    assert json.loads(printed("--json"))["decision"] is None
