"""What wants a look at a chapter is marked in `status` and in the app's outline."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.book.author_facts import set_fact
from studio.project.store import ProjectStore
from studio.session import Session
from studio.tui.desk.load import read_book
from studio.tui.views.outline.rows import volumes_of
from tests.cli.conftest import Typed
from tests.project.novels import commit_now, put
from tests.project.plans import put_contract


@pytest.fixture
def book(novel: Path) -> Path:
    """Two chapters; a promise is due in the fourth, and a dead man is planned for the third."""
    put(novel, "characters/active/joss.md", "# Joss\n\nRows.")
    promises = [{"id": "bell", "description": "Who rang the bell", "due": 4}]
    put(novel, "foreshadowing/global.json", {"promises": promises})
    store = ProjectStore(novel)
    for number, text in ((1, "# One\n\nJoss rowed.\n"), (2, "# Two\n\nThe rope took Joss.\n")):
        commit_now(store, number, text)
    set_fact(store, "characters.joss.alive", False, 2)
    put_contract(novel, 3, characters=["joss"], title="The tea")
    put_contract(novel, 4, title="The bell")
    return novel


def test_due_promises_contradictions_and_kept_passages_are_marked(
    book: Path, typed: Typed
) -> None:  # req: G5 G7
    assert typed("keep", "add", 1, "--passage", "1.1").code == 0
    report = typed("status", "--json").json
    assert [(c["chapter"], c["marks"]) for c in report["chapters"]] == [
        (1, ["kept"]),
        (2, ["contradiction"]),
    ]
    assert report["ahead"] == {"3": ["contradiction"], "4": ["promise_due"]}
    printed = typed("status").out
    assert "[kept passage]" in printed
    assert "Ahead, promise due: chapter 4." in printed

    rows = volumes_of(read_book(Session.open(book, {}), fresh=True))[0].chapters
    assert {row.number: row.badge for row in rows} == {
        1: "kept",
        2: "contradiction",
        3: "contradiction",
        4: "promise due",
    }
