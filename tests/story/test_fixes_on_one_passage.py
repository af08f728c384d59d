"""Two fixes on one passage, the second made in the words of the first, in a text that was brought
back from before, between, or after them, or that the writer has typed into."""

from __future__ import annotations

import pytest

from studio.story.chapter import Chapter, sha256_of
from studio.story.review.directive import Directive, DirectiveSheet, DirectiveType
from studio.story.review.passage import PassageLocation
from studio.story.review.stale_directives import placed_in
from studio.story.review.surgery import SurgeryResult
from studio.story.status import DirectiveStatus

FIRST = "She counted nine steps in the tower and lit the lamp before the tide came in."
FACTS = "She counted twelve steps in the tower and lit the lamp before the tide came in."
VOICE = "Twelve steps in the tower, and the lamp lit before the tide came in."
AGAIN = "Twelve steps, and the lamp was lit before the tide."
HERS = "Twelve steps in the tower, counted, and the lamp lit before the tide came in."
AT = PassageLocation(scene_number=1, paragraph_start=2, paragraph_end=2)


def chapter(passage: str, after: str = "Joss called from the stair.") -> Chapter:
    return Chapter(f"# The Lamp\n\nIt rained.\n\n{passage}\n\n{after}\n")


def fix(kind: DirectiveType, before: str, after: str) -> Directive:
    result = SurgeryResult(
        before=before,
        after=after,
        location=AT,
        before_sha256=sha256_of(before),
        after_sha256=sha256_of(after),
        paragraphs_touched=1,
    )
    return Directive(
        id=f"dir_fix_{len(after):03d}",
        type=kind,
        priority=3,
        location=AT,
        issue="It is not so.",
        current_text=before,
        instruction="Mend it.",
        max_scope=1,
        status=DirectiveStatus.KEPT,
        result=result,
    )


def statuses(text: Chapter, *fixes: Directive) -> list[str]:
    sheet = DirectiveSheet(chapter=1, source_sha256=text.sha256, directives=fixes)
    return [directive.status.value for directive in placed_in(sheet, text).directives]


A = fix(DirectiveType.FACT_CORRECTION, FIRST, FACTS)
B = fix(DirectiveType.VOICE_CONSISTENCY, FACTS, VOICE)
C = fix(DirectiveType.VOICE_CONSISTENCY, VOICE, AGAIN)


@pytest.mark.parametrize("order", [(A, B), (B, A)])
def test_both_are_taken_back_with_the_text_from_before_the_first(
    order: tuple[Directive, ...],
) -> None:
    """The second still showed as kept: of its words none stood there any more."""
    assert statuses(chapter(FIRST), *order) == ["undone", "undone"]


def test_three_are_taken_back_with_the_text_from_before_the_first() -> None:
    assert statuses(chapter(FIRST), A, B, C) == ["undone", "undone", "undone"]
    assert statuses(chapter(FACTS), A, B, C) == ["kept", "undone", "undone"]


def test_what_stands_in_the_text_stays_kept() -> None:
    assert statuses(chapter(VOICE), A, B) == ["kept", "kept"]
    assert statuses(chapter(FACTS), A, B) == ["kept", "undone"]
    assert statuses(chapter(HERS), A, B) == ["kept", "kept"], "she typed into it"


def test_a_fix_of_more_paragraphs_stays_where_some_of_its_words_stand() -> None:
    stair = "Joss called from the stair."
    wide = fix(
        DirectiveType.VOICE_CONSISTENCY, f"{FACTS}\n\n{stair}", f"{VOICE}\n\nFrom the stair, Joss."
    )
    assert statuses(chapter(FIRST), A, wide) == ["undone", "undone"]
    assert statuses(chapter(FIRST, "From the stair, Joss."), A, wide) == ["undone", "kept"]


def test_a_paragraph_that_she_typed_between_is_no_change_by_fixes() -> None:
    """Met: what she had accepted for two paragraphs went on for three, hers among them."""
    stair = "Joss called from the stair, and nobody in the whole tower heard him."
    at = PassageLocation(scene_number=1, paragraph_start=2, paragraph_end=3)
    accepted = A.copy_with(
        location=at,
        current_text=f"{FIRST}\n\n{stair}",
        status=DirectiveStatus.ACCEPTED,
        accepted_by="name",
        result=None,
    )
    hers = chapter(f"{FIRST}\n\nThis one is mine.", stair)
    sheet = DirectiveSheet(chapter=1, source_sha256=hers.sha256, directives=(accepted,))
    (now,) = placed_in(sheet, hers).directives
    assert (now.stands, now.current_text) == ("changed", accepted.current_text)
