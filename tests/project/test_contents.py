"""The contents of a book from cheap reads, and what is kept for the next time."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.fsio import Root
from studio.project.index import brought_up_to_date, contents, last_known
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
    index = brought_up_to_date(novel, "en")
    assert titles(index) == [(1, "The Lamp Room"), (2, "둘"), (3, "Three")]
    assert [e.written for e in index.entries] == [True, False, False]
    assert [e.planned for e in index.entries] == [True, True, True]
    assert dict(index.volumes) == {1: "Volume 1: The Light"}
    first = index.entry(1)
    assert first is not None
    assert (first.scenes, first.length) == (2, 11)


def test_a_title_alone_is_no_plan(tmp_path: Path) -> None:
    store = make_novel(tmp_path)
    outline = "# V\n\n## Chapter 1: Ebb\n\n## Chapter 2\n\n민아가 온다.\n\n## 第三章\n<!-- 灯 -->\n"
    put(tmp_path, "volumes/vol-01/outline.md", outline)
    assert [e.planned for e in brought_up_to_date(store, "en").entries] == [False, True, False]


def test_the_second_opening_reads_no_chapter(
    novel: ProjectStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = brought_up_to_date(novel, "en")
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
    brought_up_to_date(novel, "ko")
    put(tmp_path, "chapters/chapter-001.md", KOREAN)
    put(tmp_path, "chapters/chapter-004.md", CHINESE)
    index = brought_up_to_date(novel, "ko")
    assert titles(index) == [(1, "등대"), (2, "둘"), (3, "Three"), (4, "灯塔")]


def test_an_outline_and_a_contract_that_came_since_are_in_the_next_opening(
    novel: ProjectStore, tmp_path: Path
) -> None:
    brought_up_to_date(novel, "en")
    put(tmp_path, "volumes/vol-01/outline.md", OUTLINE + "\n## Chapter 5: Five\n\nLast.\n")
    put(tmp_path, "volumes/vol-01/chapter-contracts/chapter-004.json", {"title": "Four"})
    assert [chapter for chapter, _ in titles(contents(novel.layout))] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("index", ["", "{", "[]", '{"schema_version": 99}', '{"chapters": 1}'])
def test_a_damaged_index_is_none(novel: ProjectStore, tmp_path: Path, index: str) -> None:
    put(tmp_path, ".studio/index.json", index)
    assert titles(contents(novel.layout)) == [(1, "One"), (2, ""), (3, "Three")]
    assert titles(brought_up_to_date(novel, "en"))[1] == (2, "둘")


def test_damaged_files_do_not_keep_a_book_closed(novel: ProjectStore, tmp_path: Path) -> None:
    put(tmp_path, "chapters/chapter-001.md", b"# \xff\xfe\n\nx\n")
    put(tmp_path, "volumes/vol-01/chapter-contracts/chapter-002.json", "{")
    put(tmp_path, "evaluations/chapter-001-eval.json", "{")
    assert len(brought_up_to_date(novel, "en").entries) == 3


def test_the_outline_is_known_again_from_one_short_file(novel: ProjectStore) -> None:  # req: P5
    assert last_known(novel.layout) is None
    full = brought_up_to_date(novel, "en")
    assert last_known(novel.layout) == full


@pytest.mark.parametrize("text", ["{", "[]", '{"volumes": {}, "entries": [[1]]}'])
def test_an_outline_that_cannot_be_read_is_not_known(novel: ProjectStore, text: str) -> None:
    brought_up_to_date(novel, "en")
    put(novel.layout.folder, ".studio/glance.json", text)
    assert last_known(novel.layout) is None
