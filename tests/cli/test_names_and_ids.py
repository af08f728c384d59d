"""No page shows the id of somebody whose name the book knows; only addresses have ids: keys of
`--json`, paths of files, and the ids of promises and findings that a command takes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from studio.session import Session
from studio.story.state import StateOp
from studio.tui.views.pages.memory_rows import rows_of
from tests.cli.conftest import Typed
from tests.project.novels import commit_now, make_novel, put
from tests.tui.pilot import opened

IDS = ("lin-wan", "choe-noin", "shou-ye-ren", "ma-tou")


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """Two chapters, two people of the bible, and two ids of which the state alone has the name."""
    folder = tmp_path / "novel"
    store = make_novel(folder)
    put(folder, "characters/active/lin-wan.md", "---\nname: 林晚\ndead_from: 2\n---\n# 林晚\n")
    contract = {"schema_version": 1, "id": "choe-noin", "name": "최 노인"}
    put(folder, "characters/active/choe-noin.json", contract)
    line = {"id": "main", "title": "灯塔", "characters": ["lin-wan"], "pov": "lin-wan"}
    put(folder, "storylines/storylines.json", {"schema_version": 1, "storylines": [line]})
    promise = {"id": "bell", "description": "铃会响", "characters": ["lin-wan", "choe-noin"]}
    put(folder, "foreshadowing/global.json", {"schema_version": 1, "promises": [promise]})
    for number in (1, 2, 3):
        plan = {"chapter": number, "volume": 1, "title": "门", "storyline_id": "main"}
        people = {"objectives": ["林晚开门"], "characters": [*IDS[:2]], "pov": "lin-wan"}
        path = f"volumes/vol-01/chapter-contracts/chapter-00{number}.json"
        put(folder, path, plan | people)
    commit_now(
        store,
        1,
        "# 一\n\n林晚开门。\n\n최 노인이 왔다.\n",
        StateOp(op="set", path="locations.ma-tou.name", value="码头"),
        StateOp(op="set", path="characters.shou-ye-ren.name", value="守夜人"),
        StateOp(op="set", path="characters.choe-noin.location", value="ma-tou"),
        StateOp(op="set", path="characters.choe-noin.friend", value="lin-wan"),
        StateOp(op="set", path="characters.lin-wan.friend", value="choe-noin"),
        StateOp(op="set", path="characters.lin-wan.enemy", value="shou-ye-ren"),
    )
    commit_now(store, 2, "# 二\n\n“我不走，”林晚说。\n\n최 노인이 왔다.\n")
    return folder


@pytest.mark.sweep
@pytest.mark.parametrize(
    "words",
    [
        ("bible", "list"),
        ("bible", "show", "林晚"),
        ("bible", "show", "choe-noin", "--at", 3),
        ("bible", "mentions", "林晚"),
        ("bible", "suggest"),
        ("status",),
        ("promises", "list"),
        ("promises", "show", "bell"),
        ("continuity", "--all"),
        ("volume", "review"),
        ("retire", "lin-wan"),
        ("retire", "林晚", "--dry-run"),
        ("context", 3),
        ("brief",),
        ("plan",),
        ("find", "林晚"),
    ],
)
def test_no_command_shows_an_id_where_there_is_a_name(
    book: Path, typed: Typed, words: tuple[object, ...]
) -> None:
    ended = typed(*words, "--project", book)
    lines = (ended.out + ended.err).splitlines()
    with_ids = [line for line in lines if any(id_ in line for id_ in IDS)]
    assert [line for line in with_ids if not is_address(line)] == []


def is_address(line: str) -> bool:
    """Whether a line is the id of a finding, which `continuity --waive` takes, or names a file."""
    return line.strip().startswith(("dead_present:", "knows_early:")) or ".md" in line


def test_somebody_retires_and_returns_by_name(book: Path, typed: Typed) -> None:
    for path in ("storylines/storylines.json", "foreshadowing/global.json"):
        (book / path).unlink()
    gone = typed("retire", "최 노인", "--project", book)
    assert gone.code == 0
    assert "retire '최 노인' --undo" in gone.out
    assert (book / "characters/retired/choe-noin.json").exists()
    assert typed("retire", "최 노인", "--undo", "--project", book).code == 0
    assert (book / "characters/active/choe-noin.json").exists()


def test_the_memory_in_the_app_says_names(book: Path) -> None:
    session = Session.open(book, os.environ)
    for tab in ("bible", "promises", "knowledge", "continuity"):
        for row in rows_of(tab, session, 3):  # type: ignore[arg-type]
            lines = (row.words, *row.details())
            words = " ".join(phrase.text for line in lines for phrase in line)
            assert not any(id_ in words for id_ in IDS), words


@pytest.mark.sweep
async def test_no_page_of_the_app_shows_an_id_where_there_is_a_name(book: Path) -> None:
    pages = ("desk.bible", "desk.promises", "desk.lines", "desk.board", "desk.plan", "desk.volume")
    for page in pages:
        async with opened(book, os.environ, (120, 36)) as studio:
            await studio.on_chapter(2)
            await studio.ask_for(page)
            await studio.pilot.pause()
            await studio.settled()
            assert studio.screen
            assert not any(id_ in studio.screen for id_ in IDS), page
