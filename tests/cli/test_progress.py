"""What a person sees of a run."""

from __future__ import annotations

import asyncio

import pytest

from studio import i18n
from studio.cli.progress import ProgressLines
from studio.messages import quantity
from studio.pipeline.events import (
    DecisionMade,
    DirectiveEvent,
    Event,
    Finish,
    MetricsEvent,
    Saved,
    SceneEvent,
    StageEvent,
    Text,
    UsageEvent,
    Waiting,
    WarningEvent,
)


def shown(capsys: pytest.CaptureFixture[str], *events: Event, streams: bool = False) -> str:
    progress = ProgressLines(streams)
    for event in events:
        progress(event)
    progress.end_line()
    return capsys.readouterr().out


def text(words: str) -> Text:
    return Text(stage="draft", agent="scene-drafter", scene=1, text=words)


def used(tokens: int, cost: float | None) -> UsageEvent:
    return UsageEvent(call="gen-1", model="m", tokens={"input": tokens, "output": 1}, cost=cost)


async def test_a_terminal_says_what_is_waited_for_and_takes_it_away_again(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("studio.cli.output.draws_in_place", lambda: True)
    monkeypatch.setattr("studio.cli.progress._TICK", 0.0)
    progress = ProgressLines(streams=True)
    progress(Waiting(agent="quality-oracle", what="reads the chapter", about=40))
    said = ""
    while "reads the chapter · 0 s of about 40" not in said:
        await asyncio.sleep(0)
        said += capsys.readouterr().err
    progress(used(5, 0.1))
    await asyncio.sleep(0)
    assert capsys.readouterr().err.endswith("\r\x1b[K")
    await asyncio.sleep(0)
    assert capsys.readouterr().err == "", "nothing is waited for any more"


async def test_what_is_waited_for_is_not_printed_into_a_file(
    capsys: pytest.CaptureFixture[str],
) -> None:
    progress = ProgressLines(streams=False)
    progress(Waiting(agent="quality-oracle", what="reads the chapter", about=40))
    progress(used(5, 0.1))
    assert capsys.readouterr().err == ""


def test_a_stage_is_named_and_then_done(capsys: pytest.CaptureFixture[str]) -> None:
    out = shown(
        capsys,
        StageEvent(name="draft", status="started"),
        StageEvent(name="draft", status="finished", note="3 scenes"),
        StageEvent(name="refine", status="skipped", note="your own text"),
    )
    assert out == "draft\n  done: 3 scenes\nrefine: not needed: your own text\n"


def test_the_colon_is_that_of_the_writers_language(capsys: pytest.CaptureFixture[str]) -> None:
    i18n.use("zh")
    out = shown(
        capsys,
        StageEvent(name="draft", status="finished", note="3 scenes"),
        DecisionMade(id="d", kind="refine", option="keep", by="mode"),
    )
    assert out.count("：") == 2
    assert ":" not in out


def test_prose_streams_where_a_person_watches(capsys: pytest.CaptureFixture[str]) -> None:
    out = shown(
        capsys,
        SceneEvent(number=1, status="started"),
        text("비가 "),
        text("그쳤다."),
        SceneEvent(number=1, status="finished"),
        streams=True,
    )
    assert out == "  scene 1\n비가 그쳤다.\n\n  scene 1 is done\n"


def test_prose_stays_out_of_a_log(capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(capsys, text("The rain had stopped.")) == ""


def test_streamed_prose_cannot_command_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    out = shown(capsys, text("\x1b]52;c;aGk=\x07 hello"), streams=True)  # req: S7
    assert "\x1b" not in out
    assert "hello" in out


def test_a_directive_and_a_decision_are_one_line_each(capsys: pytest.CaptureFixture[str]) -> None:
    directive = {"id": "dir_cut_001", "status": "accepted", "issue": "Says it\ntwice."}
    out = shown(
        capsys,
        DirectiveEvent(directive=directive),
        DecisionMade(id="g", kind="gate", option="polish", by="mode"),
        MetricsEvent(metrics={}, overall=4.25),
    )
    assert out == (
        "  dir_cut_001 accepted: Says it twice.\n"
        "  gate: polish, by the review mode\n"
        "  overall 4.25 of 5\n"
    )


def test_a_warning_goes_to_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    ProgressLines(streams=False)(WarningEvent(message="The lock was taken over."))
    assert capsys.readouterr() == ("", "Note: The lock was taken over.\n")


def test_an_answer_that_ended_early_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    early = Finish(stage="draft", agent="scene-drafter", finishReason="length")
    whole = Finish(stage="draft", agent="scene-drafter", finishReason="end")
    assert shown(capsys, early, whole) == "  the answer ended early: length\n"


def test_what_says_nothing_to_a_person_passes(capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(capsys, Saved(path="staging/x", sha256="0" * 64)) == ""


def test_cost_is_added_up_and_what_is_unknown_is_said_so() -> None:
    progress = ProgressLines(streams=False)
    assert progress.cost_sentence() == ""
    progress(used(1000, 0.25))
    progress(used(500, None))
    assert progress.cost_sentence() == (
        "Cost: $0.2500 (1,502 tokens in 2 calls, 1 call of unknown price)."
    )


def test_a_model_of_ones_own_costs_nothing_and_an_unpriced_one_is_unknown() -> None:
    free, unpriced = ProgressLines(streams=False), ProgressLines(streams=False)
    free(used(10, 0.0))
    unpriced(used(10, None))
    assert free.cost_sentence() == "Cost: nothing (11 tokens in 1 call)."
    assert unpriced.cost_sentence() == "Cost: unknown (11 tokens in 1 call)."


def test_numbers_agree_with_their_nouns() -> None:
    assert [quantity(n, "{n} chapter", "{n} chapters") for n in (1, 2)] == [
        "1 chapter",
        "2 chapters",
    ]
