"""Each call to a model says what is waited for and about how long it takes (WRITING 7.5, W16)."""

from __future__ import annotations

import pytest

from studio.pipeline.outcome import Committed
from tests.pipeline.at_a_decision import with_directives
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import Desk, Ran


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
