"""Each call to a model says what is waited for and about how long it takes (WRITING 7.5, W16)."""

from __future__ import annotations

import asyncio

import pytest

from studio.pipeline.events import Event
from studio.pipeline.orders import PassageOrder
from studio.pipeline.outcome import Committed
from studio.story.review.passage import PassagePlace
from tests.pipeline.at_a_decision import with_directives
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import Desk, Model, Ran, unrefined


def waits(ran: Ran) -> list[dict[str, object]]:
    lines = [event.model_dump() for event in ran.events]
    return [line for line in lines if line["type"] == "waiting"]


def of_every_call(desk: Desk, ran: Ran) -> list[str]:
    there = waits(ran)
    assert len(there) == len(desk.server.asked), "one for each call, whoever is asked"
    assert all(isinstance(wait["about"], int) and wait["about"] > 0 for wait in there)
    return [str(wait["what"]) for wait in there]


# req: J6
@pytest.mark.repairs("W16")
def test_every_call_of_a_chapter_says_what_it_is_waited_for(desk: OpenDesk) -> None:
    there = desk(with_directives())
    ran = there.write(review="accept")
    assert isinstance(ran.outcome, Committed)
    said = dict.fromkeys(of_every_call(there, ran))
    assert {"writes the scene", "summarizes the chapter", "reads the chapter"} <= said.keys()
    assert "works on a passage" in said
    assert "works" not in said, "each has its words"


@pytest.mark.sampled
@pytest.mark.parametrize("mode", ["standard", "prewriter"])
@pytest.mark.parametrize(("first", "piece"), [(2, "passage"), (1, "scene")])
def test_another_version_of_a_passage_is_not_called_the_scene(
    desk: OpenDesk, first: int, piece: str, mode: str
) -> None:
    from studio.pipeline.events import Waiting  # the code before has none

    there = desk(Model(refine=unrefined))
    there.overrides = {"generation.mode": mode}
    assert isinstance(there.write(review="accept").outcome, Committed)
    text = there.store.chapter(1)
    assert text is not None
    last = len(text.scenes[1].paragraphs)
    order = PassageOrder(1, PassagePlace(2, first, last), "regenerate")
    heard: list[Event] = []
    asyncio.run(there.session().passages().write(order, heard.append))
    said = [event.what for event in heard if isinstance(event, Waiting)]
    before = [f"prepares the {piece}"] if mode == "prewriter" else []
    assert said == [*before, f"writes the {piece}"]
