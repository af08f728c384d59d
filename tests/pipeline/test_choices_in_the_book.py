"""What only she decides of a chapter that a run took into the book: it stays until she answers."""

from __future__ import annotations

import json

import pytest

from studio.errors import StudioError
from studio.story.checkpoint import PipelineStage
from studio.story.form.document import to_bytes
from studio.story.review.directive import DirectiveType
from studio.story.review.left_open import LeftOpen
from studio.story.status import DirectiveStatus
from tests.cli.command import studio
from tests.fake_messages import Asked, Rule
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import Desk, Model, directive, judged, operated, preferring, unrefined

ISSUE = "Does she know whose key it is?"
OTHER = "Is the bell the church's?"
CHOICES = (
    {"kind": "decide", "issue": ISSUE, "options": ["Yes.", "No."], "scene": 1,
     "quote": "the shape of a key"},
    {"kind": "decide", "issue": OTHER, "options": ["Yes.", "No."]},
)  # fmt: skip


def model() -> Model:
    """The first reading asks; a later one has nothing to ask."""
    readings: list[str] = []

    def judge(asked: Asked) -> Rule:
        readings.append(asked.prompt)
        rule = judged(directives=[directive(2, 1)])
        counsel = list(CHOICES) if len(readings) == 1 else []
        return Rule(value={**rule.value, "counsel": counsel})

    return Model(
        refine=unrefined,
        judge=judge,
        surgery=operated,
        reader=preferring("same", {"differences": []}),
    )


@pytest.fixture
def in_book(desk: OpenDesk) -> Desk:
    there = desk(model())
    there.write(review="reject")
    assert there.checkpoint.left_open == (1,)
    return there


def typed(there: Desk, *words: object) -> str:
    ended = studio(*words, cwd=there.folder, environ=there.environ)
    assert ended.code == 0, ended.out + ended.err
    return ended.out + ended.err


def open_issues(there: Desk) -> list[str]:
    listed = json.loads(typed(there, "directives", "list", "--json"))
    return [one["issue"] for one in listed["help"]["decide"] if not one.get("answer")]


@pytest.mark.sweep
def test_it_is_put_away_by_command_and_the_chapter_stays_in_the_book(in_book: Desk) -> None:
    text, asked = in_book.store.chapter(1), len(in_book.server.asked)
    output = typed(in_book, "directives", "answer", 1, "meant", "--chapter", 1)
    assert "It is meant" in output
    assert open_issues(in_book) == [OTHER]
    assert ISSUE not in typed(in_book, "status").replace("You answered", "")
    typed(in_book, "directives", "answer", 2, "always", "It is the church's bell.")
    assert "church's bell" in (in_book.folder / "context/guidelines/decided.md").read_text("utf-8")
    assert in_book.checkpoint.left_open == ()
    assert in_book.checkpoint.inflight_chapter is None
    assert in_book.store.chapter(1) == text
    assert len(in_book.server.asked) == asked
    typed(in_book, "verify")
    typed(in_book, "directives", "answer", 1, "undo")
    assert open_issues(in_book) == [ISSUE]
    assert in_book.checkpoint.left_open == (1,)


def test_with_the_last_answer_the_mark_goes_though_the_run_took_a_fix_back(in_book: Desk) -> None:
    """Met: every question was answered, and the chapter was said to be open until it was reviewed
    again, for a fix that the run had taken back."""
    evaluation = in_book.store.evaluation(1)
    assert evaluation is not None
    row = LeftOpen(kind="taken_back", type=DirectiveType.CUT, place="2.1", why="It said less.")
    changed = evaluation.model_copy(update={"left_open": (*evaluation.left_open, row)})
    path = in_book.folder / in_book.store.layout.evaluation(1)
    path.write_bytes(to_bytes(changed))
    typed(in_book, "directives", "answer", 1, "meant", "--chapter", 1)
    assert in_book.checkpoint.left_open == (1,)
    typed(in_book, "directives", "answer", 2, "meant", "--chapter", 1)
    assert in_book.checkpoint.left_open == ()
    after = in_book.store.evaluation(1)
    assert after is not None
    assert [one.kind for one in after.left_open if one.kind != "undecided"] == ["taken_back"]


@pytest.mark.sweep
def test_a_fix_opens_the_chapter_as_it_was_judged_and_the_surgeon_does_it(in_book: Desk) -> None:
    asked, book = len(in_book.server.asked), in_book.store.chapter(1)
    output = typed(in_book, "directives", "answer", 1, "fix", "She knows it is her father's.")
    assert "in the book it stays as it was" in output
    assert len(in_book.server.asked) == asked
    assert in_book.checkpoint.inflight_chapter == 1
    in_book.resume(review="ask")
    fix = next(d for d in in_book.session().directives().directives if d.origin == "writer")
    assert fix.status is DirectiveStatus.APPLIED
    assert "She knows it is her father's." in "".join(
        a.prompt for a in in_book.server.asked[asked:]
    )
    assert in_book.store.chapter(1) == book
    assert "summary" not in in_book.calls()[asked:], "what a fix changed is read once, at its end"
    assert open_issues(in_book) == [OTHER]


# req: J6
@pytest.mark.parametrize("answer", ["wish", "note"])
def test_a_chapter_that_an_answer_opens_is_not_summarized_again_while_its_text_stands(
    in_book: Desk, answer: str
) -> None:
    """Met: the words were those of the book, and a model was asked to summarize them once more."""
    asked, summary = len(in_book.server.asked), in_book.store.summary(1)
    before = in_book.store.changelog().newest(1)
    in_book.session().answer_choice(ISSUE, answer, "Ask mother.", 1)
    assert in_book.checkpoint.pipeline_stage is PipelineStage.GATED
    in_book.resume(review="ask")
    in_book.session().answer_choice(OTHER, "meant")
    in_book.session().change_directives("reject", [], all_=True)
    in_book.decide("commit")
    assert in_book.resume(review="ask").exit_code == 0
    assert in_book.server.asked[asked:] == []
    assert in_book.store.summary(1) == summary
    after = in_book.store.changelog().newest(1)
    assert before is not None
    assert after is not None
    assert after.ops == before.ops
    typed(in_book, "verify")


# req: J6
def test_a_chapter_changed_in_the_book_is_summarized_once_behind_its_fix(in_book: Desk) -> None:
    """Met: a fix taken back in the book, and a question answered: the chapter was summarized before
    the surgeon began, and once more when it went in."""
    path = in_book.folder / "chapters/chapter-001.md"
    words = in_book.store.chapter(1)
    assert words is not None
    path.write_text(words.text.replace("a bell rang", "a horn blew"), "utf-8")
    asked = len(in_book.server.asked)
    typed(in_book, "directives", "answer", 1, "fix", "She knows it is her father's.")
    in_book.resume(review="ask")
    assert in_book.calls()[asked:] == ["surgery"]
    in_book.session().change_directives("reject", [], all_=True)
    in_book.session().answer_choice(OTHER, "meant")
    in_book.decide("commit")
    assert in_book.resume(review="ask").committed
    assert in_book.calls()[asked:] == ["surgery", "summary"]
    typed(in_book, "verify")


@pytest.mark.sweep
def test_a_reading_that_asks_nothing_new_leaves_it_open(in_book: Desk) -> None:
    in_book.write(review="ask", chapter=1, again=True)
    assert open_issues(in_book) == [ISSUE, OTHER]
    question = in_book.checkpoint.pending_decision
    assert question is not None
    in_book.session().answer_choice(ISSUE, "meant")
    assert open_issues(in_book) == [OTHER]


@pytest.mark.sweep
def test_while_another_chapter_is_in_progress_only_what_changes_no_text_is_taken(
    in_book: Desk,
) -> None:
    typed(in_book, "plan", "add", "The bell", "--happens", "She waits for the bell.")
    in_book.write(review="ask", chapter=2)
    assert in_book.checkpoint.inflight_chapter == 2
    session = in_book.session()
    with pytest.raises(StudioError, match="Chapter 2 is in progress"):
        session.answer_choice(ISSUE, "fix", "She knows.", 1)
    session.answer_choice(ISSUE, "meant", "", 1)
    assert in_book.checkpoint.inflight_chapter == 2
    left = in_book.store.evaluation(1).left_open
    assert [one.why for one in left if one.kind == "yours"] == [OTHER]


@pytest.mark.sweep
@pytest.mark.parametrize("words", ["", "  "])
def test_a_refusal_opens_nothing(in_book: Desk, words: str) -> None:
    with pytest.raises(StudioError, match="Say in a few words"):
        in_book.session().answer_choice(ISSUE, "fix", words, 1)
    with pytest.raises(StudioError, match="not in the text"):
        in_book.session().answer_choice(OTHER, "fix", "It is.", 1)
    assert in_book.checkpoint.inflight_chapter is None
