"""Whoever writes other words for a passage is told what of the chapter's plan they have to tell."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from studio.pipeline.orders import PassageOrder
from studio.story.review.passage import read_place
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import (
    CONTRACT,
    Desk,
    Model,
    asked_for,
    block,
    directive,
    judged,
    unrefined,
)
from tests.project.novels import put

PLAN = "volumes/vol-01/chapter-contracts/chapter-001.json"
CANS = "Mara lifts the oil cans and sets them on the sill."
BELL = "Far out a bell rings where no buoy is laid, and the gulls go up."
SCENES = [
    {"number": 1, "purpose": f"{CANS} {BELL}"},
    {"number": 2, "purpose": "Joss comes up the stairs."},
]


def desk_with(desk: OpenDesk, **answers: Any) -> Desk:
    desk_ = desk(Model(refine=unrefined, **answers))
    put(desk_.folder, PLAN, {**CONTRACT, "scenes": SCENES})
    return desk_


def test_another_version_is_told_what_the_old_words_told_and_nothing_else(desk: OpenDesk) -> None:
    desk_ = desk_with(desk)
    assert desk_.write().exit_code == 0
    desk_.server.asked.clear()
    for place, held in (("1.1", f"- {CANS}"), ("1.4", f"- {BELL}"), ("1.3", "")):
        order = PassageOrder(1, read_place(place), "regenerate")
        asyncio.run(desk_.session().passages().write(order, lambda event: None))
        asked = desk_.server.asked.pop()
        assert block(asked, "held-here") == held
        assert ("`held-here`" in asked.prompt) == bool(held), "no block is announced that is absent"


@pytest.mark.parametrize(("kind", "held"), [("show-not-tell", f"- {BELL}"), ("proofreading", "")])
def test_the_surgeon_is_told_what_the_passage_tells_of_the_plan(
    desk: OpenDesk, kind: str, held: str
) -> None:
    proposal = directive(1, 4, type=kind)
    desk_ = desk_with(desk, judge=judged(directives=[proposal]))
    desk_.write(review="accept")
    asked, *_ = asked_for(desk_, "surgery")
    assert block(asked, "held-here") == held
    assert ("`held-here`" in asked.prompt) == bool(held)
