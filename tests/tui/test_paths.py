"""Places as they are typed."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from studio.tui.screens.importing import files_at
from studio.tui.views.pages.import_plan import ChosenFile
from studio.tui.views.path_completion import complete_path, free_folder, path_of, slug
from tests.project.novels import put


def test_a_path_is_completed_as_far_as_it_is_clear(tmp_path: Path) -> None:
    for name in ("소설-1.txt", "소설-2.txt", ".hidden", "other\x1b[2J.md"):
        (tmp_path / name).write_text("x")
    (tmp_path / "등대").mkdir()
    completion = complete_path(f"{tmp_path}/소")
    assert completion.text == f"{tmp_path}/소설-"
    assert completion.names == ("소설-1.txt", "소설-2.txt")
    assert complete_path(f"{tmp_path}/등").text == f"{tmp_path}/등대/"
    assert complete_path(f"{tmp_path}/").names == ("등대/", "소설-1.txt", "소설-2.txt")


def test_what_cannot_be_completed_stays_as_it_was_typed(tmp_path: Path) -> None:
    for typed in (f"{tmp_path}/none/x", f"{tmp_path}/zzz", "~nobody-by-that-name/x", "a\0b/c"):
        assert complete_path(typed).text == typed
        assert complete_path(typed).names == ()


def test_a_folder_stands_for_its_texts(tmp_path: Path) -> None:
    for name in ("b.txt", "a.MD", "picture.png", "deep/c.md"):
        put(tmp_path, name, "x")
    assert [one.path.name for one in files_at(tmp_path)] == ["a.MD", "b.txt", "c.md"]
    assert files_at(tmp_path / "b.txt") == (ChosenFile(tmp_path / "b.txt"),)
    assert files_at(tmp_path / "gone") == (ChosenFile(tmp_path / "gone"),)


def test_a_title_becomes_a_name() -> None:
    assert slug("The Salt Road: II") == "the-salt-road-ii"
    assert slug("등대지기의 밤") == "등대지기의-밤"
    assert slug("…") == "novel"
    assert path_of(" ~/x ").is_absolute()
    for mark in "'’‘ʼ＇`´ʹ′":
        assert slug(f"The Keeper{mark}s Winter") == "the-keepers-winter"
    assert slug("L’étranger, l’été") == "létranger-lété"
    assert slug("守灯人的“冬天”") == "守灯人的-冬天"
    decomposed = unicodedata.normalize("NFD", "등대지기의 café")
    assert slug(decomposed) == "등대지기의-café", "as it is typed, whatever the keyboard sends"
    assert slug("हिन्दी की किताब") == "हिन्दी-की-किताब", "a mark belongs to its letter"


@pytest.mark.parametrize("title", ["Con", "NUL", "aux", "Com1", "LPT¹", "CON…"])
def test_a_title_that_is_a_device_of_windows_becomes_a_name_that_can_be_copied_there(
    title: str,
) -> None:
    name = slug(title)
    assert name.startswith("novel-")
    assert name.removeprefix("novel-") == title.lower().strip("…")


@pytest.mark.parametrize("words", ["a keeper counts", "등대지기의 밤은 길다", "夜"])
def test_a_long_title_becomes_a_name_that_fits_and_ends_with_a_word(
    words: str, tmp_path: Path
) -> None:
    is_one_word = " " not in words
    name = slug(words * 300 if is_one_word else f"{words} " * 40)
    assert len(name.encode()) <= 120
    assert set(name.split("-")) == ({words * 40} if is_one_word else set(words.split()))
    (tmp_path / f"{name}-999.manuscript.docx").touch()


def test_a_new_novel_goes_into_the_empty_folder_one_stands_in_or_beside_what_is_at_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, here = tmp_path / "home", tmp_path / "등대"
    for folder in (home / "the-lamp", here):
        folder.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(tmp_path / "empty"))
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    assert free_folder("the-lamp") == tmp_path / "empty/the-lamp"
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(here)
    assert free_folder("the-lamp") == here
    (here / "notes.md").touch()
    assert free_folder("the-lamp") == home / "the-lamp-2"
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert free_folder("the-lamp") == home / "the-lamp-2"
