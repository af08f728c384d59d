"""What only the writer decides, answered: a fix, a wish, a note, or it is meant."""

from __future__ import annotations

import pytest

from studio.errors import StudioError
from studio.pipeline.judging.placement import evaluation_beside
from studio.project.author.passage_locks import keep_passage
from studio.story.review.directive import DirectiveSheet
from studio.story.review.evaluation import ChoiceAnswer, Counsel, help_of
from studio.story.review.passage import PassagePlace
from studio.story.status import DirectiveStatus
from tests.cli.command import Ended, studio
from tests.fake_messages import Rule
from tests.pipeline.at_a_choice import CHOICE, in_review
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import (
    CONTRACT,
    SCENES,
    Desk,
    Model,
    asked_for,
    block,
    directive,
    judged,
    unrefined,
)
from tests.project.novels import put

WHERE = (1, 2)
"""Scene and paragraph of the quoted words."""


def sheet_of(desk_: Desk) -> DirectiveSheet:
    sheet = desk_.session().directives()
    assert sheet is not None
    return sheet


def choices_of(desk_: Desk) -> tuple[Counsel, ...]:
    sheet = sheet_of(desk_)
    return help_of(sheet, evaluation_beside(desk_.store, sheet)).decide


# req: H4
@pytest.mark.sweep
def test_a_choice_becomes_a_fix_that_the_surgeon_does(desk: OpenDesk) -> None:
    desk_ = in_review(desk)
    before = desk_.store.checkpoint().pending_decision
    desk_.session().answer_choice(CHOICE["issue"], "fix", "그녀는 알고 있다.")
    fix = next(d for d in sheet_of(desk_).directives if d.origin == "writer")
    at = fix.location
    assert (at.scene_number, at.paragraph_start, at.paragraph_end) == (*WHERE, WHERE[1] + 1)
    assert (fix.status, fix.accepted_by) == (DirectiveStatus.ACCEPTED, "name")
    question = desk_.store.checkpoint().pending_decision
    assert before is not None
    assert question is not None
    assert question.id == before.id
    assert "for the surgeon" in question.rationale
    (choice,) = choices_of(desk_)
    assert (choice.answer, choice.answer_words) == ("fix", "그녀는 알고 있다.")
    desk_.write(review="ask")
    surgery = [a for a in desk_.server.asked if block(a, "passage")]
    assert "그녀는 알고 있다." in block(surgery[-1], "directive")
    assert desk_.session().directives().find(fix.id).status is DirectiveStatus.APPLIED


# req: H4
@pytest.mark.sweep
def test_an_answer_has_the_room_that_it_needs(desk: OpenDesk) -> None:
    """It was carried out within the quoted line alone, exactly one paragraph: what somebody says to
    a line of speech stands behind it."""
    old = [SCENES[1][1], SCENES[1][2]]
    added = "It was her father’s key, and she knew it."
    model = Model(
        refine=unrefined,
        judge=Rule(value={**judged(directives=[]).value, "counsel": [CHOICE]}),
        surgery=Rule(text="\n\n".join((old[0], added, old[1]))),
    )
    desk_ = desk(model)
    desk_.write(review="ask")
    desk_.session().answer_choice(CHOICE["issue"], "fix", "그녀는 알고 있다.")
    desk_.resume(review="ask")
    (asked,) = asked_for(desk_, "surgery")
    assert block(asked, "passage") == f"[1.2] {old[0]}\n\n[1.3] {old[1]}"
    assert "2 paragraphs, or 3," in asked.prompt
    assert "exactly one paragraph" not in asked.prompt
    text = desk_.staged().read_text("utf-8")
    assert f"{old[0]}\n\n{added}\n\n{old[1]}\n\n{SCENES[1][3]}" in text
    fix = sheet_of(desk_).directives[0]
    assert (fix.status, fix.location.width) == (DirectiveStatus.APPLIED, 3)
    desk_.session().change_directives("undo", [fix.id])
    assert f"{old[0]}\n\n{old[1]}\n\n{SCENES[1][3]}" in desk_.staged().read_text("utf-8")


# req: H4
@pytest.mark.sweep
@pytest.mark.parametrize("what", ["kept", "another fix", "another choice"])
def test_an_answer_leaves_what_is_kept_or_another_fixs_alone(desk: OpenDesk, what: str) -> None:
    fixes = [directive(1, 3)] if what == "another fix" else []
    more = [{**CHOICE, "issue": "Who?", "quote": "You are up early"}]
    counsel = [CHOICE, *(more if what == "another choice" else ())]
    judge = Rule(value={**judged(directives=fixes).value, "counsel": counsel})
    desk_ = desk(Model(refine=unrefined, judge=judge))
    desk_.write(review="ask")
    if what == "kept":
        keep_passage(desk_.store, 1, PassagePlace(1, 3, 3))
    desk_.session().answer_choice(CHOICE["issue"], "fix", "그녀는 알고 있다.")
    fix = next(d for d in sheet_of(desk_).directives if d.origin == "writer")
    assert (fix.location.paragraph_start, fix.location.width) == (WHERE[1], 1)


@pytest.mark.sweep
def test_a_wish_goes_to_the_next_draft_also_after_this_one_is_discarded(desk: OpenDesk) -> None:
    desk_ = in_review(desk)
    desk_.session().answer_choice(CHOICE["issue"], "wish", "Let her know it at once.")
    assert desk_.store.checkpoint().direction == "Let her know it at once."
    desk_.session().discard()
    asked = len(desk_.server.asked)
    desk_.write(review="ask")
    assert "Let her know it at once." in block(desk_.server.asked[asked], "direction")


@pytest.mark.sweep
def test_a_note_stands_behind_the_passage_and_nothing_is_read_again(desk: OpenDesk) -> None:
    desk_ = in_review(desk)
    before = desk_.store.staging_of(1).text()
    desk_.session().answer_choice(CHOICE["issue"], "note", "问问妈妈 %%, 那把钥匙。")
    after = desk_.store.staging_of(1).text()
    assert before is not None
    assert after is not None
    assert "key with a broken ward.\n\n%% 问问妈妈 %, 那把钥匙。 %%\n\n" in after.text
    assert [p.text for p in after.paragraphs] == [p.text for p in before.paragraphs]
    assert sheet_of(desk_).source_sha256 == after.sha256
    assert [d.status for d in sheet_of(desk_).directives] == [DirectiveStatus.PENDING]
    asked = len(desk_.server.asked)
    desk_.session().change_directives("reject", [], all_=True)
    desk_.write(review="ask")
    assert desk_.server.asked[asked:] == []
    assert desk_.store.staging_of(1).text().text == after.text


@pytest.mark.sweep
def test_what_is_meant_is_not_asked_again_while_its_words_stand(desk: OpenDesk) -> None:
    other = {**CHOICE, "issue": "Does she know?", "quote": "Under the last of them"}
    desk_ = in_review(desk, CHOICE, other)
    desk_.session().answer_choice(CHOICE["issue"], "meant")
    desk_.session().change_directives("reject", [], all_=True)
    desk_.session().decide("draft-again")
    desk_.write(review="ask")
    answers = {c.issue: c.answer for c in choices_of(desk_)}
    assert answers == {CHOICE["issue"]: "meant", "Does she know?": None}


@pytest.mark.sweep
def test_every_answer_is_taken_back_with_what_it_did(desk: OpenDesk) -> None:
    issues = [str(CHOICE["issue"]), "Does she know?", "Who is it?", "Is it?"]
    desk_ = in_review(desk, *({**CHOICE, "issue": issue} for issue in issues))
    session = desk_.session()
    text = desk_.store.staging_of(1).text()
    question = desk_.store.checkpoint().pending_decision
    for issue, way in zip(issues, ("fix", "wish", "note", "meant"), strict=True):
        session.answer_choice(issue, way, "그녀는 안다.")
    for issue in issues:
        session.answer_choice(issue, None)
    assert [c.answer for c in choices_of(desk_)] == [None] * 4
    assert [d.origin for d in sheet_of(desk_).directives] == ["judge"]
    checkpoint = desk_.store.checkpoint()
    assert (checkpoint.direction, checkpoint.orders) == ("", ())
    assert desk_.store.staging_of(1).text() == text
    assert checkpoint.pending_decision.rationale == question.rationale
    with pytest.raises(StudioError, match="no such answer"):
        session.answer_choice(issues[0], None)


@pytest.mark.sweep
def test_an_answer_from_now_on_is_told_to_every_model_until_it_is_taken_back(
    desk: OpenDesk,
) -> None:
    desk_ = in_review(desk, CHOICE, {**CHOICE, "issue": "Does she know?"})
    session = desk_.session()
    for issue in (CHOICE["issue"], "Does she know?"):
        session.answer_choice(issue, "always", "그녀는 안다.")
    session.answer_choice("Does she know?", None)
    page = desk_.folder / "context/guidelines/decided.md"
    head = "## Chapter 1: The Lamp Room"
    row = f"{head}\n- {CHOICE['issue']} → 그녀는 안다.\n"
    assert page.read_text("utf-8").endswith(f"---\n{row}"), "a question says “this time”"
    session.change_directives("reject", [], all_=True)
    session.decide("draft-again")
    desk_.write(review="ask")
    words = f"{head}\n- asked: {CHOICE['issue']}\n  decided: 그녀는 안다."
    assert block(desk_.server.asked[-1], "gl-decided") == words
    choice = next(c for c in choices_of(desk_) if c.issue == CHOICE["issue"])
    assert choice.answer == "always"
    session.answer_choice(choice.issue, None)
    assert not page.exists()


# req: J1 J4
@pytest.mark.sweep
def test_no_answer_tells_who_writes_what_nobody_there_may_know(desk: OpenDesk) -> None:
    """To who writes, an answer is as short and as silent as everything else she is told."""
    desk_ = in_review(desk, CHOICE, {**CHOICE, "issue": "Does she know?"})
    session = desk_.session()
    session.answer_choice(CHOICE["issue"], "meant", "The keeper shot him.")
    session.answer_choice("Does she know?", "meant", "She does.")
    secret = {"id": "keeper", "fact": "The keeper shot him.", "phrases": [], "known_by": [],
              "reader_from": 9}  # fmt: skip
    put(desk_.folder, "world/secrets.json", {"schema_version": 1, "secrets": [secret]})
    session.change_directives("reject", [], all_=True)
    session.decide("draft-again")
    desk_.server.asked.clear()
    desk_.write(review="ask")
    assert "She does." in block(asked_for(desk_, "draft")[0], "answered")
    assert "shot him" not in asked_for(desk_, "draft")[0].prompt


# req: J1 J4
def test_what_she_says_is_so_already_is_told_to_whoever_reads_after_her(desk: OpenDesk) -> None:
    """Met: her answer stood in no prompt, and the next reading asked the same in other words."""
    bare = {**CHOICE, "issue": "Is it day?", "quote": "Under the last of them"}
    desk_ = in_review(desk, CHOICE, bare, {**CHOICE, "issue": "Who is it?"})
    session = desk_.session()
    session.answer_choice(CHOICE["issue"], "meant", "그녀는 안다.")
    session.answer_choice("Is it day?", "meant")
    session.change_directives("reject", [], all_=True)
    session.decide("draft-again")
    desk_.server.asked.clear()
    desk_.write(review="ask")
    rows = (
        f"## Chapter 1\n- asked: {CHOICE['issue']}\n  decided: 그녀는 안다."
        "\n- asked: Is it day?\n  decided: meant as it is"
    )
    for kind in ("judge", "summary", "draft"):
        assert block(asked_for(desk_, kind)[0], "answered") == rows, kind
    session.change_directives("reject", [], all_=True)
    desk_.write(review="ask")
    session.decide("commit")
    desk_.write(review="ask")
    assert desk_.checkpoint.inflight_chapter is None
    desk_.server.asked.clear()
    second = {**CONTRACT, "chapter": 2, "foreshadowing": []}
    put(desk_.folder, "volumes/vol-01/chapter-contracts/chapter-002.json", second)
    desk_.write(review="ask", chapter=2)
    for kind in ("judge", "draft"):
        asked = asked_for(desk_, kind)[0]
        assert block(asked, "answered") == rows, "of a chapter before"
        assert "`answered`" in asked.prompt


# req: J1 J4
@pytest.mark.parametrize("answer", ["next", "wish"])
def test_what_she_put_off_is_not_asked_again_by_who_reads_the_chapter_once_more(
    desk: OpenDesk, answer: ChoiceAnswer
) -> None:
    """Met: what she kept for the next chapter was asked again, in other words, in this one; then it
    was told as true of this one, and missed on its pages."""
    desk_ = in_review(desk, CHOICE)
    session = desk_.session()
    session.answer_choice(CHOICE["issue"], answer, "He saw; he shows it later.")
    session.change_directives("reject", [], all_=True)
    session.decide("draft-again")
    desk_.server.asked.clear()
    desk_.write(review="ask")
    where = {"next": "for the next chapter", "wish": "for another draft"}[answer]
    decided = f"decided: {where}; here the pages stand as they are: He saw; he shows it later."
    row = f"## Chapter 1\n- asked: {CHOICE['issue']}\n  {decided}"
    assert block(asked_for(desk_, "judge")[0], "answered") == row
    assert block(asked_for(desk_, "draft")[0], "answered") == "", "a wish stands in its direction"


@pytest.mark.sweep
def test_what_her_own_answer_wrote_is_no_file_to_warn_of_until_somebody_else_changes_it(
    desk: OpenDesk,
) -> None:
    desk_ = in_review(desk, CHOICE)
    desk_.session().answer_choice(CHOICE["issue"], "always", "그녀는 안다.")

    def warnings() -> list[str]:
        desk_.session().decide("draft-again")
        ran = desk_.write(review="ask")
        return [e.message for e in ran.of("warning") if "speak to the models" in e.message]

    desk_.session().change_directives("reject", [], all_=True)
    assert warnings() == []
    page = desk_.folder / "context/guidelines/decided.md"
    page.write_text(page.read_text("utf-8") + "- Praise the harbour.\n", "utf-8")
    desk_.session().change_directives("reject", [], all_=True)
    (sentence,) = warnings()
    assert "what was decided for the whole book (context/guidelines/decided.md)" in sentence


@pytest.mark.sweep
def test_the_command_line_answers_and_takes_back(desk: OpenDesk) -> None:
    desk_ = in_review(desk, CHOICE, {**CHOICE, "issue": "Where is he?"})

    def typed(*words: object) -> Ended:
        return studio("directives", *words, cwd=desk_.folder, environ=desk_.environ)

    assert "You decide 2\n  Where is he?" in typed("list").out
    done = typed("answer", 2, "wish", "No bell.", "--json").json["choice"]
    assert (done["issue"], done["answer"], done["answer_words"]) == (
        "Where is he?",
        "wish",
        "No bell.",
    )
    assert desk_.store.checkpoint().direction == "No bell."
    assert "open again" in typed("answer", 2, "undo").out
    assert desk_.store.checkpoint().direction == ""
    assert "not asked again" in typed("answer", 1, "meant").out
    refused = typed("answer", 3, "meant")
    assert (refused.code, "There is no choice 3." in refused.err) == (2, True)
    assert typed("answer", 2, "fix").code == 2


def test_a_wish_taken_back_leaves_the_others(desk: OpenDesk) -> None:
    desk_ = in_review(desk, CHOICE, {**CHOICE, "issue": "Does she know?"})
    session = desk_.session()
    session.answer_choice(CHOICE["issue"], "wish", "Let her know it.")
    session.answer_choice("Does she know?", "wish", "No bell.")
    session.answer_choice(CHOICE["issue"], None)
    assert desk_.store.checkpoint().direction == "No bell."
    assert desk_.store.checkpoint().order_for(1).direction == "No bell."


@pytest.mark.parametrize("wishes", [("Colder", "Much Colder now"), ("Cold", "Colder now")])
@pytest.mark.parametrize("is_first", [True, False])
def test_a_wish_within_another_is_taken_back_without_it(
    desk: OpenDesk, wishes: tuple[str, str], is_first: bool
) -> None:
    desk_ = in_review(desk, CHOICE, {**CHOICE, "issue": "Does she know?"})
    session, (short, long) = desk_.session(), wishes
    answers = [(CHOICE["issue"], short), ("Does she know?", long)]
    for issue, words in answers if is_first else reversed(answers):
        session.answer_choice(issue, "wish", words)
    session.answer_choice(CHOICE["issue"], None)
    assert desk_.store.checkpoint().direction == long
    assert desk_.store.checkpoint().order_for(1).direction == long


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("issue", "answer", "words", "said"),
    [
        ("nothing of the kind", "meant", "", "no such choice"),
        (CHOICE["issue"], "fix", "  ", "a few words"),
        ("Where is he?", "fix", "Say it.", "not in the text"),
        ("Where is he?", "note", "Ask.", "not in the text"),
    ],
)
def test_what_cannot_be_answered_so_is_said(
    desk: OpenDesk, issue: str, answer: str, words: str, said: str
) -> None:
    desk_ = in_review(desk, CHOICE, {**CHOICE, "issue": "Where is he?", "quote": "no such words"})
    with pytest.raises(StudioError) as caught:
        desk_.session().answer_choice(issue, answer, words)
    assert said in str(caught.value.problem)
    assert {c.answer for c in choices_of(desk_)} == {None}


@pytest.mark.sweep
def test_an_answered_choice_is_not_answered_twice_nor_without_a_chapter(desk: OpenDesk) -> None:
    desk_ = in_review(desk)
    desk_.session().answer_choice(CHOICE["issue"], "meant", "그래야 한다.")
    with pytest.raises(StudioError):
        desk_.session().answer_choice(CHOICE["issue"], "meant")
    desk_.session().discard()
    with pytest.raises(StudioError) as caught:
        desk_.session().answer_choice(CHOICE["issue"], "meant")
    assert "No chapter is in progress" in str(caught.value.problem)


@pytest.mark.sweep
def test_a_fix_taken_back_opens_its_choice_again_before_and_after_the_rewrite(
    desk: OpenDesk,
) -> None:
    desk_ = in_review(desk)
    session, issue = desk_.session(), str(CHOICE["issue"])
    text = desk_.store.staging_of(1).text()
    session.answer_choice(issue, "fix", "그녀는 알고 있다.")
    fix = sheet_of(desk_).directives[-1]
    (undone,) = session.change_directives("undo", [fix.id])
    assert (undone.id, undone.status) == (fix.id, DirectiveStatus.PENDING)
    assert [d.origin for d in sheet_of(desk_).directives] == ["judge"], "it was but the answer"
    assert choices_of(desk_)[0].answer is None
    session.answer_choice(issue, "fix", "그녀는 알고 있다.")
    desk_.write(review="ask")
    assert sheet_of(desk_).directives[-1].status is DirectiveStatus.APPLIED
    assert choices_of(desk_)[0].answer == "fix"
    assert desk_.store.staging_of(1).text() != text
    desk_.session().change_directives("undo", [fix.id])
    assert desk_.store.staging_of(1).text() == text
    assert choices_of(desk_)[0].answer is None
    question = desk_.store.checkpoint().pending_decision
    assert question is not None
    assert "1 choice only you can make is open" in str(question.rationale)
    desk_.session().change_directives("edit", [fix.id], instruction="그녀는 모른다.")
    (choice,) = choices_of(desk_)
    assert (choice.answer, choice.answer_words) == ("fix", "그녀는 모른다."), "tried again"


@pytest.mark.sweep
def test_a_fix_put_aside_answers_nothing(desk: OpenDesk) -> None:
    desk_ = in_review(desk)
    desk_.session().answer_choice(str(CHOICE["issue"]), "fix", "그녀는 알고 있다.")
    fix = sheet_of(desk_).directives[-1]
    desk_.session().change_directives("reject", [fix.id])
    assert choices_of(desk_)[0].answer is None
    desk_.session().answer_choice(str(CHOICE["issue"]), "fix", "그녀는 모른다.")
    desk_.session().answer_choice(str(CHOICE["issue"]), None)
    assert [d.status for d in sheet_of(desk_).directives if d.origin == "writer"] == [
        DirectiveStatus.REJECTED
    ]


# req: H4
@pytest.mark.sweep
@pytest.mark.parametrize("becomes", ["", "Under the last of them lay a letter."])
def test_a_choice_whose_words_she_took_out_or_changed_is_not_open_until_they_are_back(
    desk: OpenDesk, becomes: str
) -> None:
    desk_ = in_review(desk)
    session = desk_.session()
    session.change_directives("reject", [], all_=True)
    text = desk_.store.staging_of(1).text()
    assert text is not None
    passage = text.passage(*WHERE, WHERE[1])
    changed = text.text.replace(passage[0].text + "\n\n", f"{becomes}\n\n" if becomes else "")
    for words, is_open in ((changed, False), (text.text, True)):
        desk_.staged().write_text(words, encoding="utf-8")
        desk_.write(review="ask")
        question = desk_.store.checkpoint().pending_decision
        assert question is not None
        assert ("only you can make is open" in question.rationale) is is_open
        (choice,) = choices_of(desk_)
        assert (choice.waits, choice.answer) == (is_open, None), "it is kept as memory"
        listed = studio("directives", "list", cwd=desk_.folder, environ=desk_.environ).out
        assert ("its passage is gone" in listed) is not is_open


@pytest.mark.sweep
def test_the_answer_is_said_with_the_reading_of_a_chapter_in_the_book(desk: OpenDesk) -> None:
    desk_ = in_review(desk)
    session = desk_.session()
    session.answer_choice(CHOICE["issue"], "always", "그녀는 안다.")
    session.change_directives("reject", [], all_=True)
    desk_.write(review="ask")
    session.decide("commit")
    desk_.write(review="ask")
    assert desk_.checkpoint.inflight_chapter is None
    output = studio("status", "1", cwd=desk_.folder, environ=desk_.environ).out
    assert f"{CHOICE['issue']} You answered: from now on: 그녀는 안다." in output
