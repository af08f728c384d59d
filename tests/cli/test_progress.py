"""What a person sees of a run."""

from __future__ import annotations

import asyncio
import re
from typing import get_args

import pytest

from studio import i18n
from studio.cli.progress import ProgressLines
from studio.messages import quantity, said
from studio.pipeline.events import (
    DecisionMade,
    DirectiveEvent,
    Event,
    Finish,
    MetricsEvent,
    Saved,
    SceneEvent,
    StageEvent,
    StageName,
    Text,
    UsageEvent,
    Waiting,
    WarningEvent,
)
from studio.story.checkpoint import DecisionKind


def shown(capsys: pytest.CaptureFixture[str], *events: Event, streams: bool = False) -> str:
    progress = ProgressLines(streams)
    for event in events:
        progress(event)
    progress.end_line()
    return capsys.readouterr().out


def text(words: str) -> Text:
    return Text(stage="draft", agent="scene-drafter", scene=1, text=words)


def used(tokens: int, cost: float | None) -> UsageEvent:
    return UsageEvent(call="gen-1", model="m", tokens={"input": tokens, "output": 1}, cost=cost)


async def test_a_terminal_says_what_is_waited_for_and_takes_it_away_again(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("studio.cli.output.draws_in_place", lambda: True)
    monkeypatch.setattr("studio.cli.progress._TICK", 0.0)
    progress = ProgressLines(streams=True)
    progress(Waiting(agent="quality-oracle", what="reads the chapter", about=40))
    line = ""
    while "reads the chapter · 0 s of about 40" not in line:
        await asyncio.sleep(0)
        line += capsys.readouterr().err
    progress(used(5, 0.1))
    await asyncio.sleep(0)
    assert capsys.readouterr().err.endswith("\r\x1b[K")
    await asyncio.sleep(0)
    assert capsys.readouterr().err == "", "nothing is waited for any more"


async def test_what_is_waited_for_is_not_printed_into_a_file(
    capsys: pytest.CaptureFixture[str],
) -> None:
    progress = ProgressLines(streams=False)
    progress(Waiting(agent="quality-oracle", what="reads the chapter", about=40))
    progress(used(5, 0.1))
    assert capsys.readouterr().err == ""


def test_a_stage_is_named_and_then_done(capsys: pytest.CaptureFixture[str]) -> None:
    out = shown(
        capsys,
        StageEvent(name="draft", status="started"),
        StageEvent(name="draft", status="finished", note=said("{n} scenes", n=3)),
        StageEvent(name="refine", status="skipped", note=said("your own text")),
    )
    assert out == (
        "Drafting the scenes\n"
        "  The scenes are drafted. 3 scenes.\n"
        "Looking for small changes: not needed, your own text\n"
    )


def test_the_colon_is_that_of_the_writers_language(capsys: pytest.CaptureFixture[str]) -> None:
    i18n.use("zh")
    out = shown(
        capsys,
        StageEvent(name="draft", status="skipped", note="drafted"),
        DecisionMade(id="d", kind="refine", option="keep", by="mode"),
    )
    assert out.count("：") == 2
    assert ":" not in out


def test_prose_streams_where_a_person_watches(capsys: pytest.CaptureFixture[str]) -> None:
    out = shown(
        capsys,
        SceneEvent(number=1, status="started"),
        text("비가 "),
        text("그쳤다."),
        SceneEvent(number=1, status="finished"),
        streams=True,
    )
    assert out == "  scene 1\n비가 그쳤다.\n\n  scene 1 is done\n"


def test_prose_stays_out_of_a_log(capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(capsys, text("The rain had stopped.")) == ""


def test_streamed_prose_cannot_command_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    out = shown(capsys, text("\x1b]52;c;aGk=\x07 hello"), streams=True)  # req: S7
    assert "\x1b" not in out
    assert "hello" in out


def directive(status: str, **fields: object) -> DirectiveEvent:
    at = {"sceneNumber": 2, "paragraphStart": 4, "paragraphEnd": 4}
    issue = said("{n} filter words", n=2)
    one = {"id": "dir_filter_word_removal_001", "type": "filter-word-removal", "location": at}
    return DirectiveEvent(directive={**one, "status": status, "issue": issue, **fields})


def test_a_directive_and_a_decision_are_one_line_each(capsys: pytest.CaptureFixture[str]) -> None:
    out = shown(
        capsys,
        directive("pending", issue="Says it\ntwice."),
        directive("accepted"),
        directive("applied"),
        directive("undone", undoneBy="studio"),
        DecisionMade(id="g", kind="gate", option="polish", by="mode"),
        DecisionMade(id="h", kind="hand_edit", option="style"),
        MetricsEvent(metrics={}, overall=4.25),
    )
    assert out == (
        "  Filter words, scene 2, paragraph 4: Says it twice.\n"
        "  Filter words, scene 2, paragraph 4: taken, the surgeon is next\n"
        "  Filter words, scene 2, paragraph 4: in the text\n"
        "  Filter words, scene 2, paragraph 4: taken back by the studio, and not by you\n"
        "  The chapter is held back: Polish once more, by the review mode\n"
        "  A chapter of the book was changed: Only the style changed, as you decided\n"
        "  overall 4.25 of 5\n"
    )


RUN = (
    StageEvent(name="lock", status="started"),
    StageEvent(name="lock", status="finished"),
    StageEvent(name="draft", status="skipped", note="drafted"),
    StageEvent(name="refine", status="started"),
    StageEvent(name="refine", status="finished", note=said("nothing to change was found")),
    StageEvent(name="judge", status="started"),
    directive("rejected"),
    StageEvent(name="judge", status="finished", note=said("not judged: measured only")),
    StageEvent(name="gate", status="started"),
    StageEvent(name="gate", status="finished", note="unjudged"),
    StageEvent(name="review", status="started"),
    DecisionMade(id="r", kind="review", option="commit", by="mode"),
    StageEvent(name="commit", status="finished"),
)
IN_WORDS = {
    "en": """\
Opening the book
  The book is open.
Drafting the scenes: not needed, they are drafted
Looking for small changes
  Small changes were looked for. Nothing to change was found.
Reading the chapter
  Filter words, scene 2, paragraph 4: not this
  It is measured; nobody judged it.
Whether it may pass
  Nobody has judged it.
Your review
  The chapter is ready for you: Take it into the book, by the review mode
  It is in the book.
""",
    "ko": """\
책 열기
  책을 열었습니다.
장면 쓰기: 필요 없음, 이미 썼음
작은 수정 찾기
  작은 수정을 찾아보았습니다. 고칠 것을 찾지 못했습니다.
장 읽기
  지각 동사, 장면 2, 문단 4: 이건 아님
  측정만 하고 평가하지 않았습니다.
통과 여부
  아직 평가하지 않았습니다.
작가 검토
  장이 준비되었습니다: 장을 책에 넣기, 검토 방식에 따라
  책에 들어갔습니다.
""",
    "zh": """\
打开小说
  书已打开。
起草各场：不需要，已经起草
找可以小改的地方
  已找过可以小改的地方。没有找到要改的地方。
读本章
  感知词，第2场第4段：不要这个
  只测了指标，没有评估。
能否通过
  还没有评估。
您的审阅
  这一章等您过目：收入书中，按审阅方式
  已收入书中。
""",
}


@pytest.mark.parametrize("language", IN_WORDS)
def test_a_run_speaks_the_words_of_the_app(
    capsys: pytest.CaptureFixture[str], language: str
) -> None:
    i18n.use(language)
    assert shown(capsys, *RUN) == IN_WORDS[language]


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_no_stage_and_no_question_is_named_by_its_id(
    capsys: pytest.CaptureFixture[str], language: str
) -> None:
    i18n.use(language)
    for kind in get_args(DecisionKind):
        out = shown(capsys, DecisionMade(id="d", kind=kind, option="commit"))
        assert "_" not in out
        assert language == "en" or not re.search("[a-z]", out), out
    for name in get_args(StageName):
        for note in ("drafted", "refined", "judged", "measured", "through", "mend", "reviewed"):
            out = shown(
                capsys,
                StageEvent(name=name, status="started"),
                StageEvent(name=name, status="finished"),
                StageEvent(name=name, status="skipped", note=note),
            )
            assert language == "en" or not re.search("[a-z]", out), out


def test_a_warning_goes_to_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    ProgressLines(streams=False)(WarningEvent(message="The lock was taken over."))
    assert capsys.readouterr() == ("", "Note: The lock was taken over.\n")


def test_an_answer_that_ended_early_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    early = Finish(stage="draft", agent="scene-drafter", finishReason="length")
    whole = Finish(stage="draft", agent="scene-drafter", finishReason="end")
    assert shown(capsys, early, whole) == "  the answer ended early: length\n"


def test_what_says_nothing_to_a_person_passes(capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(capsys, Saved(path="staging/x", sha256="0" * 64)) == ""


def test_cost_is_added_up_and_what_is_unknown_is_said_so() -> None:
    progress = ProgressLines(streams=False)
    assert progress.cost_sentence() == ""
    progress(used(1000, 0.25))
    progress(used(500, None))
    assert progress.cost_sentence() == (
        "Cost: $0.2500 (1,502 tokens in 2 calls, 1 call of unknown price)."
    )


def test_a_model_of_ones_own_costs_nothing_and_an_unpriced_one_is_unknown() -> None:
    free, unpriced = ProgressLines(streams=False), ProgressLines(streams=False)
    free(used(10, 0.0))
    unpriced(used(10, None))
    assert free.cost_sentence() == "Cost: nothing (11 tokens in 1 call)."
    assert unpriced.cost_sentence() == "Cost: unknown (11 tokens in 1 call)."


def test_numbers_agree_with_their_nouns() -> None:
    assert [quantity(n, "{n} chapter", "{n} chapters") for n in (1, 2)] == [
        "1 chapter",
        "2 chapters",
    ]
