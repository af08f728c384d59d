"""A fix the writer accepted by name stays in her book, whatever a measure says of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.command import studio
from tests.fake_messages import Asked, FakeMessages, Rule
from tests.flows.desks import answering, directives, environ_of, question, under_review


def no_better(asked: Asked) -> Rule:
    """The passage with another word in it, and every filter word where it was."""
    passage = re.search(r'<(\w+) name="passage">\n(.*?)\n</\1>', asked.prompt, re.DOTALL)
    assert passage is not None
    return Rule(text=passage[2].partition("] ")[2].replace("that", "how"))


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A chapter at its review; whoever operates on it makes nothing better."""
    return tmp_path / "book"


def committed_after(book: Path, *accepted: str, keeps: str = "") -> tuple[str, str]:
    """What the commit was said to do before it was asked for, and the chapter in the book; she
    `keeps` a passage after the question."""
    with FakeMessages(answering=answering(surgery=no_better)) as server:
        under_review(book, server=server)
        chosen = accepted or [d["id"] for d in directives(book) if d["type"].startswith("filter")]
        assert studio("directives", "accept", *chosen, "--project", book).code == 0
        assert studio("resume", "--project", book, environ=environ_of(server)).code == 4
        staged = (book / "staging/chapters/chapter-001.md").read_text("utf-8")
        assert "She saw how it was wet." in staged
        asked = question(book)
        assert asked is not None
        if keeps:
            at = next(d for d in directives(book) if keeps in d["result"]["after"])["location"]
            passage = f"{at['sceneNumber']}.{at['paragraphStart']}"
            assert studio("keep", "add", 1, "--passage", passage, "--project", book).code == 0
        assert studio("decide", "commit", "--project", book).code == 0
        assert studio("resume", "--project", book, environ=environ_of(server)).code == 0
    words = f"{asked['rationale']} {asked['data']['options']['commit']}"
    return words, (book / "chapters/chapter-001.md").read_text("utf-8")


@pytest.mark.sweep
def test_a_fix_accepted_by_name_stays_though_a_measure_did_not_improve(book: Path) -> None:
    words, text = committed_after(book)
    assert "She saw how it was wet." in text
    assert "you accepted yourself stay" in words


def test_fixes_accepted_in_a_batch_go_back_and_the_question_counts_them(book: Path) -> None:
    words, text = committed_after(book, "--all")
    assert "She saw how it was wet." not in text
    assert "3 fixes that did not help go back" in words


def test_a_fix_in_a_passage_that_she_keeps_stays(book: Path) -> None:
    _, text = committed_after(book, "--all", keeps="She saw how it was wet.")
    assert "She saw how it was wet." in text
