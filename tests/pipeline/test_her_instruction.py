"""What the writer told the surgeon herself is done, and a fix she accepted by name is refused for
its scope, its language or its emptiness alone (WRITING 5.6)."""

from __future__ import annotations

import pytest

from studio.story.review.directive import Directive
from studio.story.status import DirectiveAction, DirectiveStatus
from tests.fake_messages import Asked, Rule
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import SCENES, Desk, Model, asked_for, block, directive, judged, unrefined

OLD = SCENES[1][0]
NEW = "The Captain had lifted the oil cans for twenty-six years and set them down again."


def surgery(desk: OpenDesk, answer: Rule, **more: str) -> Desk:
    proposal = directive(1, 1, type="voice-consistency", instruction="Say it in his voice.")
    desk_ = desk(Model(refine=unrefined, surgery=answer, judge=judged(directives=[proposal])))
    desk_.write(review="ask")
    sheet = desk_.session().directives()
    assert sheet is not None
    (one,) = sheet.directives
    action = "edit" if more else "accept"
    desk_.session().change_directives(action, [one.id], **more)
    desk_.resume(review="ask")
    return desk_


def outcome(desk_: Desk) -> tuple[DirectiveStatus, str]:
    sheet = desk_.session().directives()
    assert sheet is not None
    (one,) = sheet.directives
    return one.status, " ".join(one.failures)


# req: J5
@pytest.mark.sweep
def test_what_a_fix_accepted_by_name_changes_besides_is_shown_and_never_refused(
    desk: OpenDesk,
) -> None:
    desk_ = surgery(desk, Rule(text=NEW))
    status, failures = outcome(desk_)
    assert (status, failures) == (DirectiveStatus.APPLIED, "")
    assert NEW in desk_.staged().read_text("utf-8")
    assert len(asked_for(desk_, "surgery")) == 1
    sheet = desk_.session().directives()
    assert sheet is not None
    result = sheet.directives[0].result
    assert result is not None
    assert result.facts, "what else it changed is said"


# req: J5
@pytest.mark.sweep
@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (f"{NEW}\n\nAnd another.", "2 paragraphs"),
        ("등잔을 든 사람은 아무 말도 하지 않았다. 그는 오래 서 있었다.", "another language"),
        (OLD, "changes nothing"),
    ],
)
def test_scope_language_and_emptiness_are_refused_even_then(
    desk: OpenDesk, answer: str, reason: str
) -> None:
    status, failures = outcome(surgery(desk, Rule(text=answer)))
    assert status is DirectiveStatus.FAILED
    assert reason in failures


# req: J5
def test_her_own_instruction_stands_alone(desk: OpenDesk) -> None:
    wish = "Begin with “The Captain”, and let the years be twenty-six."
    desk_ = surgery(desk, Rule(text=NEW), instruction=wish)
    (asked,) = asked_for(desk_, "surgery")
    assert block(asked, "directive") == wish
    assert "The operation" not in asked.prompt
    assert "Names, numbers" not in asked.prompt
    assert outcome(desk_)[0] is DirectiveStatus.APPLIED


# req: J5
def test_a_second_try_with_a_note_leaves_the_instruction_the_judge_s(desk: OpenDesk) -> None:
    words = "Say it in his voice."
    desk_ = surgery(desk, Rule(text=NEW), instruction=words, reason="Shorter, please.")
    (asked,) = asked_for(desk_, "surgery")
    assert words in block(asked, "directive")
    assert block(asked, "directive") != words, "what is wrong is told beside it"
    assert "Shorter, please." in block(asked, "notes")
    assert "The operation" in asked.prompt


# req: J5
@pytest.mark.parametrize(
    ("words", "hers"),
    [
        ("Say it in his voice. Leave the oil cans out.", "Leave the oil cans out."),
        ("Leave the oil cans out.\nSay it in his voice.", "Leave the oil cans out."),
        ("Say it in his voice. 기름통은 빼 줘.", "기름통은 빼 줘."),
        ("Here, Say it in his voice. Cut it.", "Here, Say it in his voice. Cut it."),
    ],
)
def test_what_she_adds_to_the_offered_instruction_is_told_apart_from_it(
    desk: OpenDesk, words: str, hers: str
) -> None:
    """Met: her words and the judge's stood in one line, as if she had said both."""
    desk_ = surgery(desk, Rule(text=NEW), instruction=words)
    order = block(asked_for(desk_, "surgery")[0], "directive")
    assert order.splitlines()[0] == hers
    is_added = hers != words
    assert order.endswith("where the two differ, hers does: Say it in his voice.") == is_added


# req: J5
def test_unattended_a_new_name_is_refused_as_ever(desk: OpenDesk) -> None:
    def answer(asked: Asked) -> Rule:
        return Rule(text=NEW)

    proposal = directive(1, 1, type="voice-consistency", instruction="Say it in his voice.")
    model = Model(refine=unrefined, surgery=answer, judge=judged(directives=[proposal]))
    desk_ = desk(model)
    desk_.write(review="accept")
    assert NEW not in desk_.text()


# req: J5
@pytest.mark.sweep
def test_in_ask_mode_a_fix_accepted_with_the_rest_is_shown_too_and_not_refused(
    desk: OpenDesk,
) -> None:
    proposal = directive(1, 1, type="voice-consistency", instruction="Say it in his voice.")
    model = Model(refine=unrefined, surgery=Rule(text=NEW), judge=judged(directives=[proposal]))
    desk_ = desk(model)
    desk_.write(review="ask")
    desk_.session().change_directives("accept", [], all_=True)
    desk_.resume(review="ask")
    status, failures = outcome(desk_)
    assert (status, failures) == (DirectiveStatus.APPLIED, "")


# req: J5
@pytest.mark.sweep
@pytest.mark.parametrize(
    ("place", "kind", "reason", "scope"),
    [
        ((2, 3), "cut", "The boots are the joke. They stay.", None),
        ((2, 3), "voice-consistency", "I like the tick of it.", None),
        ((2, 3), "voice-consistency", "He sounds like that in the whole book.", "elsewhere"),
        ((2, 3), "voice-consistency", "이 장에서는 말투를 그대로 둔다.", "elsewhere"),
        ((2, 3), "voice-consistency", "이 장면의 웃음이다.", None),
        ((2, 3), "voice-consistency", "全章都这样说话。", "elsewhere"),
        ((1, 1), "cut", "The oil cans stay.", "for this passage"),
    ],
)
def test_the_surgeon_is_told_of_rejections_that_are_about_its_passage(
    desk: OpenDesk, place: tuple[int, int], kind: str, reason: str, scope: str | None
) -> None:
    """The reason for another passage was taken for this one's: "why an earlier attempt was
    refused"."""
    here = directive(1, 1, type="voice-consistency", instruction="Say it in his voice.")
    other = directive(*place, type=kind, instruction="Make it shorter.")
    model = Model(refine=unrefined, surgery=Rule(text=NEW), judge=judged(directives=[other, here]))
    desk_ = desk(model)
    desk_.write(review="ask")
    session = desk_.session()
    sheet = session.directives()
    assert sheet is not None
    rejected = next(d for d in sheet.directives if d.type.value == kind and is_at(d, place))
    session.change_directives("reject", [rejected.id], reason=reason)
    wanted = next(d for d in sheet.directives if is_at(d, (1, 1)) and d is not rejected)
    session.change_directives("accept", [wanted.id])
    desk_.resume(review="ask")
    (asked,) = asked_for(desk_, "surgery")
    if scope is None:
        assert reason not in asked.prompt
        assert "`notes`" not in asked.prompt, "what is not there is not spoken of"
    else:
        assert scope in block(asked, "notes")
        assert reason in block(asked, "notes")


def is_at(one: Directive, place: tuple[int, int]) -> bool:
    return (one.location.scene_number, one.location.paragraph_start) == place


# req: J5
@pytest.mark.parametrize("between", ["undo", "reject"])
def test_her_own_instruction_stands_alone_though_she_took_it_back_in_between(
    desk: OpenDesk, between: DirectiveAction
) -> None:
    """Met: taken back and accepted again, her words came below the judge's sentence."""
    wish = "Begin with “The Captain”, and let the years be twenty-six."
    quote = " ".join(OLD.split()[:4])
    proposal = directive(
        1, 1, type="voice-consistency", instruction="Say it in his voice.", currentText=quote
    )
    desk_ = desk(
        Model(refine=unrefined, surgery=Rule(text=NEW), judge=judged(directives=[proposal]))
    )
    desk_.write(review="ask")
    session = desk_.session()
    sheet = session.directives()
    assert sheet is not None
    (one,) = sheet.directives
    session.change_directives("edit", [one.id], instruction=wish)
    session.change_directives(between, [one.id])
    session.change_directives("accept", [one.id])
    desk_.resume(review="ask")
    (asked,) = asked_for(desk_, "surgery")
    assert block(asked, "directive") == wish
    assert "as its author says" in asked.prompt
    task = asked.blocks[-1]["text"]
    assert f"She was shown these words of it: “{quote}”." in task, "what the judge quoted, apart"


@pytest.mark.parametrize("wish", ["Keep the oil cans.", "Keep the sill."])
def test_a_surgeon_is_told_what_she_changed_by_hand_of_what_its_order_speaks_of(
    desk: OpenDesk, wish: str
) -> None:
    """Met: an order said “concrete”, the passage “cement” by then, and nothing said which holds."""
    proposal = directive(1, 1, type="voice-consistency", instruction=wish)
    answer = Rule(text=OLD.replace("oil cans", "tin jugs").replace("lifted", "took up"))
    desk_ = desk(Model(refine=unrefined, surgery=answer, judge=judged(directives=[proposal])))
    desk_.write(review="ask")
    text = desk_.staged().read_text("utf-8")
    desk_.staged().write_text(text.replace("oil cans", "tin jugs", 1), "utf-8")
    sheet = desk_.session().directives()
    assert sheet is not None
    desk_.session().change_directives("accept", [sheet.directives[0].id])
    desk_.resume(review="ask")
    order = block(asked_for(desk_, "surgery")[0], "directive")
    is_told = "Changed in the passage since this was written" in order
    assert is_told == ("oil cans" in wish)
    assert ("is now “jugs one after another" in order) == is_told
