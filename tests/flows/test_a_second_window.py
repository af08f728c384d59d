"""Two windows on one novel: the second says what the first does, in a writer's words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.command import studio
from tests.fake_messages import FakeMessages, Rule
from tests.flows.desks import answering, leaves, new_novel, opened

PLAN = """{"schema_version": 1, "chapter": 1, "volume": 1, "title": "The Lamp Room",
"storyline_id": "main", "objectives": ["Mara finds the key"]}"""
BEGUN = Rule(mode="hold", after=12, text="Mara lifted the oil cans one after another. " * 40)


@pytest.mark.sweep
@pytest.mark.pty
def test_a_novel_that_is_being_written_is_not_called_interrupted(tmp_path: Path) -> None:
    book = new_novel(tmp_path / "book")
    plans = book / "volumes/vol-01/chapter-contracts"
    plans.mkdir(parents=True, exist_ok=True)
    (plans / "chapter-001.json").write_text(PLAN, "utf-8")
    with FakeMessages(answering=answering(draft=BEGUN)) as server:
        first = opened(book, server)
        first.types("w")
        first.sees("oil cans")
        second = opened(book, server)
        second.sees("broke off", "is being written in another window")
        assert "broke off" not in second.shown
        assert "Discard" not in second.shown
        refused = studio("write", "--project", book)
        assert refused.code == 3
        sentence = refused.err.splitlines()[0]
        assert re.search(r"in another window since \d\d:\d\d", sentence)
        assert not re.search(r"process|\dZ\b", sentence)
        first.types("\x1b")
        first.sees("Stopped.")
        second.sees("broke off", gone="in another window")
        for there in (first, second):
            leaves(there)
