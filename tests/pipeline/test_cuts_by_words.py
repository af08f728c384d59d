"""A cut whose words the judge names needs no model, and a fix whose passage another fix took away
is seen open (WRITING 5.6, 5.9)."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from studio.story.chapter import Chapter, sha256_of
from studio.story.review.directive import Directive, DirectiveType
from studio.story.review.passage import PassageLocation
from studio.story.review.surgery import SurgeryResult
from studio.story.status import DirectiveStatus, ReviewMode
from studio.text.language.packs import load_pack
from tests.fake_messages import Asked, Rule
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import (
    SCENES,
    Desk,
    Model,
    asked_for,
    directive,
    drafted,
    judged,
    unrefined,
)

LOVE = "He had never called her love."
"""What goes, and behind it what would point at nothing: “He called the cat that.”"""
GOING = ", and sat down on the top step to lace them"


def reviewed(desk: OpenDesk, *proposals: dict[str, object]) -> Desk:
    """A chapter of which everything proposed was accepted by name and carried out."""
    opened = desk(Model(refine=unrefined, judge=judged(directives=list(proposals))))
    opened.write(review="ask")
    sheet = opened.session().directives()
    assert sheet is not None
    for one in sheet.directives:
        opened.session().change_directives("accept", [one.id])
    opened.resume(review="ask")
    return opened


# req: J5
def test_the_words_that_a_cut_names_go_without_a_model(desk: OpenDesk) -> None:
    cut = directive(2, 2, type="cut", remove=GOING)
    opened = reviewed(desk, cut)
    text = opened.staged().read_text("utf-8")
    assert SCENES[2][1].replace(GOING, "") in text
    assert asked_for(opened, "surgery") == []


# req: J5 A13
@pytest.mark.sweep
def test_a_cut_that_she_accepted_with_the_rest_is_weighed_by_nobody(desk: OpenDesk) -> None:
    """Met: a second reader was asked whether the text without the words tells another story."""
    opened = desk(
        Model(
            refine=unrefined, judge=judged(directives=[directive(2, 2, type="cut", remove=GOING)])
        )
    )
    opened.write(review="ask")
    opened.session().change_directives("accept", [], all_=True)
    opened.resume(review="accept")
    assert SCENES[2][1].replace(GOING, "") in opened.text()
    assert "reader" not in opened.calls()


# req: J5
@pytest.mark.sweep
@pytest.mark.parametrize("words", ["", "his", "nobody wrote this"])
def test_words_that_stand_nowhere_or_twice_are_left_to_the_surgeon(
    desk: OpenDesk, words: str
) -> None:
    opened = reviewed(desk, directive(2, 2, type="cut", remove=words))
    assert len(asked_for(opened, "surgery")) >= 1


# req: J5
@pytest.mark.sweep
def test_an_instruction_of_hers_is_carried_out_and_not_the_cut_that_was_proposed(
    desk: OpenDesk,
) -> None:
    cut = directive(2, 2, type="cut", remove=GOING)
    opened = desk(Model(refine=unrefined, judge=judged(directives=[cut])))
    opened.write(review="ask")
    sheet = opened.session().directives()
    assert sheet is not None
    wish = "Let the lacing stay; cut the grey water."
    opened.session().change_directives("edit", [sheet.directives[0].id], instruction=wish)
    opened.resume(review="ask")
    assert len(asked_for(opened, "surgery")) >= 1


# req: J5
@pytest.mark.sweep
def test_a_fix_whose_passage_another_took_away_is_listed_and_can_be_placed(desk: OpenDesk) -> None:
    opened = reviewed(
        desk,
        directive(2, 1, type="cut", remove=SCENES[2][0]),
        directive(2, 1, type="voice-consistency", instruction="Let him curse."),
    )
    assert SCENES[2][0] not in opened.staged().read_text("utf-8")
    sheet = opened.session().directives()
    assert sheet is not None
    assert [d.status.value for d in sheet.directives] == ["applied", "failed"]
    (lost,) = sheet.unplaced
    assert (lost.instruction, lost.label) == ("Let him curse.", "2.1")
    assert "another change" in lost.why


def test_an_answered_choice_settles_what_is_the_case_in_speech_too() -> None:
    from studio.pipeline.review import choice_answers

    assert choice_answers._TYPE is DirectiveType.FACT_CORRECTION


def with_love(asked: Asked) -> Rule:
    """The scene of SCENES, with a sentence that points at the one before it."""
    scene = drafted(asked).text or ""
    return Rule(text=scene.replace("The stove ticked", f"{LOVE} He called the cat that. It ticked"))


@pytest.mark.parametrize("mode", ["accept", "ask"])
def test_a_cut_that_leaves_the_next_sentence_pointing_at_nothing_is_not_taken_unseen(
    desk: OpenDesk, mode: ReviewMode
) -> None:
    cut = directive(2, 3, type="cut", remove=LOVE, currentText=LOVE)
    opened = desk(Model(refine=unrefined, draft=with_love, judge=judged(directives=[cut])))
    opened.write(review=mode)
    if mode == "ask":
        opened.session().change_directives("accept", ["dir_cut_001"])
        opened.resume(review=mode)
    sheet = opened.session().directives()
    assert sheet is not None
    (fix,) = sheet.directives
    assert fix.result is not None
    if mode == "ask":
        assert fix.status is DirectiveStatus.APPLIED
        assert "He called the cat that." in " ".join(fix.result.facts)
        return
    assert fix.is_withdrawn
    assert "points at nothing now" in fix.failures[0]
    assert f"{LOVE} He called the cat that." in opened.text()


@pytest.mark.parametrize(("number", "is_left"), [(1, False), (3, True)])
def test_of_two_passages_alike_the_one_that_is_cut_is_judged(number: int, is_left: bool) -> None:
    """Met: the second was cut, and what stood behind the first was looked at."""
    from studio.pipeline.review.fixes_kept import _content_reasons

    nod = "He had never called me love."
    far = "The rain went on over the harbour and the boats. " * 30
    text = Chapter(f"{nod}\n\n{far.strip()}\n\n{nod}\n\nHe called the cat that.\n")
    at = PassageLocation(scene_number=1, paragraph_start=number, paragraph_end=number)
    cut = Directive(id="dir_cut_001", type=DirectiveType.CUT, priority=3, location=at,
                    issue="Twice.", instruction="Cut.", current_text=nod, max_scope=1)  # fmt: skip
    result = SurgeryResult(before=nod, after="", location=at, before_sha256=sha256_of(nod),
                           after_sha256=sha256_of(""), paragraphs_touched=1)  # fmt: skip
    run = SimpleNamespace(current=text, pack=load_pack("en"))
    work: Any = SimpleNamespace(run=run, prompt_blocks=SimpleNamespace(names=tuple))
    reasons = " ".join(map(str, _content_reasons(work, cut, result)))
    assert ("points at nothing now" in reasons) == is_left
