"""Several chapters in one run, and what ends it; the marks of chapters that are kept all the same.

Seen from outside: the installed command, its exit code, its JSON lines, the checkpoint.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.flows.life import Life, opened
from tests.pipeline.flows import judged, violation


@pytest.fixture
def life(tmp_path: Path) -> Iterator[Life]:
    yield from opened(tmp_path / "novel", "Slack Water", "The Lamp Room", "A Door")


# req: G13
@pytest.mark.sweep
def test_a_run_to_the_volumes_end_takes_every_planned_chapter_and_no_more(life: Life) -> None:
    ended = life("write", "--until-volume-end", "--review", "accept", "--json")
    assert ended.code == 0, ended.err
    *chapters, total = ended.events
    assert [line["chapter"] for line in chapters] == [1, 2, 3]
    assert {line["status"] for line in chapters} == {"completed"}
    assert total == {"schema_version": 1, "committed": [1, 2, 3], "stopped_by": None}
    assert all(line["spent_usd"] > 0 and line["changes"] == [] for line in chapters)
    again = life("write", "--until-volume-end", "--review", "accept")
    assert (again.code, "is in the book" in again.out) == (0, True)


# req: G13
@pytest.mark.sweep
def test_a_run_ends_with_4_as_soon_as_a_person_is_needed(tmp_path: Path) -> None:
    low = [judged(4.4), judged(2.5)]
    for life in opened(tmp_path / "novel", "One", "Two", "Three", judge=low):
        ended = life("write", "--count", "3", "--review", "accept", "--json")
        assert ended.code == 4, ended.err
        assert ended.events[-1] == {"schema_version": 1, "committed": [1], "stopped_by": "gate"}
        assert ended.events[1]["kind"] == "gate"


# req: G13
def test_a_cap_ends_a_run_with_7(life: Life) -> None:
    prices = "[budget]\nchapter_usd = 0.000001\n"
    settings = life.folder / "studio.toml"
    settings.write_text(settings.read_text("utf-8") + prices, "utf-8")
    ended = life("write", "--count", "2", "--review", "accept", "--json")
    assert ended.code == 7
    assert ended.events[-1] == {"schema_version": 1, "committed": [], "stopped_by": "budget"}


# req: G13
@pytest.mark.sweep
def test_in_ask_mode_one_chapter_is_written_at_a_time(life: Life) -> None:
    ended = life("write", "--count", "2", "--json")
    assert (ended.code, ended.events[-1]["stopped_by"]) == (4, "review")
    assert life("decide", "commit").code == 0
    ended = life("write", "--count", "2", "--json")
    assert ended.code == 0
    assert ended.events[-1] == {"schema_version": 1, "committed": [1], "stopped_by": "ask"}


def test_a_volume_without_a_plan_has_no_end(life: Life) -> None:
    (life.folder / "volumes/vol-01/outline.md").unlink()
    ended = life("write", "--until-volume-end")
    assert ended.code == 2
    assert "Volume 1 has no planned chapter" in ended.err
    assert life("write", "--until-volume-end", "--count", "2").code == 2


# req: F7
@pytest.mark.sweep
def test_a_chapter_kept_below_the_gate_carries_its_mark(tmp_path: Path) -> None:
    broken = judged(2.5, violations=[violation("A gull sat on the rail")])
    for life in opened(tmp_path / "novel", "One", "Two", judge=[broken, broken, judged(4.4)]):
        assert life("write", "--review", "accept").code == 4
        assert life("decide", "keep").code == 0
        assert life("resume", "--review", "accept").code == 0
        assert life.checkpoint["low_quality"] == life.checkpoint["violations_open"] == [1]
        status = life("status", "--json").json
        assert (status["low_quality"], status["violations_open"]) == ([1], [1])
        assert status["chapters"][0]["badges"] == ["scored below 3", "breaks a rule"]
        assert status["left_open"] == {}, "she was asked about it, and kept the chapter as it is"
