"""What an author writes herself counts to her day, wherever she writes it: in a review, too."""

from __future__ import annotations

from datetime import date

import pytest

from studio.project.author.book_length import writing_days
from studio.story.review.passage import PassagePlace
from studio.story.review.proposal import Proposal, ProposedBy
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import SCENES, Desk, Model, ask, directive, judged, unrefined

SHOW = "dir_show_not_tell_001"


def today(there: Desk) -> int:
    return writing_days(there.store).growth_on(date.today())


def at_review(desk: OpenDesk) -> Desk:
    there = desk(Model(refine=unrefined, judge=judged(directives=[directive(1, 2)])))
    assert there.write(review="ask").decision.kind == "review"
    assert today(there) == 0, "what a model drafts is not hers"
    return there


@pytest.mark.sweep
def test_her_own_words_for_a_passage_count_to_her_day_until_she_takes_them_out(
    desk: OpenDesk,
) -> None:
    there = at_review(desk)
    hers = f"{SCENES[1][1]} Nobody had swept the stairs since spring."
    there.session().change_directives("edit", [SHOW], text=hers)
    ask(there)
    assert hers in there.staged().read_text("utf-8")
    assert today(there) == 7
    there.session().change_directives("undo", [SHOW])
    assert hers not in there.staged().read_text("utf-8")
    assert today(there) == 0


@pytest.mark.sweep
def test_words_that_replace_longer_ones_count_as_well(desk: OpenDesk) -> None:
    there = at_review(desk)
    there.session().change_directives("edit", [SHOW], text="Dust lay thick, unswept since spring.")
    ask(there)
    assert today(there) == 6, "what she wrote, not what became of the length"


@pytest.mark.sweep
def test_a_fix_of_the_surgeons_is_not_hers(desk: OpenDesk) -> None:
    there = at_review(desk)
    there.session().change_directives("accept", [SHOW])
    ask(there)
    assert today(there) == 0


def test_words_that_she_proposes_herself_count_once_they_are_in_the_text(desk: OpenDesk) -> None:
    there = at_review(desk)
    proposals = there.session().proposals()
    longer = f"{SCENES[2][0]} The kettle had gone cold."
    made = proposals.add(1, PassagePlace(2, 1, 1), "replace", longer)
    assert today(there) == 0
    proposals.change("accept", [made.id])
    assert today(there) == 5
    proposals.change("undo", [made.id])
    assert today(there) == 0


PASSAGE = SCENES[2][0]
OFFERED = f"{PASSAGE} The stairs creaked under him, one after another."
REWORDED = f"{PASSAGE} The stairs creaked under him, and the kettle had gone cold."


def offered_by_a_model(there: Desk) -> Proposal:
    """A model's proposal for the first paragraph of the second scene."""
    made = there.session().proposals().add(1, PassagePlace(2, 1, 1), "replace", OFFERED)
    made = made.copy_with(by=ProposedBy(kind="model", name="a-model"))
    staged = there.store.staging_of(1)
    sheet = staged.sheet()
    assert sheet is not None
    staged.put_sheet(sheet.model_copy(update={"proposals": (made,)}))
    return made


@pytest.mark.sweep
def test_of_a_proposal_that_she_rewords_her_own_words_count_until_she_takes_them_out(
    desk: OpenDesk,
) -> None:
    there = at_review(desk)
    proposals = there.session().proposals()
    made = offered_by_a_model(there)
    (edited,) = proposals.change("edit", [made.id], words=REWORDED)
    assert today(there) == 6, "and the kettle had gone cold"
    assert edited.offered_words == OFFERED
    proposals.change("undo", [made.id])
    assert PASSAGE in there.staged().read_text("utf-8")
    assert today(there) == 0
    proposals.change("accept", [made.id])
    assert REWORDED in there.staged().read_text("utf-8")
    assert today(there) == 6, "put in once more, they are hers as before"


def test_a_proposal_of_a_models_that_she_takes_as_it_is_is_not_hers(desk: OpenDesk) -> None:
    there = at_review(desk)
    proposals = there.session().proposals()
    made = offered_by_a_model(there)
    proposals.change("accept", [made.id])
    assert today(there) == 0
    proposals.change("undo", [made.id])
    assert today(there) == 0
