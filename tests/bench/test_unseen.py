"""`python -m bench unseen DIR` counts the passages that are there and names the others."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from bench import unseen

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


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
