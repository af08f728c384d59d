"""The table of human fiction: what it holds, and that it is made again from a folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.background import main
from studio.i18n import LANGUAGES
from studio.text.language import reference
from studio.text.language.reference import FictionTable, load_background
from tests.text.tics import paragraphs

_FOLDER = Path(reference.__file__).parent / "background"
_LARGEST = 1_000_000


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_table_stays_below_one_megabyte_and_names_its_works(language: str) -> None:
    table = load_background(language)
    assert (_FOLDER / f"{language}.json").stat().st_size <= _LARGEST
    assert table.authors >= 10
    assert all(
        work.title and work.author and work.source and work.windows >= 0 for work in table.works
    )
    assert table.words > 200_000
    assert len(table.hashes) == len(table.counts) == len(table.most) > 20_000
    assert list(table.hashes) == sorted(set(table.hashes))


@pytest.mark.parametrize(
    ("language", "usual", "rare"),
    [
        ("ko", "수 없", "한 박자"),
        ("en", "out of", "let out a breath"),
        ("zh", "没有", "停顿了一下"),
    ],
)
def test_what_every_writer_needs_is_in_it_and_a_tic_is_rare(
    language: str, usual: str, rare: str
) -> None:
    table = load_background(language)
    assert table.usage(usual).known
    assert table.usage(usual).times > 50 * table.usage(rare).times
    assert table.usage("zzqx zzqx").times == table.least / 2


def test_the_packs_say_what_they_hold(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--packs"]) == 0
    said = capsys.readouterr().out
    assert all(f"{language}: " in said for language in LANGUAGES)
    assert said.count("it proposes") == 3
    assert "현진건, 운수좋은날 (1924)" in said
    assert "鲁迅, 呐喊 (1923)" in said


def test_a_folder_of_texts_becomes_the_same_table_each_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    prose = "\n\n".join(paragraphs("en"))
    (tmp_path / "one.txt").write_text(prose, encoding="utf-8")
    works = [
        {"file": "one.txt", "title": "Made", "author": "Nobody", "year": 2026, "source": "ours"}
    ]
    listed = json.dumps({"language": "en", "works": works})
    (tmp_path / "works.json").write_text(listed, encoding="utf-8")
    assert main([str(tmp_path)]) == 0
    first = capsys.readouterr().out
    assert main([str(tmp_path)]) == 0
    assert capsys.readouterr().out == first
    assert "kettle" not in first  # figures only
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "en.json").write_text(first, encoding="utf-8")
    monkeypatch.setattr(reference, "_BACKGROUND", tmp_path / "tables")
    made = load_background.__wrapped__("en")
    assert isinstance(made, FictionTable)
    assert not made.suffices  # one author
    every = prose.lower().split().count("the")
    assert 0.5 * every < made.usage("the").times < every  # those of speech are not counted


def test_without_a_folder_it_says_how_it_is_used(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "--packs" in capsys.readouterr().err
