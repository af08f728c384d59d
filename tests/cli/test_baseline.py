"""`studio baseline`: learned from the author's prose, in force in `check` and the judge."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import tree
from tests.cli.conftest import Typed
from tests.text.prose import prose


@pytest.fixture
def own_prose(tmp_path: Path) -> Path:
    file = tmp_path / "earlier-book.md"
    file.write_text(prose("en", 200, 5, 0.9), "utf-8")
    return file


@pytest.mark.sweep
def test_a_baseline_takes_the_place_of_the_language_thresholds(
    novel: Path, own_prose: Path, typed: Typed
) -> None:
    before = typed("check", own_prose, "--json").json["metrics"]["sentence_length_cv"]
    assert typed("baseline").out.startswith("No baseline was learned")
    ended = typed("baseline", "learn", own_prose)
    assert ended.code == 0
    assert "false alarms" in ended.out
    after = typed("check", own_prose, "--json").json["metrics"]["sentence_length_cv"]
    assert before["threshold"] != after["threshold"]
    bands = typed("baseline", "--json").json["baseline"]["bands"]
    assert after["threshold"] == {"min": bands["sentence_length_cv"]["min"]}


def test_targets_in_the_settings_win(novel: Path, own_prose: Path, typed: Typed) -> None:
    settings = novel / "studio.toml"
    own = settings.read_text("utf-8").replace(
        "[metrics]\n", "[metrics]\nfilter_word_density = {max = 1}\n"
    )
    settings.write_text(own, "utf-8")
    typed("baseline", "learn", own_prose)
    held = typed("check", own_prose, "--json").json["metrics"]["filter_word_density"]
    assert held["threshold"] == {"max": 1.0}


def test_forgetting_brings_the_thresholds_back_and_loses_nothing(
    novel: Path, own_prose: Path, typed: Typed
) -> None:
    typed("baseline", "learn", own_prose)
    assert "set aside" in typed("baseline", "forget").out
    assert not (novel / "baseline.json").exists()
    assert typed("history", "list", "baseline.json", "--json").json["versions"]
    assert "no baseline to forget" in typed("baseline", "forget").out


def test_committed_chapters_teach_too_and_a_missing_one_is_named(novel: Path, typed: Typed) -> None:
    ended = typed("baseline", "learn", "--chapters", "1-3")
    assert (ended.code, "no chapter 1" in ended.err) == (2, True)
    assert typed("baseline", "learn", "--chapters", "one").code == 2
    assert typed("baseline", "learn").code == 2


def test_a_damaged_baseline_is_named_and_changes_nothing(
    novel: Path, own_prose: Path, typed: Typed
) -> None:
    (novel / "baseline.json").write_text('{"schema_version": 1, "language": "fr"}', "utf-8")
    before = tree(novel)
    ended = typed("check", own_prose)
    assert ended.code == 5
    assert "baseline.json" in ended.err
    assert typed("verify").code == 5
    assert tree(novel) == before
