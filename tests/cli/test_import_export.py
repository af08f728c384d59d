"""`studio import` and `studio export` as they are typed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from studio.cli import keyboard, long_work
from studio.project.create import create_novel
from tests.cli.command import studio, tree
from tests.cli.conftest import Typed
from tests.exchange.books import SAMPLE
from tests.project.novels import make_novel

KOREAN = (
    "제1장 등대\n\n비가 그치자 마라는 계단을 올랐다.\n\n* * *\n\n아침이 왔다.\n\n"
    "제2장 열쇠\n\n없었다.\n"
)
CAPITALS = "THE LAMP\n\nShe went up.\n\nTHE STAIRS\n\nHe came down.\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A manuscript in an old encoding."""
    path = tmp_path / "manuscript.txt"
    path.write_bytes(KOREAN.encode("cp949"))
    return path


def test_a_dry_run_shows_everything_and_makes_nothing(
    file: Path, tmp_path: Path, typed: Typed
) -> None:
    ended = typed("import", file, "--into", tmp_path / "book", "--dry-run")
    assert ended.code == 0
    assert "manuscript.txt: cp949 (probably: not UTF-8" in ended.out
    assert "  1  등대  2 scenes  21 characters  lines 1-7" in ended.out
    assert "Nothing was changed." in ended.out
    assert not (tmp_path / "book").exists()


def test_programs_read_the_preview(file: Path, tmp_path: Path, typed: Typed) -> None:
    data = typed("import", file, "--into", tmp_path / "book", "--dry-run", "--json").json
    assert (data["language"], data["unit"], data["sureness"]) == ("ko", "characters", "likely")
    assert [row["title"] for row in data["chapters"]] == ["등대", "열쇠"]
    assert data["files"][0]["encoding"] == "cp949"


def test_a_new_folder_becomes_a_novel_in_the_language_of_the_text(
    file: Path, tmp_path: Path, typed: Typed
) -> None:
    book = tmp_path / "book"
    ended = typed("import", file, "--into", book, "--title", "소금길")
    assert ended.code == 0
    assert f"`studio write 1 --project {book}`" in ended.out
    status = typed("status", "--json", "--project", book).json
    assert (status["title"], status["language"], status["next_title"]) == ("소금길", "ko", "등대")
    assert typed("verify", "--project", book).code == 0


def test_committed_chapters_are_in_the_book(file: Path, tmp_path: Path, typed: Typed) -> None:
    book = tmp_path / "book"
    ended = typed("import", file, "--into", book, "--as", "committed", "--json")
    assert ended.json["imported"] == {
        "already": 0,
        "as": "committed",
        "chapters": [{"chapter": 1, "title": "등대"}, {"chapter": 2, "title": "열쇠"}],
        "entries": [],
    }
    assert typed("verify", "--project", book).code == 0
    badges = [c["badges"] for c in typed("status", "--json", "--project", book).json["chapters"]]
    assert badges == [["not judged", "state gap"]] * 2


def test_an_existing_novel_keeps_its_title_and_language(
    file: Path, novel: Path, typed: Typed
) -> None:
    before = tree(novel)
    assert typed("import", file, "--into", novel, "--language", "ko").code == 2
    wrong = typed("import", file, "--into", novel, "--title", "Another")
    assert wrong.code == 2
    assert "is called “The Salt Ledger” already" in wrong.err
    assert tree(novel) == before
    ended = typed("import", file, "--into", novel)
    assert ended.code == 0
    assert "The text reads like Korean." in ended.err


def test_a_guess_is_not_acted_on_unasked(tmp_path: Path, typed: Typed) -> None:
    file = tmp_path / "book.txt"
    file.write_text(CAPITALS, "utf-8")
    ended = typed("import", file, "--into", tmp_path / "book")
    assert ended.code == 4
    assert "only a guess" in ended.err
    assert not (tmp_path / "book").exists()
    assert typed("import", file, "--into", tmp_path / "book", "--yes").code == 0
    ruled = typed("import", file, "--into", tmp_path / "b2", "--split", "^THE ")
    assert ruled.code == 0


@pytest.mark.parametrize(("answer", "made"), [("y", True), ("", False), ("no", False)])
def test_at_a_terminal_the_writer_is_asked(
    file: Path,
    tmp_path: Path,
    typed: Typed,
    monkeypatch: pytest.MonkeyPatch,
    answer: str,
    made: bool,
) -> None:
    monkeypatch.setattr(keyboard, "asks", lambda: True)
    monkeypatch.setattr(keyboard, "read_line", lambda: answer)
    ended = typed("import", file, "--into", tmp_path / "book")
    assert ended.code == 0
    assert "[y/N]" in ended.out
    assert (tmp_path / "book").exists() is made


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nothing.md"], "There is no file"),
        (["--encoding", "utf-8"], "is not in utf-8"),
        (["--split", "("], "not a regular expression"),
        (["--split", "^Day"], "No line of manuscript.txt"),
    ],
)
def test_what_cannot_be_imported_is_said(
    file: Path, tmp_path: Path, typed: Typed, words: list[str], said: str
) -> None:
    ended = typed("import", file, *words, "--into", tmp_path / "book")
    assert ended.code == 2
    assert said in ended.err
    assert not (tmp_path / "book").exists()


def test_hostile_names_and_titles_reach_no_terminal(tmp_path: Path, typed: Typed) -> None:
    file = tmp_path / "a\x1b[31m.md"
    file.write_text("# One\x1b]0;x\x07\n\nShe came.\n\n# Two\n\nShe went.\n", "utf-8")
    ended = typed("import", file, "--into", tmp_path / "book")
    assert ended.code == 0
    assert "\x1b" not in ended.out + ended.err
    assert "\x1b]0;x" in (tmp_path / "book/imports/chapter-001.md").read_text("utf-8")


def test_from_one_program_to_another_and_back(file: Path, tmp_path: Path) -> None:
    book, out = tmp_path / "book", tmp_path / "out.md"
    done = studio("import", file, "--into", book, "--as", "committed")
    assert done.code == 0, done.err
    before = tree(book)
    ended = studio("export", "--format", "md", "-o", out, "--project", book, "--json")
    assert ended.code == 0, ended.err
    assert ended.json == {
        "schema_version": 1,
        "part": "book",
        "format": "md",
        "files": [str(out)],
        "chapters": [1, 2],
    }
    assert tree(book) == before
    again = studio("import", out, "--into", tmp_path / "copy", "--as", "committed", "--json")
    assert again.code == 0, again.err
    for number in (1, 2):
        name = f"chapters/chapter-{number:03d}.md"
        assert (tmp_path / "copy" / name).read_bytes() == (book / name).read_bytes()


@pytest.mark.parametrize(
    "command",
    [
        ("export", "-o", "out.md"),
        ("export", "bible", "-o", "out.md"),
        ("export", "outline", "-o", "out.md"),
        ("authorship", "-o", "out.md"),
    ],
)
def test_that_there_is_nothing_is_said_before_a_place_that_is_taken(
    tmp_path: Path, typed: Typed, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.chdir(make_novel(tmp_path / "empty").layout.folder)
    Path("out.md").write_text("mine")
    ended = typed(*command)
    assert (ended.code, "--force" in ended.err) == (2, False)
    assert any(words in ended.err for words in ("There is no", "no chapter yet"))
    assert Path("out.md").read_text() == "mine"


def test_a_format_there_is_not_yet_is_a_plain_refusal(novel: Path, typed: Typed) -> None:
    for format_ in ("odt", "pdf", "fb2"):
        ended = typed("export", "--format", format_, "-o", "out.x")
        assert ended.code == 2
        assert "md (Markdown), txt (plain text)" in ended.err
    assert typed("export", "-o", "out.md").code == 2
    assert typed("export", "--format", "md", "-o", "out.md").code == 2, "no chapter yet"
    assert json.loads(typed("status", "--json").out)["next_chapter"] == 1


# req: H3
def test_an_import_says_how_far_it_is(
    file: Path, tmp_path: Path, typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(long_work, "_PATIENCE", 0.0)
    order = ("import", file, "--into", tmp_path / "book", "--as", "committed")
    assert "Brought in 1 of 2 chapters." in typed(*order).err


def test_her_name_is_on_the_title_page_of_every_export(
    project: Path, typed: Typed, tmp_path: Path
) -> None:
    at = ("--project", project)
    assert typed("config", "set", "author.name", "한 서연", "--user", *at).code == 0
    assert typed("config", "set", "author.name", "two\nlines", "--user", *at).code == 2
    assert "한 서연" in typed("export", "-o", "-", "--format", "html", *at).out
    typed("export", "-o", tmp_path / "book.html", *at)
    assert "한 서연" in (tmp_path / "book.html").read_text("utf-8")
    typed("export", "-o", tmp_path / "other.html", "--author", "林晚", *at)
    page = (tmp_path / "other.html").read_text("utf-8")
    assert "林晚" in page
    assert "한 서연" not in page
    toml = project / "studio.toml"
    toml.write_text(f'author.name = "Ada Quill"\n{toml.read_text("utf-8")}', "utf-8")
    ended = typed("export", "-o", "-", "--format", "html", *at)
    assert "Ada Quill" not in ended.out
    assert "studio.toml tries to set author" in ended.err


# req: K5
@pytest.mark.parametrize(
    ("language", "bible", "outline", "chapter"),
    [
        ("ko", "설정집을 내보냈습니다: {}.", "개요를 내보냈습니다.", "장 1개를 내보냈습니다."),
        ("zh", "设定集已导出：{}。", "大纲已导出。", "1 章已导出。"),
        ("en", "The bible is written to {}.", "The outline is written.", "1 chapter written."),
    ],
)
def test_what_went_out_is_said_as_a_writer_would(
    tmp_path: Path, language: str, bible: str, outline: str, chapter: str
) -> None:
    folder = tmp_path / "n"
    create_novel(folder, "Salt", language)
    (folder / "characters/active/mara.md").write_text("# Mara\n", "utf-8")
    (folder / "chapters/chapter-001.md").write_text("# One\n\nIt rained.\n", "utf-8")

    def told(*words: str) -> str:
        environ = {"LC_ALL": f"{language}.UTF-8"}
        ended = studio(*words, environ=environ, cwd=folder)
        assert ended.code == 0, ended.err
        return " ".join((ended.out + ended.err).split())

    out = tmp_path / "b.md"
    assert bible.format(out) in told("export", "bible", "-o", str(out))
    assert outline in told("export", "outline", "--format", "md", "-o", "-")
    assert chapter in told("export", "--format", "md", "-o", "-")
    marks = ("（", "）") if language == "zh" else (" (", ")")
    assert "Mara" + marks[0] in told("bible", "show", "mara")


@pytest.fixture
def taken_in(file: Path, tmp_path: Path) -> Path:
    """A novel with two committed chapters."""
    book = tmp_path / "book"
    done = studio("import", file, "--into", book, "--as", "committed")
    assert done.code == 0, done.err
    return book


@pytest.mark.parametrize(
    "form",
    [("-o", "out.md"), ("-o", "out.epub"), ("-o", "each/"), ("-o", "-"), ("--form", "platform")],
    ids=" ".join,
)
@pytest.mark.parametrize(
    ("chapter", "is_deleted"), [(1, True), (2, True), (2, False)], ids=["first", "last", "emptied"]
)
def test_a_committed_chapter_that_is_lost_is_named_and_nothing_is_exported(
    form: tuple[str, ...],
    chapter: int,
    is_deleted: bool,
    taken_in: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    path = taken_in / f"chapters/chapter-00{chapter}.md"
    path.unlink()
    if not is_deleted:
        path.write_bytes(b"")
    ended = studio("export", *form, "--project", taken_in)
    assert ended.code == 5, ended.out
    assert f"chapters/chapter-00{chapter}.md" in ended.err
    assert f"`studio history restore {chapter} --project {taken_in}`" in ended.err
    assert not (tmp_path / "out.md").exists()
    assert not (tmp_path / "each").exists()
    other = 3 - chapter
    assert studio("export", *form, "--chapters", other, "--project", taken_in).code == 0
    assert studio("history", "restore", chapter, "--project", taken_in).code == 0
    assert studio("export", *form, "--force", "--project", taken_in).code == 0


def test_a_chapter_that_was_never_committed_is_exported_and_said(
    taken_in: Path, tmp_path: Path
) -> None:
    words = "In the export, but not in the book"
    ended = studio("export", "-o", tmp_path / "a.md", "--project", taken_in)
    assert words not in ended.err
    (taken_in / "chapters/chapter-003.md").write_text("# x\n\njunk\n", "utf-8")
    ended = studio("export", "-o", tmp_path / "b.md", "--project", taken_in)
    assert (ended.code, f"{words}: chapter 3." in ended.err) == (0, True), ended.err
    ended = studio("export", "-o", "-", "--project", taken_in)
    assert f"{words}: chapter 3." in ended.err


def test_planned_chapters_that_make_room_are_said_before_and_after(
    tmp_path: Path, typed: Typed
) -> None:
    book = tmp_path / "book"
    shutil.copytree(SAMPLE, book)
    file = tmp_path / "two.txt"
    file.write_text("Chapter One: The Fair\n\nIt rained.\n\nChapter Two: The Walk\n\nIt cleared.\n")
    before = tree(book)
    seen = typed("import", file, "--into", book, "--dry-run")
    assert "“The Lamp Room” from 3 to 5" in seen.out + seen.err
    assert "chapters with these names already: “1”, “2”" in seen.out + seen.err
    assert tree(book) == before
    data = typed("import", file, "--into", book, "--dry-run", "--json").json
    assert len(data["places"]) == 2
    taking = typed("import", file, "--into", book, "--dry-run", "--take-plans")
    assert "“The Fair” that of “The Lamp Room”" in taking.out + taking.err
    ended = typed("import", file, "--into", book, "--as", "committed", "--yes")
    assert "“The Lamp Room” from 3 to 5" in ended.out
    rows = typed("plan", "list", "--json", "--project", book).json["chapters"]
    assert (rows[0]["chapter"], rows[0]["title"]) == (5, "The Lamp Room")
