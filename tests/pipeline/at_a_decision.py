"""Desks at which the writer is asked for a decision."""

from __future__ import annotations

from typing import Any

from studio.story.review.directive import Directive
from tests.fake_messages import Asked, Rule
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import (
    SCENES,
    Desk,
    Model,
    ask,
    block,
    directive,
    judged,
    unrefined,
    violation,
)

PROPOSALS = [
    directive(1, 2),
    directive(2, 3, type="dialogue-subtext", priority=3),
    directive(2, 1, type="transition-smoothing", priority=9),
]
TWO = [directive(1, 2), directive(2, 3, type="dialogue-subtext")]
SHOW, SUBTEXT, JOIN = (
    "dir_show_not_tell_001",
    "dir_dialogue_subtext_001",
    "dir_transition_smoothing_001",
)
BELL = violation("Far out a bell rang", scene=1)


def at_review(desk: OpenDesk, **answers: Any) -> Desk:
    """A desk with a drafted chapter, its refinement left alone, and three open directives."""
    desk_ = desk(Model(**{"refine": unrefined, "judge": judged(directives=PROPOSALS), **answers}))
    assert desk_.write(review="ask").decision.kind == "review"
    return desk_


def at_review_of_two(desk: OpenDesk, **answers: Any) -> Desk:
    """The same with two open directives, of which the writer may decide each by itself."""
    return at_review(desk, **{"judge": judged(directives=TWO), **answers})


def type_into(desk_: Desk, old: str, new: str) -> None:
    """Her own editor, on the text in work."""
    text = desk_.staged().read_text("utf-8")
    assert text.count(old) == 1
    desk_.staged().write_text(text.replace(old, new), encoding="utf-8")


def sheet_of(desk_: Desk) -> dict[str, Directive]:
    """The directives of the chapter in work by their ids."""
    sheet = desk_.session().directives()
    assert sheet is not None
    return {d.id: d for d in sheet.directives}


def statuses(desk_: Desk) -> dict[str, str]:
    """How each of them stands."""
    return {id_: d.status.value for id_, d in sheet_of(desk_).items()}


def nagging(asked: Asked) -> Rule:
    """A judge that finds the same fault in the same paragraph whatever stands there, and a
    broken rule, so that it is asked again after every change."""
    labelled = block(asked, "chapter").split("[1.2] ")[1].split("\n\n")[0]
    return judged(directives=[directive(1, 2, currentText=labelled)], violations=[BELL])


def growing(asked: Asked) -> Rule:
    """The passage, a little longer every time."""
    return Rule(text=block(asked, "passage").partition("] ")[2] + " It held there.")


def pending(desk_: Desk) -> str:
    """The first directive that is undecided."""
    return next(d.id for d in sheet_of(desk_).values() if d.status.value == "pending")


def at_breaker(desk: OpenDesk) -> Desk:
    """A desk at which the same issue was accepted for the third time."""
    desk_ = desk(Model(refine=unrefined, judge=nagging, surgery=growing))
    assert desk_.write(review="ask").decision.kind == "gate"
    for _ in range(2):
        desk_.decide("review")
        assert ask(desk_).decision.kind == "review"
        desk_.session().change_directives("accept", [pending(desk_)])
        assert ask(desk_).decision.kind == "gate"
    desk_.decide("review")
    assert ask(desk_).decision.kind == "review"
    desk_.session().change_directives("accept", [pending(desk_)])
    return desk_


def with_directives() -> Model:
    """A model whose judge proposes two directives."""
    proposals = [directive(1, 2), directive(2, 3, type="dialogue-subtext", priority=3)]
    return Model(judge=judged(directives=proposals))


def cut_scene() -> Any:
    """A drafter whose answer about the first scene breaks off."""

    def draft(asked: Asked) -> Rule:
        text = "\n\n".join(SCENES[1])
        return (
            Rule(mode="cut", after=20, text=text)
            if "scene 1" in asked.blocks[-1]["text"]
            else (Rule(text="\n\n".join(SCENES[2])))
        )

    return draft
