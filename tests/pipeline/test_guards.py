"""The guards of a rewrite are one design: where she looks they say what they see and hold nothing
back, where nobody looks they hold it; what is no rewrite of the passage at all they hold always
(WRITING 5.6, 5.7)."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from studio.story.review.directive import Directive
from studio.story.status import DirectiveStatus
from tests.fake_messages import Asked, Rule
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import (
    SCENES,
    Desk,
    Model,
    asked_for,
    block,
    directive,
    judged,
    scene_number,
    unrefined,
)

DRY = SCENES[2][3]


class Guarded(NamedTuple):
    """A rewrite that one guard has something against."""

    place: tuple[int, int]
    after: str
    seen: tuple[str, str, str] = ("", "", "")
    """What the second reader says of it: kind, old words, new words."""


GUARDS = {
    "a name": Guarded((2, 1), "Wilfred Pell came up the stairs with his boots in his hand."),
    "a number": Guarded((2, 4), DRY.replace("four hours", "nine hours")),
    "speech": Guarded((2, 2), SCENES[2][1].replace("sleeps", "eats")),
    "the share that is kept": Guarded(
        (1, 2),
        "Over the harbour clouds had gathered since noon, and women took their washing in before"
        " bread was out of any oven in that street.",
    ),
    "the length": Guarded((2, 1), f"{SCENES[2][0][:-1]}, slowly, {'one stair and another ' * 8}."),
    "a denial": Guarded((2, 4), DRY.replace("had been dry", "had not been dry")),
    "an event": Guarded((2, 1), "Joss came up the stairs with his boots in his hand, and died."),
    "the opposite": Guarded((2, 3), SCENES[2][2].replace("closed", "opened")),
    "the second reader": Guarded(
        (2, 1),
        "Joss came up the ladder with his boots in his hand.",
        ("place", "the stairs", "the ladder"),
    ),
}
SEEN = ("name", "batch")
UNSEEN = ("mode", "auto_accept")


def review(desk: OpenDesk, one: Guarded, accepted_by: str) -> tuple[Desk, Directive]:
    """The passage rewritten so, accepted in one of four ways."""
    proposal = directive(*one.place, type="wording", instruction="Say it more plainly.")
    kind, old, new = one.seen

    def read(asked: Asked) -> Rule:
        first, second = (old, new) if old in block(asked, "passage-1") else (new, old)
        faults = [{"kind": kind, "one": first, "two": second}] if kind else []
        return Rule(value={"differences": faults})

    model = Model(
        refine=unrefined,
        surgery=Rule(text=one.after),
        judge=judged(directives=[proposal]),
        reader=read,
    )
    return accepted(desk(model), "wording", accepted_by)


def accepted(desk_: Desk, type_: str, accepted_by: str) -> tuple[Desk, Directive]:
    """The one fix that the judge proposes, of this type, accepted in one of four ways."""
    if accepted_by == "auto_accept":
        desk_.overrides["review.auto_accept"] = [type_]
    desk_.write(review="accept" if accepted_by == "mode" else "ask")
    if accepted_by in SEEN:
        (first,) = sheet(desk_)
        chosen: dict[str, Any] = {"all_": True} if accepted_by == "batch" else {}
        desk_.session().change_directives("accept", [] if chosen else [first.id], **chosen)
        desk_.resume(review="ask")
    (last,) = sheet(desk_)
    return desk_, last


def sheet(desk_: Desk) -> tuple[Directive, ...]:
    directives = desk_.session().directives()
    assert directives is not None
    return directives.directives


def text(desk_: Desk) -> str:
    return desk_.staged().read_text("utf-8") if desk_.staged().exists() else desk_.text()


# req: J5 A13
@pytest.mark.sweep
@pytest.mark.parametrize("accepted_by", SEEN)
@pytest.mark.parametrize("guard", GUARDS)
def test_where_she_looks_a_guard_says_what_it_sees_and_holds_nothing_back(
    desk: OpenDesk, guard: str, accepted_by: str
) -> None:
    one = GUARDS[guard]
    desk_, fix = review(desk, one, accepted_by)
    assert (fix.status, fix.failures) == (DirectiveStatus.APPLIED, ())
    assert one.after in text(desk_)
    assert len(asked_for(desk_, "surgery")) == 1, "nothing is refused and asked for again"
    assert not asked_for(desk_, "reader")
    assert fix.result is not None
    remarks = (*fix.result.facts, *fix.result.lost, *fix.result.added)
    assert remarks, "what it sees"


# req: J5 A13
@pytest.mark.sampled
@pytest.mark.parametrize("accepted_by", UNSEEN)
@pytest.mark.parametrize("guard", GUARDS)
def test_where_nobody_looks_the_same_guard_holds_it_and_says_why(
    desk: OpenDesk, guard: str, accepted_by: str
) -> None:
    one = GUARDS[guard]
    desk_, fix = review(desk, one, accepted_by)
    assert fix.status in (DirectiveStatus.FAILED, DirectiveStatus.UNDONE)
    assert fix.failures
    assert one.after not in text(desk_)
    assert "\n\n".join(SCENES[1]) in text(desk_)
    assert "\n\n".join(SCENES[2]) in text(desk_)


# req: J5
@pytest.mark.sampled
@pytest.mark.parametrize("accepted_by", [*SEEN, *UNSEEN])
@pytest.mark.parametrize(
    "after",
    [
        f"{SCENES[2][0]}\n\nAnd another paragraph came behind it.",
        "등잔을 든 사람은 아무 말도 하지 않았다. 그는 오래 서 있었다.",
        SCENES[2][0],
    ],
    ids=["scope", "language", "nothing changed"],
)
def test_what_is_no_rewrite_of_the_passage_is_held_everywhere(
    desk: OpenDesk, after: str, accepted_by: str
) -> None:
    desk_, fix = review(desk, Guarded((2, 1), after), accepted_by)
    assert fix.status is DirectiveStatus.FAILED
    assert fix.failures
    assert "\n\n".join(SCENES[2]) in text(desk_)


def stays(accepted_by: str) -> DirectiveStatus:
    """The status of a fix that is in the text: in ask mode she is shown it."""
    return DirectiveStatus.KEPT if accepted_by == "mode" else DirectiveStatus.APPLIED


DEMANDS = {
    "a speech that is to go": (
        (1, 3),
        "Take out “You are up early”, and who says so: the wind does not talk.",
        SCENES[1][2].partition("told it. ")[2],
    ),
    "a speech that is to change": (
        (1, 3),
        "“You are up early” is too much like a greeting; let the wind say less.",
        SCENES[1][2].replace("You are up early", "Early"),
    ),
    "most of the passage": (
        (1, 4),
        "Cut “Far out a bell rang where no buoy had been laid” and the tablecloth.",
        "The gulls went up off the rocks all at once.",
    ),
    "a name and a number that are to change": (
        (2, 4),
        "It is Joss who has gone, not he, and the tide is five hours down where it says four.",
        SCENES[2][3].replace("he had gone", "Joss had gone").replace("four", "five"),
    ),
}


@pytest.mark.sweep
@pytest.mark.parametrize("accepted_by", UNSEEN)
@pytest.mark.parametrize("demand", DEMANDS)
def test_what_the_directive_itself_asks_for_is_not_held_where_nobody_looks(
    desk: OpenDesk, demand: str, accepted_by: str
) -> None:
    place, instruction, after = DEMANDS[demand]
    proposal = directive(*place, type="wording", instruction=instruction)

    def read(asked: Asked) -> Rule:
        is_turned = block(asked, "passage-1").strip() == after
        return Rule(value={"differences": [], "better": "1" if is_turned else "2", "why": ""})

    # Where the summary tells what was changed, the chapter is read once more.
    judge = [judged(directives=[proposal]), judged()]
    model = Model(refine=unrefined, surgery=Rule(text=after), judge=judge, reader=read)
    desk_, fix = accepted(desk(model), "wording", accepted_by)
    assert fix.failures == ()
    assert fix.status is stays(accepted_by)
    assert after in text(desk_)
    assert len(asked_for(desk_, "surgery")) == 1


@pytest.mark.sweep
@pytest.mark.parametrize("accepted_by", [*SEEN, *UNSEEN])
def test_a_space_or_a_mark_is_a_change_where_a_proofreader_was_asked(
    desk: OpenDesk, accepted_by: str
) -> None:
    wrong, right = SCENES[2][0].replace("boots in", "boots  in"), SCENES[2][0]
    proposal = directive(
        2, 1, type="proofreading", currentText=wrong, instruction="One of two spaces goes."
    )
    scenes = {**SCENES, 2: (wrong, *SCENES[2][1:])}
    model = Model(
        refine=unrefined,
        draft=lambda asked: Rule(text="\n\n".join(scenes[scene_number(asked)])),
        surgery=Rule(text=right),
        judge=judged(directives=[proposal]),
        reader=Rule(value={"differences": []}),
    )
    desk_, fix = accepted(desk(model), "proofreading", accepted_by)
    assert fix.failures == ()
    assert fix.status is stays(accepted_by)
    assert len(asked_for(desk_, "surgery")) == 1
