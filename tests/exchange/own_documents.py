"""Documents as other programs leave them, made of a few marked paragraphs in three languages.

None of them is made by the studio's own exports: the layout of each is what
Word, a converter of e-books, a browser, Scrivener 3 or Obsidian writes.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from urllib.parse import unquote

BREAK = "* * *"
_PIECE = re.compile(r"\*(?P<em>[^*]+)\*|\[\^(?P<note>[^\]]+)\]|(?P<text>[^*\[]+)")
CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="OPS/book.opf"/></rootfiles></container>'
)


@dataclass(frozen=True)
class Part:
    """A chapter: `*so*` is emphasis, `[^so]` a footnote that stands there with its text."""

    title: str
    blocks: tuple[str, ...]


ENGLISH = (
    Part(
        "The Weighing House",
        (
            "Ines opened the house before dawn and found the seal *broken*.[^Lead, with the arms"
            " of the salt office.] She did not touch it.",
            "“It was whole when I left,” Bo said. He said it *twice*.",
            BREAK,
            "She weighed the load, wrote the figure down, and weighed it again.",
        ),
    ),
    Part(
        "Nine Sacks",
        (
            "Nine were short. The ledger of the *Harriet* had them all.[^Kept since 1904.]",
            "Nobody on the quay would say who had signed for them, and nobody was asked.",
        ),
    ),
)
KOREAN = (
    Part(
        "등대",
        (
            "비가 그치자 마라는 등대의 계단을 올랐다. 문은 *열려* 있었다.",
            "“아직 불이 켜져 있어.” 조스가 말했다.[^그는 이틀 동안 자지 않았다.]",
            BREAK,
            "아침이 되어서야 그는 배가 없어진 것을 알았다.",
        ),
    ),
    Part(
        "열쇠",
        (
            "열쇠는 기름통 밑에 없었다. *누군가* 가져간 것이다.",
            "마라는 장부를 펴고 밀물의 시각을 적었다.[^사월 초사흘.]",
        ),
    ),
)
CHINESE = (
    Part(
        "灯塔",
        (
            "雨停了，玛拉爬上灯塔的楼梯。门*开着*。",
            "“灯还亮着。”乔斯说。[^他两夜没有合眼。]",
            BREAK,
            "到了早晨，他才知道船不见了。",
        ),
    ),
    Part(
        "钥匙",
        (
            "油桶下面没有钥匙。*有人*拿走了它。",
            "她翻开账本，记下涨潮的时刻。[^四月初三。]",
        ),
    ),
)


def spelled(
    block: str, text: Callable[[str], str], em: Callable[[str], str], note: Callable[[str], str]
) -> str:
    """A block with each of its pieces as a format writes them."""
    by_kind = {"text": text, "em": em, "note": note}
    return "".join(by_kind[m.lastgroup or ""](m[m.lastgroup or ""]) for m in _PIECE.finditer(block))


def _zip(entries: dict[str, str]) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in entries.items():
            info = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            stored = name == "mimetype"
            info.compress_type = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
            archive.writestr(info, text)
    return held.getvalue()


# A Word document, its sentences cut into runs and one of them a tracked insertion

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml"


def word_document(parts: Sequence[Part]) -> bytes:
    """A .docx with headings by style, footnotes in a part of their own."""
    notes: list[str] = []

    def run(text: str, look: str = "") -> str:
        return f'<w:r>{look}<w:t xml:space="preserve">{escape(text)}</w:t></w:r>'

    def halves(text: str) -> str:
        at = len(text) // 2
        inserted = f'<w:ins w:id="9" w:author="Ana">{run(text[at:])}</w:ins>'
        return run(text[:at]) + inserted

    def note(text: str) -> str:
        notes.append(text)
        return f'<w:r><w:footnoteReference w:id="{len(notes) + 1}"/></w:r>'

    body = ""
    for part in parts:
        body += f'<w:p><w:pPr><w:pStyle w:val="H1"/></w:pPr>{run(part.title)}</w:p>'
        for block in part.blocks:
            words = run("***") if block == BREAK else spelled(block, halves, _slanted(run), note)
            body += f"<w:p>{words}</w:p>"
    foot = "".join(
        f'<w:footnote w:id="{number}"><w:p><w:r><w:footnoteRef/></w:r>{run(" " + text)}</w:p>'
        "</w:footnote>"
        for number, text in enumerate(notes, start=2)
    )
    style = '<w:style w:type="paragraph" w:styleId="H1"><w:name w:val="heading 1"/></w:style>'
    own = [("styles", "styles"), ("footnotes", "footnotes")]
    links = "".join(
        f'<Relationship Id="r{i}" Type="{_R}/{kind}" Target="{kind}.xml"/>'
        for i, (kind, _) in enumerate(own)
    )
    types = "".join(
        f'<Override PartName="/word/{name}.xml" ContentType="{_WORD}.{kind}+xml"/>'
        for name, kind in [("document", "document.main"), *own]
    )
    main = f'<Relationship Id="d" Type="{_R}/officeDocument" Target="word/document.xml"/>'
    return _zip(
        {
            "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types"><Default '
            'Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships'
            f'+xml"/>{types}</Types>',
            "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">{main}'
            "</Relationships>",
            "word/_rels/document.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
            f"{links}</Relationships>",
            "word/document.xml": f"<w:document {_W}><w:body>{body}</w:body></w:document>",
            "word/styles.xml": f"<w:styles {_W}>{style}</w:styles>",
            "word/footnotes.xml": f"<w:footnotes {_W}>{foot}</w:footnotes>",
        }
    )


def _slanted(run: Callable[[str, str], str]) -> Callable[[str], str]:
    return lambda text: run(text, "<w:rPr><w:i/></w:rPr>")


# Pages: e-books of both versions, and a web page


def _page(part: Part, first: int, note_form: str, head: str = "h2") -> str:
    """A chapter as a page; `note_form` is what a footnote looks like: aside, div or anchor."""
    notes: list[str] = []

    def note(text: str) -> str:
        notes.append(text)
        number = first + len(notes)
        kind = ' epub:type="noteref"' if note_form == "aside" else ""
        return f'<sup><a id="r{number}" href="#n{number}"{kind}>{number}</a></sup>'

    body = f"<{head}>{escape(part.title)}</{head}>\n"
    for block in part.blocks:
        words = spelled(block, escape, lambda text: f"<i>{escape(text)}</i>", note)
        body += "<hr/>\n" if block == BREAK else f"<p>{words}</p>\n"
    for number, text in enumerate(notes, start=first + 1):
        back = f'<a href="#r{number}">{number}</a>'
        body += {
            "aside": f'<aside id="n{number}" epub:type="footnote"><p>{escape(text)}</p></aside>\n',
            "div": f'<div class="footnote" id="n{number}"><p>{back} {escape(text)}</p></div>\n',
            "anchor": f'<p><a id="n{number}" href="#r{number}">[{number}]</a> {escape(text)}</p>\n',
        }[note_form]
    return body


def ebook(parts: Sequence[Part], title: str, language: str, version: int) -> bytes:
    """An .epub of version 2 (list of contents in an NCX) or 3 (in a page of its own)."""
    names = [f"part{number:04d}.xhtml" for number, _ in enumerate(parts)]
    entries = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:'
        'container" version="1.0"><rootfiles><rootfile full-path="OPS/book.opf" '
        'media-type="application/oebps-package+xml"/></rootfiles></container>',
    }
    for name, part in zip(names, parts, strict=True):
        entries[f"OPS/{name}"] = (
            f'<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops">'
            f"<head><title>{escape(title)}</title></head><body>"
            f"{_page(part, 0, 'aside' if version == 3 else 'div')}</body></html>"
        )
    links = "".join(f'<li><a href="{name}">x</a></li>' for name in names)
    contents = {
        2: ("toc.ncx", "application/x-dtbncx+xml", "", "<ncx/>"),
        3: (
            "nav.xhtml",
            "application/xhtml+xml",
            ' properties="nav"',
            f"<html><body><nav><ol>{links}</ol></nav></body></html>",
        ),
    }[version]
    entries[f"OPS/{contents[0]}"] = contents[3]
    items = "".join(
        f'<item id="c{i}" href="{name}" media-type="application/xhtml+xml"/>'
        for i, name in enumerate(names)
    )
    items += f'<item id="toc" href="{contents[0]}" media-type="{contents[1]}"{contents[2]}/>'
    spine = "".join(f'<itemref idref="c{i}"/>' for i, _ in enumerate(names))
    entries["OPS/book.opf"] = (
        f'<package xmlns="http://www.idpf.org/2007/opf" version="{version}.0"><metadata '
        f'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{escape(title)}</dc:title>'
        f"<dc:language>{language}</dc:language></metadata><manifest>{items}</manifest>"
        f"<spine>{spine}</spine></package>"
    )
    return _zip(entries)


def web_page(parts: Sequence[Part], title: str) -> bytes:
    """A page as old sites have them: footnotes are paragraphs that begin with an anchor."""
    body, first = "", 0
    for part in parts:
        body += _page(part, first, "anchor")
        first += sum(block.count("[^") for block in part.blocks)
    head = f'<head><meta charset="utf-8"><title>{escape(title)}</title></head>'
    return f"<!DOCTYPE html>\n<html>{head}<body>\n{body}</body></html>\n".encode()


# Folders: a project of Scrivener 3, a vault


def scrivener_project(folder: Path, chapters: Sequence[Part]) -> Path:
    """A folder of version 3: each chapter a folder of the Draft, each scene a text in it."""
    binder = ""
    for number, part in enumerate(chapters, start=1):
        scenes = "\n".join(part.blocks).split(f"\n{BREAK}\n")
        inside = ""
        for place, scene in enumerate(scenes, start=1):
            id_ = f"{number:08X}-0000-4000-8000-{place:012X}"
            data = folder / "Files" / "Data" / id_
            data.mkdir(parents=True)
            notes: list[str] = []
            (data / "content.rtf").write_bytes(_rich_text(scene.split("\n"), notes))
            (data / "content.comments").write_text(_comments(notes), "utf-8")
            (data / "synopsis.txt").write_text("What happens.", "utf-8")
            inside += f'<BinderItem UUID="{id_}" Type="Text"><Title>Scene {place}</Title><MetaData>'
            inside += "<IncludeInCompile>Yes</IncludeInCompile></MetaData></BinderItem>"
        binder += f'<BinderItem UUID="F{number}" Type="Folder"><Title>{escape(part.title)}</Title>'
        binder += f"<Children>{inside}</Children></BinderItem>"
    (folder / f"{folder.stem}.scrivx").write_text(
        '<?xml version="1.0" encoding="UTF-8"?>\n<ScrivenerProject Version="2.0"><Binder>'
        f'<BinderItem UUID="D" Type="DraftFolder"><Title>Draft</Title><Children>{binder}</Children>'
        "</BinderItem></Binder></ScrivenerProject>\n",
        "utf-8",
    )
    return folder


def _rich_text(blocks: Sequence[str], notes: list[str]) -> bytes:
    """A text; its footnotes are fields that lead to those beside it, which go into `notes`."""

    def note(text: str) -> str:
        notes.append(text)
        link = rf'HYPERLINK "scrivcmt://NOTE-{len(notes)}"'
        return rf"{{\field{{\*\fldinst{{{link}}}}}{{\fldrslt }}}}"

    slanted = [spelled(b, _coded, lambda text: rf"{{\i {_coded(text)}}}", note) for b in blocks]
    return (r"{\rtf1\ansi\ansicpg1252\uc1" + "\n" + "\\par\n".join(slanted) + "\\par}").encode()


def _comments(notes: Sequence[str]) -> str:
    """What lies beside a text: its footnotes, and a comment that is nobody's but the writer's."""
    rows = [(f"NOTE-{number}", "Yes", text) for number, text in enumerate(notes, start=1)]
    rows.append(("MINE", "No", "Too early?"))
    inside = "".join(
        f'<Comment ID="{id_}" Footnote="{is_note}"><![CDATA[{{\\rtf1\\ansi\\uc1 {_coded(text)}}}]]>'
        "</Comment>"
        for id_, is_note, text in rows
    )
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<Comments Version="1.0">{inside}</Comments>'


def _coded(text: str) -> str:
    """Text in RTF: a number for each unit of UTF-16 beyond ASCII."""
    units = text.encode("utf-16-le")
    pairs = [int.from_bytes(units[at : at + 2], "little") for at in range(0, len(units), 2)]
    return "".join(chr(u) if u < 128 else f"\\u{u if u < 32768 else u - 65536}?" for u in pairs)


def vault(folder: Path, chapters: Sequence[Part]) -> Path:
    """Forty notes of Obsidian's: the chapters, and people, places and facts beside them."""
    (folder / ".obsidian").mkdir(parents=True)
    (folder / ".obsidian" / "app.json").write_text("{}", "utf-8")
    for name, text in _notes(chapters):
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    return folder


NOTES_OF_VAULT = 40


def _notes(chapters: Sequence[Part]) -> Iterator[tuple[str, str]]:
    for number, part in enumerate(chapters, start=1):
        notes: list[str] = []

        def note(text: str, notes: list[str] = notes) -> str:
            notes.append(text)
            return f"[^{len(notes)}]"

        blocks = [
            spelled(b, str, lambda text: f"*{text}*", note) for b in part.blocks if b != BREAK
        ]
        blocks.insert(1, BREAK)
        blocks += [f"[^{at}]: {text}" for at, text in enumerate(notes, start=1)]
        blocks[0] = blocks[0].replace("Ines", "[[Ines Marrow|Ines]]")
        yield f"Chapters/{number} {part.title}.md", "\n\n".join(blocks) + "\n"
    for number in range(NOTES_OF_VAULT - len(chapters)):
        kind = ("Characters", "장소", "设定")[number % 3]
        yield f"{kind}/{kind} {number}.md", f"About [[x|{number}]].\n"


def ebook_of(pages: Mapping[str, str], spine: list[str]) -> bytes:
    """An e-book of version 2 with the bodies of pages by their files."""
    references = "".join(f'<itemref idref="{file}"/>' for file in spine)
    items = "".join(
        f'<item id="{file}" href="{file}" media-type="application/xhtml+xml"/>' for file in pages
    )
    entries = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": CONTAINER,
        "OPS/book.opf": '<package xmlns="http://www.idpf.org/2007/opf" version="2.0"><metadata/>'
        f"<manifest>{items}</manifest><spine>{references}</spine></package>",
        **{
            f"OPS/{unquote(file)}": f"<html><body>{body}</body></html>"
            for file, body in pages.items()
        },
    }
    return _zip(entries)
