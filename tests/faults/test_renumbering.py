"""A fault at every call of a change of plans: text that was typed stays with its chapter."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from studio.project.commit.writing import finish_change
from studio.project.create import create_novel
from studio.project.planning.plans import Plans
from studio.project.store import ProjectStore
from studio.project.unsaved import unsaved_of
from tests.faults import tally
from tests.faults.invariants import assert_invariants, recover
from tests.faults.moments import moments
from tests.faults.tracing import unavailable

pytestmark = [
    pytest.mark.crash,
    pytest.mark.skipif(bool(unavailable()), reason=unavailable() or "strace works here"),
]

TITLES = ("등대", "盐路", "The Ledger", "열쇠")


def typed_texts(novel: Path, state: Path) -> dict[str, str]:
    """The unsaved text of each planned chapter, by the chapter's title."""
    store = ProjectStore(novel, state)
    finish_change(store)
    outline = store.outline(1)
    texts = {}
    for number in range(1, len(TITLES) + 1):
        section = store.outline_section(number, 1)
        title = section[0] if section else outline
        left = unsaved_of(store, number).left_texts()
        texts[title] = left[0].text if left else ""
    return texts


@pytest.mark.sweep
@pytest.mark.parametrize("share", tally.SHARES)
def test_no_typed_text_is_lost_or_changes_its_chapter(share: int, tmp_path: Path) -> None:
    place, left = tmp_path / "place", tmp_path / "left"
    create_novel(place / "novel", "소금길", "ko")
    store = ProjectStore(place / "novel", place / "state")
    plans = Plans(store, "ko")
    for title in TITLES:
        plans.add(title, happens=[f"{title}."])
    for number in (2, 4):
        unsaved_of(store, number).keep(f"# {TITLES[number - 1]}\n\n雨停了。{number}\n")
    wanted = typed_texts(place / "novel", place / "state")
    assert [bool(text) for text in wanted.values()] == [False, True, False, True]

    def step() -> object:
        return Plans(ProjectStore(left / "novel", left / "state"), "ko").move(4, 1)

    def begin() -> None:
        shutil.rmtree(left, ignore_errors=True)
        shutil.copytree(place, left)
        adopt(left)

    begin()
    for moment in moments(step, share):
        moment.hit(step, begin)
        assert typed_texts(left / "novel", left / "state") == wanted, moment
        recover(left / "novel")
        assert_invariants(left / "novel")


def adopt(place: Path) -> None:
    """Makes a copied place the only one where its novel lives."""
    for record in (place / "state/novels").glob("*/folder.json"):
        record.unlink()
