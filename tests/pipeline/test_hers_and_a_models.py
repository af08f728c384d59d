"""A text counts as the author's own where more than half of its paragraphs are by hand; else what
is hers in it is kept before a model drafts again, and named (CONTRACTS 4)."""

from __future__ import annotations

import asyncio

import pytest

from studio.book.authorship import Authorship
from studio.pipeline.orders import PassageOrder
from studio.pipeline.outcome import Committed
from studio.story.chapter import sha256_of
from studio.story.review.passage import PassagePlace
from tests.fake_messages import Rule
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import DRAFT, SCENES, Desk, Model, judged, unrefined

MINE = "마라는 기름통을 하나씩 들어 올렸다."


# req: B6
@pytest.mark.sweep
@pytest.mark.repairs("S6")
def test_a_chapter_by_a_model_that_is_read_again_is_not_her_own_text(desk: OpenDesk) -> None:
    there = desk(Model(refine=unrefined))
    assert isinstance(there.write().outcome, Committed)
    assert {p.by for p in Authorship(there.store, "en").of(1).paragraphs} == {"model"}
    before = there.calls().count("draft")
    ran = there.write(chapter=1, again=True, review="ask")
    notes = [e.note for e in ran.events if e.type == "stage" and e.name == "draft"]
    assert notes
    assert "your own text" not in notes
    assert not there.checkpoint.own_text
    assert "draft-again" in ran.decision.options
    assert there.calls().count("draft") == before, "it is read, not written"
    assert "refine" not in there.calls()[-3:], "the refiner went over it before"
    assert there.staged().read_text("utf-8") == there.text()


# req: B6 J4
@pytest.mark.sweep
def test_a_paragraph_of_hers_is_named_in_the_offer_and_kept_before_a_redraft(
    desk: OpenDesk,
) -> None:
    there = desk(Model(judge=[judged(3.2), judged(3.2), judged(4.2)], refine=unrefined))
    assert there.write(review="ask").decision.kind == "gate"
    edited = there.staged().read_text("utf-8").replace(SCENES[1][0], MINE)
    there.staged().write_text(edited, "utf-8")
    gate = there.resume(review="ask").decision
    assert not there.checkpoint.own_text
    offer = gate.data["options"]["draft-again"]
    assert "Your own paragraphs (1.1) are kept as a version first." in offer
    there.decide("draft-again")
    there.resume(review="ask")
    versions = [path.read_text("utf-8") for path in there.folder.glob("variations/**/*.md")]
    assert edited in versions, "as it was, whole"


def test_a_text_that_she_changed_everywhere_is_her_own(desk: OpenDesk) -> None:
    there = desk(Model(judge=[judged(3.2), judged(4.2)], refine=unrefined))
    assert there.write(review="ask").decision.kind == "gate"
    paragraphs = DRAFT.split("\n\n")
    hers = "\n\n".join(
        p if p.startswith(("#", "*")) else f"{number}번째로 마라는 등대를 올랐다."
        for number, p in enumerate(paragraphs)
    )
    there.staged().write_text(hers, "utf-8")
    gate = there.resume(review="ask").decision
    assert there.checkpoint.own_text
    assert "draft-again" not in gate.options


def test_a_models_text_in_which_she_changed_a_word_everywhere_is_not_her_own(
    desk: OpenDesk,
) -> None:
    there = desk(Model(judge=[judged(3.2), judged(4.2)], refine=unrefined))
    assert there.write(review="ask").decision.kind == "gate"
    paragraphs = DRAFT.split("\n\n")
    new = "\n\n".join(p if p.startswith(("#", "*")) else f"{p} Still." for p in paragraphs)
    there.staged().write_text(new, "utf-8")
    gate = there.resume(review="ask").decision
    rows = Authorship(there.store, "en").of(1).paragraphs
    assert {row.by for row in rows} == {"hand_edited"}
    assert not there.checkpoint.own_text
    assert "draft-again" in gate.options


def test_a_paragraph_of_hers_that_a_version_replaced_is_not_named_as_hers(desk: OpenDesk) -> None:
    """Met: three paragraphs were called her own, of which a model had since written one anew."""
    hers = "Whoever lit it last had gone without a word, and Joss knew who."
    there = desk(Model(refine=unrefined, anew=Rule(text="The oil had run dry.")))
    assert there.write(review="ask").decision.kind == "review"
    edited = there.staged().read_text("utf-8").replace(SCENES[1][0], hers)
    there.staged().write_text(edited, "utf-8")
    assert there.resume(review="ask").decision.kind == "review"
    assert "Your own paragraphs (1.1)" in offer_of_a_draft(there)
    passages = there.session().passages()
    order = PassageOrder(1, PassagePlace(1, 1, 1), "regenerate", "", 1)
    (version,) = asyncio.run(passages.write(order, lambda event: None))
    passages.taker.take(1, 1, version.sha256)
    assert not there.checkpoint.own_text
    assert "Your own paragraphs" not in offer_of_a_draft(there)
    passages.taker.take(1, 1, sha256_of(hers))
    assert "Your own paragraphs (1.1)" in offer_of_a_draft(there)


def offer_of_a_draft(there: Desk) -> str:
    """What the question that waits says of another draft."""
    question = there.session().pending()
    assert question is not None
    return str(question.data["options"]["draft-again"])
