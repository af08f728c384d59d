"""Proposals with given words: made by the author, decided on, in the text to the byte and out of it
again, in a chapter in progress and in one of the book."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from studio.cli.program import command_line
from studio.errors import StudioError
from studio.pipeline.outcome import Committed
from studio.story.review.passages import PassagePlace
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import DRAFT, SCENES, Desk, Model, ask, unrefined

PASSAGE = SCENES[1][1]
AT = PassagePlace(1, 2, 2)
WORDS = "The boards were pale there.\n\nShe put her hand on them."


def in_work(desk: OpenDesk) -> Desk:
    desk_ = desk(Model(refine=unrefined))
    assert desk_.write(review="ask").decision.kind == "review"
    return desk_


def in_the_book(desk: OpenDesk) -> Desk:
    desk_ = desk(Model(refine=unrefined))
    assert isinstance(desk_.write().outcome, Committed)
    return desk_


@pytest.mark.parametrize(
    ("kind", "words", "there"),
    [
        ("replace", WORDS, WORDS),
        ("insert", WORDS, f"{PASSAGE}\n\n{WORDS}"),
        ("cut", None, ""),
    ],
)
def test_what_is_accepted_changes_its_passage_and_not_a_byte_beside_it(
    desk: OpenDesk, kind: str, words: str | None, there: str
) -> None:
    desk_ = in_work(desk)
    proposals = desk_.session().proposals()
    one = proposals.add(1, AT, kind, words, "It says it twice.")  # type: ignore[arg-type]
    assert (one.id, one.status, one.before, one.chapter) == (
        "prop_0001",
        "pending",
        PASSAGE,
        "c001",
    )
    asked = len(desk_.calls())
    (applied,) = proposals.change("accept", [one.id])
    assert (applied.status, applied.stands) == ("applied", "same")
    wanted = DRAFT.replace(PASSAGE, there) if there else DRAFT.replace(f"{PASSAGE}\n\n", "")
    assert desk_.staged().read_text("utf-8") == wanted
    (undone,) = proposals.change("undo", [one.id])
    assert (undone.status, undone.stands) == ("undone", "same")
    assert desk_.staged().read_text("utf-8") == DRAFT
    assert len(desk_.calls()) == asked


def test_accepting_one_on_a_chapter_of_the_book_opens_it_and_the_commit_keeps_the_record(
    desk: OpenDesk,
) -> None:
    desk_ = in_the_book(desk)
    book = desk_.text()
    one = desk_.session().proposals().add(1, AT, "replace", WORDS)
    file = desk_.folder / "proposals/prop_0001.json"
    assert file.is_file()
    desk_.session().proposals().change("accept", [one.id])
    assert not file.exists()
    assert (desk_.text(), desk_.checkpoint.inflight_chapter) == (book, 1)
    assert WORDS in desk_.staged().read_text("utf-8")
    assert isinstance(desk_.resume().outcome, Committed)
    assert WORDS in desk_.text()
    (kept_one,) = desk_.session().proposals().all(1)
    assert (kept_one.status, kept_one.stands, file.is_file()) == ("applied", "same", True)
    desk_.session().proposals().change("undo", [one.id])
    assert desk_.staged().read_text("utf-8") == book


def test_a_proposal_outlives_the_discarded_chapter_it_was_made_in(desk: OpenDesk) -> None:
    desk_ = in_the_book(desk)
    desk_.write(chapter=1, again=True, review="ask")
    desk_.session().proposals().add(1, AT, "cut", None)
    sheet = desk_.session().directives()
    assert sheet is not None
    assert [p.id for p in sheet.proposals] == ["prop_0001"]
    desk_.session().discard()
    (one,) = desk_.session().proposals().all()
    assert (one.status, one.stands) == ("pending", "same")


def test_a_proposal_follows_its_passage_through_a_second_reading(desk: OpenDesk) -> None:
    desk_ = in_work(desk)
    desk_.session().proposals().add(1, AT, "cut", None)
    moved = DRAFT.replace(f"{PASSAGE}\n\n", "").replace(
        SCENES[2][0], f"{SCENES[2][0]}\n\n{PASSAGE}"
    )
    desk_.staged().write_text(moved, encoding="utf-8")
    assert [event.proposal["stands"] for event in ask(desk_).of("proposal")] == ["same"]
    desk_.session().proposals().change("accept", ["prop_0001"])
    assert PASSAGE not in desk_.staged().read_text("utf-8")
    assert SCENES[2][0] in desk_.staged().read_text("utf-8")


def test_a_proposal_whose_passage_is_gone_can_only_be_put_aside(desk: OpenDesk) -> None:
    desk_ = in_work(desk)
    one = desk_.session().proposals().add(1, AT, "replace", WORDS)
    desk_.staged().write_text(DRAFT.replace(PASSAGE, "It rained."), encoding="utf-8")
    with pytest.raises(StudioError, match="no longer in the text"):
        desk_.session().proposals().change("accept", [one.id])
    (aside,) = desk_.session().proposals().change("reject", [one.id], reason="It is gone.")
    assert (aside.status, aside.note) == ("rejected", "It is gone.")


def test_two_programs_that_propose_at_once_get_two_names(desk: OpenDesk) -> None:
    desk_ = in_the_book(desk)
    with ThreadPoolExecutor(4) as pool:
        made = list(
            pool.map(lambda _: desk_.session().proposals().add(1, AT, "cut", None).id, range(8))
        )
    assert sorted(made) == [f"prop_{n:04d}" for n in range(1, 9)]


def test_what_cannot_be_proposed_is_said(desk: OpenDesk) -> None:
    desk_ = in_the_book(desk)
    proposals = desk_.session().proposals()
    with pytest.raises(StudioError, match=r"has no passage 9\.1"):
        proposals.add(1, PassagePlace(9, 1, 1), "cut", None)
    with pytest.raises(StudioError, match="Say which words"):
        proposals.add(1, AT, "replace", "  ")
    with pytest.raises(StudioError, match="cannot stand in a passage"):
        proposals.add(1, AT, "replace", "# A title")
    whole = PassagePlace(1, 1, len(SCENES[1]))
    with pytest.raises(StudioError, match="Nothing would be left"):
        proposals.change("accept", [proposals.add(1, whole, "cut", None).id])
    assert desk_.checkpoint.inflight_chapter is None


def test_the_command_line_makes_lists_and_decides(
    desk: OpenDesk, capsys: pytest.CaptureFixture[str]
) -> None:
    desk_ = in_the_book(desk)

    def run(*words: str) -> str:
        code = command_line(["proposals", *words, "--project", str(desk_.folder)])
        said = capsys.readouterr()
        assert code == 0, said.err
        return said.out

    assert "There are no proposals." in run("list")
    assert "prop_0001 waits" in run("add", "1", "--passage", "1.2", "--replace", WORDS)
    assert "prop_0001  pending" in run("list", "1")
    assert "prop_0001: applied" in run("accept", "prop-0001")
    assert '"stands": "same"' in run("show", "prop_0001", "--json")
    assert "prop_0001: undone" in run("undo", "prop_0001")
