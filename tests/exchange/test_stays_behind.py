"""What docs/import-and-export.md says stays behind does: a document of each format holds a word of
its own in everything that has no place in a manuscript, and none of these words comes in."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

import pytest

from studio.exchange.import_.sources import source_of
from tests.cli.command import studio
from tests.exchange import own_documents as own

WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
MATH = "http://schemas.openxmlformats.org/officeDocument/2006/math"
DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"
RELATED = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def run(text: str, look: str = "") -> str:
    return f'<w:r>{look}<w:t xml:space="preserve">{text}</w:t></w:r>'


def paragraph(inside: str, style: str = "") -> str:
    look = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{look}{inside}</w:p>"


def word_document() -> bytes:
    """A chapter of one sentence, with two comments, tracked changes, a list of contents, a picture,
    a formula, and what is printed on the edges of pages."""
    comments = "".join(
        f'<w:comment w:id="{number}" w:author="Xauthor" w:initials="Xinitials">'
        f"{paragraph(run(words))}</w:comment>"
        for number, words in enumerate(["Xcomment early?", "너무 Xcomment 이른가?"])
    )
    seen = (
        run("Ines ")
        + '<w:commentRangeStart w:id="0"/>'
        + run("opened ")
        + '<w:commentRangeEnd w:id="0"/><w:r><w:commentReference w:id="0"/></w:r>'
        + '<w:del w:id="5" w:author="A"><w:r><w:delText>Xdeleted </w:delText></w:r></w:del>'
        + f'<w:moveFrom w:id="6" w:author="A">{run("Xmoved ")}</w:moveFrom>'
        + f'<w:ins w:id="7" w:author="A">{run("the house")}</w:ins>'
        + '<w:r><w:commentReference w:id="1"/></w:r>'
        + f'<w:r><w:drawing><wp:inline xmlns:wp="{DRAWING}"><wp:docPr id="1" name="Xname"'
        ' descr="Xpicture"/></wp:inline></w:drawing></w:r>'
        + f'<m:oMath xmlns:m="{MATH}"><m:r><m:t>Xformula</m:t></m:r></m:oMath>'
        + run(" before dawn.")
    )
    body = (
        paragraph(run("Xcontents"), "TH")
        + paragraph(run("Xcontents 3"), "T1")
        + paragraph(run("The House"), "H1")
        + paragraph(seen)
    )
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="{id_}"><w:name w:val="{name}"/></w:style>'
        for id_, name in [("TH", "TOC Heading"), ("T1", "toc 1"), ("H1", "heading 1")]
    )
    parts = {
        "word/document.xml": f"<w:document {WORD}><w:body>{body}</w:body></w:document>",
        "word/styles.xml": f"<w:styles {WORD}>{styles}</w:styles>",
        "word/comments.xml": f"<w:comments {WORD}>{comments}</w:comments>",
        "word/header1.xml": f"<w:hdr {WORD}>{paragraph(run('Xheader'))}</w:hdr>",
        "word/footer1.xml": f"<w:ftr {WORD}>{paragraph(run('Xfooter'))}</w:ftr>",
    }
    links = "".join(
        f'<Relationship Id="c{at}" Type="{RELATED}/{kind}" Target="{kind}{end}.xml"/>'
        for at, (kind, end) in enumerate([("comments", ""), ("header", "1"), ("footer", "1")])
    )
    held = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(own.word_document(own.ENGLISH[:1]))) as old,
        zipfile.ZipFile(held, "w") as archive,
    ):
        for name in old.namelist():
            text = old.read(name).decode()
            if name == "word/_rels/document.xml.rels":
                text = text.replace("</Relationships>", f"{links}</Relationships>")
            archive.writestr(name, parts.pop(name, text))
        for name, text in parts.items():
            archive.writestr(name, text)
    return held.getvalue()


SEEN = "Ines opened the house before dawn."
UNSEEN_ON_A_PAGE = (
    "<p>Ines <img alt='Xpicture' title='Xpicture' src='x.png'>opened"
    "<svg><title>Xpicture</title><text>Xpicture</text></svg>"
    "<math><mi>Xformula</mi><annotation>Xformula</annotation></math>"
    "<!-- Xremark --> <ruby>the<rp>(</rp><rt>Xreading</rt><rp>)</rp></ruby>"
    "<script>Xscript</script><template>Xtemplate</template> house"
    "<video><p>Xfallback</p></video><audio>Xfallback</audio><canvas>Xfallback</canvas>"
    "<object>Xfallback</object><iframe>Xfallback</iframe>"
    "<span hidden>Xhidden</span><span style='color:red; display : none'>Xhidden</span>"
    " before dawn.</p><div hidden><p>Xhidden</p><p>Xhidden</p></div>"
)


def ebook() -> bytes:
    """An e-book whose cover, title page and contents are marked in each of the three ways."""
    pages = {
        "cover.xhtml": "<p>Xcover</p>",
        "title.xhtml": "<h1>Xtitlepage</h1><p>Xtitlepage</p>",
        "contents.xhtml": "<h1>Xcontents</h1><p><a href='one.xhtml'>Xcontents</a></p>",
        "marked.xhtml": "<section epub:type='toc'><h2>Xcontents</h2><p>Xcontents</p></section>",
        "one.xhtml": f"<h2>The House</h2>{UNSEEN_ON_A_PAGE}",
        "nav.xhtml": "<nav epub:type='toc'><ol><li>Xcontents</li></ol></nav>"
        "<nav epub:type='landmarks'><a epub:type='titlepage' href='title.xhtml'>x</a></nav>",
    }
    held = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(own.ebook_of(pages, list(pages)[:-1]))) as old,
        zipfile.ZipFile(held, "w") as archive,
    ):
        for name in old.namelist():
            text = old.read(name).decode()
            if name.endswith(".opf"):
                text = text.replace('href="nav.xhtml"', 'href="nav.xhtml" properties="nav"')
                guide = (
                    '<guide><reference type="cover" href="cover.xhtml"/>'
                    '<reference type="toc" href="contents.xhtml"/>'
                    '<reference type="text" href="one.xhtml"/></guide>'
                )
                text = text.replace("</package>", f"{guide}</package>")
            archive.writestr(name, text)
    return held.getvalue()


WEB_PAGE = (
    "<html><head><title>The House</title><style>Xstyle</style></head><body><h1>The House</h1>"
    "<nav><a href='x'>Xnav</a></nav>"
    + UNSEEN_ON_A_PAGE
    + "<p>It rained.<sup><a href='#cmnt1' id='cmnt_ref1'>[a]</a></sup></p>"
    "<div><p><a href='#cmnt_ref1' id='cmnt1'>[a]</a><span>Xcomment</span></p></div></body></html>"
)
RICH_TEXT = (
    r"{\rtf1\ansi{\fonttbl{\f0 Xfont;}}{\stylesheet{\s1 Xstyle;}}{\info{\title Xtitle}}"
    r"{\header Xheader\par}{\footer Xfooter\par}{\*\unknown Xunknown}\pard\plain Ines "
    r"{\*\atrfstart 1}opened {\*\atrfend 1}{\*\atnid Xid}{\*\atnauthor Xauthor}\chatn"
    r"{\*\annotation{\*\atnref 1}\pard\plain Xcomment\par Xcomment}"
    r"{\deleted Xdeleted {\i Xdeleted }\plain\deleted Xdeleted }the house"
    r"{\*\shppict{\pict\pngblip Xpicture}}{\nonshppict{\pict Xpicture}}"
    r"{\shp{\*\shpinst{\sp{\sn x}{\sv Xshape}}{\shptxt \pard Xbox\par}}{\shprslt Xbox\par}}"
    r" before dawn.\par}"
)


def scrivener_project(folder: Path) -> Path:
    """A project whose texts say when they are to be compiled, as Scrivener writes it: those that
    are not say nothing."""
    texts = {
        "A": r"{\rtf1\ansi Ines <$Scr_Ps::0>opened <!$Scr_Ps::0>the house"
        r"\{\\Scrv_annot \\color=\{\\R=0.9\\G=0.1\\B=0.2\} \\text=Xannotation\\end_Scrv_annot\}"
        r"{\field{\*\fldinst{HYPERLINK "
        r'"scrivcmt://MINE"}}{\fldrslt  before}} dawn.}',
        "B": r"{\rtf1\ansi Xexcluded.}",
        "C": r"{\rtf1\ansi Xexcluded.}",
        "R": r"{\rtf1\ansi Xresearch.}",
        "T": r"{\rtf1\ansi Xtrash.}",
    }
    for id_, text in texts.items():
        data = folder / "Files/Data" / id_
        data.mkdir(parents=True)
        (data / "content.rtf").write_text(text, "utf-8")
        (data / "synopsis.txt").write_text("Xsynopsis", "utf-8")
        (data / "notes.rtf").write_text(r"{\rtf1\ansi Xnotes}", "utf-8")
    comment = r'<Comment ID="MINE" Footnote="No"><![CDATA[{\rtf1\ansi Xcomment}]]></Comment>'
    (folder / "Files/Data/A/content.comments").write_text(f"<Comments>{comment}</Comments>")

    def item(id_: str, says: str, kind: str = "Text", inside: str = "") -> str:
        compiled = f"<IncludeInCompile>{says}</IncludeInCompile>" if says else ""
        return (
            f'<BinderItem UUID="{id_}" Type="{kind}"><Title>{id_}</Title><MetaData>{compiled}'
            f"</MetaData><Children>{inside}</Children></BinderItem>"
        )

    texts_of_it = item("A", "Yes") + item("B", "") + item("C", "No")
    binder = (
        item("D", "", "DraftFolder", item("F", "", "Folder", texts_of_it))
        + item("E", "", "ResearchFolder", item("R", "Yes"))
        + item("G", "", "TrashFolder", item("T", "Yes"))
    )
    (folder / f"{folder.stem}.scrivx").write_text(
        f"<ScrivenerProject><Binder>{binder}</Binder></ScrivenerProject>", "utf-8"
    )
    return folder


def vault(folder: Path) -> Path:
    (folder / ".obsidian").mkdir(parents=True)
    (folder / "One.md").write_text(
        "---\ntags: Xfield\n---\n\n# The House\n\nInes ![[Xpicture.png|Xpicture]]"
        "![Xpicture](Xp/x.png)opened %%Xcomment%%the house before dawn.\n\n![[Xembedded]]\n\n"
        "%%\nXcomment\n\nXcomment\n%%\n\n"
        "```dataview\nXquery\n```\n\nIt was 5 % and 6 %.\n",
        "utf-8",
    )
    (folder / "Characters").mkdir()
    (folder / "Characters/Xperson.md").write_text("Xperson\n", "utf-8")
    return folder


FORMATS = ("salt.docx", "salt.epub", "salt.html", "salt.rtf", "Salt.scriv", "Vault")


def document(name: str, folder: Path) -> Path:
    """Makes the document of one format."""
    path = folder / name
    if name == "Salt.scriv":
        scrivener_project(path)
    elif name == "Vault":
        vault(path)
    else:
        data = {
            "salt.docx": word_document,
            "salt.epub": ebook,
            "salt.html": WEB_PAGE.encode,
            "salt.rtf": RICH_TEXT.encode,
        }[name]()
        path.write_bytes(data)
    return path


@pytest.mark.sampled
@pytest.mark.repairs("T3")
@pytest.mark.parametrize("name", FORMATS)
def test_no_word_comes_in_of_what_is_said_to_stay_behind(tmp_path: Path, name: str) -> None:
    """The words of everything that stays behind begin with an X; the sentence around is whole."""
    path = document(name, tmp_path)
    ended = studio(
        *("import", path, "--into", "salt", "--as", "committed", "--language", "en", "--yes"),
        cwd=tmp_path,
    )
    assert ended.code == 0, ended.err
    chapters = sorted((tmp_path / "salt/chapters").glob("*.md"))
    text = "\n".join(chapter.read_text("utf-8") for chapter in chapters)
    assert SEEN in " ".join(text.split()), text
    assert re.findall(r"\w*X\w+", text) == [], text


LEFT = {
    "salt.docx": {"Comments": 2, "Passages": 1, "Lines": 2, "Formulas": 1, "Headers": 2},
    "salt.epub": {
        "Pictures": 2,
        "Formulas": 1,
        "Readings": 1,
        "Hidden": 3,
        "Films,": 4,
        "Pages": 4,
    },
    "salt.html": {
        "Menus": 1,
        "Pictures": 2,
        "Formulas": 1,
        "Readings": 1,
        "Hidden": 3,
        "Films,": 4,
        "Comments": 1,
    },
    "salt.rtf": {"Headers": 2, "Comments": 1, "Passages": 2, "Pictures": 1, "Text": 1},
    "Salt.scriv": {"Comments": 2, "Texts not compiled": 2, "Synopses": 2, "Texts outside": 1},
    "Vault": {"Comments": 2, "Pictures": 2, "Notes": 1, "Queries": 1},
}


@pytest.mark.parametrize("name", FORMATS)
def test_what_stays_behind_is_counted_by_kind(tmp_path: Path, name: str) -> None:
    path = document(name, tmp_path)
    counts = {}
    words = ("import", path, "--into", "salt", "--dry-run", "--language", "en", "--json")
    for sentence in studio(*words, cwd=tmp_path).json["notes"]:
        if "stay behind" not in sentence and "not repeated" not in sentence:
            continue
        kind = sentence.split()[0]
        if kind == "Texts":
            kind += " outside" if "outside" in sentence else " not compiled"
        counts[kind] = int(sentence.rstrip(".").rpartition(": ")[2])
    assert counts == LEFT[name]


def text_of(page: str, name: str = "a.html") -> str:
    return source_of(page.encode(), name, None).decoded.text


def test_a_footnote_that_waits_in_a_hidden_part_comes_in() -> None:
    page = (
        "<html><p>It fell.<a href='#n1' epub:type='noteref'>1</a></p><div hidden>"
        "<aside id='n1' epub:type='footnote'><p>Low water.</p></aside><p>Xhidden</p></div></html>"
    )
    assert text_of(page) == "It fell.[^1]\n\n[^1]: Low water.\n"


@pytest.mark.parametrize(
    "page",
    [
        "<html><p hidden>Xhidden<p>It fell.</html>",
        "<html><div><span hidden>Xhidden</div><p>It fell.</p></html>",
        "<html><div><video>Xhidden</div><p>It fell.</p></html>",
        "<html><img hidden><p>It fell.</p></html>",
        "<html hidden><body hidden><p>It fell.</p></body></html>",
    ],
)
def test_a_hidden_part_that_is_never_closed_hides_nothing_else(page: str) -> None:
    assert text_of(page) == "It fell.\n"


def test_a_footnote_that_scrivener_keeps_among_the_words_comes_in() -> None:
    page = r"{\rtf1\ansi It fell\{\\Scrv_fn=Low {\i water}.\\end_Scrv_fn\}, they said.\par}"
    assert text_of(page, "a.rtf") == "It fell[^1], they said.\n\n[^1]: Low *water*.\n"
    unclosed = r"{\rtf1\ansi It \{\\Scrv_annot fell.\par}"
    assert "fell." in text_of(unclosed, "a.rtf")


def test_an_ebook_of_one_page_is_no_title_page_whatever_it_says() -> None:
    held = io.BytesIO()
    book = own.ebook_of({"one.xhtml": "<h2>Ebb</h2><p>It fell.</p>"}, ["one.xhtml"])
    with zipfile.ZipFile(io.BytesIO(book)) as old, zipfile.ZipFile(held, "w") as archive:
        for name in old.namelist():
            guide = '<guide><reference type="toc" href="one.xhtml"/></guide></package>'
            archive.writestr(name, old.read(name).decode().replace("</package>", guide))
    assert "It fell." in source_of(held.getvalue(), "a.epub", None).decoded.text
