"""A text comes into a novel that has planned chapters: whose plan it takes, and what is said."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from studio.exchange.import_.commit import ImportAs, ImportResult, places_of, plan_import
from studio.project.planning.plan_change import carry, hold_for_planning
from studio.project.planning.plans import Plans
from studio.project.store import ProjectStore
from studio.project.verify import verify
from studio.session import Session
from tests.exchange.books import SAMPLE, brought, file_of
from tests.project.novels import tree

FAIR = (
    "Chapter One: The Fair\n\nMara went to the fair and it rained.\n\n"
    "Chapter Two: The Walk\n\nThey walked home by the shore.\n"
)
LAMPS = "# The lamp room!\n\nShe counted eighteen.\n\n# The Late Show\n\nThey had not slept.\n"
BARE = "Chapter 3\n\nShe counted eighteen lamps.\n\nChapter 4\n\nNobody had slept for a week.\n"


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A novel with two chapters in it and six that are planned, from “The Lamp Room” on."""
    return Path(shutil.copytree(SAMPLE, tmp_path / "book"))


def planned(folder: Path) -> dict[int, str]:
    """The title of each chapter that is not in the book."""
    return {c.number: c.title for c in Plans(ProjectStore(folder), "en").chapters()}


def promises_due(folder: Path) -> list[int]:
    """The chapter in which each open promise of the book is due."""
    promises = json.loads((folder / "foreshadowing/global.json").read_bytes())["promises"]
    return [promise["due"] for promise in promises if "due" in promise]


def told(done: ImportResult) -> str:
    return " ".join(done.places)


@pytest.mark.parametrize("kind", ["drafts", "committed"])
def test_a_plan_is_not_given_to_a_text_that_has_another_title(
    book: Path, tmp_path: Path, kind: ImportAs
) -> None:
    due = promises_due(book)
    done = brought(book, file_of(tmp_path, "two.txt", FAIR), kind=kind)
    store = ProjectStore(book)
    assert [number for number, _ in done.chapters] == [3, 4]
    assert store.contract(3) is None
    assert store.contract(5) is not None
    assert planned(book)[5] == "The Lamp Room"
    assert planned(book)[10] == "Fourteen Minutes"
    if kind == "drafts":
        assert (planned(book)[3], planned(book)[4]) == ("The Fair", "The Walk")
    assert promises_due(book) == [at + 2 * (at in range(3, 9)) for at in due]
    assert "“The Lamp Room” from 3 to 5" in told(done)
    assert "names already: “1”, “2”. The new ones are chapter-003, chapter-004" in told(done)
    assert not verify(book).is_damaged
    before = tree(book)
    again = brought(book, file_of(tmp_path, "two.txt", FAIR), kind=kind)
    assert (again.chapters, again.already, again.places) == ((), 2, ())
    assert tree(book) == before


@pytest.mark.parametrize("text", [LAMPS, BARE], ids=["same titles", "no titles"])
def test_a_text_takes_the_plan_that_has_its_title_or_stands_at_its_place(
    book: Path, tmp_path: Path, text: str
) -> None:
    before = planned(book)
    done = brought(book, file_of(tmp_path, "lamps.md", text))
    assert planned(book) == before
    assert ProjectStore(book).contract(3) is not None
    assert "that of “The Lamp Room”" in told(done)
    assert "move behind" not in told(done)


def test_a_text_with_another_title_takes_the_plan_on_her_word(book: Path, tmp_path: Path) -> None:
    before = planned(book)
    plan, sources = plan_import([file_of(tmp_path, "two.txt", FAIR)])
    done = Session.open(book, os.environ).bring_in(plan, sources, "drafts", takes_plans=True)
    assert planned(book) == before
    assert "“The Fair” that of “The Lamp Room”" in told(done)


def test_a_title_that_is_there_already_is_said(book: Path, tmp_path: Path) -> None:
    late = file_of(tmp_path, "late.md", "# The Late Show\n\nThey had not slept.\n")
    done = brought(book, late)
    assert "A chapter with this title is there already: “The Late Show”." in done.places


def test_what_a_preview_says_is_what_the_outcome_says(book: Path, tmp_path: Path) -> None:
    file = file_of(tmp_path, "two.txt", FAIR)
    before = tree(book)
    seen = places_of(ProjectStore(book), plan_import([file])[0], "en").sentences
    assert tree(book) == before
    assert seen == brought(book, file).places


def test_an_import_that_ended_after_it_made_room_makes_no_more(book: Path, tmp_path: Path) -> None:
    from studio.exchange.import_.arrival import arrival_at, room_for

    file = file_of(tmp_path, "two.txt", FAIR)
    plan, _ = plan_import([file])
    store = ProjectStore(book)
    with hold_for_planning(store) as lock:
        titles = {3: "The Fair", 4: "The Walk"}
        room = room_for(store, arrival_at(store, plan, "en"), titles, "en")
        assert room is not None
        carry(store, lock, room)
    brought(book, file)
    assert planned(book)[5] == "The Lamp Room"
    assert len(planned(book)) == 8


def test_korean_and_chinese_titles_are_compared_as_they_are_read(tmp_path: Path) -> None:
    from studio.exchange.import_.arrival import same_title

    assert same_title("램프실", "《램프실》")
    assert not same_title("램프실", "늦은 공연")
    assert not same_title("灯", "盐")
    assert same_title("The Lamp Room", "the lamp room.")
