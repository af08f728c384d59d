"""Proposals in the review: those with their own words beside the directives, with the same keys,
and those of the judge that could not be placed, until she says where they belong."""

from __future__ import annotations

import asyncio

import pytest

from studio import i18n
from studio.pipeline.outcome import Committed
from studio.story.review.passage import PassagePlace
from studio.story.review.proposal import ProposalKind
from studio.story.status import DirectiveStatus
from studio.tui.screens.ask import Ask, AskText, Choose, Confirm
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import SCENES, Desk, Model, directive, judged, unrefined
from tests.tui.pilot import StudioPilot, opened

AT = PassagePlace(1, 2, 2)
OLD = SCENES[1][1]
WORDS = "The boards were pale there, and she put her hand on them."
OWN_WORDS = "She put her hand on the pale boards."
NOWHERE = "Nobody said any of this here."
LOST = directive(2, 1, currentText=NOWHERE, issue="The bell rings twice.")


async def in_review(
    desk: OpenDesk, *kinds: ProposalKind, directives: tuple[dict[str, object], ...] = ()
) -> Desk:
    """A chapter before its review, with proposals of hers about one passage."""
    there = desk(Model(refine=unrefined, judge=judged(directives=list(directives))))
    await asyncio.to_thread(there.write, review="ask")
    for kind in kinds:
        there.session().proposals().add(1, AT, kind, None if kind == "cut" else WORDS, "Too dark.")
    return there


def standing(studio: StudioPilot, name: str = "prop_0001") -> str:
    """How a proposal stands, as the desk has read it."""
    current = studio.desk.state.current
    return next((p.status for p in current.proposals if p.id == name), "") if current else ""


def rows(studio: StudioPilot) -> list[str]:
    """The rows of the review."""
    lines = studio.directives.query_one("DirectiveRows").render().plain.split("\n")
    return [line.rstrip() for line in lines]


# req: H4
@pytest.mark.sweep
async def test_a_proposal_stands_among_the_directives_and_is_decided_with_their_keys(
    desk: OpenDesk,
) -> None:
    there = await in_review(desk, "replace", directives=(directive(1, 1), directive(2, 1)))
    before = there.staged().read_text("utf-8")
    async with opened(there.folder, there.environ) as studio:
        await studio.press("3")
        places = [row[2:5] for row in rows(studio)]
        assert places == ["1.1", "1.2", "2.1"], "in reading order"
        assert "New words · you" in rows(studio)[1]
        assert "0/3" in studio.screen
        assert studio.desk.situation().pending == 3
        await studio.on_directive("prop_0001")
        assert "1.2▌" in studio.screen, "its passage is marked"
        for words in ("Too dark.", "by you", "− ", "+ The boards were"):
            assert words in studio.screen
        await studio.press("a")
        await studio.until(lambda: standing(studio) == "applied", "its words in the text")
        assert there.staged().read_text("utf-8") == before.replace(OLD, WORDS)
        await studio.on_directive("prop_0001")
        await studio.press("u")
        await studio.until(lambda: standing(studio) == "undone", "its words out of the text")
        assert there.staged().read_text("utf-8") == before
        await studio.press("r")
        await studio.answer(Ask, "It is meant to be dark.")
        await studio.until(lambda: standing(studio) == "rejected", "it is put aside")
        await studio.on_directive("prop_0001")
        assert "It is meant to be dark." in studio.screen
        await studio.press("u")
        await studio.until(lambda: standing(studio) == "pending", "it waits again")
        for key, begun in (("e", WORDS), ("E", OWN_WORDS)):
            await studio.on_directive("prop_0001")
            await studio.press(key)
            await studio.sees(AskText, begun[:20])
            studio.app.screen.query_one("#answer").load_text(OWN_WORDS)
            await studio.press("ctrl+s")
            await studio.until(lambda: standing(studio) == "applied", "her words in the text")
            assert there.staged().read_text("utf-8") == before.replace(OLD, OWN_WORDS)
            await studio.on_directive("prop_0001")
            await studio.press("u")
            await studio.until(lambda: standing(studio) == "undone", "her words out of the text")


# req: H4
@pytest.mark.sweep
async def test_words_that_cannot_stand_in_a_passage_are_asked_about_again(desk: OpenDesk) -> None:
    there = await in_review(desk, "insert")
    before = there.staged().read_text("utf-8")
    async with opened(there.folder, there.environ) as studio:
        await studio.press("3")
        await studio.on_directive("prop_0001")
        await studio.press("E")
        await studio.sees(AskText, "stand behind the passage")
        studio.app.screen.query_one("#answer").load_text("# A title")
        await studio.press("ctrl+s")
        await studio.until(lambda: "cannot stand in a passage" in studio.told, "why not")
        await studio.sees(AskText, "# A title")
        await studio.press("escape")
        await studio.press("m")
        await studio.until(lambda: "No model writes this" in studio.told, "it is not waived")
        assert there.staged().read_text("utf-8") == before


# req: H4
@pytest.mark.sweep
async def test_taking_the_rest_and_going_into_the_book_count_proposals_too(
    desk: OpenDesk,
) -> None:
    there = await in_review(desk, "cut", directives=(directive(2, 1),))
    async with opened(there.folder, there.environ) as studio:
        await studio.press("C")
        await studio.sees(Confirm, "2 are left as they stand, undecided")
        assert "1.2 Cut “" in studio.screen
        await studio.press("n", "3", "A")
        await studio.sees(Confirm, "2 proposals.")
        assert "goes into the text at once" in studio.screen
        await studio.press("y")
        await studio.until(lambda: standing(studio) == "applied", "the passage is cut")
        await studio.until(lambda: studio.desk.situation().approved == 1, "the other is taken")
        assert OLD not in there.staged().read_text("utf-8")


# req: H4
@pytest.mark.sweep
async def test_taking_one_for_a_chapter_of_the_book_opens_its_review(desk: OpenDesk) -> None:
    there = desk(Model(refine=unrefined))
    assert isinstance((await asyncio.to_thread(there.write)).outcome, Committed)
    book = there.text()
    there.session().proposals().add(1, AT, "replace", WORDS)
    async with opened(there.folder, there.environ) as studio:
        await studio.on_chapter(1)
        await studio.on_directive("prop_0001")
        await studio.press("a")
        await studio.until(lambda: standing(studio) == "applied", "its words in the staged text")
        assert there.checkpoint.inflight_chapter == 1
        assert (there.text(), WORDS in there.staged().read_text("utf-8")) == (book, True)
        await studio.until(lambda: "stays in the book as it was" in studio.told, "what it means")


# req: J5
@pytest.mark.sweep
@pytest.mark.parametrize("key", ["enter", "a"])
async def test_what_could_not_be_placed_becomes_a_directive_where_she_says(
    desk: OpenDesk, key: str
) -> None:
    there = await in_review(desk, directives=(directive(1, 1), LOST))
    async with opened(there.folder, there.environ) as studio:
        await studio.press("3")
        assert [row.strip() for row in rows(studio)][2:3] == ["Could not be placed"]
        assert studio.desk.situation().pending == 1
        assert "0/1" in studio.screen
        await studio.press("j")
        assert studio.directives.unplaced_under_cursor is not None
        for words in ("The bell rings twice.", NOWHERE, "Its quote is not in the chapter."):
            assert words in " ".join(studio.screen.split()) or words in detail(studio)
        await studio.press("r")
        await studio.until(lambda: "It has no place in the text yet" in studio.told, "why not")
        await studio.press(key)
        await studio.sees(Ask, "Which passage is it about?")
        assert studio.app.screen.query_one("#answer").value == "2.1"
        await studio.answer(Ask, "7.1")
        await studio.until(lambda: "has no passage 7.1" in studio.told, "there is none")
        await studio.answer(Ask, "2.3")
        await studio.until(lambda: studio.desk.situation().pending == 2, "one more to decide on")
        placed = studio.directives.directive_under_cursor
        assert placed is not None
        assert placed.issue == "The bell rings twice."
        assert placed.current_text == SCENES[2][2]
        assert not studio.desk.state.current.sheet.unplaced
        await studio.press("a")
        await studio.until(
            lambda: studio.status_of(placed.id) is DirectiveStatus.ACCEPTED, "it is taken"
        )


def detail(studio: StudioPilot) -> str:
    """The text of the details under the list."""
    lines = studio.directives._detail()
    return "\n".join("".join(piece.text for piece in line) for line in lines)


# req: J5 H6
@pytest.mark.sampled
@pytest.mark.parametrize(
    ("language", "heading", "by", "why"),
    [
        ("ko", "위치를 찾지 못함", "작가", "인용이 장에 없습니다"),
        ("zh", "未能定位", "您", "引文不在本章中"),
    ],
)
async def test_both_are_named_in_her_language(
    desk: OpenDesk, language: str, heading: str, by: str, why: str
) -> None:
    there = await in_review(desk, "insert", directives=(LOST,))
    i18n.use(language)
    async with opened(there.folder, there.environ, (80, 24)) as studio:
        await studio.press("3")
        assert f"· {by}" in studio.screen
        assert heading in studio.screen
        await studio.press("j")
        assert why in detail(studio), "the engine's reason, read from the sheet"
        await studio.press("enter")
        await studio.sees(Ask, "2.3-5")


# req: H2
@pytest.mark.sweep
async def test_words_typed_into_a_card_that_is_left_are_there_when_it_is_opened_again(
    desk: OpenDesk,
) -> None:
    there = await in_review(desk, "replace")
    async with opened(there.folder, there.environ) as studio:
        await studio.press("3")
        await studio.on_directive("prop_0001")
        await studio.press("E")
        await studio.sees(AskText, WORDS[:20])
        studio.app.screen.query_one("#answer").load_text(OWN_WORDS)
        await studio.press("escape")
        await studio.until(lambda: "What you typed is kept" in studio.told, "it says so")
        await studio.press("E")
        await studio.sees(AskText, OWN_WORDS[:20])
        await studio.press("ctrl+s")
        await studio.until(lambda: standing(studio) == "applied", "her words in the text")
        assert OWN_WORDS in there.staged().read_text("utf-8")


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("choice", "words"), [("comment", "등불을 다시 볼 것."), ("replace", WORDS), ("cut", "")]
)
async def test_she_makes_a_proposal_of_her_own_on_a_passage_of_the_text(
    desk: OpenDesk, choice: str, words: str
) -> None:
    there = await in_review(desk)
    before = there.staged().read_text("utf-8")
    async with opened(there.folder, there.environ) as studio:
        await studio.press("2", "m")
        await studio.answer(Choose, ["comment", "replace", "cut"].index(choice))
        if words:
            await studio.sees(AskText)
            studio.app.screen.query_one("#answer").load_text(words)
            await studio.press("ctrl+s")
        await studio.until(lambda: standing(studio) == "pending", "the proposal")
    (made,) = there.session().proposals().all(1)
    assert (made.kind, made.by.kind, made.status) == (choice, "author", "pending")
    assert words in (made.instruction, made.after or "")
    assert there.staged().read_text("utf-8") == before


@pytest.mark.sweep
async def test_a_conflict_shows_both_texts_and_is_decided_again(desk: OpenDesk) -> None:
    there = await in_review(desk, "replace")
    changed = OLD.replace(".", ", then.", 1)
    text = there.staged().read_text("utf-8")
    there.staged().write_text(text.replace(OLD, changed), encoding="utf-8")
    async with opened(there.folder, there.environ) as studio:
        await studio.press("3")
        await studio.on_directive("prop_0001")
        await studio.press("a")
        await studio.until(lambda: standing(studio) == "conflict", "the conflict")
        await studio.on_directive("prop_0001")
        await studio.press("a")
        await studio.until(lambda: standing(studio) == "applied", "its words in the text")
        assert there.staged().read_text("utf-8") == text.replace(OLD, WORDS)
