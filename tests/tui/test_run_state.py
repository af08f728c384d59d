"""Events in, what the writer sees out."""

from __future__ import annotations

import time

import pytest

from studio.pipeline.events import (
    Again,
    CommittedEvent,
    DecisionRequired,
    DirectiveEvent,
    ErrorEvent,
    Event,
    Finish,
    MetricsEvent,
    PrewriterText,
    RewriteText,
    SceneEvent,
    StageEvent,
    Text,
    ToolCall,
    UsageEvent,
    WarningEvent,
)
from studio.pipeline.outcome import Stopped
from studio.tui.views.run.moment import begin_run, end_run
from studio.tui.views.run.run_state import apply_events, coalesce


def text(words: str, scene: int = 1) -> Text:
    return Text(stage="draft", agent="scene-drafter", scene=scene, text=words)


def rewrite(words: str, directive: str | None = "dir_cut_001") -> RewriteText:
    return RewriteText(
        stage="review", agent="prose-surgeon", scene=1, text=words, directive=directive
    )


def brief(words: str) -> PrewriterText:
    return PrewriterText(stage="draft", agent="prewriter", scene=1, text=words)


def after(*events: Event):  # type: ignore[no-untyped-def]
    return apply_events(begin_run(3), events)


def test_a_stage_is_at_work_until_it_is_finished() -> None:
    state = after(StageEvent(name="draft", status="started"))
    assert (state.stage, dict(state.stages)) == ("draft", {"draft": "started"})
    state = apply_events(state, [StageEvent(name="draft", status="finished", note="3 scenes")])
    assert (state.stage, state.note) == (None, "3 scenes")


def test_scenes_stream_into_one_text_with_breaks_between_them() -> None:
    state = after(
        SceneEvent(number=1, status="started"),
        text("비가 "),
        text("그쳤다.\n"),
        SceneEvent(number=1, status="finished"),
        SceneEvent(number=2, status="started"),
        text("钟声响了。", scene=2),
    )
    assert state.prose == "비가 그쳤다.\n\n* * *\n\n钟声响了。"
    assert state.scene == 2


def test_text_only_ever_grows_at_its_end_while_a_scene_streams() -> None:
    state, before = begin_run(1), ""
    for piece in ("The rain", " \n", "\nstopped.", "  ", "\n\nThen"):
        state = apply_events(state, [text(piece)])
        assert state.prose.startswith(before)
        before = state.prose


def test_a_scene_that_is_drafted_again_begins_with_an_empty_page() -> None:
    state = after(SceneEvent(number=1, status="started"), text("A first try."))
    assert apply_events(state, [SceneEvent(number=1, status="started")]).prose == ""


def test_an_answer_that_begins_anew_leaves_nothing_of_the_try_before() -> None:
    anew = Again(stage="draft", agent="scene-drafter", scene=2)
    state = after(text("One."), text("Half of", 2), anew, text("Two.", 2))
    assert state.prose == "One.\n\n* * *\n\nTwo."
    anew = Again(stage="review", agent="prose-surgeon", scene=1, directive="dir_cut_001")
    state = after(text("One."), rewrite("The la"), anew, rewrite("A key."))
    assert state.rewrites == {"dir_cut_001": "A key."}
    assert state.prose == "One."


REWRITERS = ("style-refiner", "assembly", "prose-surgeon", "quality-oracle")


@pytest.mark.parametrize("agent", REWRITERS)
def test_a_rewrite_that_begins_anew_or_looks_up_leaves_the_scene_that_stands(agent: str) -> None:
    whose = {"stage": "draft", "agent": agent, "scene": 1}
    written = after(text("The lamp."), brief("She is afraid."), RewriteText(**whose, text="A ke"))
    state = apply_events(written, [Again(**whose)])
    assert (state.texts, state.briefs) == ({1: "The lamp."}, {1: "She is afraid."})
    assert state.rewrites == {}
    looking = ToolCall(**whose, id="u1", toolName="find_state", args={})
    assert apply_events(written, [looking]).prose == "The lamp."


def test_a_draft_that_begins_anew_leaves_its_brief_and_a_brief_only_itself() -> None:
    drafter, prewriter = ({"stage": "draft", "agent": a} for a in ("scene-drafter", "prewriter"))
    written = after(brief("Half a br"), Again(**prewriter, scene=1), brief("Afraid."), text("The"))
    assert (written.briefs, written.texts) == ({1: "Afraid."}, {1: "The"})
    anew = apply_events(written, [Again(**drafter, scene=1)])
    assert (anew.briefs, anew.texts) == ({1: "Afraid."}, {1: ""})


def test_neighbouring_pieces_of_one_text_are_joined_and_others_are_not() -> None:
    events = [text("a"), text("b"), text("c", 2), rewrite("d"), rewrite("e"), rewrite("f", None)]
    joined = coalesce(events)
    assert [getattr(event, "text", "") for event in joined] == ["ab", "c", "de", "f"]


def test_the_surgeons_words_are_kept_by_directive_until_it_is_done() -> None:
    state = after(rewrite("The lamp "), rewrite("turned."))
    assert state.rewrites == {"dir_cut_001": "The lamp turned."}
    assert state.rewriting == "dir_cut_001"
    done = apply_events(
        state, [DirectiveEvent(directive={"id": "dir_cut_001", "status": "applied"})]
    )
    assert dict(done.rewrites) == {}
    assert done.directives_changed == 1


def test_tokens_and_money_add_up_and_an_unknown_price_is_counted() -> None:
    tokens = {"input": 100, "output": 20, "thinking": None}
    state = after(
        UsageEvent(call="a", model="m", tokens=tokens, cached=50, cost=0.25),
        UsageEvent(call="a", model="m", tokens={"input": None, "output": None}, cost=None),
    )
    spent = state.spending
    assert (spent.calls, spent.input, spent.output, spent.cached) == (2, 150, 20, 50)
    assert (spent.cost, spent.unpriced) == (0.25, 1)


def test_questions_errors_and_commits_are_remembered() -> None:
    asked = DecisionRequired(id="d", kind="gate", recommendation="keep", options=("keep",))
    state = after(
        asked,
        WarningEvent(message="The draft is short."),
        ErrorEvent(kind="model", message="The model failed."),
        MetricsEvent(metrics={}, overall=4.25),
        CommittedEvent(title="The Lamp Room", sha256="0" * 64),
        Finish(stage="draft", agent="scene-drafter", finishReason="end_turn"),
    )
    assert state.decision is asked
    assert state.warnings == ("The draft is short.",)
    assert state.error is not None
    assert state.committed is not None
    assert (state.overall, state.finished) == (4.25, "end_turn")
    assert "error: The model failed." in state.journal


def test_an_ended_run_does_not_run() -> None:
    state = end_run(after(text("x")), Stopped(3))
    assert (state.running, state.outcome) == (False, Stopped(3))
    assert state.prose == "x"


def test_the_chapter_is_the_one_the_events_name() -> None:
    assert after(StageEvent(name="lock", status="started", chapter=7)).chapter == 7


def test_what_a_model_looks_up_is_named_until_words_of_an_answer_follow() -> None:  # req: C11
    whose = {"stage": "draft", "agent": "scene-drafter", "scene": 1}
    use, args = {**whose, "id": "u1"}, {"name": "Mara\n\x1b[2J", "about": ""}
    asked = ToolCall(**use, toolName="find_character", args=args)
    looking = after(text("Let me see."), Again(**whose), asked)
    assert looking.look_up == ("looks a person up", "Mara ␛[2J")
    assert looking.texts[1] == ""
    assert looking.journal[-1] == "looks a person up: Mara ␛[2J"
    foreign = apply_events(looking, [ToolCall(**use, toolName="find_ships", args={})])
    assert foreign.look_up == ("looks something up", "")
    assert apply_events(foreign, [text("The lamp")]).look_up is None
    assert end_run(foreign, Stopped(chapter=3)).look_up is None


def test_the_scenes_of_a_serial_join_while_they_stream() -> None:  # req: K3
    first, second = text("문이 열렸다.", 1), text("비가 왔다.", 2)
    run = after(first, second)
    assert run.prose == "문이 열렸다.\n\n* * *\n\n비가 왔다."
    assert run._replace(joins=True).prose == "문이 열렸다.\n\n비가 왔다."


# req: K2
def test_each_line_of_the_log_says_when_by_the_writers_clock(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TZ", "KST-9")
    time.tzset()
    began = StageEvent(name="draft", status="started", ts="2026-11-27T15:24:10.125Z", chapter=3)
    ended = began.model_copy(update={"status": "finished", "ts": "2026-11-27T15:31:59.000Z"})
    assert apply_events(begin_run(3), (began, ended)).journal == (
        "00:24  Drafting the scenes",
        "00:31  The scenes are drafted.",
    )


def test_the_log_says_in_plain_words_what_became_of_a_stage_and_a_scene() -> None:
    run = after(
        SceneEvent(number=1, status="skipped"),
        SceneEvent(number=2, status="finished"),
        StageEvent(name="gate", status="finished", note="revise"),
        StageEvent(name="review", status="skipped", note="nothing is proposed"),
        StageEvent(name="judge", status="failed", note="the model does not answer"),
    )
    assert run.journal == (
        "scene 1 was done before",
        "scene 2 is done",
        "Some of it could be told better.",
        "Your review: not needed, nothing is proposed",
        "Reading the chapter: failed: the model does not answer",
    )
