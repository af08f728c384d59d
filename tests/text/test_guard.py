from __future__ import annotations

import pytest

from studio.story.review.directive import DirectiveType
from studio.story.review.operations import OPERATIONS
from studio.text.guard import refine_guard, surgery_guard
from studio.text.language.packs import load_pack

EN = load_pack("en")
SPOKEN = "“Three men,” said Joss, and he put the lamp down."
SCENE = f"Mara felt the cold on her face.\n\n{SPOKEN}\n\nIt rained."


def refined(after: str) -> list[str]:
    return refine_guard(SCENE, after, ["Mara", "Joss"], EN)


def operated(kind: str, before: list[str], after: list[str]) -> list[str]:
    return surgery_guard(before, after, OPERATIONS[DirectiveType(kind)], ["Mara", "Joss"], EN)


def test_a_careful_refinement_stands() -> None:
    assert refined(SCENE.replace("felt the cold on", "turned cold about")) == []


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("\n\nIt rained.", "", "its paragraphs number 2, the draft's 3"),
        ("Mara", "She", "the name Mara is gone"),
        ("Three", "Four", "the number Four is new"),
        ("men,”", "women,”", "the speech"),
        ("It rained.", "It rained" + " and rained" * 9 + ".", "outside 0.6 to 1.2"),
        (
            "felt the cold on her face.\n\n“Three men,” said Joss, and he put the lamp down.",
            "froze.\n\n“Three men,” said Joss.",
            "outside 0.6 to 1.2",
        ),
        ("It rained.", "It \x1b[31mrained.", "control characters"),
    ],
)
def test_a_refinement_that_goes_too_far_is_refused(old: str, new: str, fault: str) -> None:
    assert any(fault in message for message in refined(SCENE.replace(old, new)))


BEFORE = ["Mara felt the cold come up through the floor and thought of home."]


def test_a_careful_operation_stands() -> None:
    assert (
        operated("filter-word-removal", BEFORE, ["Cold came up through the floor. Mara: home."])
        == []
    )


@pytest.mark.parametrize(
    ("after", "fault"),
    [
        ([], "empty"),
        (["  "], "empty"),
        (["Cold came up, Mara.", "She went home in the cold."], "2 paragraphs where 1"),
        ([BEFORE[0].replace("felt", "felt ")], "changes nothing"),
        (["Mara. Cold."], "outside 0.2 to 2.6"),
        (["Mara stood in the cold. " * 8], "outside 0.2 to 2.6"),
        (["Here is the revised passage: cold came up to Mara."], "speaks about the work"),
        (["As an AI language model, I left Mara in the cold."], "speaks about the work"),
        (["Cold came up through the floor.\n\nMara went home again."], "blank line"),
        (["* * *"], "scene break"),
        (["Cold came up through the floor to Mara\u202e in her home."], "control characters"),
        (["Cold came up through the floor, and Joss thought of home."], "the name Mara is gone"),
    ],
)
def test_an_operation_that_breaks_a_rule_is_refused(after: list[str], fault: str) -> None:
    assert any(fault in message for message in operated("filter-word-removal", BEFORE, after))


# req: A13
def test_no_operation_takes_more_paragraphs_than_its_row_allows() -> None:
    """More only where they hold no more than a paragraph does: in a serial one is a sentence."""
    three = ["Mara felt it.", "Joss felt it.", "They felt it."]
    after = ["It was cold for Mara.", "Joss was cold.", "They shivered."]
    assert operated("show-not-tell", three, after) == []
    wide = [" ".join([line] * 9) for line in three]
    for before, is_too_wide in ((three, False), (wide, True)):
        faults = operated("sensory-enrichment", before, after)
        assert any("may touch 2" in fault for fault in faults) is is_too_wide


def test_only_cut_returns_fewer_paragraphs_and_it_may_drop_facts_but_not_invent() -> None:
    two = ["Mara took 3 steps. “Go,” she said.", "It rained."]
    assert operated("cut", two, ["It rained."]) == []
    assert operated("cut", two, []) == []
    assert any(
        "1 paragraphs where 2" in f for f in operated("rhythm-variation", two, ["It rained."])
    )
    assert any("Joss is new" in fault for fault in operated("cut", two, ["Joss ran."]))
    assert any(
        "longer" in fault for fault in operated("cut", ["It rained."], ["It rained all day."])
    )


@pytest.mark.parametrize(
    ("kind", "allowed"),
    [("dialogue-subtext", True), ("voice-consistency", True), ("show-not-tell", False)],
)
def test_speech_may_change_where_the_type_is_about_speech(kind: str, allowed: bool) -> None:
    faults = operated(kind, ["“I am angry,” said Mara."], ["“Shut the door,” said Mara."])
    assert (faults == []) is allowed


def test_what_the_old_passage_already_held_is_not_held_against_the_new() -> None:
    before = ["Here is the revised passage: Mara came to the lamp room late."]
    after = ["Here is the revised passage: Mara reached the lamp room late."]
    assert operated("proofreading", before, after) == []
