"""Nothing is lost without a word: a document of each format holds everything the format has, each
thing with a word of its own, and each word is in the text or named as left behind."""

from __future__ import annotations

import io
import re
import zipfile
from collections import Counter
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from studio.exchange.import_.commit import plan_import
from tests.exchange import own_documents as own
from tests.exchange.open_documents import package, style

IN = ""
KINDS = {
    "Pictures of": "picture",
    "Comments in": "comment",
    "Hidden passages": "hidden",
    "Passages of": "deletion",
    "Struck-out": "struck",
    "Lines of the list": "contents",
    "Headers and footers": "edge",
    "Menus of": "menu",
    "Films, sounds": "media",
    "Formulas of": "formula",
    "Readings above": "reading",
    "Queries of": "query",
    "Text boxes": "frame",
    "Notes shown inside": "embedded",
    "Parts of": "foreign",
    "Fields of forms": "form",
    "Page numbers": "page number",
    "Pages outside": "unread page",
    "Pages of": "front",
    "Texts of": "text",
    "Synopses": "beside",
    "Skipped, because Index": "unlisted",
    "The words of Index": "index",
}
"""The kind that a sentence of the preview names, by how it begins."""

Rows = tuple[tuple[str, str], ...]
"""What each thing looks like in the format, and its kind if it stays behind. Words that begin with
W come in, those with X do not."""
FRAMED = r"EQ \o\ac(○,Wframed)"
READING = r"EQ \* jc2 \o\ad(\s\up 9(Xreading),Wbelow)"

WEB: Rows = (
    ("<p>Wpara <i>Wslant</i> <u>Wline</u> <code>Wcode</code> H<sub>Wlow</sub></p>", IN),
    ("<blockquote>Wquote</blockquote><pre>Wpre</pre><ul><li>Wbullet</ul>", IN),
    ("<ol><li>Wnumber</ol><dl><dt>Wterm<dd>Wdescribed</dl>", IN),
    ("<details><summary>Wsummary</summary>Wfolded</details><aside>Waside</aside>", IN),
    ("<figure><figcaption>Wcaption</figcaption></figure><address>Waddress</address>", IN),
    ("<p><ins>Wadded</ins> <abbr>Wshort</abbr> <q>Wsaid</q> <mark>Wmark</mark></p>", IN),
    (
        "<p>It fell.<a href='#n1' id='r1'>1</a></p><aside id='n1' class='footnote'>Wnote</aside>",
        IN,
    ),
    ("<dialog open>Wopen</dialog><noframes>Wold</noframes><button>Wbutton</button>", IN),
    ("<p>one <span class='pagenum'>Wpage</span> two</p>", IN),
    ("<p>a <del>Xdel</del></p>", "deletion"),
    ("<p>a <img alt='Xalt' src='x.png'></p>", "picture"),
    ("<p>a <svg><text>Xdrawn</text></svg></p>", "picture"),
    ("<p>a <math><mi>Xmath</mi></math></p>", "formula"),
    ("<p><ruby>Wbase<rt>Xreading</rt></ruby></p>", "reading"),
    ("<p style='display:none'>Xunseen</p>", "hidden"),
    ("<dialog>Xclosed</dialog>", "hidden"),
    ("<nav>Xmenu</nav>", "menu"),
    ("<iframe>Xframe</iframe>", "media"),
    ("<embed title='Xembed'>", "media"),
    ("<select><option>Xchoice</select>", "form"),
    ("<textarea>Xarea</textarea>", "form"),
    ("<input value='Xvalue'>", "form"),
    ("<p>one <span class='pagenum'>[Pg 612]</span>two</p>", "page number"),
    (
        "<p>one <a epub:type='pagebreak'>613</a>two</p><p class='pagenum'>614</p>",
        "page number",
    ),
)
RICH: Rows = (
    (r"Wpara {\i Wslant} {\caps Wcaps} {\super Whigh} {\ul Wline} {\revised Wadded}\par", IN),
    (r"{\field{\*\fldinst DATE}{\fldrslt Wfield}}\tab Wtabbed\line Wbroken\par", IN),
    (r"It fell.{\footnote Wnote} It rose.{\footnote\ftnalt Wend}\par", IN),
    (r"{\upr{no}{\*\ud{Wunicode}}}{\listtext 1.\tab}Wentry\par", IN),
    (r"{\mvt Wmovedhere}{\do\dptxbx{\dptxbxtext Wdrawnbox\par}}\par", IN),
    (r"a {\v Xhidden}\par", "hidden"),
    (r"a {\deleted Xdeleted}\par", "deletion"),
    (r"a {\mvf Xmovedaway}\par", "deletion"),
    (r"a {\strike Xstruck}\par", "struck"),
    (r"a {\*\annotation Xcomment}\par", "comment"),
    (r"{\header Xheader\par}", "edge"),
    (r"{\footer Xfooter\par}", "edge"),
    (r"a {\object{\*\objdata 00}{\result Xresult}}\par", "media"),
    (r"{\shp{\*\shpinst{\shptxt Xbox\par}}{\shprslt Xbox\par}}\par", "frame"),
    (r"a {\*\shppict{\pict Xpicture}}{\nonshppict{\pict Xpicture}}\par", "picture"),
    (r"a {\mmath{\*\moMath{\*\mr Xmath}}{\mmathPict{\pict Xmath}}}\par", "formula"),
    (
        r"{\field{\*\fldinst EQ \\* jc2 \\o\\ad(\\s\\up 9(Xreading),Wbelow)}{\fldrslt }}\par",
        "reading",
    ),
    (r"\pard\s3 Xcontents\tab 3\par\pard ", "contents"),
)


def _w(words: str, look: str = "") -> str:
    look = f"<w:rPr>{look}</w:rPr>" if look else ""
    return f'<w:r>{look}<w:t xml:space="preserve">{words}</w:t></w:r>'


def _field(instruction: str, result: str = "") -> str:
    sign = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'
    half = len(instruction) // 2
    inside = "".join(
        f"<w:r><w:instrText>{part}</w:instrText></w:r>"
        for part in (instruction[:half], instruction[half:])
    )
    return sign.format("begin") + inside + sign.format("separate") + result + sign.format("end")


def _box(words: str) -> str:
    return f"<w:txbxContent><w:p>{_w(words)}</w:p></w:txbxContent>"


WORD: Rows = (
    (f"<w:p>{_w('Wpara ')}{_w('Wslant', '<w:i/>')}</w:p>", IN),
    (f"<w:p><w:smartTag>{_w('Wsmart')}</w:smartTag></w:p>", IN),
    (f"<w:p><w:hyperlink>{_w('Wlink')}</w:hyperlink>{_field('DATE', _w('Wfield'))}</w:p>", IN),
    (f"<w:sdt><w:sdtContent><w:p>{_w('Wcontrol')}</w:p></w:sdtContent></w:sdt>", IN),
    (f"<w:p><w:ins>{_w('Wadded')}</w:ins><w:moveTo>{_w('Wmoved')}</w:moveTo></w:p>", IN),
    (
        f"<w:p><w:r><w:pict><v:shape><v:textbox>{_box('Wbox')}</v:textbox></v:shape></w:pict></w:r></w:p>",
        IN,
    ),
    (f"<w:p><w:pPr><w:framePr/></w:pPr>{_w('Wdropped')}</w:p>", IN),
    (f"<w:p>{_field(FRAMED)}</w:p>", IN),
    (
        f"<w:p>{_field(READING)}</w:p>",
        "reading",
    ),
    (
        f"<w:p><w:del><w:r><w:delText>Xdeleted</w:delText></w:r></w:del>{_w('a')}</w:p>",
        "deletion",
    ),
    (f"<w:p>{_w('Xhidden', '<w:vanish/>')}{_w('a')}</w:p>", "hidden"),
    (f"<w:p>{_w('Xstruck', '<w:dstrike/>')}{_w('a')}</w:p>", "struck"),
    (f"<w:p><m:oMath><m:r><m:t>Xmath</m:t></m:r></m:oMath>{_w('a')}</w:p>", "formula"),
    (
        f"<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent><w:p>{_w('Xfill')}</w:p>"
        "</w:sdtContent></w:sdt>",
        "form",
    ),
    (
        '<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj>'
        f"</w:sdtPr><w:sdtContent><w:p>{_w('Xcontents')}</w:p></w:sdtContent></w:sdt>",
        "contents",
    ),
    (
        '<w:p><w:r><w:pict><v:shape><v:textpath string="Xart"/></v:shape></w:pict></w:r></w:p>',
        "picture",
    ),
    ("<w:p><w:r><w:object><o:OLEObject ProgID='Xole'/></w:object></w:r></w:p>", "media"),
)


def _o(inside: str, name: str = "Standard") -> str:
    return f'<text:p text:style-name="{name}">{inside}</text:p>'


OPEN: Rows = (
    (_o("Wpara <text:span>Wspan</text:span> <text:a>Wlink</text:a>"), IN),
    (
        _o(
            "It fell.<text:note><text:note-body><text:p>Wnote</text:p></text:note-body></text:note>"
        ),
        IN,
    ),
    (_o("<text:date>Wfield</text:date><text:bookmark-ref>Wref</text:bookmark-ref>"), IN),
    (f"<text:list><text:list-item>{_o('Wentry')}</text:list-item></text:list>", IN),
    (f"<text:section>{_o('Wsection')}</text:section>{_o('Wquote', 'Quotations')}", IN),
    (_o("<draw:frame><draw:text-box><text:p>Wbox</text:p></draw:text-box></draw:frame>"), IN),
    (_o("<draw:custom-shape><text:p>Wshape</text:p></draw:custom-shape>"), IN),
    (_o("<text:conditional-text>Wshown</text:conditional-text>"), IN),
    (_o("a<draw:frame><draw:image/><svg:title>Xpicture</svg:title></draw:frame>"), "picture"),
    (_o("a<office:annotation><text:p>Xcomment</text:p></office:annotation>"), "comment"),
    (_o('a<text:span text:style-name="Gone">Xhidden</text:span>'), "hidden"),
    (_o('a<text:span text:style-name="Out">Xstruck</text:span>'), "struck"),
    (_o('<draw:frame><draw:object xlink:href="Object 1"/></draw:frame>'), "formula"),
    (
        _o(
            "<text:ruby><text:ruby-base>Wbase</text:ruby-base><text:ruby-text>Xruby</text:ruby-text></text:ruby>"
        ),
        "reading",
    ),
    (_o("Xline", "Contents_20_1"), "contents"),
    (
        "<text:tracked-changes><text:changed-region><text:deletion><text:p>Xdeleted</text:p>"
        "</text:deletion></text:changed-region></text:tracked-changes>",
        "deletion",
    ),
)
AS_IS = (
    "Mpara *Mslant* ~~Mstruck~~ `Mcode` [Mlink](http://m.example/Mplace) ![Malt](Mfile.png)\n\n"
    "> Mquote\n\n- Mbullet\n- [x] Mtask\n\n1. Mnumber\n\n"
    "| Mhead | Mcell |\n|---|---|\n| Mone | Mtwo |\n\n"
    "Mterm\n: Mdefined\n\n```\nMfenced\n```\n\n<div>Mdiv</div>\n\n<!-- Mremark -->\n\n"
    "%% Mobsidian %%\n\n"
    "Mref[^1] ^[Minline] $Mmath$ {++Mplus++} ==Mmarked==\n\n[^1]: Mnote\n\n[Mlabel]: http://m.example\n"
)


def web_page() -> bytes:
    body = "".join(row[0] for row in WEB)
    return f"<html><body><h1>Ebb</h1><p>It rained.</p>{body}</body></html>".encode()


def rich_text() -> bytes:
    head = r"{\rtf1\ansi{\stylesheet{\s3 toc 1;}}\pard\outlinelevel0 Ebb\par\pard It rained.\par "
    return f"{head}{' '.join(row[0] for row in RICH)}}}".encode()


def word_document() -> bytes:
    spaces = (
        'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
        'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
        'xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"'
    )
    head = f'<w:p><w:pPr><w:pStyle w:val="H1"/></w:pPr>{_w("Ebb")}</w:p>'
    body = head + "".join(row[0] for row in WORD)
    held = io.BytesIO()
    old = zipfile.ZipFile(io.BytesIO(own.word_document(own.ENGLISH[:1])))
    with old, zipfile.ZipFile(held, "w") as archive:
        for name in old.namelist():
            text = old.read(name).decode()
            if name == "word/document.xml":
                text = f"<w:document {spaces}><w:body>{body}</w:body></w:document>"
            archive.writestr(name, text)
    return held.getvalue()


def open_document() -> bytes:
    named = style("Gone", 'text:display="none"', family="text")
    named += style("Out", 'style:text-line-through-style="solid"', family="text")
    body = '<text:h text:outline-level="1">Ebb</text:h>' + "".join(row[0] for row in OPEN)
    return package(body, named=named)


DOCUMENTS = {
    "a.html": (web_page, WEB),
    "a.rtf": (rich_text, RICH),
    "a.docx": (word_document, WORD),
    "a.odt": (open_document, OPEN),
}


@cache
def brought_in(name: str) -> tuple[str, Counter[str]]:
    """The words that come in of a document, and what the preview says stays behind, by kind."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / name
        file.write_bytes(DOCUMENTS[name][0]())
        return read(file)


def read(*files: Path) -> tuple[str, Counter[str]]:
    plan = plan_import(files)[0]
    left: Counter[str] = Counter()
    for sentence in plan.notes:
        kind = next((kind for head, kind in KINDS.items() if sentence.startswith(head)), sentence)
        number = sentence.rstrip(".").rpartition(": ")[2]
        left[kind] += int(number) if number.isdecimal() else 1
    return "\n".join(
        f"{chapter.title}\n{chapter.text}" for chapter in plan.chapters_to_import
    ), left


ROWS = [
    pytest.param(name, row, id=f"{name} {at}")
    for name, (_, rows) in DOCUMENTS.items()
    for at, row in enumerate(rows)
]


@pytest.mark.parametrize(("name", "row"), ROWS)
def test_each_thing_of_a_document_is_in_the_text_or_named(
    name: str, row: tuple[str, str]
) -> None:  # req: I1
    source, kind = row
    text, left = brought_in(name)
    assert not re.search(r"\b61[2-4]\b", text), "the number of a page"
    for word in re.findall(r"\bW[a-z]+", source):
        assert word in text
    for word in re.findall(r"\bX[a-z]+", source):
        assert word not in text
    assert not kind or left[kind]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_what_stays_behind_is_counted_once_for_each_thing(name: str) -> None:
    _, left = brought_in(name)
    expected = Counter(kind for _, kind in DOCUMENTS[name][1] if kind)
    if name == "a.html":
        expected["page number"] += 1  # one row has two
    assert left == expected


@pytest.mark.parametrize("name", ["a.md", "a.txt", "stdin.markdown"])
def test_markdown_and_plain_text_come_in_as_they_are(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.write_text(f"# Ebb\n\n{AS_IS}", "utf-8")
    text, left = read(file)
    assert [word for word in re.findall(r"\bM[a-z]+", AS_IS) if word not in text] == []
    assert left == {}


def test_what_an_ebook_names_and_is_no_page_of_text_is_named(tmp_path: Path) -> None:
    pages = {"a.xhtml": "<h2>Ebb</h2><p>Wfell</p>", "extra.xhtml": "<p>Xextra</p>"}
    held = io.BytesIO()
    old = zipfile.ZipFile(io.BytesIO(own.ebook_of(pages, ["a.xhtml"])))
    with old, zipfile.ZipFile(held, "w") as archive:
        for name in old.namelist():
            text = old.read(name).decode()
            if name.endswith(".opf"):
                text = text.replace(
                    "</manifest>",
                    '<item id="s" href="s.svg" media-type="image/svg+xml"/>'
                    '<item id="t" href="t.txt" media-type="text/plain"/></manifest>',
                ).replace("</spine>", '<itemref idref="s"/><itemref idref="t"/></spine>')
            archive.writestr(name, text)
        archive.writestr("OPS/s.svg", "<svg><text>Xdrawn</text></svg>")
        archive.writestr("OPS/t.txt", "Xplain")
    file = tmp_path / "a.epub"
    file.write_bytes(held.getvalue())
    text, left = read(file)
    assert "Wfell" in text
    assert "X" not in text
    assert left == {"picture": 1, "foreign": 1, "unread page": 1}


def test_what_lies_in_the_draft_of_scrivener_and_is_no_text_is_named(tmp_path: Path) -> None:
    folder = own.scrivener_project(tmp_path / "Tide.scriv", own.KOREAN)
    binder = folder / "Tide.scrivx"
    picture = '<BinderItem UUID="P" Type="Image"><Title>Map</Title><MetaData><IncludeInCompile>Yes'
    picture += "</IncludeInCompile></MetaData></BinderItem>"
    text = binder.read_text("utf-8").replace(
        '<Children><BinderItem UUID="0', f'<Children>{picture}<BinderItem UUID="0', 1
    )
    binder.write_text(text, "utf-8")
    words, left = read(folder)
    assert own.KOREAN[0].title in words
    assert left["picture"] == 1


def test_the_words_of_longforms_index_are_named(tmp_path: Path) -> None:
    (tmp_path / ".obsidian").mkdir()
    (tmp_path / "Ebb.md").write_text("Wfell and rose again.\n", "utf-8")
    index = "---\nlongform:\n  format: scenes\n  title: Tide\n  scenes:\n    - Ebb\n---\n"
    for body, expected in (("", {}), ("\nXplan of it.\n", {"index": 1})):
        (tmp_path / "Index.md").write_text(index + body, "utf-8")
        text, left = read(tmp_path)
        assert ("Wfell" in text, "X" in text) == (True, False)
        assert left == expected
