"""What a run that asked nobody left open is said at its end, by `status` and at the desk."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import SimpleNamespace

import pytest

from studio.i18n import translate, use
from studio.messages import said
from studio.pipeline.outcome import Committed, tally_in_all
from studio.pipeline.review.left_open import changes_by, left_open_by
from studio.pipeline.stages.review import _without_cured
from studio.story.chapter import Chapter
from studio.story.ledger import UsageLedger
from studio.story.records import UsageEntry
from studio.story.review.left_open import change_lines, left_open_lines
from tests.cli.command import studio as program
from tests.fake_messages import Asked, Rule
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import (
    NEW,
    SCENES,
    Desk,
    Model,
    directive,
    drafted,
    judged,
    operated,
    preferring,
    unrefined,
    violation,
    with_ops,
)
from tests.tui.pilot import opened

ISSUE = "Does she know whose key it is?"
CHOICE = {
    "kind": "decide",
    "issue": ISSUE,
    "options": ["Yes.", "No."],
    "scene": 1,
    "quote": "the shape of a key",
}
IN_VAIN = directive(1, 1, type="voice-consistency", instruction="Let it sound like her.")
TAKEN_BACK = directive(2, 1, type="cliche-replacement", instruction="Say it otherwise.")


def refused(asked: Asked) -> Rule:
    """The surgeon empties one passage, and rewrites the other."""
    is_in_vain = "Let it sound like her." in asked.prompt
    return Rule(text="") if is_in_vain else operated(asked)


def with_a_heading(asked: Asked) -> Rule:
    rule = drafted(asked)
    return Rule(text=rule.text.replace("\n\n", "\n\n## 2\n\n", 1))


def model() -> Model:
    rule = judged(directives=[IN_VAIN, TAKEN_BACK])
    return Model(
        refine=unrefined,
        draft=with_a_heading,
        judge=Rule(value={**rule.value, "counsel": [CHOICE]}),
        surgery=refused,
        reader=preferring("same", {"differences": []}),
        summary=with_ops(NEW),
    )


def typed(there: Desk, *words: object) -> str:
    ended = program(*words, cwd=there.folder, environ=there.environ)
    return ended.out + ended.err


SAID = (
    "1 question that only you decide:",
    ISSUE,
    "1 fix was tried in vain; its passage is as it was:",
    "1.1 Voice",
    "1 fix was made and taken back:",
    "2.1 Cliché",
    "headings were left out:",
    "1 promise that nobody planned came into the book with it:",
    "studio write 1 --again",
)


def test_a_doubt_that_was_told_while_it_ran_stands_in_its_last_lines(desk: OpenDesk) -> None:
    doubt = violation(SCENES[1][0], scene=1, confidence="low", rule="Nobody lifts oil cans")
    there = desk(Model(refine=unrefined, judge=judged(violations=[doubt])))
    output = typed(there, "write", "--review", "accept")
    last = output[output.index("is in the book") :]
    assert "1 rule is perhaps broken:\n" in last, last
    assert "1.1 “Mara lifted the oil cans" in last
    assert "Nobody lifts oil cans" in last
    assert there.checkpoint.left_open == (), "nothing of it waits for her"


@pytest.fixture
def unasked(desk: OpenDesk) -> tuple[Desk, str]:
    there = desk(model())
    return there, typed(there, "write", "--review", "accept")


@pytest.mark.sweep
def test_its_last_lines_say_what_is_left_open_and_where(unasked: tuple[Desk, str]) -> None:
    there, output = unasked
    last = output[output.index("is in the book") :]
    for words in SAID:
        assert words in last, last
    assert there.checkpoint.last_completed_chapter == 1


# req: G13
@pytest.mark.sampled
@pytest.mark.parametrize(
    ("language", "before", "after", "said"),
    [
        (
            "en",
            "before: ",
            "after: ",
            ("1 fix is in the text:", "Chapter 1: 1 taken into the text, 0 left open, cost "),
        ),
        (
            "ko",
            "전: ",
            "후: ",
            ("본문에 반영한 수정 1개:", "1장: 본문에 반영 1건, 남겨 둔 것 0건, 비용 $0."),
        ),
        (
            "zh",
            "改前：",
            "改后：",
            ("已写进正文的修改 1 处：", "第1章：改进正文 1 处，留待处理 0 项，费用 $0."),
        ),
    ],
)
def test_the_end_of_a_run_without_questions_lists_what_it_took_and_what_each_chapter_cost(
    desk: OpenDesk, language: str, before: str, after: str, said: tuple[str, ...]
) -> None:
    fix = directive(1, 1, issue="The same picture twice.")
    rule = judged(directives=[fix])
    there = desk(
        Model(
            refine=unrefined,
            judge=[rule, judged()],
            surgery=operated,
            reader=preferring("2", {"differences": []}),
        )
    )
    environ = {**there.environ, "LC_ALL": f"{language}.UTF-8"}
    order = ("write", "--count", "2", "--review", "accept")
    ended = program(*order, cwd=there.folder, environ=environ)
    for words in ("The same picture twice.", *said):
        assert words in ended.out, ended.out + ended.err
    row = there.store.evaluation(1).changes
    assert [(one.place, one.why) for one in row] == [("1.1", "The same picture twice.")]
    (was,) = [line for line in ended.out.splitlines() if line == f"    {before}{row[0].before}"]
    assert "It held there." not in was
    assert f"    {after}{row[0].after}" in ended.out
    assert row[0].after.endswith("It held there.”")


def its_changes(desk: OpenDesk, surgery: Callable[[Asked], Rule], *fixes: object) -> list[str]:
    """Returns what a run without questions says that it took into the text."""
    rule = judged(directives=list(fixes))
    reader = preferring("2", {"differences": []})
    there = desk(Model(refine=unrefined, judge=[rule, judged()], surgery=surgery, reader=reader))
    typed(there, "write", "--review", "accept")
    return list(change_lines(there.store.evaluation(1).changes))


def test_of_a_cut_the_words_that_went_and_those_that_follow_are_said(desk: OpenDesk) -> None:
    fix = directive(1, 1, type="cut", instruction="It can go.")
    lines = its_changes(desk, lambda _: Rule(text="NONE"), fix)
    assert f"    cut: “{SCENES[1][0]}”" in lines, lines
    assert f"    what follows it now: “{SCENES[1][1]}”" in lines


def test_of_two_fixes_on_one_passage_it_is_said_which_stands(desk: OpenDesk) -> None:
    """The second fix takes the words of the first out again, and puts its own in; that the chapter
    says the same elsewhere keeps none. What facts a fix changed is said with it."""
    reader = preferring("2", {"differences": []})
    rule = judged(directives=[directive(1, 1, issue="It is told.")])
    there = desk(Model(refine=unrefined, judge=rule, surgery=operated, reader=reader))
    there.write(review="ask")
    there.session().change_directives("accept", [], all_=True)
    there.resume(review="ask")
    staged = there.store.staging_of(1)
    (first,) = staged.sheet().directives
    was = first.result.after
    now = was.replace("It held there.", "The lamp was cold.")
    facts = (said("denied, or no longer denied: {change}", change="“cold”"),)
    result = first.result.model_copy(update={"before": was, "after": now, "facts": facts})
    then = first.copy_with(id="d-2", issue="Her voice.", result=result, current_text=was)
    sheet = staged.sheet().model_copy(update={"directives": (first, then)})
    text = Chapter(staged.text().text.replace(was, now) + "\n\nThe lamp stood. It held there.")
    settings = there.session().settings
    run = SimpleNamespace(review="accept", settings=settings, current=text, sheet=lambda: sheet)
    changes = changes_by(run)
    lines = list(change_lines(changes))
    assert lines[0] == "1 fix is in the text:", lines
    assert "Her voice." in lines[1]
    assert "    changed: denied, or no longer denied: “cold”" in lines, lines
    at = lines.index("1 change was made, and a later one put other words in its place:")
    assert "It is told." in lines[at + 1]
    tally = str(Committed(1, "", changes=changes).tally(UsageLedger([])))
    assert tally.startswith("Chapter 1: 1 taken into the text")


def test_nobody_is_asked_about_a_fix_whose_words_another_change_put_otherwise(
    desk: OpenDesk,
) -> None:
    there = desk(Model(refine=unrefined, judge=judged(directives=[directive(1, 1)])))
    there.write(review="ask")
    staged = there.store.staging_of(1)
    (fix,) = staged.sheet().directives
    taken = {"status": "accepted", "accepted_by": "mode", "stands": "changed"}
    run = SimpleNamespace(current=staged.text())
    for words, asked in (("words that went", 0), (SCENES[1][0][:30], 1)):
        sheet = staged.sheet().with_directive(fix.copy_with(**taken, evidence=(words,)))
        assert len(sheet.open) == 1
        assert len(_without_cured(run, sheet).open) == asked


@pytest.mark.sweep
def test_status_says_it_again_until_the_chapter_is_reviewed(unasked: tuple[Desk, str]) -> None:
    there, _ = unasked
    for order in (("status",), ("status", "1")):
        output = typed(there, *order)
        for words in SAID:
            assert words in output, (order, words)
    there.write(review="ask", chapter=1, again=True)
    session = there.session()
    session.change_directives("reject", [], all_=True)
    session.answer_choice(ISSUE, "meant")
    there.decide(there.checkpoint.pending_decision.options[0])
    there.resume(review="ask")
    if there.checkpoint.pending_decision is not None:
        there.decide("commit")
        there.resume(review="ask")
    assert there.checkpoint.inflight_chapter is None
    assert ISSUE not in typed(there, "status")


@pytest.mark.sweep
def test_what_she_answered_and_took_in_herself_is_no_longer_said_to_be_open(
    unasked: tuple[Desk, str],
) -> None:
    """Met: with a fix of the run that had been taken back, the chapter was said to have gone in
    unasked with something of hers to decide after she had decided it and taken it in."""
    there, _ = unasked
    there.session().answer_choice(ISSUE, "fix", "She knows whose it is.", 1)
    for _turn in range(3):
        there.resume(review="ask")
        if (question := there.checkpoint.pending_decision) is not None:
            there.session().change_directives("reject", [], all_=True)
            there.decide("commit" if "commit" in question.options else question.options[0])
    assert there.checkpoint.inflight_chapter is None
    assert there.checkpoint.left_open == ()
    assert "taken back" not in typed(there, "status", "1")


@pytest.mark.sweep
def test_an_attended_chapter_leaves_nothing_open(desk: OpenDesk) -> None:
    there = desk(model())
    there.write(review="ask")
    there.session().change_directives("accept", [], all_=True)
    there.resume(review="ask")
    there.decide("commit")
    output = typed(there, "resume", "--review", "ask")
    assert there.checkpoint.inflight_chapter is None
    assert "tried in vain" not in output
    assert "1 promise that nobody planned came into the book with it:" in output


@pytest.mark.sweep
def test_a_fix_whose_passage_another_rewrote_is_told_as_taken(desk: OpenDesk) -> None:
    first = directive(1, 1, type="show-not-tell")
    second = directive(1, 1, type="cliche-replacement", instruction="Say it otherwise.")
    there = desk(
        Model(
            refine=unrefined,
            judge=judged(directives=[first, second]),
            surgery=operated,
            reader=preferring("2", {"differences": []}),
        )
    )
    output = typed(there, "write", "--review", "accept")
    statuses = [(d.status, d.stands) for d in there.session().directives().directives]
    assert there.checkpoint.last_completed_chapter == 1
    assert "taken by the run and not made: its passage was rewritten since:" in output, statuses
    assert "nobody decided on" not in output


@pytest.mark.sampled
@pytest.mark.parametrize("decided", ["", "keep"])
def test_a_rule_that_stays_broken_is_told_unless_she_kept_the_chapter_with_it(
    desk: OpenDesk, decided: str
) -> None:
    breach = violation("Far out a bell rang", scene=1)
    there = desk(Model(refine=unrefined, judge=judged(4.5, violations=[breach])))
    there.write(review="ask")
    assert there.checkpoint.pending_decision.kind == "gate"
    staged = there.store.staging_of(1)
    before = staged.evaluation()
    gate = before.gate.model_copy(update={"decided": decided})
    run = SimpleNamespace(
        review="accept",
        chapter=1,
        store=there.store,
        settings=there.session().settings,
        contract=there.store.contract(1),
        lengths=SimpleNamespace(chapter_length=2500),
        current=staged.text(),
        records=SimpleNamespace(headings_left_out=()),
        sheet=staged.sheet,
    )
    left = left_open_by(run, before.model_copy(update={"gate": gate}))
    rows = [row for row in left_open_lines(left) if breach["rule"] in row]
    if decided:
        assert rows == []
        return
    assert next(left_open_lines(left)) == "1 rule is broken:"
    (row,) = rows
    assert "Far out a bell rang" in row
    assert row.strip().startswith("1.")


@pytest.mark.sweep
def test_a_run_never_takes_a_broken_rule_into_the_book_by_itself(desk: OpenDesk) -> None:
    breach = violation("Far out a bell rang", scene=1)
    there = desk(Model(refine=unrefined, judge=judged(4.5, violations=[breach])))
    typed(there, "write", "--review", "accept")
    question = there.checkpoint.pending_decision
    assert there.checkpoint.last_completed_chapter == 0
    assert question.kind == "gate"
    assert breach["rule"] in question.rationale
    there.decide("keep")
    output = typed(there, "resume", "--review", "accept")
    assert there.checkpoint.last_completed_chapter == 1, output
    assert "rule is broken" not in output


@pytest.mark.sweep
async def test_the_desk_says_it_on_opening_and_on_the_page_of_the_evaluation(
    desk: OpenDesk,
) -> None:
    there = desk(model())
    await asyncio.to_thread(there.write)
    async with opened(there.folder, there.environ) as studio:
        line = "went into the book unasked and left something open"
        await studio.until(lambda: line in " ".join(studio.screen.split()), "the line")
        await studio.press("v")
        await studio.until(lambda: ISSUE in studio.screen, "the page")
        assert "1.1 Voice" in studio.screen


@pytest.mark.sweep
async def test_what_was_left_open_never_covers_what_she_reads(desk: OpenDesk) -> None:
    from studio.tui.screens.help import HelpScreen

    there = desk(model())
    outcome = (await asyncio.to_thread(there.write)).outcome
    assert isinstance(outcome, Committed)
    async with opened(there.folder, there.environ, notifications=True) as studio:
        await studio.press("f1")
        await studio.sees(HelpScreen)
        studio.desk._run_ended(outcome)  # as of a run that was begun unasked and resumed here
        await studio.until(lambda: "Chapter 1 is in the book" in studio.told, "its end")
        await studio.until(lambda: studio.desk.state.settled, "the desk")
        assert type(studio.app.screen) is HelpScreen
        assert ISSUE in studio.told


# req: G13
@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ("cost 4 cents.", "cost about $1.24.", "2 chapters, cost about $1.28 in all.")),
        ("ko", ("비용 $0.04.", "비용 약 $1.24.", "2장, 비용 모두 약 $1.28.")),
        ("zh", ("费用 $0.04。", "费用 约 $1.24。", "共 2 章，费用合计 约 $1.28。")),
    ],
)
def test_the_tally_of_a_run_is_one_plain_price_a_chapter_and_one_in_all(
    language: str, said: tuple[str, ...]
) -> None:
    def paid(chapter: int, usd: float, **more: object) -> UsageEntry:
        call = f"gen-{chapter:03d}-7f3a91-draft-s01-l0-7f3a91abcd"
        words = {"event": "settle", "id": call, "ts": "2026-11-21T09:30:00Z", "call": call}
        words |= {"chapter": chapter, "model": "claude-opus-5-5", "usd": usd, **more}
        return UsageEntry.model_validate(words)

    ledger = UsageLedger([paid(1, 0.0412), paid(2, 1.2391, settled_by="stopped")])
    written = [Committed(1, "Fog"), Committed(2, "Rain")]
    use(language)
    rows = [translate(one.tally(ledger)) for one in written]
    in_all = tally_in_all(written, ledger)
    assert in_all is not None
    rows.append(translate(in_all))
    use("en")
    for row, words in zip(rows, said, strict=True):
        assert words in row, row
    assert tally_in_all(written[:1], ledger) is None
