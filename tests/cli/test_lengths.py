"""`studio status` says how long the book is, by chapter and volume, and what a day asks for."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from typing import cast

import pytest

from studio.cli.commands.status import volume_lines
from studio.config.load import load_settings
from studio.config.schema import CharacterCount
from studio.project.author.book_length import BookLength, VolumeLength, keep_length
from studio.project.create import create_novel
from studio.project.store import ProjectStore
from tests.cli.command import studio
from tests.cli.conftest import Typed
from tests.small_novels import copied_sample


# req: H2
def test_lengths_are_summed_and_held_against_goal_and_date(typed: Typed, tmp_path: Path) -> None:
    novel = copied_sample(tmp_path / "sample")
    due = date.today() + timedelta(9)
    settings = novel / "studio.toml"
    goals = f'\n[goals]\nbook = 19000\ndue = "{due}"\n'
    settings.write_text(settings.read_text("utf-8") + goals, "utf-8")
    keep_length(ProjectStore(novel), date.today(), 2, 2000, 2243)
    report = typed("status", "--json", "--project", novel).json
    lengths = [chapter["length"] for chapter in report["chapters"]]
    book = report["book"]
    assert book["length"] == sum(lengths) == sum(v["length"] for v in book["volumes"])
    assert (book["unit"], book["today"], book["goal"]) == ("words", 243, 19000)
    assert book["per_day"] == -(-(19000 - book["length"]) // 10)
    said = typed("status", "--project", novel).out
    assert f"{book['length']:,} of 19,000 words; today +243; due {due}" in said


# req: H2
def test_each_volume_has_its_sum_in_words() -> None:
    first, second = (
        VolumeLength(volume=n, title=title, chapters=n, length=1200 * n)
        for n, title in ((1, "Volume 1: Winter"), (2, ""))
    )
    book = BookLength(unit="words", length=3600, volumes=(first, second))
    assert list(volume_lines(book)) == [
        "Volume 1: Winter has 1,200 words in 1 chapter.",
        "Volume 2 has 2,400 words in 2 chapters.",
    ]
    korean = book.model_copy(update={"unit": "characters"})
    assert "1,200 characters in" in next(volume_lines(korean))
    assert list(volume_lines(book.model_copy(update={"volumes": (first,)}))) == []


# req: K2
@pytest.mark.parametrize(
    ("count", "words"),
    [("with-spaces", "characters with spaces"), ("without-spaces", "characters without spaces")],
)
def test_the_rows_of_a_volume_say_what_they_count(
    typed: Typed, tmp_path: Path, count: str, words: str
) -> None:
    create_novel(tmp_path / "serial", "연재", "ko", count=cast("CharacterCount", count))
    lines = typed("volume", "show", "--project", tmp_path / "serial")
    assert f"Lengths in {words}." in lines.out


# req: K3
@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("ko", "목표 분량이 바뀌었습니다: 장면마다 2500, 모두 5000."),
        ("zh", "目标篇幅已改为：每场 2500，共 5000。"),
        ("en", "now 1200 for a scene and 2400 in all."),
    ],
)
def test_a_book_that_becomes_a_serial_gets_its_lengths_but_for_those_she_chose(
    typed: Typed, tmp_path: Path, language: str, sentence: str
) -> None:
    folder = tmp_path / "book"
    create_novel(folder, "등대", language)
    file = folder / "studio.toml"
    at_first = file.read_text("utf-8")
    environ = {"LC_ALL": f"{language}.UTF-8"}
    ended = studio("config", "set", "novel.form", "serial", environ=environ, cwd=folder)
    assert sentence in " ".join(ended.out.split())
    targets = load_settings(folder, {}).targets
    assert targets.scene_length >= (1200 if language == "en" else 2500)
    back = studio("config", "set", "novel.form", "literary", environ=environ, cwd=folder)
    assert back.code == 0
    assert file.read_text("utf-8") == at_first
    assert typed("config", "set", "targets.scene_length", "900", "--project", folder).code == 0
    assert typed("config", "set", "novel.form", "serial", "--project", folder).code == 0
    targets = load_settings(folder, {}).targets
    assert (targets.scene_length, targets.chapter_length) == (
        900,
        2400 if language == "en" else 5000,
    )
    file.write_text(at_first.replace('form = "literary"', 'form = "sequel"'), "utf-8")
    mended = typed("config", "set", "novel.form", "serial", "--project", folder)
    assert mended.code == 0
