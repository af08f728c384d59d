"""The refiner is held to the words of the text, and what was summarised to what it changed."""

from __future__ import annotations

import pytest

from tests.fake_messages import Asked, Rule
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import SCENES, Model, line_edits


def swapped(old: str, new: str) -> Rule:
    def answer(asked: Asked) -> Rule:
        return line_edits(asked, old, new)

    return answer  # type: ignore[return-value]


def telling(words: str) -> Rule:
    value = {"summary": words, "ops": [], "crossref": [], "memory": "A bell."}
    return Rule(value=value)


@pytest.mark.sweep
@pytest.mark.repairs("W12")
def test_a_chapter_is_refined_in_one_call_that_names_what_code_found(desk: OpenDesk) -> None:
    felt = "She felt the cold. She saw the lamp. She heard the sea. She felt that it was late."
    draft = Rule(text=f"{felt}\n\n{SCENES[1][1]}")
    desk_ = desk(Model(draft=draft, refine=swapped("She felt the cold.", "It was cold.")))
    desk_.write()
    asked = [
        a for a, kind in zip(desk_.server.asked, desk_.calls(), strict=True) if kind == "refine"
    ]
    assert len(asked) == 1, "one call for both scenes"
    assert f"[1.1] {felt}" in asked[0].prompt
    assert "She felt the cold." not in desk_.text().partition("* * *")[0]


# req: B6
@pytest.mark.sampled
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("She closed her hand upon nothing", "He closed his hand upon nothing"),
        ("though the night had been dry", "though the morning had been dry"),
        ("where no buoy had been laid", "where a buoy had been laid"),
        ("Joss came up the stairs", "Corin came up the stairs"),
    ],
)
def test_a_change_that_says_something_else_keeps_the_draft(
    desk: OpenDesk, old: str, new: str
) -> None:
    desk_ = desk(Model(refine=swapped(old, new)))
    ran = desk_.write()
    assert old in desk_.text()
    assert new not in desk_.text()
    assert "so that your draft stands" in ran.warnings


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("summary", "times"),
    [("The gulls went up off the rocks at once.", 2), ("Mara looks for a key.", 1)],
)
def test_a_summary_that_tells_what_was_refined_away_is_made_again(
    desk: OpenDesk, summary: str, times: int
) -> None:
    lost = SCENES[1][3].split(", and ")[1]
    refine = swapped(f", and {lost}", ", over the long grey backs of the swell it came in.")
    desk_ = desk(Model(refine=refine, summary=telling(summary)))
    desk_.write()
    assert lost not in desk_.text()
    assert desk_.calls().count("summary") == times
