"""The line over the panes and the hints say what can be done now, and fit."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.cells import cell_len
from textual.app import App, ComposeResult

from studio import i18n
from studio.errors import Problem
from studio.messages import said
from studio.pipeline.beginning.steps import confirm_question
from studio.project.contents import Contents
from studio.story.checkpoint import Beginning, Checkpoint, Decision, PipelineStage
from studio.story.review.passage import PassagePlace
from studio.story.status import DirectiveStatus
from studio.tui.actions import BY_ID
from studio.tui.book import Book
from studio.tui.desk.text import notice, notice_of_half_version
from studio.tui.views.situation import Situation
from studio.tui.widgets.action_line import ActionLine, Hint

REVIEW = Decision(
    id="r", kind="review", recommendation="commit", options=("commit",), rationale="It is ready."
)
BOOK = Book(
    folder=Path("/novels/lamp"),
    title="The Lamp Room",
    language="en",
    contents=Contents(()),
    checkpoint=Checkpoint(inflight_chapter=138, pending_decision=REVIEW),
    staged=True,
    trouble="",
)


class Bar(App[None]):
    """The line alone."""

    def compose(self) -> ComposeResult:
        """One line."""
        yield ActionLine()


@pytest.mark.parametrize(
    ("pending", "approved", "fixes", "sentence"),
    [
        (3, 0, 0, "3 directives wait for you"),
        (12, 4, 2, "12 open, 4 for the surgeon"),
        (0, 4, 0, "4 for the surgeon"),
        (0, 0, 3, "3 fixes to keep or undo"),
        (0, 0, 1, "1 fix to keep or undo"),
        (0, 0, 0, "The chapter is ready for you"),
    ],
)
def test_a_review_says_what_is_next(pending: int, approved: int, fixes: int, sentence: str) -> None:
    line = notice(BOOK, Situation(novel=True, inflight=138, pending=pending), approved, fixes)
    assert line is not None
    words = "".join(piece.text for piece in line.words)
    assert words == f"Chapter 138: {sentence}."
    hints = "".join(f"  [w] {title}" for _, title in line.offers)
    assert len(words + hints) <= 78


@pytest.mark.parametrize("language", ["en", "ko", "zh"])
def test_where_a_version_is_that_broke_off_is_not_cut(language: str) -> None:
    i18n.use(language)
    half = notice_of_half_version({12: PassagePlace(5, 12, 14)}, Situation(novel=True), None)
    assert half is not None
    assert cell_len(half.words[0].text) <= 78 - len("  [w] Read on")


def test_a_failure_that_names_its_chapter_is_not_headed_with_it_again() -> None:
    book, now = BOOK._replace(checkpoint=Checkpoint(inflight_chapter=1)), Situation(inflight=1)
    words = said("Chapter {inflight} is in progress.", inflight=1)
    first = notice(book, now, 0, failure=Problem(words))
    assert first is not None
    assert first.words[0].text == "Chapter 1 is in progress."
    other = notice(book, now, 0, failure=Problem(said("No answer.")))
    assert other is not None
    assert other.words[0].text == "Chapter 1: No answer."


@pytest.mark.sweep
@pytest.mark.parametrize("language", ["en", "ko", "zh"])
@pytest.mark.parametrize(("own", "approved"), [(0, 1), (1, 1), (1, 3)])
def test_a_review_with_everything_in_it_fits_a_small_window(
    language: str, own: int, approved: int
) -> None:
    i18n.use(language)
    now = Situation(novel=True, inflight=138, pending=3, choices=2, in_her_words=own)
    line = notice(BOOK, now, approved, 0, has_room=False)
    assert line is not None
    words = "".join(piece.text for piece in line.words)
    assert "5" in words, "what waits for her, in one count"
    of_her = {"en": "5 for you to decide", "ko": "정하실 것 5건", "zh": "5 处由您决定"}
    assert of_her[language] in words, "what only she decides is in it, and is not called open"
    action, title = line.offers[0]
    assert action == "desk.write"
    assert cell_len(f" {words}  [w] {title}") <= 80, words


def test_a_question_is_a_sentence_of_the_language_of_the_interface() -> None:
    i18n.use("zh")
    line = notice(BOOK, Situation(novel=True, inflight=138), 0)
    assert line is not None
    words = "".join(piece.text for piece in line.words)
    assert words.startswith("第138章：")
    assert words.endswith("。")


@pytest.mark.parametrize("done", [0, 1, 2])
def test_a_book_that_has_a_chapter_is_no_longer_said_to_begin(done: int) -> None:
    steps = dict.fromkeys(("premise", "style", "world", "people", "trials"), "done")
    begun = Beginning.model_validate({"steps": steps, "trials": 2})
    checkpoint = Checkpoint(beginning=begun, last_completed_chapter=done)
    book = BOOK._replace(checkpoint=checkpoint)
    now = Situation(novel=True, in_steps=checkpoint.is_in_steps)
    assert now.in_steps
    line = notice(book, now, 0)
    assert line is not None
    words = "".join(piece.text for piece in line.words)
    assert ("begins" in words) == (done == 0)
    assert (f"{done} of 2" in words) == (done > 0)
    question = confirm_question(2)
    asked = notice(
        book._replace(checkpoint=checkpoint.copy_with(pending_decision=question)), now, 0
    )
    assert asked is not None
    assert ("begins" in "".join(piece.text for piece in asked.words)) == (done == 0)


def test_a_chapter_of_the_book_that_was_opened_is_not_said_to_have_broken_off() -> None:
    checkpoint = Checkpoint(
        inflight_chapter=138, pipeline_stage=PipelineStage.DRAFTED, last_completed_chapter=138
    )
    now = Situation(novel=True, inflight=138)
    line = notice(BOOK._replace(checkpoint=checkpoint), now, 0)
    assert line is not None
    assert "".join(piece.text for piece in line.words) == "Chapter 138 of the book is open again."


@pytest.mark.parametrize("kind", ["model", "budget"])
def test_what_ended_the_run_stays_in_sight_until_another_begins(kind: str) -> None:
    checkpoint = Checkpoint(inflight_chapter=138, pipeline_stage=PipelineStage.DRAFTING)
    book = BOOK._replace(checkpoint=checkpoint)
    failure = Problem("The service does not accept the API key: 열쇠 (status 401).", kind=kind)
    now = Situation(novel=True, inflight=138)
    why = notice(book, now, 0, failure=failure)
    assert why is not None
    assert why.words[0].text == f"Chapter 138: {failure.message}"
    assert ("app.settings" in dict(why.offers)) == (kind == "model")
    assert notice(book, now._replace(running=True), 0, failure=failure) is None
    before = notice(book, now, 0)
    assert before is not None
    assert "broke off while it was drafted" in before.words[0].text


def test_a_chapter_stopped_while_it_is_read_is_not_said_to_be_polished() -> None:
    """Met: “broke off after it was refined”, where nobody had asked for that or seen it."""
    checkpoint = Checkpoint(inflight_chapter=3, pipeline_stage=PipelineStage.REFINED)
    line = notice(BOOK._replace(checkpoint=checkpoint), Situation(novel=True, inflight=3), 0)
    assert line is not None
    assert line.words[0].text == "Chapter 3 broke off while it was read."


@pytest.mark.parametrize("stage", [PipelineStage.DRAFTING, PipelineStage.DRAFTED])
@pytest.mark.parametrize("language", ["en", "ko", "zh"])
def test_what_broke_off_fits_beside_its_keys(language: str, stage: PipelineStage) -> None:
    checkpoint = Checkpoint(inflight_chapter=138, pipeline_stage=stage)
    i18n.use(language)
    line = notice(BOOK._replace(checkpoint=checkpoint), Situation(novel=True, inflight=138), 0)
    assert line is not None
    hints = "".join(f"  [w] {title}" for _, title in line.offers)
    assert cell_len(line.words[0].text + hints) <= 78


def test_hints_name_what_a_key_does_now() -> None:
    accept, write = BY_ID["directives.accept"], BY_ID["desk.write"]
    assert accept.hinted_as(Situation(directive=DirectiveStatus.APPLIED)) == "Keep"
    assert accept.hinted_as(Situation(directive=DirectiveStatus.PENDING)) == ""
    assert write.hinted_as(Situation(inflight=3)) == "Go on"
    assert write.hinted_as(Situation()) == "Write"


def test_her_own_words_are_not_said_to_be_for_the_surgeon() -> None:
    now = Situation(novel=True, inflight=138, in_her_words=2)
    line = notice(BOOK, now, 2)
    assert line is not None
    words = "".join(phrase.text for phrase in line.words)
    assert "2 in your words" in words
    assert "surgeon" not in words + "".join(title for _, title in line.offers)


@pytest.mark.sampled
@pytest.mark.parametrize("language", ["en", "ko", "zh"])
async def test_what_the_surgeon_is_let_do_stays_named_in_eighty_columns(
    language: str,
) -> None:
    i18n.use(language)
    now = Situation(novel=True, inflight=138, approved=3, pending=12, choices=2)
    line = notice(BOOK, now, 3, 0, None, "", has_room=False)
    assert line is not None
    async with Bar().run_test(size=(80, 3)) as pilot:
        bar = pilot.app.query_one(ActionLine)
        bar.show(line.words, [Hint(BY_ID[i], title) for i, title in line.offers])
        await pilot.pause()
        assert f"[w] {i18n._('Let the surgeon work')}" in bar.render().plain


@pytest.mark.parametrize(("current", "offered"), [(138, False), (12, True), (None, True)])
def test_the_chapter_in_progress_is_offered_where_it_is_not_on_the_screen(
    current: int | None, offered: bool
) -> None:
    cut_off = REVIEW.model_copy(update={"kind": "cut_off"})
    gate = REVIEW.model_copy(update={"kind": "gate"})
    now = Situation(novel=True, inflight=138, current=current)
    for decision in (None, cut_off, gate):
        checkpoint = Checkpoint(inflight_chapter=138, pending_decision=decision)
        line = notice(BOOK._replace(checkpoint=checkpoint), now, 0)
        assert line is not None
        assert ("desk.look" in dict(line.offers)) is offered
