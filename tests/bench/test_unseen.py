"""`python -m bench unseen DIR` counts the passages that are there and names the others.

Where two readers marked the same passages, it says how far they agree.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from bench import unseen
from studio.i18n import LANGUAGES
from tests.text.labelled import FOLDER

_HEARD = "She heard the gate. The dog was already up and at the door, and nobody had called it."
_PLAIN = "The gate swung. The dog was already up and at the door, and nobody had called it."


@pytest.fixture
def labels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three passages, two of one name, in a set of its own; none of the texts is there."""
    folder = tmp_path / "labelled"
    (folder / "published").mkdir(parents=True)
    entries = [
        {"language": "en", "file": f"en/{name}.txt", "sha256": _sha256(text), "filter": places}
        for name, text, places in (
            ("gate", _HEARD, [[4, "heard"]]),
            ("gate", _PLAIN, []),
            ("lost", "A text that nobody has.", [[0, "A"]]),
        )
    ]
    (folder / "published" / "set.json").write_text(json.dumps(entries), "utf-8")
    again = [entries[0] | {"filter": [[4, "heard the"], [32, "already"]]}]
    (folder / "published" / unseen.SECOND).write_text(json.dumps(again), "utf-8")
    monkeypatch.setattr(unseen, "FOLDER", folder)
    monkeypatch.setattr(unseen, "SETS", {"a set": "set.json"})
    return folder


@pytest.mark.usefixtures("labels")
def test_a_passage_that_is_not_there_is_named_and_the_rest_are_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for lot, text in (("one", _HEARD), ("two", _PLAIN)):
        (tmp_path / "texts" / lot).mkdir(parents=True)
        (tmp_path / "texts" / lot / "gate.txt").write_text(text, "utf-8")
    assert unseen.main([str(tmp_path / "texts")]) == 0
    printed = capsys.readouterr()
    row = next(line for line in printed.out.splitlines() if "a set, en" in line)
    assert row.startswith("| a set, en, 2 of 3 | 1 | 1.00 ")
    assert "en/lost.txt is not there" in printed.err
    assert "gate.txt" not in printed.err


@pytest.mark.usefixtures("labels")
def test_without_any_text_every_row_says_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert unseen.main([str(tmp_path / "nothing")]) == 0
    assert "| a set, en, 0 of 3 | 0 | none | none |" in capsys.readouterr().out


@pytest.mark.usefixtures("labels")
def test_two_readers_agree_where_their_marks_touch_and_the_program_is_set_beside_both(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "gate.txt").write_text(_HEARD, "utf-8")
    assert unseen.main([str(tmp_path / "texts")]) == 0
    rows = {
        row.split(" | ")[0]: [cell.split(" ")[0] for cell in row.split(" | ")[1:]]
        for row in capsys.readouterr().out.splitlines()
        if ", en" in row
    }
    assert rows["| the first reader against the second, en"] == ["2", "1.00", "0.50", "0.67"]
    assert rows["| the program against the first, en"] == ["1", "1.00", "1.00", "1.00"]
    assert rows["| the program against what either marked, en"] == ["2", "1.00", "0.50", "0.67"]
    assert rows["| the program against what both marked, en"] == ["1", "1.00", "1.00", "1.00"]


def test_passages_marked_twice_by_one_reader_have_a_table_of_their_own(
    labels: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entry = {"language": "en", "file": "en/gate.txt", "sha256": _sha256(_HEARD)}
    twice = entry | {"filter": [[4, "heard"]], "again": [[4, "heard"], [32, "already"]]}
    (labels / "published" / "set.json").write_text(json.dumps([twice]), "utf-8")
    (tmp_path / "gate.txt").write_text(_HEARD, "utf-8")
    unseen.main([str(tmp_path)])
    table = capsys.readouterr().out.split("| one pass and another |")[1]
    assert "| the first pass against the second, en | 2 | 1.00 " in table
    assert "| the program against what both marked, en | 1 | 1.00 " in table


def test_what_a_second_reader_marked_names_passages_and_places_of_the_sets() -> None:
    folder = FOLDER / "published"
    sets = [json.loads((folder / labels).read_text("utf-8")) for labels in unseen.SETS.values()]
    passages = {entry["sha256"]: entry for entries in sets for entry in entries}
    second = json.loads((folder / unseen.SECOND).read_text("utf-8"))
    assert len({entry["sha256"] for entry in second}) == len(second)
    marks = dict.fromkeys(LANGUAGES, 0)
    for entry in second:
        first = passages[entry["sha256"]]
        assert {**entry, "filter": first["filter"]} == first
        places = [(start, start + len(word)) for start, word in entry["filter"]]
        ends = [0, *(end for _, end in places)]
        assert all(end <= start for end, (start, _) in zip(ends, places, strict=False))
        assert ends[-1] <= entry["characters"]
        marks[entry["language"]] += len(places)
    assert min(marks.values()) >= 60


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
