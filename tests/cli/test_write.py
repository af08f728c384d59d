"""`write` and `resume` around a session that does as it is told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from studio.cli import keyboard, prompt
from studio.cli.commands import write
from studio.errors import Exit, Problem, StudioError, usage
from studio.pipeline.events import ErrorEvent, StageEvent, UsageEvent
from studio.pipeline.outcome import Committed, Failed, NothingToDo, Outcome, Paused, Stopped
from studio.project.commit.writing import hold_for_writing
from studio.project.store import ProjectStore
from studio.session import WriteOrder
from studio.story.checkpoint import Answer, Checkpoint, Decision
from studio.story.ledger import FREE, Estimate, UsageLedger
from studio.story.review.left_open import LeftOpen
from tests.cli.conftest import Typed
from tests.pipeline.flows import make_novel

REVIEW = Decision(
    id="review-001", kind="review", recommendation="commit", options=("commit", "edit")
)


class Played:
    """A session with its outcomes written down beforehand."""

    def __init__(self, *outcomes: Outcome | Exception) -> None:
        self.outcomes = list(outcomes)
        self.orders: list[tuple[str, WriteOrder]] = []
        self.answers: list[tuple[str, str | None]] = []
        self.price = FREE
        self.store = SimpleNamespace(checkpoint=Checkpoint)

    def previews(self) -> SimpleNamespace:
        """Every chapter costs the same."""
        return SimpleNamespace(price_of_writing=lambda *_order: self.price)

    async def write(self, order: WriteOrder, emit: Callable[[Any], None]) -> Outcome:
        return self._next("write", order, emit)

    async def resume(self, order: WriteOrder, emit: Callable[[Any], None]) -> Outcome:
        return self._next("resume", order, emit)

    def decide(self, option: str, decision_id: str | None = None, note: str = "") -> Answer | None:
        self.answers.append((option, decision_id))
        return None if option == "edit" else Answer(id="x", kind="review", option=option)

    def costs(self) -> SimpleNamespace:
        """Nothing was spent."""
        return SimpleNamespace(ledger=UsageLedger(()))

    def _next(self, method: str, order: WriteOrder, emit: Callable[[Any], None]) -> Outcome:
        self.orders.append((method, order))
        emit(StageEvent(seq=1, name="draft", status="started"))
        outcome = self.outcomes.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome


Play = Callable[..., Played]


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch) -> Play:
    """`play(outcome, ...)`: what the runs of the next command come to."""

    def prepared(*outcomes: Outcome | Exception) -> Played:
        session = Played(*outcomes)
        monkeypatch.setattr(write, "open_session", lambda *_, **__: session)
        monkeypatch.setattr(prompt, "say_where_to_work", lambda *_: None)
        monkeypatch.setattr(write, "ask_for_window", lambda _: None)
        return session

    return prepared


@pytest.fixture
def at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Somebody sits there and types these lines."""

    def typing(*lines: str) -> None:
        waiting = iter(lines)
        monkeypatch.setattr(keyboard, "asks", lambda: True)
        monkeypatch.setattr(keyboard, "read_line", lambda: next(waiting))

    return typing


def test_a_commit_is_told_with_title_and_badge(play: Play, typed: Typed) -> None:
    play(Committed(3, "등대의 방", ("not judged",)))
    ended = typed("write")
    assert ended.code == Exit.DONE
    assert "Chapter 3, “등대의 방”, is in the book. [not judged]" in ended.out
    assert ended.err == ""


def test_a_pause_shows_the_question_and_ends_with_4(play: Play, typed: Typed) -> None:  # req: E5
    play(Paused(REVIEW))
    ended = typed("write", "3")
    assert ended.code == Exit.DECIDE
    assert "`studio decide commit`" in ended.out


def test_a_failure_ends_with_its_own_code_on_stderr(play: Play, typed: Typed) -> None:
    play(Failed(Problem("The model declined to write this.", "Say it otherwise.", "", Exit.MODEL)))
    ended = typed("write")
    assert ended.code == Exit.MODEL
    assert ended.err == "The model declined to write this.\nSay it otherwise.\n"


def test_a_stop_without_a_signal_ends_with_130_and_says_how_to_go_on(
    play: Play, typed: Typed
) -> None:
    play(Stopped(3))
    ended = typed("write")
    assert ended.code == Exit.INTERRUPTED
    assert ended.err == "Stopped in chapter 3; nothing is lost. `studio resume` goes on.\n"


@pytest.mark.parametrize(
    "left", [Stopped(1), Paused(REVIEW), Failed(Problem("No answer.", "", "", Exit.MODEL))]
)
def test_a_run_that_asks_nobody_says_that_going_on_asks_and_how_it_does_not(
    play: Play, typed: Typed, tmp_path: Path, left: Outcome
) -> None:
    store = ProjectStore(make_novel(tmp_path / "novel"))
    here = ("--project", store.layout.folder)
    play(left, left, left)
    nothing_open = typed("write", "--review", "accept", *here)
    assert "--review" not in nothing_open.out + nothing_open.err
    with hold_for_writing(store):
        store.save_checkpoint(store.checkpoint().model_copy(update={"inflight_chapter": 1}))
    attended = typed("write", *here)
    assert "asks you" not in attended.out + attended.err
    ended = typed("write", "--review", "accept", *here)
    place = f"--project {store.layout.folder}"
    asks = f"`studio resume {place}` asks you from here on"
    assert f"{asks}; `studio resume --review accept {place}` goes on without." in ended.err


def test_nothing_to_resume_is_no_failure(play: Play, typed: Typed) -> None:
    play(NothingToDo("There is no interrupted chapter."))
    ended = typed("resume")
    assert ended.code == Exit.DONE
    assert "There is no interrupted chapter." in ended.out


def test_the_order_holds_what_was_typed(play: Play, typed: Typed, tmp_path: Path) -> None:
    session = play(Committed(2, "Night"))
    typed("write", "2", "--review", "reject", "--direction", "더 어둡게", "--draft", tmp_path / "d")
    order = session.orders[0][1]
    assert order == WriteOrder(
        chapter=2, review="reject", direction="더 어둡게", draft=tmp_path / "d"
    )


def test_events_are_all_that_stdout_holds(play: Play, typed: Typed) -> None:
    play(Committed(1, "Night"))
    ended = typed("write", "--events")
    assert [event["type"] for event in ended.events] == ["stage"]
    assert "is in the book" in ended.err


def test_a_failure_is_an_event_even_if_the_engine_kept_silent(play: Play, typed: Typed) -> None:
    play(usage("draft.md holds no prose."))
    ended = typed("write", "--events")
    assert ended.code == Exit.USAGE
    assert [(e["type"], e["seq"]) for e in ended.events] == [("stage", 1), ("error", 2)]
    assert ended.err == "draft.md holds no prose.\n"


def test_count_writes_one_chapter_after_another(play: Play, typed: Typed) -> None:
    session = play(Committed(4, "A"), Committed(5, "B"))
    ended = typed("write", "4", "--count", "2", "--direction", "rain", "--review", "accept")
    assert ended.code == Exit.DONE
    assert [order.chapter for _, order in session.orders] == [4, None]
    assert [order.direction for _, order in session.orders] == ["rain", ""]


@pytest.mark.parametrize(
    ("order", "words"),
    [
        (("write",), "It costs about 4 cents (at most 68).\n"),
        (
            ("write", "--count", "2", "--review", "accept"),
            "It costs about 8 cents (at most $1.36).",
        ),
        (("write", "--count", "2"), "It costs about 4 cents (at most 68).\n"),
        (("resume",), "It costs about 4 cents (at most 68).\n"),
        (("write", "--json"), ""),
        (("write", "--scene", "2"), ""),
    ],
)
def test_what_it_costs_is_said_first(
    play: Play, typed: Typed, order: tuple[str, ...], words: str
) -> None:
    session = play(Committed(4, "A"), Committed(5, "B"))
    session.price = Estimate(0.04, 0.68)
    err = typed(*order).err
    assert err.startswith(words) if words else "It costs" not in err, err


def test_the_last_words_of_a_series_say_where_what_was_left_open_is_told(
    play: Play, typed: Typed
) -> None:
    """Met: `1 left open` was its last line of a chapter, and nothing there said what."""
    play(Committed(4, "A", left_open=(LeftOpen(kind="undecided"),)), Committed(5, "B"))
    last = typed("write", "--count", "2", "--review", "accept").out.rpartition("1 left open")[2]
    assert "Something was left open in chapter 4. `studio status" in last


def test_count_ends_where_a_chapter_does_not_commit(play: Play, typed: Typed) -> None:
    session = play(Committed(4, "A"), Paused(REVIEW), Committed(5, "B"))
    assert typed("write", "--count", "3", "--review", "accept").code == Exit.DECIDE
    assert len(session.outcomes) == 1


def test_count_goes_with_neither_a_draft_nor_a_second_look(typed: Typed) -> None:
    assert typed("write", "--count", "2", "--again").code == Exit.USAGE
    assert typed("write", "--count", "2", "--draft", "x.md").code == Exit.USAGE


def test_at_a_terminal_the_question_is_asked_and_the_run_goes_on(
    play: Play, typed: Typed, at_a_terminal: Callable[..., None]
) -> None:  # req: E5
    session = play(Paused(REVIEW), Committed(3, "Night"))
    at_a_terminal("commit")
    assert typed("write", "3").code == Exit.DONE
    assert session.answers == [("commit", "review-001")]
    assert [method for method, _ in session.orders] == ["write", "resume"]


@pytest.mark.parametrize("line", ["", "edit"])
def test_an_answer_that_leaves_the_question_open_ends_with_4(
    line: str, play: Play, typed: Typed, at_a_terminal: Callable[..., None]
) -> None:
    play(Paused(REVIEW))
    at_a_terminal(line)
    assert typed("write").code == Exit.DECIDE


def test_programs_and_review_modes_are_never_asked(
    play: Play, typed: Typed, at_a_terminal: Callable[..., None]
) -> None:
    at_a_terminal()
    play(Paused(REVIEW))
    assert typed("write", "--events").code == Exit.DECIDE
    play(Paused(REVIEW))
    assert typed("write", "--review", "accept").code == Exit.DECIDE


def test_the_engines_own_error_event_is_not_repeated(
    typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = Problem("The budget is reached.", exit_code=Exit.BUDGET, kind="budget")

    class Poor(Played):
        async def write(self, order: WriteOrder, emit: Callable[[Any], None]) -> Outcome:
            emit(ErrorEvent(seq=1, kind="budget", message=problem.message))
            return Failed(problem)

    monkeypatch.setattr(write, "open_session", lambda *_, **__: Poor())
    ended = typed("write", "--events")
    assert ended.code == Exit.BUDGET
    assert len(ended.events) == 1


def test_the_cost_of_the_run_is_told(typed: Typed, monkeypatch: pytest.MonkeyPatch) -> None:
    class Costly(Played):
        async def write(self, order: WriteOrder, emit: Callable[[Any], None]) -> Outcome:
            emit(UsageEvent(call="g", model="m", tokens={"input": 9, "output": 1}, cost=0.5))
            return Committed(1, "Night")

    monkeypatch.setattr(write, "open_session", lambda *_, **__: Costly())
    assert "Cost: $0.5000 (10 tokens in 1 call)." in typed("write").out


def test_a_session_that_cannot_be_opened_is_said(
    typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    def closed(*_: object, **__: object) -> None:
        raise StudioError(Problem("studio.toml is broken.", exit_code=Exit.DAMAGED))

    monkeypatch.setattr(write, "open_session", closed)
    assert typed("resume").code == Exit.DAMAGED


# req: A1
def test_who_plans_the_scenes_is_a_setting_of_the_run(novel: Path, typed: Typed) -> None:
    from studio.config.load import load_settings

    overrides = write._overrides(None, None, None, "plan")
    assert load_settings(novel, {}, overrides).generation.scenes == "plan"
    assert load_settings(novel, {}, {}).generation.scenes == "model"
    assert typed("write", "--scenes", "somebody").code == Exit.USAGE
