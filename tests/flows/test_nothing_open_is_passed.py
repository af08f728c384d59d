"""What a writer has not decided on is never passed by a default answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import studio
from tests.flows.desks import (
    committed,
    directives,
    leaves,
    opened,
    question,
    under_review,
)


def test_the_recommended_answer_passes_no_open_directive(tmp_path: Path) -> None:
    book = under_review(tmp_path / "book")
    asked = question(book)
    assert asked is not None
    assert {d["status"] for d in directives(book)} == {"pending"}
    studio("decide", asked["recommendation"], "--project", book)
    studio("resume", "--project", book)
    assert not committed(book)
    assert "commit" in asked["options"]
    assert studio("decide", "commit", "--project", book).code == 0
    assert studio("resume", "--project", book).code == 0
    assert committed(book)


@pytest.mark.sweep
@pytest.mark.pty
def test_w_and_enter_pass_no_open_directive_and_commit_has_its_own_key(tmp_path: Path) -> None:
    book = under_review(tmp_path / "book")
    there = opened(book)
    there.sees("3 directives wait for you")
    there.types("w")
    there.sees("The chapter is ready for you", "First decide what is open")
    there.types("\r")
    there.types("C")
    there.sees("is in the book", "into the book?")
    assert not committed(book)
    there.sees("3 are left as they stand, undecided")
    there.types("\r")
    there.types("y")
    there.sees("is in the book")
    assert committed(book)
    leaves(there)


@pytest.mark.sweep
@pytest.mark.pty
def test_the_card_proposes_to_decide_first(tmp_path: Path) -> None:
    book = under_review(tmp_path / "book")
    there = opened(book)
    there.sees("3 directives wait for you")
    there.types("d")
    there.sees("The chapter is ready for you")
    there.types("\r")
    there.sees("a Take", "is in the book", gone="The chapter is ready for you")
    assert not committed(book)
    leaves(there)
