"""A number that the author states counts on with what the chapters add to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.book.as_of import StoryAt
from studio.story.state import StateOp
from tests.project.novels import commit_now, make_novel, put

AGE = "characters.mara.age"


@pytest.mark.repairs("S7")
def test_somebody_whose_age_is_stated_can_have_a_birthday(tmp_path: Path) -> None:
    store = make_novel(tmp_path / "novel")
    put(store.layout.folder, "characters/active/mara.md", "# Mara\n\nCounts.\n")
    facts = [{"path": AGE, "value": 30, "from": 1}]
    put(store.layout.folder, "world/facts.json", {"schema_version": 1, "facts": facts})
    commit_now(store, 1, "# One\n\nMara counted the lamps.\n")
    birthday = StateOp(op="inc", path=AGE, value=1)
    commit_now(store, 2, "# Two\n\nMara was thirty-one that day.\n", birthday)
    ages = [StoryAt(store, n).state.characters["mara"]["age"] for n in (2, 3)]
    assert ages == [30, 31]
    facts.append({"path": AGE, "value": 40, "from": 2})
    put(store.layout.folder, "world/facts.json", {"schema_version": 1, "facts": facts})
    assert StoryAt(store, 3).state.characters["mara"]["age"] == 40
