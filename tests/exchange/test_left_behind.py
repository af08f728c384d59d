"""What other programs write beside prose: emphasis is read however it is marked, and what has no
place in a manuscript is named."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from studio.exchange.import_.sources import read_source, source_of
from studio.exchange.readers.document import markdown_of
from studio.exchange.readers.ebook import document_of_ebook
from studio.exchange.readers.markup import Looks, document_of_markup, looks_of, sheets_in
from studio.exchange.readers.rich_text import document_of_rich_text
from tests.cli.command import studio
from tests.exchange import own_documents as own
from tests.exchange.own_documents import ebook_of

GOOGLE = (
    "<html><head><style>ol{margin:0}.c3{font-style:italic}.c4,p.c5{font-weight:700}"
    "@media print{.c9{font-style:italic}}</style></head><body><h1 class='c5'>Ebb</h1>"
    "<p class='c1'><span>그녀는 </span><span class='c3'>나갔다</span><span class='c4'>!</span>"
    "<sup><a href='#cmnt1' id='cmnt_ref1'>[a]</a></sup> Yes."
    "<sup><a href='#ftnt1' id='ftnt_ref1'>[1]</a></sup></p><hr>"
    "<div><p><a href='#ftnt_ref1' id='ftnt1'>[1]</a><span> 사월.</span></p></div>"
    "<div><p><a href='#cmnt_ref1' id='cmnt1'>[a]</a><span>Too early?</span></p></div></body></html>"
)


def test_a_page_of_google_docs_keeps_its_emphasis_and_no_comment() -> None:  # req: I1
    source = source_of(GOOGLE.encode(), "tide.html", None)
    text = source.decoded.text
    assert text.startswith("# Ebb\n\n그녀는 *나갔다*__!__ Yes.[^1]\n\n[^1]: 사월.\n")
    assert "Too early" not in text
    assert source.left == ("Comments in tide.html that stay behind: 1.",)


@pytest.mark.parametrize(
    ("sheet", "looks"),
    [
        (".a { font-style : oblique }", Looks(frozenset("a"))),
        (
            "/* .b{font-weight:bold} */ span.a, em.b, .c .d {font-weight:bold}",
            Looks(bold=frozenset("a")),
        ),
        ("p.a{font-weight:400}.b{color:red", Looks()),
        ("}}{{.a{font-style:italic}", Looks(frozenset("a"))),
    ],
)
def test_a_style_sheet_names_classes(sheet: str, looks: Looks) -> None:
    read = looks_of(sheet)
    assert (set(read.italic), set(read.bold)) == (set(looks.italic), set(looks.bold))
    assert looks_of(sheets_in(f"<STYLE type='x'>{sheet}</style><p>")) == read


def test_an_ebook_says_in_a_file_what_is_italic() -> None:  # req: I1
    data = ebook_of({"a.xhtml": "<h2>Ebb</h2><p>It <span class='i'>fell</span>.</p>"}, ["a.xhtml"])
    held = io.BytesIO(data)
    with zipfile.ZipFile(held, "a") as archive:
        archive.writestr("OPS/book.css", "span.i{font-style:italic}")
    assert "It *fell*." in markdown_of(document_of_ebook(held.getvalue(), "book.epub"))


def test_a_style_of_a_paragraph_ends_with_it() -> None:
    page = "<p style='font-style:italic'>All<p>none <span style='font-weight:bold'>b</span> c</p>"
    assert markdown_of(document_of_markup(page)) == "*All*\n\nnone **b** c\n"


@pytest.mark.parametrize(
    "notes",
    [
        "<dl><dt id='n1'><a href='#r1'>[1]</a></dt><dd>Low <i>water</i>.</dd></dl>",
        "<dl><dt>[1]</dt><dd id='n1'>Low <i>water</i>. <a href='#r1'>back</a></dd></dl>",
        "<dl><dt><a id='n1' href='#r1'>1</a><dd>Low <i>water</i>.</dl>",
    ],
)
def test_footnotes_in_a_list_of_terms(notes: str) -> None:  # req: I1
    page = f"<p>It fell.<a class='noteref' href='#n1' id='r1'>1</a></p>{notes}<p>물.</p>"
    document = document_of_markup(page)
    assert markdown_of(document) == "It fell.[^1]\n\n[^1]: Low *water*.\n\n물.\n"


def test_footnotes_may_come_before_the_chapters() -> None:  # req: I1
    pages = {
        "notes.xhtml": "<h1>Notes</h1><p id='n1'><sup><a href='a.xhtml#p1'>1</a></sup> Low.</p>"
        "<p id='n2'><sup><a href='a.xhtml#p1'>2</a></sup> High.</p>",
        "a.xhtml": "<h2>Ebb</h2><p id='p1'>It fell<sup><a href='notes.xhtml#n1'>1</a></sup> and"
        " rose.<sup><a href='notes.xhtml#n2'>2</a></sup></p>",
    }
    text = markdown_of(document_of_ebook(ebook_of(pages, list(pages)), "book.epub"))
    assert text == "## Ebb\n\nIt fell[^1] and rose.[^2]\n\n[^1]: Low.\n\n[^2]: High.\n"


def test_readings_tables_and_pictures_of_a_page_are_named() -> None:
    page = (
        "<html><p><ruby>灯<rp>(</rp><rt>dēng</rt><rp>)</rp></ruby>亮<ruby>着<rt>zhe</ruby>。</p>"
        "<table><tr><td>물<td>때</table><img src='x'><svg><path/></svg></html>"
    )
    source = source_of(page.encode(), "a.html", None)
    assert source.decoded.text == "灯亮着。\n\n물\n\n때\n"
    assert source.left == (
        "Pictures of a.html that stay behind: 2.",
        "Readings above characters of a.html that stay behind: 2.",
        "Tables of a.html that come in as paragraphs: 1.",
    )


RICH_TEXT = (
    r"{\rtf1\ansi{\stylesheet{\s1\outlinelevel0 heading 1;}}\pard\plain\s1\outlinelevel0"
    r" The House{\footnote\pard\plain Lead.}\par\pard\plain She {\deleted never }{\i went}."
    r"{\*\atnid AB}{\*\annotation Too early?}\par\trowd\pard\intbl a\cell b\cell\row\trowd\pard"
    r"\intbl c\cell d\cell\row\pard End.{\*\shppict{\pict 89}}{\nonshppict{\pict 89}}"
    r"{{\NeXTGraphic a.png \width64 }\'ac}\par{\shp{\*\shpinst{\shptxt Box}}}}"
)


def test_rich_text_of_other_programs_comes_in_whole_and_its_rest_is_named() -> None:  # req: I1
    document = document_of_rich_text(RICH_TEXT.encode())
    text = markdown_of(document)
    assert text == "# The House\n\n[^1]: Lead.\n\nShe *went*.\n\na\n\nb\n\nc\n\nd\n\nEnd.\n"
    assert document.left == {
        "deletion": 1,
        "comment": 1,
        "table": 1,
        "picture": 2,
        "frame": 1,
    }


def word(body: str, comments: str) -> bytes:
    """A Word document with this body and these comments."""
    held = io.BytesIO(own.word_document(own.ENGLISH[:1]))
    with zipfile.ZipFile(held) as archive:
        files = {name: archive.read(name).decode() for name in archive.namelist()}
    files["word/document.xml"] = files["word/document.xml"].replace("</w:body>", f"{body}</w:body>")
    files["word/comments.xml"] = f"<w:comments {WORD}>{comments}</w:comments>"
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return made.getvalue()


WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def test_a_word_document_says_what_it_leaves_at_home(tmp_path: Path) -> None:  # req: I1
    body = (
        '<w:p><w:r><w:t>She </w:t></w:r><w:del w:id="1"><w:r><w:delText>never </w:delText></w:r>'
        '</w:del><w:ins w:id="2"><w:r><w:t>went.</w:t></w:r></w:ins></w:p>'
        "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>물</w:t></w:r></w:p></w:tc></w:tr></w:tbl>"
    )
    comment = '<w:comment w:id="0"><w:p><w:r><w:t>Too early?</w:t></w:r></w:p></w:comment>'
    (tmp_path / "salt.docx").write_bytes(word(body, comment))
    words = ("import", "salt.docx", "--into", "salt", "--dry-run", "--language", "en")
    plan = studio(*words, "--json", cwd=tmp_path).json
    assert plan["notes"] == [
        "Comments in salt.docx that stay behind: 1.",
        "Passages of salt.docx that are marked as deleted and stay behind: 1.",
        "Tables of salt.docx that come in as paragraphs: 1.",
    ]
    assert "stay behind: 1" in studio(*words, cwd=tmp_path).err
    text = read_source(tmp_path / "salt.docx").decoded.text
    assert "She went." in text
    assert "never" not in text


def test_the_list_of_contents_of_a_word_document_is_no_prose() -> None:  # req: I1
    entry = (
        '<w:p><w:pPr><w:pStyle w:val="T"/></w:pPr><w:r><w:t>The Weighing House 3</w:t></w:r></w:p>'
    )
    held = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(word("", ""))) as old, zipfile.ZipFile(held, "w") as made:
        for name in old.namelist():
            text = old.read(name).decode()
            text = text.replace("<w:body>", f"<w:body>{entry * 2}").replace(
                "</w:styles>",
                f'<w:style w:type="paragraph" w:styleId="T">{TOC}</w:style></w:styles>',
            )
            made.writestr(name, text)
    source = source_of(held.getvalue(), "salt.docx", None)
    assert source.left == ("Lines of the list of contents of salt.docx that stay behind: 2.",)
    assert source.decoded.text.startswith("# The Weighing House\n\nInes")


TOC = '<w:name w:val="toc 1"/>'


def test_a_scrivener_project_says_what_is_not_compiled(tmp_path: Path) -> None:  # req: I1
    project = own.scrivener_project(tmp_path / "Tide.scriv", own.KOREAN)
    binder = project / "Tide.scrivx"
    more = (
        '<BinderItem UUID="X" Type="Text"><MetaData><IncludeInCompile>No</IncludeInCompile>'
        "</MetaData></BinderItem></Children></BinderItem>"
        '<BinderItem UUID="R" Type="ResearchFolder">'
        '<Children><BinderItem UUID="R1" Type="Text"/></Children></BinderItem></Binder>'
    )
    text = binder.read_text("utf-8").replace("</Children></BinderItem></Binder>", more)
    binder.write_text(text, "utf-8")
    assert read_source(project).left == (
        "Comments in Tide.scriv that stay behind: 3.",
        "Texts of Tide.scriv that are not to be compiled and stay behind: 1.",
        "Synopses and notes of Tide.scriv that stay behind: 3.",
        "Texts of Tide.scriv outside of its Draft that stay behind: 1.",
    )


def test_a_vault_shows_what_a_reader_of_it_sees(tmp_path: Path) -> None:  # req: I1
    (tmp_path / "vault/.obsidian").mkdir(parents=True)
    (tmp_path / "vault/One.md").write_text(
        "# One\n\n> [!note] 물때\n> Low.\n\nShe ![[Mara]]went [[Mara|out]]. ![x](p/x.png)\n\n"
        "![[a.png|200]]\n\n```dataview\nLIST\n```\n\n```dataview\nIt has no end.\n",
        "utf-8",
    )
    words = ("import", "vault", "--into", "salt", "--as", "committed", "--language", "en")
    ended = studio(*words, "--yes", cwd=tmp_path)
    assert ended.code == 0, ended.err
    for sentence in (
        "Pictures of One.md that stay behind: 2.",
        "Queries of One.md that stay behind: 1.",
        "Notes shown inside of One.md that are not repeated there: 1.",
    ):
        assert sentence in ended.err
    chapter = (tmp_path / "salt/chapters/chapter-001.md").read_text("utf-8")
    assert "> 물때\n> Low." in chapter
    assert "She went out." in chapter
    assert "LIST" not in chapter
    assert "It has no end." in chapter
