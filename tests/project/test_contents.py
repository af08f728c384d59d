"""The contents of a book from cheap reads, and what is kept for the next time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from studio.fsio import Root
from studio.project.contents import ContentsEntry, each, last_known, position
from studio.project.index import brought_up_to_date, contents
from studio.project.store import ProjectStore
from tests.project.novels import CHINESE, ENGLISH, KOREAN, make_novel, put

OUTLINE = "# Volume 1: The Light\n\n## Chapter 1: One\n\nIt begins.\n\n## Chapter 3: Three\n\nOn.\n"


@pytest.fixture
def novel(tmp_path: Path) -> ProjectStore:
    store = make_novel(tmp_path)
    put(tmp_path, "volumes/vol-01/outline.md", OUTLINE)
    contract = {"schema_version": 1, "chapter": 2, "volume": 1, "title": "둘"}
    put(tmp_path, "volumes/vol-01/chapter-contracts/chapter-002.json", contract)
    put(tmp_path, "chapters/chapter-001.md", ENGLISH)
    return store


def titles(index: object) -> list[tuple[int, str]]:
    return [(e.chapter, e.title) for e in index.entries]  # type: ignore[attr-defined]


def test_chapters_come_from_files_outline_and_contracts(novel: ProjectStore) -> None:
    index = brought_up_to_date(novel, "words")
    assert titles(index) == [(1, "The Lamp Room"), (2, "둘"), (3, "Three")]
    assert [e.written for e in index.entries] == [True, False, False]
    assert [e.planned for e in index.entries] == [True, True, True]
    assert [(v.number, v.title) for v in index.volumes] == [(1, "Volume 1: The Light")]
    first = index.entry(1)
    assert first is not None
    assert (first.scenes, first.length) == (2, 11)


def test_a_title_alone_is_no_plan(tmp_path: Path) -> None:
    store = make_novel(tmp_path)
    outline = "# V\n\n## Chapter 1: Ebb\n\n## Chapter 2\n\n민아가 온다.\n\n## 第三章\n<!-- 灯 -->\n"
    put(tmp_path, "volumes/vol-01/outline.md", outline)
    assert [e.planned for e in brought_up_to_date(store, "words").entries] == [False, True, False]


def test_the_second_opening_reads_no_chapter(
    novel: ProjectStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = brought_up_to_date(novel, "words")
    read: list[str] = []
    find = Root.find

    def noted(root: Root, rel: str) -> bytes | None:
        read.append(rel)
        return find(root, rel)

    monkeypatch.setattr(Root, "find", noted)
    assert contents(novel.layout) == full
    assert not [path for path in read if path.startswith("chapters/") or "contract" in path]


def test_a_change_is_found_and_the_rest_is_not_read_again(
    novel: ProjectStore, tmp_path: Path
) -> None:
    brought_up_to_date(novel, "characters")
    put(tmp_path, "chapters/chapter-001.md", KOREAN)
    put(tmp_path, "chapters/chapter-004.md", CHINESE)
    index = brought_up_to_date(novel, "characters")
    assert titles(index) == [(1, "등대"), (2, "둘"), (3, "Three"), (4, "灯塔")]


def test_an_outline_and_a_contract_that_came_since_are_in_the_next_opening(
    novel: ProjectStore, tmp_path: Path
) -> None:
    brought_up_to_date(novel, "words")
    put(tmp_path, "volumes/vol-01/outline.md", OUTLINE + "\n## Chapter 5: Five\n\nLast.\n")
    put(tmp_path, "volumes/vol-01/chapter-contracts/chapter-004.json", {"title": "Four"})
    assert [chapter for chapter, _ in titles(contents(novel.layout))] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("index", ["", "{", "[]", '{"schema_version": 99}', '{"chapters": 1}'])
def test_a_damaged_index_is_none(novel: ProjectStore, tmp_path: Path, index: str) -> None:
    put(tmp_path, ".studio/index.json", index)
    assert titles(contents(novel.layout)) == [(1, "One"), (2, ""), (3, "Three")]
    assert titles(brought_up_to_date(novel, "words"))[1] == (2, "둘")


def test_damaged_files_do_not_keep_a_book_closed(novel: ProjectStore, tmp_path: Path) -> None:
    put(tmp_path, "chapters/chapter-001.md", b"# \xff\xfe\n\nx\n")
    put(tmp_path, "volumes/vol-01/chapter-contracts/chapter-002.json", "{")
    put(tmp_path, "evaluations/chapter-001-eval.json", "{")
    assert len(brought_up_to_date(novel, "words").entries) == 3


def test_the_outline_is_known_again_from_one_short_file(novel: ProjectStore) -> None:  # req: P5
    assert last_known(novel.layout) is None
    full = brought_up_to_date(novel, "words")
    assert last_known(novel.layout) == full


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        '{"volumes": {}, "entries": [[1]]}',
        '{"volumes": {"1": "V"}, "entries": [[1, 1, "One", true]]}',
        '{"schema_version": 4, "volumes": [[1, "V", [1]]]}\n[["One", true, true, 1, 1, null]]',
        '{"schema_version": 5, "volumes": [[1, "V", [1]], [2, "W", [2]]]}\n[["One", true]]',
        '{"schema_version": 5, "volumes": [[1, "V", ["1"]]]}\n[["One", true, true, 1, 1, null]]',
        '{"schema_version": 5, "volumes": [["1", "V", [1]]]}\n[["One", true, true, 1, 1, null]]',
        '{"schema_version": 5, "volumes": [[1, "V"]]}\n[["One", true, true, 1, 1, null]]',
    ],
)
def test_an_outline_that_cannot_be_read_is_not_known(novel: ProjectStore, text: str) -> None:
    full = brought_up_to_date(novel, "words")
    put(novel.layout.folder, ".studio/glance.json", text)
    assert last_known(novel.layout) is None
    assert brought_up_to_date(novel, "words") == full == last_known(novel.layout)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "{",
        "{}",
        "[1, 2, 3]",
        '[["One", true]]',
        '[["One", true, true, 1, 1, null], ["Two", true, true, 1, 1, null]]',
        '[["One", true, true, "1", 1, null], ["", true, true, 1, 1, 1], ["", true, true, 1, 1, 1]]',
    ],
)
def test_a_volume_that_cannot_be_read_has_no_titles_until_the_next_reading(
    novel: ProjectStore, line: str
) -> None:
    full = brought_up_to_date(novel, "words")
    glance = novel.layout.folder / ".studio/glance.json"
    head = glance.read_text("utf-8").partition("\n")[0]
    glance.write_text(f"{head}\n{line}", "utf-8")
    known = last_known(novel.layout)
    assert known is not None
    assert titles(known) == [(1, ""), (2, ""), (3, "")]
    assert brought_up_to_date(novel, "words") == full == last_known(novel.layout)


def test_no_volume_of_the_last_outline_is_read_before_it_is_looked_at(
    novel: ProjectStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # req: P5
    put(
        tmp_path, "volumes/vol-02/outline.md", "# Two\n\n## Chapter 4: Four\n\n## Chapter 5: Five\n"
    )
    brought_up_to_date(novel, "words")
    made: list[int] = []

    def noted(chapter: int, *row: Any) -> ContentsEntry:
        made.append(chapter)
        return ContentsEntry(chapter, *row)

    monkeypatch.setattr("studio.project.contents.ContentsEntry", noted)
    known = last_known(novel.layout)
    assert known is not None
    items = [each(volume.entries, lambda entry: entry.title) for volume in known.volumes]
    assert [len(titles) for titles in items] == [3, 2]
    assert known.entry(6) is None
    assert position(items[0], 2, len) == 1
    assert not made
    assert known.entry(4) == ContentsEntry(4, 2, "Four", False)
    assert [*items[1]] == ["Four", "Five"]
    assert made == [4, 5]
