"""Stopped, killed and damaged runs: what is resumed is the same chapter, and nothing twice."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from studio.pipeline.events import Event
from studio.pipeline.outcome import Committed, NothingToDo, Stopped
from studio.session import WriteOrder
from tests.fake_messages import Asked, FakeMessages, Rule
from tests.forking import started
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import SCENES, Desk, Kind, Model, directive, judged, make_novel
from tests.pipeline.killing import killed_at_event, killed_at_fault, killed_at_saved

CALLS: list[Kind] = [
    "draft", "draft", "summary", "refine", "judge",
    "surgery", "reader", "surgery", "reader",
]  # fmt: skip


def proposing() -> Any:
    return judged(directives=[directive(1, 2), directive(2, 3, type="dialogue-subtext")])


def model() -> Model:
    return Model(judge=proposing())


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """The same novel written without an interruption."""
    with FakeMessages(answering=model()) as server:
        desk_ = Desk(make_novel(tmp_path_factory.mktemp("whole") / "novel"), server)
        assert isinstance(desk_.write().outcome, Committed)
        yield desk_


def assert_same(desk_: Desk, whole: Desk, *, asked_twice: int = 0) -> None:
    """The same chapter, and each call was asked once (but for those a kill cut, and the rest of a
    scene of which words stood)."""
    assert desk_.text() == whole.text()
    assert desk_.store.summary(1) == whole.store.summary(1)
    assert desk_.store.state() == whole.store.state()
    assert desk_.store.foreshadowing() == whole.store.foreshadowing()
    bodies = desk_.bodies()
    others = [body for body in bodies if "on from its last word" not in body]
    asked, wanted = Counter(others), Counter(whole.bodies())
    assert set(asked) <= set(wanted)
    assert set(asked) == set(wanted) or len(others) < len(bodies)
    assert sum(asked.values()) - sum(wanted.values()) <= asked_twice
    checkpoint = desk_.checkpoint
    assert (checkpoint.last_completed_chapter, checkpoint.inflight_chapter) == (1, None)
    assert desk_.store.hand_edits() == []
    changelog = desk_.store.changelog()
    assert [entry.chapter for entry in changelog.entries] == [1]
    assert not changelog.faults
    assert not (desk_.folder / ".novel.lock").exists()
    assert not list((desk_.folder / "staging").rglob("*.md"))


# Stopping


def stopped_when(desk_: Desk, when: Callable[[Event], bool]) -> Any:
    """A run that is cancelled at the first event that `when` picks."""

    async def run() -> Any:
        task: asyncio.Task[Any]
        stopped: list[Event] = []

        def listen(event: Event) -> None:
            if when(event) and not stopped:
                stopped.append(event)
                task.cancel()

        order = WriteOrder(review="accept")
        task = asyncio.create_task(desk_.session().write(order, listen))
        return await task

    return asyncio.run(run())


# req: B4
@pytest.mark.sweep
@pytest.mark.parametrize("number", range(len(CALLS)))
def test_stopped_in_any_call_it_resumes_to_the_same_chapter(
    desk: OpenDesk, whole: Desk, number: int
) -> None:
    desk_ = desk(model())
    calls = 0

    def when(event: Event) -> bool:
        nonlocal calls
        calls += event.type == "usage"
        return calls == number and event.type == "usage"

    if number == 0:
        outcome = stopped_when(desk_, lambda event: event.type == "text")
    else:
        outcome = stopped_when(desk_, when)
    assert outcome == Stopped(1)
    assert outcome.exit_code == 130
    assert not (desk_.folder / ".novel.lock").exists()
    assert isinstance(desk_.resume().outcome, Committed)
    assert_same(desk_, whole, asked_twice=1)


def test_what_had_been_streamed_stands(desk: OpenDesk) -> None:  # req: J3
    desk_ = desk(model())
    pieces: list[str] = []

    def when(event: Event) -> bool:
        if event.type == "text":
            pieces.append(event.text)  # type: ignore[attr-defined]
        return len(pieces) == 3

    stopped_when(desk_, when)
    text = (desk_.folder / "staging/scenes/chapter-001/scene-01.md").read_text("utf-8")
    assert "".join(pieces).startswith(text)
    assert len(text) > len("".join(pieces)) - 30


def test_a_stop_says_how_the_generation_ended(desk: OpenDesk) -> None:
    desk_ = desk(model())
    heard: list[Event] = []

    def when(event: Event) -> bool:
        heard.append(event)
        return event.type == "text"

    stopped_when(desk_, when)
    finish = next(e for e in heard if e.type == "finish")
    assert finish.stopped  # type: ignore[attr-defined]


# Killing


# req: B4
# req: E4
@pytest.mark.sweep
@pytest.mark.parametrize("first", range(5))
def test_killed_right_after_each_saved_file(desk: OpenDesk, whole: Desk, first: int) -> None:
    number = first + 1
    while True:
        desk_ = desk(model(), novel=f"killed-{number}")
        if not killed_at_saved(desk_, number):
            break
        ran = desk_.resume()
        assert isinstance(ran.outcome, Committed), (number, ran.outcome)
        assert_same(desk_, whole)
        number += 5
    assert number > 15


# req: B4
@pytest.mark.sweep
def test_killed_while_each_call_is_held_open(desk: OpenDesk, whole: Desk) -> None:
    for number, kind in enumerate(CALLS):
        desk_ = desk(Held(number), novel=f"held-{number}")
        pid = started(desk_.write)
        wait_for_call(desk_, number)
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        together = kind in ("summary", "refine")  # they are asked side by side
        assert kind in desk_.calls()[-2 if together else -1 :]
        desk_.server.released.set()
        ran = desk_.resume()
        assert isinstance(ran.outcome, Committed), (number, ran.outcome)
        assert "goes on from what was saved" in ran.warnings
        assert_same(desk_, whole, asked_twice=2 if together else 1)


class Held:
    """The usual answers; the n-th is never finished."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._model = model()

    def __call__(self, asked: Asked) -> Rule:
        rule = self._model(asked)
        if asked.index != self._number:
            return rule
        return Rule(mode="hold", after=1, text=rule.text, value=rule.value)


def wait_for_call(desk_: Desk, number: int) -> None:
    """Until the n-th request has had a piece of its answer."""
    until = time.monotonic() + 180
    asked = desk_.server.asked
    while len(asked) <= number or asked[number].sent < 1:
        assert time.monotonic() < until, "the call was never made"
        time.sleep(0.005)


POINTS = (
    "lock.after_claim",
    "commit.before_manifest",
    "commit.after_manifest",
    "commit.after_history",
    "commit.after_placement",
    "commit.after_placements",
    "commit.after_changelog",
    "commit.after_checkpoint",
    "commit.after_clearing",
)


# req: B7
# req: E4
@pytest.mark.sweep
@pytest.mark.parametrize("name", POINTS)
def test_killed_at_the_points_of_the_commit(desk: OpenDesk, whole: Desk, name: str) -> None:
    desk_ = desk(model())
    assert killed_at_fault(desk_, f"{name}:kill")
    ran = desk_.resume() if name != "lock.after_claim" else desk_.write()
    assert isinstance(ran.outcome, Committed), ran.outcome
    assert (ran.outcome.chapter, ran.outcome.title) == (1, "The Lamp Room")
    assert_same(desk_, whole)


# req: E4
@pytest.mark.sweep
@pytest.mark.parametrize("first", range(5))
def test_killed_at_changes_of_files_all_along_the_way(
    desk: OpenDesk, whole: Desk, first: int
) -> None:
    number = 5 + 23 * first
    while True:
        desk_ = desk(model(), novel=f"change-{number}")
        if not killed_at_fault(desk_, f"fsio.any:kill:{number}"):
            break
        ran = desk_.resume()
        if isinstance(ran.outcome, NothingToDo) and not desk_.checkpoint.last_completed_chapter:
            ran = desk_.write()
        assert ran.exit_code == 0, (number, ran.outcome)
        assert_same(desk_, whole, asked_twice=1)
        number += 115
    assert number > 150


@pytest.mark.sweep
def test_killed_twice_on_the_way(desk: OpenDesk, whole: Desk) -> None:
    desk_ = desk(model())
    assert killed_at_saved(desk_, 3)
    assert killed_at_saved(desk_, 4)
    assert killed_at_fault(desk_, "commit.after_placement:kill:3")
    assert killed_at_fault(desk_, "commit.after_changelog:kill")
    assert isinstance(desk_.resume().outcome, Committed)
    assert_same(desk_, whole)


@pytest.mark.sweep
def test_a_surgery_round_is_not_held_twice_after_a_kill(desk: OpenDesk) -> None:
    """Code finds something new in the operated text: only a new round may act on it."""

    crowded = (
        "Under the last of them she saw the boards and felt that they were pale, as if something"
        " had lain there for years, and she noticed that the paleness had the shape of a key, and"
        " she could see the broken ward."
    )

    def operated(asked: Asked) -> Rule:
        return Rule(text=crowded if "[1.2]" in asked.prompt else "\n\n".join(SCENES[2][2:3]))

    verdict = judged(directives=[directive(1, 2)])
    one = desk(Model(surgery=operated, judge=verdict), novel="one")
    two = desk(Model(surgery=operated, judge=verdict), novel="two")
    one.write()
    assert crowded in one.text()
    last = one.calls().count("surgery")
    fixed = 0

    def when(event: Event) -> bool:
        nonlocal fixed
        after_fix = fixed and event.type == "saved" and "chapters" in event.path  # type: ignore[attr-defined]
        fixed += event.type == "directive" and event.directive["status"] == "kept"  # type: ignore[attr-defined]
        return bool(after_fix)

    assert killed_at_event(two, when)
    assert isinstance(two.resume().outcome, Committed)
    assert two.calls().count("surgery") == last
    assert two.text() == one.text()


# A real process


SCRIPT = """
import asyncio, os, sys
from pathlib import Path
from studio.session import Session, WriteOrder
def emit(event):
    sys.stdout.buffer.write(event.line()); sys.stdout.buffer.flush()
session = Session.open(Path(sys.argv[1]), os.environ)
outcome = asyncio.run(session.write(WriteOrder(review="accept"), emit))
sys.exit(int(outcome.exit_code))
"""


def process(desk_: Desk) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(desk_.folder)],
        env=desk_.environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


# req: B4
# req: C5
@pytest.mark.sweep
def test_a_process_killed_from_outside_is_resumed_by_another(desk: OpenDesk, whole: Desk) -> None:
    desk_ = desk(Held(4))
    first = process(desk_)
    wait_for_call(desk_, 4)
    first.kill()
    output, _ = first.communicate()
    assert [json.loads(line)["seq"] for line in output.splitlines()][:3] == [1, 2, 3]
    desk_.server.released.set()
    ran = desk_.resume()
    assert isinstance(ran.outcome, Committed)
    assert "goes on from what was saved" in ran.warnings
    assert_same(desk_, whole, asked_twice=1)


# req: E9
@pytest.mark.sweep
def test_the_second_of_two_processes_is_refused(desk: OpenDesk) -> None:
    desk_ = desk(Held(0))
    running = threading.Thread(target=desk_.write)
    running.start()
    wait_for_call(desk_, 0)
    ran = desk_.write()
    assert ran.exit_code == 3
    assert "The studio is at work on this book" in ran.of("error")[0].message
    assert "chapter 1" in ran.of("error")[0].message
    desk_.server.released.set()
    running.join()
    assert desk_.checkpoint.last_completed_chapter == 1
