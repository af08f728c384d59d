"""Who tells a chapter in the first person is there, though nobody calls them by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.book.figures import figures_of
from studio.project.index import brought_up_to_date
from studio.project.store import ProjectStore
from tests.pipeline.flows import make_novel
from tests.project.novels import put


@pytest.mark.parametrize(
    "text", ["나는 문을 열었다. 아무도 없었다.", "我推开门，一个人也没有。", "I opened it. Nobody."]
)
def test_the_narrator_of_a_first_person_chapter_is_counted_on_the_board(
    tmp_path: Path, text: str
) -> None:
    make_novel(tmp_path)
    put(tmp_path, "chapters/chapter-001.md", f"# 1\n\n{text} Joss.\n")
    store = ProjectStore(tmp_path)
    contents = brought_up_to_date(store, "characters")
    (there,) = figures_of(store, contents, 2000, by_first_person=True).chapters
    assert dict(there.people) == {"mara": 1, "joss": 1}
    (there,) = figures_of(store, contents, 2000).chapters
    assert dict(there.people) == {"joss": 1}
