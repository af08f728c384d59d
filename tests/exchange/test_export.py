"""The book is written out as it is, and the novel stays as it is."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from studio.errors import Exit, StudioError
from studio.exchange.export import Exported, ExportOrder, select_chapters
from studio.exchange.import_.detect import detect
from studio.fsio import fault_points
from studio.project.progress import Progress
from studio.project.store import ProjectStore
from studio.session import Session
from tests.exchange.texts import titles
from tests.forking import in_child
from tests.project.novels import CHINESE, ENGLISH, KOREAN, make_novel, put, tree

ODD = "# *1984* & <b>“Lamp”</b> \\_1\n\n# She said: `1. x` | <i>*no*</i> &amp; https://a.b/_c_\n"


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A novel called T with five chapters, in three languages."""
    folder = tmp_path / "book"
    make_novel(folder)
    texts = [KOREAN, ENGLISH.replace("\n", "\r\n"), CHINESE, ODD, "No title here.\n"]
    for number, text in enumerate(texts, start=1):
        put(folder, f"chapters/chapter-{number:03d}.md", text)
    return folder


def exported(book: Path, out: Path | str, format_: str = "md", **more: object) -> Exported:
    """`studio export`."""
    order = ExportOrder(format=format_, out=str(out), **more)  # type: ignore[arg-type]
    return Session.open(book, os.environ).export(order)


def test_markdown_has_the_title_and_the_chapters_as_they_are(book: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.md"
    done = exported(book, out)
    assert done.files == (out,)
    text = out.read_bytes().decode()
    assert text.startswith('---\ntitle: "T"\nlang: "en"\n---\n\n' + KOREAN)
    assert f"{KOREAN}\n# The Lamp Room\n\nMara found the key" in text
    assert f"\n\n{ENGLISH}\n{CHINESE}\n" in text
    odd = ODD.rstrip("\n").replace("\n# She", "\n\\# She")
    assert odd in text, "nothing is escaped but what would be a heading"
    assert text.endswith("\n\n# Chapter 5\n\nNo title here.\n")
    assert "\r" not in text


def test_plain_text_has_titles_without_marks(book: Path, tmp_path: Path) -> None:
    exported(book, tmp_path / "out.txt", "txt", chapters="2")
    assert (tmp_path / "out.txt").read_text("utf-8") == (
        "T\n\n\nThe Lamp Room\n\nMara found the key where the oil had dried.\n\n* * *\n\n"
        "Joss lied.\n"
    )


def test_what_is_exported_comes_back_as_the_same_chapters(book: Path, tmp_path: Path) -> None:
    exported(book, tmp_path / "out.md", chapters="1-3")
    plan = detect((tmp_path / "out.md").read_text("utf-8"))
    assert (plan.title, titles(plan)) == ("T", ["등대", "The Lamp Room", "灯塔"])
    assert [chapter.text for chapter in plan.chapters_to_import] == [KOREAN, ENGLISH, CHINESE]


def test_a_folder_gets_a_file_for_each_chapter(book: Path, tmp_path: Path) -> None:
    done = exported(book, f"{tmp_path}/out/", chapters="1，3")
    assert [file.name for file in done.files] == ["chapter-001.md", "chapter-003.md"]
    assert (tmp_path / "out/chapter-003.md").read_text("utf-8") == CHINESE
    assert sorted(os.listdir(tmp_path / "out")) == ["chapter-001.md", "chapter-003.md"]


class _Stop(Exception):
    """The writer does not wait."""


# req: H3
@pytest.mark.parametrize("out", ["out.docx", "out/"])
def test_who_waits_may_leave_until_the_book_is_set(book: Path, tmp_path: Path, out: str) -> None:
    order = ExportOrder("docx", f"{tmp_path}/{out}", "1-3", force=True)
    steps: list[Progress] = []
    Session.open(book, os.environ).export(order, steps.append)
    assert [step.done for step in dict.fromkeys(steps)] == [0, 1, 2, 3]
    before = tree(tmp_path)
    for last in range(1, len(steps) + 1):
        passed = iter(range(last - 1))

        def leave(_: Progress, passed: Iterator[int] = passed) -> None:
            if next(passed, None) is None:
                raise _Stop

        with pytest.raises(_Stop):
            Session.open(book, os.environ).export(order, leave)
    assert tree(tmp_path) == before


def test_the_novel_is_only_read(book: Path, tmp_path: Path) -> None:  # req: D10
    before = tree(book)
    exported(book, tmp_path / "out.md")
    exported(book, f"{tmp_path}/out/")
    assert tree(book) == before


@pytest.mark.parametrize(
    "place",
    [
        "chapters/x.md",
        "staging/x.md",
        "history/deep/x.md",
        "Chapters/x.md",
        "imports/",
        "./",
        "",
        "brief.md",
        "studio.toml",
        ".git/x.md",
        "world/../state/x.md",
        "linked/x.md",
    ],
)
def test_the_novels_own_places_are_refused_even_by_force(book: Path, place: str) -> None:
    (book / "linked").symlink_to(book / "chapters")
    before = tree(book)
    with pytest.raises(StudioError, match=r"belongs to the novel|is a folder") as caught:
        exported(book, f"{book}/{place}", force=True)
    assert caught.value.problem.exit_code == Exit.USAGE
    assert tree(book) == before


def test_a_new_name_in_the_novels_folder_is_allowed(book: Path) -> None:
    assert exported(book, book / "exports/book.md").files == (book / "exports/book.md",)


@pytest.mark.parametrize("name", ["out.md", "out/"])
def test_what_is_there_is_replaced_only_by_force(book: Path, tmp_path: Path, name: str) -> None:
    out = f"{tmp_path}/{name}"
    exported(book, out)
    put(book, "chapters/chapter-001.md", "# Changed\n\nIt rained.\n")
    before = tree(tmp_path)
    with pytest.raises(StudioError, match="is there already") as caught:
        exported(book, out, chapters="1")
    assert "--force" in caught.value.problem.hint
    assert tree(tmp_path) == before
    exported(book, out, chapters="1", force=True)
    assert tree(tmp_path) != before


def test_a_link_and_a_folder_are_not_written_through(book: Path, tmp_path: Path) -> None:
    (tmp_path / "aim.md").write_text("mine", "utf-8")
    (tmp_path / "link.md").symlink_to(tmp_path / "aim.md")
    (tmp_path / "file").write_text("mine", "utf-8")
    places = ("link.md", "not a plain file"), ("", "is a folder"), ("file/", "is a file")
    for name, said in places:
        with pytest.raises(StudioError, match=said):
            exported(book, f"{tmp_path}/{name}".rstrip("/") + "/" * (name == "file/"), force=True)
    assert (tmp_path / "aim.md").read_text("utf-8") == "mine"


def test_a_file_with_two_names_keeps_its_text_under_the_other(
    book: Path, tmp_path: Path
) -> None:  # req: S4
    (tmp_path / "aim.md").write_text("mine", "utf-8")
    os.link(tmp_path / "aim.md", tmp_path / "out.md")
    exported(book, tmp_path / "out.md", force=True)
    assert (tmp_path / "aim.md").read_text("utf-8") == "mine"


@pytest.mark.parametrize("name", ["out.md", "out/"])
def test_a_damaged_chapter_is_named_and_nothing_is_left(
    book: Path, tmp_path: Path, name: str
) -> None:
    put(book, "chapters/chapter-004.md", b"# x\n\n\xb0\xa1\n")
    with pytest.raises(StudioError, match=r"chapters/chapter-004\.md is not UTF-8") as caught:
        exported(book, f"{tmp_path}/{name}")
    assert caught.value.problem.exit_code == Exit.DAMAGED
    assert os.listdir(tmp_path) == ["book"]


@pytest.mark.parametrize("step", ["write", "rename"])
@pytest.mark.parametrize("name", ["out.md", "out/"])
def test_a_full_disk_leaves_no_half_of_a_file(
    book: Path, tmp_path: Path, name: str, step: str
) -> None:  # fault: C4
    (tmp_path / "out").mkdir()
    fault_points.arm(f"fsio.{step}:ENOSPC:{1 if name == 'out.md' else 3}")
    try:
        with pytest.raises(StudioError, match="the disk is full"):
            exported(book, f"{tmp_path}/{name}")
    finally:
        fault_points.arm("")
    assert sorted(os.listdir(tmp_path)) == ["book", "out"]
    assert os.listdir(tmp_path / "out") == []


@pytest.mark.sweep
@pytest.mark.crash
@pytest.mark.parametrize("name", ["out.md", "out/"])
def test_killed_at_every_change_of_a_file_and_done_again(
    book: Path, tmp_path: Path, name: str
) -> None:  # fault: C1
    def files(place: Path) -> dict[str, bytes]:
        return {file.name: file.read_bytes() for file in place.rglob("*.md")}

    def names(place: Path) -> list[str]:
        return sorted(file.name for file in place.rglob("*"))

    exported(book, f"{tmp_path}/0/{name}")
    whole, half_written = files(tmp_path / "0"), list[str]()
    for step in range(1, 100):
        place = tmp_path / str(step)

        def work(fault: str = f"fsio.any:kill:{step}", out: str = f"{place}/{name}") -> None:
            fault_points.arm(fault)
            exported(book, out)

        if in_child(work) == 0:
            break
        assert files(place).items() <= whole.items()
        half_written += [file for file in names(place) if file.endswith("~")]
        if name == "out/" or not files(place):
            exported(book, f"{place}/{name}")
        assert files(place) == whole
        assert names(place) == names(tmp_path / "0")
    assert step > 3
    assert half_written


@pytest.mark.parametrize(
    ("spec", "numbers"),
    [("", [1, 2, 4]), ("1-2", [1, 2]), ("4,1", [1, 4]), ("4-", [4]), (" 2 , 2-2 ", [2])],
)
def test_chapters_are_chosen_by_their_numbers(
    spec: str, numbers: list[int], tmp_path: Path
) -> None:
    make_novel(tmp_path)
    assert select_chapters(spec, [1, 2, 4], ProjectStore(tmp_path)) == numbers


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("1-4", "no chapter 3"),
        ("7", "no chapter 7"),
        ("0", "names no chapters"),
        ("2-1", "names no chapters"),
        ("one", "names no chapters"),
        ("1-999999999", "no chapter 3"),
        ("5-", "no chapter 5"),
        ("9" * 5000, "names no chapters"),
    ],
)
def test_chapters_there_are_not_are_refused(spec: str, said: str, tmp_path: Path) -> None:
    make_novel(tmp_path)
    with pytest.raises(StudioError, match=said) as caught:
        select_chapters(spec, [1, 2, 4], ProjectStore(tmp_path))
    assert caught.value.problem.exit_code == Exit.USAGE


def test_a_book_without_chapters_is_refused(tmp_path: Path) -> None:
    make_novel(tmp_path / "empty")
    with pytest.raises(StudioError, match="no chapter yet"):
        exported(tmp_path / "empty", tmp_path / "out.md")


def test_a_format_there_is_not_is_refused_with_those_there_are(book: Path, tmp_path: Path) -> None:
    with pytest.raises(StudioError, match="no export as 'pdf'") as caught:
        exported(book, tmp_path / "out.pdf", "pdf")
    assert "md (Markdown), txt (plain text), html" in caught.value.problem.hint
