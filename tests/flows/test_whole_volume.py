"""A volume of a few chapters from an empty folder to the plan of the next, killed on the way: by
commands and by keys in the app, before a model that plans, drafts, judges and remembers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fake_messages import FakeMessages
from tests.whole_book.__main__ import led
from tests.whole_book.by_command import Commands, environ_of
from tests.whole_book.lives import Life, differences
from tests.whole_book.story import Memory, answering
from tests.whole_book.writer import Writer


# req: D1 D2 D5 E2 E3
@pytest.mark.sweep
@pytest.mark.crash
def test_a_volume_killed_on_the_way_is_the_same_volume(tmp_path: Path) -> None:
    memory, books = Memory(mended=True), []
    with FakeMessages(answering=answering(memory)) as server:
        for kills in (0, 4):
            place = tmp_path / f"kills-{kills}"
            place.mkdir()
            writer = Writer(place / "novel", volumes=1, chapters=4)
            environ = environ_of(writer.folder, server.url)
            hand = Commands(writer, environ, memory, trials=2)
            book = Life(writer, hand, environ, kills=kills, often=0.3)
            book.live()
            assert book.killed == kills
            assert book.faults() == []
            books.append(book)
    assert differences(books[0].files(), books[1].files()) == []
    assert books[0].writer.checkpoint["last_completed_chapter"] == 4


# req: D1 D2 D5 E2 E3
@pytest.mark.long
@pytest.mark.sweep
@pytest.mark.pty
@pytest.mark.crash
def test_a_volume_by_keys_and_killed_is_the_volume_by_commands(tmp_path: Path) -> None:
    by_command = led(tmp_path / "by-command", "command", 1, 5, 0, 7)
    by_keys = led(tmp_path / "by-keys", "app", 1, 5, 1, 7)
    assert by_keys.killed == 1
    assert [*by_command.faults(), *by_keys.faults()] == []
    assert differences(by_command.files(), by_keys.files()) == []
