"""A chapter that the writer changed after it was judged: nothing is called for that, what was said
of it stands, and she is told so (WRITING 4, CONTRACTS 7)."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest

from studio.errors import StudioError
from studio.pipeline.outcome import Committed
from studio.pipeline.review.question import rationale_of
from studio.story.chapter import Chapter
from studio.story.review.directive import DirectiveSheet
from tests.fake_messages import Asked, Rule
from tests.pipeline.at_a_decision import (
    BELL,
    SHOW,
    SUBTEXT,
    at_review,
    at_review_of_two,
    sheet_of,
    statuses,
    type_into,
)
from tests.pipeline.at_the_prompt import Prompt
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import (
    NEW,
    SCENES,
    SETTINGS,
    Desk,
    Model,
    ask,
    asked_for,
    block,
    directive,
    judged,
    preferring,
    refined,
    scene_number,
    summarized,
    unrefined,
    violation,
    with_ops,
)

STAIRS = " Nobody had swept the stairs since spring."
FAR_OUT = "Far out a bell rang"
BELL_RINGS = {"op": "foreshadow", "path": "who_rings", "value": "plant", "quote": FAR_OUT}


@pytest.mark.sweep
@pytest.mark.repairs("W6")
def test_typing_elsewhere_calls_nobody_and_the_review_stands(desk: OpenDesk) -> None:
    desk_ = at_review_of_two(desk)
    desk_.session().change_directives("reject", [SUBTEXT], reason="He would say it.")
    before = desk_.calls()
    type_into(desk_, SCENES[2][0], SCENES[2][0] + STAIRS)
    decision = ask(desk_).decision
    assert desk_.calls() == before
    assert decision.kind == "review"
    assert decision.data["pending"] == [SHOW]
    assert "look-again" in decision.options


@pytest.mark.sweep
def test_what_was_changed_is_named_and_the_summary_is_said_to_be_out_of_date(
    desk: OpenDesk,
) -> None:
    desk_ = at_review_of_two(desk)
    type_into(desk_, SCENES[2][0], SCENES[2][0] + STAIRS)
    decision = ask(desk_).decision
    assert decision.data["changed"] == ["2.1"]
    assert "changed since it was judged (2.1)" in decision.rationale
    assert "summary is out of date" in decision.rationale
    desk_.session().change_directives("reject", [SHOW])
    waiting = desk_.session().pending()
    assert waiting is not None
    assert "changed since it was judged (2.1)" in waiting.rationale


# req: G11
def test_a_version_taken_while_the_question_waits_is_named_in_it(desk: OpenDesk) -> None:
    """Met: 1.1 was another version since a minute, and `d` named the other changes only."""
    from studio.pipeline.orders import PassageOrder
    from studio.story.review.passage import read_place

    desk_ = at_review_of_two(desk, anew=Rule(text="Far out, a bell."))
    type_into(desk_, SCENES[2][0], SCENES[2][0] + STAIRS)
    ask(desk_)
    passages = desk_.session().passages()
    order = PassageOrder(1, read_place("1.1"), "regenerate", "", 1)
    (version,) = asyncio.run(passages.write(order, lambda event: None))
    assert passages.taker.take(1, 1, version.sha256).closed == (), "nobody asks about it"
    waiting = desk_.session().pending()
    assert waiting is not None
    assert waiting.data["changed"] == ["1.1", "2.1"]
    assert "changed since it was judged (1.1, 2.1)" in waiting.rationale


@pytest.mark.sweep
def test_a_version_that_closes_what_she_was_asked_says_so_before_and_after(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Met: another version of a passage, and the question about it had gone without a word."""
    from studio.pipeline.orders import PassageOrder
    from studio.story.review.passage import read_place

    words = {"issue": "Is she afraid?", "options": ["She is.", "She is not."]}
    choice = {"kind": "decide", **words, "scene": 1, "quote": SCENES[1][1][:30]}
    proposals = judged(directives=[directive(1, 2), directive(2, 3, type="dialogue-subtext")])
    asks = Rule(value={**proposals.value, "counsel": [choice]})
    desk_ = at_review(desk, judge=asks, anew=Rule(text="Far out, a bell."))
    place = read_place("1.2")
    desk_.session().proposals().add(1, place, "comment", "Ask Inge about this.")
    passages = desk_.session().passages()
    order = PassageOrder(1, place, "regenerate", "", 1)
    (version,) = asyncio.run(passages.write(order, lambda event: None))
    before = statuses(desk_)
    closes = passages.taker.would_close(1, 1, version.sha256)
    assert [one.kind for one in closes] == ["yours", "undecided", "undecided"]
    assert {one.place for one in closes} == {"1.2"}
    assert [one.why for one in closes][::2] == ["Is she afraid?", "Ask Inge about this."]
    studio = Prompt(desk_, monkeypatch, capsys)
    done = studio("variations", "restore", 1, "--sha", version.sha256[:12])
    assert "1 question that only you decide:" in done.out
    assert "Ask Inge about this." in done.out
    assert "you are not asked about it any more" in done.out
    back = re.search(r"--sha (\w+)", done.out.split("any more;")[1])
    assert back is not None
    studio("variations", "restore", 1, "--sha", back[1])
    assert statuses(desk_) == before
    assert all(d.is_pending for d in sheet_of(desk_).values()), "with the words it is open again"


@pytest.mark.sweep
def test_measures_are_renewed_from_what_she_typed(desk: OpenDesk) -> None:
    desk_ = at_review_of_two(desk)
    before = desk_.store.staging_of(1).evaluation()
    type_into(desk_, SCENES[2][0], SCENES[2][0] + STAIRS)
    ask(desk_)
    after = desk_.store.staging_of(1).evaluation()
    assert before is not None
    assert after is not None
    assert after.judged_sha256 == before.judged_sha256
    assert after.source_sha256 != before.source_sha256
    assert after.metrics != before.metrics


@pytest.mark.sweep
@pytest.mark.parametrize("mode", ["accept", "reject"])
def test_without_her_at_the_desk_a_changed_text_is_read_again(desk: OpenDesk, mode: str) -> None:
    desk_ = at_review_of_two(desk)
    type_into(desk_, SCENES[2][0], SCENES[2][0] + STAIRS)
    ran = desk_.resume(review=mode)
    assert isinstance(ran.outcome, Committed)
    assert (desk_.calls().count("judge"), desk_.calls().count("summary")) == (2, 2)


@pytest.mark.sweep
def test_a_second_reading_is_told_what_was_decided_why_and_what_was_changed(
    desk: OpenDesk,
) -> None:
    desk_ = at_review_of_two(desk)
    desk_.session().change_directives("reject", [SUBTEXT], reason="그는 그렇게 말할 사람이다.")
    type_into(desk_, SCENES[2][0], SCENES[2][0] + STAIRS)
    asked = ask(desk_).decision
    assert "cent" in asked.data["options"]["look-again"]
    desk_.decide("look-again")
    ask(desk_)
    first, second = asked_for(desk_, "judge")
    assert block(first, "decided") == ""
    words = block(second, "decided")
    assert "Changed since you read it: [2.1]\n" in words
    assert "[2.1] new: “" in words
    assert STAIRS.strip()[:30] in words, "a change without its words cannot be judged"
    assert "[2.3] dialogue-subtext" in words
    assert "rejected. the author: 그는 그렇게 말할 사람이다." in words
    assert not desk_.session().pending().data["changed"]  # type: ignore[union-attr]


# req: A15 J1
@pytest.mark.sweep
def test_a_reading_after_a_polish_quotes_no_words_that_the_polish_took_away(desk: OpenDesk) -> None:
    """What was approved by the mode waited for the surgeon, the polish changed its words, and the
    judge was told of the old ones: accepted, and not done yet."""
    worn = {**directive(1, 3), "issue": "“Until the cold came through” is worn."}
    judge = [judged(3.7, directives=[worn, directive(2, 3)]), judged()]
    desk_ = desk(Model(refine=[unrefined, refined], judge=judge))
    desk_.overrides |= {"review.rounds": 2}
    assert isinstance(desk_.write(review="accept").outcome, Committed)
    first, second = asked_for(desk_, "judge")
    assert "until the cold" in block(first, "chapter")
    rows = block(second, "decided").splitlines()
    of_it = [row for row in rows if row.startswith("[1.3] show-not-tell")]
    assert of_it == [
        "[1.3] show-not-tell: accepted, and its words changed before it was done; judge them as"
        " they stand"
    ]
    assert not any("is worn" in row for row in rows)


def test_a_second_reading_is_told_the_old_words_of_each_paragraph_and_what_its_fix_was_to_leave(
    desk: OpenDesk,
) -> None:
    """Met: two excerpts of three changed paragraphs and “6 more places”; and the judge could not
    see that a rewrite had broken the second half of what was asked of it."""
    wish = "Let him look away. That he denies it stays as it is."
    fix = {**directive(1, 2), "instruction": wish}
    desk_ = at_review(desk, judge=[judged(directives=[fix]), judged()])
    type_into(desk_, SCENES[1][2], "He said nothing of it, and went on with the rope.")
    desk_.session().change_directives("accept", [next(iter(sheet_of(desk_)))])
    ask(desk_)
    desk_.decide("look-again")
    ask(desk_)
    rows = block(asked_for(desk_, "judge")[-1], "decided").splitlines()
    places = [row for row in rows if row.startswith(("[1.2] ", "[1.3] "))]
    assert len(places) == 3, rows
    assert all("more place" not in row for row in rows)
    assert places[1].startswith("[1.3] before this: “‘You are up early,’ said the wind")
    assert places[2] == f"[1.2] show-not-tell ({wish}): done"


def test_a_second_reading_is_told_the_old_words_from_where_they_were_changed(
    desk: OpenDesk,
) -> None:
    """Met: the old words of a long paragraph ended, with three dots, before the first that stand
    otherwise."""
    first, last = SCENES[1][1], SCENES[1][3]

    def in_one(asked: Asked) -> Rule:
        scene = SCENES[scene_number(asked)]
        return Rule(text="\n\n".join((scene[0], f"{scene[1]} {scene[3]}", scene[2])))

    desk_ = at_review(desk, draft=in_one, judge=judged())
    type_into(desk_, last, "Nothing rang, and no gull went up. The sea lay there as it had before.")
    ask(desk_)
    desk_.decide("look-again")
    ask(desk_)
    words = block(asked_for(desk_, "judge")[-1], "decided")
    assert "[1.2] before this: “… Far out a bell rang where no buoy" in words
    assert first[:20] not in words


@pytest.mark.sweep
def test_a_reading_after_a_scene_was_drafted_again_is_told_what_the_first_had_found(
    desk: OpenDesk,
) -> None:
    broken = violation(SCENES[2][0], scene=2)
    fix = directive(1, 2)
    desk_ = desk(
        Model(refine=unrefined, judge=[judged(violations=[broken], directives=[fix]), judged()])
    )
    assert isinstance(desk_.write(review="reject").outcome, Committed)
    first, second = asked_for(desk_, "judge")
    assert block(first, "decided") == ""
    words = block(second, "decided")
    assert "Changed since you read it: [2.1]-[2.4]\n" in words
    assert f"You found a broken rule ({broken['layer']}: {broken['rule']})" in words
    assert SCENES[2][0] in words
    assert "You have read this chapter before" in second.prompt


@pytest.mark.sweep
def test_a_reading_of_a_chapter_in_the_book_is_told_what_was_decided_when_it_was_written(
    desk: OpenDesk,
) -> None:
    desk_ = at_review_of_two(desk)
    desk_.session().change_directives("reject", [SUBTEXT], reason="He would say it.")
    desk_.decide("commit")
    assert isinstance(ask(desk_).outcome, Committed)
    path = desk_.folder / "chapters/chapter-001.md"
    path.write_text(path.read_text("utf-8").replace(SCENES[2][0], SCENES[2][0] + STAIRS), "utf-8")
    desk_.write(again=True, review="ask")
    words = block(asked_for(desk_, "judge")[-1], "decided")
    assert "Changed since you read it: [2.1]\n" in words
    assert "[2.3] dialogue-subtext" in words
    assert "rejected. the author: He would say it." in words


def test_a_reading_is_told_of_a_small_change_that_she_refused(desk: OpenDesk) -> None:
    """Met: only those that wait were told, and the judge proposed a refused one as its own."""
    desk_ = desk(Model(judge=[judged(), judged()]))
    desk_.write(review="ask")
    desk_.session().proposals().change("reject", ["prop_0001"], reason="It is his word.")
    type_into(desk_, SCENES[2][0], SCENES[2][0] + STAIRS)
    ask(desk_)
    desk_.decide("look-again")
    ask(desk_)
    (row,) = [r for r in block(asked_for(desk_, "judge")[-1], "decided").splitlines() if "->" in r]
    assert row.startswith("[1.3] “")
    assert "till the cold" in row
    assert row.endswith(": rejected. the author: It is his word.")


def test_a_reading_is_told_that_nobody_decided_on_what_the_studio_took_back(
    desk: OpenDesk,
) -> None:
    fixes = [directive(1, 2, type="proofreading"), directive(2, 1, type="cliche-replacement")]
    worse = preferring("old", {"differences": []})
    judge = [judged(directives=fixes), judged()]
    desk_ = desk(Model(refine=unrefined, judge=judge, reader=worse))
    desk_.overrides |= {"review.rounds": 2}
    assert isinstance(desk_.write(review="accept").outcome, Committed)
    rows = block(asked_for(desk_, "judge")[-1], "decided").splitlines()
    (row,) = [row for row in rows if row.startswith("[2.1] cliche")]
    assert row.endswith("taken back by the studio; the author has not decided on it"), rows


def test_a_reading_is_told_of_a_doubt_that_she_passed_at_the_gate(desk: OpenDesk) -> None:
    """Met: what the first reading doubted, and she let stand, came again with the second."""
    doubt = violation(SCENES[1][0], scene=1, confidence="low", rule="Nobody lifts oil cans")
    first = judged(4.2, violations=[BELL, doubt])
    desk_ = desk(Model(refine=unrefined, judge=[first, judged()]))
    assert desk_.write(review="ask").decision.kind == "gate"
    desk_.decide("review")
    ask(desk_)
    type_into(desk_, SCENES[2][0], SCENES[2][0] + STAIRS)
    ask(desk_)
    desk_.decide("look-again")
    ask(desk_)
    words = block(asked_for(desk_, "judge")[-1], "decided")
    row = f"a rule is kept (L1: Nobody lifts oil cans): “{SCENES[1][0]}”; it was left as it is."
    assert row in words


@pytest.mark.sweep
def test_the_summary_is_made_once_more_before_the_commit_and_nothing_else_is_asked(
    desk: OpenDesk,
) -> None:
    desk_ = at_review_of_two(desk)
    type_into(desk_, SCENES[2][0], SCENES[2][0] + STAIRS)
    ask(desk_)
    assert desk_.calls().count("summary") == 1
    desk_.decide("commit")
    assert isinstance(ask(desk_).outcome, Committed)
    assert (desk_.calls().count("summary"), desk_.calls().count("judge")) == (2, 1)
    assert STAIRS in block(asked_for(desk_, "summary")[-1], "chapter")
    assert desk_.checkpoint.badges(1) == ("changed since it was judged",)


def forgetting(asked: Asked) -> Rule:
    """A summary in which the bell is not planted."""
    value: Any = summarized(asked).value
    return Rule(value={**value, "ops": value["ops"][:1]})


@pytest.mark.sweep
def test_what_only_the_last_summary_finds_is_asked_once(desk: OpenDesk) -> None:
    desk_ = at_review_of_two(desk, summary=[summarized, forgetting])
    type_into(desk_, SCENES[2][0], SCENES[2][0] + STAIRS)
    assert "should have planted" not in ask(desk_).decision.rationale
    desk_.decide("commit")
    again = ask(desk_).decision
    assert again.kind == "review"
    assert "should have planted" in again.rationale
    assert not (desk_.folder / "chapters").exists()
    desk_.decide("commit")
    assert isinstance(ask(desk_).outcome, Committed)
    assert (desk_.calls().count("summary"), desk_.calls().count("judge")) == (2, 1)


def test_a_promise_that_only_the_last_summary_finds_is_asked_about_once(desk: OpenDesk) -> None:
    """Met: the question named three promises that nobody planned, and four came into the book."""
    worded_anew = {**NEW, "quote": "a key with a broken ward"}
    desk_ = at_review_of_two(desk, summary=[with_ops(NEW), with_ops(worded_anew, BELL_RINGS)])
    type_into(desk_, SCENES[2][0], SCENES[2][0] + STAIRS)
    ask(desk_)
    desk_.decide("commit")
    again = ask(desk_).decision
    assert again.kind == "review"
    assert f"comes into the book with it: “{FAR_OUT}”. 2 directives wait" in again.rationale
    assert "broken ward" not in again.rationale, "she knows of it"
    desk_.decide("commit")
    assert isinstance(ask(desk_).outcome, Committed)


# req: J8
def test_a_summary_that_no_model_made_finds_nothing_and_is_asked_about_no_second_time(
    desk: OpenDesk,
) -> None:
    desk_ = at_review_of_two(desk, summary=[summarized, Rule(text="No list of anything.")])
    type_into(desk_, SCENES[2][0], SCENES[2][0] + STAIRS)
    ask(desk_)
    desk_.decide("commit")
    assert isinstance(ask(desk_).outcome, Committed)
    assert desk_.calls().count("summary") == 3, "the last is asked for twice, and not readable"


def at_gate(desk: OpenDesk, **answers: Any) -> Desk:
    judge = [judged(4.2, violations=[BELL]), judged(4.2)]
    desk_ = desk(Model(refine=unrefined, judge=judge, **answers))
    assert desk_.write(review="ask").decision.kind == "gate"
    return desk_


def test_a_breach_whose_words_she_took_out_holds_nothing_up(desk: OpenDesk) -> None:
    desk_ = at_gate(desk)
    type_into(desk_, FAR_OUT, "Far out nothing moved")
    decision = ask(desk_).decision
    assert decision.kind == "review"
    assert desk_.calls().count("judge") == 1
    evaluation = desk_.store.staging_of(1).evaluation()
    assert evaluation is not None
    assert [v.state for v in evaluation.violations] == ["mended?"]
    assert evaluation.open_high_violations == ()


@pytest.mark.sweep
@pytest.mark.parametrize("way", ["version", "hand"])
def test_the_gate_question_that_waits_is_about_the_text_there_is(desk: OpenDesk, way: str) -> None:
    """Met: the words of the breach were gone, and the waiting question was about them still."""
    from studio.pipeline.orders import PassageOrder
    from studio.story.review.passage import read_place

    desk_ = at_gate(desk, anew=Rule(text="Nothing was to be heard."))
    session = desk_.session()
    place = next(
        p for p in Chapter(desk_.staged().read_text("utf-8")).paragraphs if FAR_OUT in p.text
    )
    if way == "hand":
        type_into(desk_, FAR_OUT, "Far out nothing moved")
    else:
        order = PassageOrder(1, read_place(f"{place.scene}.{place.number}"), "regenerate", "", 1)
        (version,) = asyncio.run(session.passages().write(order, lambda event: None))
        session.passages().taker.take(1, place.scene, version.sha256)
    for question in (session.pending(), session.status().pending_decision):
        assert question is not None
        assert (question.data["violations"], question.options) == ([], ("review",))
        assert "The text was changed since it was judged" in question.rationale
        assert "breaks what was agreed" not in question.rationale
    with pytest.raises(StudioError):
        session.decide("draft-again")
    session.decide("review")
    assert ask(desk_).decision.kind == "review"
    assert desk_.calls().count("judge") == 1


@pytest.mark.sweep
def test_a_breach_that_is_still_there_is_asked_about_and_can_be_read_again(
    desk: OpenDesk,
) -> None:
    desk_ = at_gate(desk)
    type_into(desk_, SCENES[2][0], SCENES[2][0] + STAIRS)
    waiting = desk_.session().pending()
    decision = ask(desk_).decision
    assert (decision.kind, decision.recommendation) == ("gate", "look-again")
    assert waiting is not None
    assert (waiting.id, waiting.options) == (decision.id, decision.options), "before it goes on too"
    assert desk_.calls().count("judge") == 1
    desk_.decide("look-again")
    assert ask(desk_).decision.kind == "review"
    assert desk_.calls().count("judge") == 2


@pytest.mark.sweep
def test_the_gate_does_not_ask_twice_what_she_answered_before_she_typed(desk: OpenDesk) -> None:
    desk_ = at_gate(desk)
    desk_.decide("review")
    assert ask(desk_).decision.kind == "review"
    type_into(desk_, SCENES[2][0], SCENES[2][0] + STAIRS)
    assert ask(desk_).decision.kind == "review"
    assert desk_.calls().count("judge") == 1


@pytest.mark.sweep
def test_her_own_words_for_a_passage_call_nobody_either(desk: OpenDesk) -> None:
    desk_ = at_review_of_two(desk)
    desk_.session().change_directives("edit", [SHOW], text="Joss had the key, all 40 years of it.")
    decision = ask(desk_).decision
    assert decision.kind == "review"
    assert (desk_.calls().count("judge"), desk_.calls().count("summary")) == (1, 1)
    assert decision.data["changed"] == ["1.2"]


@pytest.mark.sweep
def test_a_gate_that_names_a_broken_law_names_it_first(desk: OpenDesk) -> None:
    desk_ = at_gate(desk)
    decision = desk_.session().pending()
    assert decision is not None
    assert decision.rationale.startswith("It breaks what was agreed: L1: “")


@pytest.mark.sweep
@pytest.mark.repairs("W22")
def test_an_instruction_that_cites_a_paragraph_says_where_it_is_now(desk: OpenDesk) -> None:
    def surgeon(asked: Asked) -> Rule:
        cut = "Say it once" in block(asked, "directive")
        return Rule(text="NONE" if cut else block(asked, "passage").partition("] ")[2] + " So.")

    cut = directive(1, 2, type="cut", instruction="Say it once.")
    show = directive(1, 4, instruction="Let it answer what 1.3 says, and nothing of 3.16.")
    desk_ = at_review_of_two(desk, judge=judged(directives=[cut, show]), surgery=surgeon)
    desk_.session().change_directives("accept", [], all_=True)
    ask(desk_)
    assert SCENES[1][1] not in desk_.staged().read_text("utf-8")
    asked = block(asked_for(desk_, "surgery")[-1], "directive")
    assert "answer what 1.2 says, and nothing of 3.16" in asked


@pytest.mark.sweep
@pytest.mark.repairs("W17")
def test_rounds_are_read_by_themselves_in_ask_mode_too_once_all_is_decided(
    desk: OpenDesk,
) -> None:
    first = judged(directives=[directive(1, 2), directive(2, 3, type="dialogue-subtext")])
    second = judged(directives=[directive(2, 2)])
    model = Model(refine=unrefined, judge=[first, second, judged()])
    desk_ = desk(model, settings=f"{SETTINGS}[review]\nrounds = 3\n")
    assert desk_.write(review="ask").decision.kind == "review"
    desk_.session().change_directives("accept", [SHOW])
    assert ask(desk_).decision.data["pending"] == [SUBTEXT]
    assert desk_.calls().count("judge") == 1
    desk_.session().change_directives("reject", [SUBTEXT])
    assert ask(desk_).decision.data["pending"] == ["dir_show_not_tell_002"]
    assert desk_.calls().count("judge") == 2


@pytest.mark.sweep
def test_one_of_a_number_of_chapters_is_read_again_though_it_asks(desk: OpenDesk) -> None:
    desk_ = at_review_of_two(desk)
    type_into(desk_, SCENES[2][0], SCENES[2][0] + STAIRS)
    assert desk_.write(review="ask", several=True).decision.kind == "review"
    assert desk_.calls().count("judge") == 2


@pytest.mark.sweep
def test_a_fix_that_takes_away_what_the_summary_tells_has_it_made_once_more(
    desk: OpenDesk,
) -> None:
    def summary(asked: Asked) -> Rule:
        value: Any = summarized(asked).value
        telling = FAR_OUT in block(asked, "chapter")
        words = "Far out a bell rings where no buoy was laid." if telling else "Mara searches."
        return Rule(value={**value, "summary": words})

    silent = Rule(text="The gulls went up off the rocks all at once, as if somebody had called.")
    proposals = judged(directives=[directive(1, 4)])
    desk_ = at_review_of_two(desk, judge=proposals, summary=summary, surgery=silent)
    desk_.session().change_directives("accept", [SHOW])
    decision = ask(desk_).decision
    assert desk_.calls().count("surgery") == 1
    assert "summary is out of date" in decision.rationale
    assert (desk_.calls().count("judge"), desk_.calls().count("summary")) == (1, 1)
    desk_.session().change_directives("accept", [SHOW])
    ask(desk_)
    desk_.decide("commit")
    assert isinstance(ask(desk_).outcome, Committed)
    assert desk_.calls().count("summary") == 2
    assert "bell" not in (desk_.store.summary(1) or "")


@pytest.mark.sweep
def test_what_she_has_not_decided_on_waits_through_another_reading(desk: OpenDesk) -> None:
    """Met: a proposal that was open was gone after the next reading, without a word; and who read
    was not told of it, and raised a choice that waited once more in other words."""
    hers = {"kind": "decide", "scene": 1, "options": ["She is.", "She is not."]}
    asks = [
        {**hers, "issue": words, "quote": quote}
        for words, quote in (("Is she afraid?", SCENES[1][0]), ("What does she fear?", "oil cans"))
    ]
    first = [directive(1, 2), directive(2, 3, type="dialogue-subtext", priority=3)]
    second = [
        directive(2, 3, type="dialogue-subtext", priority=3, issue="In other words."),
        *(directive(1, n, type="rhythm-variation") for n in (1, 3)),
    ]
    readings = [
        Rule(value={**judged(directives=directives).value, "counsel": [choice]})
        for directives, choice in zip((first, second), asks, strict=True)
    ]
    desk_ = at_review(desk, judge=readings)
    before = sheet_of(desk_)
    open_ones = [d for d in before.values() if d.status.value == "pending"]
    assert {d.type.value for d in open_ones} >= {"dialogue-subtext"}
    type_into(desk_, SCENES[2][0], SCENES[2][0] + STAIRS)
    ask(desk_)
    desk_.decide("look-again")
    ask(desk_)
    after = sheet_of(desk_)
    assert desk_.calls().count("judge") == 2
    for one in (d for d in open_ones if d.origin != "code"):
        assert after[one.id].issue == one.issue
        assert after[one.id].status.value == "pending"
    assert sum(d.type.value == "dialogue-subtext" for d in after.values()) == 1, "not asked twice"
    assert any(d.type.value == "rhythm-variation" for d in after.values()), "and what is new"
    assert sum(d.status.value == "pending" for d in after.values()) <= 5
    rows = block(asked_for(desk_, "judge")[-1], "decided").splitlines()
    assert [row for row in rows if row.endswith(": not decided yet")] == [
        "[1.2] show-not-tell (It tells what could be seen.): not decided yet",
        "[2.3] dialogue-subtext (It tells what could be seen.): not decided yet",
        "[1.1] decide (Is she afraid?): not decided yet",
    ]
    evaluation = desk_.store.staging_of(1).evaluation()
    assert evaluation is not None
    assert [c.issue for c in evaluation.counsel if c.kind == "decide"] == ["Is she afraid?"]


def test_a_question_that_tells_news_does_not_say_that_nothing_is_open() -> None:
    """Met: “A promise that nobody planned … Nothing is open.” in one breath."""
    sheet = DirectiveSheet(chapter=1, source_sha256="0" * 64)
    assert str(rationale_of(sheet, 0)).startswith("Nothing is open.")
    assert str(rationale_of(sheet, 0, has_news=True)) == "Nothing else is open."
