"""What a run that asked nobody left open is said at its end, by `status` and at the desk."""

from __future__ import annotations

import asyncio

import pytest

from tests.cli.command import studio as program
from tests.fake_messages import Asked, Rule
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import (
    NEW,
    Desk,
    Model,
    directive,
    drafted,
    judged,
    operated,
    preferring,
    unrefined,
    with_ops,
)
from tests.tui.pilot import opened

ISSUE = "Does she know whose key it is?"
CHOICE = {
    "kind": "decide",
    "issue": ISSUE,
    "options": ["Yes.", "No."],
    "scene": 1,
    "quote": "the shape of a key",
}
IN_VAIN = directive(1, 1, type="voice-consistency", instruction="Let it sound like her.")
TAKEN_BACK = directive(2, 1, type="cliche-replacement", instruction="Say it otherwise.")


def refused(asked: Asked) -> Rule:
    """The surgeon empties one passage, and rewrites the other."""
    is_in_vain = "Let it sound like her." in asked.prompt
    return Rule(text="") if is_in_vain else operated(asked)


def with_a_heading(asked: Asked) -> Rule:
    rule = drafted(asked)
    return Rule(text=rule.text.replace("\n\n", "\n\n## 2\n\n", 1))


def model() -> Model:
    rule = judged(directives=[IN_VAIN, TAKEN_BACK])
    return Model(
        refine=unrefined,
        draft=with_a_heading,
        judge=Rule(value={**rule.value, "counsel": [CHOICE]}),
        surgery=refused,
        reader=preferring("same", {"differences": []}),
        summary=with_ops(NEW),
    )


def typed(there: Desk, *words: object) -> str:
    ended = program(*words, cwd=there.folder, environ=there.environ)
    return ended.out + ended.err


SAID = (
    "1 question that only you decide:",
    ISSUE,
    "1 fix was tried in vain; its passage is as it was:",
    "1.1 Voice",
    "1 fix was made and taken back:",
    "2.1 Cliché",
    "headings were left out:",
    "1 promise that nobody planned came into the book with it:",
    "studio write 1 --again",
)


@pytest.fixture
def unasked(desk: OpenDesk) -> tuple[Desk, str]:
    there = desk(model())
    return there, typed(there, "write", "--review", "accept")


def test_its_last_lines_say_what_is_left_open_and_where(unasked: tuple[Desk, str]) -> None:
    there, output = unasked
    last = output[output.index("is in the book") :]
    for words in SAID:
        assert words in last, last
    assert there.checkpoint.last_completed_chapter == 1


def test_status_says_it_again_until_the_chapter_is_reviewed(unasked: tuple[Desk, str]) -> None:
    there, _ = unasked
    for order in (("status",), ("status", "1")):
        output = typed(there, *order)
        for words in SAID:
            assert words in output, (order, words)
    there.write(review="ask", chapter=1, again=True)
    session = there.session()
    session.change_directives("reject", [], all_=True)
    session.answer_choice(ISSUE, "meant")
    there.decide(there.checkpoint.pending_decision.options[0])
    there.resume(review="ask")
    if there.checkpoint.pending_decision is not None:
        there.decide("commit")
        there.resume(review="ask")
    assert there.checkpoint.inflight_chapter is None
    assert ISSUE not in typed(there, "status")


def test_an_attended_chapter_leaves_nothing_open(desk: OpenDesk) -> None:
    there = desk(model())
    there.write(review="ask")
    there.session().change_directives("accept", [], all_=True)
    there.resume(review="ask")
    there.decide("commit")
    output = typed(there, "resume", "--review", "ask")
    assert there.checkpoint.inflight_chapter is None
    assert "tried in vain" not in output
    assert "1 promise that nobody planned came into the book with it:" in output


async def test_the_desk_says_it_on_opening_and_on_the_page_of_the_evaluation(
    desk: OpenDesk,
) -> None:
    there = desk(model())
    await asyncio.to_thread(there.write)
    async with opened(there.folder, there.environ) as studio:
        line = "went into the book unasked and left something open"
        await studio.until(lambda: line in " ".join(studio.screen.split()), "the line")
        await studio.press("v")
        await studio.until(lambda: ISSUE in studio.screen, "the page")
        assert "1.1 Voice" in studio.screen
