"""OpenDocument texts as LibreOffice writes them, made of marked paragraphs or of raw XML."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from html import escape

from tests.exchange.own_documents import BREAK, Part, spelled

_OASIS = "urn:oasis:names:tc:opendocument:xmlns:"
NAMES = " ".join(
    [
        *(
            f'xmlns:{name}="{_OASIS}{name}:1.0"'
            for name in ("office", "text", "style", "table", "meta", "form", "presentation", "dr3d")
        ),
        f'xmlns:draw="{_OASIS}drawing:1.0"',
        f'xmlns:fo="{_OASIS}xsl-fo-compatible:1.0"',
        f'xmlns:svg="{_OASIS}svg-compatible:1.0"',
        'xmlns:xlink="http://www.w3.org/1999/xlink"',
        'xmlns:dc="http://purl.org/dc/elements/1.1/"',
    ]
)
TYPE = "application/vnd.oasis.opendocument.text"


def zipped(parts: dict[str, str], type_: str = TYPE) -> bytes:
    """A package with these parts; `mimetype` comes first and is not compressed."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("mimetype", (2020, 1, 1, 0, 0, 0)), type_)
        for name, text in parts.items():
            archive.writestr(name, text)
    return held.getvalue()


def manifest(inside: str = "") -> str:
    """META-INF/manifest.xml with these entries."""
    return f'<manifest:manifest xmlns:manifest="{_OASIS}manifest:1.0">{inside}</manifest:manifest>'


def style(name: str, look: str = "", parent: str = "", family: str = "paragraph") -> str:
    """A style; its look is the attributes of its text."""
    based = f' style:parent-style-name="{parent}"' if parent else ""
    return (
        f'<style:style style:name="{name}" style:family="{family}"{based}>'
        f"<style:text-properties {look}/></style:style>"
    )


def package(body: str, *, automatic: str = "", named: str = "", master: str = "") -> bytes:
    """An .odt with this text, these styles of the text and of the document, and these pages."""
    content = (
        f"<office:document-content {NAMES}><office:automatic-styles>{automatic}"
        f"</office:automatic-styles><office:body><office:text>{body}</office:text></office:body>"
        "</office:document-content>"
    )
    styles = (
        f"<office:document-styles {NAMES}><office:styles>{named}</office:styles>"
        f"<office:master-styles>{master}</office:master-styles></office:document-styles>"
    )
    formula = (
        '<manifest:file-entry manifest:full-path="Object 1/" '
        'manifest:media-type="application/vnd.oasis.opendocument.formula"/>'
    )
    return zipped(
        {"content.xml": content, "styles.xml": styles, "META-INF/manifest.xml": manifest(formula)}
    )


def flat(body: str, automatic: str = "") -> bytes:
    """The same as one file of XML (.fodt)."""
    return (
        f'<?xml version="1.0"?>\n<office:document {NAMES} office:mimetype="{TYPE}">'
        f"<office:automatic-styles>{automatic}</office:automatic-styles>"
        f"<office:body><office:text>{body}</office:text></office:body></office:document>"
    ).encode()


SLANTED = style("T1", 'fo:font-style="italic" style:font-style-asian="italic"', family="text")


def body_of(parts: Sequence[Part]) -> str:
    """The text of chapters: headings, emphasis, footnotes and breaks."""
    count = 0

    def note(text: str) -> str:
        nonlocal count
        count += 1
        return (
            f'<text:note text:id="ftn{count}" text:note-class="footnote">'
            f"<text:note-citation>{count}</text:note-citation><text:note-body><text:p>{escape(text)}</text:p></text:note-body>"
            "</text:note>"
        )

    def slanted(text: str) -> str:
        return f'<text:span text:style-name="T1">{escape(text)}</text:span>'

    body = ""
    for part in parts:
        body += f'<text:h text:outline-level="1">{escape(part.title)}</text:h>'
        for block in part.blocks:
            words = "* * *" if block == BREAK else spelled(block, escape, slanted, note)
            body += f'<text:p text:style-name="Standard">{words}</text:p>'
    return body


def open_document(parts: Sequence[Part]) -> bytes:
    """An .odt of chapters."""
    return package(body_of(parts), automatic=SLANTED)
