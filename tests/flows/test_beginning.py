"""A book begun step by step: with a model that proposes, by hand alone, left and taken up."""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from studio.config.load import load_settings
from studio.pipeline.beginning.steps import open_beginning
from studio.pipeline.orders import StartOrder
from studio.pipeline.outcome import Paused
from studio.project.create import create_novel
from studio.session import Session
from tests.cli.command import Ended
from tests.cli.conftest import Typed
from tests.cli.conftest import typed as typed
from tests.fake_messages import Asked, FakeMessages, Rule
from tests.flows.life import drafted
from tests.pipeline.at_the_prompt import typing
from tests.pipeline.flows import Model, block, judged, kind_of

SAMPLE = """The stove had gone out in the night, and nobody had said so. She laid the kindling \
crosswise, as her father had, and blew until the paper caught. Outside the harbour was the \
colour of a slate that has been wiped with a sleeve.

“You are early,” said Joss from the stairs. “Nobody is early here.”

“Somebody has to be,” she said. “The boats do not wait for you to find your boots, and the \
men on them do not either, whatever they told you at the Anchor.”

He sat down on the lowest step and looked at his feet for a while, as if they belonged to a \
man he had once known and lent money to. Then he went to fetch the water.
"""
KOREAN = """난로는 밤사이에 꺼져 있었다. 아무도 그 말을 하지 않았다. 그녀는 아버지가 하던 대로\
 불쏘시개를 엇갈려 놓고 종이에 불이 붙을 때까지 입김을 불었다.\
 바깥의 항구는 소매로 닦은 석판 같은 빛이었다.

“일찍 나왔네.” 조스가 계단에서 말했다. “여기서는 아무도 일찍 나오지 않아.”

“누군가는 나와야지.” 그녀가 말했다. “배는 네가 장화를 찾을 때까지 기다려 주지 않아.\
 배에 탄 사람들도 마찬가지야. 앵커에서 뭐라고 했든 간에.”

그는 맨 아래 계단에 앉아 한참 동안 제 발을 내려다보았다. 언젠가 돈을 빌려준 적이 있는 남의 발이라도\
 되는 듯이. 그러고는 물을 길으러 갔다.
"""
PREMISE = "A keeper's daughter finds the key of a lamp that was never lit.\n"


def checkpoint(folder: Path) -> dict[str, Any]:
    value: dict[str, Any] = json.loads((folder / ".checkpoint.json").read_text("utf-8"))
    return value


def style(_: Asked) -> Rule:
    paragraphs = SAMPLE.split("\n\n")
    tags = {"genre": "", "scene_type": "dialogue", "emotional_tone": "", "pov": "", "pacing": ""}
    passages = [
        {**tags, "text": paragraphs[1] + "\n\n" + paragraphs[2], "note": "Talk that evades."},
        {**tags, "text": "Words that nobody ever wrote in this sample at all.", "note": ""},
    ]
    lines = dict.fromkeys(("voice", "tense", "sentence_rhythm", "diction", "dialogue"), "plain")
    lists: dict[str, Any] = {"imagery": [], "do": ["Name the tool."], "avoid": ["Sighs."]}
    return Rule(value={**lines, **lists, "sample": paragraphs[0], "exemplars": passages})


WORLD = Rule(
    value={
        "documents": [{"name": "Lamp Room", "text": "It smells of fish oil."}],
        "rules": [{"id": "unlit", "rule": "The lamp is never lit.", "reason": ""}],
    }
)
PERSON = Rule(
    value={
        "id": "mara",
        "name": "Mara",
        "aliases": [],
        "role": "keeper",
        "voice": "short",
        "wants": "the key",
        "fears": "the stairs",
        "always": ["counts"],
        "never": [],
        "knows": [],
        "profile": "She counts steps.",
    }
)
OUTLINE = Rule(
    value={
        "chapters": [
            {"chapter": n, "title": f"Night {n}", "happens": f"Mara climbs on night {n}."}
            for n in (1, 2, 3)
        ]
    }
)


@pytest.fixture
def server() -> Iterator[FakeMessages]:
    answers = {"style": style, "world": WORLD, "person": PERSON, "outline": OUTLINE}
    model = Model(**answers, draft=drafted, judge=judged(4.4))
    with FakeMessages(answering=model) as fake:
        yield fake


def give(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.write_text(text, "utf-8")
    return file


def to_the_next_step(typed: Typed, book: Path, *words: object) -> Ended:
    """The open question answered, and on to the next one."""
    answer = typed("decide", *words, "--project", book)
    assert answer.code == 0, answer.err
    return typed("start", book, "--json")


# req: D10 E2 D2
@pytest.mark.sweep
def test_a_model_proposes_each_step_and_the_trial_chapters_open_volume_one(
    tmp_path: Path, typed: Typed, server: FakeMessages, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    book = tmp_path / "book"
    files = ("--premise", give(tmp_path, "idea.md", PREMISE))
    files += ("--sample", give(tmp_path, "sample.md", SAMPLE))
    named = ("--title", "Lamps", "--language", "en", "--trials", "1", "--json")
    ended = typed("start", book, *named, *files)
    assert ended.code == 4, ended.err
    assert (ended.code, ended.json["id"], ended.json["kind"]) == (4, "start-premise", "start")
    assert ended.json["options"] == ["next", "edit", "skip", "by-hand"]
    assert checkpoint(book)["orchestrator_state"] == "QUICK_START"

    assert "`studio start` goes on" in typed("status", "--project", book).err
    ended = to_the_next_step(typed, book, "next")
    assert (book / "brief.md").read_text("utf-8") == PREMISE
    assert (ended.json["id"], ended.json["recommendation"]) == ("start-style", "next")
    asked = len(server.asked)
    assert typed("start", book, "--json").json["id"] == "start-style"
    assert len(server.asked) == asked, "an answer that was paid for is not asked for again"

    ended = to_the_next_step(typed, book, "next")
    profile = json.loads((book / "style-profile.json").read_text("utf-8"))
    assert profile["do"] == ["Name the tool."]
    (passage,) = (book / "style-library").iterdir()
    assert "You are early" in passage.read_text("utf-8"), "the invented passage stays out"
    assert ended.json["id"] == "start-world"

    ended = to_the_next_step(typed, book, "next")
    assert "fish oil" in (book / "world/lamp-room.md").read_text("utf-8")
    assert "never lit" in (book / "world/rules.json").read_text("utf-8")
    ended = to_the_next_step(typed, book, "next")
    assert "counts steps" in (book / "characters/active/mara.md").read_text("utf-8")
    assert ended.json["id"] == "start-trials"
    ended = to_the_next_step(typed, book, "next")
    assert (ended.code, ended.json["kind"]) == (4, "review"), "the trial chapter is written"
    assert checkpoint(book)["orchestrator_state"] == "WRITING"
    ended = to_the_next_step(typed, book, "commit")
    assert (ended.events[-1]["id"], checkpoint(book)["last_completed_chapter"]) == (
        "start-confirm",
        1,
    )
    ended = to_the_next_step(typed, book, "next")
    assert (ended.code, ended.json["status"]) == (0, "nothing_to_do")
    assert checkpoint(book)["orchestrator_state"] == "VOL_PLANNING"
    assert [kind_of(a) for a in server.asked][:4] == ["style", "world", "person", "outline"]
    assert typed("verify", "--project", book).code == 0


# req: E2 J1
@pytest.mark.sweep
@pytest.mark.parametrize(
    ("narration", "genre", "written"),
    [
        ("first, past, looking back", "a ghost story", ("first, past, looking back", "gothic")),
        ("whichever suits", "", ("", "gothic")),
        ("third, past", "crime", ("third, past", "gothic")),
    ],
)
def test_how_the_book_is_told_is_proposed_with_the_style_and_what_she_said_stands(
    tmp_path: Path,
    typed: Typed,
    server: FakeMessages,
    monkeypatch: pytest.MonkeyPatch,
    narration: str,
    genre: str,
    written: tuple[str, str],
) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    answer = {**(style(server.asked).value or {}), "narration": narration, "genre": genre}  # type: ignore[arg-type]
    server.answering = Model(style=Rule(value=answer))
    book = tmp_path / "book"
    files = ("--premise", give(tmp_path, "idea.md", PREMISE))
    files += ("--sample", give(tmp_path, "sample.md", SAMPLE))
    named = ("--title", "Lamps", "--language", "en", "--genre", "gothic", "--json")
    typed("start", book, *named, *files)
    question = to_the_next_step(typed, book, "next").json
    assert any("first, past, looking back" in note for note in question["data"]["notes"]) == (
        written[0] == "first, past, looking back"
    )
    before = (book / "studio.toml").read_text("utf-8")
    assert "narration" not in before, "nothing before the answer"
    to_the_next_step(typed, book, "next")
    novel = load_settings(book, {}).novel
    assert (novel.narration, novel.genre) == written
    assert "# " in (book / "studio.toml").read_text("utf-8"), "its comments stay"


CAST = [
    {"kind": "person", "name": "Joss Pell", "line": "He owes the harbour a boat."},
    {"kind": "person", "name": "Mara", "line": "She is in the book already."},
    {"kind": "place", "name": "The Anchor", "line": "An inn without a sign."},
]


# req: D10 E2 J1
@pytest.mark.sweep
def test_trial_chapters_are_told_who_is_in_them_how_the_book_is_told_and_what_she_asked_for(
    tmp_path: Path, server: FakeMessages, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one session, as in the app: what an answer changed counts from the next call on."""
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    profile = {**(style(server.asked).value or {}), "narration": "first, past, looking back"}  # type: ignore[arg-type]
    happens = ("Mara climbs. Uncle Joss waits at the Anchor.", "Mr Pell lies to Mara.")
    chapters = [
        {"chapter": n, "title": f"Night {n}", "happens": words}
        for n, words in enumerate(happens, start=1)
    ]
    outline = Rule(value={"chapters": chapters, "introduces": CAST})
    answers = {"style": Rule(value=profile), "world": WORLD, "person": PERSON, "outline": outline}
    server.answering = Model(**answers, draft=drafted, judge=judged(4.4))
    book = tmp_path / "book"
    create_novel(book, title="Lamps", language="en")
    open_beginning(book)
    session = Session.open(book, dict(os.environ))

    async def through() -> None:
        order = StartOrder(premise=PREMISE, sample=SAMPLE, trials=2)
        is_asked_again = False
        while isinstance(paused := await session.start(order, lambda _: None), Paused):
            question = paused.decision
            if question.kind == "review":
                session.decide("commit", question.id)
            elif question.data.get("step") == "trials" and not is_asked_again:
                is_asked_again = True
                session.decide("again", question.id, "She tells it as an old woman.")
            elif question.data.get("step") == "confirm":
                return
            else:
                session.decide("next", question.id)
        raise AssertionError(paused)

    asyncio.run(through())
    assert "Joss Pell" in (book / "characters/active/joss-pell.md").read_text("utf-8")
    (world,) = [asked for asked in server.asked if kind_of(asked) == "world"]
    assert SAMPLE.strip().startswith(block(world, "passage")[:200]), "what her prose tells is so"
    assert "`passage` is a page of hers" in world.prompt
    drafts = [asked for asked in server.asked if kind_of(asked) == "draft"]
    assert len({block(asked, "scene-plan").splitlines()[0] for asked in drafts}) == 2
    for asked in drafts:
        assert "She counts steps." in block(asked, "people")
        assert "He owes the harbour a boat." in block(asked, "people"), "by uncle Joss and Mr Pell"
        assert 'The narrator says "I"' in asked.prompt
        assert "tells it afterwards" in asked.prompt
        assert block(asked, "direction") == "She tells it as an old woman."
    assert "An inn without a sign" in drafts[0].prompt


def test_without_a_model_the_person_of_the_sample_is_proposed(tmp_path: Path, typed: Typed) -> None:
    prose = "\n\n".join(
        f"I lifted the {thing} and set it down where my father would have found it, had he looked."
        for thing in ("lamp", "ladle", "ladder", "ledger", "bell", "kettle", "oar", "cup")
    )
    book = tmp_path / "book"
    files = ("--sample", give(tmp_path, "sample.md", prose))
    typed("start", book, "--title", "Lamps", "--language", "en", "--json", *files)
    question = to_the_next_step(typed, book, "skip").json
    assert "How the book is told: first" in question["data"]["notes"]
    to_the_next_step(typed, book, "next")
    assert load_settings(book, {}).novel.narration == "first"


# req: D10 E2
@pytest.mark.sweep
def test_without_a_model_every_step_is_done_in_the_writers_own_words(
    tmp_path: Path, typed: Typed
) -> None:
    book = tmp_path / "book"
    sample = give(tmp_path, "sample.md", KOREAN)
    named = ("--title", "등대", "--language", "ko", "--sample", sample, "--json")
    ended = typed("start", book, *named)
    assert (ended.json["id"], ended.json["recommendation"]) == ("start-premise", "")
    refused = typed("decide", "next", "--project", book)
    assert (refused.code, "nothing to take over" in refused.err) == (2, True)
    ended = to_the_next_step(typed, book, "next", "--note", "등대지기의 딸이 열쇠를 찾는다.")
    assert (ended.json["id"], ended.json["recommendation"]) == ("start-style", "next")
    assert "열쇠" in (book / "brief.md").read_text("utf-8")

    ended = to_the_next_step(typed, book, "next")
    library = [p.read_text("utf-8") for p in sorted((book / "style-library").iterdir())]
    assert library
    assert all(text.split("---\n")[-1].strip() in KOREAN for text in library), "cut by code"
    ended = to_the_next_step(typed, book, "skip")
    assert ended.json["id"] == "start-people"
    to_the_next_step(typed, book, "next", "--note", "마라, 등대지기의 딸")
    assert "마라" in (book / "characters/active/mara.json").read_text("utf-8")
    ended = to_the_next_step(typed, book, "by-hand")
    assert ended.code == 0
    own = give(tmp_path, "own.md", f"# 첫날\n\n{KOREAN}")
    for number in (1, 2, 3):
        assert "--draft" in typed("start", book, "--json").json["detail"]
        own.write_text(f"# {number}일\n\n{KOREAN}\n그날은 {number}일이었다.\n", "utf-8")
        ended = typed("write", "--draft", own, "--review", "reject", "--project", book)
        assert ended.code == 0, ended.err
    early = typed("write", "--project", book).err
    assert "`studio start` goes on with it, and asks you before" in early
    asked = typed("start", book, "--json").json
    assert asked["id"] == "start-confirm"
    assert "No model is asked by this" in asked["data"]["options"]["next"]
    ended = to_the_next_step(typed, book, "next")
    assert "Chapter 4 has no plan yet." in ended.json["detail"], "w would refuse it"
    assert "`studio volume plan` has a model plan the chapters ahead" in ended.json["detail"]
    assert (ended.code, checkpoint(book)["orchestrator_state"]) == (0, "VOL_PLANNING")
    assert checkpoint(book)["beginning"]["steps"] == {
        "premise": "done",
        "style": "done",
        "world": "skipped",
        "people": "done",
        "trials": "by-hand",
    }


# req: D10
@pytest.mark.sweep
def test_a_beginning_is_left_anywhere_and_goes_on_there(tmp_path: Path, typed: Typed) -> None:
    book = tmp_path / "book"
    assert typed("start", book, "--json").code == 2, "a new book needs a title and a language"
    named = ("--title", "灯", "--language", "zh", "--trials", "0", "--json")
    assert typed("start", book, *named).code == 4
    own = give(tmp_path, "own.md", "# 第一夜\n\n玛拉数着台阶。\n")
    written = typed("write", "--draft", own, "--review", "reject", "--project", book)
    assert written.code == 0, "nothing that works without a beginning is refused in one"
    assert checkpoint(book)["orchestrator_state"] == "WRITING"
    session = Session.open(book, {})
    assert session.store.checkpoint().beginning is not None
    for step in ("premise", "style", "world", "people"):
        assert typed("start", book, "--json").json["id"] == f"start-{step}"
        assert typed("decide", "skip", "--project", book).code == 0
    assert typed("start", book, "--json").code == 0
    assert checkpoint(book)["beginning"]["over"] is True


# req: D10
def test_a_book_that_has_chapters_is_not_begun_again(tmp_path: Path, typed: Typed) -> None:
    book = tmp_path / "book"
    assert typed("new", book, "--title", "T", "--language", "en").code == 0
    own = give(tmp_path, "own.md", "# One\n\nMara counted.\n")
    typed("write", "--draft", own, "--review", "reject", "--project", book)
    refused = typed("start", book)
    assert (refused.code, "has chapters already" in refused.err) == (2, True)


# req: D10 E5
@pytest.mark.sampled
@pytest.mark.repairs("W18")
@pytest.mark.parametrize(
    ("language", "premise"),
    [
        ("en", "A keeper's daughter finds the key of a lamp that was never lit."),
        ("ko", "등대지기의 딸이 한 번도 켜지지 않은 등의 열쇠를 찾는다."),
        ("zh", "守灯人的女儿找到了从未点亮的灯的钥匙。"),
    ],
)
def test_nothing_is_recommended_that_would_be_refused(
    tmp_path: Path, typed: Typed, language: str, premise: str
) -> None:
    book = tmp_path / "book"
    asked = typed("start", book, "--title", "T", "--language", language, "--json").json
    while asked["kind"] == "start":
        recommended, step = asked["recommendation"], asked["id"]
        if recommended:
            taken = typed("decide", recommended, "--project", book)
            assert taken.code == 0, f"{step} recommends {recommended}: {taken.err}"
        else:
            printed = typed("decide", "--project", book).out
            assert 'decide next --note "..."' in printed
            assert "\n  >" not in printed
            assert typed("decide", "next", "--note", premise, "--project", book).code == 0
        if step == "start-trials":  # the next start would have a model write a chapter
            break
        asked = typed("start", book, "--json").json
    assert step == "start-trials"
    assert len(checkpoint(book)["beginning"]["steps"]) == 5


# req: D10 E5
def test_at_a_terminal_her_own_words_are_asked_for_where_an_answer_needs_them(
    tmp_path: Path, typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = tmp_path / "book"
    typing(monkeypatch, "next", PREMISE.strip(), "by-hand", "next", "")
    ended = typed("start", book, "--title", "Lamps", "--language", "en")
    assert ended.code == 4, ended.err
    assert checkpoint(book)["beginning"]["steps"] == {"premise": "done", "style": "by-hand"}
    assert PREMISE.strip() in (book / "brief.md").read_text("utf-8")


# req: D10 E5
@pytest.mark.sweep
@pytest.mark.repairs("W18")
def test_at_a_terminal_the_beginning_goes_on_behind_a_trial_chapter_that_asked(
    tmp_path: Path, typed: Typed, server: FakeMessages, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = tmp_path / "book"
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "key")
    typed("start", book, "--title", "Lamps", "--language", "en", "--trials", "1", "--json")
    for step in ("premise", "style", "world", "people"):
        option = ("next", "--note", PREMISE) if step == "premise" else ("skip",)
        assert to_the_next_step(typed, book, *option).code == 4
    typed("decide", "next", "--project", book)
    typing(monkeypatch, "commit", "")
    ended = typed("start", book)
    assert ended.code == 4, ended.err
    assert checkpoint(book)["pending_decision"]["id"] == "start-confirm"


# req: E2 D10
@pytest.mark.sweep
@pytest.mark.repairs("W9")
def test_a_proposal_is_read_whole_and_had_again_as_she_wants_it_otherwise(
    tmp_path: Path, typed: Typed, server: FakeMessages, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = tmp_path / "book"
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "key")
    named = ("--title", "Lamps", "--language", "en", "--trials", "0", "--json")
    typed("start", book, *named, "--premise", give(tmp_path, "premise.md", PREMISE))
    to_the_next_step(typed, book, "next")
    page = to_the_next_step(typed, book, "skip")
    assert page.json["id"] == "start-world"
    printed = " ".join(typed("decide", "--project", book).out.split())
    assert "It smells of fish oil." in printed
    assert "The lamp is never lit." in printed
    assert re.search(r"A model makes it: .* cents? \(at most", printed), "its price is said"
    wish = "The lamp stands in a school, not by the sea."
    again = typed("decide", "again", "--note", wish, "--project", book)
    assert again.code == 0, again.err
    assert typed("start", book, "--json").json["id"] == "start-world"
    assert block(server.asked[-1], "direction") == wish, "the old proposal is no wish of hers"
    before = block(server.asked[-1], "before")
    assert "It smells of fish oil." in before
    assert server.asked[-1].prompt.count("It smells of fish oil.") == 1


# req: D10
@pytest.mark.sweep
def test_what_a_trial_chapter_costs_is_said_with_their_plan(
    tmp_path: Path, typed: Typed, server: FakeMessages, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = tmp_path / "book"
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "key")
    typed("start", book, "--title", "Lamps", "--language", "en", "--trials", "1", "--json")
    for step in ("premise", "style", "world"):
        option = ("next", "--note", PREMISE) if step == "premise" else ("skip",)
        to_the_next_step(typed, book, *option)
    typed("decide", "skip", "--project", book)
    asked = typed("start", book, "--length", "700", "--json")
    assert asked.json["id"] == "start-trials"
    calls = len(server.asked)
    taking = asked.json["data"]["options"]["next"]
    price = re.search(r"one by one; each costs about (\d+) cents ", taking)
    assert price is not None, taking
    assert 0 < int(price[1]) < 25, "of 700 words, as she said with the same order"
    assert len(server.asked) == calls


# req: E2 D10
def test_behind_a_step_that_is_open_again_no_model_is_asked_at_a_terminal(
    tmp_path: Path, typed: Typed, server: FakeMessages, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in the app: its question says that nothing follows it."""
    book = tmp_path / "book"
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "key")
    typed("start", book, "--title", "Lamps", "--language", "en", "--json")
    for option in (("next", "--note", PREMISE), ("skip",)):
        to_the_next_step(typed, book, *option)
    typed("decide", "skip", "--project", book)
    asked = len(server.asked)
    typing(monkeypatch, "next", "")
    ended = typed("start", "--step", "world", "--project", book)
    assert checkpoint(book)["beginning"]["steps"]["world"] == "done", ended
    assert len(server.asked) == asked, "nobody is asked for the people"
