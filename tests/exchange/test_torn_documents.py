"""Documents that came apart on the way: a part is missing or there twice, names are in another
encoding, nothing says what is where. No chapter is lost without a word."""

from __future__ import annotations

import io
import unicodedata
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from studio.errors import Exit, StudioError
from studio.exchange.import_.commit import plan_import
from studio.exchange.import_.plan import ImportPlan
from tests.cli.command import studio
from tests.exchange.own_documents import (
    CHINESE,
    ENGLISH,
    KOREAN,
    ebook,
    ebook_of,
    scrivener_project,
    word_document,
)

Entries = dict[str, bytes]


def parts_of(data: bytes) -> Entries:
    """The files of a zip by their names."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(*entries: tuple[str, bytes]) -> bytes:
    """A zip, which may hold a name twice."""
    held = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(held, "w") as archive:
        warnings.simplefilter("ignore")  # of names that are there twice
        for name, data in entries:
            archive.writestr(name, data)
    return held.getvalue()


def planned(folder: Path, name: str, data: bytes) -> ImportPlan:
    """What would be imported of a file that holds these bytes."""
    file = folder / name
    file.write_bytes(data)
    return plan_import([file])[0]


BOOK = parts_of(ebook(KOREAN, "길", "ko", 3))
MISSING = "Pages that b.epub lists but does not contain: 1."


def test_a_chapter_that_an_ebook_has_lost_is_named(tmp_path: Path) -> None:  # req: I1
    left = [(name, data) for name, data in BOOK.items() if "part0000" not in name]
    plan = planned(tmp_path, "b.epub", packed(*left))
    assert [chapter.title for chapter in plan.chapters_to_import] == ["열쇠"]
    assert MISSING in plan.notes
    ended = studio("import", tmp_path / "b.epub", "--into", tmp_path / "novel", "--dry-run")
    assert ended.code == 0
    assert MISSING in ended.err


def test_a_page_of_the_order_that_no_list_names_is_missing_too(tmp_path: Path) -> None:
    data = ebook_of({"a.xhtml": "<h2>Ebb</h2><p>It fell.</p>"}, ["a.xhtml", "gone"])
    assert planned(tmp_path, "b.epub", data).notes == (MISSING,)


@pytest.mark.parametrize(
    ("entry", "written"),
    [
        ("등대.xhtml", "등대.xhtml".encode()),
        ("등대.xhtml", "등대.xhtml".encode("cp949")),
        ("灯塔.xhtml", "灯塔.xhtml".encode("gb18030")),
        ("등대.xhtml", unicodedata.normalize("NFD", "등대.xhtml").encode()),
    ],
    ids=["utf-8", "cp949", "gb18030", "single letters"],
)
def test_a_page_is_found_under_a_name_in_another_encoding(
    entry: str, written: bytes, tmp_path: Path
) -> None:  # req: I1
    """Many programs pack names without the flag that says they are UTF-8."""
    stand_in = "x" * len(written)
    book = parts_of(ebook_of({entry: "<h2>Ebb</h2><p>It fell.</p>"}, [entry]))
    renamed = [(name.replace(entry, stand_in), data) for name, data in book.items()]
    data = packed(*renamed).replace(f"OPS/{stand_in}".encode(), b"OPS/" + written)
    plan = planned(tmp_path, "b.epub", data)
    assert ([chapter.title for chapter in plan.chapters_to_import], plan.notes) == (["Ebb"], ())


@pytest.mark.parametrize("make", [word_document, lambda p: ebook(p, "海", "zh", 2)])
def test_a_part_that_is_there_twice_changes_nothing(
    make: Callable[..., bytes], tmp_path: Path
) -> None:
    entries = list(parts_of(make(CHINESE)).items())
    plan = planned(tmp_path, "b.bin", packed(*entries, *entries))
    assert [chapter.title for chapter in plan.chapters_to_import] == ["灯塔", "钥匙"]


@pytest.mark.parametrize(
    ("name", "part", "put", "answer"),
    [
        ("b.docx", "word/document.xml", b"<a/>", "cannot be read as a Word document"),
        ("b.docx", "word/footnotes.xml", None, "refers to a part that is not in it"),
        ("b.docx", "word/styles.xml", b"", "is damaged at word/styles.xml"),
        ("b.epub", "META-INF/container.xml", b"<a/>", "does not say where the list of its files"),
        ("b.epub", "OPS/book.opf", None, "has no OPS/book.opf"),
        ("b.epub", "OPS/book.opf", b"<a/>", "holds no chapter that could be read"),
    ],
)
def test_what_cannot_be_read_without_a_part_is_refused_in_a_sentence(
    name: str, part: str, put: bytes | None, answer: str, tmp_path: Path
) -> None:  # req: I1, S5
    entries = parts_of(word_document(ENGLISH)) if name == "b.docx" else dict(BOOK)
    del entries[part]
    entries |= {part: put} if put is not None else {}
    with pytest.raises(StudioError, match=answer) as caught:
        planned(tmp_path, name, packed(*entries.items()))
    assert caught.value.problem.exit_code == Exit.USAGE
    assert caught.value.problem.hint


def test_a_scrivener_project_without_its_list_is_no_folder_of_texts(tmp_path: Path) -> None:
    folder = tmp_path / "Tide.scriv"
    scrivener_project(folder, ENGLISH)
    next(folder.glob("*.scrivx")).unlink()
    with pytest.raises(StudioError, match="has lost its list of texts") as caught:
        plan_import([folder])
    assert caught.value.problem.exit_code == Exit.USAGE
    assert len(plan_import([folder / "Files"])[0].chapters_to_import) >= len(ENGLISH)


def test_a_vault_of_links_in_a_circle_is_read_once(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    (vault / ".obsidian").mkdir(parents=True)
    (vault / "One.md").write_text("She went out.\n", "utf-8")
    (vault / "again").symlink_to(vault)
    (vault / "itself.md").symlink_to(vault / "itself.md")
    assert [chapter.title for chapter in plan_import([vault])[0].chapters_to_import] == ["One"]
    with pytest.raises(StudioError, match="There is no file"):
        plan_import([vault / "itself.md"])


def test_what_is_no_archive_is_said_to_be_damaged_in_no_words_of_python() -> None:
    from studio.exchange.readers.archive_guard import Archive

    with pytest.raises(StudioError) as refused:
        Archive(b"no archive", "novel.docx")
    assert str(refused.value.problem.message) == "novel.docx is damaged; it was not opened."
    torn = packed(("content.xml", b"<a><b></a>"))
    with pytest.raises(StudioError) as refused:
        Archive(torn, "novel.odt").xml("content.xml")
    said = str(refused.value.problem.message)
    assert said == "novel.odt is damaged at content.xml; it was not opened."
    from studio.exchange.readers.open_document import document_of_open_document

    with pytest.raises(StudioError) as refused:
        document_of_open_document(b"<a><b></a>", "novel.fodt")
    assert str(refused.value.problem.message) == "novel.fodt is damaged; it was not opened."
