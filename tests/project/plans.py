"""A book of two chapters with four more planned, and everything that names one by its number."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from studio.project.store import ProjectStore
from studio.project.verify import verify
from tests.faults.books import two_chapters
from tests.faults.invariants import tree
from tests.project.novels import put

_AT_HAND = ("volumes", "foreshadowing", "characters", "world", "imports", "chapters", "storylines")
OUTLINE = """# Volume 1

<!-- A note to myself: ## Chapter 9 is no heading here. -->

## Chapter 1: Slack Water
Done.

## Chapter 2

## Chapter 3: The Bell
Mara hears it.

She counts to nineteen.

## 제4장 편지
- 에드윈이 편지를 읽는다.
- 조스가 웃는다.

## 第五章 灯
玛拉点灯。
"""


ANOTHER_OUTLINE = (
    "# Volume 1\n\n## Chapter 3: The Bell\nMara hears it twice.\n\n## Chapter 7: Ebb\nIt ebbs.\n"
)


def contract(chapter: int, title: str, **more: Any) -> dict[str, Any]:
    """The plan of a chapter of volume 1."""
    plan = {"schema_version": 1, "chapter": chapter, "volume": 1, "title": title}
    return {**plan, "storyline_id": "main", "objectives": [f"What {title} is for"], **more}


def put_contract(folder: Path, chapter: int, **more: Any) -> None:
    """The file of such a plan."""
    path = f"volumes/vol-01/chapter-contracts/chapter-{chapter:03d}.json"
    put(folder, path, contract(chapter, **{"title": f"Night {chapter}", **more}))


def planned_book(folder: Path) -> ProjectStore:
    """Chapters 1 and 2 in the book, 3 to 6 planned; 3 and 6 by contracts too."""
    store = two_chapters(folder)
    people = {"schema_version": 1, "id": "mara", "name": "Mara", "aliases": ["마라"]}
    put(folder, "characters/active/mara.json", people)
    put(
        folder,
        "characters/active/mara.md",
        "---\nname: Mara\ngone_from: 6\n---\n\nKeeps the lamp.\n\n## From chapter 5.2\n\nLame.\n"
        "\n## 从第五章起\n\n跛。\n\n## 6장부터\n\n없다.\n",
    )
    put(folder, "storylines/storylines.json", {"storylines": [{"id": "main", "title": "Main"}]})
    put(folder, "volumes/vol-01/outline.md", OUTLINE)
    third = contract(
        3, "The Bell", beats=["One", "Two"], foreshadowing=[{"id": "bell", "action": "plant"}]
    )
    put(folder, "volumes/vol-01/chapter-contracts/chapter-003.json", third)
    sixth = contract(6, "Payment", foreshadowing=[{"id": "bell", "action": "resolve"}])
    put(folder, "volumes/vol-01/chapter-contracts/chapter-006.json", sixth)
    lines = [{"chapter": n, "storyline_id": "main", "note": f"was {n}"} for n in (1, 4, 6)]
    put(folder, "volumes/vol-01/storyline-schedule.json", {"chapters": lines})
    promise = {"id": "bell", "description": "The drowned bell", "due": 6}
    drowned = {"id": "drowned_bell", "status": "planted", "planted": 1, "last": 1}
    put(folder, "foreshadowing/global.json", {"promises": [promise, drowned]})
    secret = {"id": "who", "fact": "Joss did it", "known_by": [{"who": "mara", "from": "4.2"}]}
    secrets = {"schema_version": 1, "secrets": [{**secret, "phrases": [], "reader_from": 6}]}
    put(folder, "world/secrets.json", secrets)
    put(folder, "imports/chapter-005.md", "# 灯\n\n雨停了。\n")
    return store


def outlined(store: ProjectStore) -> list[str]:
    """The headings of the outline."""
    text = (store.layout.folder / "volumes/vol-01/outline.md").read_text("utf-8")
    return [line for line in text.splitlines() if line.startswith("## ")]


def titles(store: ProjectStore) -> dict[int, str]:
    """Chapter to title of every contract."""
    return {n: c.title for n in store.layout.contract_numbers(1) if (c := store.contract(n))}


def read(store: ProjectStore, path: str) -> Any:
    """A JSON file of the novel."""
    return json.loads((store.layout.folder / path).read_text("utf-8"))


def plans(folder: Path) -> dict[str, str]:
    """Everything a change of plans may touch."""
    return {p: sha for p, sha in tree(folder).items() if p.startswith(_AT_HAND) and sha != "folder"}


def assert_clean(store: ProjectStore) -> None:
    """What `verify` says beyond what the small novel always lacks."""
    findings = verify(store.layout.folder).findings
    assert [f.message for f in findings if f.severity in ("damage", "edit", "orphan")] == []
    assert [f.message for f in findings if "names the" in f.message] == []
    assert [f.message for f in findings if "planned in" in f.message] == []


def planned_book_with_people(folder: Path) -> None:
    """A book with plans, people and promises, in which nothing is open."""
    planned_book(folder)
    joss = {"schema_version": 1, "id": "joss", "name": "Joss Pell", "aliases": ["the boatman"]}
    put(folder, "characters/active/joss.json", joss)
    put(folder, "characters/active/joss.md", "Joss Pell mends the boats.\n")
    both = {"source": "mara", "target": "joss", "kind": "kin"}
    put(folder, "characters/relationships.json", {"relationships": [both]})
    put(folder, "world/places/lamp.md", "The lamp room above the drowned bell.\n")
