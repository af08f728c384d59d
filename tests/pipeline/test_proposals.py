"""Proposals with given words: made by the author, decided on, in the text to the byte and out of it
again, in a chapter in progress and in one of the book."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from studio.cli.program import command_line
from studio.errors import StudioError
from studio.pipeline.outcome import Committed
from studio.pipeline.passage.proposals import Proposals
from studio.story.review.passage import PassagePlace
from studio.story.review.proposal import ProposalKind
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


@pytest.mark.sweep
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
    why = "written in the studio" if there else "cut on your word"
    assert [v.reason for v in desk_.store.history.log()][-1] == why, "no model wrote a word of it"
    (undone,) = proposals.change("undo", [one.id])
    assert (undone.status, undone.stands) == ("undone", "same")
    assert desk_.staged().read_text("utf-8") == DRAFT
    assert len(desk_.calls()) == asked


@pytest.mark.sweep
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


@pytest.mark.sweep
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


@pytest.mark.sweep
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


@pytest.mark.sweep
def test_a_proposal_whose_passage_is_gone_cannot_be_done_and_can_be_put_aside(
    desk: OpenDesk,
) -> None:
    desk_ = in_work(desk)
    one = desk_.session().proposals().add(1, AT, "replace", WORDS)
    other = DRAFT.replace(PASSAGE, "It rained.")
    desk_.staged().write_text(other, encoding="utf-8")
    (conflict,) = desk_.session().proposals().change("accept", [one.id])
    assert (conflict.status, conflict.stands) == ("conflict", "gone")
    assert desk_.staged().read_text("utf-8") == other
    with pytest.raises(StudioError, match="no longer in the text"):
        desk_.session().proposals().change("accept", [one.id])
    (aside,) = desk_.session().proposals().change("reject", [one.id], reason="It is gone.")
    assert (aside.status, aside.note) == ("rejected", "It is gone.")


CHANGED = PASSAGE.replace(".", ", then.", 1)


@pytest.mark.sweep
@pytest.mark.parametrize("in_the_book_already", [False, True])
def test_what_is_accepted_on_other_words_is_a_conflict_and_changes_nothing(
    desk: OpenDesk, capsys: pytest.CaptureFixture[str], in_the_book_already: bool
) -> None:
    desk_ = in_the_book(desk) if in_the_book_already else in_work(desk)
    desk_.session().proposals().add(1, AT, "replace", WORDS)
    place = desk_.folder / "chapters/chapter-001.md" if in_the_book_already else desk_.staged()
    other = place.read_text("utf-8").replace(PASSAGE, CHANGED)
    place.write_text(other, encoding="utf-8")
    assert command_line(["proposals", "accept", "prop_0001", "--project", str(desk_.folder)]) == 4
    out = " ".join(capsys.readouterr().out.split())
    assert "conflict" in out
    assert PASSAGE in out
    assert CHANGED in out
    assert place.read_text("utf-8") == other
    assert desk_.checkpoint.inflight_chapter == (None if in_the_book_already else 1)
    (listed,) = desk_.session().proposals().all(1)
    assert (listed.status, listed.stands, listed.result) == ("conflict", "changed", None)


@pytest.mark.sweep
def test_a_conflict_is_decided_by_another_yes_by_other_words_or_by_no(desk: OpenDesk) -> None:
    desk_ = in_work(desk)
    proposals = desk_.session().proposals()
    names = [proposals.add(1, AT, "replace", WORDS).id for _ in range(4)]
    other = DRAFT.replace(PASSAGE, CHANGED)
    desk_.staged().write_text(other, encoding="utf-8")
    proposals = desk_.session().proposals()
    assert [p.status for p in proposals.change("accept", names)] == ["conflict"] * 4
    assert proposals.change("reject", [names[0]])[0].status == "rejected"
    assert proposals.change("undo", [names[1]])[0].status == "pending"
    (yes,) = proposals.change("accept", [names[2]])
    assert (yes.status, yes.result.before if yes.result else "") == ("applied", CHANGED)
    assert desk_.staged().read_text("utf-8") == DRAFT.replace(PASSAGE, WORDS)
    proposals.change("undo", [names[2]])
    assert desk_.staged().read_text("utf-8") == other
    (hers,) = desk_.session().proposals().change("edit", [names[3]], words="It was dark.")
    assert (hers.status, hers.after) == ("applied", "It was dark.")
    assert desk_.staged().read_text("utf-8") == DRAFT.replace(PASSAGE, "It was dark.")


def test_a_conflict_whose_words_stand_again_is_taken_as_it_was_proposed(desk: OpenDesk) -> None:
    desk_ = in_work(desk)
    desk_.session().proposals().add(1, AT, "replace", WORDS)
    desk_.staged().write_text(DRAFT.replace(PASSAGE, CHANGED), encoding="utf-8")
    desk_.session().proposals().change("accept", ["prop_0001"])
    desk_.staged().write_text(DRAFT, encoding="utf-8")
    (taken,) = desk_.session().proposals().change("accept", ["prop_0001"])
    assert taken.status == "applied"
    assert desk_.staged().read_text("utf-8") == DRAFT.replace(PASSAGE, WORDS)


@pytest.mark.sweep
def test_a_note_changes_nothing_until_it_is_given_words(desk: OpenDesk) -> None:
    desk_ = in_work(desk)
    proposals = desk_.session().proposals()
    first = proposals.add(1, AT, "comment", "여기서 등불이 왜 꺼졌는지 다시 볼 것.")
    second = proposals.add(1, AT, "comment", "灯为什么灭了？")
    assert (first.instruction, first.after, first.by.kind) == (
        "여기서 등불이 왜 꺼졌는지 다시 볼 것.",
        None,
        "author",
    )
    assert proposals.change("accept", [first.id])[0].status == "accepted"
    assert desk_.staged().read_text("utf-8") == DRAFT
    assert proposals.change("undo", [first.id])[0].status == "pending"
    (done,) = proposals.change("edit", [second.id], words=WORDS)
    assert (done.kind, done.status) == ("replace", "applied")
    assert WORDS in desk_.staged().read_text("utf-8")
    with pytest.raises(StudioError, match="what the note is"):
        proposals.add(1, AT, "comment", "  ")


@pytest.mark.sweep
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


@pytest.mark.sweep
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
    assert "proposals accept prop-0001" in run("add", "1", "--passage", "1.2", "--replace", WORDS)
    assert "pending  prop-0001" in run("list", "1")
    assert ": applied" in run("accept", "prop-0001")
    assert '"stands": "same"' in run("show", "prop_0001", "--json")
    assert ": undone" in run("undo", "prop_0001")


@pytest.mark.parametrize("kind", ["insert", "replace", "cut"])
def test_what_a_kill_left_in_the_text_is_not_put_in_twice_though_she_types_elsewhere(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch, kind: ProposalKind
) -> None:
    desk_ = in_work(desk)
    proposals = desk_.session().proposals()
    one = proposals.add(1, AT, kind, None if kind == "cut" else WORDS)

    def killed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Proposals, "_count", killed)
        with pytest.raises(KeyboardInterrupt):
            proposals.change("accept", [one.id])
    text = desk_.staged().read_text("utf-8")
    desk_.staged().write_text(text.replace("grey water", "green water"), "utf-8")
    (proposal,) = proposals.all()
    assert (proposal.status, proposal.stands) == ("applied", "same")
    with pytest.raises(StudioError):
        proposals.change("accept", [one.id])
    proposals.change("undo", [one.id])
    assert desk_.staged().read_text("utf-8") == DRAFT.replace("grey water", "green water")
