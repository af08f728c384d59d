"""A server that dies in the middle of an answer takes no word with it: what had streamed stands,
and it goes on from there; what cannot stand is kept as a version (J3)."""

from __future__ import annotations

import asyncio

import pytest

from studio.errors import Exit
from studio.pipeline.chapter.scene_in_progress import scene_in_progress
from studio.pipeline.orders import PassageOrder
from studio.project.history.variations import Variations
from studio.story.review.passage import read_place
from studio.text.language.packs import load_pack
from tests.fake_messages import Asked, Rule
from tests.pipeline.conftest import OpenDesk, no_waiting
from tests.pipeline.flows import SCENES, Desk, Model, drafted, scene_number, unrefined

__all__ = ["no_waiting"]

STREAMED = SCENES[1][0][:100].rpartition(" ")[0]
"""Words that have certainly arrived when a first answer broke off after many deltas."""
WAYS = ("cut", "reset", "eof", "error_event")


class Dying:
    """A drafter of the first scene whose first answer dies; what follows is the other rules'."""

    def __init__(self, mode: str, *then: Rule | None, text: str = "\n\n".join(SCENES[1])) -> None:
        first = Rule(text=text, mode=mode, after=12, error_type="api_error")
        self.rules = [first, *then]
        self.count = 0

    def __call__(self, asked: Asked) -> Rule:
        if scene_number(asked) != 1 or self.count >= len(self.rules):
            return drafted(asked)
        self.count += 1
        return self.rules[self.count - 1] or drafted(asked)


def stands(desk: Desk) -> str:
    words = scene_in_progress(desk.store.staging_of(1), desk.checkpoint, load_pack("en"))
    return words.text if words is not None else ""


OTHER = "Nobody had come up the stairs since the spring. " * 20


@pytest.mark.parametrize("review", ["ask", "accept"])
@pytest.mark.parametrize("mode", WAYS)
def test_the_words_of_a_server_that_died_stand_whatever_comes_then(
    desk: OpenDesk, mode: str, review: str
) -> None:
    there = desk(Model(draft=Dying(mode, Rule(text=OTHER)), refine=unrefined))
    ran = there.write(review=review)
    text = there.store.staging_of(1).scene(1) if review == "ask" else there.text()
    assert text is not None
    assert STREAMED in text
    assert text.index(STREAMED) < text.index(OTHER[:40])
    assert "trying again in" in ran.warnings
    goes_on = [a for a in there.server.asked if "of chapter 1 on" in a.blocks[-1]["text"]]
    assert len(goes_on) == 1
    assert STREAMED in goes_on[0].prompt


@pytest.mark.parametrize("mode", WAYS)
def test_the_words_of_a_server_that_stays_away_stand_as_the_scene_in_progress(
    desk: OpenDesk, mode: str
) -> None:
    gone = [Rule(mode="status", status=500)] * 12
    there = desk(Model(draft=Dying(mode, *gone), refine=unrefined))
    assert there.write(review="accept").exit_code == Exit.MODEL
    assert stands(there).startswith(STREAMED)
    there.server.answering = Model(refine=unrefined)
    assert there.resume(review="accept").exit_code == Exit.DONE
    assert STREAMED in there.text()


def test_what_streamed_before_the_model_repeated_itself_is_a_version(desk: OpenDesk) -> None:
    words = f"{SCENES[1][0]}\n\n" + "It rang. " * 400
    there = desk(Model(draft=Dying("ok", text=words), refine=unrefined))
    assert there.write(review="accept").exit_code == Exit.DONE
    variations = Variations(there.store.layout)
    texts = [variations.text(1, one) for one in variations.of(1, 1).variations]
    assert any(text.startswith(STREAMED) for text in texts)
    assert "It rang. It rang." not in there.text()


def test_half_a_version_of_a_passage_is_kept_though_the_next_try_brought_another(
    desk: OpenDesk,
) -> None:
    half = Rule(text="The stove ticked on the landing. " * 30, mode="cut", after=12)
    there = desk(Model(refine=unrefined, anew=[half, Rule(text="The oil had run dry.")]))
    there.write(review="accept")
    order = PassageOrder(1, read_place("1.1"), "regenerate", "", 1)
    asyncio.run(there.session().passages().write(order, lambda event: None))
    variations = Variations(there.store.layout)
    texts = [variations.text(1, one) for one in variations.of(1, 1).variations]
    assert [text[:18] for text in texts] == ["The stove ticked o", "The oil had run dr"]


def test_an_answer_declined_in_its_middle_is_a_version(desk: OpenDesk) -> None:
    refused = Rule(text="\n\n".join(SCENES[1]), stop_reason="refusal")
    there = desk(Model(draft=refused, refine=unrefined))
    assert there.write(review="accept").exit_code == Exit.MODEL
    variations = Variations(there.store.layout)
    assert [variations.text(1, one) for one in variations.of(1, 1).variations] == [
        "\n\n".join(SCENES[1])
    ]
