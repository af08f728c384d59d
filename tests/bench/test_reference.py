"""`python -m bench reference DIR`: figures of published prose, and no text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.__main__ import main
from bench.reference import auc
from tests.text.prose import RIVER


def folder(path: Path, filler: str = "") -> Path:
    path.mkdir()
    text = "\n\n".join([RIVER["en"] + filler] * 120)
    (path / "one.txt").write_text(text, encoding="utf-8")
    works = [{"file": "one.txt", "title": "The Dyke", "author": "N. N.", "year": 1901}]
    works[0]["source"] = "nowhere"
    (path / "works.json").write_text(json.dumps({"language": "en", "works": works}), "utf-8")
    return path


def test_it_prints_what_a_pack_holds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reference", str(folder(tmp_path / "human"))]) == 0
    printed = capsys.readouterr().out
    reference = json.loads(printed)
    assert reference["works"] == [
        {"title": "The Dyke", "author": "N. N.", "year": 1901, "source": "nowhere", "windows": 3}
    ]
    assert len(reference["values"]["filter_word_density"]) == 3
    assert "leaked_meta" not in reference["values"]
    assert "anchor" not in printed


def test_with_machine_prose_it_says_how_well_each_metric_tells_them_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folders = [folder(tmp_path / "human"), folder(tmp_path / "machine", " She felt cold.")]
    assert main(["reference", *map(str, folders)]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert any(row.startswith("| `filter_word_density`") and "1.00" in row for row in rows)
    assert main(["reference"]) == 2


def test_the_area_is_the_chance_that_one_exceeds_the_other() -> None:
    assert auc([1, 2, 3], [4, 5])[0] == 1.0
    assert auc([1, 2, 3], [2])[0] == 0.5
    area, low, high = auc([1.0, 2.0, 3.0, 4.0], [2.5, 3.5])
    assert low < area < high
