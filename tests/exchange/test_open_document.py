"""OpenDocument texts come in as Word's do: the same words, headings, emphasis and notes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from studio.errors import Exit, StudioError
from studio.exchange.import_.commit import plan_import
from studio.exchange.import_.sources import source_of
from tests.cli.command import studio
from tests.exchange import own_documents as own
from tests.exchange.open_documents import (
    NAMES,
    SLANTED,
    body_of,
    flat,
    manifest,
    open_document,
    package,
    style,
    zipped,
)
from tests.exchange.texts import titles


def text_of(data: bytes, name: str = "salt.odt") -> str:
    return source_of(data, name).decoded.text


def paragraph(words: str, name: str = "Standard") -> str:
    return f'<text:p text:style-name="{name}">{words}</text:p>'


def heading(words: str, level: int = 1, name: str = "Heading_20_1") -> str:
    return f'<text:h text:style-name="{name}" text:outline-level="{level}">{words}</text:h>'


@pytest.mark.parametrize("parts", [own.ENGLISH, own.KOREAN, own.CHINESE])
def test_a_book_comes_in_with_the_same_text_as_from_word(
    parts: Sequence[own.Part],
) -> None:  # req: I1
    expected = text_of(own.word_document(parts), "salt.docx")
    assert text_of(open_document(parts)) == expected
    assert text_of(flat(body_of(parts), SLANTED), "salt.fodt") == expected


def test_a_folder_with_an_open_document_is_brought_in(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in/salt.odt").write_bytes(open_document(own.ENGLISH))
    ended = studio(
        *("import", tmp_path / "in", "--into", "salt", "--as", "committed", "--yes"), cwd=tmp_path
    )
    assert ended.code == 0, ended.err
    text = (tmp_path / "salt/chapters/chapter-001.md").read_text("utf-8")
    assert text.startswith("# The Weighing House\n")
    assert "* * *" in text
    assert "[^1]: Lead, with the arms" in text


def test_emphasis_and_what_is_unseen_may_come_from_a_style() -> None:
    named = (
        style("Letter", 'fo:font-style="italic"')
        + style("P1", parent="Letter")
        + style("Emphasis", 'fo:font-style="italic"', family="text")
        + style("Quotations", 'fo:font-style="italic"')
        + style("Gone", 'text:display="none"', family="text")
        + style("Out", 'style:text-line-through-style="solid"', family="text")
        + style("East", 'fo:font-style="normal" style:font-style-asian="italic"', family="text")
    )

    def span(words: str, name: str) -> str:
        return f'<text:span text:style-name="{name}">{words}</text:span>'

    body = (
        paragraph("Dear Bo.", "P1")
        + paragraph(f"It {span('fell', 'Emphasis')}, {span('he said', 'East')}.")
        + paragraph(f"비가 {span('그쳤다', 'East')}.")
        + paragraph("The salt is short.", "Quotations")
        + paragraph(f"She {span('never ', 'Out')}{span('ever ', 'Gone')}went.")
    )
    source = source_of(package(body, named=named), "salt.odt")
    assert source.decoded.text == (
        "*Dear Bo.*\n\nIt *fell*, he said.\n\n비가 *그쳤다*.\n\n> The salt is short.\n\nShe went.\n"
    )
    assert source.left == (
        "Hidden passages of salt.odt that stay behind: 1.",
        "Struck-out passages of salt.odt that stay behind: 1.",
    )


def outline(format_: str, before: str = "", behind: str = "") -> str:
    return (
        '<text:outline-style style:name="Outline"><text:outline-level-style text:level="1" '
        f'style:num-prefix="{before}" style:num-suffix="{behind}" style:num-format="{format_}"/>'
        "</text:outline-style>"
        '<style:style style:name="Heading_20_1" style:family="paragraph" '
        'style:default-outline-level="1"/>'
    )


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        (outline("1", "Chapter "), ["Chapter 1: Ebb", "Chapter 2: Flood"]),
        (outline("I", "", "."), ["I. Ebb", "II. Flood"]),
        (outline("1", "제", "장"), ["제1장 Ebb", "제2장 Flood"]),
        (outline("一, 二, 三, ...", "第", "章"), ["第一章 Ebb", "第二章 Flood"]),
        (outline("일, 이, 삼, ...", "제", "장"), ["제일장 Ebb", "제이장 Flood"]),
        (outline(""), ["Ebb", "Flood"]),
    ],
)
def test_the_number_a_program_puts_before_a_heading_comes_in(
    named: str, expected: list[str]
) -> None:
    text = text_of(package(heading("Ebb") + heading("Flood"), named=named))
    assert [line.removeprefix("# ") for line in text.split("\n") if line] == expected


def test_a_paragraph_is_a_heading_where_its_style_is_based_on_one() -> None:
    named = style("Heading_20_2", "") + style("Mine", "", "Heading_20_2")
    body = paragraph("Ebb", "Mine") + paragraph("It fell.") + heading("", 1) + heading("Far", 9)
    assert text_of(package(body, named=named)) == "## Ebb\n\nIt fell.\n\nFar\n"


def test_a_numbered_list_is_one_paragraph_and_goes_on_where_it_says_so() -> None:
    named = (
        '<text:list-style style:name="L1"><text:list-level-style-number text:level="1" '
        'style:num-suffix="." style:num-format="1"/><text:list-level-style-bullet text:level="2"/>'
        "</text:list-style>"
    )

    def entries(words: str, says: str = "") -> str:
        items = "".join(f"<text:list-item>{paragraph(w)}</text:list-item>" for w in words.split())
        return f'<text:list text:style-name="L1"{says}>{items}</text:list>'

    body = (
        entries("Bread. Oil.")
        + paragraph("Then:")
        + entries("Salt.", ' text:continue-numbering="true"')
        + paragraph("Anew:")
        + entries("Rope.")
    )
    assert text_of(package(body, automatic=named)) == (
        "1. Bread.  \n2. Oil.\n\nThen:\n\n3. Salt.\n\nAnew:\n\n1. Rope.\n"
    )


def test_white_space_is_as_in_the_program() -> None:
    body = paragraph(
        'It<text:s text:c="3"/>fell\n   slowly<text:tab/>down.<text:line-break/>Then\u00a0not.'
    )
    assert text_of(package(body)) == "It fell slowly down.  \nThen\u00a0not.\n"


def test_an_empty_paragraph_or_a_line_parts_scenes_where_they_are_rare() -> None:
    words = "".join(paragraph(f"It rained on day {day}.") for day in range(8))
    line = style("Horizontal_20_Line")
    body = words + paragraph("") + words + paragraph("", "Horizontal_20_Line") + words
    assert text_of(package(body, named=line)).count("* * *") == 2


BOX = (
    '<draw:frame><draw:text-box><text:p text:style-name="Standard">Boxed.</text:p></draw:text-box>'
    "</draw:frame>"
)
PICTURE = '<draw:frame><draw:image xlink:href="a.png"/><svg:desc>Xpicture</svg:desc></draw:frame>'
KINDS: dict[str, tuple[str, str]] = {
    "Pictures": (PICTURE, "1"),
    "Comments": (
        "<office:annotation><dc:creator>Xname</dc:creator><text:p>Xcomment</text:p>"
        "</office:annotation>",
        "1",
    ),
    "Hidden": ('<text:hidden-text text:string-value="X" text:is-hidden="true"/>', "1"),
    "Formulas": ('<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame>', "1"),
    "Readings": (
        "<text:ruby><text:ruby-base>渡口</text:ruby-base><text:ruby-text>Xdukou</text:ruby-text>"
        "</text:ruby>",
        "1",
    ),
    "Films,": ('<draw:frame><draw:plugin xlink:href="a.ogg"/></draw:frame>', "1"),
    "Fields": ('<draw:control draw:control="c1"/>', "1"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_what_stays_behind_of_a_paragraph_is_named(kind: str) -> None:
    inside, count = KINDS[kind]
    source = source_of(package(paragraph(f"It {inside}fell.")), "salt.odt")
    assert source.decoded.text == ("It 渡口fell.\n" if kind == "Readings" else "It fell.\n")
    (sentence,) = source.left
    assert sentence.startswith(kind)
    assert sentence.endswith(f": {count}.")


def test_parts_that_no_reader_sees_stay_behind_and_are_named() -> None:
    body = (
        "<text:tracked-changes><text:changed-region><text:deletion><office:change-info>"
        "<dc:creator>Xname</dc:creator></office:change-info><text:p>Xdeleted</text:p>"
        "</text:deletion></text:changed-region></text:tracked-changes>"
        "<text:table-of-content><text:index-body><text:index-title><text:p>Xcontents</text:p>"
        "</text:index-title><text:p><text:a>Xebb</text:a><text:tab/>3</text:p></text:index-body>"
        "</text:table-of-content>"
        f'<text:section text:display="none">{paragraph("Xhidden")}{paragraph("Xhidden")}'
        f"</text:section><text:section>{paragraph('Seen.')}</text:section>"
        + paragraph('<text:hidden-paragraph text:is-hidden="true"/>Xhidden')
        + f"<table:table><table:table-row><table:table-cell>{paragraph('물')}</table:table-cell>"
        f"<table:covered-table-cell>{paragraph('Xcovered')}</table:covered-table-cell>"
        "</table:table-row></table:table>" + paragraph(f"It fell.{BOX}")
    )
    edges = "<style:master-page><style:header><text:p>Xtop</text:p></style:header>"
    edges += "<style:footer><text:p/></style:footer></style:master-page>"
    source = source_of(package(body, master=edges), "salt.odt")
    assert source.decoded.text == "Seen.\n\n물\n\nIt fell.\n\nBoxed.\n"
    assert source.left == (
        "Hidden passages of salt.odt that stay behind: 2.",
        "Passages of salt.odt that are marked as deleted and stay behind: 1.",
        "Lines of the list of contents of salt.odt that stay behind: 2.",
        "Headers and footers of salt.odt that stay behind: 1.",
        "Tables of salt.odt that come in as paragraphs: 1.",
    )


def test_the_books_title_is_no_paragraph() -> None:
    body = paragraph("Salt Road", "Title") + heading("Ebb") + paragraph("It fell.")
    assert text_of(package(body)) == '---\ntitle: "Salt Road"\n---\n\n# Ebb\n\nIt fell.\n'


LOCKED = (
    '<manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/>'
    "</manifest:file-entry>"
)
TABLE = f"<office:document-content {NAMES}><office:body><office:spreadsheet/></office:body>"
DEEP = "<text:section>" * 3000 + paragraph("x") + "</text:section>" * 3000


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (zipped({"content.xml": "\x00", "META-INF/manifest.xml": manifest(LOCKED)}), "password"),
        (zipped({"content.xml": f"{TABLE}</office:document-content>"}), "but no text"),
        (zipped({"content.xml": "<a>"}), "is damaged"),
        (zipped({"styles.xml": "<a/>"}), "has no content.xml"),
        (zipped({"content.xml": '<!DOCTYPE a [<!ENTITY b "c">]><a/>'}), "declares entities"),
        (package(DEEP), "nested deeper"),
        (flat("</text:p>"), "is damaged"),
    ],
    ids=["locked", "table", "torn", "empty", "entities", "deep", "flat"],
)
def test_what_is_no_open_text_is_refused_in_a_sentence(data: bytes, why: str) -> None:
    with pytest.raises(StudioError, match=why) as caught:
        source_of(data, "salt.odt")
    assert caught.value.problem.exit_code == Exit.USAGE


def test_the_preview_names_chapters_of_an_open_document(tmp_path: Path) -> None:
    file = tmp_path / "salt.odt"
    file.write_bytes(open_document(own.CHINESE))
    plan = plan_import([file])[0]
    assert titles(plan) == ["灯塔", "钥匙"]
    assert [file.sureness for file in plan.files] == ["sure"]
