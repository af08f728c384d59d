"""Renders the book as a Word document in the manuscript format that agents and editors ask for.

It follows Shunn's format: twelve-point type, double-spaced, one-inch margins, first lines indented
by half an inch, each chapter on a new page, `#` between scenes, and title and page number in the
header. The parts are those of ECMA-376 that every word processor reads; writing them here needs no
library and gives the same bytes for the same book.
"""

from __future__ import annotations

from html import escape

from studio.exchange.forms.archive import pack
from studio.exchange.forms.manuscript import Manuscript, SetChapter
from studio.exchange.forms.runs import Runs, TextRun, unwrap

_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
_REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml"
_EAST = {"ko": "Batang", "zh": "SimSun", "en": "Times New Roman"}
_CODES = {"ko": "ko-KR", "zh": "zh-CN", "en": "en-US"}
_PARTS = ("styles", "footnotes", "header1")


def word_document(book: Manuscript) -> bytes:
    """Returns the file; the same book always gives the same bytes."""
    members = {
        "[Content_Types].xml": _content_types(),
        "_rels/.rels": _relations(
            ("officeDocument", "word/document.xml"),
            ("metadata/core-properties", "docProps/core.xml"),
        ),
        "docProps/core.xml": _properties(book),
        "word/document.xml": _document(book),
        "word/styles.xml": _styles(book),
        "word/footnotes.xml": _footnotes(book),
        "word/header1.xml": _header(book),
        "word/_rels/document.xml.rels": _relations(
            ("styles", "styles.xml"), ("footnotes", "footnotes.xml"), ("header", "header1.xml")
        ),
    }
    return pack([(name, (_HEAD + text).encode()) for name, text in members.items()])


def _content_types() -> str:
    parts = "".join(
        f'<Override PartName="/word/{part}.xml" ContentType="{_TYPE}.{part.rstrip("1")}+xml"/>'
        for part in _PARTS
    )
    return (
        f'<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels"'
        ' ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/word/document.xml" ContentType="{_TYPE}.document.main+xml"/>'
        f'{parts}<Override PartName="/docProps/core.xml"'
        ' ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>'
    )


def _relations(*targets: tuple[str, str]) -> str:
    rows = "".join(
        f'<Relationship Id="rId{n}" Type="{_kind(kind)}" Target="{target}"/>'
        for n, (kind, target) in enumerate(targets, start=1)
    )
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{rows}</Relationships>'


def _kind(kind: str) -> str:
    return f"{_PACKAGE}/relationships/{kind}" if "/" in kind else f"{_REL}/{kind}"


def _properties(book: Manuscript) -> str:
    return (
        f'<cp:coreProperties xmlns:cp="{_PACKAGE}/metadata/core-properties"'
        ' xmlns:dc="http://purl.org/dc/elements/1.1/"'
        ' xmlns:dcterms="http://purl.org/dc/terms/"'
        ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
        f"<dc:title>{escape(book.title)}</dc:title><dc:creator>{escape(book.author)}</dc:creator>"
        f"<dc:language>{_CODES[book.language]}</dc:language>"
        f'<dcterms:modified xsi:type="dcterms:W3CDTF">{book.modified}</dcterms:modified>'
        "</cp:coreProperties>"
    )


def _document(book: Manuscript) -> str:
    about = f"about {_round(book.length):,} {book.unit_in_force}"
    front = [_paragraph("Front", _text(line)) for line in (book.author, about) if line]
    body = "".join([*front, _paragraph("Title", _text(book.title or "Untitled"))])
    first_note = 1
    for chapter in book.chapters:
        body += _chapter(chapter, first_note)
        first_note += len(chapter.notes)
    return (
        f"<w:document {_W} {_R}><w:body>{body}<w:sectPr>"
        '<w:headerReference w:type="default" r:id="rId3"/>'
        '<w:pgSz w:w="12240" w:h="15840"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440"'
        ' w:left="1440" w:header="720" w:footer="720" w:gutter="0"/><w:titlePg/>'
        "</w:sectPr></w:body></w:document>"
    )


def _round(words: int) -> int:
    """Rounds to the nearest hundred, the precision customary for manuscripts."""
    return max(100, round(words, -2)) if words else 0


def _chapter(chapter: SetChapter, first_note: int) -> str:
    parts = [_paragraph("Heading1", _text(chapter.title))]
    for index, scene in enumerate(chapter.scenes):
        if index:
            parts.append(_paragraph("SceneBreak", _text("#")))
        for block in scene:
            style = "Quote" if block.quoted else "BodyText"
            parts.append(_paragraph(style, _runs(block.runs, first_note)))
    return "".join(parts)


def _paragraph(style: str, runs: str) -> str:
    return f'<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr>{runs}</w:p>'


def _runs(runs: Runs, first_note: int) -> str:
    return "".join(_render_run(run, first_note) for run in unwrap(runs))


def _render_run(run: TextRun, first_note: int) -> str:
    if run.breaks:
        return "<w:r><w:br/></w:r>"
    if run.note:
        return (
            '<w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr>'
            f'<w:footnoteReference w:id="{first_note + run.note - 1}"/></w:r>'
        )
    look = ("<w:b/>" if run.bold else "") + ("<w:i/>" if run.italic else "")
    return _text(run.text, look)


def _text(text: str, look: str = "") -> str:
    pieces = "<w:tab/>".join(
        f'<w:t xml:space="preserve">{escape(piece, quote=False)}</w:t>' if piece else ""
        for piece in text.split("\t")
    )
    return f"<w:r>{f'<w:rPr>{look}</w:rPr>' if look else ''}{pieces}</w:r>"


def _footnotes(book: Manuscript) -> str:
    lines = [
        f'<w:footnote w:type="{kind}" w:id="{number}">'
        f"<w:p><w:r><w:{kind}/></w:r></w:p></w:footnote>"
        for number, kind in ((-1, "separator"), (0, "continuationSeparator"))
    ]
    mark = '<w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:footnoteRef/></w:r>'
    notes = [runs for chapter in book.chapters for runs in chapter.notes]
    lines += [
        f'<w:footnote w:id="{number}">'
        f"{_paragraph('FootnoteText', mark + _text(' ') + _runs(runs, 1))}</w:footnote>"
        for number, runs in enumerate(notes, start=1)
    ]
    return f"<w:footnotes {_W}>{''.join(lines)}</w:footnotes>"


def _header(book: Manuscript) -> str:
    name = " / ".join(part for part in (book.author, book.title) if part)
    field = "".join(
        f"<w:r>{inner}</w:r>"
        for inner in (
            '<w:fldChar w:fldCharType="begin"/>',
            '<w:instrText xml:space="preserve"> PAGE </w:instrText>',
            '<w:fldChar w:fldCharType="end"/>',
        )
    )
    before = _text(f"{name} / ") if name else ""
    return f"<w:hdr {_W}>{_paragraph('Header', before + field)}</w:hdr>"


def _styles(book: Manuscript) -> str:
    east = _EAST[book.language]
    fonts = f'<w:rFonts w:ascii="Times New Roman" w:hAnsi="Times New Roman" w:eastAsia="{east}"/>'
    code = _CODES[book.language]
    language = f'<w:lang w:val="{code}" w:eastAsia="{code}"/>'
    double = '<w:spacing w:before="0" w:after="0" w:line="480" w:lineRule="auto"/>'
    single = '<w:spacing w:before="0" w:after="0"/>'
    centred = '<w:jc w:val="center"/>'
    styles = [
        _style("Normal", "Normal", "", default=True),
        _style("Front", "Front Matter", single),
        _style("Title", "Title", f'<w:spacing w:before="4800" w:after="480"/>{centred}'),
        _style(
            "Heading1",
            "heading 1",
            '<w:keepNext/><w:pageBreakBefore/><w:spacing w:before="2400" w:after="480"/>'
            f'{centred}<w:outlineLvl w:val="0"/>',
        ),
        _style("BodyText", "Body Text", f'{double}<w:ind w:firstLine="720"/>'),
        _style("SceneBreak", "Scene Break", double + centred),
        _style("Quote", "Quote", f'{double}<w:ind w:left="720" w:right="720"/>'),
        _style("FootnoteText", "footnote text", single),
        _style("Header", "header", f'{single}<w:jc w:val="right"/>'),
        '<w:style w:type="character" w:styleId="FootnoteReference">'
        '<w:name w:val="footnote reference"/><w:rPr><w:vertAlign w:val="superscript"/></w:rPr>'
        "</w:style>",
    ]
    return (
        f"<w:styles {_W}><w:docDefaults><w:rPrDefault><w:rPr>{fonts}"
        f'<w:sz w:val="24"/><w:szCs w:val="24"/>{language}</w:rPr></w:rPrDefault></w:docDefaults>'
        f"{''.join(styles)}</w:styles>"
    )


def _style(id_: str, name: str, paragraph: str, default: bool = False) -> str:
    is_default = ' w:default="1"' if default else ""
    based = "" if default else '<w:basedOn w:val="Normal"/>'
    look = f"<w:pPr>{paragraph}</w:pPr>" if paragraph else ""
    return (
        f'<w:style w:type="paragraph"{is_default} w:styleId="{id_}"><w:name w:val="{name}"/>'
        f"{based}{look}</w:style>"
    )
