"""Small things that a writer met in her first evenings at the desk."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.command import studio
from tests.fake_messages import FakeMessages, Rule
from tests.flows.desks import answering, leaves, new_novel, opened, under_review

QUOTED = """# The Salt Ledger

Mara put the ledger under the lamp and turned the pages until the salt ran out of them.

{filler}

“You might have written,” Joss said.
"""
SHOW = {
    "type": "dialogue-subtext",
    "priority": 2,
    "location": {"sceneNumber": 1, "paragraphStart": 2, "paragraphEnd": 2},
    "issue": "It says what it means.",
    "currentText": "“You might have written,” Joss said.",
    "instruction": "Let it be guessed.",
    "maxScope": 1,
}
SCORE = {"score": 4.2, "reason": "so far", "scene": None}
SCORES = dict.fromkeys(
    (
        "plot_logic",
        "character",
        "immersion",
        "style_naturalness",
        "foreshadowing",
        "pacing",
        "emotional_impact",
        "storyline_coherence",
    ),
    SCORE,
)


def chapter(paragraphs: int) -> tuple[str, Rule]:
    """A chapter whose last line is spoken, behind so many others, and a judge who proposes
    something for that line."""
    who = ("A heron", "The ferryman", "Somebody's goat", "The rain", "An old carter")
    did = ("crossed the weir", "leaned on the sluice", "woke the toll keeper")
    when = ("at noon", "before the bell", "on Sunday", "unseen", "twice", "for nothing", "in May")
    filler = "\n\n".join(f"{who[n % 5]} {did[n % 3]} {when[n % 7]}." for n in range(paragraphs))
    text = QUOTED.format(filler=filler).replace("\n\n\n\n", "\n\n")
    last = paragraphs + 2
    place = {"sceneNumber": 1, "paragraphStart": last, "paragraphEnd": last}
    judgement = {
        "scores": SCORES,
        "violations": [],
        "directives": [{**SHOW, "location": place}],
        "reader_experience": "",
    }
    return text, Rule(value=judgement)


def test_a_text_without_a_title_is_named_after_no_language_and_no_number(tmp_path: Path) -> None:
    text = tmp_path / "zh.txt"
    text.write_text("雨停了一个时辰，渡船才靠岸。没有人提起那条失踪的船。\n\n" * 12, "utf-8")
    book = tmp_path / "灯塔"
    ended = studio("import", text, "--into", book, "--yes")
    assert ended.code == 0, ended.err
    assert 'title = "灯塔"' in (book / "studio.toml").read_text("utf-8")
    named = (book / "imports/chapter-001.md").read_text("utf-8").splitlines()[0]
    assert named == "# 第1章"


@pytest.mark.sweep
@pytest.mark.pty
def test_a_review_that_is_opened_again(tmp_path: Path) -> None:
    text, judge = chapter(30)
    with FakeMessages(answering=answering(judge=judge)) as server:
        book = under_review(tmp_path / "book", text, server)
        there = opened(book, server, size=(80, 24))
        there.sees("1 directive waits for you")
        there.types("3")
        there.sees("1.32", "Evidence")  # the passage, by its number beside the text
        there.sees("1.32")
        assert "““" not in there.shown
        there.types("m")
        there.sees("A reason, if you like")  # so that Enter is never without an answer
        there.types("\x1b")
        there.sees("1.32", gone="A reason, if you like")
        there.types("i")
        there.sees("Enter Keep")
        there.types("Shorter.\r")
        there.sees("for a fresh draft", "w writes with this")
        assert "w writes with this" not in there.shown
        leaves(there)


@pytest.mark.sweep
@pytest.mark.pty
def test_an_editor_that_is_installed_is_used_where_none_is_set(tmp_path: Path) -> None:
    book = new_novel(tmp_path / "book")
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("sensible-editor", "nano"):
        (tools / name).write_text("#!/bin/sh\necho 'The bell rang.' >> \"$1\"\n")
        (tools / name).chmod(0o755)
    there = opened(
        book, environ={"EDITOR": "", "VISUAL": "", "PATH": f"{tools}:{os.environ['PATH']}"}
    )
    there.sees("No directives here", "no plan yet")
    there.child.sendcontrol("g")
    assert there.sees("The bell rang", "No editor") == "The bell rang"
    leaves(there)
    assert "The bell rang." in (book / "chapters/chapter-001.md").read_text("utf-8")


@pytest.mark.sweep
@pytest.mark.pty
def test_a_draft_that_was_handed_in_lies_nowhere_else(tmp_path: Path, own_home: Path) -> None:
    with FakeMessages() as server:
        there = opened(new_novel(tmp_path / "book"), server)
        there.sees("No directives here", "no plan yet")
        there.child.sendcontrol("e")
        there.sees("Save")
        there.types("The bell rang, and nobody on the quay said a word about the missing boat.\x04")
        there.sees("as your draft?", "summarize")
        there.types("y")
        there.sees("The chapter is ready for you", "wait for you", "waits for you")
        leaves(there)
    assert list(own_home.rglob("unsaved/*.md")) == []


@pytest.mark.sweep
@pytest.mark.pty
def test_a_model_that_says_nothing_yet_is_waited_for_in_sight(tmp_path: Path) -> None:
    book = new_novel(tmp_path / "book")
    plans = book / "volumes/vol-01/chapter-contracts"
    plans.mkdir(parents=True, exist_ok=True)
    (plans / "chapter-001.json").write_text(
        '{"schema_version": 1, "chapter": 1, "volume": 1, "title": "The Lamp Room",'
        ' "storyline_id": "main", "objectives": ["Mara finds the key"]}',
        "utf-8",
    )
    held = Rule(mode="slow", text="Mara lifted the oil cans.")
    with FakeMessages(answering=answering(draft=held)) as server:
        there = opened(book, server, size=(80, 24))
        there.sees("What happens")
        there.types("w")
        there.sees("writes the scene · 3 s")
        there.types("\x1b")
        there.sees("Stopped.")
        leaves(there)
