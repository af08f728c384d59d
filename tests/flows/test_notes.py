"""A note the writer adds to an answer reaches whoever carries the answer out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import Ended, studio
from tests.fake_messages import Asked, FakeMessages, Rule

NOTE = "The bell must stay silent until she is on the stair."
QUOTE = "The lamp smelled of salt."
SCENE = "\n\n".join([QUOTE] + ["She counted the steps to the cellar and lost count."] * 20)
RULE = "No bell rings on this coast."
TOLD = f"surely broken: {RULE.rstrip('.')}: “{QUOTE}” It is against the rule."
"""A rule that was broken, as a drafter is told of it: with the place and the reason."""
SCORES = (
    *("plot_logic", "character", "immersion", "style_naturalness"),
    *("foreshadowing", "pacing", "emotional_impact", "storyline_coherence"),
)
JUDGED = {
    "scores": {name: {"score": 3.2, "scene": 1} for name in SCORES},
    "violations": [
        {
            "layer": "L1",
            "confidence": "high",
            "rule": RULE,
            "quote": QUOTE,
            "explanation": "It is against the rule.",
            "scene": 1,
        }
    ],
}


class Desk:
    """The installed program in a novel that is not refined, before a strict judge."""

    def __init__(self, project: Path) -> None:
        settings = project / "studio.toml"
        settings.write_text(
            settings.read_text("utf-8").replace("[refine]\non = true", "[refine]\non = false"),
            "utf-8",
        )
        self.fake = FakeMessages(answering=self._answer)
        self._project = project

    def _answer(self, asked: Asked) -> Rule:
        if asked.schema is None:
            return Rule(text=f"## Prose\n\n{SCENE}")
        return Rule(value=JUDGED if "scores" in asked.schema["properties"] else None)

    def studio(self, *typed: object) -> Ended:
        environ = {"ANTHROPIC_BASE_URL": self.fake.url, "ANTHROPIC_API_KEY": "k"}
        return studio(*typed, cwd=self._project, environ=environ)

    def drafted_again(self, *typed: object) -> list[Asked]:
        """What is asked for the first scene after the gate sent it back with a note."""
        assert self.studio("write", "--review", "ask", *typed).code == 4
        pending: Any = self.studio("status", "--json").json["pending_decision"]
        assert pending["kind"] == "gate"
        assert self.studio("decide", "draft-again", "--note", NOTE).code == 0
        self.fake.asked.clear()
        assert self.studio("resume", "--review", "ask").code == 4
        return [asked for asked in self.fake.asked if asked.schema is None]


@pytest.fixture
def desk(project: Path) -> Iterator[Desk]:
    desk = Desk(project)
    with desk.fake:
        yield desk


@pytest.mark.sweep
def test_a_note_to_the_gate_reaches_the_drafter(desk: Desk) -> None:
    (drafter,) = desk.drafted_again()
    assert TOLD in drafter.prompt
    assert NOTE in drafter.prompt


def test_notes_and_faults_reach_both_halves_of_a_drafter(desk: Desk, project: Path) -> None:
    settings = project / "studio.toml"
    standard = settings.read_text("utf-8")
    settings.write_text(standard.replace('mode = "standard"', 'mode = "prewriter"'), "utf-8")
    prewriter, writer = desk.drafted_again()
    for asked in (prewriter, writer):
        assert TOLD in asked.prompt
        assert NOTE in asked.prompt
