"""Which option a writer means by what she typed."""

from __future__ import annotations

import pytest

from studio.story.checkpoint import Decision

GATE = Decision(
    id="d", kind="gate", recommendation="revise", options=("commit", "revise", "re", "rewrite")
)


@pytest.mark.parametrize(
    ("typed", "option"),
    [("commit", "commit"), (" C ", "commit"), ("REV", "revise"), ("re", "re"), ("rew", "rewrite")],
)
def test_a_word_or_its_own_beginning_is_an_option(typed: str, option: str) -> None:
    assert GATE.option_for(typed) == option


@pytest.mark.parametrize("typed", ["", "  ", "r", "1", "commits", "고치기"])
def test_anything_else_is_none(typed: str) -> None:
    assert GATE.option_for(typed) is None
