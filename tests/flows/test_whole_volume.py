"""A volume of four chapters from an empty folder to the plan of the next, killed on the way."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fake_messages import FakeMessages
from tests.whole_book import WholeBook, answering, differences


@pytest.fixture
def server() -> Iterator[FakeMessages]:
    with FakeMessages(answering=answering()) as fake:
        yield fake


# req: D1 D2 D5 E2 E3
@pytest.mark.crash
def test_a_volume_killed_on_the_way_is_the_same_volume(
    tmp_path: Path, server: FakeMessages
) -> None:
    books = []
    for kills in (0, 4):
        place = tmp_path / f"kills-{kills}" / "novel"
        place.parent.mkdir()
        book = WholeBook(place, server, volumes=1, chapters=4, kills=kills)
        book.live()
        assert book.killed == kills
        assert book.faults() == []
        books.append(book)
    assert differences(books[0].files(), books[1].files()) == []
    assert books[0].checkpoint.last_completed_chapter == 4
