"""What does not depend on each other runs side by side, is heard in order, and loses nothing where
one of the two fails (WRITING 6)."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Callable
from typing import Any

import pytest

from studio.llm.errors import BudgetError
from studio.pipeline.outcome import Committed, Stopped
from studio.pipeline.turns import MOST_AT_ONCE, is_kept, side_by_side
from studio.session import WriteOrder
from studio.story.review.operations import SLICE_PARAGRAPHS
from tests.fake_messages import Asked, Rule
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import SCENES as SCENES_OF_FLOWS
from tests.pipeline.flows import (
    SETTINGS,
    Desk,
    Model,
    block,
    directive,
    drafted,
    judged,
    preferring,
    refined,
    summarized,
)
from tests.project.novels import put

REFUSED = Rule(text="I cannot help with that.", stop_reason="refusal")
BROKEN = Rule(mode="status", status=400)
PATIENCE = 20.0


class Meeting:
    """Calls that are answered once all of them were asked: only calls under way together are."""

    def __init__(self, parties: int) -> None:
        self._barrier = threading.Barrier(parties)

    def before(self, answer: Callable[[Asked], Rule]) -> Callable[[Asked], Rule]:
        """The answer, once the others were asked too."""

        def wait(asked: Asked) -> Rule:
            self._barrier.wait(PATIENCE)
            return answer(asked)

        return wait


def model(**answers: Any) -> Model:
    return Model(draft=drafted, reader=preferring("same"), **answers)


def index(ran: Any, wanted: Callable[[Any], bool]) -> int:
    return next(n for n, event in enumerate(ran.events) if wanted(event))


# Line edits beside the summary


# req: J6
def test_the_line_editor_reads_while_the_chapter_is_summarized_and_is_heard_after_it(
    desk: OpenDesk,
) -> None:
    both = Meeting(2)
    desk_ = desk(model(summary=both.before(summarized), refine=both.before(refined)))
    ran = desk_.write()
    assert isinstance(ran.outcome, Committed)
    calls = desk_.calls()
    assert (calls.count("summary"), calls.count("refine")) == (1, 1)
    assert len(set(desk_.bodies())) == len(desk_.bodies())
    order = [s for s in ran.stages if s.startswith(("summarize", "refine", "judge"))]
    assert order == [
        *("summarize started", "summarize finished"),
        *("refine started", "refine finished"),
        *("judge started", "judge finished"),
    ]
    begins = index(ran, lambda e: e.type == "stage" and e.name == "refine")
    paid = index(ran, lambda e: e.type == "usage" and "-refine-" in e.call)
    ends = index(ran, lambda e: e.type == "stage" and (e.name, e.status) == ("refine", "finished"))
    assert begins < paid < ends
    assert [e.seq for e in ran.events] == list(range(1, len(ran.events) + 1))


@pytest.mark.sampled
@pytest.mark.parametrize("fault", [REFUSED, BROKEN, Rule(text="no JSON at all")])
def test_what_fails_of_the_line_editor_takes_nothing_from_the_summary(
    desk: OpenDesk, fault: Rule
) -> None:
    model_ = model(refine=fault)
    desk_ = desk(model_)
    ran = desk_.write()
    assert ran.exit_code == 6, ran.outcome
    assert "summarize finished" in ran.stages
    assert ran.stages[-1] == "refine failed"
    tries = desk_.calls().count("refine")
    model_.answers["refine"] = refined
    assert isinstance(desk_.resume().outcome, Committed)
    assert desk_.calls().count("summary") == 1
    assert desk_.calls().count("refine") == tries + 1


@pytest.mark.sweep
def test_a_question_asked_ahead_and_once_more_is_tried_as_often_as_any_other(
    desk: OpenDesk,
) -> None:
    overloaded = Rule(mode="status", status=529)
    desk_ = desk(model(refine=[*[overloaded] * 3, refined]))
    ran = desk_.write()
    assert isinstance(ran.outcome, Committed)
    assert desk_.calls().count("refine") == 4
    assert "tried once more" in ran.warnings
    again = desk(model(refine=overloaded), novel="again")
    assert again.write().exit_code == 6
    assert again.calls().count("refine") == 6


@pytest.mark.sweep
@pytest.mark.parametrize("fault", [REFUSED, BROKEN])
def test_what_fails_of_the_summary_does_not_lose_the_line_editors_answer(
    desk: OpenDesk, fault: Rule
) -> None:
    model_ = model(summary=fault)
    desk_ = desk(model_)
    ran = desk_.write()
    assert ran.exit_code == 6, ran.outcome
    assert ran.stages[-1] == "summarize failed"
    assert "refine started" not in ran.stages
    assert [e for e in ran.of("usage") if "-refine-" in e.call]
    model_.answers["summary"] = summarized
    assert isinstance(desk_.resume().outcome, Committed)
    assert desk_.calls().count("refine") == 1


def stopped_while_both_run(desk_: Desk) -> Any:
    async def run() -> Any:
        order = WriteOrder(review="accept")
        task = asyncio.create_task(desk_.session().write(order, lambda event: None))
        while not {"summary", "refine"} <= set(desk_.calls()):
            await asyncio.wait({task}, timeout=0.01)
        task.cancel()
        return await task

    return asyncio.run(run())


@pytest.mark.sweep
def test_esc_while_both_run_stops_both_settles_both_and_loses_nothing(desk: OpenDesk) -> None:
    held = Rule(mode="hold", after=0, value={"summary": "It rains."})
    model_ = model(summary=held, refine=Rule(mode="hold", after=0, value={"edits": []}))
    desk_ = desk(model_)
    assert stopped_while_both_run(desk_) == Stopped(1)
    assert not (desk_.folder / ".novel.lock").exists()
    entries = desk_.store.journal.usage_entries()
    reserved = {e.id for e in entries if e.event == "reserve"}
    assert reserved == {e.id for e in entries if e.event == "settle"}
    assert {e.call.split("-")[3] for e in entries if e.settled_by == "stopped"} == {
        "summarize",
        "refine",
    }
    model_.answers.update(summary=summarized, refine=refined)
    drafts = desk_.calls().count("draft")
    assert isinstance(desk_.resume().outcome, Committed)
    assert desk_.calls().count("draft") == drafts


@pytest.mark.sweep
def test_one_that_is_done_when_esc_stops_the_other_is_not_asked_again(desk: OpenDesk) -> None:
    model_ = model(summary=Rule(mode="hold", after=0, value={"summary": "It rains."}))
    desk_ = desk(model_)

    def is_kept_on_disk() -> bool:
        return bool(list((desk_.folder / "logs/generations").glob("gen-*-refine-*.json")))

    async def run() -> Any:
        order = WriteOrder(review="accept")
        task = asyncio.create_task(desk_.session().write(order, lambda event: None))
        while not is_kept_on_disk():
            await asyncio.wait({task}, timeout=0.01)
        task.cancel()
        return await task

    assert asyncio.run(run()) == Stopped(1)
    model_.answers["summary"] = summarized
    assert isinstance(desk_.resume().outcome, Committed)
    assert desk_.calls().count("refine") == 1


def with_a_cap_after_the_draft(desk_: Desk, room: Callable[[dict[str, float]], float]) -> None:
    """Drafts, and caps the chapter at what is spent and `room` beyond, which is given the worst
    case of the summary and of the line edits."""
    held = Rule(mode="hold", after=0, value={})
    answers = desk_.server.answering
    assert isinstance(answers, Model)
    before = dict(answers.answers)
    answers.answers.update(summary=held, refine=held)
    assert stopped_while_both_run(desk_) == Stopped(1)
    answers.answers.update(before)
    entries = desk_.store.journal.usage_entries()
    worst = {
        stage: next(e.reserved_usd or 0 for e in entries if f"-{stage}-" in e.call)
        for stage in ("summarize", "refine")
    }
    cap = sum(e.usd or 0 for e in entries if e.event == "settle") + room(worst)
    put(desk_.folder, "studio.toml", f"{SETTINGS}[budget]\nchapter_usd = {cap:.4f}\n")
    desk_.server.asked.clear()


@pytest.mark.sweep
def test_where_a_cap_has_room_for_one_at_a_time_the_second_is_asked_after_the_first(
    desk: OpenDesk,
) -> None:
    together: list[bool] = []

    def summary(asked: Asked) -> Rule:
        together.append("refine" in desk_.calls())
        return summarized(asked)

    desk_ = desk(model(summary=summary))
    with_a_cap_after_the_draft(desk_, lambda worst: max(worst.values()) + 0.03)
    ran = desk_.resume(review="ask")
    assert together == [False]
    assert (desk_.calls().count("summary"), desk_.calls().count("refine")) == (1, 1)
    assert {"summarize finished", "refine finished"} <= set(ran.stages)


@pytest.mark.sweep
def test_where_a_cap_is_reached_by_the_second_the_first_stands(desk: OpenDesk) -> None:
    desk_ = desk(model())
    with_a_cap_after_the_draft(desk_, lambda worst: worst["summarize"] + 0.0005)
    put_in = desk_.folder / "agents/style-refiner.md"
    put_in.parent.mkdir(exist_ok=True)
    put_in.write_text("---\nid: style-refiner\nmax_tokens: 40000\n---\n", "utf-8")
    ran = desk_.resume(review="ask")
    assert ran.exit_code == 7, ran.outcome
    assert "summarize finished" in ran.stages
    assert desk_.calls() == ["summary"]
    put(desk_.folder, "studio.toml", SETTINGS)
    assert isinstance(desk_.resume().outcome, Committed)
    assert desk_.calls().count("summary") == 1


# Slices of a wide fix


def wide() -> Rule:
    """One proposal for the whole first scene."""
    count = len(SCENES_OF_FLOWS[1])
    proposal = directive(1, 1, count, type="proofreading", instruction="Mend the marks.")
    return judged(directives=[proposal])


def mended(asked: Asked) -> Rule:
    """The passage with another mark at its end."""
    text = re.sub(r"(?m)^\[\d+\.\d+\] ", "", block(asked, "passage"))
    return Rule(text=re.sub(r"(?m)\.$", "!", text))


def accepted(desk_: Desk) -> Any:
    """The chapter with its wide proposal accepted by name and carried out."""
    desk_.write(review="ask")
    desk_.session().change_directives("accept", [], all_=True)
    return desk_.resume(review="ask")


# req: J6
@pytest.mark.sweep
def test_the_slices_of_a_wide_fix_are_rewritten_together_and_heard_in_order(
    desk: OpenDesk,
) -> None:
    count = -(-len(SCENES_OF_FLOWS[1]) // SLICE_PARAGRAPHS)
    assert 2 <= count <= MOST_AT_ONCE
    together = Meeting(count)
    desk_ = desk(model(refine=Rule(value={"edits": []}), judge=wide(), surgery=mended))
    desk_.server.answering = _meeting(desk_, together)
    ran = accepted(desk_)
    assert desk_.calls().count("surgery") == count
    paid = [e.call for e in ran.of("usage") if "proofreading" in e.call]
    assert [re.search(r"-(\d)-a1-", call)[1] for call in paid] == ["1", "2"]  # type: ignore[index]
    streamed = "".join(e.text for e in ran.of("rewrite-text"))
    places = [streamed.index(text.split()[0]) for text in SCENES_OF_FLOWS[1]]
    assert places == sorted(places)
    (fix,) = desk_.session().directives().directives  # type: ignore[union-attr]
    assert fix.result is not None
    assert streamed.strip() == fix.result.after


def _meeting(desk_: Desk, together: Meeting) -> Callable[[Asked], Rule | None]:
    plain = desk_.server.answering
    assert plain is not None

    def answer(asked: Asked) -> Rule | None:
        wait = together.before(plain) if block(asked, "passage") else plain
        return wait(asked)

    return answer


# The order itself


def test_results_and_words_come_in_order_whatever_ends_first() -> None:
    said: list[str] = []

    def say(words: str) -> None:
        if not is_kept(lambda: say(words)):
            said.append(words)

    async def piece(name: str, gate: asyncio.Event, opens: asyncio.Event | None) -> str:
        say(f"{name} begins")
        if opens is not None:
            opens.set()
        await gate.wait()
        say(f"{name} ends")
        return name

    async def run() -> list[str]:
        gate, last = asyncio.Event(), asyncio.Event()
        last.set()
        return await side_by_side(
            [lambda: piece("first", gate, None), lambda: piece("second", last, gate)]
        )

    assert asyncio.run(run()) == ["first", "second"]
    assert said == ["first begins", "first ends", "second begins", "second ends"]


def test_one_that_fails_lets_those_that_run_end_and_begins_no_other() -> None:
    done: list[int] = []

    async def piece(number: int) -> int:
        await asyncio.sleep(0)
        if number == 1:
            raise ValueError("one")
        await asyncio.sleep(0)
        done.append(number)
        return number

    def numbered(number: int) -> Callable[[], Any]:
        return lambda: piece(number)

    with pytest.raises(ValueError, match="one"):
        asyncio.run(side_by_side([numbered(n) for n in range(4)], most=2))
    assert done == [0]


def test_one_without_room_under_a_cap_is_done_alone_once_the_others_have_ended() -> None:
    at_work: set[int] = set()
    done: list[int] = []

    async def piece(number: int) -> int:
        if at_work:
            raise BudgetError("chapter", 1.0, 0.9, 0.2)
        at_work.add(number)
        await asyncio.sleep(0)
        at_work.discard(number)
        done.append(number)
        return number

    def numbered(number: int) -> Callable[[], Any]:
        return lambda: piece(number)

    assert asyncio.run(side_by_side([numbered(n) for n in range(4)])) == [0, 1, 2, 3]
    assert done == [0, 1, 2, 3]


def test_a_cap_that_has_no_room_for_one_alone_is_said() -> None:
    async def piece(room: bool) -> int:
        await asyncio.sleep(0)
        if not room:
            raise BudgetError("chapter", 1.0, 0.9, 0.2)
        return 1

    with pytest.raises(BudgetError):
        asyncio.run(side_by_side([lambda: piece(True), lambda: piece(False)]))
