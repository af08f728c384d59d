"""The forms a book leaves in, read again by programs that are not this one."""

from __future__ import annotations

import io
import os
import re
import unicodedata
import zipfile
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from studio.errors import StudioError
from studio.exchange.export import FORMATS, ExportOrder, book_bytes
from studio.exchange.forms.runs import TextRun, plain_text, runs_of, unwrap
from studio.session import Session
from tests.cli.command import studio
from tests.exchange.texts import MARKED
from tests.project.novels import make_novel, put

SAID = "She read the Harriet’s log.[1] Nobody had."
PNG = b"\x89PNG\r\n\x1a\n" + bytes(40)
_DC = "{http://purl.org/dc/elements/1.1/}"
_OPF = "{http://www.idpf.org/2007/opf}"


@pytest.fixture
def novel(tmp_path: Path) -> Path:
    """A novel with a chapter in each language."""
    folder = tmp_path / "book"
    make_novel(folder)
    for number, text in enumerate(MARKED, start=1):
        put(folder, f"chapters/chapter-{number:03d}.md", text)
    return folder


def exported(novel: Path, format_: str, chapters: str = "", author: str = "") -> bytes:
    session = Session.open(novel, os.environ)
    order = ExportOrder(format_, "-", chapters, author=author)
    settings = session.settings.novel
    return book_bytes(session.store, settings.title or "T", settings.language, order)[0]


def members(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {info.filename: archive.read(info) for info in archive.infolist()}


class Words(HTMLParser):
    """The text of a page, and how often each tag stands in it."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.text, self.tags = "", [""]
        self.feed(page)

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)


@pytest.mark.parametrize("format_", FORMATS)
def test_notes_to_people_are_in_no_form(novel: Path, format_: str) -> None:  # req: I1
    data = exported(novel, format_)
    text = b"".join(members(data).values()) if data.startswith(b"PK") else data
    assert "비가 왔다".encode() in text
    assert b"Ana" not in text
    assert b"cut?" not in text


@pytest.mark.parametrize("format_", FORMATS)
def test_the_same_book_is_the_same_bytes(novel: Path, format_: str) -> None:  # req: I1
    first = exported(novel, format_)
    os.utime(novel / "chapters/chapter-001.md", (0, 0))
    assert exported(novel, format_) == first
    assert exported(novel, format_, "1") != first


def test_plain_text_has_no_marks(novel: Path) -> None:  # req: I1
    text = exported(novel, "txt", author="Ines Marrow").decode()
    assert text.startswith("T\n\n\nInes Marrow\n\n\n“Low” & <Tide>\n\n" + SAID)
    assert "2 * 3 * 4, snake_case_name, *not this*" in text
    assert "\n\n[1] Kept since 1904.\n" in text
    assert "그는 “간다.”라고 했다." in text


def test_markdown_has_the_metadata_pandoc_reads(novel: Path) -> None:  # req: I1
    put(novel, "studio.toml", '[novel]\ntitle = "Say \\"no\\": a #tale"\nlanguage = "zh"\n')
    head, _, rest = exported(novel, "md", author="A: B").decode()[4:].partition("\n---\n")
    assert yaml.safe_load(head) == {"title": 'Say "no": a #tale', "author": "A: B", "lang": "zh"}
    assert "\n[^log]: Kept since *1904*.\n" in rest


def test_a_web_page_is_whole_and_escaped(novel: Path) -> None:  # req: I1, S12
    page = Words(exported(novel, "html").decode())
    assert "“Low” & <Tide>" in page.text
    assert "snake_case_name" in page.text
    assert [page.tags.count(tag) for tag in ("em", "strong", "aside", "blockquote", "hr")] == [
        3,
        2,
        2,
        1,
        2,
    ]
    assert "那盏灯灭了" in page.text, "no space comes between Chinese characters"


def test_an_ebook_is_what_the_specification_asks_for(novel: Path) -> None:  # req: I1
    put(novel, "cover.png", PNG)
    data = exported(novel, "epub", author="Ines Marrow")
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        first = archive.infolist()[0]
        assert (first.filename, first.compress_type, first.extra) == ("mimetype", 0, b"")
    assert data[30:58] == b"mimetypeapplication/epub+zip"
    files = members(data)
    package = ElementTree.fromstring(files["EPUB/package.opf"])
    assert package.findtext(f".//{_DC}title") == "T"
    assert package.findtext(f".//{_DC}language") == "en"
    assert package.findtext(f".//{_DC}creator") == "Ines Marrow"
    items = {item.attrib["id"]: item.attrib for item in package.iter(f"{_OPF}item")}
    assert {f"EPUB/{item['href']}" for item in items.values()} == {
        name for name in files if name.startswith("EPUB/") and not name.endswith(".opf")
    }
    assert items["cover-image"]["properties"] == "cover-image"
    assert [ref.attrib["idref"] for ref in package.iter(f"{_OPF}itemref")] == [
        "cover",
        "title",
        "chapter-001",
        "chapter-002",
        "chapter-003",
    ]
    nav = ElementTree.fromstring(files["EPUB/nav.xhtml"])
    links = [(a.attrib["href"], a.text) for a in nav.iter("{http://www.w3.org/1999/xhtml}a")]
    assert links[0] == ("chapter-001.xhtml", "“Low” & <Tide>")
    assert [href for href, _ in links] == [f"chapter-00{n}.xhtml" for n in (1, 2, 3)]


def test_every_page_of_an_ebook_is_well_formed_and_its_links_lead_somewhere(novel: Path) -> None:
    for name, page in members(exported(novel, "epub")).items():
        if not name.endswith(".xhtml"):
            continue
        tree = ElementTree.fromstring(page)
        ids = [e.attrib["id"] for e in tree.iter() if "id" in e.attrib]
        assert len(ids) == len(set(ids))
        links = [e.attrib["href"] for e in tree.iter() if e.attrib.get("href", "").startswith("#")]
        assert {link[1:] for link in links} <= set(ids)


def test_a_cover_that_is_no_picture_is_named(novel: Path) -> None:
    put(novel, "cover.jpg", b"<svg/>")
    with pytest.raises(StudioError, match=r"cover\.jpg is not a picture"):
        exported(novel, "epub")


def test_a_manuscript_opens_in_another_library(novel: Path, tmp_path: Path) -> None:  # req: I1
    docx = pytest.importorskip("docx")
    out = tmp_path / "t.docx"
    out.write_bytes(exported(novel, "docx", author="Ines Marrow"))
    document = docx.Document(str(out))
    styles = [paragraph.style.name for paragraph in document.paragraphs]
    assert styles[:5] == ["Front Matter", "Front Matter", "Title", "Heading 1", "Body Text"]
    assert styles.count("Heading 1") == 3
    assert [p.text for p in document.paragraphs if p.style.name == "Scene Break"] == ["#", "#"]
    runs = [run for paragraph in document.paragraphs for run in paragraph.runs]
    assert [run.text for run in runs if run.italic] == ["Harriet", "“간다.”"]
    assert [run.text for run in runs if run.bold] == ["Nobody", "走"]
    body = document.styles["Body Text"].paragraph_format
    assert (body.line_spacing, body.first_line_indent.inches) == (2.0, 0.5)
    assert document.sections[0].left_margin.inches == 1.0
    assert "Ines Marrow / T / " in document.sections[0].header.paragraphs[0].text
    assert document.core_properties.author == "Ines Marrow"


def test_the_footnotes_of_a_manuscript_are_footnotes(novel: Path) -> None:  # req: I1
    mammoth = pytest.importorskip("mammoth")
    read = mammoth.convert_to_html(io.BytesIO(exported(novel, "docx")))
    page = Words(read.value)
    assert "Kept since 1904." in page.text
    assert "이틀 동안." in page.text
    assert page.tags.count("sup") == 2


@pytest.mark.parametrize("format_", ["epub", "html"])
def test_a_footnote_that_is_referred_to_twice_leads_back_to_the_first(
    novel: Path, format_: str
) -> None:  # req: I1
    put(novel, "chapters/chapter-002.md", "# 등대\n\n비[^1]가 왔다.[^1]\n\n[^1]: 이틀 동안.\n")
    data = exported(novel, format_, "2")
    page = members(data)["EPUB/chapter-002.xhtml"] if format_ == "epub" else data
    assert (page.count(b'href="#c2n1"'), page.count(b'id="c2r1"')) == (2, 1)


def test_the_form_follows_the_name_and_stdout_takes_any(novel: Path, tmp_path: Path) -> None:
    # req: I1, I3
    assert studio("export", "-o", tmp_path / "b.epub", cwd=novel).code == 0
    assert zipfile.is_zipfile(tmp_path / "b.epub")
    page = studio("export", "-o", "-", "--format", "html", "--chapters", "2", cwd=novel)
    assert page.out.startswith("<!DOCTYPE html>")
    assert page.err == "1 chapter written.\n"
    assert not (novel / "-").exists()
    assert studio("export", "-o", "-", cwd=novel).out.startswith('---\ntitle: "T"\n')
    both = studio("export", "-o", "-", "--json", cwd=novel)
    assert (both.code, both.out) == (2, "")
    assert studio("export", "-o", tmp_path / "b.pdf", cwd=novel).code == 2


# The marks


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        ("a *b* c", [TextRun("a "), TextRun("b", italic=True), TextRun(" c")]),
        ("***b***", [TextRun("b", italic=True, bold=True)]),
        ("*a **b** c*", [TextRun("a ", True), TextRun("b", True, True), TextRun(" c", True)]),
        ("**“가”**라고", [TextRun("“가”", bold=True), TextRun("라고")]),
        ("_b_ a_b_c", [TextRun("b", italic=True), TextRun(" a_b_c")]),
        ("5 * 6 and *", [TextRun("5 * 6 and *")]),
        ("\\*a\\*", [TextRun("*a*")]),
        ("a  \nb", [TextRun("a"), TextRun("", breaks=True), TextRun("b")]),
        ("a[^1][^2]", [TextRun("a"), TextRun("", note=1), TextRun("[^2]")]),
        ("<i>a</i> & [x](y)", [TextRun("<i>a</i> & [x](y)")]),
    ],
)
def test_only_what_a_novelist_types_is_a_mark(text: str, runs: list[TextRun]) -> None:
    assert list(runs_of(text, {"1": 1})) == runs


def letters(text: str) -> str:
    return re.sub(r"[\s*_\\]", "", unicodedata.normalize("NFC", text))


@given(st.text(st.sampled_from("ab 가灯*_\\\n[]^1."), max_size=60))
def test_no_word_is_lost_whatever_the_marks(text: str) -> None:
    runs = runs_of(text, {"1": 1})
    assert letters(plain_text(runs)) == letters(text.replace("[^1]", "[1]"))
    assert letters(plain_text(unwrap(runs))) == letters(plain_text(runs))


def test_a_lone_asterisk_in_a_long_paragraph_is_no_burden() -> None:
    text = "*a " * 3_000
    assert plain_text(runs_of(text, {})) == text
