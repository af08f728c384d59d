"""A model reads each chapter that comes into the book, where she wants it."""

from __future__ import annotations

from typing import Any

import pytest

from studio.pipeline.outcome import Committed
from tests.fake_messages import Asked, FakeMessages, Rule
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import SETTINGS, Desk, Model

READING = SETTINGS + "[generation]\nanalyse = true\n"
ODD: dict[str, Any] = {
    "kind": "body_thing",
    "severity": "high",
    "entity": "joss",
    "about": "sleep",
    "first_chapter": 1,
    "first_quote": "Far out a bell rang",
    "second_chapter": 1,
    "second_quote": "You are up early",
    "rule": "",
    "why": "No bell rings where nobody is awake.",
    "repair": "",
}


def read_by(desk: OpenDesk, settings: str, **answers: Any) -> Desk:
    """A novel whose model finds one contradiction."""
    model = Model()

    def answering(asked: Asked) -> Rule:
        for words, value in answers.items():
            if asked.schema is not None and words in asked.schema["properties"]:
                return value if isinstance(value, Rule) else Rule(value=value)
        return model(asked)

    desk_ = desk(settings=settings)
    desk_.server.answering = answering
    return desk_


def readings(server: FakeMessages) -> list[Asked]:
    return [a for a in server.asked if a.schema and "contradictions" in a.schema["properties"]]


# req: C10
@pytest.mark.sweep
def test_what_contradicts_itself_is_said_once_the_chapter_is_in_the_book(desk: OpenDesk) -> None:
    reading = {"contradictions": [ODD], "facts": []}
    desk_ = read_by(desk, READING, contradictions=reading, explanations={"explanations": []})
    ran = desk_.write()
    assert isinstance(ran.outcome, Committed), ran.outcome
    assert len(readings(desk_.server)) == 1
    assert "No bell rings where nobody is awake" in ran.warnings
    assert [event.seq for event in ran.events] == list(range(1, len(ran.events) + 1))
    assert desk_.store.continuity_record().findings
    spent = [e for e in desk_.store.journal.usage_entries() if "continuity" in e.call]
    assert {e.event for e in spent} == {"reserve", "settle"}


# req: C10
@pytest.mark.sampled
@pytest.mark.parametrize(
    ("settings", "rule", "words"),
    [
        (READING, Rule(mode="status", status=400), "was not read against"),
        (SETTINGS, None, ""),
    ],
    ids=["a server that refuses", "not wanted"],
)
def test_a_chapter_is_in_the_book_whatever_comes_of_it(
    desk: OpenDesk, settings: str, rule: Rule | None, words: str
) -> None:
    desk_ = read_by(desk, settings, contradictions=rule or {"contradictions": [], "facts": []})
    ran = desk_.write()
    assert isinstance(ran.outcome, Committed), ran.outcome
    assert words in ran.warnings
    assert len(readings(desk_.server)) == (rule is not None)
